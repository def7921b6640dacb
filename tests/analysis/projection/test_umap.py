"""PCA and UMAP as a whole; ``umap_layout`` and ``fuzzy_graph`` have their own tests."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from umaps import umap_learn

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.projection import principal_axes
from workbench.analysis.projection import umap as umap_module
from workbench.analysis.projection.fuzzy_graph import fuzzy_graph
from workbench.analysis.projection.planes import turned_across
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.quality import quality
from workbench.analysis.projection.umap import UmapParams, stretched, umap
from workbench.core.errors import Cancelled, ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings


def expected_pca(table: np.ndarray, dims: int) -> np.ndarray:
    centred = table.astype(np.float64) - table.astype(np.float64).mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes[:dims]
    signs = np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])
    return centred @ (axes * signs[:, None]).T


def cloud(size: int, dim: int, seed: int = 1) -> np.ndarray:
    """Points whose variance decreases from axis to axis, rotated and shifted from the origin."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(dim, dim)))
    spread = 3.0 * 0.6 ** np.arange(dim)
    return ((rng.normal(size=(size, dim)) * spread) @ turn + 5).astype(np.float32)


@pytest.mark.parametrize(
    ("size", "dim", "dims"), [(200, 10, 2), (200, 10, 3), (9000, 4, 2), (5, 20, 2)]
)
def test_pca_is_the_svd_of_the_centred_table(size: int, dim: int, dims: int) -> None:
    table = cloud(size, dim)
    found = pca(table, dims)
    assert found.dtype == np.float32
    assert found.shape == (size, dims)
    np.testing.assert_allclose(found, expected_pca(table, dims), atol=2e-4)


