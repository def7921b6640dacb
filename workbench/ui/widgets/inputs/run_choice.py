"""Choosing one run of the list, or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QKeyEvent, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.action import set_action_key
from workbench.ui.plain_text import menu_text, visible_text
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import count
from workbench.ui.theme import Theme
from workbench.ui.widgets.inputs.editors import ChoiceBox


def usable(session: Session) -> list[RunRecord]:
    """The runs whose vectors are there, in memory or in the store."""
    return [
        r
        for r in session.runs
        if r.has_vectors and r.error is None and (r.embeddings is not None or r.stored)
    ]


def own_first(session: Session, records: Iterable[RunRecord]) -> list[RunRecord]:
    """Runs of the open text before those of others, which stand together by their text."""
    if session.corpora.current is not None:
        own = session.corpora.current.digest
    else:
        own = None
    runs = list(records)
    texts = list(dict.fromkeys(record.corpus_digest for record in runs))
    order = {digest: at for at, digest in enumerate(texts)}
    return sorted(
        runs, key=lambda record: -1 if record.corpus_digest == own else order[record.corpus_digest]
    )


def run_text(session: Session, record: RunRecord) -> str:
    """What a run is called in a list: its name, and its text where that is not the open one."""
    corpus = session.corpora.current
    if corpus is None or record.corpus_digest in ("", corpus.digest):
        return record.name
    return tr("{run} · on {text}", run=record.name, text=record.corpus_name or tr("another text"))


def dot_icon(colour: QColor) -> QIcon:
    """A dot in a run's colour."""
    icon = QIcon()
    for ratio in (1, 2):
        pixmap = QPixmap(12 * ratio, 12 * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QRectF(2, 2, 8, 8))
        painter.end()
        icon.addPixmap(pixmap)
    return icon


class RunChoice(ChoiceBox):
    """One run. ``chosen`` tells that another is chosen, by whomever."""

    chosen = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._offered: list[tuple[str, str, int]] = []
        self.setMinimumContentsLength(8)
        set_scaled_size(self, most_width=240)
        self.currentIndexChanged.connect(lambda _: self.chosen.emit())
        theme.changed.connect(self._recolour)

    @property
    def record(self) -> RunRecord | None:
        wanted = self.currentData()
        return next((r for r in usable(self._session) if r.identifier == wanted), None)

    def offer(self, records: Iterable[RunRecord], fallback: RunRecord | None = None) -> None:
        """Offer these runs; the chosen one stays if it is among them, else ``fallback`` or the
        first is.
        """
        offers = [
            (r.identifier, run_text(self._session, r), r.colour)
            for r in own_first(self._session, records)
        ]
        if offers == self._offered:
            return
        before = self.currentData()
        self.blockSignals(True)
        self._offered = offers
        self.clear()
        for identifier, name, colour in offers:
            self.addItem(dot_icon(self._theme.run_colour(colour)), name, identifier)
        at = self.findData(before)
        if at < 0 and fallback is not None:
            at = self.findData(fallback.identifier)
        self.setCurrentIndex(max(at, 0) if offers else -1)
        self.blockSignals(False)
        if self.currentData() != before:
            self.chosen.emit()

    def choose(self, record: RunRecord) -> None:
        """Choose a run that is offered."""
        at = self.findData(record.identifier)
        if at >= 0:
            self.setCurrentIndex(at)

    def _recolour(self) -> None:
        for at, (_, _, colour) in enumerate(self._offered):
            self.setItemIcon(at, dot_icon(self._theme.run_colour(colour)))


class StayingMenu(QMenu):
    """Stays open while its boxes are ticked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_action_key(self, "view.choice")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in keys and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)


class ManyChoice(QPushButton):
    """A button with a menu of boxes to tick. ``changed`` tells that the ticks did."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._boxes = StayingMenu(self)
        self._boxes.aboutToShow.connect(self.fill)
        self.setMenu(self._boxes)

    def fill(self) -> None:
        """Make the boxes anew; subclasses add them by ``box``."""
        self._boxes.clear()

    def box(self, text: str, ticked: bool, toggled: Callable[[bool], None]) -> QAction:
        action = QAction(menu_text(text), self._boxes)
        action.setCheckable(True)
        action.setChecked(ticked)
        action.toggled.connect(toggled)
        self._boxes.addAction(action)
        return action

    def separate(self) -> None:
        self._boxes.addSeparator()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Down
        ):
            self.showMenu()
            return True
        return super().event(event)


