"""Word walk panel: a puzzle in large letters, the way so far, and the words to go to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from workbench.analysis.walk.word_walk import (
    COLD,
    FEWEST_WORDS,
    OPTIONS,
    THERE,
    Walk,
    WalkWords,
    heat,
)
from workbench.core.language import tr, trn
from workbench.ui import kit
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.scaling import set_text_role
from workbench.ui.base.text import count
from workbench.ui.base.theme import TYPE_LARGE, TYPE_TITLE, set_property
from workbench.ui.panels.walk import WalkKind
from workbench.ui.panels.walk.parts import Thermometer, WordButton
from workbench.ui.widgets.layout.result_view import Request, ResultView

_MOST_PUZZLES = 9_999
_COLUMNS = 2
_HEATS = {
    THERE: (tr("You are there!"), "good"),
    "hot": (tr("Hot"), "hot"),
    "warm": (tr("Warm"), "warning"),
    "cool": (tr("Cool"), "muted"),
    COLD: (tr("Cold"), "muted"),
}


@dataclass(frozen=True)
class WalkState(PanelState):
    """number : of the puzzle; the same number is the same puzzle for equal vectors"""

    number: int = choice(1, low=1, high=_MOST_PUZZLES)


class WalkPanel(WalkKind, Panel):
    """The game begins again with another puzzle or another run."""

    state_kind = WalkState
    view_state: WalkState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.words: WalkWords | None = None
        self.walk: Walk | None = None
        self._way = ""
        self._name_widgets()
        self._build()
        self.follow(self.session.active.changed, self._refresh)
        self.result.on_clear(self._clear)
        self._refresh()

    # -- building

    def _name_widgets(self) -> None:
        self.number = self.named(
            kit.IntBox.of(1, _MOST_PUZZLES, 1),
            "number",
            tr("Number of the puzzle"),
            tr("Puzzle that a whole class can play: equal vectors have equal puzzles"),
        )
        self.bind(self.number, "number")
        self.question = self.named(kit.label(wrap=True), "question", tr("First and last word"))
        set_text_role(self.question, 2 * TYPE_TITLE, bold=True)
        self.heat = self.named(kit.label(), "heat", tr("How near the word is"))
        set_text_role(self.heat, TYPE_TITLE, bold=True)
        self.thermometer = self.named(
            Thermometer(self.theme), "thermometer", tr("From cold to hot")
        )
        self.place = self.named(
            kit.label(role="muted", wrap=True), "place", tr("Place of the word")
        )
        self.path = self.named(kit.label(wrap=True), "path", tr("Way so far"))
        set_text_role(self.path, TYPE_LARGE)
        self.options = [
            self.named(WordButton(), f"option.{at + 1}", tr("Word to go to"))
            for at in range(OPTIONS)
        ]
        for at, button in enumerate(self.options):
            button.clicked.connect(partial(self._press, at))
        self.moves = self.named(kit.label(role="muted", wrap=True), "moves", tr("Moves"))
        self.back = self.named(
            kit.button(tr("Go back"), pressed=self.go_back),
            "back",
            tr("Go back"),
            tr("Return to the word before, which is a move, too"),
        )
        self.shortest = self.named(
            kit.button(tr("Show a shortest walk"), pressed=self.show_shortest),
            "shortest",
            tr("Show a shortest walk"),
        )
        self.next = self.named(
            kit.button(tr("Next puzzle"), pressed=self.next_puzzle), "next", tr("Next puzzle")
        )

    def _build(self) -> None:
        rows = [self.options[at : at + _COLUMNS] for at in range(0, OPTIONS, _COLUMNS)]
        explained = kit.label(
            tr(
                "Walk from the first word to the last. Each step leads to one of the nearest words."
            ),
            role="muted",
            wrap=True,
        )
        head = kit.row(
            kit.stretch(explained),
            kit.label(tr("Puzzle"), role="muted", buddy=self.number),
            self.number,
        )
        page = kit.column(
            self.question,
            kit.row(self.heat, kit.stretch(self.thermometer), gap=kit.SPACE_3),
            self.place,
            self.path,
            kit.grid(*rows, gap=kit.SPACE_2, shares=[1] * _COLUMNS),
            self.moves,
            kit.bar(self.back, self.shortest, self.next),
            kit.stretch(),
            gap=kit.SPACE_3,
        )
        self.result = ResultView(
            self, f"{self.key}.work", f"{self.key}.here", kit.scroll(kit.box(page))
        )
        self.notice = self.result.notice
        margins = (kit.SPACE_4, kit.SPACE_3)
        kit.fill(self.body, kit.column(head, kit.stretch(self.result), margins=margins))

    # -- the words

    def _refresh(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.trained
        if record is None or embeddings is None:
            self.result.forget()
            self._clear()
            self.show_no_vectors(
                record,
                tr("No model to walk in yet"),
                tr("Then walk from word to word through its nearest neighbours."),
            )
            return
        self.show_body()
        self.result.ask(
            Request(
                (embeddings,),
                tr("Finding the neighbours of all words of {name}", name=record.name),
                lambda run: WalkWords.of(embeddings, run),
                self._begin,
                doing=tr("Finding the neighbours of all words…"),
                quiet=True,
            )
        )

    def _begin(self, words: WalkWords) -> None:
        self.words = words
        self._start()

    def _clear(self) -> None:
        self.words = self.walk = None

    def state_changed(self, before: WalkState, after: WalkState) -> None:
        self._start()

    def _start(self) -> None:
        """The puzzle with the chosen number, from its first word."""
        words = self.words
        if words is None:
            return
        puzzle = None
        if len(words.words) >= FEWEST_WORDS:
            puzzle = words.graph.puzzle(self.view_state.number)
        if puzzle is None:
            self.walk = None
            self.result.show_message(
                tr("Too few words for a walk"),
                tr("Choose a run whose words aren’t all neighbours of one another."),
            )
            return
        self.walk, self._way = Walk.begin(puzzle), ""
        self._draw()

    # -- playing

    def _press(self, at: int) -> None:
        if self.words is None or self.walk is None or self.walk.has_arrived:
            return
        self.walk = self.walk.step(self.words.graph, int(self.words.graph.near[self.walk.here][at]))
        self.session.selection.select([self.words.words[self.walk.here]])
        self._draw()

    def why_not_play(self) -> str:
        """Why no puzzle is shown, or ""."""
        return "" if self.walk is not None else tr("Train or choose a model first.")

    def why_not_back(self) -> str:
        """Why there is no way back, or ""."""
        if self.walk is None:
            return self.why_not_play()
        if self.walk.has_arrived or len(self.walk.path) < 2:
            return tr("Take a step first.")
        return ""

    def go_back(self) -> None:
        if self.walk is not None and not self.why_not_back():
            self.walk = self.walk.back()
            self._draw()

    def next_puzzle(self) -> None:
        self.view_state = replace(
            self.view_state, number=self.view_state.number % _MOST_PUZZLES + 1
        )

    def show_shortest(self) -> None:
        if self.words is None or self.walk is None:
            return
        puzzle = self.walk.puzzle
        names = self._names(self.words.graph.shortest(puzzle.start, puzzle.target))
        self._way = tr("A shortest walk: {words}", words=names)
        self._draw()

    # -- drawing

    def _names(self, rows: tuple[int, ...]) -> str:
        assert self.words is not None
        return " → ".join(self.words.words[row] for row in rows)

    def _draw(self) -> None:
        words, walk = self.words, self.walk
        assert words is not None
        assert walk is not None
        size = len(words.words)
        rank = int(words.ranks(walk.puzzle.target)[walk.here])
        self.question.setText(self._names((walk.puzzle.start, walk.puzzle.target)))
        text, role = _HEATS[heat(rank, size)]
        self.heat.setText(text)
        set_property(self.heat, "role", role)
        self.thermometer.put(rank, size)
        place = self._place_text(rank, size)
        self.place.setText(place)
        self.thermometer.setAccessibleDescription(place or text)
        self.path.setText(self._names(walk.path))
        self._offer(walk, words)
        moves = trn("{number:,} move.", "{number:,} moves.", walk.moves)
        best = trn(
            "The shortest walk has {number:,} step.",
            "The shortest walk has {number:,} steps.",
            walk.puzzle.steps,
        )
        if walk.has_arrived and walk.moves == walk.puzzle.steps:
            best = tr("Nobody can do better.")
        self.moves.setText(" ".join(filter(None, (moves, best, self._way))))
        self.back.setEnabled(not self.why_not_back())
        set_property(self.next, "role", "primary" if walk.has_arrived else "")
        if walk.has_arrived:
            self.next.setFocus()

    def _place_text(self, rank: int, size: int) -> str:
        assert self.walk is not None
        assert self.words is not None
        target = self.words.words[self.walk.puzzle.target]
        if rank == 0:
            return ""
        return tr(
            "By cosine with “{word}”, this word is number {rank} of {number}.",
            word=target,
            rank=count(rank),
            number=count(size),
        )

    def _offer(self, walk: Walk, words: WalkWords) -> None:
        """Show the words to go to; none at the end, but their places stay."""
        near = words.graph.near[walk.here].tolist()
        for at, button in enumerate(self.options):
            offered = not walk.has_arrived and at < len(near)
            button.put(words.words[near[at]] if offered else "")
            button.setEnabled(offered)
