"""Map layouts computed from vectors: PCA, UMAP, word axes, the plane of an analogy, pairs of
models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.before_after import BeforeAfter, before_after
from workbench.analysis.projection.methods import UmapParams, pca
from workbench.analysis.projection.planes import analogy_plane, turned_towards
from workbench.analysis.projection.word_axes import WordAxis, axes_plane, axis_strip
from workbench.core.arrays import Singles
from workbench.core.job_control import JobControl
from workbench.session.selection.words import AnalogyShown
from workbench.vectors.embeddings import Embeddings

PCA, UMAP, PLANE, AXES, PCA_3D, UMAP_3D, PAIR = (
    "pca",
    "umap",
    "plane",
    "axes",
    "pca-3d",
    "umap-3d",
    "pair",
)
# Layouts whose words have the colours that the map's regions give them: those without a density of
# their own, and in 3D, where a density hides the words behind it.
BORROWING = (PLANE, PCA_3D, UMAP_3D)
# The horizontal and the vertical axis; a direction without an axis shows the frequency of words.
MapAxes = tuple[WordAxis | None, WordAxis | None]
# Layout that is shown while UMAP is still being computed.
FIRST = {UMAP: PCA, UMAP_3D: PCA_3D}


@dataclass(frozen=True)
class LayoutRequest:
    """Contents of the map: a model's first words, laid out in some way.

    identifier : of the run, to find a layout again
    limit : number of words, 0 for all
    live : the model is still learning
    rows : ascending rows of the only words to show; None for the first words
    without_vector : number of words left out because their vector is zero
    axes : one or two word axes, for AXES
    other : the second run, its vectors, and the method of both layouts, for PAIR
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

    @property
    def unit_vectors(self) -> Singles | sp.csr_matrix:
        """Unit vectors of the words shown."""
        return self.embeddings.unit[self.visible_rows]

    def key(self, method: str) -> tuple[object, ...]:
        bends = method in FIRST or (self.other is not None and self.other[2] in FIRST)
        return (
            self.identifier,
            method,
            self.count,
            self.rows,
            self.umap if bends else None,
            self.analogy if method == PLANE else None,
            self.axes if method == AXES else None,
            (self.other[0], self.other[2]) if method == PAIR and self.other is not None else None,
        )


@dataclass(frozen=True, eq=False)
class MapLayout:
    """Words with their positions.

    positions : float32[n, 2 or 3]
    values : float32[n], logarithm of the frequency, scaled from 0 (rarest) to 1 (most frequent)
    method : layout method; PCA while UMAP is still being computed
    target : predicted position of the analogy, in its own plane
    shown : share of variance (PCA) or of the analogy (plane) that the map shows; the cosine between
    two word axes; None if it has no meaning
    pair : the two layouts that words move between; the first has these ``positions``
    """

    request: LayoutRequest
    words: Sequence[str]
    positions: Singles
    values: Singles
    method: str
    target: tuple[float, float] | None = None
    shown: float | None = None
    pair: BeforeAfter | None = None


def with_positions(base: MapLayout, positions: Singles) -> MapLayout:
    """Return the layout with UMAP's positions so far."""
    return MapLayout(base.request, base.words, positions, base.values, base.request.method)


def project_words(request: LayoutRequest, turn: Singles | None) -> MapLayout:
    """Project unit vectors by PCA, or onto a plane given by words.

    turn : positions of the same words, to which PCA is aligned
    """
    embeddings = request.embeddings
    words = list(embeddings.words[: request.count])
    if request.rows is not None:
        words = [embeddings.words[row] for row in request.rows]
    values = frequency_values(embeddings, np.arange(len(embeddings))[request.visible_rows])
    analogy = request.analogy
    if request.method == PLANE and analogy is not None:
        rows = [embeddings.row(word) for word in (analogy.a, analogy.b, analogy.c, analogy.answer)]
        plane = analogy_plane(embeddings.unit, rows)
        return MapLayout(
            request,
            words,
            plane.positions[request.visible_rows],
            values,
            PLANE,
            plane.target,
            plane.shown,
        )
    if request.method == AXES and request.axes is not None:
        across, up = request.axes
        if across is not None and up is not None:
            seen = axes_plane(embeddings, across, up, request.visible_rows)
            return MapLayout(request, words, seen.positions, values, AXES, shown=seen.meeting)
        axis = across or up
        assert axis is not None
        strip = axis_strip(embeddings, axis, values, request.visible_rows, upright=across is None)
        return MapLayout(request, words, strip, values, AXES)
    unit = request.unit_vectors
    solid = request.method in (PCA_3D, UMAP_3D)
    positions = pca(unit, 3 if solid else 2)
    shown = _explained_variance(unit, positions)
    if turn is not None and turn.shape == positions.shape:
        positions = turned_towards(positions, turn)
    return MapLayout(request, words, positions, values, PCA_3D if solid else PCA, shown=shown)


def project_pair(request: LayoutRequest, run: JobControl) -> MapLayout:
    """Project the words of two models into one map."""
    assert request.other is not None
    _, other, method = request.other
    words = None
    if request.rows is not None:
        words = [request.embeddings.words[row] for row in request.rows]
    params = None
    if method == UMAP:
        params = request.umap
    pair = before_after(request.embeddings, other, request.count, words, params, run)
    values = np.linspace(1, 0, len(pair.words), dtype=np.float32)
    return MapLayout(request, pair.words, pair.before, values, PAIR, pair=pair)


def _explained_variance(unit: Singles | sp.csr_matrix, positions: Singles) -> float:
    """Share of the vectors’ variance that the positions keep."""
    mean = np.asarray(unit.mean(axis=0), dtype=np.float64).ravel()
    squares = (
        float((unit**2).sum()) if isinstance(unit, np.ndarray) else float(unit.multiply(unit).sum())
    )
    total = squares - unit.shape[0] * float(mean @ mean)
    if total > 0:
        return float((positions.astype(np.float64) ** 2).sum() / total)
    return 1.0


def frequency_values(embeddings: Embeddings, rows: npt.NDArray[np.int64]) -> Singles:
    """float32[n] in 0..1: ``MapLayout.values`` of these rows; by rank if counts are unknown."""
    counts = embeddings.counts
    weight = 1.0 / (rows + 1)
    if counts is not None:
        weight = np.maximum(counts[rows], 1).astype(np.float64)
    logs = np.log(weight)
    span = 0.0
    if len(rows):
        span = float(np.ptp(logs))
    return np.asarray(
        (logs - logs.min()) / span if span > 0 else np.full(len(rows), 0.5), dtype=np.float32
    )
