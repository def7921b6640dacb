"""Colours and names of the map by the regions of its density."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.density import (
    DensityGrid,
    Regions,
    density,
    dividing_regions,
    find_regions,
)
from workbench.analysis.projection.quality import quality
from workbench.analysis.projection.region_names import (
    MOST_REGIONS,
    ContextTable,
    central_words,
    count_contexts,
    is_flat,
    name_regions,
)
from workbench.analysis.projection.region_survival import region_survival
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.regions import OtherSeeds, RegionLabel, RegionLayer, RegionShading
from workbench.vectors.embeddings import Embeddings

# Maximum number of tokens of a corpus whose contexts are counted only for names.
_COUNTED = 5_000_000
# Number of words, drawn at random, on which the trustworthiness of regions is measured.
_JUDGED = 2_000
_NAMED, _CENTRAL = 2, 4

VectorsLoader = Callable[[], Embeddings]


@dataclass(frozen=True, eq=False)
class LayoutRegions:
    """The regions of a layout."""

    layout: MapLayout
    grid: DensityGrid
    regions: Regions


def find_layout_regions(layout: MapLayout) -> LayoutRegions:
    """Regions that divide a 2D layout; takes milliseconds."""
    grid = density(layout.positions)
    regions = find_regions(layout.positions, grid, MOST_REGIONS)
    return LayoutRegions(layout, grid, dividing_regions(regions))


def shade_by_region(found: LayoutRegions) -> RegionShading:
    """Regions named by their central words."""
    return _shade(found, None, None, None)


def describe_regions(
    found: LayoutRegions,
    corpus: Corpus | None,
    seeds: Sequence[VectorsLoader] | None,
    run: JobControl,
) -> RegionShading:
    """The same regions with the contexts that their words share, their trustworthiness, and whether
    they survive other seeds.

    corpus : corpus that the model was trained on; None if it isn't open
    seeds : functions that load the vectors of runs that differ only in their seed; None if seeds
    can't be compared. Raises Cancelled.
    """
    layout = found.layout
    table = None
    if corpus is not None and corpus.tokens <= _COUNTED:
        table = count_contexts(corpus, layout.request.embeddings, len(layout.words), run)
        table = _for_layout(table, layout)
    judged = quality(layout.request.unit_vectors, layout.positions, limit=_JUDGED, run=run)
    labels = found.regions.labels[judged.rows]
    inside = labels >= 0
    sums = np.bincount(
        labels[inside], judged.local_trustworthiness[inside], minlength=found.regions.number
    )
    numbers = np.bincount(labels[inside], minlength=found.regions.number)
    with np.errstate(invalid="ignore"):
        trust = sums / numbers
    return _shade(found, table, trust, _other_seeds(found, seeds, run))


def _other_seeds(
    found: LayoutRegions, seeds: Sequence[VectorsLoader] | None, run: JobControl
) -> list[OtherSeeds] | None:
    """Each region in runs with other seeds. Vectors that can't be read are left out."""
    if seeds is None or not found.regions.number:
        return None
    models = []
    for load in seeds:
        run.check()
        with suppress(UserError):
            models.append(load())
    regions = found.regions
    survival = region_survival(found.layout.words, regions.labels, regions.number, models)
    columns = (survival.survived.tolist(), survival.mean_shares.tolist())
    return [
        OtherSeeds(survival.seeds, survived, share) if np.isfinite(share) else OtherSeeds(0)
        for survived, share in zip(*columns, strict=True)
    ]


def _for_layout(table: ContextTable, layout: MapLayout) -> ContextTable:
    """The table with rows for the layout's words, which may be a selection of the model's."""
    row_of = {word: row for row, word in enumerate(table.words)}
    rows = np.array([row_of.get(word, -1) for word in layout.words], dtype=np.int64)
    return ContextTable(table.counts, table.words, rows, table.strength)


def _shade(
    found: LayoutRegions,
    table: ContextTable | None,
    trust: npt.NDArray[np.float64] | None,
    seeds: Sequence[OtherSeeds] | None,
) -> RegionShading:
    layout, regions = found.layout, found.regions
    unit = layout.request.unit_vectors
    named = name_regions(unit, regions, table, _CENTRAL)
    labels = []
    for number, region in enumerate(named):
        judged = None
        if trust is not None and np.isfinite(trust[number]):
            judged = float(trust[number])
        survival = None
        if seeds is not None:
            survival = seeds[number]
        labels.append(
            RegionLabel(
                ", ".join(layout.words[row] for row in region.words[:_NAMED]),
                ", ".join(word for word, _ in region.contexts),
                tuple(
                    layout.words[row] for row in np.flatnonzero(regions.labels == number).tolist()
                ),
                judged,
                tuple(layout.words[row] for row in region.words),
                survival,
            )
        )
    layer = RegionLayer(found.grid, regions, layout.positions, labels)
    colours = np.append(layer.colours, 6).astype(np.uint8)
    texts = [labels[label].name if label >= 0 else "" for label in regions.labels.tolist()]
    rank, nameless = _word_orders(found, table)
    return RegionShading(colours[regions.labels], tr("Regions"), texts, layer, rank, nameless)


def _word_orders(
    found: LayoutRegions, table: ContextTable | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Two int64[n], the priority of each word for labels: central words of regions, then by
    frequency, then function words. In the first, words that names of regions already contain come
    last.
    """
    size = len(found.layout.words)
    unit = found.layout.request.unit_vectors
    rank = np.arange(size, dtype=np.int64) + size
    strength = None
    if table is not None:
        strength = table.strength_of_layout()
        rank[is_flat(strength)] += size
    central = central_words(unit, found.regions.labels, found.regions.number, _CENTRAL, strength)
    nameless = rank.copy()
    for words in central:
        for place, row in enumerate(words):
            nameless[row] = place
            if place < _NAMED:
                rank[row] += 2 * size
            else:
                rank[row] = place
    return rank, nameless