class RunsChoice(ManyChoice):
    """Several runs: at first the one that is looked at or, ``every``, all; then those that were
    ticked.
    """

    def __init__(self, session: Session, *, every: bool = False) -> None:
        super().__init__()
        self._session = session
        self._every = every
        self._picked: set[str] | None = None
        self._last: list[tuple[str, str]] = []
        self._first = QAction(self)
        self._ticks: list[tuple[QAction, RunRecord]] = []
        set_scaled_size(self, most_width=220)
        self.refresh()

    @property
    def records(self) -> list[RunRecord]:
        """The chosen runs, in the order of the list."""
        runs = usable(self._session)
        if self._picked is not None:
            return [record for record in runs if record.identifier in self._picked]
        if self._every:
            return runs
        return [record for record in runs if record is self._session.active.run]

    @property
    def picked_runs(self) -> list[str] | None:
        """Identifiers of those that were ticked, None where none were."""
        if self._picked is None:
            return None
        return sorted(self._picked)

    def put_picked_runs(self, kept: object) -> None:
        """Tick them again; those that are gone are left out."""
        if isinstance(kept, list):
            self._picked = {str(one) for one in kept}
        else:
            self._picked = None
        self.refresh()

    @property
    def is_custom(self) -> bool:
        """Whether somebody ticked the runs, rather than that they follow what is looked at."""
        return self._picked is not None

    def choose(self, records: Iterable[RunRecord] | None) -> None:
        """Choose these; None goes back to what is chosen at first."""
        if records is None:
            self._picked = None
        else:
            self._picked = {record.identifier for record in records}
        self.refresh()

    def choose_named(self, names: Iterable[str]) -> None:
        """Choose runs by their names. Raises UserError for one that is not there."""
        known = {record.name: record for record in reversed(usable(self._session))}
        names = list(names)
        for name in names:
            if name not in known:
                raise UserError(
                    tr("There is no run “{name}”.", name=name),
                    tr("Choose one of the list of runs."),
                )
        self.choose([known[name] for name in names])

    def refresh(self) -> None:
        """Runs came, went or were renamed, or another is looked at."""
        chosen = [(record.identifier, record.name) for record in self.records]
        if len(chosen) == 1:
            text = chosen[0][1]
        elif chosen:
            text = tr("{count} runs", count=count(len(chosen)))
        else:
            text = tr("Choose runs")
        text = menu_text(
            self.fontMetrics().elidedText(visible_text(text), Qt.TextElideMode.ElideRight, 170)
        )
        if text != self.text():
            self.setText(text)
        if chosen != self._last:
            others = [identifier for identifier, _ in chosen] != [
                identifier for identifier, _ in self._last
            ]
            self._last = chosen
            if others:
                self.changed.emit()

    def fill(self) -> None:
        super().fill()
        title = tr("The run that is looked at")
        if self._every:
            title = tr("All runs")
        self._first = self.box(title, False, self._follow)
        self.separate()
        self._ticks = []
        last: str | None = None
        for record in own_first(self._session, usable(self._session)):
            if last is not None and record.corpus_digest != last:
                self.separate()
            last = record.corpus_digest
            self._ticks.append(
                (self.box(run_text(self._session, record), False, self._toggle), record)
            )
        self._tick_boxes()

    def _tick_boxes(self) -> None:
        """Show in the open menu what is chosen."""
        chosen = {record.identifier for record in self.records}
        states = [(self._first, self._picked is None)]
        for action, on in states + [
            (action, record.identifier in chosen) for action, record in self._ticks
        ]:
            action.blockSignals(True)
            action.setChecked(on)
            action.blockSignals(False)

    def _follow(self, on: bool) -> None:
        self.choose(None if on else self.records)
        self._tick_boxes()

    def _toggle(self, _: bool) -> None:
        self._picked = {record.identifier for action, record in self._ticks if action.isChecked()}
        self._tick_boxes()
        self.refresh()
