"""The baseline answers of plain neighbours, in columns beside the answers of an analogy."""

from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.analysis.analogy.decomposition import Anatomy, Baseline
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import MINUS, mark_unknown, true_minus
from workbench.ui.base.theme import SPACE_1, SPACE_2, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_ground, paint_text
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

_NUMBER = 34
# In narrower columns the words need all the room; the tooltip shows the cosine.
_ROOMY = 140
# Maximum width, and the room around headings.
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
    """The method of a baseline with its source, and the rank of the answer in the baseline."""
    a, _, c = anatomy.query
    method = {
        "only-c": tr("Nearest words to {word}, by cosine (ONLY-B in Linzen 2016)", word=c),
        "only-a": tr("Nearest words to {word}, by cosine", word=a),
        "ignore-b": tr(
            "Nearest words to {sum}, by cosine (IGNORE-A in Linzen 2016)", sum=f"{a} + {c}"
        ),
    }[key]
    if not rank:
        return method
    return tr("{method}; the answer ranks {rank}", method=method, rank=ordinal(rank))


class BaselineTable(DataTable):
    """Three columns of words; the analogy's own answer is marked if it is among them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, plain=True)
        self._answer = -1
        self.setSelectionBehavior(DataTable.SelectionBehavior.SelectItems)
        self.horizontalHeader().show()

    def put(self, anatomy: Anatomy | None) -> None:
        """Show the baselines of another analogy."""
        columns, self._answer = [], -1
        if anatomy is not None:
            if anatomy.candidates:
                self._answer = anatomy.candidates[0].row
            columns = [self._column(anatomy, baseline) for baseline in anatomy.baselines]
        self.set_columns(columns)
        self.scrollToTop()
        metrics = self.horizontalHeader().fontMetrics()
        widest = max((metrics.horizontalAdvance(one.name) for one in columns), default=0) + _AROUND
        bar = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(min(len(columns) * widest + bar, scaled_length(_WIDEST)))

    def _column(self, anatomy: Anatomy, baseline: Baseline) -> TableColumn:
        heading = baseline_heading(anatomy, baseline.key)
        tips = [
            f"{answer.word}, {heading}: {true_minus(f'{answer.score:.4f}')}"
            for answer in baseline.answers
        ]
        return TableColumn(
            heading,
            baseline.answers,
            _baseline_tip(anatomy, baseline.key, baseline.rank),
            text=lambda answer: answer.word,
            tips=tips,
            spoken=tips.__getitem__,
            keys=[answer.word for answer in baseline.answers],
            paint=self._paint_answer,
            number=False,
        )

    def _paint_answer(self, cell: PaintedCell) -> None:
        colours, answer = cell.theme.palette, cell.value
        own = answer.row == self._answer
        paint_ground(cell, chosen=own)
        inner = cell.area.adjusted(SPACE_2, 0, -SPACE_2, 0)
        word = inner
        if cell.area.width() >= scaled_length(_ROOMY):
            number = inner.adjusted(inner.width() - scaled_length(_NUMBER), 0, 0, 0)
            word = inner.adjusted(0, 0, -scaled_length(_NUMBER) - SPACE_1, 0)
            small, right = body_font(TYPE_SMALL, tabular=True), Qt.AlignmentFlag.AlignRight
            paint_text(cell, number, shown_score(answer.score), small, colours.muted, right)
        paint_text(cell, word, answer.word, body_font(bold=own), colours.text)
