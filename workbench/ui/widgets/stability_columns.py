"""What the seeds of a run agree on, as columns: by word, and by neighbour of one word."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.stability import NeighbourSpread, Stability
from workbench.ui.text import count
from workbench.ui.widgets.data_table import Column
from workbench.ui.widgets.score_list import shown_score


def word_columns(one: Stability) -> list[Column]:
    """Every word with the overlap of its neighbours."""
    columns = [
        Column("Word", one.words, stretch=True),
        Column(
            "Overlap",
            one.overlap.tolist(),
            f"Share of the {one.k} nearest that two seeds both list: mean over all pairs of seeds",
            _share,
            tips=[f"{a:.2f} to {b:.2f}" for a, b in zip(one.lowest.tolist(), one.highest.tolist(), strict=True)],
        ),
        Column("Jaccard", one.jaccard.tolist(), "|A ∩ B| / |A ∪ B|, mean over all pairs of seeds", _share),
        Column("In all", one.everywhere.tolist(), f"Share of the {one.k} nearest that every seed lists", _share),
    ]
    if one.counts is not None:
        columns.append(Column("Count", one.counts.tolist(), text=count, spare=True))
    return columns


def spread_columns(found: Sequence[NeighbourSpread], k: int) -> list[Column]:
    """Every neighbour with mean and range of its cosine and of its rank over the seeds."""
    return [
        Column("Neighbour", [one.word for one in found], stretch=True),
        Column(
            "Cosine",
            [one.cosine for one in found],
            "Mean over the seeds; the line reaches from the least to the greatest",
            shown_score,
            tips=[f"{shown_score(one.cosine_low)} to {shown_score(one.cosine_high)}" for one in found],
            bar=True,
            ranges=[(one.cosine_low, one.cosine_high) for one in found],
        ),
        Column(
            "Rank",
            [one.rank for one in found],
            "Mean over the seeds, and its range",
            texts=[f"{one.rank:.1f} ({count(one.rank_low)} to {count(one.rank_high)})" for one in found],
            number=True,
        ),
        Column(
            "Seeds",
            [one.among for one in found],
            f"In how many seeds it is one of the {k} nearest",
            texts=[f"{one.among} of {one.models}" for one in found],
            number=True,
            spare=True,
        ),
    ]


def _share(value: float) -> str:
    return f"{value:.2f}"
