"""A row of controls that starts another row if they would be too narrow to read."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QSpacerItem, QWidget

from workbench.ui.base.boxes import Margins, Placed, add, set_margins
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.scaling import SPACE_1, SPACE_2, scaled_length
from workbench.ui.widgets.inputs.editors import ChoiceBox

# Minimum width of a text that may shrink, and of a field that takes the rest of its row.
_LEAST_TEXT = 120
# Minimum share of its preferred width that a choice keeps before another row starts, provided its
# text is readable.
_CHOICE_KEEPS = 0.75


class Bar(QLayout):
    """Like a QHBoxLayout while all widgets have their preferred widths; otherwise wrapped like
    text.

    Widgets with a stretch share the remaining width of their row. The height is that of the rows at
    the last width, so that containers needn't support heights that depend on the width.

    gap, row_gap : pixels between widgets of a row, and between rows
    """

    def __init__(
        self, parent: QWidget | None = None, *, gap: int = SPACE_2, row_gap: int = SPACE_1
    ) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._stretches: list[int] = []
        self._wanted: list[int] = [0]
        self._gap, self._row_gap = gap, row_gap
        self._height = 0
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self._stretches.append(self._wanted[-1])

    def addWidget(self, widget: QWidget, stretch: int = 0) -> None:
        """Add a widget; with ``stretch``, it takes its share of the remaining width of its row."""
        self._wanted.append(stretch)
        super().addWidget(widget)
        self._wanted.pop()

    def insertWidget(self, index: int, widget: QWidget, stretch: int = 0) -> None:
        """Insert a widget before the one at ``index``."""
        self.addWidget(widget, stretch)
        self._items.insert(index, self._items.pop())
        self._stretches.insert(index, self._stretches.pop())

    def addStretch(self, stretch: int = 1) -> None:
        """Move the following widgets to the right of their row."""
        self._wanted.append(stretch)
        self.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum))
        self._wanted.pop()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        if 0 <= index < len(self._items):
            return self._items[index]
        return None

    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        self._stretches.pop(index)
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def sizeHint(self) -> QSize:
        shown = [
            (item, stretch) for item, stretch in self._visible_items() if item.widget() is not None
        ]
        width = sum(item_width(item, stretch) for item, stretch in shown) + self._gap * max(
            len(shown) - 1, 0
        )
        return QSize(width, self._least_height()).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        widths = [item.minimumSize().width() for item, _ in self._visible_items()]
        return QSize(max(widths, default=0), self._least_height()).grownBy(self.contentsMargins())

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        height = self._place(area.marginsRemoved(self.contentsMargins()))
        if height != self._height:
            self._height = height
            self.invalidate()
            parent = self.parentWidget()
            if parent is not None:
                parent.updateGeometry()

    def _least_height(self) -> int:
        tallest = max((item.sizeHint().height() for item, _ in self._visible_items()), default=0)
        return max(tallest, self._height)

    def _visible_items(self) -> list[tuple[QLayoutItem, int]]:
        """Visible items, and their stretches."""
        return [
            (item, stretch)
            for item, stretch in zip(self._items, self._stretches, strict=True)
            if item.widget() is None or not item.isEmpty()
        ]

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, int, int]]]:
        """Items, their requested widths, and their stretches, row by row."""
        rows = self._break_rows(width, squeezing=False)
        if len(rows) > 1:
            squeezed = self._break_rows(width, squeezing=True)
            if len(squeezed) == 1:
                return squeezed
            return rows
        return rows

    def _break_rows(
        self, width: int, *, squeezing: bool
    ) -> list[list[tuple[QLayoutItem, int, int]]]:
        rows: list[list[tuple[QLayoutItem, int, int]]] = [[]]
        used = 0
        for item, stretch in self._visible_items():
            if item.widget() is None:
                rows[-1].append((item, 0, stretch))
                continue
            wanted = min(item_width(item, stretch, squeezing), width)
            if used and used + self._gap + wanted > width:
                # Spacers stay with the widgets that they move to the right.
                if rows[-1][-1][0].widget() is None:
                    rows.append([rows[-1].pop()])
                else:
                    rows.append([])
                used = 0
            if used:
                used += self._gap
            used += wanted
            rows[-1].append((item, wanted, stretch))
        return rows

    def _place(self, area: QRect) -> int:
        """Place the widgets in ``area``; returns their height."""
        top = area.top()
        for row in self._rows(area.width()):
            widgets = [item for item, _, _ in row if item.widget() is not None]
            height = max((item.sizeHint().height() for item in widgets), default=0)
            rest = (
                area.width()
                - sum(wanted for _, wanted, _ in row)
                - self._gap * max(len(widgets) - 1, 0)
            )
            left = area.left()
            fixed = [wanted for _, wanted, _ in row]
            # The readable width of a choice takes precedence over the optional width of others.
            for enough in (_readable, _preferred_width):
                for at, (item, _, stretch) in enumerate(row):
                    if not stretch and item.widget() is not None:
                        lacking = min(max(enough(item) - fixed[at], 0), max(rest, 0))
                        fixed[at], rest = fixed[at] + lacking, rest - lacking
            if self._ends(row):
                left += max(rest, 0)
            grown = self._spare_widths(row, fixed, rest)
            for wanted, taken, (item, _, _) in zip(fixed, grown, row, strict=True):
                if item.widget() is None:
                    left += taken
                    continue
                tall = min(item.sizeHint().height(), height)
                place = QRect(left, top + (height - tall) // 2, wanted + taken, tall)
                item.setGeometry(QRect(place.topLeft(), place.size().boundedTo(item.maximumSize())))
                left += wanted + taken + self._gap
            top += height + self._row_gap
        return max(top - self._row_gap - area.top(), 0)

    def _spare_widths(
        self, row: list[tuple[QLayoutItem, int, int]], fixed: list[int], rest: int
    ) -> list[int]:
        """Extra width of each item of a row; width that one item can't use goes to the others."""
        grown = [0] * len(row)
        open_to = [at for at, (_, _, stretch) in enumerate(row) if stretch]
        while open_to and rest > 0:
            shares = sum(row[at][2] for at in open_to)
            full = []
            for at in open_to:
                item, _, stretch = row[at]
                # A spacer's maximum width is meaningless.
                if item.widget() is None:
                    most = rest
                else:
                    most = max(item.maximumSize().width() - fixed[at], 0)
                if most < rest * stretch // shares:
                    grown[at] = most
                    full.append(at)
            if not full:
                for at in open_to:
                    grown[at] = rest * row[at][2] // shares
                    rest, shares = rest - grown[at], shares - row[at][2]
                break
            rest -= sum(grown[at] for at in full)
            open_to = [at for at in open_to if at not in full]
        return grown

    def _ends(self, row: list[tuple[QLayoutItem, int, int]]) -> bool:
        """Whether all items of a row follow all stretching ones, so that they are aligned right as
        in a single row.
        """
        shown = self._visible_items()
        last = max((at for at, (_, stretch) in enumerate(shown) if stretch), default=len(shown))
        return bool(row) and any(row[0][0] is item for item, _ in shown[last + 1 :])


