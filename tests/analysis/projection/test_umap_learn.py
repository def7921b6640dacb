"""Layouts by umap-learn in a helper process, against scikit-learn and brute force."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import numpy as np
import pytest
import umaps
from sklearn.neighbors import NearestNeighbors

from workbench.analysis.projection import umap_learn, umap_learn_task
from workbench.analysis.projection.methods import PROJECTIONS
from workbench.analysis.projection.space import Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import MetricParams, place_words
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.processes import child_process, child_task
from workbench.vectors.embeddings import Embeddings

GROUPS, WORDS = 3, 60
METRICS = ["cosine", "correlation", "euclidean", "manhattan"]


@pytest.fixture(scope="module", autouse=True)
def _quick_helper() -> Iterator[None]:
    """A helper process that compiles nothing, shared by the tests."""
    environment = child_process.child_environment
    with pytest.MonkeyPatch.context() as patch:
        disabled = {"NUMBA_DISABLE_JIT": "1"}
        patch.setattr(child_task, "child_environment", lambda: {**environment(), **disabled})
        child_task.end_waiting()
        PROJECTIONS["umap-learn"].project(space(), MetricParams(n_epochs=3))
        yield
        child_task.end_waiting()


def table(words: int = WORDS, seed: int = 4) -> np.ndarray:
    """Groups of vectors of different lengths."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(9).normal(size=(GROUPS, 6)) * 2
    vectors = centres[np.arange(words) % GROUPS] + random.normal(size=(words, 6))
    return (vectors * random.uniform(0.5, 4, (words, 1))).astype(np.float32)


def space(**given: object) -> Space:
    words = [f"w{row}" for row in range(WORDS)]
    return Space(Embeddings(words, table()), **given)  # type: ignore[arg-type]


def unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / lengths, dtype=np.float32)


@pytest.mark.parametrize("metric", METRICS)
def test_neighbours_are_those_of_scikit_learn(metric: str) -> None:
    vectors = unit(table()) if metric in ("cosine", "correlation") else table()
    rows, distances = umap_learn_task._neighbours(vectors, 7, metric, JobControl())
    oracle = NearestNeighbors(n_neighbors=7, metric=metric, algorithm="brute").fit(vectors)
    expected, nearest = oracle.kneighbors(vectors)
    np.testing.assert_array_equal(rows, nearest)
    np.testing.assert_allclose(distances, expected, atol=2e-3)
    assert (rows[:, 0] == np.arange(WORDS)).all()


def test_another_distance_is_another_map() -> None:
    maps = {
        metric: PROJECTIONS["umap-learn"]
        .project(space(), MetricParams(n_neighbors=5, n_epochs=12, metric=metric))
        .positions.tobytes()
        for metric in METRICS
    }
    assert len(set(maps.values())) == len(METRICS)


def test_groups_pull_their_words_together() -> None:
    """Random groups, which have nothing to do with the vectors."""
    groups = np.random.default_rng(2).integers(0, 2, WORDS)

    def share_of_own_group(positions: np.ndarray) -> float:
        near = NearestNeighbors(n_neighbors=6).fit(positions).kneighbors(positions)[1][:, 1:]
        return float((groups[near] == groups[:, None]).mean())

    plain = PROJECTIONS["umap-learn"].project(space(), MetricParams(n_neighbors=8, n_epochs=60))
    kind = PROJECTIONS["supervised"]
    params = kind.params_type.from_mapping({"n_neighbors": 8, "n_epochs": 60, "target_weight": 0.9})
    pulled = kind.project(space(groups=groups), params)
    before, after = share_of_own_group(plain.positions), share_of_own_group(pulled.positions)
    assert before < 0.7
    assert after > 0.85


def test_densmap_shows_how_dense_a_group_is() -> None:
    random = np.random.default_rng(0)
    centres = np.eye(2, 8) * 5
    spread = np.where(np.arange(WORDS) % 2 == 0, 0.2, 1.5)
    vectors = centres[np.arange(WORDS) % 2] + random.normal(size=(WORDS, 8)) * spread[:, None]
    model = Embeddings([f"w{row}" for row in range(WORDS)], vectors.astype(np.float32))

    def ratio(key: str) -> float:
        kind = PROJECTIONS[key]
        assert kind.params_type is not None
        params = kind.params_type.from_mapping({"n_neighbors": 10, "n_epochs": 100})
        found = kind.project(Space(model), params).positions
        sizes = [
            np.median(np.linalg.norm(part - part.mean(axis=0), axis=1))
            for part in (found[0::2], found[1::2])
        ]
        return float(sizes[1] / sizes[0])

    assert ratio("densmap") > 1.3 * ratio("umap-learn")


def test_new_words_land_beside_their_neighbours_and_move_no_other() -> None:
    known = unit(table())
    found = PROJECTIONS["umap-learn"].project(space(), MetricParams(n_neighbors=6, n_epochs=60))
    before = found.positions.copy()
    new = unit(table(30, seed=5))
    placed = place_words(known, found.positions, new, UmapParams(n_neighbors=6), JobControl())
    np.testing.assert_array_equal(found.positions, before)
    assert placed.shape == (30, 2)
    assert placed.dtype == np.float32
    centres = np.array([before[group::GROUPS].mean(axis=0) for group in range(GROUPS)])
    nearest = ((placed[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    expected = (new @ known.T).argmax(axis=1) % GROUPS
    assert (nearest == expected).mean() > 0.9


def test_new_words_of_another_model_are_a_sentence() -> None:
    with pytest.raises(UserError, match="have 3 dimensions, but those on the map have 6"):
        place_words(
            unit(table()),
            np.zeros((WORDS, 2), np.float32),
            np.eye(3, dtype=np.float32),
            UmapParams(),
            JobControl(),
        )


def test_words_of_two_equal_models_stay_where_they_are() -> None:
    model = Embeddings([f"w{row}" for row in range(WORDS)], table())
    kind = PROJECTIONS["aligned"]
    assert kind.params_type is not None
    params = kind.params_type.from_mapping({"n_neighbors": 6, "n_epochs": 40, "alignment": 0.1})
    pair = kind.project(Space(model, other=model), params).pair
    assert pair is not None
    moved = np.linalg.norm(pair.after - pair.before, axis=1)
    size = np.linalg.norm(pair.before - pair.before.mean(axis=0), axis=1)
    assert np.median(moved) < 0.1 * np.median(size)


def test_a_minimum_distance_reaches_aligned_maps() -> None:
    kind = PROJECTIONS["aligned"]
    assert kind.params_type is not None
    other = Embeddings([f"w{row}" for row in range(WORDS)], table(seed=6))
    maps = set()
    for distance in (0.0, 0.9):
        params = kind.params_type.from_mapping({"n_epochs": 12, "min_dist": distance})
        maps.add(kind.project(space(other=other), params).positions.tobytes())
    assert len(maps) == 2


def test_settings_reach_the_helper_as_umap_learn_names_them() -> None:
    names = set(inspect.signature(umaps.umap_learn().UMAP).parameters)
    settings = umap_learn._settings(MetricParams(), 100)
    assert set(settings) - {"seed"} <= names
