"""Words placed on the finished map: the row where they are typed, and the job that finds their
positions. They come from the model of the map or from another run. All other words stay where they
are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.analysis.projection.other_space import NEAREST, RotatedWords, rotated_words
from workbench.analysis.projection.placing import unit_rows
from workbench.analysis.projection.umap_learn import prepare
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Progress
from workbench.core.language import percent, tr
from workbench.session.requests import TaughtPlace
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.text import count, decimal, plural
from workbench.ui.base.theme import SPACE_2, SPACE_3, SPACE_4
from workbench.ui.panels.map.layout import METHODS, MapLayout
from workbench.ui.widgets.inputs.run_choice import run_text, usable
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.map.point_map import PointMap
from workbench.vectors.embeddings import Embeddings

if TYPE_CHECKING:
    from workbench.analysis.groups.trail import Trail

# More names than this would cover the map.
_MOST = 100
_ONE_FLAT_MODEL = tr("Words can be placed only on a map of one model in two dimensions")


@dataclass(frozen=True, eq=False)
class _Placed:
    """Words and their positions float32[m, 2].

    names : of the new words, as they are shown
    meant : names of all typed words, also of those that are shown already
    origins : the run and the word for names of words of another run
    rotated : the alignment of that run
    """

    names: tuple[str, ...]
    meant: Sequence[str]
    positions: Singles = field(default_factory=lambda: np.empty((0, 2), np.float32))
    origins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    rotated: RotatedWords | None = None


class PlacingBar(QWidget):
    """Row above the map. ``asked(words, run)``: place words of a run, "" for that of the map;
    ``cancelled``: stop placing; ``cleared``: remove the
    placed words; ``left``: hide the row.
    """

    asked = Signal(list, str)
    cancelled = Signal()
    cleared = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Words that aren’t on the map, separated by spaces"))
        kit.set_scaled_size(self.field, least_width=120, most_width=420)
        self.source = kit.set_scaled_size(kit.ChoiceBox.of({}, letters=8), most_width=240)
        self.place = kit.button(tr("Place"), pressed=self._press)
        self.clear = kit.button(tr("Remove"), role="link", pressed=self.cleared)
        self.close_row = kit.button(tr("Close"), role="link", pressed=self.left)
        row = kit.row(
            kit.label(tr("Place words"), role="small"),
            kit.stretch(self.field),
            self.source,
            self.place,
            self.clear,
            kit.stretch(share=1),
            self.close_row,
            gap=SPACE_3,
            margins=(SPACE_4, 0, SPACE_3, SPACE_2),
        )
        kit.fill(self, row)
        self._busy = False
        self.field.returnPressed.connect(self._ask)
        self.field.textChanged.connect(lambda _: self._allow())
        self.show_state(busy=False, placed=False)
        self.offer_runs(())

    def offer_runs(self, runs: Sequence[tuple[str, str]]) -> None:
        """Offer words of other runs, each with its text and identifier. The chosen run stays if it
        is among them.
        """
        own = (tr("from this model"), "")
        others = [(tr("from {run}", run=text), identifier) for text, identifier in runs]
        self.source.replace_choices([own, *others])
        self.source.setVisible(bool(runs))

    def show_state(self, *, busy: bool, placed: bool) -> None:
        """Offer to place, or to cancel; and to clear if there are placed words."""
        self._busy = busy
        text = tr("Cancel") if busy else tr("Place")
        self.place.setText(text)
        self.place.setAccessibleName(text)
        self.clear.setEnabled(placed)
        self._allow()

    def _allow(self) -> None:
        self.place.setEnabled(self._busy or bool(self.field.text().split()))

    def _press(self) -> None:
        if self._busy:
            self.cancelled.emit()
        else:
            self._ask()

    def _ask(self) -> None:
        if (words := self.field.text().split()) and not self._busy:
            self.asked.emit(words, self.source.currentData())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MapPlacing(QObject):
    """Places typed words on the current layout once it is finished; ``say`` reports what happened.
    ``changed()``: placing began or ended.
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        bar: PlacingBar,
        view: PointMap,
        say: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._bar, self._view, self._say = session, bar, view, say
        self._layout: MapLayout | None = None
        self._resting = False
        self._placing = ResultJob(session.jobs, "map.place")
        self._placing.on_failed(self._fail)
        self._placing.on_cancelled(self._end)
        # Words of other runs on the map: the run and the word by the name that is shown.
        self._origins: dict[str, tuple[str, str]] = {}
        self._waiting: list[tuple[list[str], str]] = []  # words and runs of a session file
        self._kept: Mapping[str, Any] | None = None  # of a session file, not placed yet
        # A trail that waits for the map, and the names of that on the map.
        self._next_trail: Trail | None = None
        self._trail: tuple[str, ...] = ()
        # The word that is being taught, and its name on the map, "" while it isn't shown.
        self._taught: TaughtPlace | None = None
        self._taught_name = ""
        self._teaching = ResultJob(session.jobs, "map.taught")
        # Maps of another kind can't take any word.
        self._teaching.on_failed(self._refuse_taught)
        bar.asked.connect(self.place_words)
        bar.cancelled.connect(self.stop)
        bar.cleared.connect(self._clear)
        bar.left.connect(self._close)

    @property
    def progress(self) -> Progress | None:
        run = self._placing.running
        return None if run is None else run.progress

    @property
    def busy(self) -> bool:
        return self._placing.busy or self._teaching.busy

    def open(self) -> None:
        """Show the row and go to its field. umap-learn loads while the user types."""
        if self._layout is not None and METHODS[self._layout.method].projection.moves:
            prepare()
        self._bar.show()
        self.list_runs()
        self._bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._bar.field.selectAll()

    def list_runs(self) -> None:
        """Offer the runs that exist, except the one on the map, while the row is open."""
        if self._bar.isHidden():
            return
        shown = None if self._layout is None else self._layout.request.identifier
        runs = [run for run in usable(self._session) if run.identifier != shown]
        self._bar.offer_runs([(run_text(self._session, run), run.identifier) for run in runs])

    def set_layout(self, layout: MapLayout, resting: bool) -> None:
        """Tell which layout is shown, and whether it is finished. Words placed on another one are
        gone, together with its points.
        """
        if self._layout is None or self._layout.positions is not layout.positions:
            self.stop()
        self._layout, self._resting = layout, resting
        self.list_runs()
        if resting and self._kept is not None and _belongs_to(self._kept, layout):
            waiting = {"": self._kept["words"]} if self._kept["words"] else {}
            for word, run in self._kept["others"]:
                waiting.setdefault(run, []).append(word)
            self._waiting = [(words, run) for run, words in waiting.items()]
            self._kept = None
            self._place_waiting()
        if resting and self._next_trail is not None and not self._placing.busy:
            self.place_trail(self._next_trail)
        if resting and self._taught_name not in self._view.placed_words:
            self._place_taught()
        self._show_state()

    # -- a word that is being taught

    def show_taught(self, taught: TaughtPlace | None) -> None:
        """Show a word that isn't in the model, with its uncertainty; None: remove it. It moves with
        each call; all other words stay where they are.
        """
        self._taught = taught
        self._place_taught()

    def _place_taught(self) -> None:
        layout, taught = self._layout, self._taught
        self._teaching.forget()
        if taught is None or layout is None or not self._resting or not _is_of(taught, layout):
            self._put_taught(None, np.empty((0, 2), np.float32))
            return
        if METHODS[layout.method].dims != 2 or layout.pair is not None:
            self._put_taught(None, np.empty((0, 2), np.float32))
            self._say(_ONE_FLAT_MODEL)
            return
        request, projection = layout.request, METHODS[layout.method].projection
        self._teaching.ask(
            Request(
                (layout, taught),
                tr("Placing words on the map"),
                lambda run: projection.place_at_once(
                    request.unit_vectors, layout.positions, taught.unit, request.umap, run
                ),
                lambda positions: self._finish_taught(layout, taught, positions),
                quiet=True,
            )
        )

    def _finish_taught(self, layout: MapLayout, taught: TaughtPlace, positions: Singles) -> None:
        if self._layout is not None and self._layout.positions is layout.positions:
            self._put_taught(taught, positions)

    def _refuse_taught(self, error: UserError) -> None:
        self._put_taught(None, np.empty((0, 2), np.float32))
        self._say(str(error))

    def _put_taught(self, taught: TaughtPlace | None, positions: Singles) -> None:
        view = self._view
        others = [at for at, name in enumerate(view.placed_words) if name != self._taught_name]
        if taught is None and len(others) == len(view.placed_words):
            self._taught_name = ""
            return
        names = [view.placed_words[at] for at in others]
        meant = [view.meant_words[at] for at in others]
        places = view.placed_positions[others]
        self._taught_name = "" if taught is None else taught.name
        if taught is not None:
            names, meant = [*names, taught.name], [*meant, taught.word]
            places = np.concatenate([places, positions[:1]])
        first, last = view.joined
        ahead = first - sum(at < first for at in others)
        joined = (first - ahead, last - ahead)
        view.set_placed(names, places, meant, joined, positions[1:], gliding=self._taught_name)
        self._show_state()

    # -- session files

    def saved_words(self) -> dict[str, Any]:
        """The placed words and where they belong, for a session file; empty without any."""
        if self._layout is None or not self._view.placed_words:
            return {}
        foreign = {*self._origins, *self._trail, self._taught_name}
        own = [word for word in self._view.placed_words if word not in foreign]
        origins = [self._origins[word] for word in self._view.placed_words if word in self._origins]
        others = [[word, run] for run, word in origins]
        return {"words": own, "others": others, **_place_of(self._layout)}

    def restore_words(self, kept: object) -> None:
        """Place ``saved_words`` again as soon as their map is finished. Skips malformed entries."""
        if not isinstance(kept, dict):
            return
        words, others = kept.get("words"), kept.get("others", [])
        if _are_texts(words) and isinstance(others, list):
            others = [one for one in others if _are_texts(one) and len(one) == 2]
            self._kept = {**kept, "others": others}

    # -- placing

    def place_words(self, typed: list[str], source: str = "") -> None:
        """Place words of the model that aren’t shown, or words of another run, and unseen ones from
        their n-grams.
        """
        layout, view = self._layout, self._view
        if layout is None or not self._resting:
            self._say(tr("Words can be placed when the map is finished"))
            return
        method = METHODS[layout.method]
        if method.dims != 2 or layout.pair is not None:
            self._say(_ONE_FLAT_MODEL)
            return
        record = next((run for run in usable(self._session) if run.identifier == source), None)
        if source and record is None:
            self._say(tr("Couldn’t place the words: the run no longer exists"))
            return
        shown = {*view.words, *view.placed_words}
        work = partial(self._find_own, layout, shown, typed)
        if record is not None:
            work = partial(self._find_others, layout, shown, typed, record)
        self._start(work, lambda placed: self._finish(layout, placed))

    def _start(
        self, work: Callable[[JobControl], _Placed], show: Callable[[_Placed], None]
    ) -> None:
        # Each is a new one: placed words can be removed, and placed again.
        self._placing.ask(Request((object(),), tr("Placing words on the map"), work, show))
        self._show_state()
        self.changed.emit()

    def place_trail(self, trail: Trail) -> None:
        """Place the vectors of a word in groups, joined in their order, in place of an earlier
        trail; once the map is finished, if it isn’t yet.
        """
        layout = self._layout
        if layout is None or not self._resting:
            self._next_trail = trail
            self._say(tr("The groups are placed when the map is finished"))
            return
        self._next_trail = None
        if METHODS[layout.method].dims != 2 or layout.pair is not None:
            self._say(_ONE_FLAT_MODEL)
            return
        if layout.request.embeddings is not trail.embeddings:
            self._say(tr("Couldn’t place the groups: the map shows another run"))
            return
        names = tuple(
            tr("{word} ({group})", word=trail.word, group=group) for group in trail.groups
        )
        self._start(
            lambda run: _Placed(names, names, self._positions(layout, trail.rows, run)),
            lambda placed: self._finish_trail(layout, trail, placed),
        )

    def _finish_trail(self, layout: MapLayout, trail: Trail, placed: _Placed) -> None:
        view, names, positions = self._view, placed.names, placed.positions
        if self._layout is None or self._layout.positions is not layout.positions:
            self._end()
            return
        kept = [at for at, name in enumerate(view.placed_words) if name not in self._trail]
        before = [view.placed_words[at] for at in kept]
        meant = [view.meant_words[at] for at in kept]
        self._trail = names
        view.set_placed(
            (*before, *names),
            np.concatenate([view.placed_positions[kept], positions]),
            (*meant, *([trail.word] * len(names))),
            joined=(len(before), len(before) + len(names)),
            cloud=view.cloud,
        )
        view.reveal(names[-1])
        self._say(
            tr(
                "“{word}” in {groups}, by its contexts. The whole text gives a cosine of {cosine} "
                "with its own vector in this way",
                word=trail.word,
                groups=plural(len(names), "group"),
                cosine=decimal(trail.agreement, 2),
            )
        )
        self._end()

    def _find_own(
        self, layout: MapLayout, shown: set[str], typed: list[str], run: JobControl
    ) -> _Placed:
        embeddings = layout.request.embeddings
        words = _as_spelt(embeddings, typed)
        new = [word for word in words if word not in shown]
        if not new:
            return _Placed((), words)
        return _Placed(tuple(new), words, self._positions(layout, unit_rows(embeddings, new), run))

    def _find_others(
        self,
        layout: MapLayout,
        shown: set[str],
        typed: list[str],
        record: RunRecord,
        run: JobControl,
    ) -> _Placed:
        other = record.embeddings or self._session.store.vectors(record.identifier)
        words = _as_spelt(other, typed)
        names = [tr("{word} ({run})", word=word, run=record.name) for word in words]
        pairs = zip(names, words, strict=True)
        new = {name: word for name, word in pairs if name not in shown}
        if not new:
            return _Placed((), names)
        rotated = rotated_words(other, list(new.values()), layout.request.embeddings)
        positions = self._positions(layout, rotated.rows, run)
        origins = {name: (record.identifier, word) for name, word in new.items()}
        return _Placed(tuple(new), names, positions, origins, rotated)

    @staticmethod
    def _positions(layout: MapLayout, new: Singles, run: JobControl) -> Singles:
        request = layout.request
        projection = METHODS[layout.method].projection
        return projection.place(request.unit_vectors, layout.positions, new, request.umap, run)

    def stop(self) -> None:
        """Stop placing words; none of them appears."""
        self._waiting = []
        if self._placing.busy:
            self._placing.forget()
            self._end()

    def _place_waiting(self) -> None:
        """Place the words of a session file that wait, those of one run after those of another."""
        while self._waiting and not self._placing.busy:
            self.place_words(*self._waiting.pop(0))

    def _finish(self, layout: MapLayout, placed: _Placed) -> None:
        view, names = self._view, placed.names
        if self._layout is None or self._layout.positions is not layout.positions:
            self._end()
            return
        if not names:
            view.centre_on(placed.meant[-1])
            self._say(tr("These words are on the map already"))
        elif len(view.placed_words) + len(names) > _MOST:
            self._say(tr("At most {number} words can be placed", number=count(_MOST)))
        else:
            before = {name: self._origins.get(name) for name in view.placed_words}
            self._origins = {name: one for name, one in before.items() if one is not None}
            self._origins.update(placed.origins)
            everything = (*view.placed_words, *names)
            view.set_placed(
                everything,
                np.concatenate([view.placed_positions, placed.positions]),
                [*view.meant_words, *(self._meant_by(name) for name in names)],
                joined=view.joined,
                cloud=view.cloud,
            )
            view.reveal(names[-1])
            self._bar.field.clear()
            if placed.rotated is not None:
                self._say(_quality_of(placed.rotated))
        self._end()

    def _meant_by(self, name: str) -> str:
        """The word that a name on the map stands for."""
        if name == self._taught_name and self._taught is not None:
            return self._taught.word
        return self._origins[name][1] if name in self._origins else name

    def _fail(self, error: UserError) -> None:
        self._end()
        self._say(str(error))

    def _end(self) -> None:
        self._place_waiting()
        self._show_state()
        self.changed.emit()

    def _clear(self) -> None:
        self._view.clear_placed()
        self._show_state()
        self._bar.field.setFocus()

    def _close(self) -> None:
        self._bar.hide()
        self._view.setFocus()

    def _show_state(self) -> None:
        self._bar.show_state(busy=self._placing.busy, placed=bool(self._view.placed_words))


