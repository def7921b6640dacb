"""UMAP that keeps dense groups small and sparse groups large (Narayan, Berger & Cho 2021)."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.projection.methods.base import Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import MetricParams, lay_out
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import param


@dataclass(frozen=True)
class DensmapParams(MetricParams):
    """Settings of densMAP."""

    dens_lambda: float = param(
        2.0,
        "Weight of the densities.",
        label="Weight of density",
        low=0.0,
        high=10.0,
        grows="sizes closer to those in the space, neighbours less so",
        source="umap-learn",
        basic=True,
    )
    dens_frac: float = param(
        0.3,
        "Share of the epochs, the last ones, that take densities into account.",
        label="Share of epochs",
        low=0.0,
        high=1.0,
        source="umap-learn",
    )


class Densmap(Projection):
    key = "densmap"
    title = "densMAP"
    help = tr("UMAP with areas that show how densely words are packed in the space")
    order = 91
    params_type = DensmapParams
    moves = True
    kernels = ("map",)
    by_umap_learn = True
    fewest = 4

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert isinstance(params, DensmapParams)
        options = {
            "densmap": True,
            "dens_lambda": params.dens_lambda,
            "dens_frac": params.dens_frac,
        }
        return Projected(lay_out(space, params, run, options))
