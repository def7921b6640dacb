"""Choosing one run of the list, or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFont,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr, trc
from workbench.core.setting import Setting, Strings
from workbench.session.runs.groups import RunGroup, Trained, grouped_by_corpus
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.action import set_action_key
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import menu_text, visible_text
from workbench.ui.base.run_marks import run_icon
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import count
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.inputs.editors import ChoiceBox, set_choice_enabled
from workbench.ui.widgets.layout.transient_menu import add_menu_heading

# Groups of runs that can be chosen, by their names in the settings.
CORPUS, GRID, ACTIVE, EVERY, NONE = "corpus", "grid", "active", "every", "none"
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        CORPUS: tr("This corpus"),
        GRID: tr("This grid"),
        ACTIVE: tr("Active run"),
        EVERY: tr("All runs"),
        NONE: trc("runs", "None"),
    }
)
# Prefix of the identifiers of single runs.
TICKED = "runs"


def usable(session: Session) -> list[RunRecord]:
    """The runs whose vectors are available, in memory or in the store."""
    return [
        r
        for r in session.runs
        if r.has_vectors and r.error is None and (r.embeddings is not None or r.stored)
    ]


def chosen_runs(session: Session, choice: Strings) -> list[RunRecord]:
    """The runs of a choice: the name of a group, or TICKED and identifiers.

    The group of a corpus is the runs of the open text or, if there are none, those of the active
    run’s text. The group of a grid is the runs of the active run’s grid or, if it belongs to none,
    those of the latest grid on the same corpus.
    """
    runs, active = usable(session), session.active.run
    group = (choice or (CORPUS,))[0]
    if group == TICKED:
        return [record for record in runs if record.identifier in choice[1:]]
    if group == NONE:
        return []
    if group == EVERY:
        return runs
    if group == ACTIVE:
        return [record for record in runs if record is active]
    if group == GRID and active is not None and active.group:
        return [record for record in runs if record.group == active.group]
    on_corpus = _runs_of_corpus(session, runs)
    if group == CORPUS:
        return on_corpus
    in_grids = [record for record in on_corpus if record.group]
    if not in_grids:
        return []
    latest = max(in_grids, key=lambda record: record.identifier)
    return [record for record in in_grids if record.group == latest.group]


def _runs_of_corpus(session: Session, runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Runs of the open text or, if there are none, of the active run's text."""
    digests = []
    if session.corpora.current is not None:
        digests.append(session.corpora.current.digest)
    if session.active.run is not None:
        digests.append(session.active.run.corpus_digest)
    for digest in digests:
        found = [record for record in runs if record.corpus_digest == digest]
        if found:
            return found
    return []


def grouped_runs(session: Session, records: Iterable[Trained]) -> list[RunGroup[Trained]]:
    """Runs by corpus, as in lists. The title is "" if no heading is needed, because all runs are of
    the open corpus.
    """
    groups = grouped_by_corpus(records, session.corpora.current)
    if len(groups) == 1 and groups[0].is_open:
        return [replace(groups[0], title="")]
    return groups


def add_heading(box: QComboBox, title: str) -> None:
    """Add a heading to the entries of a box, which can't be chosen; "" adds none."""
    if not title:
        return
    box.addItem(title)
    at = box.count() - 1
    font = QFont(box.font())
    font.setBold(True)
    box.setItemData(at, font, Qt.ItemDataRole.FontRole)
    set_choice_enabled(box, at, False)


def row_of_run(box: QComboBox, identifiers: Iterable[object]) -> int:
    """The row of the first of these runs that a box offers, −1 if it offers none."""
    # A heading has no data, so None would find a heading.
    rows = [box.findData(identifier) for identifier in identifiers if identifier]
    return next((row for row in rows if row >= 0), -1)


def run_text(session: Session, record: RunRecord) -> str:
    """Name of a run in a list, with its text if that isn't the open one."""
    corpus = session.corpora.current
    if corpus is None or record.corpus_digest in ("", corpus.digest):
        return record.name
    return tr("{run} · on {text}", run=record.name, text=record.corpus_name or tr("another corpus"))


class RunChoice(ChoiceBox):
    """Choice of one run. ``chosen``: another run was chosen, by the user or the program."""

    chosen = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._offered: list[tuple[str, list[tuple[str, str, int]]]] = []
        self.setMinimumContentsLength(8)
        set_scaled_size(self, most_width=240)
        self.currentIndexChanged.connect(lambda _: self.chosen.emit())
        theme.changed.connect(self._recolour)

    @property
    def record(self) -> RunRecord | None:
        wanted = self.currentData()
        return next((r for r in usable(self._session) if r.identifier == wanted), None)

    def offer(self, records: Iterable[RunRecord], fallback: RunRecord | None = None) -> None:
        """Offer these runs; the chosen one stays if it is among them, otherwise ``fallback`` or the
        first is chosen.
        """
        groups = grouped_runs(self._session, records)
        offers = [(group.title, _entries(self._session, group)) for group in groups]
        if offers == self._offered:
            return
        before = self.currentData()
        self.blockSignals(True)
        self._offered = offers
        self.clear()
        for title, entries in offers:
            add_heading(self, title)
            for identifier, name, colour in entries:
                self.addItem(run_icon(colour, self._theme.palette), name, identifier)
        wanted = [self.wanted, before]
        if fallback is not None:
            wanted.append(fallback.identifier)
        if groups:
            wanted.append(groups[0].runs[0].identifier)
        self.setCurrentIndex(row_of_run(self, wanted))
        self.blockSignals(False)
        if self.currentData() != before:
            self.chosen.emit()

    def choose(self, record: RunRecord) -> None:
        """Choose one of the offered runs."""
        at = self.findData(record.identifier)
        if at >= 0:
            self.setCurrentIndex(at)

    def _recolour(self) -> None:
        for _, entries in self._offered:
            for identifier, _, colour in entries:
                at = self.findData(identifier)
                self.setItemIcon(at, run_icon(colour, self._theme.palette))


