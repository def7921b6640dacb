"""Rows of a list that show what each n-gram adds to the vector of a word."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.language import tr
from workbench.ui.base.text import count, decimal, true_minus
from workbench.ui.widgets.tables.row_list import ListRow
from workbench.vectors.subwords import SubwordPart


def ngram_rows(parts: Sequence[SubwordPart], digits: int, *, picked: bool = False) -> list[ListRow]:
    """The parts of a vector, largest first; their shares add up to its norm.

    digits : decimals of a share; picked : whether a row can be picked
    """
    most = max((abs(part.share) for part in parts), default=0.0) or 1.0
    return [
        ListRow(
            part.text,
            (true_minus(f"{part.share:.{digits}f}"),),
            part.share / most,
            tr("whole word") if part.bucket < 0 else "",
            part.text if picked else "",
            _added_text(part.text, decimal(part.share, digits + 1), part.bucket),
        )
        for part in sorted(parts, key=lambda part: -part.share)
    ]


def _added_text(text: str, added: str, bucket: int) -> str:
    if bucket < 0:
        return tr("{text} contributes {added} to the norm of the vector", text=text, added=added)
    return tr(
        "{text} contributes {added} to the norm of the vector (bucket {bucket})",
        text=text,
        added=added,
        bucket=count(bucket),
    )
