"""The map of a handout: places of the words, and regions with names and colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.communities import nested_communities
from workbench.analysis.projection.context_lift import supported_levels
from workbench.analysis.projection.layout_cache import cached_layout
from workbench.analysis.projection.methods import PROJECTIONS, Projection
from workbench.analysis.projection.region_names import (
    ContextTable,
    NamedRegion,
    name_regions,
    preference_strength,
    short_name,
)
from workbench.analysis.projection.regions import region_hues, regions_of
from workbench.analysis.projection.space import Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.arrays import Doubles, Singles
from workbench.core.hues import DARK, LIGHT, hue_channels
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import mark as tr
from workbench.session.export.handout_page.contexts import ContextCounts
from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.handout_page.words import PageWords

_GRID = 65_535
# With fewer words, neighbours say nothing about a layout.
_FEWEST = 4
Prepare = Callable[[type[Projection], JobControl], None]

_TEXTS = {
    "explore": tr("Map"),
    "map_label": tr(
        "Map of {number} words. Arrow keys move it, + and − zoom, 0 shows everything. Choose words "
        "in the search field."
    ),
    "map_note": tr("Words that occur in similar contexts are near each other ({method})."),
    "zoom_in": tr("Zoom in"),
    "zoom_out": tr("Zoom out"),
    "zoom_all": tr("Show everything"),
    "regions": tr("Regions"),
    "no_regions": tr("The map has no regions: there is too little text for so many words."),
    "regions_note": tr("Choose a region to see its words on the map."),
    "region_words": tr("{number} words"),
    "region_contexts": tr("in contexts with {words}"),
    "neighbours": tr("Neighbours"),
    "neighbours_note": tr("By cosine, among the {number} words of this page."),
    "neighbours_error": tr("Cosines differ from the program’s by at most {bound}."),
    "occurs": tr("{number} times in the text"),
    "use_in_analogy": tr("Use in an analogy"),
    "search": tr("Search for a word"),
}


def map_section(
    page: PageWords, text: ContextCounts | None, run: JobControl, prepare: Prepare
) -> tuple[PageSection, list[NamedRegion]]:
    """Lay the words out by UMAP (by PCA if there are few), and find and name regions. Returns also
    the regions that give the words their colours.

    prepare : called before kernels are used. Raises UserError and Cancelled.
    """
    kind, positions = _layout(page, run, prepare)
    levels = _levels(page, positions, text, run) if len(page.words) >= _FEWEST else []
    places, whole = _on_grid(positions)
    arrays: dict[str, npt.NDArray[Any]] = {"places": places}
    described = []
    for number, (labels, hues, named) in enumerate(levels):
        arrays[f"labels{number}"] = labels.astype(np.int16)
        light, dark = (_colours(hues, ground) for ground in (LIGHT, DARK))
        described.append(
            [
                {
                    "name": short_name([page.words[row] for row in region.words]),
                    "words": list(region.words),
                    "contexts": page.numbers([word for word, _ in region.contexts]).tolist(),
                    "size": region.size,
                    "place": whole(np.array(region.place)).tolist(),
                    "light": light[at],
                    "dark": dark[at],
                }
                for at, region in enumerate(named)
            ]
        )
    section = PageSection(
        "explore",
        ("map-names.js", "map-canvas.js", "word-card.js", "explore.js"),
        {"method": kind.short or kind.title, "levels": described},
        arrays,
        _TEXTS,
    )
    return section, levels[min(1, len(levels) - 1)][2] if levels else []


def _layout(page: PageWords, run: JobControl, prepare: Prepare) -> tuple[type[Projection], Singles]:
    run.enter(Phase.TRAINING)
    pca, umap = PROJECTIONS["pca"], PROJECTIONS["umap"]
    size, space = len(page.words), Space(page.embeddings, page.rows.tolist())
    start = pca.project(space, None, run).positions
    if size < max(umap.fewest, _FEWEST):
        return pca, start
    params = UmapParams(limit=size)
    # As the window does, whose cache then has this layout.
    space = Space(page.embeddings, page.rows.tolist(), start=start)
    return umap, cached_layout(umap, space, params, run, lambda run: prepare(umap, run))


def _levels(
    page: PageWords, positions: Singles, text: ContextCounts | None, run: JobControl
) -> list[tuple[npt.NDArray[np.int32], Doubles, list[NamedRegion]]]:
    """Labels, hues and names of the regions of each level, from coarse to fine."""
    table, counts = None, None
    if text is not None:
        rows = np.array([text.row_of.get(word, -1) for word in page.words], dtype=np.int64)
        table = ContextTable(text.counts, text.words, rows, preference_strength(text.counts))
    if page.embeddings.counts is not None:
        counts = np.asarray(page.embeddings.counts[page.rows], dtype=np.float64)
    levels = nested_communities(page.unit, run)
    supported = supported_levels(levels, table, counts)
    found = regions_of(levels, positions, supported) if supported else ()
    return [
        (
            level.labels,
            region_hues(level.places, positions),
            name_regions(page.unit, level, table, counts=counts),
        )
        for level in found
    ]


def _on_grid(
    positions: Singles,
) -> tuple[npt.NDArray[np.uint16], Callable[[Doubles], npt.NDArray[np.uint16]]]:
    """uint16[n, 2], the places on a grid with y pointing down, and a function for others."""
    low = positions.min(axis=0).astype(np.float64)
    span = float((positions.max(axis=0) - low).max()) or 1.0

    def whole(places: Doubles) -> npt.NDArray[np.uint16]:
        scaled = (np.asarray(places, dtype=np.float64) - low) / span
        scaled[..., 1] = (positions[:, 1].max() - low[1]) / span - scaled[..., 1]
        return np.asarray(np.rint(np.clip(scaled, 0, 1) * _GRID), dtype=np.uint16)

    return whole(positions.astype(np.float64)), whole


def _colours(hues: Doubles, ground: tuple[float, float]) -> list[str]:
    channels = np.rint(255 * hue_channels(hues, ground)).astype(int)
    return ["#{:02x}{:02x}{:02x}".format(*row) for row in channels.tolist()]
