"""Clusters as a colour mode: k-means on the unit vectors."""

from __future__ import annotations

from collections.abc import Callable

from workbench.analysis.projection.clusters import best_k_means, k_means
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui.base.text import MINUS
from workbench.ui.panels.map.colours.base import ColourMenu, ColourMode
from workbench.ui.panels.map.colours.scales import known_words
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.colour_scheme import DISTINCT, Shading, categories

# Numbers of clusters offered in addition; only the largest clusters are coloured.
_MANY = (10, 15, 20, 30)


class ClusterColours(ColourMode):
    """The detail is the number of clusters; without it, the number with the highest silhouette."""

    key = "clusters"
    title = tr("Clusters")
    order = 50
    quiet = False

    def is_ready(self, layout: MapLayout, final: bool) -> bool:
        return not layout.request.live

    def source(self, layout: MapLayout, detail: str) -> object:
        return layout.request.embeddings

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        return lambda run: _shade(layout, int(detail or 0), run)

    def fill_menu(self, menu: ColourMenu) -> None:
        below = menu.below(self.title)
        below.offer(tr("Best number of clusters (silhouette)"), self.key)
        for k in (*range(2, DISTINCT + 1), *_MANY):
            below.offer(tr("{k} clusters", k=k), f"{self.key}:{k}")


def _shade(layout: MapLayout, k: int, run: JobControl) -> Shading:
    """With k = 0, the number from 2 to 6 with the highest silhouette. Of two models, the first is
    used.
    """
    places, rows = known_words(layout)
    unit = layout.request.embeddings.unit_of(rows)
    wanted = range(2, DISTINCT + 1)
    found = (
        k_means(unit, min(k, unit.shape[0]), run=run) if k else best_k_means(unit, wanted, run=run)
    )
    names: list[str] = []
    for typical in found.typical(unit, 2):
        named = ", ".join(layout.words[places[row]] for row in typical)
        if named not in names:
            names.append(named)
        else:
            names.append(f"{named} ({len(names) + 1})")
    labels = [""] * len(layout.words)
    for place, label in zip(places.tolist(), found.labels.tolist(), strict=True):
        labels[place] = names[label]
    title = (
        tr("{k} clusters · silhouette {silhouette:.2f}", k=found.k, silhouette=found.silhouette)
        .replace("0.", ".")
        .replace("-", MINUS)
    )
    return categories(title, labels, names)
