"""UMAP that pulls together the words of a group: of a category or of a section of questions."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.projection.methods.base import Need, Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import MetricParams, lay_out
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import param


@dataclass(frozen=True)
class SupervisedParams(MetricParams):
    """Settings of supervised UMAP."""

    target_weight: float = param(
        0.5,
        "Weight of the groups. 1 = words of different groups are never neighbours.",
        label="Weight of groups",
        low=0.0,
        high=1.0,
        grows="groups further apart",
        source="umap-learn",
        basic=True,
    )


class Supervised(Projection):
    key = "supervised"
    title = tr("UMAP by groups")
    help = tr("UMAP that pulls together words of the column or section that colours the map")
    order = 92
    needs = (Need.GROUPS,)
    params_type = SupervisedParams
    moves = True
    kernels = ("map",)
    by_umap_learn = True
    fewest = 4

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert isinstance(params, SupervisedParams)
        return Projected(lay_out(space, params, run, {"target_weight": params.target_weight}))
