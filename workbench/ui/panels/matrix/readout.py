"""Readout of a matrix cell in words."""

from __future__ import annotations

import math

from workbench.analysis.matrix.board import Board
from workbench.analysis.matrix.values import MatrixResult
from workbench.core.language import tr
from workbench.ui.plots.colour_scale import number


def cell_texts(result: MatrixResult, cell: tuple[int, int]) -> tuple[str, str]:
    """Value of a cell, and the counts behind it if known."""
    row, column = cell
    value = float(result.values[row, column])
    if not result.rows_known[row] or not result.columns_known[column]:
        return tr("unknown word"), ""
    shown = number(value)
    if result.unit == "nats":
        shown = tr("{value} nats", value=shown)
    head = tr("unobserved") if math.isnan(value) else shown
    parts = []
    if result.counts is not None and result.kind != "count":
        counted = float(result.counts[row, column])
        if math.isnan(counted):
            parts.append(f"#(w,c) {'0'}")
        else:
            parts.append(f"#(w,c) {number(counted)}")
    for sums, at, symbol in ((result.row_sums, row, "#(w)"), (result.column_sums, column, "#(c)")):
        if sums is not None and math.isfinite(sums[at]):
            parts.append(f"{symbol} {number(float(sums[at]))}")
    return head, "   ".join(parts)


def describe_cell(board: Board | None, cell: tuple[int, int] | None) -> str:
    """Describe a pair with its numbers in all panes; "" outside."""
    if board is None or cell is None:
        return ""
    texts = [cell_texts(result, cell) for result in board.results]
    counted = {rest for _, rest in texts if rest}
    # If runs count differently, the counts follow each value.
    apart = len(counted) > 1
    values = [
        f"{result.title}: {head}" + (f" ({rest.replace('   ', ', ')})" if apart and rest else "")
        for result, (head, rest) in zip(board.results, texts, strict=True)
    ]
    counts = [] if apart else list(counted)
    return "   ".join([f"{board.words[cell[0]]} · {board.columns[cell[1]]}", *values, *counts])


def cell_of(board: Board, pair: tuple[str, ...]) -> tuple[int, int] | None:
    """Cell of a selected pair, given as context and word."""
    if len(pair) == 2 and pair[1] in board.words and pair[0] in board.columns:
        return board.words.index(pair[1]), board.columns.index(pair[0])
    return None
