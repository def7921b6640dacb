"""Colours and names of the map by its regions, and how many levels of them a text supports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from workbench.analysis.projection.communities import Levels, nested_communities
from workbench.analysis.projection.context_lift import (
    ALIKE,
    FEWEST,
    mean_cosine,
    supported_levels,
)
from workbench.analysis.projection.density import DensityGrid, density
from workbench.analysis.projection.quality import Quality, quality
from workbench.analysis.projection.region_names import (
    ContextTable,
    central_words,
    count_contexts,
    is_flat,
    name_regions,
    short_name,
)
from workbench.analysis.projection.region_survival import region_survival
from workbench.analysis.projection.regions import Regions, regions_of
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.colour_scheme import REGION_HUES
from workbench.ui.widgets.map.regions import (
    OtherSeeds,
    RegionLabel,
    RegionLayer,
    RegionLevel,
    RegionShading,
)
from workbench.vectors.embeddings import Embeddings

# Maximum number of tokens of a corpus whose contexts are counted only for names.
_COUNTED = 5_000_000
# Number of words, drawn at random, on which the trustworthiness of regions is measured.
_JUDGED = 2_000
# Numbers of words in a name on the map and in its tooltip.
_NAMED, _CENTRAL = 3, 5

VectorsLoader = Callable[[], Embeddings]


@dataclass(frozen=True, eq=False)
class SpaceRegions:
    """What regions of a layout need and its positions don't change.

    words : those of the layout; corpus : the text whose contexts were counted, None without one
    supported : number of levels that the text supports, 0 to 3
    alike : whether the vectors point in similar directions, as after too few epochs
    """

    embeddings: Embeddings
    words: tuple[str, ...]
    corpus: Corpus | None
    levels: Levels
    table: ContextTable | None
    supported: int
    alike: bool

    def belongs_to(self, layout: MapLayout, corpus: Corpus | None) -> bool:
        same = self.embeddings is layout.request.embeddings and self.corpus is corpus
        return same and self.words == tuple(layout.words)


@dataclass(frozen=True, eq=False)
class LayoutRegions:
    """The regions of a layout, as many levels as its text supports, from coarse to fine."""

    layout: MapLayout
    grid: DensityGrid
    space: SpaceRegions
    levels: tuple[Regions, ...]

    @property
    def coloured(self) -> int:
        """The level whose regions colour the words: the middle one if there is one."""
        return min(1, len(self.levels) - 1)


def find_space_regions(
    layout: MapLayout, corpus: Corpus | None, run: JobControl | None = None
) -> SpaceRegions:
    """Communities of the words of a layout, and whether their text supports them.

    corpus : corpus that the model was trained on; None if it isn't open. Raises Cancelled.
    """
    request = layout.request
    unit = request.unit_vectors
    levels = nested_communities(unit, run)
    table = None
    if corpus is not None and corpus.tokens <= _COUNTED:
        table = count_contexts(corpus, request.embeddings, len(layout.words), run)
        table = _for_layout(table, layout)
    supported = supported_levels(levels, table, _counts(layout))
    alike = mean_cosine(unit) > ALIKE
    words = tuple(layout.words)
    return SpaceRegions(request.embeddings, words, corpus, levels, table, supported, alike)


def find_layout_regions(
    layout: MapLayout, space: SpaceRegions | None = None, run: JobControl | None = None
) -> LayoutRegions:
    """Regions of a 2D layout. Without ``space``, its text isn't open."""
    space = space or find_space_regions(layout, None, run)
    levels: tuple[Regions, ...] = ()
    if space.supported:
        levels = regions_of(space.levels, layout.positions, space.supported)
    return LayoutRegions(layout, density(layout.positions), space, levels)


def enough_words(layout: MapLayout, limits: Sequence[int]) -> int | None:
    """The largest of ``limits`` below the number of words shown with which half of the words are
    frequent enough for regions; None if none is.
    """
    counts = layout.request.embeddings.counts
    if counts is None or layout.request.rows is not None:
        return None
    fewer = [limit for limit in limits if 0 < limit < len(layout.words)]
    enough = [limit for limit in fewer if float(np.median(counts[:limit])) >= FEWEST]
    return max(enough, default=None)


def shade_by_region(found: LayoutRegions) -> RegionShading:
    """Regions named by their central words and, where they are counted, by contexts."""
    return _shade(found, None, None)


