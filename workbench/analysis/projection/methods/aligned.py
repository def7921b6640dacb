"""Two models laid out together, so that words move only as far as their neighbours change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.analysis.projection.before_after import two_models
from workbench.analysis.projection.methods.base import Need, Projection
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import lay_out_aligned
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import param


@dataclass(frozen=True)
class AlignedParams(UmapParams):
    """Settings of AlignedUMAP."""

    alignment: float = param(
        0.01,
        "How strongly the two positions of a word are pulled together.",
        label="Alignment",
        low=0.0,
        high=1.0,
        grows="words move less",
        source="umap-learn",
        basic=True,
    )


class Aligned(Projection):
    key = "aligned"
    title = "AlignedUMAP"
    short = "AlignedUMAP"
    help = tr("Two models laid out together: words move only as far as their neighbours change")
    order = 82
    needs = (Need.OTHER,)
    params_type = AlignedParams
    kernels = ("map",)
    by_umap_learn = True
    fewest = 4

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert space.other is not None
        assert isinstance(params, AlignedParams)
        both = two_models(space.embeddings, space.other, len(space.words), space.chosen_words)
        start = both.pair(pca(both.first), pca(both.second))
        rows = [np.cumsum(there) - 1 for there in (both.in_one, both.in_other)]
        relation = {int(rows[0][word]): int(rows[1][word]) for word in np.flatnonzero(both.shared)}
        before, after = lay_out_aligned(
            (both.first, both.second),
            (start.before[both.in_one], start.after[both.in_other]),
            (relation,),
            params,
            params.alignment,
            run,
        )
        pair = both.place(before, after)
        return Projected(pair.before, pair=pair)