def _preferred_width(item: QLayoutItem) -> int:
    return item.sizeHint().width()


def _readable(item: QLayoutItem) -> int:
    widget = item.widget()
    if isinstance(widget, ChoiceBox):
        return min(widget.readable_width(), _preferred_width(item))
    return 0


def item_width(item: QLayoutItem, stretch: int, squeezing: bool = False) -> int:
    """The width at which a widget is readable, or to which it may shrink; one that takes the rest
    of a row needs less than it prefers.
    """
    widget = item.widget()
    if isinstance(widget, ElidedLabel):
        whole = widget.fontMetrics().horizontalAdvance(widget.whole)
        return min(whole, scaled_length(_LEAST_TEXT))
    wanted = item.sizeHint().width()
    if isinstance(widget, ChoiceBox) and not stretch:
        if squeezing and widget.squeezed:
            return max(min(scaled_length(widget.squeezed), wanted), item.minimumSize().width())
        return max(
            round(wanted * _CHOICE_KEEPS),
            min(widget.readable_width(), wanted),
            item.minimumSize().width(),
        )
    if stretch:
        wanted = (widget.minimumWidth() if widget is not None else 0) or min(
            wanted, scaled_length(_LEAST_TEXT)
        )
    return max(wanted, item.minimumSize().width())


def bar(
    *parts: QWidget | Placed,
    gap: int = SPACE_2,
    row_gap: int = SPACE_1,
    margins: Margins = 0,
) -> Bar:
    """Widgets and stretches in a ``Bar``."""
    line = Bar(gap=gap, row_gap=row_gap)
    set_margins(line, margins)
    add(line, *parts)
    return line
