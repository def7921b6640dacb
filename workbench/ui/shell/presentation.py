"""Presenting: one panel at a time, large and without controls, for a projector; afterwards the
window is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QCursor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.settings.session_settings import PRESENTED_PANELS
from workbench.ui import kit
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_4, Theme
from workbench.ui.shell.dock import PanelDock
from workbench.ui.shell.hidden_controls import HiddenControls, controls_of
from workbench.ui.shell.messages.message_bar import MessageBar

_HALO = 44
# Whether the pointer is highlighted.
POINTER = Setting("present.pointer", bool, False)
# Panels to present, if available, unless the user has chosen any.
_USUAL = ("map", "analogy", "neighbours", "loss", "matrix", "theory", "relations")
# A lesson stays visible beside the panel: its width in pixels at a text size of 100%, and maximum
# share of the window.
_LESSONS, _LESSON_WIDTH, _LESSON_SHARE = "lessons", 280, 0.26
# Text size in percent, by the minimum height of the screen in pixels.
_TEXT = ((1400, 200), (1000, 175), (800, 150), (0, 125))
# Milliseconds without a mouse movement until the strip and the panel's controls disappear.
_CALM = 2500
# The keys of remote controls for presentations, and the arrow keys.
_ALWAYS = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
_ARROWS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
# Keys for typing into these widgets, or moving in them, are left to them.
_TAKE_ARROWS = (
    QLineEdit,
    QPlainTextEdit,
    QAbstractSpinBox,
    QComboBox,
    QAbstractSlider,
    QAbstractItemView,
    QTabBar,
    QMenu,
)
# Reasons for which the focus was moved by the keyboard.
_BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True)
class _Before:
    """The previous state of the window."""

    state: QByteArray
    window: Qt.WindowState
    place: QRect
    text_size: int
    hidden: tuple[QWidget, ...]
    focus: QWidget | None
    # Sizes of the docks in front.
    sizes: Mapping[PanelDock, QSize]


class Presentation(QObject):
    """``toggle`` starts and ends the presentation; Left, Right, Page up and Page down change the
    panel, Esc ends it, P highlights the pointer. The panel's controls are hidden, and the figure
    has their place, until the pointer is at the title or the keyboard is used.

    ``changed`` is emitted at the start and the end.
    """

    changed = Signal(bool)

    def __init__(
        self, window: QMainWindow, context: PanelContext, docks: Mapping[str, PanelDock]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._settings = context.session.settings
        self._docks = docks
        self._before: _Before | None = None
        self._titles: dict[str, QWidget] = {}
        self._front = ""
        self._pointer_at = QPoint()
        self._focus_by_keys = False
        self._controls = HiddenControls()
        self.strip = PresentationStrip(window, context.theme)
        self.halo = Halo(window, context.theme)
        self.strip.back.clicked.connect(lambda: self.walk(-1))
        self.strip.on.clicked.connect(lambda: self.walk(1))
        self.strip.end.clicked.connect(self.end)
        self.strip.pointer.toggled.connect(self._highlight)
        self.strip.menu.aboutToShow.connect(self._fill)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM)
        self._calm.timeout.connect(self.rest)

    @property
    def running(self) -> bool:
        return self._before is not None

    @property
    def front(self) -> str:
        """The key of the presented panel, "" outside of a presentation."""
        if self.running:
            return self._front
        return ""

    @property
    def panel_keys(self) -> list[str]:
        """The keys of the panels to present, in the order of the window."""
        stored = self._settings[PRESENTED_PANELS]
        if stored is not None:
            return [key for key in self._docks if key in stored]
        return sorted((key for key in self._docks if key in _USUAL), key=_USUAL.index)

    @property
    def slides(self) -> list[str]:
        """The keys of ``panel_keys`` whose panels have content; all of them if none has."""
        keys = self.panel_keys
        return [key for key in keys if not self._docks[key].panel.lack] or keys

    def toggle(self) -> None:
        (self.end if self.running else self.start)()

    def start(self) -> None:
        """Show only the panel in front."""
        if self.running:
            return
        window, theme = self._window, self._context.theme
        first = self._in_front()
        lesson = self._docks.get(_LESSONS)
        with_lesson = (
            lesson is not None and lesson.isVisible() and first != _LESSONS and not _behind(lesson)
        )
        bars = [
            bar
            for bar in (window.menuWidget(), window.statusBar())
            if bar is not None and bar.isVisible()
        ]
        self._before = _Before(
            window.saveState(),
            window.windowState(),
            window.geometry(),
            theme.text_size,
            tuple(bars),
            QApplication.focusWidget(),
            {dock: dock.size() for dock in self._docks.values() if not _behind(dock)},
        )
        self._hold(True)
        # Messages from before aren't for the audience.
        for widget in (*bars, *window.findChildren(MessageBar)):
            widget.hide()
        for key, dock in self._docks.items():
            title = dock.titleBarWidget()
            if title is not None:
                self._titles[key] = title
                slide = QWidget(dock) if key == _LESSONS else SlideTitle(dock, self._context)
                dock.setTitleBarWidget(slide)
            if dock.isFloating():
                dock.setFloating(False)
            dock.hide()
        room = window.screen().size().height()
        large = next(size for least, size in _TEXT if room >= least)
        theme.choose_text_and_contrast(max(theme.text_size, large), True)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self._context.bridge.tick.connect(self._follow)
        self.strip.pointer.setChecked(self._settings[POINTER])
        if with_lesson and lesson is not None:
            window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, lesson)
            lesson.show()
        self._show(first)
        self._wake()
        self.changed.emit(True)

    def end(self) -> None:
        """End the presentation and restore the window."""
        before, self._before = self._before, None
        if before is None:
            return
        window, theme = self._window, self._context.theme
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        self._context.bridge.tick.disconnect(self._follow)
        self._calm.stop()
        self._controls.show()
        self.strip.hide()
        self.halo.hide()
        if self._front:
            self._docks[self._front].panel.set_presented(False)
        for key, title in self._titles.items():
            dock = self._docks[key]
            empty = dock.titleBarWidget()
            dock.setTitleBarWidget(title)
            if empty is not None:
                empty.deleteLater()
        self._titles.clear()
        theme.choose_text_and_contrast(before.text_size, False)
        for bar in before.hidden:
            bar.show()
        window.setWindowState(before.window)
        if before.window == Qt.WindowState.WindowNoState:
            # Not restoreGeometry, which fits windows into what it believes to be the screen.
            window.setGeometry(before.place)
        window.restoreState(before.state)
        self._hold(False)
        # Sizes only take effect once the window manager has restored the window's own size.
        QTimer.singleShot(0, window, partial(self._resize_docks, before.sizes))
        try:
            if before.focus is not None and before.focus.isVisible():
                before.focus.setFocus(Qt.FocusReason.OtherFocusReason)
        except RuntimeError:
            pass
        self.changed.emit(False)

    def _resize_docks(self, sizes: Mapping[PanelDock, QSize]) -> None:
        """Restore the sizes of docks. Restoring the whole state again would double the tabs until
        the next event.
        """
        docks = [dock for dock in sizes if not self.running and not dock.isFloating()]
        widths = [sizes[dock].width() for dock in docks]
        heights = [sizes[dock].height() for dock in docks]
        self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)
        self._window.resizeDocks(docks, heights, Qt.Orientation.Vertical)

    def walk(self, steps: int) -> None:
        """Go forward or back by a number of panels; the first one follows the last."""
        slides = self.slides
        if not slides:
            return
        if self._front in slides:
            self._show(slides[(slides.index(self._front) + steps) % len(slides)])
            return
        # A panel that isn't a slide was shown at the start: go on from its place.
        every = self.panel_keys
        at = every.index(self._front) if self._front in every else -1
        turned = every[at + 1 :] + every[: at + 1] if steps > 0 else every[:at][::-1] + every[::-1]
        self._show(next(key for key in turned if key in slides))

    def _hold(self, held: bool) -> None:
        """Set whether changes of the text size leave the docks as they are."""
        layouts = getattr(self._window, "layouts", None)
        if layouts is not None:
            layouts.held = held

    # -- panels

    def _in_front(self) -> str:
        """The panel that has the focus, if it can be presented; or else the tab in front in the
        centre.
        """
        focused = QApplication.focusWidget()
        centre = [
            key
            for key, dock in self._docks.items()
            if dock.kind.area == "centre" and not _behind(dock)
        ]
        for key, dock in self._docks.items():
            if (
                focused is not None
                and dock.isAncestorOf(focused)
                and dock.kind.area != "left"
                and key != _LESSONS
            ):
                return key
        if centre:
            return centre[0]
        return next(iter(self.panel_keys or self._docks))

    def _show(self, key: str) -> None:
        window = self._window
        before = self._docks.get(self._front)
        dock = self._docks[key]
        self._front = key
        was_calm = self._controls.any
        self._controls.show()
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
        dock.show()
        dock.raise_()
        if before is not None and before is not dock:
            before.hide()
        dock.refresh_panel()
        if before is not None and before is not dock:
            before.panel.set_presented(False)
        dock.panel.set_presented(True)
        title = dock.titleBarWidget()
        if isinstance(title, SlideTitle):
            title.refresh()
        lesson = self._docks.get(_LESSONS)
        if lesson is not None and lesson.isVisible() and lesson is not dock:
            window.splitDockWidget(lesson, dock, Qt.Orientation.Horizontal)
            room = window.width()
            width = min(scaled_length(_LESSON_WIDTH), round(room * _LESSON_SHARE))
            window.resizeDocks([lesson, dock], [width, room - width], Qt.Orientation.Horizontal)
        dock.panel.setFocus()
        self._update_title()
        # With the keyboard, controls stay hidden when the panel changes.
        if was_calm:
            self._hide_controls()

    def _update_title(self) -> None:
        slides = self.slides
        place = ""
        if self._front in slides:
            place = tr(
                "{place} of {number}", place=slides.index(self._front) + 1, number=len(slides)
            )
        self.strip.set_title(self._docks[self._front].kind.title, place)
        self._place()

    def _fill(self) -> None:
        """Fill the menu with the panels that can be presented."""
        menu = self.strip.menu
        menu.clear()
        chosen = self.panel_keys
        for key, dock in self._docks.items():
            action = QAction(menu_text(dock.kind.title), menu)
            action.setCheckable(True)
            action.setChecked(key in chosen)
            action.toggled.connect(lambda wanted, key=key: self._choose(key, wanted))
            menu.addAction(action)

    def _choose(self, key: str, wanted: bool) -> None:
        chosen = set(self.panel_keys)
        (chosen.add if wanted else chosen.discard)(key)
        self._settings[PRESENTED_PANELS] = tuple(known for known in self._docks if known in chosen)
        self._update_title()

    # -- pointer and keys

    def _highlight(self, wanted: bool) -> None:
        self._settings[POINTER] = wanted
        self.halo.setVisible(wanted and self.running)
        if wanted:
            self.halo.raise_()

    def _follow(self) -> None:
        at = QCursor.pos()
        if at == self._pointer_at:
            return
        self._pointer_at = at
        if self.halo.isVisible():
            self.halo.centre(self._window.mapFromGlobal(at))
        # Pointing at the figure must not move it.
        self._wake(self._is_at_title(at))

    def _is_at_title(self, at: QPoint) -> bool:
        dock = self._docks[self._front]
        there = dock.mapFromGlobal(at)
        return 0 <= there.x() < dock.width() and there.y() < dock.panel.y() + SPACE_2

    def _wake(self, controls: bool = True) -> None:
        """Show the strip, and with ``controls`` the panel's controls."""
        if controls:
            self._controls.show()
        if not self.strip.isVisible():
            self._place()
            self.strip.show()
            self.strip.raise_()
        self._calm.start()

    def rest(self) -> None:
        """Hide the strip and the panel's controls unless they are in use."""
        pointed = QApplication.widgetAt(QCursor.pos())
        focused = QApplication.focusWidget()
        in_use = (
            QApplication.activePopupWidget() is not None
            or QApplication.activeModalWidget() is not None
            or self._is_in_strip(pointed)
            or self._is_in_strip(focused)
            or pointed in controls_of(self._docks[self._front].panel)
        )
        if in_use:
            self._calm.start()
        else:
            self.strip.hide()
            self._hide_controls()

    def _is_in_strip(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self.strip or self.strip.isAncestorOf(widget))

    def _hide_controls(self) -> None:
        """Hide the controls of the panel in front, but not a form on the left, which consists of
        controls, nor the only button of an empty panel.
        """
        dock = self._docks[self._front]
        if dock.kind.area != "left" and dock.panel.state == "body":
            self._controls.hide(dock.panel, self._focus_by_keys)

    def _place(self) -> None:
        """Place the strip beside the title: figures and the texts below them stay whole."""
        strip = self.strip
        strip.adjustSize()
        place = QPoint(self._window.rect().width() - strip.width() - SPACE_1, SPACE_1)
        if strip.pos() != place:
            strip.move(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent):
            self._focus_by_keys = event.reason() in _BY_KEYS
            if self._focus_by_keys:
                self._wake()
        elif kind == QEvent.Type.Resize and watched is self._window:
            self._place()
        elif kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(
            event, QKeyEvent
        ):
            act = self._key_action(event)
            if act is not None:
                event.accept()
                if kind == QEvent.Type.KeyPress:
                    act()
                return True
            if kind == QEvent.Type.KeyPress:
                self._wake()
        return False

    def _key_action(self, event: QKeyEvent) -> Callable[[], object] | None:
        """The action of a key during the presentation, if any."""
        key, plain = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain != Qt.KeyboardModifier.NoModifier or QApplication.activePopupWidget() is not None:
            return None
        if QApplication.activeWindow() is not self._window:
            return None
        if key == Qt.Key.Key_Escape:
            return self.end
        if key in _ALWAYS:
            return partial(self.walk, _ALWAYS[key])
        if isinstance(QApplication.focusWidget(), _TAKE_ARROWS):
            return None
        if key in _ARROWS:
            return partial(self.walk, _ARROWS[key])
        if key == Qt.Key.Key_P:
            return self.strip.pointer.toggle
        return None


