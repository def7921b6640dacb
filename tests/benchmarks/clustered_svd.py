"""The SVD of counts in shards, in this process, on a Dask cluster, and by Dask’s own SVD:
``clustered_svd.py CORPUS``.

    python tests/benchmarks/clustered_svd.py CORPUS [--dim 100] [--window 5] [--min-count 5]
    [--repeats 3]
        [--powers 0,2,4,8] [--json FILE]

Counts the corpus once, writes the counts in some eight shards, and decomposes their shifted
positive PMI in turns: in memory, from the shards, and on one and on two worker processes of this
machine (starting them is not timed). For comparison, it runs ``dask.array.linalg.svd_compressed``
on the same rows with each of the given numbers of power iterations, on the threads of one process.
Prints seconds, the largest relative error of a singular value, and the mean cosine of the angles
between the spaces of left vectors, both relative to the SVD in memory.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from from_shards import write
from results import keep, machine, table

from workbench.core.job_control import JobControl
from workbench.core.machine.threads import usable_threads
from workbench.counts.cluster import ClusterParams, connect
from workbench.counts.counts_corpus import open_counts
from workbench.models.base import MODELS
from workbench.models.count.truncated_svd import truncated_svd
from workbench.session.corpus.counts_params import params_for

_SHIFT, _SMOOTHING = 1.0, 0.75


def by_us(folder: Path, dim: int, scheduler: str = "") -> tuple[np.ndarray, np.ndarray]:
    corpus, kind = open_counts(folder), MODELS["svd"]
    values = {
        "dim": dim,
        "min_count": 1,
        "eig": 0.0,
        "shift": _SHIFT,
        "context_smoothing": _SMOOTHING,
    }
    embeddings = kind(params_for(corpus, kind, {**values, "scheduler": scheduler})).fit(
        corpus, JobControl()
    )
    return embeddings.vectors.astype(np.float64), np.array(embeddings.metadata["singular_values"])


def positive(folder: Path) -> Any:
    """The matrix in memory that the SVD decomposes."""
    from workbench.counts.cell_source import Mapped

    corpus = open_counts(folder)
    return (
        Mapped(corpus.shards, len(corpus.words), JobControl())
        .positive(_SHIFT, _SMOOTHING, JobControl())
        .csr()
    )


def by_dask(blocks: list[Any], dim: int, powers: int) -> tuple[np.ndarray, np.ndarray]:
    import dask
    import dask.array as da
    import scipy.sparse as sp

    meta = sp.csr_matrix((0, 0))
    parts = [
        da.from_delayed(dask.delayed(block), block.shape, dtype=float, meta=meta)
        for block in blocks
    ]
    decomposition = da.linalg.svd_compressed(
        da.concatenate(parts), dim, iterator="QR", n_power_iter=powers, seed=1
    )
    with dask.config.set(scheduler="threads", num_workers=usable_threads()):
        left, values, _ = dask.compute(*decomposition)
    return np.asarray(left), np.asarray(values)


def markdown(results: dict[str, Any]) -> str:
    head = ("where", "seconds", "worst error of a singular value", "mean cosine of the spaces")
    rows = [
        (
            row["where"],
            f"{np.median(row['seconds']):.1f}",
            f"{row['error']:.1g}",
            f"{row['cosine']:.4f}",
        )
        for row in results["rows"]
    ]
    return f"{results['words']:,} words, {results['cells']:,} cells.\n\n{table(head, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description="The SVD of counts in shards, here and on a cluster."
    )
    parser.add_argument("corpus")
    parser.add_argument("--dim", type=int, default=100)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--powers", default="0,2,4,8")
    parser.add_argument("--json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(name) / "home"))
        folder = Path(name) / "counts"
        counting = write(options, folder)
        MODELS["svd"].warm()
        matrix = positive(folder)
        blocks = [matrix[shard.first : shard.last] for shard in open_counts(folder).shards.shards]
        with connect(ClusterParams(workers=1)) as one, connect(ClusterParams(workers=2)) as two:

            def in_memory() -> tuple[np.ndarray, np.ndarray]:
                svd = truncated_svd(matrix, options.dim, threads=0)
                return svd.left, svd.values

            ways: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
                "memory": in_memory,
                "shards": lambda: by_us(folder, options.dim),
                "one worker": lambda: by_us(folder, options.dim, one.status().address),
                "two workers": lambda: by_us(folder, options.dim, two.status().address),
            }
            for powers in map(int, options.powers.split(",")):
                way = f"Dask's, {powers} power iterations"
                ways[way] = lambda powers=powers: by_dask(blocks, options.dim, powers)  # type: ignore[misc]
            rows = {way: {"where": way, "seconds": []} for way in ways}
            first: tuple[np.ndarray, np.ndarray] | None = None
            for _ in range(options.repeats):
                for way, work in ways.items():
                    start = time.perf_counter()
                    left, values = work()
                    rows[way]["seconds"].append(time.perf_counter() - start)
                    first = first or (left, values)
                    rows[way]["error"] = float(np.abs(values / first[1] - 1).max())
                    rows[way]["cosine"] = float(
                        np.linalg.svd(first[0].T @ left, compute_uv=False).mean()
                    )
                    print(rows[way], file=sys.stderr, flush=True)
        results = keep(options.json, {**counting, "rows": list(rows.values())})
    print(f"{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
