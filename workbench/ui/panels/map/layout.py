"""Map layouts: the methods that the map offers, from the registry of projections, and what they
compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.before_after import BeforeAfter
from workbench.analysis.projection.methods import PROJECTIONS, Need, Projection
from workbench.analysis.projection.planes import turned_towards
from workbench.analysis.projection.space import MapAxes, Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.word_groups import WordGroups
from workbench.core.arrays import Ints, Singles
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.selection.words import AnalogyShown
from workbench.vectors.embeddings import Embeddings

PCA, UMAP, PLANE, AXES, PAIR = "pca", "umap", "plane", "axes", "pair"
_SOLID = "-3d"
PCA_3D, UMAP_3D = PCA + _SOLID, UMAP + _SOLID


@dataclass(frozen=True)
class MapMethod:
    """An entry of the map’s list of methods: a projection with its number of dimensions."""

    key: str
    title: str
    help: str
    projection: type[Projection]
    dims: int
    order: float


def map_methods() -> dict[str, MapMethod]:
    """Every projection, also in 3D; those that compare two models are one entry, Before/after."""
    found = []
    for kind in PROJECTIONS:
        if Need.OTHER in kind.needs and kind.key != PAIR:
            continue
        if 2 in kind.dims:
            found.append(MapMethod(kind.key, kind.title, kind.help, kind, 2, kind.order))
        if 3 in kind.dims:
            title = tr("3D by {method}", method=kind.short or kind.title)
            tip = tr(
                "{title} in three dimensions. Drag to turn it, or press T to let it turn.",
                title=kind.title,
            )
            order = _SOLID_ORDER + kind.order / 100
            found.append(MapMethod(kind.key + _SOLID, title, tip, kind, 3, order))
    return {one.key: one for one in sorted(found, key=lambda one: one.order)}


# Layouts in 3D follow the flat ones of one model.
_SOLID_ORDER = PROJECTIONS[PAIR].order - 5
METHODS = map_methods()
# Layouts of two models, by the key of their projection.
PAIRS = {kind.key: kind for kind in PROJECTIONS if Need.OTHER in kind.needs}
# Layouts whose words have the colours that the map's regions give them: those without a density of
# their own, and in 3D, where a density hides the words behind it.
BORROWING = (PLANE, *(key for key, method in METHODS.items() if method.dims == 3))
# Layout that is shown while a slower one is still being computed.
FIRST = {
    key: PCA if method.dims == 2 else PCA_3D
    for key, method in METHODS.items()
    if method.projection.moves
}


@dataclass(frozen=True)
class LayoutRequest:
    """Contents of the map: a model's first words, laid out in some way.

    identifier : of the run, to find a layout again
    limit : number of words, 0 for all
    live : the model is still learning
    rows : ascending rows of the only words to show; None for the first words
    without_vector : number of words left out because their vector is zero
    groups : of words, for a supervised layout
    axes : one or two word axes, for AXES
    other : the second run, its vectors, and the key of the projection of both, for PAIR
    """

    identifier: str
    embeddings: Embeddings
    method: str
    limit: int
    umap: UmapParams
    analogy: AnalogyShown | None = None
    live: bool = False
    rows: tuple[int, ...] | None = None
    axes: MapAxes | None = None
    other: tuple[str, Embeddings, str] | None = None
    without_vector: int = 0
    groups: WordGroups | None = None

    @property
    def projection(self) -> type[Projection]:
        if self.method == PAIR and self.other is not None:
            return PAIRS[self.other[2]]
        return METHODS[self.method].projection

    @property
    def dims(self) -> int:
        return METHODS[self.method].dims

    @property
    def count(self) -> int:
        if self.rows is not None:
            return len(self.rows)
        return min(self.limit or len(self.embeddings), len(self.embeddings))

    @property
    def visible_rows(self) -> list[int] | slice:
        """Rows of the embeddings that are shown."""
        if self.rows is None:
            return slice(self.count)
        return list(self.rows)

    def space(self, start: Singles | None = None) -> Space:
        """What the projection works on."""
        analogy = None
        if self.analogy is not None:
            shown = self.analogy
            analogy = (shown.a, shown.b, shown.c, shown.answer)
        return Space(
            self.embeddings,
            self.visible_rows,
            self.dims,
            start,
            self.axes,
            analogy,
            other=None if self.other is None else self.other[1],
            groups=self._group_numbers(),
        )

    def _group_numbers(self) -> Ints | None:
        if self.groups is None:
            return None
        shown = np.arange(len(self.embeddings))[self.visible_rows].tolist()
        return self.groups.numbers(self.embeddings, [self.embeddings.words[row] for row in shown])

    @property
    def unit_vectors(self) -> Singles | sp.csr_matrix:
        """Unit vectors of the words shown."""
        return self.embeddings.unit_of(self.visible_rows)

    def key(self, method: str) -> tuple[object, ...]:
        projection = METHODS[method].projection
        if method == PAIR and self.other is not None:
            projection = PAIRS[self.other[2]]
        return (
            self.identifier,
            method,
            self.count,
            self.rows,
            self.umap if projection.params_type is not None else None,
            self.analogy if method == PLANE else None,
            self.axes if method == AXES else None,
            (self.other[0], self.other[2]) if method == PAIR and self.other is not None else None,
            self.groups if Need.GROUPS in projection.needs else None,
        )


@dataclass(frozen=True, eq=False)
class MapLayout:
    """Words with their positions.

    positions : float32[n, 2 or 3]
    values : float32[n], logarithm of the frequency, scaled from 0 (rarest) to 1 (most frequent)
    method : layout method; PCA while a slower one is still being computed
    target, shown, pair : see ``Projected``
    """

    request: LayoutRequest
    words: Sequence[str]
    positions: Singles
    values: Singles
    method: str
    target: tuple[float, float] | None = None
    shown: float | None = None
    pair: BeforeAfter | None = None

    @property
    def title(self) -> str:
        """The method that is drawn; of two models, with how both are laid out."""
        title = METHODS[self.method].title
        if self.pair is None or self.request.other is None:
            return title
        return f"{title} · {PAIRS[self.request.other[2]].short}"

    @property
    def runs(self) -> list[str]:
        """Identifiers of the runs that are drawn: one or two."""
        # Rebuilt vectors have the number of their modes behind the identifier.
        drawn = [self.request.identifier.partition(" ")[0]]
        if self.pair is not None and self.request.other is not None:
            drawn.append(self.request.other[0])
        return drawn


def is_glide(before: MapLayout | None, layout: MapLayout, computing: bool) -> bool:
    """Whether the change of layout is one continuous motion: between two finished layouts, or to
    the plane of an analogy and from it. ``computing``: the layout is still being computed.
    """
    if before is None or before.positions is layout.positions or layout.request.live:
        return False
    other = before.method != layout.method and not before.request.live
    return PLANE in (before.method, layout.method) or (other and not computing)


def with_positions(base: MapLayout, positions: Singles) -> MapLayout:
    """Return the layout with the positions of its slow method so far."""
    return MapLayout(base.request, base.words, positions, base.values, base.request.method)


def project_words(request: LayoutRequest, turn: Singles | None) -> MapLayout:
    """Project the words at once: by PCA if the method of the request takes longer.

    turn : positions of the same words, to which PCA is aligned
    """
    method = FIRST.get(request.method, request.method)
    space = request.space()
    found = METHODS[method].projection.project(space, request.umap)
    positions = found.positions
    if method in FIRST.values() and turn is not None and turn.shape == positions.shape:
        found = Projected(turned_towards(positions, turn), found.shown)
    return _layout(request, space, found, method)


def project_pair(request: LayoutRequest, run: JobControl) -> MapLayout:
    """Project the words of two models into one map."""
    space = request.space()
    found = request.projection.project(space, request.umap, run)
    assert found.pair is not None
    values = np.linspace(1, 0, len(found.pair.words), dtype=np.float32)
    return MapLayout(
        request, found.pair.words, found.positions, values, PAIR, found.target, pair=found.pair
    )


def _layout(request: LayoutRequest, space: Space, found: Projected, method: str) -> MapLayout:
    return MapLayout(
        request, space.words, found.positions, space.frequencies, method, found.target, found.shown
    )
