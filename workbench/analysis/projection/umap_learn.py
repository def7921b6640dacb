"""Layouts by umap-learn, in a helper process: it blocks all other threads of its process, and loads
scikit-learn, which takes 80 MB.

It serves for what our own loop (``umap.py``) doesn't do: densMAP, supervised layouts, other
distances, aligned layouts, and new words on an old map.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.copies import Distinct, distinct_rows
from workbench.analysis.projection.planes import turned_across
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.space import Space
from workbench.analysis.projection.umap import UmapParams, stretched
from workbench.core.arrays import Ints, Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import param
from workbench.core.processes import child_task

_TASK = "workbench.analysis.projection.umap_learn_task"
COSINE, CORRELATION, EUCLIDEAN, MANHATTAN = "cosine", "correlation", "euclidean", "manhattan"


@dataclass(frozen=True)
class MetricParams(UmapParams):
    """Settings of a layout by umap-learn."""

    metric: str = param(
        COSINE,
        "Distance between vectors. Cosine ignores their lengths, correlation also their means; "
        "Euclidean and Manhattan don’t.",
        label="Distance",
        choices=(COSINE, CORRELATION, EUCLIDEAN, MANHATTAN),
        source="umap-learn: euclidean",
        basic=True,
    )


def prepare() -> None:
    """Start loading umap-learn in the helper process, for a layout that will probably be asked for.
    Returns at once.
    """
    child_task.prepare(_TASK)


def lay_out(
    space: Space, params: UmapParams, run: JobControl, options: Mapping[str, Any] | None = None
) -> Singles:
    """A layout by umap-learn with exact neighbours: float32[n, space.dims].

    params : with a ``metric``; None of its own: cosine
    options : further arguments of ``umap.UMAP``

    Groups of the space supervise the layout. Publishes "positions". Words with equal vectors have
    one place. The same seed gives the same layout. Raises UserError and Cancelled.
    """
    metric = getattr(params, "metric", COSINE)
    vectors = space.vectors if metric in (EUCLIDEAN, MANHATTAN) else space.unit
    first, group = _distinct(vectors)
    start = pca(space.unit, space.dims) if space.start is None else space.start
    arrays: dict[str, Any] = {"vectors": vectors[first], "start": stretched(start[first])}
    if space.groups is not None:
        arrays["groups"] = space.groups[first]
    request = {
        "work": "layout",
        "metric": metric,
        "params": _settings(params, len(first)),
        "options": dict(options or {}),
    }
    follower = _Follower(run, group)
    positions = _ask(request, arrays, follower)
    if space.dims == 2:
        positions = turned_across(positions)
    return positions[group]


def lay_out_aligned(
    layers: Sequence[Singles | sp.csr_matrix],
    starts: Sequence[Singles],
    relations: Sequence[Mapping[int, int]],
    params: UmapParams,
    regularisation: float,
    run: JobControl,
) -> list[Singles]:
    """Layouts of several sets of words, in which the same words stay near: float32[n, 2] each.

    layers : unit rows of the words of each layout
    starts : initial positions in each
    relations : for each layout but the last, the row of each word in the next one
    regularisation : how strongly the same words are pulled together

    AlignedUMAP of umap-learn (Dadu et al. 2023). Words with equal vectors have one place. Raises
    UserError and Cancelled.
    """
    # Copies would be each other's only neighbours, and scatter.
    copies = [_distinct(layer) for layer in layers]
    chosen = [start[one.first] for start, one in zip(starts, copies, strict=True)]
    ends = np.cumsum([len(one.first) for one in copies])[:-1]
    arrays: dict[str, Any] = {}
    parts = np.split(stretched(np.concatenate(chosen)), ends)
    for number, (layer, one, start) in enumerate(zip(layers, copies, parts, strict=True)):
        arrays[f"vectors{number}"], arrays[f"start{number}"] = layer[one.first], start
    followed = []
    for here, there, relation in zip(copies[:-1], copies[1:], relations, strict=True):
        pairs: dict[int, int] = {}
        for row, next_row in relation.items():
            pairs.setdefault(int(here.group[row]), int(there.group[next_row]))
        followed.append([list(pair) for pair in pairs.items()])
    request = {
        "work": "aligned",
        "layers": len(layers),
        "relations": followed,
        "regularisation": regularisation,
        "params": _settings(params, max(len(one.first) for one in copies)),
    }
    found = np.split(_ask(request, arrays, run), ends)
    return [layout[one.group] for layout, one in zip(found, copies, strict=True)]


def place_words(
    unit: Singles | sp.csr_matrix,
    positions: Singles,
    new: Singles | sp.csr_matrix,
    params: UmapParams,
    run: JobControl,
) -> Singles:
    """Positions of new words on an existing map, whose words stay in place: float32[m, dims].

    unit : float32[n, d], unit rows of the words on the map, at ``positions`` float32[n, dims]
    new : float32[m, d], unit rows of the new words

    umap-learn's ``transform`` with exact neighbours (McInnes, Healy & Melville 2018). It would
    move words that it knows already, so pass only new ones. Raises UserError and Cancelled.
    """
    if unit.shape[1] != new.shape[1]:
        raise UserError(
            tr(
                "The new words have {new} dimensions, but those on the map have {old}.",
                new=new.shape[1],
                old=unit.shape[1],
            ),
            tr("Use vectors of the same model."),
        )
    request = {"work": "place", "params": _settings(params, unit.shape[0])}
    return _ask(request, {"vectors": unit, "start": positions, "new": new}, run)


def _distinct(vectors: Singles | sp.csr_matrix) -> Distinct:
    """Groups of equal rows; each row by itself if there are too few groups for a layout."""
    found = distinct_rows(vectors)
    if len(found.first) < 4:
        rows = np.arange(vectors.shape[0])
        return Distinct(rows, rows)
    return found


def _settings(params: UmapParams, size: int) -> dict[str, Any]:
    return {
        "n_neighbors": min(params.n_neighbors, size - 1),
        "min_dist": params.min_dist,
        "spread": params.spread,
        "n_epochs": params.epochs(size),
        "negative_sample_rate": params.negative_sample_rate,
        "seed": params.seed,
    }


class _Follower(JobControl):
    """Job control of the helper's task, which publishes the positions that the task writes."""

    def __init__(self, whole: JobControl, group: Ints) -> None:
        super().__init__()
        self._whole = whole
        self._group = group
        self.moving: Singles | None = None

    def enter(self, phase: Any, note: str = "") -> None:
        self._whole.enter(phase, note)

    def check(self) -> None:
        self._whole.check()

    @property
    def is_paused(self) -> bool:
        return self._whole.is_paused

    def advance(self, fraction: float | None, note: str = "", **details: Any) -> None:
        self._whole.advance(fraction, note, **details)
        if self.moving is not None:
            positions = np.array(self.moving)
            if np.isfinite(positions).all():
                self.show(positions)

    def show(self, positions: Singles) -> None:
        """Publish positions of the task: float32[groups, dims]."""
        self._whole.publish("positions", positions[self._group])


def _ask(request: dict[str, Any], arrays: Mapping[str, Any], run: JobControl) -> Singles:
    """The array that the task writes. Arrays are passed in files of a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="workbench-map-") as name:
        folder = Path(name)
        for key, array in arrays.items():
            if isinstance(array, np.ndarray):
                np.save(folder / f"{key}.npy", array, allow_pickle=False)
            else:
                sp.save_npz(folder / f"{key}.npz", array, compressed=False)
        if isinstance(run, _Follower):
            shape = arrays["start"].shape
            moving = np.lib.format.open_memmap(
                folder / "moving.npy", "w+", dtype=np.float32, shape=shape
            )
            moving[:] = np.nan
            run.moving = moving
        try:
            # A small layout may be done before its process reports anything.
            run.advance(None, tr("Starting umap-learn"))
            child_task.run_task(_TASK, {**request, "folder": name}, run)
            found = np.load(folder / "positions.npy", allow_pickle=False)
            if isinstance(run, _Follower):
                run.show(found)
        finally:
            if isinstance(run, _Follower):
                run.moving = None
    return np.asarray(found, dtype=np.float32)
