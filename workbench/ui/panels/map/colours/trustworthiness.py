"""Local trustworthiness as a colour mode: how many neighbours on the map are true ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workbench.analysis.projection.quality import quality
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui.base.text import decimal
from workbench.ui.panels.map.colours.base import ColourMode
from workbench.ui.panels.map.colours.scales import scale_to_unit
from workbench.ui.panels.map.layout import PAIR, MapLayout
from workbench.ui.widgets.map.colour_scheme import Shading, graded_shading

# Up to this number, each word is compared with all others; above it, with a sample.
_JUDGED = 20_000


class TrustColours(ColourMode):
    key = "trustworthiness"
    title = tr("Trust")
    entry = tr("Local trustworthiness")
    order = 70
    quiet = False

    def is_ready(self, layout: MapLayout, final: bool) -> bool:
        return final

    def source(self, layout: MapLayout, detail: str) -> object:
        return layout.positions

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        # Two layouts have no common answer.
        return None if layout.method == PAIR else lambda run: _shade(layout, run)


def _shade(layout: MapLayout, run: JobControl) -> Shading:
    """Measure of Venna and Kaski for each word."""
    found = quality(layout.request.unit_vectors, layout.positions, limit=_JUDGED, run=run)
    values = np.full(len(layout.words), np.nan)
    values[found.rows] = found.local_trustworthiness
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    texts = ["" if np.isnan(value) else f"{value:.4f}" for value in values.tolist()]
    title = tr("Trustworthiness, k = {k}", k=found.k)
    return graded_shading(title, scale_to_unit(values), decimal(low, 2), decimal(high, 2), texts)
