"""A UMAP layout with its intermediate positions."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.projection.copies import distinct_rows
from workbench.analysis.projection.fuzzy_graph import curve_parameters, draw_periods, fuzzy_graph
from workbench.analysis.projection.planes import turned_across
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.umap_layout import Graph, move_points
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.param_labels import param_name, quoted_param
from workbench.core.params import Params, param, redeclare
from workbench.models.params import SharedParams

# Positions are for viewing: publishing them more often would only cost copies.
_SECONDS_BETWEEN_FRAMES = 0.04
# Without noise, points that coincide would never separate.
_NOISE = 1e-4


@dataclass(frozen=True)
class UmapParams(Params):
    """Settings of a UMAP layout, with umap-learn's names.

    More neighbours than umap-learn's 15 keep regions together. A minimum distance of 0.25 leaves
    room for words; with 0.6, trustworthiness on novels would be .83 instead of .87.
    """

    n_neighbors: int = param(
        30,
        "Number of nearest neighbours that UMAP considers for each word, including the "
        "word itself.",
        label="Neighbours",
        low=2,
        high=200,
        unit="words",
        grows="more global structure, less local detail",
        source="umap-learn: 15",
        basic=True,
    )
    min_dist: float = param(
        0.25,
        "Minimum distance between points on the map.",
        label="Minimum distance",
        low=0.0,
        high=10.0,
        grows="looser clusters",
        source="umap-learn: 0.1",
        basic=True,
    )
    spread: float = param(
        1.0,
        "Scale on which points are spread out.",
        label="Spread",
        low=0.0,
        low_open=True,
        high=10.0,
        source="umap-learn",
    )
    n_epochs: int = param(
        0,
        "Number of epochs of the layout. 0 = 500 for up to 10,000 words, 200 for more.",
        label="Epochs",
        low=0,
        high=10_000,
        unit="epochs",
        grows="more stable map; slower",
        source="umap-learn: 500 or 200",
    )
    negative_sample_rate: int = param(
        5,
        "Number of random points pushed away for each neighbour pulled closer.",
        label="Negative samples",
        low=1,
        high=100,
        source="umap-learn",
    )
    limit: int = param(
        20_000,
        "Maximum number of words on the map, the most frequent first.",
        label="Limit",
        low=4,
        high=1_000_000,
        unit="words",
        grows="rarer words on the map; slower",
        basic=True,
    )
    seed: int = redeclare(
        SharedParams,
        "seed",
        42,
        "",
        doc="Random seed. The same seed gives the same map.",
        high=2**32 - 1,
    )

    def conflicts(self) -> dict[str, str]:
        if self.min_dist > self.spread:
            return {
                "min_dist": tr(
                    "{name} must be at most {other} ({spread:g}).",
                    name=param_name("min_dist"),
                    other=quoted_param("spread"),
                    spread=self.spread,
                )
            }
        return {}

    def epochs(self, words: int) -> int:
        """Number of epochs for this number of words."""
        return self.n_epochs or (500 if words <= 10_000 else 200)


def umap(
    vectors_unit: Singles | sp.csr_matrix,
    params: UmapParams | None = None,
    run: JobControl | None = None,
    start: Singles | None = None,
    dims: int = 2,
) -> Singles:
    """A UMAP layout of the first ``params.limit`` words under cosine distance: float32[n, dims].

    vectors_unit : [V, d], unit rows, most frequent first, dense or CSR
    start : float32[≥ n, dims], initial positions; None: PCA. They are stretched to 0..10 on each
    axis.
    dims : 2 or 3; that of ``start`` if there is one

    Positions are published as "positions" (float32[n, dims]) several times a second. ``run.stop``
    returns the current ones; a complete layout in the plane is finally rotated to be wide, like
    windows and pages. Words with equal vectors have one place. Neighbours are exact. The same seed
    gives the same layout on the same machine. Raises UserError for fewer than four words, and
    Cancelled.

    The steps are those of umap-learn with exact neighbours (McInnes, Healy & Melville 2018).
    """
    params = params or UmapParams()
    run = run or JobControl()
    unit = vectors_unit[: params.limit]
    size = unit.shape[0]
    if size < 4:
        raise UserError(
            tr("UMAP needs at least four words, but only {size} are shown.", size=size),
            tr("Show more words."),
        )
    first, group = distinct_rows(unit)
    if len(first) < 4:
        first = group = np.arange(size)
    if len(first) < size:
        # Copies would be each other's only neighbours, and scatter.
        size, unit = len(first), unit[first]
        start = None if start is None else start[first]
    positions = stretched(pca(unit, dims) if start is None else start[:size])
    run.advance(None, tr("Computing the map"))
    edges = _edges(unit, params, run)
    a, b = curve_parameters(params.spread, params.min_dist)
    noise = np.random.RandomState(params.seed).normal(scale=_NOISE, size=positions.shape)
    moving = np.ascontiguousarray(positions + noise, dtype=np.float32)
    epochs = params.epochs(size)
    last_frame = time.monotonic()
    for epoch in move_points(
        moving, edges, a, b, epochs, params.negative_sample_rate, params.seed, run.check
    ):
        now = time.monotonic()
        if epoch < epochs and now - last_frame < _SECONDS_BETWEEN_FRAMES:
            continue
        last_frame = now
        positions = moving.copy()
        run.publish("positions", positions[group])
        run.advance(
            epoch / epochs,
            tr("Computing the map, epoch {epoch:,} of {epochs:,}", epoch=epoch, epochs=epochs),
        )
        if run.stopping:
            break
    if positions.shape[1] == 2 and not run.stopping:
        positions = turned_across(positions)
        run.publish("positions", positions[group])
    return positions[group]


def _edges(unit: Singles | sp.csr_matrix, params: UmapParams, run: JobControl) -> Graph:
    """The graph of the exact nearest neighbours, without edges that would never be drawn."""
    size = unit.shape[0]
    rows, cosines = all_nearest(unit, params.n_neighbors - 1, run)
    itself = np.arange(size, dtype=np.int32)[:, None]
    neighbours = np.hstack([itself, rows])
    distances = np.hstack([np.zeros((size, 1), np.float32), np.maximum(1 - cosines, 0)])
    weights = fuzzy_graph(neighbours, distances, run.check).tocoo()
    drawn = weights.data >= weights.data.max() / params.epochs(size)
    return Graph(
        weights.row[drawn].astype(np.int32),
        weights.col[drawn].astype(np.int32),
        draw_periods(weights.data[drawn], params.epochs(size)),
    )


def stretched(positions: Singles) -> Singles:
    """Positions stretched to a square of 0..10, like the initial ones of umap-learn."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    return np.asarray(
        10 * (positions - low) / np.where(high > low, high - low, 1), dtype=np.float32
    )
