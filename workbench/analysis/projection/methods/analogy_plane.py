"""Words in the plane of the four words of an analogy."""

from __future__ import annotations

from workbench.analysis.projection.methods.base import Need, Projection
from workbench.analysis.projection.planes import analogy_plane
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class Plane(Projection):
    key = "plane"
    title = tr("Analogy plane")
    help = tr("The plane of the four words of the last analogy")
    order = 70
    needs = (Need.ANALOGY,)

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert space.analogy is not None
        rows = [space.embeddings.row(word) for word in space.analogy]
        plane = analogy_plane(space.embeddings.unit, rows)
        index = space.rows if isinstance(space.rows, slice) else list(space.rows)
        return Projected(plane.positions[index], plane.shown, plane.target)
