"""PCA, and UMAP in its process. One process serves the whole module."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
import scipy.sparse as sp

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.projection import methods
from workbench.analysis.projection.methods import UmapParams, UmapWorker, pca, umap
from workbench.analysis.projection.planes import turned_across
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
    """Points whose variance falls from axis to axis, turned and moved off the origin."""
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
    monkeypatch.setattr(methods, "_WIDEST_EXACT", 10)
    table = cloud(150, 40)
    table[np.abs(table) < 4] = 0
    found = pca(table if kind == "wide" else sp.csr_matrix(table), 2)
    expected = expected_pca(table, 2)
    # Close singular values make single axes uncertain; what they span together is not.
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


# -- the process


@pytest.fixture(scope="module")
def worker() -> Iterator[UmapWorker]:
    made = UmapWorker()
    # Before the first test, whose guard against processes left behind would otherwise count it.
    made.warm()
    yield made
    made.close()


class Recorder(JobControl):
    """Keeps every frame."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[np.ndarray] = []

    def publish(self, name: str, value: np.ndarray) -> None:
        super().publish(name, value)
        assert name == "positions"
        self.frames.append(value)


def blobs(clusters: int = 5, each: int = 40, dim: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors in clusters whose first two axes mix them up, and each one's cluster."""
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


def test_umap_moves_points_to_their_neighbours(worker: UmapWorker) -> None:
    unit, labels = blobs()
    start = np.random.default_rng(1).uniform(-1, 1, size=(len(unit), 2)).astype(np.float32)
    run = Recorder()
    positions = umap(unit, UmapParams(n_epochs=200, n_neighbors=12), run, worker, start)
    assert worker.ready
    assert positions.shape == (len(unit), 2)
    assert positions.dtype == np.float32
    assert np.isfinite(positions).all()
    assert len(run.frames) >= 2
    assert run.frames[0].min() == 0
    assert run.frames[0].max() == 10
    assert np.array_equal(run.frames[-1], positions)
    # The finished layout is laid across.
    assert np.array_equal(turned_across(positions), positions)
    assert purity(run.frames[0], labels) < 0.4
    assert purity(positions, labels) > 0.95
    assert run.progress.fraction == 1
    # The same once more, and only the most frequent words, from PCA, by another kind of table.
    assert np.array_equal(
        umap(unit, UmapParams(n_epochs=200, n_neighbors=12), None, worker, start), positions
    )
    few = umap(sp.csr_matrix(unit), UmapParams(n_epochs=20, limit=50), None, worker)
    assert few.shape == (50, 2)
    other = umap(unit, UmapParams(n_epochs=200, n_neighbors=12, seed=43), None, worker, start)
    assert not np.array_equal(other, positions)


class CancelsItself(Recorder):
    """Cancelled by the first frame that has moved."""

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


def test_cancelling_leaves_the_process_ready_for_the_next(worker: UmapWorker) -> None:
    unit, _ = blobs()
    run = CancelsItself()
    with pytest.raises(Cancelled):
        umap(unit, ENDLESS, run, worker)
    assert len(run.frames) == 2
    pid = worker.pid
    # It answers only if it gave up the layout that nobody wants.
    assert umap(unit, UmapParams(n_epochs=5), None, worker).shape == (200, 2)
    assert worker.pid == pid


def test_stopping_keeps_what_there_is(worker: UmapWorker) -> None:
    unit, _ = blobs()
    run = StopsItself()
    positions = umap(unit, ENDLESS, run, worker)
    assert np.array_equal(positions, run.frames[1])
    assert not np.array_equal(positions, run.frames[0])


def test_what_umap_cannot_do_is_a_sentence(worker: UmapWorker) -> None:
    with pytest.raises(UserError, match="at least four words"):
        umap(np.eye(3, dtype=np.float32), worker=worker)
    same = umap(np.ones((6, 3), np.float32), UmapParams(n_epochs=5), None, worker)
    assert np.isfinite(same).all()
    four = umap(np.eye(4, dtype=np.float32), UmapParams(n_epochs=5), None, worker)
    assert np.isfinite(four).all()


class KillsTheProcess(Recorder):
    def __init__(self, worker: UmapWorker) -> None:
        super().__init__()
        self.worker = worker

    def publish(self, name: str, value: np.ndarray) -> None:
        super().publish(name, value)
        if len(self.frames) == 2:
            assert self.worker.pid is not None
            os.kill(self.worker.pid, signal.SIGTERM)


def test_a_process_that_dies_is_told(worker: UmapWorker) -> None:
    unit, _ = blobs()
    with pytest.raises(UserError, match="The UMAP process stopped unexpectedly"):
        umap(unit, ENDLESS, KillsTheProcess(worker), worker)


def test_closing_ends_the_process_and_answers_no_more() -> None:
    own = UmapWorker()
    assert own.pid is None
    own.close()
    own = UmapWorker()
    own.warm()
    pid = own.pid
    assert pid is not None
    own.close()
    assert not psutil.pid_exists(pid)
    with pytest.raises(Cancelled):
        own.warm()
    with pytest.raises(Cancelled):
        umap(blobs()[0], UmapParams(n_epochs=5), None, own)


def test_the_process_ends_with_the_one_that_asked() -> None:
    own = UmapWorker()
    own.warm()
    try:
        assert own.pid is not None
        process = psutil.Process(own.pid)
        assert own._child is not None
        own._child.stdin.close()
        process.wait(timeout=60)
    finally:
        own.close()


def test_the_last_words_of_a_process_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A module of that name in front of the real one, as a broken installation has it.
    package = tmp_path / "umap"
    package.mkdir()
    (package / "__init__.py").write_text("import sys; sys.exit('umap is broken here')")
    from workbench.analysis.projection import umap_client

    honest = umap_client._environment()
    monkeypatch.setattr(
        umap_client,
        "_environment",
        lambda: {**honest, "PYTHONPATH": os.pathsep.join([str(tmp_path), honest["PYTHONPATH"]])},
    )
    with pytest.raises(UserError, match="umap is broken here"):
        umap(blobs()[0], UmapParams(n_epochs=5))


def test_exact_neighbours_are_what_umap_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Column 0 is the point itself, at distance 0; the others follow by falling cosine."""
    unit, _ = blobs()
    seen = []

    class Listener(UmapWorker):
        def layouts(self, header, arrays, run):  # type: ignore[no-untyped-def]
            seen.append((header, arrays))
            yield 1, 1, arrays[0]

    umap(unit, UmapParams(n_neighbors=6), None, Listener())
    header, (start, neighbours, distances) = seen[0]
    rows, cosines = all_nearest(unit, 5)
    assert start.shape == (200, 2)
    assert np.array_equal(neighbours[:, 0], np.arange(200))
    assert np.array_equal(neighbours[:, 1:], rows)
    assert not distances[:, 0].any()
    np.testing.assert_allclose(distances[:, 1:], np.maximum(1 - cosines, 0))
    assert distances.dtype == np.float32
    assert header["n_epochs"] == 500
