"""The palette: type a few letters of an action, then press Return to run it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scaling import SPACE_2, scaled_length
from workbench.ui.base.theme import set_property
from workbench.ui.commands.palette_entries import Offer, rank_offers, window_offers, word_offers
from workbench.ui.commands.palette_list import OfferList
from workbench.ui.commands.window_actions import Commands
from workbench.ui.shell.header.top_bar import TopBar
from workbench.ui.shell.panel_window import PanelWindow

_WIDTH, _ROWS = 620, 9
# Maximum number of letters in the field.
_LONGEST = 100
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class CommandPalette(QFrame):
    """Overlay on the window. Esc, a click elsewhere or choosing an entry closes it; the focus then
    returns to where it was.
    """

    def __init__(self, window: PanelWindow, commands: Commands, top: TopBar) -> None:
        super().__init__(window)
        self._window = window
        self._commands = commands
        self._top = top
        self._every: list[Offer] = []
        self._before: QWidget | None = None
        self.setObjectName("palette")
        self.setAccessibleName(tr("Find an action"))
        set_property(self, "role", "popover")
        self.setAutoFillBackground(True)
        self.field = QLineEdit()
        self.field.setObjectName("palette.field")
        self.field.setAccessibleName(tr("Name of an action, panel, corpus, run or word"))
        self.field.setPlaceholderText(tr("Type what you want to do"))
        self.field.addAction(
            window.context.theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        # A pasted text would be compared with every action, word by word.
        self.field.setMaxLength(_LONGEST)
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list = OfferList(window.context.theme)
        self.list.setObjectName("palette.list")
        self.list.setAccessibleName(tr("Results"))
        self.list.picked.connect(lambda _: self._run_offer())
        self._none = kit.label(role="muted", name="palette.none", wrap=True)
        self._none.hide()
        kit.fill(self, kit.column(self.field, self.list, self._none, margins=SPACE_2))
        self.hide()
        window.installEventFilter(self)

    def open(self, text: str = "") -> None:
        """Open the palette with some text already typed; if it is open, close it."""
        if self.isVisible():
            self.leave()
            return
        self._before = QApplication.focusWidget()
        # The target of an action depends on the current focus.
        self._every = window_offers(self._commands)
        self._top.make_index()
        self.field.setText(text)
        self._filter(text)
        self._update_geometry()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def leave(self) -> None:
        """Close the palette and return the focus."""
        if not self.isVisible():
            return
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self._window)
        self.hide()
        self._every = []
        before, self._before = self._before, None
        if had_focus and before is not None:
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def current(self) -> Offer | None:
        """The action that Return would run."""
        return self.list.current

    def _update_geometry(self) -> None:
        window, row = self._window, self.list.verticalHeader().defaultSectionSize()
        width = min(scaled_length(_WIDTH), window.width() - 80)
        shown = min(len(self.list.offers), _ROWS)
        self._none.setVisible(not shown)
        self.list.setVisible(shown > 0)
        height = self.field.sizeHint().height() + 3 * SPACE_2 + 4
        height += shown * row if shown else self._none.heightForWidth(width - 2 * SPACE_2)
        height = min(height, window.height() - 120)
        self.setGeometry(QRect((window.width() - width) // 2, scaled_length(56), width, height))

    def _filter(self, typed: str) -> None:
        if not self._every:
            return
        found = word_offers(self._window, self._top.search.index, typed)
        self.list.put(
            rank_offers(typed, self._every, self._window.context.desk.uses.weights, found)
        )
        self._none.setText(
            tr("No results for “{name}”. Try a different search.", name=typed.strip())
        )
        if self.isVisible():
            self._update_geometry()

    def _run_offer(self) -> None:
        offer = self.list.current
        # If the action isn't available, the palette stays open: the reason is below the line.
        if offer is None or offer.why_not:
            return
        self.leave()
        offer.run()

    def _move_current(self, key: int) -> None:
        step = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -_ROWS,
            Qt.Key.Key_PageDown: _ROWS,
        }
        last = len(self.list.offers) - 1
        by, now = step[Qt.Key(key)], self.list.currentIndex().row()
        if now <= 0 and by == -1:
            wanted = last
        elif now >= last and by == 1:
            wanted = 0
        else:
            wanted = now + by
        self.list.pick(min(max(wanted, 0), last))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._window:
            if kind == QEvent.Type.Resize and self.isVisible():
                self._update_geometry()
            return False
        if kind == QEvent.Type.FocusOut and self.isVisible():
            self.leave()
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key = event.key()
        if kind == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return True
        if kind != QEvent.Type.KeyPress:
            return False
        if key in _MOVES:
            self._move_current(key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run_offer()
        elif key == Qt.Key.Key_Escape:
            self.leave()
        else:
            return False
        return True

    def sizeHint(self) -> QSize:
        return QSize(scaled_length(_WIDTH), 400)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        colours = self._window.context.theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colours.line))
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 8, 8)
