"""Texts and columns of a taught word."""

from __future__ import annotations

import math

from workbench.analysis.teach.teaching import Taught
from workbench.core.language import tr
from workbench.ui.base.text import count, mark_unknown, plural, true_minus
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.ui.widgets.tables.table_model import TableColumn

# Below this number of occurrences, a vector depends much on single words.
_FEW = 10


def facts(taught: Taught, *, alone: bool, earlier: bool) -> str:
    """What was read, and lines that teach nothing. earlier : the model’s word was taught, too."""
    text = tr(
        "“{word}”: {times} in {lines}.",
        word=taught.word,
        times=plural(taught.occurrences, "occurrence"),
        lines=plural(taught.lines, "line"),
    )
    parts = [text]
    if earlier:
        parts.append(tr("Lines that were added to the model earlier don’t count."))
    elif taught.known and not alone:
        parts.append(tr("Its lines in the text count, too."))
    elif taught.known:
        parts.append(tr("Its lines in the text don’t count."))
    return " ".join([*parts, *taught.notes[:3]])


def cautions(taught: Taught, *, earlier: bool) -> str:
    """How far to trust a vector from so few lines. earlier : the model’s word was taught, too."""
    parts = []
    if taught.occurrences == 1:
        parts.append(
            tr("One line is below the noise of a seed, and a sense that occurs once isn’t a sense.")
        )
    elif taught.occurrences < _FEW:
        parts.append(
            tr(
                "Few lines: on Small World, ten bring back half of the nearest words with SGNS "
                "and SVD. With GloVe, and on novels, they bring back about a tenth."
            )
        )
    if taught.known and not earlier:
        parts.append(
            tr("The contexts have seen “{word}”: they were trained with it.", word=taught.word)
        )
    else:
        parts.append(
            tr(
                "The contexts stay as they are. They have seen the word if its lines were in the "
                "text."
            )
        )
    if taught.error_note:
        parts.append(taught.error_note)
    return " ".join(parts)


def neighbour_columns(taught: Taught) -> list[TableColumn]:
    """Words, cosines with their standard errors, and numbers."""
    words = [one.word for one in taught.neighbours]
    cosines = [one.cosine for one in taught.neighbours]
    errors = [error if math.isfinite(error) else 0.0 for error in taught.errors.tolist()]
    ends = [(cosine - error, cosine + error) for cosine, error in zip(cosines, errors, strict=True)]
    low = min([0.0, *(least for least, _ in ends)])
    return [
        TableColumn(tr("neighbour"), words, stretch=True, keys=words),
        TableColumn(
            tr("cosine"),
            cosines,
            tr("Cosine with the taught vector, ± one standard error"),
            text=shown_score,
            bar=True,
            ranges=ends,
            span=(max(low, -1.0), 1.0),
            keys=words,
            number=True,
        ),
        TableColumn("±", taught.errors.tolist(), text=_plain, keys=words, number=True, spare=1),
    ]


def context_columns(taught: Taught) -> list[TableColumn]:
    """Contexts with their counts and PMI, by PMI."""
    words = [one.word for one in taught.contexts]
    return [
        TableColumn(tr("context"), words, stretch=True, keys=words),
        TableColumn(
            tr("count"),
            [one.count for one in taught.contexts],
            tr("Expected number of times beside the word, in the training’s window"),
            text=_count,
            keys=words,
        ),
        TableColumn(
            "PMI",
            [one.pmi for one in taught.contexts],
            tr("Pointwise mutual information, in nats"),
            text=lambda value: true_minus(f"{value:.1f}"),
            keys=words,
        ),
    ]


@mark_unknown
def _plain(error: float) -> str:
    return true_minus(f"{error:.2f}")


@mark_unknown
def _count(value: float) -> str:
    return count(round(value)) if value >= 100 else true_minus(f"{value:.1f}")
