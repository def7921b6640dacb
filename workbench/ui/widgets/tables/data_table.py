"""A table of values that sorts by any column: by its heading, or by keys in its menu."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRect,
    QRectF,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from workbench.core.arrays import Places
from workbench.core.language import source_text, tr
from workbench.core.table_export import to_csv
from workbench.session.session import Session
from workbench.ui.base.plain_text import menu_text, paintable_text
from workbench.ui.base.scaling import (
    SPACE_2,
    SPACE_3,
    SPACE_5,
    TYPE_SMALL,
    scaled_length,
    set_scaled_size,
)
from workbench.ui.base.theme import Theme, body_font
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.widgets.layout.transient_menu import show_menu_once
from workbench.ui.widgets.tables.painting import (
    TableDelegate,
    below_heading,
    heading_height,
    number_width,
)
from workbench.ui.widgets.tables.table_model import Index, TableColumn, TableModel

__all__ = ["DataTable", "TableColumn", "table_csv"]

# Widths of the column that stretches: the minimum; the width below which spare columns and complete
# texts are given up; and the maximum of that width if its texts are longer.
_LEAST, _ROOMY, _ROOMIEST = 72, 104, 170
# Texts of a column that are measured.
_SAMPLE = 200


class DataTable(QTableView):
    """The one view of all tables and lists.

    The signals carry the key of the row (``TableColumn.keys``): ``picked`` by arrow keys and
    clicks, ``opened`` by Return, ``double_clicked``, and ``pointed`` by the mouse (None if it
    leaves). In a table without ``plain``, a double click opens, too. Ctrl+C copies the selection. A
    table that doesn't select whole rows sends the keys of cells. ``gave_way``: the columns that are
    ``gone`` for lack of room have changed; ``widened``: the width of the rows has changed, with the
    table or when a scroll bar appears, which is after the first painting; ``order_chosen``: the
    identity of the column that the table is sorted by.

    Rows with ``groups`` stay together by group, even if sorted, each group below its heading. The
    heading is part of the first row's height but not of its area: a click there picks nothing.

    ``plain``: a list without frame and headings, whose columns share the width; ``rows``: height of
    a row; ``sortable``: a click on a heading sorts.
    """

    picked = Signal(object)
    opened = Signal(object)
    double_clicked = Signal(object)
    pointed = Signal(object)
    gave_way = Signal()
    widened = Signal()
    order_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        export: Export | None = None,
        *,
        plain: bool = False,
        rows: int = 26,
        sortable: bool = True,
        ring: bool = False,
    ) -> None:
        super().__init__()
        self.table = TableModel()
        # Names of the columns without enough room.
        self.gone: list[str] = []
        self._theme = theme
        self._empty = ""
        self.export = export
        self._plain, self._sortable = plain, sortable and not plain
        # Whether arrow keys pick rows, and not only clicks.
        self.walks = True
        self._wide: list[int] = []
        # Width in pixels that a column saves with brief texts.
        self._saved: dict[int, int] = {}
        # While columns are replaced or measured, changes of size must not measure them again.
        self._arranging = False
        self._has_headings = False
        self._delegate = TableDelegate(theme, ring=ring)
        self.setModel(self.table)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._prepare_headers(rows)
        if plain:
            self.setProperty("role", "plain")
            self.setFrameShape(QTableView.Shape.NoFrame)
            self.setMouseTracking(True)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self.double_clicked.connect(self.opened)
        self.clicked.connect(lambda index: self._tell(self.picked, index))
        self.doubleClicked.connect(lambda index: self._tell(self.double_clicked, index))
        self.entered.connect(lambda index: self._tell(self.pointed, index))
        theme.changed.connect(self.viewport().update)
        theme.text_changed.connect(self._measure_again)
        self.table.modelReset.connect(self._make_room_for_headings)
        self.table.layoutChanged.connect(self._make_room_for_headings)

    def _prepare_headers(self, height: int) -> None:
        rows, header = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setMinimumSectionSize(12)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        set_scaled_size(rows, rows=height)
        header.setHighlightSections(False)
        header.setSectionsClickable(self._sortable)
        header.setSortIndicatorShown(False)
        header.setMinimumSectionSize(32)
        header.setVisible(not self._plain)
        if self._plain:
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
        else:
            header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.sectionClicked.connect(self.sort_by)

    def offer_files(
        self, session: Session, title: str, stem: str, table: Callable[[], str] | None = None
    ) -> Export:
        """Let the rows be saved as CSV: those shown, in their order, or what ``table`` returns."""
        texts = csv(table or (lambda: table_csv(self)))
        self.export = Export(self, session, title, stem, texts=texts)
        return self.export

    def set_columns(
        self,
        columns: Sequence[TableColumn],
        bold: Collection[int] = (),
        passing: Places | None = None,
        groups: Sequence[str] = (),
    ) -> None:
        """Show other values, in the order chosen before if that column still exists; ``bold`` rows;
        only the rows in ``passing``; below the headings of their ``groups``, one for each row.
        """
        self.table.groups = groups
        if self._plain:
            self.table.set_columns(columns, bold, passing)
            return
        before = [column.identity for column in self.table.columns]
        same = [column.identity for column in columns] == before
        self._arranging = True
        self.table.set_columns(columns, bold, passing)
        self._show_order()
        for at, column in enumerate(columns):
            if not same or not column.spare:
                self.setColumnHidden(at, False)
            if same:
                # A column widened by the user stays wide.
                if not column.stretch:
                    self.setColumnWidth(at, max(self._room(at), self.columnWidth(at)))
            else:
                self.setColumnWidth(at, self._room(at))
        self._widths_measured([self.columnWidth(at) for at in range(len(columns))])
        self._arranging = False
        self._stretch()

    def widen(self, row: int) -> None:
        """Widen columns for the texts of a changed row, if these are the widest so far."""
        grown = False
        for at, column in enumerate(self.table.columns):
            needed = min(
                self.fontMetrics().horizontalAdvance(column.cell_text(row)) + 17, scaled_length(260)
            )
            if not column.stretch and not self.isColumnHidden(at) and needed > self._wide[at]:
                self._wide[at] = needed
                self.setColumnWidth(at, max(needed, self.columnWidth(at)))
                grown = True
        if grown:
            self._stretch()

    def say_empty(self, text: str) -> None:
        """Set the text shown in place of rows while there are none."""
        if text != self._empty:
            self._empty = text
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty and not self.table.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(QColor(self._theme.palette.muted))
            room = self.viewport().rect().adjusted(SPACE_3, SPACE_5, -SPACE_3, 0)
            painter.drawText(
                room, Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, self._empty
            )
            painter.end()
        if any(self.table.groups):
            self._paint_headings()

    def _paint_headings(self) -> None:
        painter = QPainter(self.viewport())
        font = body_font(bold=True)
        font.setPixelSize(scaled_length(TYPE_SMALL))
        painter.setFont(font)
        area, height = self.viewport().rect(), heading_height()
        first = max(self.rowAt(0), 0)
        for place in range(first, self.table.rowCount()):
            top = self.rowViewportPosition(place)
            if top > area.bottom():
                break
            heading = self.table.heading(place)
            if not heading:
                continue
            box = QRectF(0, top, area.width(), height)
            painter.fillRect(box, self.palette().base())
            painter.setPen(QColor(self._theme.palette.muted))
            text = box.adjusted(SPACE_2, 0, -SPACE_2, 0)
            shown = QFontMetrics(font).elidedText(
                paintable_text(heading), Qt.TextElideMode.ElideMiddle, int(text.width())
            )
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def _make_room_for_headings(self) -> None:
        rows = self.verticalHeader()
        height = rows.defaultSectionSize()
        if not any(self.table.groups) and not self._has_headings:
            return
        self._has_headings = any(self.table.groups)
        for place in range(self.table.rowCount()):
            above = heading_height() * bool(self.table.heading(place))
            rows.resizeSection(place, height + above)

    def visualRect(self, index: Index) -> QRect:
        """The area of a cell, without the group heading above it."""
        return below_heading(super().visualRect(index), self.table, index)

    def indexAt(self, place: QPoint) -> QModelIndex:
        """The cell at a point; none on a group heading."""
        index = super().indexAt(place)
        if self._has_headings and self.table.heading(index.row()):
            below = place.y() - self.rowViewportPosition(index.row())
            if below < heading_height():
                return QModelIndex()
        return index

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch()
        if event.size().width() != event.oldSize().width():
            self.widened.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def _tell(self, signal: SignalInstance, index: Index) -> None:
        key = self.table.key(index)
        if key is not None:
            signal.emit(key)

    def _measure_again(self) -> None:
        self._make_room_for_headings()
        if self._plain:
            return
        self._arranging = True
        self._widths_measured([0] * len(self.table.columns))
        for at, width in enumerate(self._wide):
            self.setColumnWidth(at, width)
        self._arranging = False
        self._stretch()

    def _widths_measured(self, widths: list[int]) -> None:
        """Set the widths of columns with complete texts, 0 for the width that they need."""
        columns = self.table.columns
        self._wide = [
            (not columns[at].stretch and width) or self._room(at) for at, width in enumerate(widths)
        ]
        self._saved = {
            at: max(self._wide[at] - self._room(at, brief=True), 0)
            for at, one in enumerate(columns)
            if one.brief
        }
        self.table.brief = False

    def _stretch(self) -> None:
        """Give the remaining room to the columns that stretch, in equal parts; if that is too
        little, hide spare columns.
        """
        columns = self.table.columns
        if self._arranging or self._plain or not columns:
            return
        self._arranging = True
        stretching = [at for at, column in enumerate(columns) if column.stretch]
        widths = [self._whole_width(other) for other in range(len(columns))]
        if len(stretching) == 1:
            wide = self._wide[stretching[0]]
            least = scaled_length(_LEAST)
            enough = min(max(wide, scaled_length(_ROOMY)), scaled_length(_ROOMIEST))
        else:
            least = 0
            enough = sum(self._wide[at] for at in stretching)
        room = self.viewport().width() - sum(
            width for other, width in enumerate(widths) if other not in stretching
        )
        spare = [other for other, column in enumerate(columns) if column.spare]
        gone = []
        for other in sorted(spare, key=lambda other: (columns[other].spare, other), reverse=True):
            hidden = room < enough
            if hidden:
                room += widths[other]
                gone.append(columns[other].name)
            if hidden != self.isColumnHidden(other):
                self.setColumnHidden(other, hidden)
        brief = bool(self._saved) and room < enough
        if brief:
            room += sum(self._saved.values())
        if brief != self.table.brief:
            self.table.brief = brief
            for other, less in self._saved.items():
                self.setColumnWidth(other, widths[other] - less * brief)
            self.viewport().update()
        for at in stretching:
            self.setColumnWidth(at, max(room // len(stretching), least or self._wide[at]))
        self._arranging = False
        if gone != self.gone:
            self.gone = gone
            self.gave_way.emit()

    def _whole_width(self, at: int) -> int:
        """The width of a column with complete texts, even while it is hidden."""
        if self.isColumnHidden(at):
            return self._wide[at]
        if self.table.brief:
            return self.columnWidth(at) + self._saved.get(at, 0)
        return self.columnWidth(at)

    def _room(self, at: int, *, brief: bool = False) -> int:
        """Width for the heading and the first few hundred texts; for the column that stretches, for
        a sample of all texts, as the most frequent words are short.
        """
        column = self.table.columns[at]
        name = column.two_line_name if self.table.folds else column.name
        measure = QFontMetrics(_heading_font()).horizontalAdvance
        heading = max(map(measure, name.split("\n"))) + 18
        if column.width:
            # Headings in another language or with larger letters may be wider.
            return max(scaled_length(column.width), min(heading, scaled_length(260)))
        metrics, bold = self.fontMetrics(), QFontMetrics(body_font(bold=True))
        step = max(len(column.values) // _SAMPLE, 1) if column.stretch else 1
        widest = max(
            (
                (
                    bold if row in self.table.bold or column.is_strong(row) else metrics
                ).horizontalAdvance(column.cell_text(row, brief=brief))
                for row in range(0, min(len(column.values), _SAMPLE * step), step)
            ),
            default=0,
        )
        if column.bar:
            # A bar that stretches takes what is left.
            widest = number_width(column) + scaled_length(0 if column.stretch else 60)
        wanted = widest + 17 + scaled_length(16) * bool(column.dots)
        return min(max(wanted, heading), scaled_length(260))

    def sort_by(self, column: int, descending: bool | None = None) -> None:
        """Sort by a column: numbers descending at first, words ascending; a second call reverses
        the order.
        """
        if not self._sortable:
            return
        one, before = self.table.columns[column], self.table.sorted_by
        if descending is None:
            descending = (one.to_right or one.bar) and not one.natural
            if before is not None and before[0] == one.identity:
                descending = not before[1]
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.table.sort(column, order)
        self._show_order()
        self.order_chosen.emit(one.identity)

    def _show_order(self) -> None:
        header = self.horizontalHeader()
        names = [column.identity for column in self.table.columns]
        chosen = self.table.sorted_by
        header.setSortIndicatorShown(chosen is not None and chosen[0] in names)
        if chosen is not None and chosen[0] in names:
            order = Qt.SortOrder.DescendingOrder if chosen[1] else Qt.SortOrder.AscendingOrder
            header.setSortIndicator(names.index(chosen[0]), order)

    def pick(self, row: int) -> None:
        """Make a row (by its original index) current, without a signal."""
        place = self.table.place_of(row)
        if place >= 0:
            self.setCurrentIndex(self.table.index(place, 0))
        else:
            self.clearSelection()

    def mark(self, key: object) -> None:
        """Make the row with a key current, or no row, without a signal."""
        place = -1
        if self.table.columns:
            keys = list(self.table.columns[0].keys) or list(range(self.table.size))
            if key in keys:
                place = self.table.place_of(keys.index(key))
        if place != self.currentIndex().row():
            self.setCurrentIndex(self.table.index(place, 0))

    @property
    def current_row(self) -> int:
        """The original index of the current row, −1 for none."""
        cell = self.table.cell(self.currentIndex())
        if cell is not None:
            return cell[0]
        return -1

    def texts(self) -> list[list[str]]:
        """Texts of the cells, in the current order."""
        return [
            [column.cell_text(int(row)) for column in self.table.columns]
            for row in self.table.order
        ]

    def copied_text(self) -> str:
        """The selected rows, or the current cell of a table of cells, separated by tabs."""
        if self.selectionBehavior() != QAbstractItemView.SelectionBehavior.SelectRows:
            return str(self.currentIndex().data() or "")
        places = {index.row() for index in self.selectionModel().selectedRows()}
        rows = [
            int(self.table.order[place]) for place in sorted(places or {self.currentIndex().row()})
        ]
        return "\n".join(
            "\t".join(column.cell_text(row) for column in self._copied_columns()) for row in rows
        )

    def _copied_columns(self) -> Sequence[TableColumn]:
        return self.table.columns

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before.isValid():
            self._tell(self.opened, before)
        elif event.matches(QKeySequence.StandardKey.Copy) and before.isValid():
            QGuiApplication.clipboard().setText(self.copied_text())
        else:
            super().keyPressEvent(event)
            now = self.currentIndex()
            of_rows = self.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectRows
            moved = now.row() != before.row() or (not of_rows and now != before)
            if moved and self.walks:
                self._tell(self.picked, now)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Go to the first and the last row with Home and End, unless single cells can be chosen."""
        last = self.table.rowCount() - 1
        column = max(self.currentIndex().column(), 0)
        if self.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectRows:
            if action == QAbstractItemView.CursorAction.MoveHome:
                return self.table.index(0, column)
            if action == QAbstractItemView.CursorAction.MoveEnd:
                return self.table.index(last, column)
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Find a row by typing the beginning of its first column of words, whatever cell is
        current.
        """
        current = self.currentIndex()
        if self.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectRows:
            words = (at for at, column in enumerate(self.table.columns) if not column.to_right)
            place = self.table.index(current.row(), next(words, 0))
            self.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
        super().keyboardSearch(search)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu()
        if menu.isEmpty():
            menu.deleteLater()
            event.ignore()
        else:
            show_menu_once(menu, event.globalPos())

    def menu(self) -> QMenu:
        """Menu to sort by each column, and to save and copy."""
        menu = QMenu(self)
        if self._sortable:
            order = menu.addMenu(tr("Sort by"))
            for at, column in enumerate(self.table.columns):
                action = QAction(menu_text(column.name or "–"), order)
                action.triggered.connect(lambda _=False, at=at: self.sort_by(at))
                order.addAction(action)
        if self.export is not None:
            menu.addSeparator()
            self.export.fill(menu)
        return menu


def _heading_font() -> QFont:
    """The font of headings in the style sheet."""
    font = body_font()
    font.setPixelSize(scaled_length(TYPE_SMALL))
    return font


def table_csv(view: DataTable) -> str:
    """The values at full precision, in the order shown."""
    columns = view.table.columns
    rows = [[column.values[int(row)] for column in columns] for row in view.table.order]
    return to_csv([source_text(column.name) for column in columns], rows)