def describe_regions(
    found: LayoutRegions, seeds: Sequence[VectorsLoader] | None, run: JobControl
) -> RegionShading:
    """The same regions with their trustworthiness, and whether they survive other seeds.

    seeds : functions that load the vectors of runs that differ only in their seed; None if seeds
    can't be compared. Raises Cancelled.
    """
    layout = found.layout
    judged = quality(layout.request.unit_vectors, layout.positions, limit=_JUDGED, run=run)
    models = None
    if seeds is not None:
        models = []
        for load in seeds:
            run.check()
            # Vectors that can't be read are left out.
            with suppress(UserError):
                models.append(load())
    return _shade(found, judged, models)


def _trust(regions: Regions, judged: Quality) -> Doubles:
    """float64[k], the mean trustworthiness of each region's words, NaN if none was measured."""
    labels = regions.labels[judged.rows]
    inside = labels >= 0
    local = judged.local_trustworthiness[inside]
    sums = np.bincount(labels[inside], local, minlength=regions.number)
    numbers = np.bincount(labels[inside], minlength=regions.number)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / numbers)


def _other_seeds(
    found: LayoutRegions, regions: Regions, models: Sequence[Embeddings]
) -> list[OtherSeeds]:
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


def _counts(layout: MapLayout) -> Doubles | None:
    """float64[n], the counts of the layout's words, None if they are unknown."""
    counts = layout.request.embeddings.counts
    if counts is None:
        return None
    return np.asarray(counts[layout.request.visible_rows], dtype=np.float64)


def _shade(
    found: LayoutRegions, judged: Quality | None, models: Sequence[Embeddings] | None
) -> RegionShading:
    size = len(found.layout.words)
    if not found.levels:
        # The words are grey and named by frequency.
        kinds = np.full(size, REGION_HUES, dtype=np.uint8)
        rank, nameless = _word_orders(found, None)
        return RegionShading(kinds, tr("Regions"), [""] * size, None, rank, nameless)
    levels = [
        RegionLevel(regions, _labels(found, regions, judged, models)) for regions in found.levels
    ]
    layer = RegionLayer(found.grid, levels, found.layout.positions, found.coloured).prepare()
    coloured = levels[found.coloured]
    texts = [
        coloured.labels[label].name if label >= 0 else ""
        for label in coloured.regions.labels.tolist()
    ]
    rank, nameless = _word_orders(found, coloured.regions)
    return RegionShading(layer.kinds, tr("Regions"), texts, layer, rank, nameless)


def _labels(
    found: LayoutRegions,
    regions: Regions,
    judged: Quality | None,
    models: Sequence[Embeddings] | None,
) -> tuple[RegionLabel, ...]:
    layout = found.layout
    unit = layout.request.unit_vectors
    named = name_regions(unit, regions, found.space.table, _CENTRAL, _counts(layout))
    trust: list[float | None] = [None] * regions.number
    if judged is not None:
        means = _trust(regions, judged).tolist()
        trust = [mean if np.isfinite(mean) else None for mean in means]
    seeds: Sequence[OtherSeeds | None] = [None] * regions.number
    if models is not None:
        seeds = _other_seeds(found, regions, models)
    return tuple(
        RegionLabel(
            short_name([layout.words[row] for row in region.words[:_NAMED]]),
            ", ".join(word for word, _ in region.contexts[:_NAMED]),
            tuple(layout.words[row] for row in np.flatnonzero(regions.labels == number).tolist()),
            trust[number],
            tuple(layout.words[row] for row in region.words),
            seeds[number],
        )
        for number, region in enumerate(named)
    )


def _word_orders(found: LayoutRegions, regions: Regions | None) -> tuple[Ints, Ints]:
    """Two int64[n], the priority of each word for labels: central words of regions, then by
    frequency, then function words. In the first, words that names of regions already contain come
    last.
    """
    size = len(found.layout.words)
    rank = np.arange(size, dtype=np.int64) + size
    strength = None
    if found.space.table is not None:
        strength = found.space.table.strength_of_layout()
        rank[is_flat(strength)] += size
    nameless = rank.copy()
    if regions is None:
        return rank, nameless
    unit = found.layout.request.unit_vectors
    counts = _counts(found.layout)
    central = central_words(unit, regions.labels, regions.number, _CENTRAL, strength, counts)
    for words in central:
        for place, row in enumerate(words):
            nameless[row] = place
            if place < _NAMED:
                rank[row] += 2 * size
            else:
                rank[row] = place
    return rank, nameless