@pytest.mark.parametrize("kind", ["wide", "sparse"])
def test_pca_without_the_covariance(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(principal_axes, "_WIDEST_EXACT", 10)
    table = cloud(150, 40)
    table[np.abs(table) < 4] = 0
    found = pca(table if kind == "wide" else sp.csr_matrix(table), 2)
    expected = expected_pca(table, 2)
    # Close singular values leave single axes undetermined, but not their span.
    gram, wanted = found @ found.T, expected @ expected.T
    np.testing.assert_allclose(gram, wanted, atol=1e-3 * np.abs(wanted).max())
    assert np.array_equal(found, pca(table if kind == "wide" else sp.csr_matrix(table), 2))


def test_pca_of_little(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pca(np.ones((1, 5), np.float32)).tolist() == [[0, 0]]
    found = pca(np.array([[1], [3]], np.float32))
    assert found.tolist() == [[-1, 0], [1, 0]]
    assert not pca(np.ones((6, 4), np.float32)).any()


def test_umap_parameters() -> None:
    assert UmapParams().epochs(10_000) == 500
    assert UmapParams().epochs(10_001) == 200
    assert UmapParams(n_epochs=7).epochs(10) == 7
    with pytest.raises(ParameterError, match="min_dist"):
        UmapParams(min_dist=2.0, spread=1.0)


# -- UMAP


class Recorder(JobControl):
    """Control that records every frame."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[np.ndarray] = []

    def publish(self, name: str, value: np.ndarray) -> None:
        super().publish(name, value)
        assert name == "positions"
        self.frames.append(value)


def blobs(clusters: int = 5, each: int = 40, dim: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors in clusters that overlap in the first two axes, and the cluster of each."""
    rng = np.random.default_rng(9)
    centres = rng.normal(size=(clusters, dim))
    labels = np.tile(np.arange(clusters), each)
    table = centres[labels] + 0.25 * rng.normal(size=(len(labels), dim))
    return np.asarray(
        Embeddings([str(i) for i in range(len(labels))], table.astype(np.float32)).unit
    ), labels


def purity(positions: np.ndarray, labels: np.ndarray, k: int = 10) -> float:
    """Share of the k nearest points in the plane that belong to the same cluster."""
    far = np.linalg.norm(positions[:, None] - positions[None], axis=-1)
    near = np.argsort(far, axis=1)[:, 1 : k + 1]
    return float((labels[near] == labels[:, None]).mean())


def test_umap_moves_points_to_their_neighbours() -> None:
    unit, labels = blobs()
    start = np.random.default_rng(1).uniform(-1, 1, size=(len(unit), 2)).astype(np.float32)
    run = Recorder()
    positions = umap(unit, UmapParams(n_epochs=200, n_neighbors=12), run, start)
    assert positions.shape == (len(unit), 2)
    assert positions.dtype == np.float32
    assert np.isfinite(positions).all()
    assert len(run.frames) >= 2
    # The stretched start isn't published: it is still PCA's layout, not UMAP's.
    assert not any(frame.min() == 0 and frame.max() == 10 for frame in run.frames)
    assert np.array_equal(run.frames[-1], positions)
    # The finished layout is horizontal.
    assert np.array_equal(turned_across(positions), positions)
    assert purity(start, labels) < 0.4
    assert purity(positions, labels) > 0.95
    assert run.progress.fraction == 1
    # The same input again, then only the most frequent words of a sparse table, starting from PCA.
    assert np.array_equal(
        umap(unit, UmapParams(n_epochs=200, n_neighbors=12), None, start), positions
    )
    few = umap(sp.csr_matrix(unit), UmapParams(n_epochs=20, limit=50), None)
    assert few.shape == (50, 2)
    other = umap(unit, UmapParams(n_epochs=200, n_neighbors=12, seed=43), None, start)
    assert not np.array_equal(other, positions)


class CancelsItself(Recorder):
    """Recorder that cancels the job at the second frame."""

    def publish(self, name: str, value: np.ndarray) -> None:
        super().publish(name, value)
        if len(self.frames) == 2:
            self.cancel()


class StopsItself(Recorder):
    def publish(self, name: str, value: np.ndarray) -> None:
        super().publish(name, value)
        if len(self.frames) == 2:
            self.stop()


ENDLESS = UmapParams(n_epochs=10_000, n_neighbors=12)


def test_cancelling_ends_it_at_once() -> None:
    unit, _ = blobs()
    run = CancelsItself()
    with pytest.raises(Cancelled):
        umap(unit, ENDLESS, run)
    assert len(run.frames) == 2


def test_stopping_keeps_what_there_is() -> None:
    unit, _ = blobs()
    run = StopsItself()
    positions = umap(unit, ENDLESS, run)
    assert np.array_equal(positions, run.frames[1])
    assert not np.array_equal(positions, run.frames[0])


def test_what_umap_cannot_do_is_a_sentence() -> None:
    with pytest.raises(UserError, match="at least four words"):
        umap(np.eye(3, dtype=np.float32))
    same = umap(np.ones((6, 3), np.float32), UmapParams(n_epochs=5), None)
    assert np.isfinite(same).all()
    four = umap(np.eye(4, dtype=np.float32), UmapParams(n_epochs=5), None)
    assert np.isfinite(four).all()


@pytest.mark.filterwarnings("ignore")
def test_umap_is_as_true_to_the_neighbours_as_umap_learn() -> None:
    """Layouts from the same start, for three seeds; only the random numbers differ."""
    peer = umap_learn()
    unit, _ = blobs(clusters=12, each=30)
    far = 1 - unit @ unit.T
    np.fill_diagonal(far, 0)
    start = pca(unit)
    own, theirs = [], []
    for seed in (1, 2, 3):
        params = UmapParams(n_epochs=200, n_neighbors=10, seed=seed)
        layout = umap(unit, params, None, start)
        own.append(quality(unit, layout, 10).trustworthiness)
        neighbours = np.argsort(far, axis=1)[:, :10]
        graph, _, _ = peer.fuzzy_simplicial_set(
            unit,
            10,
            np.random.RandomState(seed),
            "precomputed",
            knn_indices=neighbours.astype(np.int32),
            knn_dists=np.take_along_axis(far, neighbours, axis=1).astype(np.float32),
        )
        reference, _ = peer.simplicial_set_embedding(
            unit,
            graph,
            n_components=2,
            initial_alpha=1.0,
            a=1.577,
            b=0.895,
            gamma=1.0,
            negative_sample_rate=5,
            n_epochs=200,
            init=stretched(start),
            random_state=np.random.RandomState(seed),
            metric="euclidean",
            metric_kwds={},
            densmap=False,
            densmap_kwds={},
            output_dens=False,
        )
        theirs.append(quality(unit, reference, 10).trustworthiness)
    spread = max(np.ptp(theirs), 0.01)
    assert abs(np.mean(own) - np.mean(theirs)) <= spread


def test_the_graph_is_of_exact_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Column 0 is the point itself at distance 0; the others are sorted by descending cosine."""
    unit, _ = blobs()
    seen = []

    def listen(neighbours, distances, check):
        seen.append((neighbours, distances))
        return fuzzy_graph(neighbours, distances, check)

    monkeypatch.setattr(umap_module, "fuzzy_graph", listen)
    umap(unit, UmapParams(n_neighbors=6, n_epochs=1))
    neighbours, distances = seen[0]
    rows, cosines = all_nearest(unit, 5)
    assert np.array_equal(neighbours[:, 0], np.arange(200))
    assert np.array_equal(neighbours[:, 1:], rows)
    assert not distances[:, 0].any()
    np.testing.assert_allclose(distances[:, 1:], np.maximum(1 - cosines, 0))
    assert distances.dtype == np.float32
