"""The side of ``umap_learn.py`` that runs in a helper process and calls umap-learn.

Neighbours are exact and computed here, so umap-learn neither searches them nor compiles a search.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.core.arrays import Ids, Singles
from workbench.core.errors import UserError
from workbench.core.jit import load_numba, load_umap_learn
from workbench.core.job_control import JobControl
from workbench.core.language import tr

Rows = Singles | sp.csr_matrix
# Numbers of a block of distances.
_CELLS = 4_000_000
_SECONDS_BETWEEN_FRAMES = 0.04


def task(request: Any, run: JobControl) -> None:
    """Lay out the arrays in the folder of the request, and write ``positions.npy`` there. Raises
    UserError and Cancelled.
    """
    run.advance(None, tr("Starting umap-learn"))
    work = {"layout": _lay_out, "aligned": _align, "place": _place}[request["work"]]
    folder = Path(request["folder"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        positions = work(request, folder, run)
    np.save(folder / "positions.npy", np.asarray(positions, np.float32), allow_pickle=False)


def prepare() -> None:
    """Load umap-learn before the first task."""
    load_umap_learn()


def warm() -> None:
    """Compile what the tasks call, or load it from the cache."""
    random = np.random.default_rng(0)
    vectors = random.normal(size=(24, 4)).astype(np.float32)
    start = random.normal(size=(24, 2)).astype(np.float32)
    chosen = {
        "n_neighbors": 5,
        "min_dist": 0.1,
        "spread": 1.0,
        "n_epochs": 6,
        "negative_sample_rate": 2,
        "seed": 1,
    }
    unit, run = _unit(vectors), JobControl()
    near = _neighbours(unit, 5, "cosine", run)
    for options in ({}, {"densmap": True}):
        model = _model(chosen, near, start, options)
        model.fit(start)
    _model(chosen, near, start, {}).fit(start, np.arange(24) % 3)
    _transform(unit, start, unit[:3] * 0.5 + unit[3:6] * 0.5, chosen, run)
    _aligned([unit, unit], [start, start], [{row: row for row in range(24)}], chosen, 0.01, run)


def _lay_out(request: Any, folder: Path, run: JobControl) -> Singles:
    vectors, start = _load(folder, "vectors"), _load(folder, "start")
    chosen = request["params"]
    near = _neighbours(vectors, chosen["n_neighbors"], request["metric"], run)
    groups = _load(folder, "groups") if (folder / "groups.npy").exists() else None
    run.advance(None, tr("Starting umap-learn"))
    moving = np.lib.format.open_memmap(folder / "moving.npy", "r+")
    _watch(chosen["n_epochs"], run, moving)
    model = _model(chosen, near, start, request["options"])
    return np.asarray(model.fit_transform(start, groups))


def _align(request: Any, folder: Path, run: JobControl) -> Singles:
    numbers = range(request["layers"])
    layers = [_load(folder, f"vectors{number}") for number in numbers]
    starts = [_load(folder, f"start{number}") for number in numbers]
    relations = [dict(map(tuple, pairs)) for pairs in request["relations"]]
    _watch(request["params"]["n_epochs"], run, None)
    found = _aligned(layers, starts, relations, request["params"], request["regularisation"], run)
    return np.concatenate(found)


def _place(request: Any, folder: Path, run: JobControl) -> Singles:
    vectors, start, new = (_load(folder, name) for name in ("vectors", "start", "new"))
    chosen = request["params"]
    # umap-learn uses a third of the epochs, and fails without any.
    chosen["n_epochs"] = max(chosen["n_epochs"], 3)
    _watch(chosen["n_epochs"] // 3, run, None)
    return _transform(vectors, start, new, chosen, run)


def _load(folder: Path, name: str) -> Any:
    if (folder / f"{name}.npz").exists():
        return sp.csr_matrix(sp.load_npz(folder / f"{name}.npz"))
    return np.load(folder / f"{name}.npy", allow_pickle=False)


# -- umap-learn


def _model(chosen: Any, near: tuple[Ids, Singles], start: Singles, options: Any) -> Any:
    """``umap.UMAP`` with these neighbours, which therefore never looks at the vectors."""
    keywords = dict(chosen)
    seed = keywords.pop("seed")
    neighbours, distances = near
    return load_umap_learn().UMAP(
        **keywords,
        n_components=start.shape[1],
        init=np.array(start),
        random_state=seed,
        transform_seed=seed,
        n_jobs=1,
        precomputed_knn=(neighbours.copy(), distances.copy(), _index(near)),
        # Below 4,096 points umap-learn would ignore the neighbours.
        force_approximation_algorithm=True,
        **options,
    )


def _index(near: tuple[Ids, Singles]) -> Any:
    """A search index that answers with these neighbours: umap-learn demands one of pynndescent’s
    class, whose own search is approximate and compiled for every map.
    """
    NNDescent = load_umap_learn().umap_.NNDescent

    class Known(NNDescent):  # type: ignore[misc, valid-type]
        _angular_trees = False

        def __init__(self) -> None:
            pass

        def query(self, *_: Any, **__: Any) -> tuple[Ids, Singles]:
            neighbours, distances = near
            return neighbours.copy(), distances.copy()

    return Known()


def _transform(unit: Rows, positions: Singles, new: Rows, chosen: Any, run: JobControl) -> Singles:
    """Positions of new words among those of the map."""
    count = chosen["n_neighbors"]
    near = _neighbours(unit, count, "cosine", run)
    model = _model({**chosen, "n_epochs": 0}, near, positions, {})
    # Without epochs, the words stay where they are.
    model.fit(positions)
    model.embedding_ = np.array(positions, dtype=np.float32)
    model.n_epochs = chosen["n_epochs"]
    model._knn_search_index = _index(_nearest(new, unit, count, "cosine", run))
    stand_in = np.zeros((new.shape[0], positions.shape[1]), dtype=np.float32)
    return np.asarray(model.transform(stand_in))


def _aligned(
    layers: list[Rows],
    starts: list[Singles],
    relations: list[dict[int, int]],
    chosen: Any,
    regularisation: float,
    run: JobControl,
) -> list[Singles]:
    """The steps of ``umap.AlignedUMAP``, which itself ignores ``min_dist`` and discards a layout
    of each layer.
    """
    umap = load_umap_learn()
    aligned_umap, layouts, umap_ = umap.aligned_umap, umap.layouts, umap.umap_

    random = np.random.RandomState(chosen["seed"])
    graphs = _fuzzy_graphs(layers, chosen["n_neighbors"], random, run)
    lists = _typed_lists()
    run.advance(None, tr("Starting umap-learn"))
    epochs = chosen["n_epochs"]
    for graph, start in zip(graphs, starts, strict=True):
        compressed = graph.tocsr()
        lists["starts"].append(compressed.indptr.astype(np.int32))
        lists["columns"].append(compressed.indices.astype(np.int32))
        lists["heads"].append(graph.row.astype(np.int32))
        lists["tails"].append(graph.col.astype(np.int32))
        lists["periods"].append(umap_.make_epochs_per_sample(graph.data, epochs))
        lists["positions"].append(np.array(start, dtype=np.float32, order="C"))
    window = aligned_umap.expand_relations(relations, window_size=min(3, len(relations)))
    weights = aligned_umap.build_neighborhood_similarities(
        lists["starts"], lists["columns"], window
    )
    a, b = umap_.find_ab_params(chosen["spread"], chosen["min_dist"])
    found = layouts.optimize_layout_aligned_euclidean(
        lists["positions"],
        lists["positions"],
        lists["heads"],
        lists["tails"],
        epochs,
        lists["periods"],
        weights,
        window,
        random.randint(np.iinfo(np.int32).min + 1, np.iinfo(np.int32).max - 1, 3).astype(np.int64),
        a=a,
        b=b,
        lambda_=regularisation,
        negative_sample_rate=float(chosen["negative_sample_rate"]),
        # Several threads would make each layout a different one.
        parallel=False,
        move_other=True,
    )
    return [np.array(positions) for positions in found]


def _fuzzy_graphs(layers: list[Rows], most: int, random: Any, run: JobControl) -> list[Any]:
    """The weighted neighbours of each layer, in coordinates."""
    graphs = []
    for layer in layers:
        count = min(most, layer.shape[0] - 1)
        neighbours, distances = _neighbours(layer, count, "cosine", run)
        graph, _, _ = load_umap_learn().umap_.fuzzy_simplicial_set(
            np.zeros((layer.shape[0], 1), np.float32),
            count,
            random,
            "cosine",
            knn_indices=neighbours,
            knn_dists=distances,
        )
        graphs.append(graph.tocoo())
    return graphs


def _typed_lists() -> dict[str, Any]:
    """Empty lists in the types of umap-learn’s loop."""
    numba = load_numba()
    rows, places = numba.types.int32[::1], numba.types.float32[:, ::1]
    return {
        name: numba.typed.List.empty_list(kind)
        for name, kind in (
            ("starts", rows),
            ("columns", rows),
            ("heads", rows),
            ("tails", rows),
            ("periods", numba.types.float64[::1]),
            ("positions", places),
        )
    }


def _watch(epochs: int, run: JobControl, moving: Singles | None) -> None:
    """Follow umap-learn between its epochs: report progress, write the positions, and pause or
    cancel.
    """
    umap = load_umap_learn()
    layouts, umap_ = umap.layouts, umap.umap_

    last = [0.0]
    shown: list[Singles] = []
    optimise = getattr(
        layouts.optimize_layout_euclidean, "plain", layouts.optimize_layout_euclidean
    )

    def optimise_seen(positions: Singles, *arguments: Any, **keywords: Any) -> Any:
        shown[:] = [positions]
        return optimise(positions, *arguments, **keywords)

    def steps(numbers: range, **_: Any) -> Iterator[int]:
        for number in numbers:
            run.check()
            now = time.monotonic()
            if now - last[0] >= _SECONDS_BETWEEN_FRAMES:
                last[0] = now
                if moving is not None and shown:
                    moving[:] = shown[0]
                run.advance(
                    number / max(epochs, 1),
                    tr(
                        "Computing the map, epoch {epoch:,} of {epochs:,}",
                        epoch=number + 1,
                        epochs=epochs,
                    ),
                )
            yield number

    vars(umap_)["optimize_layout_euclidean"] = optimise_seen
    vars(layouts)["tqdm"] = steps


# -- neighbours


def _unit(vectors: Singles) -> Singles:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _neighbours(vectors: Rows, count: int, metric: str, run: JobControl) -> tuple[Ids, Singles]:
    """The ``count`` nearest of each word, the word itself first: int32[n, count], float32[n,
    count].
    """
    size = vectors.shape[0]
    itself = np.arange(size, dtype=np.int32)[:, None]
    if metric in ("cosine", "correlation"):
        rows, cosines = all_nearest(_centred(vectors, metric), count - 1, run)
        distances = np.maximum(1 - cosines, 0)
    else:
        rows, distances = _nearest(vectors, vectors, count, metric, run, alone=True)
    return (
        np.hstack([itself, rows]).astype(np.int32),
        np.hstack([np.zeros((size, 1), np.float32), distances]).astype(np.float32),
    )


def _centred(vectors: Rows, metric: str) -> Rows:
    if metric != "correlation":
        return vectors
    dense = _dense(vectors, metric)
    return _unit(dense - dense.mean(axis=1, keepdims=True))


def _dense(vectors: Rows, metric: str) -> Singles:
    if not isinstance(vectors, np.ndarray):
        raise UserError(
            tr("Distance “{metric}” isn’t available for sparse vectors.", metric=metric),
            tr("Choose the distance “cosine”."),
        )
    return vectors


def _nearest(
    queries: Rows, vectors: Rows, count: int, metric: str, run: JobControl, alone: bool = False
) -> tuple[Ids, Singles]:
    """The ``count`` nearest vectors of each query, ascending; ``alone``: queries are the vectors,
    and itself isn't a neighbour of any, so that there are ``count`` − 1.
    """
    measure = _MEASURES[metric]
    if metric != "cosine":
        queries, vectors = _dense(queries, metric), _dense(vectors, metric)
    size, number = vectors.shape[0], queries.shape[0]
    count = count - 1 if alone else min(count, size)
    rows = np.empty((number, count), dtype=np.int32)
    distances = np.empty((number, count), dtype=np.float32)
    tall = max(_CELLS // size, 1)
    for at in range(0, number, tall):
        run.check()
        run.advance(at / number, tr("Finding neighbours"))
        block = measure(queries[at : at + tall], vectors)
        if alone:
            block[np.arange(len(block)), np.arange(at, at + len(block))] = np.inf
        near = np.argpartition(block, count - 1, axis=1)[:, :count]
        # Equal distances by row, so that the result doesn't depend on the processor.
        near.sort(axis=1)
        order = np.argsort(np.take_along_axis(block, near, axis=1), axis=1, kind="stable")
        near = np.take_along_axis(near, order, axis=1)
        rows[at : at + tall] = near
        distances[at : at + tall] = np.take_along_axis(block, near, axis=1)
    return rows, distances


def _cosine(queries: Any, vectors: Any) -> Any:
    products = queries @ vectors.T
    if not isinstance(products, np.ndarray):
        products = products.toarray()
    return np.maximum(1 - products, 0)


def _manhattan(queries: Singles, vectors: Singles) -> Singles:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(queries, vectors, "cityblock"), dtype=np.float32)


def _euclidean(queries: Singles, vectors: Singles) -> Singles:
    squares = (queries**2).sum(axis=1)[:, None] + (vectors**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares - 2 * (queries @ vectors.T), 0)))


_MEASURES: dict[str, Callable[[Any, Any], Any]] = {
    "cosine": _cosine,
    "euclidean": _euclidean,
    "manhattan": _manhattan,
}