def _behind(dock: PanelDock) -> bool:
    """Whether a dock is closed, or a tab that isn't in front."""
    return dock.visibleRegion().isEmpty()


class SlideTitle(QWidget):
    """Above a presented panel: its title in large letters, and the corpus and run."""

    def __init__(self, dock: PanelDock, context: PanelContext) -> None:
        super().__init__(dock)
        self._session = context.session
        self.title = kit.label(dock.kind.title, role="title", name="present.title")
        self.about = kit.label(role="muted", name="present.about")
        about = kit.aligned(kit.stretch(self.about), Qt.AlignmentFlag.AlignBaseline)
        margins = (SPACE_4, SPACE_2, SPACE_4, SPACE_1)
        kit.fill(self, kit.row(self.title, about, gap=SPACE_4, margins=margins))

    def refresh(self) -> None:
        """Name the current corpus and run."""
        corpus, run = self._session.corpora.current, self._session.active.run
        names = [one.name for one in (corpus, run) if one is not None]
        self.about.setText(" ▸ ".join(names))


class PresentationStrip(QWidget):
    """Position, navigation and choices, shown while the mouse moves."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self.setObjectName("present.strip")
        self.setAccessibleName(tr("Presentation"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.back = self._button("back", tr("Previous panel"), tr("Left, Page up"))
        self.on = self._button("on", tr("Next panel"), tr("Right, Page down"))
        self.label = kit.label(name="present.panel")
        self.pointer = self._button("pointer", tr("Highlight the pointer"), "P")
        self.pointer.setCheckable(True)
        self.menu = QMenu(self)
        self.choose = kit.button(tr("Panels"), role="quiet", name="present.choose")
        self.choose.setAccessibleName(tr("Choose the panels to present"))
        self.choose.setMenu(self.menu)
        self.end = kit.button(tr("Stop (Esc)"), role="quiet", name="present.end")
        controls = (self.back, self.label, self.on, self.pointer, self.choose, self.end)
        kit.fill(self, kit.row(*controls, margins=(SPACE_2, SPACE_1)))
        theme.changed.connect(self._retheme)
        self._retheme()
        self.hide()

    def set_title(self, title: str, place: str) -> None:
        self.label.setText(f"{title}  ·  {place}" if place else title)
        self.label.setAccessibleName(
            tr("Presenting {title} {place}", title=title, place=place).strip()
        )

    def _button(self, local: str, text: str, keys: str) -> QToolButton:
        button = kit.text_button("", role="quiet", name=f"present.{local}")
        button.setAccessibleName(text)
        button.setToolTip(safe_tip(f"{text} ({keys})"))
        return kit.set_scaled_size(button, width=30, height=28, icon=16)

    def _retheme(self) -> None:
        colours = self._theme.palette
        self.setStyleSheet(
            f"PresentationStrip {{ background: {colours.raised}; "
            f"border: 1px solid {colours.line}; border-radius: 8px; }}"
        )
        for button, name in (
            (self.back, "chevron-left"),
            (self.on, "chevron-right"),
            (self.pointer, "pointer"),
        ):
            button.setIcon(self._theme.icon(name))


class Halo(QWidget):
    """A soft disc around the pointer."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self.setObjectName("present.halo")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(QSize(_HALO * 2, _HALO * 2))
        self.hide()

    def centre(self, at: QPoint) -> None:
        self.move(at - self.rect().center())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(self._theme.palette.warning)
        painter.setPen(colour)
        colour.setAlpha(70)
        painter.setBrush(colour)
        painter.drawEllipse(self.rect().adjusted(2, 2, -2, -2))
