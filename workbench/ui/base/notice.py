"""A plain page in place of the content of a panel: what is missing, work in progress, an error."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QProgressBar, QWidget

from workbench.core.language import tr
from workbench.ui.base.boxes import centred, column, fill, row, stretch
from workbench.ui.base.controls import button, with_role
from workbench.ui.base.plain_text import PlainLabel
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_5, set_property

# Below this height a notice leaves out a button that also exists elsewhere.
_LOW = 130
# Maximum width of the lines of a notice.
_WIDEST_HINT = 560


@dataclass(frozen=True)
class NoticeText:
    """What a notice says.

    hint : what to do, below the title
    action : what its button does
    fraction : how far the work is, in 0..1; None if that is unknown
    busy : whether it's about work in progress, with a progress bar
    """

    title: str
    hint: str
    action: QAction | None = None
    fraction: float | None = None
    busy: bool = False
    is_error: bool = False

    @property
    def kind(self) -> str:
        """ "empty", "busy" or "error"."""
        if self.is_error:
            return "error"
        return "busy" if self.busy else "empty"


class _Hint(PlainLabel):
    """Text below a title, or beside it at its balanced width."""

    beside = False

    def sizeHint(self) -> QSize:
        if not self.beside:
            return super().sizeHint()
        width = self.maximumWidth()
        return QSize(width, self.heightForWidth(width))


class Notice(QWidget):
    """Plain page in the middle of a panel: empty, busy or error."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.kind = "empty"
        self._title = with_role(PlainLabel(), "large", f"{key}.notice")
        self._hint = with_role(_Hint(), "muted")
        for label in (self._title, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        set_scaled_size(self._progress, most_width=280)
        self._progress.setAccessibleName(tr("Progress"))
        self._button = button(name=f"{key}.notice.action", pressed=self._trigger_action)
        self._button.setAccessibleName(tr("Panel actions"))
        self._action: QAction | None = None
        # Layout state of the hint: its text, the room, and the height of a line.
        self._balanced: tuple[str, int, int] = ("", 0, 0)
        set_scaled_size(self._title, most_width=_WIDEST_HINT)
        self._column = column(
            stretch(share=2),
            row(stretch(), stretch(self._title, 1000), stretch()),
            row(stretch(), stretch(self._hint, 1000), stretch()),
            centred(self._progress),
            centred(self._button),
            stretch(share=3),
            margins=(SPACE_5, SPACE_2),
        )
        fill(self, self._column)

    @property
    def title(self) -> str:
        return self._title.text()

    def put(self, notice: NoticeText) -> None:
        """Show this instead of anything else."""
        self.kind = notice.kind
        self._title.setText(notice.title)
        self._hint.setText(notice.hint)
        self._hint.setVisible(bool(notice.hint))
        self._balance_lines()
        self._progress.setVisible(notice.busy)
        self._progress.setRange(0, 0 if notice.fraction is None else 1000)
        if notice.fraction is not None:
            self._progress.setValue(round(notice.fraction * 1000))
        self._action = action = notice.action
        self._update_button()
        if action is not None:
            self._button.setText(action.text())
            self._button.setAccessibleName(action.text())
            self._button.setEnabled(action.isEnabled())
            role = "primary"
            if notice.busy:
                role = ""
            elif action.property("quiet"):
                role = "link"
            set_property(self._button, "role", role)

    def minimumSizeHint(self) -> QSize:
        """Size hint with the height of the wrapped text, which Qt leaves out of a minimum size."""
        hint = super().minimumSizeHint()
        return hint.expandedTo(
            QSize(0, self._column.totalMinimumHeightForWidth(max(self.width(), hint.width())))
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self._update_button()
        self._balance_lines()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _arrange(self) -> None:
        """Put the hint beside the title in a low strip, and below it elsewhere.

        In a narrow one, both beside each other would need more height than both below each other: a
        frame that gave it would turn the one into the other for ever.
        """
        strip = self.width() >= scaled_length(_WIDEST_HINT)
        beside = strip and self.height() < scaled_length(_LOW)
        if beside == self._hint.beside:
            return
        direction, side = QBoxLayout.Direction.TopToBottom, Qt.AlignmentFlag.AlignHCenter
        if beside:
            direction, side = QBoxLayout.Direction.LeftToRight, Qt.AlignmentFlag.AlignLeft
        self._column.setDirection(direction)
        self._title.setWordWrap(not beside)
        self._hint.beside = beside
        self._hint.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)

    def _balance_lines(self) -> None:
        """Make the hint as narrow as its number of lines allows, so that no line is a single
        word.
        """
        text, metrics = self._hint.text(), self._hint.fontMetrics()
        room = self.width() - 2 * SPACE_5
        if self._hint.beside:
            # In a low strip, title and button are on the same line.
            for part in (self._title, self._button):
                room -= part.sizeHint().width() + SPACE_2
        room = min(scaled_length(_WIDEST_HINT), room)
        if room <= 0 or (text, room, metrics.height()) == self._balanced:
            return
        self._balanced = (text, room, metrics.height())

        def tall(width: int) -> int:
            return metrics.boundingRect(
                QRect(0, 0, width, 10_000), Qt.TextFlag.TextWordWrap, text
            ).height()

        low, high, allowed = room // 2, room, tall(room)
        while high - low > SPACE_1:
            middle = (low + high) // 2
            if tall(middle) <= allowed:
                low, high = (low, middle)
            else:
                low, high = (middle, high)
        self._hint.setMaximumWidth(high + SPACE_1)
        self._hint.updateGeometry()

    def _update_button(self) -> None:
        """Show the button; hide a less prominent one where it would squeeze the text, as in a low
        strip.
        """
        action = self._action
        room = action is not None and (
            not action.property("quiet") or self.height() >= scaled_length(_LOW)
        )
        if room != self._button.isVisibleTo(self):
            self._button.setVisible(room)

    def _trigger_action(self) -> None:
        if self._action is not None:
            self._action.trigger()
