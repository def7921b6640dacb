"""The nearest words of one word in two models, side by side, with shared words and changes of
rank.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.analysis.neighbours.model_changes import NeighbourLists, RankedNeighbour
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.ui import kit
from workbench.ui.base.text import count
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.tables.data_table import TableColumn
from workbench.ui.widgets.tables.score_list import shown_score


class NeighbourPair(QWidget):
    """``picked``: a neighbour was clicked or reached by keys. ``opened``: show its neighbours."""

    picked = Signal(str)
    opened = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.lists: NeighbourLists | None = None
        self._names = ("", "")
        self.heading = kit.ElidedLabel()
        self.tables = (kit.DataTable(theme), kit.DataTable(theme))
        self.titles = (
            kit.with_role(kit.ElidedLabel(), "heading"),
            kit.with_role(kit.ElidedLabel(), "heading"),
        )
        sides = kit.row(
            *(
                kit.stretch(kit.column(title, kit.stretch(table), gap=kit.SPACE_1))
                for title, table in zip(self.titles, self.tables, strict=True)
            )
        )
        kit.fill(self, kit.column(self.heading, kit.stretch(sides), gap=kit.SPACE_1))
        for side, table in enumerate(self.tables):
            table.picked.connect(lambda row, side=side: self.picked.emit(self._word(side, row)))
            table.opened.connect(lambda row, side=side: self.opened.emit(self._word(side, row)))

    def put(self, lists: NeighbourLists, names: tuple[str, str]) -> None:
        """Show the neighbours of a word in two models with these names."""
        self.lists, self._names = lists, names
        n = len(lists.first)
        self.heading.put(
            tr(
                "{word}: {count} of the {n} nearest neighbours are in both lists",
                word=lists.word,
                count=count(len(lists.shared)),
                n=n,
            )
        )
        for title, table, side, other, name in zip(
            self.titles,
            self.tables,
            (lists.first, lists.second),
            reversed(names),
            names,
            strict=True,
        ):
            title.put(name)
            table.set_columns(
                _columns(side, other), [i for i, one in enumerate(side) if one.word in lists.shared]
            )

    def say(self, text: str) -> None:
        """Show a message in place of the lists."""
        self.lists = None
        self.heading.put(text)
        for table in self.tables:
            table.set_columns([])

    def csv(self) -> str:
        """Both lists as a table."""
        rows: list[list[Cell]] = []
        if self.lists is not None:
            for name, side in zip(self._names, (self.lists.first, self.lists.second), strict=True):
                rows += [
                    [self.lists.word, name, one.rank, one.word, one.cosine, one.other_rank]
                    for one in side
                ]
        return to_csv(["word", "model", "rank", "neighbour", "cosine", "rank in the other"], rows)

    def _word(self, side: int, row: int) -> str:
        assert self.lists is not None
        return (self.lists.first, self.lists.second)[side][row].word


def _columns(side: tuple[RankedNeighbour, ...], other: str) -> list[TableColumn]:
    known = [one.other_rank for one in side]
    return [
        TableColumn("#", [one.rank for one in side], tr("Rank in this run"), spare=1),
        TableColumn(
            tr("Word"),
            [one.word for one in side],
            tr("Words in both lists are bold"),
            tips=[tr("cosine {cosine}", cosine=shown_score(one.cosine)) for one in side],
            stretch=True,
        ),
        TableColumn(
            tr("Rank in the other run"),
            known,
            tr(
                "Rank in {other}, and the number of ranks the word moves up (▲) or down (▼) there",
                other=other,
            ),
            texts=[_change(one) for one in side],
            brief=[_rank_text(one.other_rank) for one in side],
            number=True,
        ),
    ]


def _rank_text(rank: int | None) -> str:
    if rank is None:
        return tr("unknown")
    return count(rank)


def _change(one: RankedNeighbour) -> str:
    if one.other_rank is None:
        return tr("unknown")
    by = one.rank - one.other_rank
    arrow = "="
    if by > 0:
        arrow = f"▲{count(by)}"
    elif by < 0:
        arrow = f"▼{count(-by)}"
    return f"{count(one.other_rank)} {arrow}"
