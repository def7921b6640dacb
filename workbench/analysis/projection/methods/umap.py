"""UMAP under cosine distance, with exact neighbours."""

from __future__ import annotations

from workbench.analysis.projection.methods.base import Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams, umap
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class Umap(Projection):
    key = "umap"
    title = "UMAP"
    help = tr("Keeps neighbours together. Distances and directions are distorted.")
    order = 10
    dims = (2, 3)
    params_type = UmapParams
    moves = True
    kernels = ("map",)
    fewest = 4

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        return Projected(umap(space.unit, params, run, space.start, space.dims))
