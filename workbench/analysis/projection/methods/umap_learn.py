"""UMAP under other distances than the cosine, by umap-learn."""

from __future__ import annotations

from workbench.analysis.projection.methods.base import Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import MetricParams, lay_out
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class UmapLearn(Projection):
    key = "umap-learn"
    title = "umap-learn"
    help = tr("UMAP with a distance of your choice. Slower than UMAP.")
    order = 90
    params_type = MetricParams
    moves = True
    kernels = ("map",)
    by_umap_learn = True
    fewest = 4

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        return Projected(lay_out(space, params, run))