def _entries(session: Session, group: RunGroup[RunRecord]) -> list[tuple[str, str, int]]:
    """Identifier, text and colour of each run of a group."""
    return [(run.identifier, run_text(session, run), run.colour) for run in group.runs]


class StayingMenu(QMenu):
    """Menu that stays open while its boxes are ticked."""

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
    """A button with a menu of check boxes. ``changed``: the ticks have changed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._boxes = StayingMenu(self)
        self._boxes.aboutToShow.connect(self.fill)
        self.setMenu(self._boxes)

    def fill(self) -> None:
        """Create the boxes again; subclasses add them with ``box``."""
        self._boxes.clear()

    def box(self, text: str, ticked: bool, toggled: Callable[[bool], None]) -> QAction:
        action = QAction(menu_text(text), self._boxes)
        action.setCheckable(True)
        action.setChecked(ticked)
        action.toggled.connect(toggled)
        self._boxes.addAction(action)
        return action

    def separate(self, title: str = "") -> None:
        """Start a section of the menu under a title."""
        add_menu_heading(self._boxes, title)

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
    """Choice of several runs: a group, or ticked runs. All choices with the same ``setting`` share
    their value.
    """

    def __init__(self, panel: Panel, setting: Setting[Strings]) -> None:
        super().__init__()
        # The setting keeps the choice, also in session files.
        self.setProperty("bound", True)
        self._session = session = panel.session
        self._setting = setting
        self._last: list[tuple[str, str]] = []
        self._groups: list[tuple[QAction, str]] = []
        self._ticks: list[tuple[QAction, RunRecord]] = []
        set_scaled_size(self, most_width=260)
        panel.follow(session.settings.changes(setting), self._setting_changed)
        for signal in (session.runs.changed, session.active.changed, session.corpora.changed):
            panel.follow(signal, self.refresh)
        self.refresh()

    @property
    def records(self) -> list[RunRecord]:
        """The chosen runs, in the order of the list."""
        return chosen_runs(self._session, self._choice)

    @property
    def _choice(self) -> Strings:
        return self._session.settings[self._setting]

    @property
    def is_custom(self) -> bool:
        """Whether single runs were ticked, rather than a group."""
        return self._choice[:1] == (TICKED,)

    def choose(self, records: Iterable[RunRecord]) -> None:
        """Choose these runs."""
        self._put((TICKED, *(record.identifier for record in records)))

    def choose_group(self, group: str) -> None:
        """Choose a group, one of GROUPS."""
        self._put((group,))

    def choose_named(self, names: Iterable[str]) -> None:
        """Choose runs by name. Raises UserError for an unknown name."""
        known = {record.name: record for record in reversed(usable(self._session))}
        names = list(names)
        for name in names:
            if name not in known:
                raise UserError(
                    tr("Unknown run “{name}”.", name=name),
                    tr("Choose a run from the list."),
                )
        self.choose([known[name] for name in names])

    def _put(self, choice: Strings) -> None:
        self._session.settings[self._setting] = choice

    def _setting_changed(self, _: Strings) -> None:
        self._tick_boxes()
        self.refresh()

    def refresh(self) -> None:
        """Update after runs were added, deleted or renamed, or another choice was made."""
        chosen = [(record.identifier, record.name) for record in self.records]
        text = menu_text(
            self.fontMetrics().elidedText(
                visible_text(self._label(chosen)), Qt.TextElideMode.ElideRight, 210
            )
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

    def _label(self, chosen: Sequence[tuple[str, str]]) -> str:
        if len(chosen) == 1:
            return chosen[0][1]
        if not chosen:
            return tr("Choose runs")
        number = tr("{count} runs", count=count(len(chosen)))
        group = (self._choice or ("",))[0]
        if group in (CORPUS, GRID):
            return tr("{group}: {runs}", group=GROUPS[group], runs=number)
        return number

    def fill(self) -> None:
        super().fill()
        self._groups = []
        for group, title in GROUPS.items():
            action = self.box(title, False, partial(self._group_toggled, group))
            action.setEnabled(group == NONE or bool(chosen_runs(self._session, (group,))))
            self._groups.append((action, group))
        self._ticks = []
        for section in grouped_runs(self._session, usable(self._session)):
            self.separate(section.title)
            for record in section.runs:
                self._ticks.append((self.box(record.name, False, self._toggle), record))
        self._tick_boxes()

    def _tick_boxes(self) -> None:
        """Show the choice in the open menu."""
        chosen = {record.identifier for record in self.records}
        states = [(action, self._choice == (group,)) for action, group in self._groups]
        for action, on in states + [
            (action, record.identifier in chosen) for action, record in self._ticks
        ]:
            action.blockSignals(True)
            action.setChecked(on)
            action.blockSignals(False)

    def _group_toggled(self, group: str, _: bool) -> None:
        self.choose_group(group)

    def _toggle(self, _: bool) -> None:
        self.choose([record for action, record in self._ticks if action.isChecked()])
