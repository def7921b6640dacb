"""Requests of one panel that another one carries out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.arrays import Singles
from workbench.core.events import Signal
from workbench.session.runs.run_record import RunRecord

if TYPE_CHECKING:
    from workbench.analysis.groups.trail import Trail


@dataclass(frozen=True, eq=False)
class TaughtPlace:
    """A word that isn't in a model, to be shown on its map.

    run : identifier of the run; word : the word; name : as it is written on the map
    unit : float32[m, columns], its vector at length 1, then draws from its uncertainty
    """

    run: str
    word: str
    name: str
    unit: Singles


class PanelRequests:
    """Signals between panels that don't know each other. Each is named by what is requested."""

    def __init__(self) -> None:
        # Answer a − b + c: the analogy panel.
        self.analogy = Signal[str, str, str]()
        # Put a word into the next field of the analogy: the user double-clicked the word.
        self.analogy_word = Signal[str]()
        # Show the lines with a word and, in its window, a second word or "": the corpus panel.
        self.lines = Signal[str, str]()
        # Place the vectors of a word in the groups of a text on the map: the map panel.
        self.trail: Signal[Trail] = Signal()
        # Show the picture that an open corpus was made from: the matrix panel.
        self.picture = Signal[()]()
        # Ask for how many more epochs to train a run: the train panel.
        self.continue_run = Signal[RunRecord]()
        # Put the hyperparameters of a run into the form: the train panel.
        self.parameters = Signal[RunRecord]()
        # Compare finished runs: the compare panel shows two, the evaluate panel more.
        self.comparison = Signal[Sequence[RunRecord]]()
        # Rank finished runs by their scores: the evaluate panel.
        self.ranking = Signal[Sequence[RunRecord]]()
        # Plan a grid that starts from the hyperparameters of a run: the runs panel.
        self.grid_plan = Signal[RunRecord]()
        # Open a lesson, by the path of its file: the lessons panel.
        self.lesson = Signal[str]()
        # Show a word that is being taught on the map, in place of the one before; None: remove it.
        self.taught = Signal[TaughtPlace | None]()
        # Teach the model a word: the teach panel.
        self.teach = Signal[str]()
        # Rank the lines of the text behind the cosine of two words or the analogy of three, or an
        # association: the influence panel.
        self.influence = Signal[Sequence[str]]()
        # Show the results of a grid, by the name of its group: the runs panel.
        self.grid = Signal[str]()
