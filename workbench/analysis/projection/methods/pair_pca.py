"""Two models, each by PCA."""

from __future__ import annotations

from workbench.analysis.projection.before_after import before_after
from workbench.analysis.projection.methods.base import Need, Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class PairPca(Projection):
    key = "pair-pca"
    title = tr("Before/after by PCA")
    short = "PCA"
    help = tr("Two models on the directions in which their unit-length vectors vary most")
    order = 81
    needs = (Need.OTHER,)
    fewest = 4

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert space.other is not None
        pair = before_after(
            space.embeddings, space.other, len(space.words), space.chosen_words, None, run
        )
        return Projected(pair.before, pair=pair)
