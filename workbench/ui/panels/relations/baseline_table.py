"""The baseline answers of plain neighbours, in columns beside the answers of an analogy."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from workbench.analysis.analogy.decomposition import Anatomy
from workbench.core.language import tr
from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.text import MINUS, mark_unknown, true_minus
from workbench.ui.theme import SPACE_1, SPACE_2, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.score_list import shown_score

_Index = QModelIndex | QPersistentModelIndex
_PLAIN = QModelIndex()
_SCORE, _ANSWER = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_TALL, _NUMBER = 26, 34
# In narrower columns the words need all the room; the tooltip tells the cosine.
_ROOMY = 140
# As wide as the headings need, but not wider.
_WIDEST, _AROUND = 370, 20


def baseline_heading(anatomy: Anatomy, key: str) -> str:
    """The heading of a baseline: the words that its answers are near."""
    a, _, c = anatomy.query
    headings = {"ignore-b": f"{a} + {c}", "only-c": tr("near {word}", word=c)}
    return headings.get(key) or tr("near {word}", word=a)


def verdict(anatomy: Anatomy) -> str:
    """Whether the best answer is more than a neighbour, in one sentence."""
    if not anatomy.candidates:
        return ""
    (a, b, c), answer = anatomy.query, anatomy.candidates[0].word
    ranks = {baseline.key: baseline.rank for baseline in anatomy.baselines}
    for key, word in (("only-c", c), ("only-a", a)):
        if ranks[key] == 1:
            return tr(
                "Only a neighbour: “{answer}” is the nearest word to {word} anyway.",
                answer=answer,
                word=word,
            )
    places = tr(
        "{place_a} nearest to {a}, {place_c} to {c}",
        place_a=ordinal(ranks["only-a"]),
        a=a,
        place_c=ordinal(ranks["only-c"]),
        c=c,
    )
    if ranks["ignore-b"] == 1:
        return tr(
            "“{answer}” is nearest to {a} + {c} even without {MINUS} {b}; {places}.",
            answer=answer,
            a=a,
            c=c,
            MINUS=MINUS,
            b=b,
            places=places,
        )
    return tr(
        "Without {MINUS} {b}, “{answer}” is {ordinal}; {places}.",
        MINUS=MINUS,
        b=b,
        answer=answer,
        ordinal=ordinal(ranks["ignore-b"]),
        places=places,
    )


@mark_unknown
def ordinal(number: int) -> str:
    """1 → "1st", 12 → "12th", 3855 → "3,855th"."""
    last = number % 10
    if number % 100 in (11, 12, 13):
        last = 0
    if last == 1:
        return tr("{number:,}st", number=number)
    if last == 2:
        return tr("{number:,}nd", number=number)
    if last == 3:
        return tr("{number:,}rd", number=number)
    return tr("{number:,}th", number=number)


def _baseline_tip(anatomy: Anatomy, key: str, rank: int) -> str:
    """The method of a baseline with its source, and the rank of the answer in it."""
    a, _, c = anatomy.query
    method = {
        "only-c": tr("Words nearest to {word}, by cosine (ONLY-B of Linzen 2016)", word=c),
        "only-a": tr("Words nearest to {word}, by cosine", word=a),
        "ignore-b": tr("Words {sum}, by cosine (IGNORE-A of Linzen 2016)", sum=f"{a} + {c}"),
    }[key]
    if not rank:
        return method
    return tr("{told}; the answer is {rank} here", told=method, rank=ordinal(rank))


class _Model(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.anatomy: Anatomy | None = None

    def put(self, anatomy: Anatomy | None) -> None:
        self.beginResetModel()
        self.anatomy = anatomy
        self.endResetModel()

    def rowCount(self, parent: _Index = _PLAIN) -> int:
        if parent.isValid() or self.anatomy is None:
            return 0
        return max((len(baseline.answers) for baseline in self.anatomy.baselines), default=0)

    def columnCount(self, parent: _Index = _PLAIN) -> int:
        if parent.isValid() or self.anatomy is None:
            return 0
        return len(self.anatomy.baselines)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if self.anatomy is None or orientation != Qt.Orientation.Horizontal:
            return None
        baseline = self.anatomy.baselines[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return baseline_heading(self.anatomy, baseline.key)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(_baseline_tip(self.anatomy, baseline.key, baseline.rank))
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.anatomy is None or not index.isValid():
            return None
        baseline = self.anatomy.baselines[index.column()]
        if index.row() >= len(baseline.answers):
            return None
        answer = baseline.answers[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return answer.word
        if role == _SCORE:
            return answer.score
        if role == _ANSWER:
            return bool(self.anatomy.candidates) and answer.row == self.anatomy.candidates[0].row
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return safe_tip(
                f"{answer.word}, {baseline_heading(self.anatomy, baseline.key)}: "
                f"{true_minus(f'{answer.score:.4f}')}"
            )
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        if index.data() is None:
            return
        colours = self._theme.palette
        area = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        answer = bool(index.data(_ANSWER))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if answer or state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            ground = colours.hover
            if answer or state & QStyle.StateFlag.State_Selected:
                ground = colours.accent_soft
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(area.adjusted(0, 1, -SPACE_1, -1), 4, 4)
        inner = area.adjusted(SPACE_2, 0, -SPACE_2, 0)
        roomy = area.width() >= scaled_length(_ROOMY)
        number = QRectF(
            inner.right() - scaled_length(_NUMBER),
            inner.top(),
            scaled_length(_NUMBER),
            inner.height(),
        )
        font = body_font(TYPE_BODY, bold=answer)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        room = inner.width()
        if roomy:
            room = number.left() - inner.left() - SPACE_1
        word = QFontMetricsF(font).elidedText(
            paintable_text(str(index.data())), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), word)
        if roomy:
            painter.setFont(body_font(TYPE_SMALL, tabular=True))
            painter.setPen(QColor(colours.muted))
            right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
            painter.drawText(number, right, shown_score(float(index.data(_SCORE))))
        painter.restore()


class BaselineTable(QTableView):
    """Three columns of words; the analogy's own answer is marked where it stands among them.

    A click or the arrow keys pick a word, a double click or Return activates it.
    """

    picked = Signal(str)
    word_activated = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.contents = _Model()
        self._delegate = _Delegate(theme)
        self.setModel(self.contents)
        self.setItemDelegate(self._delegate)
        self.setProperty("role", "plain")
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        set_scaled_size(self.verticalHeader(), rows=_TALL)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.clicked.connect(lambda index: self._emit_word(self.picked, index))
        self.doubleClicked.connect(lambda index: self._emit_word(self.word_activated, index))
        theme.changed.connect(self.viewport().update)

    def put(self, anatomy: Anatomy | None) -> None:
        self.contents.put(anatomy)
        self.scrollToTop()
        header = self.horizontalHeader()
        names = [
            str(self.contents.headerData(at, Qt.Orientation.Horizontal))
            for at in range(header.count())
        ]
        widest = (
            max((header.fontMetrics().horizontalAdvance(name) for name in names), default=0)
            + _AROUND
        )
        bar = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(min(header.count() * widest + bar, scaled_length(_WIDEST)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before.isValid():
            self._emit_word(self.word_activated, before)
            return
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self._emit_word(self.picked, self.currentIndex())

    def _emit_word(self, signal: Any, index: _Index) -> None:
        if index.isValid() and index.data() is not None:
            signal.emit(index.data())
