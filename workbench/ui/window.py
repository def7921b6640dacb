"""The window: docks for the registered panels, menus, shortcuts, the layout that is remembered."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QMessageBox, QStatusBar, QTabBar, QTabWidget

from workbench import __version__
from workbench.session.records import State
from workbench.ui.activity import Activity
from workbench.ui.panel import PANELS, Context, Panel
from workbench.ui.top_bar import TopBar
from workbench.ui.widgets.dock import PanelDock
from workbench.ui.widgets.open_actions import ask_files, ask_folder, fill_recent, fill_samples, open_paths
from workbench.ui.widgets.session_actions import ask_save_session, ask_session

TITLE = "Embedding Workbench"
_LAYOUT = "window.layout"
_AREAS = ("left", "centre", "right", "below", "bottom")
# What the window manager adds is not known before the window is on the screen.
_PREFERRED, _FRAME = QSize(1440, 900), QSize(16, 48)
_SMALLEST = QSize(900, 600)
# Of the columns at the sides, in a wide window and in a narrow one.
_SIDES_WIDE, _SIDES_NARROW, _WIDE = (324, 290), (318, 252), 1400
_HEIGHT_BELOW = 190
# Below this height of the window the strip under the centre and the bar below it are tabs of one.
_LOW, _HEIGHT_LOW = 780, 146
# Milliseconds after the window is shown until panels are made that are behind others.
_AFTER_FIRST = 200


class Window(QMainWindow):
    """Everything in it comes from the registry of panels; closing it closes the session.

    ``remembering`` says whether the layout is restored now and saved at the end.
    """

    def __init__(self, context: Context, *, remembering: bool = True) -> None:
        super().__init__()
        self.session = context.session
        self._context = context
        self._remembering = remembering
        self._laid_out = False
        self._closed = False
        self._is_low = False
        self.setObjectName("window")
        self.setMinimumSize(_SMALLEST)
        room = self.screen().availableSize() - _FRAME
        fits = room.boundedTo(_SMALLEST) == _SMALLEST
        self.resize(_PREFERRED.boundedTo(room) if fits else _PREFERRED)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        self.docks = {
            kind.key: PanelDock(kind, context, self)
            for kind in sorted(PANELS, key=lambda kind: (_AREAS.index(kind.area), kind.order, kind.key))
        }
        for dock in self.docks.values():
            dock.made.connect(self._take_panel)
            for changed in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                changed.connect(self._titles_later)
        context.bridge.wanted.connect(self.raise_panel)
        # What is in sight at first, and whose sizes the layout asks for; the tabs of the centre follow.
        for dock in self.docks.values():
            if dock.kind.area != "centre":
                _ = dock.panel
        self._titles = QTimer(self)
        self._titles.setSingleShot(True)
        self._titles.setInterval(0)
        self._titles.timeout.connect(self._refresh_titles)
        menus = QMenuBar()
        self.top = TopBar(self.session, context.theme, menus)
        self._make_menus(menus)
        self.setMenuWidget(self.top)
        self.activity = Activity(self.session, context.bridge, context.theme)
        status = QStatusBar()
        status.setSizeGripEnabled(False)
        status.addWidget(self.activity, 1)
        status.setContentsMargins(0, 0, 0, 0)
        frame = status.layout()
        if frame is not None:
            frame.setContentsMargins(0, 0, 0, 0)
        self.setStatusBar(status)
        self._make_shortcuts()
        self.session.restored.connect(self._restored)
        self.session.corpus_changed.connect(self._retitle)
        self.session.runs_changed.connect(self._refresh_actions)
        self.reset_layout()
        self._retitle()
        self._refresh_actions()

    # -- panels

    @property
    def panels(self) -> list[Panel]:
        """All of them, made now if they were not."""
        return [dock.panel for dock in self.docks.values()]

    @property
    def idle(self) -> bool:
        """Whether no panel has anything left to compute."""
        return all(panel.idle for panel in self.panels)

    def _take_panel(self, panel: Panel) -> None:
        panel.raise_requested.connect(partial(self.raise_panel, panel.key))

    def _make_next(self) -> None:
        """Make one of the panels that nobody has seen yet: all at once would keep the window waiting."""
        waiting = next((dock for dock in self.docks.values() if not dock.is_made), None)
        if waiting is not None and not self._closed:
            _ = waiting.panel
            QTimer.singleShot(0, self, self._make_next)

    def raise_panel(self, key: str) -> None:
        """Open a panel's dock and bring it to the front. Raises UserError naming the known panels."""
        dock = self.docks.get(key)
        if dock is None:
            PANELS[key]
            return
        dock.show()
        dock.raise_()
        dock.refresh_panel()
        dock.panel.setFocus()

    def _area(self, area: str) -> list[PanelDock]:
        return [dock for dock in self.docks.values() if dock.kind.area == area]

    # -- layout

    def reset_layout(self) -> None:
        """Put every panel back to where it is at first, as fits the height of the window."""
        self._is_low = self.height() < _LOW
        for dock in self.docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        left, centre, right = self._area("left"), self._area("centre"), self._area("right")
        below, bottom = self._strips()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        groups = [group for group in (left, centre or right or below) if group]
        if not groups:
            return
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, groups[0][0])
        middle = groups[-1]
        if left and middle is not left:
            self.splitDockWidget(left[0], middle[0], across)
        for group, way in ((bottom, down), (right, across), (below, down)):
            if group and group is not middle:
                self.splitDockWidget(middle[0], group[0], way)
        for group in (left, centre, right, below, bottom):
            for dock in group[1:]:
                self.tabifyDockWidget(group[0], dock)
        for dock in self.docks.values():
            dock.show()
        for group in (left, centre, right, below, bottom):
            if group:
                group[0].raise_()
        self._size_docks()
        self._titles_later()

    def _strips(self) -> tuple[list[PanelDock], list[PanelDock]]:
        """The docks below the centre and those at the bottom; in a low window all are at the bottom."""
        below, bottom = self._area("below"), self._area("bottom")
        return ([], below + bottom) if self._is_low else (below, bottom)

    def _size_docks(self) -> None:
        left, right = self._area("left"), self._area("right")
        below, bottom = self._strips()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        centre = self._area("centre")
        west, east = _SIDES_WIDE if self.width() >= _WIDE else _SIDES_NARROW
        width = self.width() - (west if left else 0) - (east if right else 0)
        row = [(left, west), (centre, width), (right, east)]
        picked = [(group[0], size) for group, size in row if group]
        self.resizeDocks([dock for dock, _ in picked], [size for _, size in picked], across)
        low = _HEIGHT_LOW if self._is_low else bottom[0].sizeHint().height() if bottom else 0
        strip = _HEIGHT_BELOW if self.height() >= 820 else _HEIGHT_BELOW - 30
        rest = self.height() - 90 - low - (strip if below else 0)
        column = [(centre, rest), (below, strip), (bottom, low)]
        picked = [(group[0], size) for group, size in column if group]
        self.resizeDocks([dock for dock, _ in picked], [size for _, size in picked], down)

    def _titles_later(self) -> None:
        self._titles.start()

    def _refresh_titles(self) -> None:
        for dock in self.docks.values():
            dock.refresh_title()
            dock.refresh_panel()
        # Qt makes these bars itself, and squeezes names to a letter where there are many.
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._laid_out:
            self._laid_out = True
            if not (self._remembering and self._restore_layout()):
                # Sizes mean something only now that the window has its own.
                if self._is_low != (self.height() < _LOW):
                    self.reset_layout()
                self._size_docks()
                QTimer.singleShot(0, self, self._size_docks)
            self._titles_later()
            self._leave_search()
            QTimer.singleShot(_AFTER_FIRST, self, self._make_next)

    def _restore_layout(self) -> bool:
        kept = self.session.settings.get(_LAYOUT)
        # A layout kept by a version with other panels would hide the new ones.
        if not isinstance(kept, dict) or kept.get("docks") != sorted(self.docks):
            return False
        try:
            geometry, state = (QByteArray.fromBase64(str(kept[name]).encode()) for name in ("geometry", "state"))
        except KeyError:
            return False
        self.restoreGeometry(geometry)
        return self.restoreState(state)

    def _save_layout(self) -> None:
        self.session.settings.set(
            _LAYOUT,
            {
                "docks": sorted(self.docks),
                "geometry": self.saveGeometry().toBase64().toStdString(),
                "state": self.saveState().toBase64().toStdString(),
            },
        )

    # -- session files

    def _ask_save(self) -> None:
        ask_save_session(self, self.session, self._save)

    def _save(self, path: Path) -> None:
        self._save_layout()
        kept = {panel.key: state for panel in self.panels if (state := panel.kept_state())}
        self.session.files.save(path, kept)

    def _restored(self, panels: Mapping[str, Any]) -> None:
        """A session file was opened."""
        if self._remembering:
            self._restore_layout()
        for panel in self.panels:
            kept = panels.get(panel.key)
            panel.restore_state(kept if isinstance(kept, dict) else {})

    # -- menus and shortcuts

    def _make_menus(self, bar: QMenuBar) -> None:
        files = bar.addMenu("&File")
        self._action(files, "Open files…", lambda: ask_files(self, self.session), QKeySequence.StandardKey.Open)
        self._action(files, "Open a folder…", lambda: ask_folder(self, self.session), "Ctrl+Shift+O")
        for menu in (files, self.top.corpus_menu):
            if menu is not files:
                self._action(menu, "Open files…", lambda: ask_files(self, self.session))
                self._action(menu, "Open a folder…", lambda: ask_folder(self, self.session))
            for title, fill in (("Open recent", fill_recent), ("Samples", fill_samples)):
                sub = menu.addMenu(title)
                sub.setToolTipsVisible(True)
                sub.aboutToShow.connect(partial(fill, sub, self.session))
        files.addSeparator()
        self._action(files, "Open session…", lambda: ask_session(self, self.session))
        self._action(
            files, "Save session as…", lambda: ask_save_session(self, self.session, self._save), "Ctrl+Shift+S"
        )
        files.addSeparator()
        self._action(files, "Quit", self.close, QKeySequence.StandardKey.Quit)
        self._undo = self._action(
            bar.addMenu("&Edit"), "Bring back the run deleted last", self.session.undelete, "Ctrl+Z"
        )
        self._make_view_menu(bar.addMenu("&View"))
        run = bar.addMenu("&Run")
        for dock in self._area("left"):
            for action in dock.panel.panel_actions():
                run.addAction(action)
        self._pause = self._action(run, "Pause", self._toggle_pause, "Ctrl+P")
        self._stop = self._action(run, "Stop and keep", self._stop_training, "Ctrl+.")
        about = bar.addMenu("&Help")
        self._action(about, "Keyboard shortcuts", self._tell_shortcuts, QKeySequence.StandardKey.HelpContents)
        self._action(about, f"About {TITLE}", self._tell_about)

    def _make_view_menu(self, view: QMenu) -> None:
        for dock in self.docks.values():
            view.addAction(dock.toggleViewAction())
        view.addSeparator()
        for dock in self.docks.values():
            if dock.kind.area != "left" and dock.kind.panel_actions is not Panel.panel_actions:
                actions = view.addMenu(f"{dock.kind.title} actions")
                actions.aboutToShow.connect(partial(self._fill_actions, actions, dock))
                if dock.is_made:
                    self._fill_actions(actions, dock)
        view.addSeparator()
        self._action(view, "Reset layout", self.reset_layout)
        theme = view.addMenu("Theme")
        group = QActionGroup(self)
        for choice in ("system", "light", "dark"):
            action = self._action(theme, choice.capitalize(), partial(self._choose_theme, choice))
            action.setObjectName(f"window.theme.{choice}")
            action.setCheckable(True)
            action.setChecked(self._context.theme.choice == choice)
            group.addAction(action)

    def _fill_actions(self, menu: QMenu, dock: PanelDock) -> None:
        if menu.isEmpty():
            menu.addActions(dock.panel.panel_actions())

    def _action(self, menu: QMenu, text: str, slot: object, keys: object = None) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _=False: slot())  # type: ignore[operator]
        if keys is not None:
            action.setShortcut(QKeySequence(keys))  # type: ignore[call-overload]
        menu.addAction(action)
        return action

    def _make_shortcuts(self) -> None:
        QShortcut(QKeySequence("/"), self, self._search)
        QShortcut(QKeySequence("Ctrl+F"), self, self._search)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, lambda: self.session.select(()))
        for number, dock in enumerate(self._area("centre")[:9], start=1):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, partial(self.raise_panel, dock.kind.key))
        self.top.search.left.connect(self._leave_search)

    def _search(self) -> None:
        self.top.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _leave_search(self) -> None:
        visible = next((d for d in self._area("centre") if not d.visibleRegion().isEmpty()), None)
        if visible is not None:
            visible.panel.setFocus()
        else:
            self.top.search.clearFocus()

    def _refresh_actions(self) -> None:
        training = self.session.training
        for action in (self._pause, self._stop):
            action.setEnabled(training is not None)
        paused = training is not None and training.state is State.PAUSED
        self._pause.setText("Resume" if paused else "Pause")
        self._undo.setEnabled(self.session.can_undelete)

    def _toggle_pause(self) -> None:
        training = self.session.training
        if training is not None:
            (self.session.resume if training.state is State.PAUSED else self.session.pause)(training)

    def _stop_training(self) -> None:
        if self.session.training is not None:
            self.session.stop(self.session.training)

    def _choose_theme(self, choice: str) -> None:
        self._context.theme.choose(choice)
        self.session.settings.set("theme", choice)

    def _retitle(self) -> None:
        corpus = self.session.corpus
        self.setWindowTitle(TITLE if corpus is None else f"{corpus.name} — {TITLE}")

    def _tell_shortcuts(self) -> None:
        lines = (
            ("/", "search words"),
            ("Esc", "clear the selection"),
            ("Ctrl+Return", "train"),
            ("Ctrl+P, Ctrl+.", "pause or resume, stop"),
            ("Ctrl+1 … Ctrl+9", "switch tabs"),
            ("Alt+Left, Alt+Right", "back and forward through the words looked at"),
            ("Ctrl+O, Ctrl+Shift+O", "open files, a folder"),
            ("Ctrl+Shift+S", "save the session to a file"),
            ("Arrows, + and −, 0", "on the map: pan or turn, zoom, show all"),
            ("L, Shift+arrows", "on the map: lasso, walk from word to word"),
            ("F2, Delete", "rename, delete the run in the list"),
        )
        rows = "".join(f"<tr><td><b>{k}</b>&nbsp;&nbsp;</td><td>{v}</td></tr>" for k, v in lines)
        self._tell("Keyboard shortcuts", f"<table cellpadding='3'>{rows}</table>")

    def _tell_about(self) -> None:
        import PySide6

        text = (
            f"<b>{TITLE} {__version__}</b><br>Train word embeddings, see what they factorise, walk through the space."
            f"<br><br>Python {platform.python_version()} · PySide {PySide6.__version__} · {platform.platform()}"
            "<br>BSD-3-Clause licence; Qt is used under the LGPL."
        )
        self._tell(f"About {TITLE}", text)

    def _tell(self, title: str, text: str) -> None:
        box = QMessageBox(self)
        box.setWindowTitle(title)
        box.setTextFormat(Qt.TextFormat.RichText)
        box.setText(text)
        box.setWindowModality(Qt.WindowModality.NonModal)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.show()

    # -- files dropped, and the end

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            open_paths(self.session, paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._remembering:
            self._save_layout()
        self._closed = True
        # Gone from the screen at once; a training ends within its next chunk.
        self.hide()
        self._context.bridge.stop()
        for dock in self.docks.values():
            dock.hide()
            if dock.is_made:
                dock.panel.release()
        self.top.release()
        self.activity.release()
        self.session.restored.disconnect(self._restored)
        self.session.corpus_changed.disconnect(self._retitle)
        self.session.runs_changed.disconnect(self._refresh_actions)
        self.session.close()
        super().closeEvent(event)
