"""The pairs of a relation, sorted by how well each offset agrees with the mean, outliers first."""

from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.analysis.analogy.offsets import Offset, Relation
from workbench.core.language import tr
from workbench.ui.base.text import count, true_minus
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.row_list import ListRow, RowPainter
from workbench.ui.widgets.tables.score_list import shown_score


def pair_description(one: Offset, top: int) -> str:
    """The numbers of a pair in words."""
    place = tr("no candidate")
    if one.rank:
        place = tr("rank {rank} of {top}", rank=count(one.rank), top=count(top))
    return tr(
        "{a} → {b}: cosine with the mean offset {cosine}, mean cosine with the others "
        "{agreement}, length "
        "{length:.2f}. {a} + the others’ mean offset: {b} is {rank}",
        a=one.a,
        b=one.b,
        cosine=true_minus(f"{one.cosine:.3f}"),
        agreement=true_minus(f"{one.agreement:.3f}"),
        length=one.length,
        rank=place,
    )


def _pair_text(one: Offset) -> str:
    return f"{one.a} → {one.b}"


# A width that no list reaches: rows only have bars if the longest text leaves room for them.
_ALWAYS = 100_000


class PairList(DataTable):
    """Pair, cosine as a number and a bar, and the second word's rank among the answers. A pair is
    identified by its index in the relation.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, plain=True)
        # Indices in the relation, the least typical pair first.
        self.order: tuple[int, ...] = ()
        self._rows: tuple[ListRow, ...] = ()
        self._painter = RowPainter(barred=_ALWAYS, cut=Qt.TextElideMode.ElideMiddle)
        self.opened.connect(self.picked)
        theme.text_changed.connect(self._measure)

    def put(self, relation: Relation | None) -> None:
        """Show the pairs of another relation."""
        self.order, self._rows = (), ()
        if relation is not None:
            cosines = [one.cosine for one in relation.offsets]
            self.order = tuple(sorted(range(len(cosines)), key=cosines.__getitem__))
            self._rows = tuple(_row(relation.offsets[at], relation.top) for at in self.order)
        self._measure()
        self.set_columns(self._painter.columns(self._rows, self.order))
        self.scrollToTop()

    def _measure(self) -> None:
        self._painter.measure((), self._rows)


def _row(one: Offset, top: int) -> ListRow:
    place = "–"
    if one.rank == 1:
        place = "✓"
    elif one.rank:
        place = f"#{count(one.rank)}"
    return ListRow(
        _pair_text(one),
        (shown_score(one.cosine), place),
        max(one.cosine, 0.0),
        key=_pair_text(one),
        tip=pair_description(one, top),
        good=one.rank == 1,
    )
