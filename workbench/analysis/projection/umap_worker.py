"""The child process that runs UMAP: ``python -m workbench.analysis.projection.umap_worker``.

Importing umap and compiling its kernels would hold the window's interpreter for seconds, so it
happens here, at low priority. Messages come in on stdin and go out on stdout (see ipc.py):

    in   {"type": "layout", "id": …, parameters…}, start float32[V, 2 or 3], neighbours int32[V, k],
         distances float32[V, k] (the word itself in column 0, at distance 0)
         {"type": "warm", "id": …} · {"type": "cancel", "id": …}
    out  {"type": "frame", "id": …, "epoch": …, "epochs": …}, positions as the start
         {"type": "done" | "cancelled" | "failed", "id": …, "message": …}

The process ends when its stdin does, so it never outlives the workbench.

UMAP: McInnes, Healy & Melville 2018; the graph is made by umap-learn.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from workbench.analysis.projection.ipc import Message, receive, send
from workbench.analysis.projection.umap_layout import Graph, move_points
from workbench.core.arrays import Ids, Singles
from workbench.core.threads import run_after

# Frames are for the eye; more often than this would only fill the pipe.
_SECONDS_BETWEEN_FRAMES = 0.04
_WARM_POINTS = 64


class _Abandoned(Exception):
    """The layout under way is not wanted any more."""


class _Server:
    """Reads requests in one thread and serves them one after another in the main thread."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._requests: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._cancelled: set[int] = set()

    def listen(self) -> None:
        while (message := receive(self._source)) is not None:
            if message.header["type"] == "cancel":
                self._cancelled.add(message.header["id"])
            else:
                self._requests.put(message)
        # The workbench is gone. Nothing here is worth finishing, and compilation cannot be
        # interrupted.
        os._exit(0)

    def serve(self) -> None:
        while True:
            message = self._requests.get()
            header = message.header
            key = header["id"]
            try:
                if header["type"] == "warm":
                    _warm()
                else:
                    self._layout(message)
            except _Abandoned:
                send(self._sink, {"type": "cancelled", "id": key})
            except Exception as error:
                send(
                    self._sink,
                    {"type": "failed", "id": key, "message": f"{type(error).__name__}: {error}"},
                )
            else:
                send(self._sink, {"type": "done", "id": key})

    def _layout(self, message: Message) -> None:
        header = message.header
        key = header["id"]
        last = time.monotonic()

        def show(positions: Singles, epoch: int, epochs: int) -> None:
            nonlocal last
            if key in self._cancelled:
                raise _Abandoned
            now = time.monotonic()
            if epoch == epochs or now - last >= _SECONDS_BETWEEN_FRAMES:
                last = now
                send(
                    self._sink,
                    {"type": "frame", "id": key, "epoch": epoch, "epochs": epochs},
                    [positions],
                )

        start, neighbours, distances = message.arrays
        if key in self._cancelled:
            raise _Abandoned
        layout(
            start,
            neighbours,
            distances,
            min_dist=header["min_dist"],
            spread=header["spread"],
            epochs=header["n_epochs"],
            negative_sample_rate=header["negative_sample_rate"],
            seed=header["seed"],
            show=show,
        )


def layout(
    start: Singles,
    neighbours: Ids,
    distances: Singles,
    *,
    min_dist: float,
    spread: float,
    epochs: int,
    negative_sample_rate: int,
    seed: int,
    show: Callable[[Singles, int, int], None],
) -> Singles:
    """UMAP of V points whose exact neighbours are known, in as many dimensions as the start.

    start : float32[V, 2 or 3], initial positions, on a scale of 0..10
    neighbours, distances : [V, k], the point itself in column 0
    show : called after each epoch with the positions (which go on changing), the epoch and their
    number

    The steps of umap's own ``simplicial_set_embedding``, with the layout loop of umap_layout.py.
    """
    from umap import umap_

    _keep_compiled(umap_)
    random = np.random.RandomState(seed)
    a, b = umap_.find_ab_params(spread, min_dist)
    graph, _, _ = umap_.fuzzy_simplicial_set(
        start,
        neighbours.shape[1],
        random,
        "precomputed",
        knn_indices=neighbours,
        knn_dists=distances,
    )
    graph = graph.tocoo()
    graph.sum_duplicates()
    # An edge that would be drawn less than once in all epochs is left out.
    graph.data[graph.data < graph.data.max() / epochs] = 0
    graph.eliminate_zeros()
    # Points that coincide would never part.
    noise = random.normal(scale=1e-4, size=start.shape)
    positions: Singles = np.ascontiguousarray(start + noise, dtype=np.float32)

    edges = Graph(
        graph.row.astype(np.int32),
        graph.col.astype(np.int32),
        np.asarray(umap_.make_epochs_per_sample(graph.data, epochs), dtype=np.float64),
    )
    move_points(
        positions,
        edges,
        a,
        b,
        epochs,
        negative_sample_rate,
        seed,
        lambda epoch: show(positions, epoch, epochs),
    )
    return positions


def _keep_compiled(module: Any) -> None:
    """Let numba keep umap's kernels on disk, which umap asks of only some of them."""
    for value in vars(module).values():
        if hasattr(value, "enable_caching") and not value.signatures:
            value.enable_caching()


def _warm() -> None:
    """Compile, or load, all that a layout calls, by laying out a few points."""
    random = np.random.default_rng(0)
    points = random.normal(size=(_WARM_POINTS, 2)).astype(np.float32)
    far = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=-1))
    neighbours = np.argsort(far, axis=1, kind="stable")[:, :6].astype(np.int32)
    distances = np.take_along_axis(far, neighbours, axis=1).astype(np.float32)
    layout(
        points,
        neighbours,
        distances,
        min_dist=0.1,
        spread=1.0,
        epochs=11,
        negative_sample_rate=5,
        seed=0,
        show=lambda positions, epoch, epochs: None,
    )


def main() -> None:
    run_after(10)
    # Output of libraries must not get between the messages.
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server = _Server(sys.stdin.buffer, sink)
    threading.Thread(target=server.listen, daemon=True).start()
    try:
        server.serve()
    except BrokenPipeError:
        # The workbench is gone.
        pass
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    # An orderly end would wait for the thread that reads stdin.
    os._exit(1)


if __name__ == "__main__":
    main()
