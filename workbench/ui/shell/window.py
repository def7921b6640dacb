"""The window: docks for the registered panels, the bars above and below them, start and end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QDialog,
    QMenuBar,
    QStatusBar,
    QTabWidget,
)

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.ingest.text_sample import Columns
from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import AREAS, PANELS
from workbench.ui.base.plain_text import title_text
from workbench.ui.base.session_timer import Bridge
from workbench.ui.commands.menus import fill_bar
from workbench.ui.commands.palette import CommandPalette
from workbench.ui.commands.window_actions import Commands
from workbench.ui.dialogs.name import ask_name
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.shell.activity import Activity
from workbench.ui.shell.dock import PanelDock
from workbench.ui.shell.drag_and_drop import DropHint
from workbench.ui.shell.header.top_bar import TopBar
from workbench.ui.shell.help.help_features import Guide, guide_of
from workbench.ui.shell.layouts import FRAME, SMALLEST, Layouts, first_size, fit_to_screen
from workbench.ui.shell.panel_window import PanelWindow
from workbench.ui.shell.picture_offer import PictureOffer
from workbench.ui.shell.workspaces import FIRST

TITLE = "Embedding Workbench"
_PREFERRED = QSize(1440, 900)
# Offset of a new window from the one it was opened in.
_OFFSET = QPoint(32, 32)


class Window(PanelWindow):
    """The contents come from the registries of panels and actions; closing the last window closes
    the session.

    ``remembering``: the layout is restored now and saved at the end. ``place``: position on the
    screen, None for the one that is restored.
    """

    def __init__(
        self, context: PanelContext, *, remembering: bool = True, place: QPoint | None = None
    ) -> None:
        super().__init__(context)
        self._place = place
        self._fitted = False
        self._asked: Columns | None = None
        self._remembering = remembering
        self._laid_out = False
        self._preferences: PreferencesDialog | None = None
        self._blank: Notice | None = None
        self.layouts = Layouts(self)
        self.setObjectName("window")
        self.setMinimumSize(SMALLEST)
        self.resize(first_size(self, _PREFERRED))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        kinds = sorted(PANELS, key=lambda kind: (AREAS.index(kind.area), kind.order, kind.key))
        self.add_docks(kinds)
        context.bridge.wanted.connect(self.raise_panel)
        # Panels that are in front at first, whose sizes the layout needs, and the form that the
        # header's training button uses; the others are created later.
        in_front: dict[str, PanelDock] = {}
        for dock in self.docks.values():
            if dock.kind.area != "centre" and FIRST in dock.kind.workspaces:
                in_front.setdefault(dock.kind.area, dock)
        for dock in (*in_front.values(), *filter(None, [self.docks.get("train")])):
            _ = dock.panel
        self.commands = Commands(self)
        context.bridge.action_requested.connect(self.commands.run)
        self._make_bars()
        self._pictures = PictureOffer(self)
        self.palette_box = CommandPalette(self, self.commands, self.top)
        self._drop_hint = DropHint(self, context.theme)
        self._titles.timeout.connect(self._show_blank)
        self.session.files.restored.connect(self._session_restored)
        self.session.corpora.changed.connect(self._corpus_changed)
        context.desk.changed.connect(self._retitle)
        context.theme.dress(self)
        self.layouts.reset()
        context.desk.window_opened(self)

    def _make_bars(self) -> None:
        menus = QMenuBar()
        self.top = TopBar(self.session, self.context.bridge, self.context.theme, menus)
        fill_bar(menus, self.commands)
        self.top.fill_corpus_menu(self.commands)
        self.top.workspaces.chosen.connect(self.layouts.show_workspace)
        self.layouts.workspace_changed.connect(self._workspace_changed)
        self._workspace_changed()
        self.top.training.action_requested.connect(self.commands.run)
        if "train" in self.docks:
            self.docks["train"].visibilityChanged.connect(self.top.training.set_beside_form)
        self.top.search.left.connect(self._leave_search)
        self.top.search.actions_asked.connect(self.open_palette)
        self.setMenuWidget(self.top)
        self.activity = Activity(self.session, self.context.bridge, self.context.theme)
        self.toasts.pin(self.activity.message)
        status = QStatusBar()
        status.setSizeGripEnabled(False)
        status.addWidget(self.activity, 1)
        status.setContentsMargins(0, 0, 0, 0)
        frame = status.layout()
        if frame is not None:
            frame.setContentsMargins(0, 0, 0, 0)
        self.setStatusBar(status)
        self.context.bridge.tick.connect(self._show_activity)

    def _show_blank(self) -> None:
        """Say how to open panels while none is open, between the bars."""
        if not self.layouts.is_blank or self.layouts.held:
            if self._blank is not None:
                self._blank.hide()
            return
        if self._blank is None:
            self._blank = notice = Notice("window")
            again = QAction(tr("Open the panels"), notice)
            again.triggered.connect(lambda: self.layouts.show_workspace(self.layouts.workspace))
            notice.setParent(self)
            hint = tr("Open the panels of this workspace again, or one of them in the View menu.")
            notice.put(NoticeText(tr("No panel is open"), hint, again))
        top, bottom = self.top.geometry().bottom() + 1, self.height()
        if not self.statusBar().isHidden():
            bottom = self.statusBar().geometry().top()
        self._blank.setGeometry(0, top, self.width(), bottom - top)
        self._blank.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._blank is not None:
            self._show_blank()

    def _show_activity(self) -> None:
        """Give the line at the bottom to the panels while it has nothing to say."""
        bar = self.statusBar()
        if not self.layouts.held and bar.isHidden() == self.activity.needed:
            bar.setVisible(self.activity.needed)

    # -- layout

    @property
    def front(self) -> str:
        """The key of the panel that has the focus, or else of the one in front in the centre, or
        "".
        """
        focused = self.panel_of(self.focusWidget())
        centre = (
            dock for dock in self.layouts.area("centre") if not dock.visibleRegion().isEmpty()
        )
        return focused or next((dock.kind.key for dock in centre), "")

    def show_panel(self, key: str) -> None:
        if not self.layouts.held:
            self.layouts.reveal(key)
        super().show_panel(key)

    def _workspace_changed(self) -> None:
        self.top.workspaces.set_current(self.layouts.workspace)
        self.commands.retract_refusal()

    def reset_layout(self) -> None:
        self.layouts.reset()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._laid_out:
            self._laid_out = True
            if not (self._remembering and self.layouts.restore_last()):
                # Sizes are meaningful only now that the window has its own.
                if not self.layouts.fits:
                    self.layouts.reset()
                self.layouts.size_docks()
                QTimer.singleShot(0, self, self.layouts.size_docks)
            if self._place is not None:
                # A window of the size of the screen would cover the one that opened it.
                if self.isMaximized():
                    self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMaximized)
                    self.resize(first_size(self, _PREFERRED))
                room = self.screen().availableSize() - QSize(_OFFSET.x(), _OFFSET.y())
                self.resize(self.size().boundedTo(room - FRAME))
                self.move(self._place)
                fit_to_screen(self)
            self.titles_later()
            self._leave_search()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.context.desk.window_used(self)
            if not self._fitted:
                # Only now its frame is known, and panels can be above it.
                self._fitted = True
                fit_to_screen(self)
                self.layouts.raise_floating()

    def ask_layout_name(self) -> None:
        ask_name(self, tr("Save layout as"), "", self.layouts.save)

    # -- session files

    def save_session(self, path: Path) -> None:
        """Save the session with the layout of this window and the states of its panels."""
        self.layouts.save_last()
        kept = {panel.key: panel.session_state() for panel in self.panels}
        self.session.files.save(path, kept)

    def _session_restored(self, panels: Mapping[str, Any]) -> None:
        """Restore the layout and the panels from a session file that was opened."""
        if self._remembering and self._is_first:
            self.layouts.restore_last()
        for panel in self.panels:
            kept = panels.get(panel.key)
            panel.restore_session_state(kept if isinstance(kept, dict) else {})

    # -- for actions of the window

    def search_words(self) -> None:
        self.top.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _leave_search(self) -> None:
        self.top.search.clearFocus()
        self.layouts.focus_front()

    def open_palette(self, text: str = "") -> None:
        self.palette_box.open(text)

    def open_preferences(self, page: str = "") -> PreferencesDialog:
        """Show the preferences, or bring them to the front, with one of their pages."""
        if self._preferences is None:
            self._preferences = PreferencesDialog(self)
            self._preferences.destroyed.connect(self._forget_preferences)
        self._preferences.show_page(page)
        self._preferences.show()
        self._preferences.raise_()
        self._preferences.activateWindow()
        return self._preferences

    def _forget_preferences(self) -> None:
        self._preferences = None

    @property
    def guide(self) -> Guide:
        """The welcome, the tour, the presentation and the dialogs of Help."""
        return guide_of(self, self.context)

    # -- several windows

    @property
    def _is_first(self) -> bool:
        return self.context.desk.windows[:1] == [self]

    def open_another(self) -> None:
        """Open a window with a session of its own: another text, other runs in view."""
        if self._remembering:
            self.layouts.save_last()
        place = self.pos() + _OFFSET
        try:
            desk = self.context.desk
            desk.start_program(f"--place={place.x()},{place.y()},{desk.next_number}")
        except UserError as error:
            self.session.message.report(error)
        else:
            self.session.message.emit(tr("Opening a new window…"), "", False)

    def open_view(self) -> Window:
        """Open another window on the same session."""
        context = PanelContext(
            self.session, Bridge(self.session), self.context.theme, self.context.desk
        )
        other = Window(context, remembering=False, place=self.pos() + _OFFSET)
        other.resize(self.size())
        other.show()
        return other

    def _corpus_changed(self) -> None:
        self._retitle()
        asked, self._asked = self._asked, self.session.corpora.pending_table
        if self._asked not in (None, asked) and self.context.desk.is_front(self.context):
            # The panel that asks for the column of a table may not exist yet.
            self.raise_panel("corpus")

    def _retitle(self) -> None:
        corpus, windows = self.session.corpora.current, self.context.desk.windows
        named = [] if corpus is None else [corpus.name]
        number = self.context.desk.number
        if self in windows:
            number += windows.index(self)
        if len(windows) > 1 or number > 1:
            named = [f"{named[0]} ({number})" if named else tr("View {number}", number=number)]
        # The name of the program is last: Qt adds it to other titles.
        title = " — ".join([*named, TITLE])
        if title != self.windowTitle():
            self.setWindowTitle(title_text(title))

    # -- dropped files, and closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drop_hint.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drop_hint.move_over(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_hint.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_hint.drop(event, self.session)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.closed:
            return
        if self._remembering:
            self.layouts.save_last()
        self.closed = True
        # Hide the window at once; a training ends within its next chunk.
        self.hide()
        if self._preferences is not None:
            self._preferences.close()
        # By its name: the module is imported when first needed.
        for dialog in self.findChildren(QDialog, "cluster.dialog"):
            dialog.close()
        self.context.bridge.stop()
        self.layouts.workspace_changed.disconnect(self._workspace_changed)
        self.layouts.release()
        for dock in self.docks.values():
            dock.hide()
            dock.release()
        self.top.release()
        self.activity.release()
        self.commands.release()
        self._pictures.release()
        self.session.files.restored.disconnect(self._session_restored)
        self.session.corpora.changed.disconnect(self._corpus_changed)
        self.context.desk.changed.disconnect(self._retitle)
        self.context.desk.window_closed(self)
        super().closeEvent(event)
        if self.context.desk.windows:
            # Python objects that Qt references can't be collected; with the last window the process
            # ends.
            self.deleteLater()
