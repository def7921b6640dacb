"""The answers of an analogy with the contribution of each term to their scores, as bars."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.analysis.analogy.decomposition import Anatomy
from workbench.core.language import tr
from workbench.ui.panels.relations.decomposition_painting import (
    HEADER,
    NUMBER,
    ROW,
    WORD,
    ValueSpan,
    describe,
    legend,
    paint_header,
    paint_row,
    score_formula,
)
from workbench.ui.plain_text import safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.theme import Theme
from workbench.ui.widgets.tables.plain_list import PlainList, paint_ground

_Index = QModelIndex | QPersistentModelIndex
_PLAIN = QModelIndex()


class AnatomyModel(QAbstractListModel):
    """The candidates of an anatomy, best first."""

    def __init__(self) -> None:
        super().__init__()
        self.anatomy: Anatomy | None = None
        self.scale = ValueSpan(0.0, 1.0)

    def put(self, anatomy: Anatomy | None) -> None:
        self.beginResetModel()
        self.anatomy = anatomy
        self.scale = ValueSpan(0.0, 1.0)
        if anatomy is not None:
            self.scale = ValueSpan.of(anatomy.candidates)
        self.endResetModel()

    def rowCount(self, parent: _Index = _PLAIN) -> int:
        if parent.isValid() or self.anatomy is None:
            return 0
        return len(self.anatomy.candidates)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.anatomy is None or not 0 <= index.row() < len(self.anatomy.candidates):
            return None
        one = self.anatomy.candidates[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one.word
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return safe_tip(describe(self.anatomy, one))
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, model: AnatomyModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(scaled_length(WORD) + scaled_length(NUMBER) + 60, scaled_length(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self._theme.palette
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option, colours, 0)
        if self._model.anatomy is not None:
            paint_row(painter, area, self._model.anatomy, index.row(), self._model.scale, colours)
        painter.restore()


class AnatomyBars(PlainList):
    """The answers as rows of bars. A click or the arrow keys pick a word, a double click activates
    it.

    ``described`` tells the numbers of the row that is pointed at or picked, or nothing.
    """

    picked = Signal(str)
    word_activated = Signal(str)
    described = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.contents = AnatomyModel()
        self._delegate = _Delegate(theme, self.contents)
        self.setModel(self.contents)
        self.setItemDelegate(self._delegate)
        set_scaled_size(self, least_width=WORD + NUMBER + 120)
        self.clicked.connect(self._emit_description)
        self.clicked.connect(lambda index: self.picked.emit(index.data()))
        self.doubleClicked.connect(lambda index: self.word_activated.emit(index.data()))
        self.entered.connect(self._emit_description)
        theme.changed.connect(self.viewport().update)

    def put(self, anatomy: Anatomy | None) -> None:
        self.contents.put(anatomy)
        self.scrollToTop()
        self._emit_description(_PLAIN)

    @property
    def words(self) -> tuple[str, ...]:
        if self.contents.anatomy is None:
            return ()
        return tuple(one.word for one in self.contents.anatomy.candidates)

    def mark(self, word: str | None) -> None:
        """Show a word as picked, or none, without a signal."""
        index = _PLAIN
        if word in self.words:
            index = self.contents.index(self.words.index(word))
        if index.row() != self.currentIndex().row():
            self.setCurrentIndex(index)
            self._emit_description(self.currentIndex())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._emit_description(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before.isValid():
            self.word_activated.emit(before.data())
            return
        super().keyPressEvent(event)
        now = self.currentIndex()
        if now.isValid() and now != before:
            self._emit_description(now)
            self.picked.emit(now.data())

    def _emit_description(self, index: _Index) -> None:
        text = ""
        if index.isValid():
            text = str(index.data(Qt.ItemDataRole.ToolTipRole))
        self.described.emit(text)


class AnatomyHeader(QWidget):
    """The legend and the axis above the bars."""

    def __init__(self, theme: Theme, bars: AnatomyBars) -> None:
        super().__init__()
        self._theme = theme
        self._bars = bars
        set_scaled_size(self, height=HEADER)
        bars.contents.modelReset.connect(self._refresh)
        bars.widened.connect(self.update)
        theme.changed.connect(self.update)

    def _refresh(self) -> None:
        anatomy = self._bars.contents.anatomy
        accessible = tip = ""
        if anatomy is not None:
            accessible, tip = (
                tr("Bars: {legend}", legend=", ".join(legend(anatomy))),
                score_formula(anatomy),
            )
        self.setAccessibleName(accessible)
        self.setToolTip(safe_tip(tip))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        anatomy = self._bars.contents.anatomy
        if anatomy is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = float(self._bars.viewport().width())
        paint_header(painter, width, anatomy, self._bars.contents.scale, self._theme.palette)
        painter.end()