def _is_of(taught: TaughtPlace, layout: MapLayout) -> bool:
    """Whether a map is of the model that learns a word."""
    same = layout.request.identifier.partition(" ")[0] == taught.run
    return same and layout.request.unit_vectors.shape[1] == taught.unit.shape[1]


def _as_spelt(embeddings: Embeddings, typed: Sequence[str]) -> list[str]:
    """Typed words as the model spells them, each once."""
    rows = ((word, embeddings.find(word)) for word in typed)
    words = (word if row is None else embeddings.words[row] for word, row in rows)
    return list(dict.fromkeys(words))


def _quality_of(rotated: RotatedWords) -> str:
    return tr(
        "Aligned by {shared} shared words. In a test, {share} of them land among the {nearest} "
        "words nearest to their own place",
        shared=count(rotated.shared),
        share=percent(f"{100 * rotated.found:.0f}"),
        nearest=NEAREST,
    )


def _place_of(layout: MapLayout) -> dict[str, Any]:
    """The map to which placed words belong, for a session file."""
    request = layout.request
    return {"run": request.identifier, "method": layout.method, "count": len(layout.words)}


def _belongs_to(kept: Mapping[str, Any], layout: MapLayout) -> bool:
    return all(kept.get(key) == value for key, value in _place_of(layout).items())


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
