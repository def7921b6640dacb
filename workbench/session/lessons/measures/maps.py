"""Measures of two-dimensional maps: preserved neighbours and distances."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.analysis.evaluation.bootstrap import spearman
from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.projection.quality import quality
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.lessons.measure_registry import MeasureScene, Name, RunLabel, measure

MAPS = ("pca", "umap")


@measure(tr("trustworthiness of a {how} map of {words} words of {run}"))
def trustworthiness(
    scene: MeasureScene, run: RunLabel, how: Name, words: int = 500, seed: int = 1
) -> float:
    return quality(
        _unit_vectors(scene, run, words), _map_places(scene, run, how, words, seed), run=scene.run
    ).trustworthiness


@measure(tr("continuity of a {how} map of {words} words of {run}"))
def continuity(
    scene: MeasureScene, run: RunLabel, how: Name, words: int = 500, seed: int = 1
) -> float:
    return quality(
        _unit_vectors(scene, run, words), _map_places(scene, run, how, words, seed), run=scene.run
    ).continuity


@measure(
    tr("share of the 10 nearest words that are also among the 10 nearest on a {how} map of {run}"),
    digits=0,
    percent=True,
)
def map_neighbours(
    scene: MeasureScene, run: RunLabel, how: Name, words: int = 500, seed: int = 1
) -> float:
    space, _ = all_nearest(_unit_vectors(scene, run, words), 10, scene.run)
    return _shared_share(space, _nearest_rows(_map_places(scene, run, how, words, seed)))


@measure(tr("rank correlation of distances on a {how} map with distances between vectors of {run}"))
def map_distances(
    scene: MeasureScene, run: RunLabel, how: Name, words: int = 500, seed: int = 1
) -> float:
    unit = _unit_vectors(scene, run, words).astype(np.float64)
    return _rank_correlation(
        1 - unit @ unit.T, _distances(_map_places(scene, run, how, words, seed))
    )


@measure(tr("rank correlation of distances on two {how} maps of {run} with different seeds"))
def map_repeats(
    scene: MeasureScene, run: RunLabel, how: Name, words: int = 500, seed: int = 1, other: int = 2
) -> float:
    first, second = (
        _distances(_map_places(scene, run, how, words, each)) for each in (seed, other)
    )
    return _rank_correlation(first, second)


@measure(
    tr("clustering of a {how} map of {run}: 1 for randomly scattered points, lower for clusters")
)
def evenness(
    scene: MeasureScene, run: RunLabel, how: Name, words: int = 500, seed: int = 1
) -> float:
    """Mean distance to the nearest point over 1/(2√density), its expectation under complete
    randomness (Clark and Evans 1954), the density taken over the square around the points.
    """
    places = _map_places(scene, run, how, words, seed).astype(np.float64)
    apart = _distances(places)
    np.fill_diagonal(apart, np.inf)
    area = float(np.prod(places.max(axis=0) - places.min(axis=0)))
    return float(apart.min(axis=1).mean() * 2 * np.sqrt(len(places) / area))


def _unit_vectors(scene: MeasureScene, run: str, words: int) -> Singles:
    model = scene.vectors(run)
    return dense_rows(model.unit, np.arange(min(int(words), len(model)))).astype(np.float32)


def _map_places(scene: MeasureScene, run: str, how: str, words: int, seed: int) -> Singles:
    if how not in MAPS:
        raise UserError(
            tr("Unknown map method “{how}”.", how=how),
            tr("Choose one of: {names}.", names=", ".join(MAPS)),
        )
    return np.asarray(scene.map_of(run, how, int(words), int(seed)), dtype=np.float32)


def _distances(places: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    wide = places.astype(np.float64)
    return np.asarray(np.sqrt(((wide[:, None] - wide[None]) ** 2).sum(axis=2)))


def _nearest_rows(places: Singles) -> npt.NDArray[np.intp]:
    apart = _distances(places)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1, kind="stable")[:, :10]


def _shared_share(first: npt.NDArray[np.integer], second: npt.NDArray[np.integer]) -> float:
    found = [len(set(a.tolist()) & set(b.tolist())) for a, b in zip(first, second, strict=True)]
    return float(np.mean(found) / first.shape[1])


def _rank_correlation(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    pairs = np.triu_indices(len(first), 1)
    return float(spearman(first[pairs][None], second[pairs][None])[0])
