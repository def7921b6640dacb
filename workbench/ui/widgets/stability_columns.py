"""What the seeds of a run agree on, as columns: by word, and by neighbour of one word."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.stability import NeighbourSpread, Stability
from workbench.core.language import tr, trc
from workbench.ui.text import count, where_known
from workbench.ui.widgets.data_table import Column
from workbench.ui.widgets.score_list import shown_score


def word_columns(one: Stability) -> list[Column]:
    """Every word with the overlap of its neighbours."""
    # Looked up once, for there may be a hundred thousand words.
    between = tr("{a:.2f} to {b:.2f}")
    columns = [
        Column(tr("Word"), one.words, stretch=True),
        Column(
            tr("Overlap"),
            one.overlap.tolist(),
            tr("Share of the {k} nearest that two seeds both list: mean over all pairs of seeds", k=one.k),
            _share,
            tips=[between.format(a=a, b=b) for a, b in zip(one.lowest.tolist(), one.highest.tolist(), strict=True)],
        ),
        Column(tr("Jaccard"), one.jaccard.tolist(), tr("|A ∩ B| / |A ∪ B|, mean over all pairs of seeds"), _share),
        Column(
            tr("In all"), one.everywhere.tolist(), tr("Share of the {k} nearest that every seed lists", k=one.k), _share
        ),
    ]
    if one.counts is not None:
        columns.append(Column(trc("noun", "Count"), one.counts.tolist(), text=count, spare=1))
    return columns


def spread_columns(found: Sequence[NeighbourSpread], k: int) -> list[Column]:
    """Every neighbour with mean and range of its cosine and of its rank over the seeds."""
    return [
        Column(tr("Neighbour"), [one.word for one in found], stretch=True),
        Column(
            tr("Cosine"),
            [one.cosine for one in found],
            tr("Mean over the seeds; the line reaches from the least to the greatest"),
            shown_score,
            tips=[
                tr(
                    "{cosine_low} to {cosine_high}",
                    cosine_low=shown_score(one.cosine_low),
                    cosine_high=shown_score(one.cosine_high),
                )
                for one in found
            ],
            bar=True,
            ranges=[(one.cosine_low, one.cosine_high) for one in found],
        ),
        Column(
            tr("Rank"),
            [one.rank for one in found],
            tr("Mean over the seeds, and its range"),
            texts=[
                tr(
                    "{rank:.1f} ({rank_low} to {rank_high})",
                    rank=one.rank,
                    rank_low=count(one.rank_low),
                    rank_high=count(one.rank_high),
                )
                for one in found
            ],
            number=True,
        ),
        Column(
            tr("Seeds"),
            [one.among for one in found],
            tr("In how many seeds it is one of the {k} nearest", k=k),
            texts=[tr("{among} of {models}", among=one.among, models=one.models) for one in found],
            number=True,
            spare=1,
        ),
    ]


@where_known
def _share(value: float) -> str:
    return f"{value:.2f}"
