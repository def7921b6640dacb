"""The run that all panels show, in the header of the window, with a menu of all runs by corpus."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QPushButton

from workbench.core.language import tr
from workbench.session.runs.groups import grouped_by_corpus
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.action import set_action_key
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.run_marks import run_icon
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import Theme
from workbench.ui.shell.header.chip_text import chip_name_width, put_chip_name
from workbench.ui.widgets.layout.transient_menu import (
    add_menu_heading,
    clear_menu,
    follow_menu_closing,
)

_WIDEST = 190
_MARK, _GAP = 12, 2


class RunChip(QPushButton):
    """Follows the session until ``release``. ``changed`` is emitted when the name changes or the
    chip is hidden.
    """

    changed = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._room = scaled_length(_WIDEST)
        self._name = ""
        self.setObjectName("window.run")
        self.setProperty("role", "quiet")
        self.setIconSize(QSize(_MARK + _GAP, _MARK))
        self.run_menu = QMenu(self)
        self.run_menu.setObjectName("window.run.menu")
        set_action_key(self.run_menu, "view.run")
        self.run_menu.setToolTipsVisible(True)
        self.run_menu.aboutToShow.connect(self._fill_menu)
        self.setMenu(self.run_menu)
        follow_menu_closing(self, self.run_menu)
        session.active.changed.connect(self.refresh)
        session.runs.changed.connect(self.refresh)
        session.corpora.changed.connect(self.refresh)
        theme.changed.connect(self._show_run)
        self.refresh()

    def release(self) -> None:
        """Disconnect from the session."""
        self._session.active.changed.disconnect(self.refresh)
        self._session.runs.changed.disconnect(self.refresh)
        self._session.corpora.changed.disconnect(self.refresh)

    def set_room(self, room: int) -> None:
        """Set the maximum width of the name in pixels."""
        if room != self._room:
            self._room = room
            self._show_run()

    @property
    def name_width(self) -> int:
        """Width of the complete name."""
        if self.isHidden():
            return 0
        return chip_name_width(self, self._name)

    def refresh(self) -> None:
        # The list of runs changes often during a training: the header is arranged again only for
        # another name.
        before = (self._name, self.isHidden())
        self._show_run()
        if (self._name, self.isHidden()) != before:
            self.changed.emit()

    def _show_run(self) -> None:
        run, short = self._session.active.run, ""
        self.setVisible(any(one.has_vectors for one in self._session.runs))
        if run is None:
            name, tip = tr("No run"), tr("Choose the active run")
            self.setIcon(QIcon())
        else:
            name, tip = run.name, tr("All panels show {name}.", name=run.name)
            modes, trained = self._session.active.modes, self._session.active.trained
            if modes and trained is not None:
                of = trained.inputs.shape[1]
                name = tr("{name} · {modes} of {of} modes", name=run.name, modes=modes, of=of)
                short = f"{run.name} · {modes}/{of}"
                tip = tr(
                    "Panels show {name} rebuilt from its first {modes} modes (Theory ▸ Modes).",
                    name=run.name,
                    modes=modes,
                )
            elif self._is_foreign(run):
                name = tr("{name} · {corpus}", name=run.name, corpus=run.corpus_name)
                tip = tr(
                    "All panels show {name}, which was trained on {corpus}.",
                    name=run.name,
                    corpus=run.corpus_name,
                )
            self.setIcon(run_icon(run.colour, self._theme.palette, _GAP))
        self._name = name
        put_chip_name(self, name, self._room, short)
        self.setAccessibleName(tr("Run: {name}", name=name))
        self.setToolTip(safe_tip(tip))

    def _is_foreign(self, run: RunRecord) -> bool:
        corpus = self._session.corpora.current
        return bool(run.corpus_name) and (corpus is None or run.corpus_digest != corpus.digest)

    def _fill_menu(self) -> None:
        """Fill the menu with the runs of the open corpus, then those of other corpora by name, then
        those without one; latest first in each group.
        """
        menu = clear_menu(self.run_menu)
        usable = [run for run in self._session.runs if run.has_vectors]
        for group in grouped_by_corpus(usable, self._session.corpora.current):
            add_menu_heading(menu, group.title)
            for run in group.runs:
                action = menu.addAction(menu_text(run.name))
                action.setIcon(run_icon(run.colour, self._theme.palette, _GAP))
                action.setCheckable(True)
                action.setChecked(run is self._session.active.run)
                action.triggered.connect(partial(self._session.active.show, run))
