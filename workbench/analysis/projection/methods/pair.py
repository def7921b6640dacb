"""Two models, each by UMAP, the second from the positions of the first."""

from __future__ import annotations

from workbench.analysis.projection.before_after import before_after
from workbench.analysis.projection.methods.base import Need, Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class Pair(Projection):
    key = "pair"
    title = tr("Before/after")
    short = "UMAP"
    help = tr("Two models, with words moving from one to the other")
    order = 80
    needs = (Need.OTHER,)
    fewest = 4
    params_type = UmapParams
    kernels = ("map",)

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert space.other is not None
        pair = before_after(
            space.embeddings, space.other, len(space.words), space.chosen_words, params, run
        )
        return Projected(pair.before, pair=pair)
