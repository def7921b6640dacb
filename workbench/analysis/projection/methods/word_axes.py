"""Words on one or two axes named by words."""

from __future__ import annotations

from workbench.analysis.projection.methods.base import Need, Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.word_axes import axes_plane, axis_strip
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class WordAxes(Projection):
    key = "axes"
    title = tr("Word axes")
    help = tr("Similarity of each word to one end or the other of one or two axes")
    order = 60
    needs = (Need.AXES,)

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        assert space.axes is not None
        across, up = space.axes
        if across is not None and up is not None:
            seen = axes_plane(space.embeddings, across, up, space.rows)
            return Projected(seen.positions, seen.meeting)
        axis = across or up
        assert axis is not None
        return Projected(
            axis_strip(
                space.embeddings, axis, space.frequencies, space.rows, upright=across is None
            )
        )
