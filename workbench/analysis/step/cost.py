"""Cost of one training step: O(V) for the softmax, O(log V) for the tree, O(k) for negative
samples.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.counts.huffman import huffman_tree

# Pairs per call, so that the overhead of calling numpy is a small part of the measurement.
_BATCH, _REPEATS = 64, 7


@dataclass(frozen=True)
class StepCost:
    """Cost of one output layer. rows : average number of output vectors that a step reads and
    moves;
    seconds : duration of one step.
    """

    name: str
    order: str
    rows: float
    seconds: float


def step_costs(
    counts: npt.NDArray[np.int64], dim: int, negative: int, run: JobControl | None = None
) -> tuple[StepCost, ...]:
    """Cost of scores and gradients of one pair with each output layer: the median of several
    repetitions, on one thread.

    counts : int64[V], the vocabulary of the corpus: frequent words have short paths. Raises
    Cancelled.
    """
    run = run or JobControl()
    run.enter(Phase.COUNTING, tr("Measuring steps"))
    random = np.random.default_rng(1)
    size = len(counts)
    words = random.standard_normal((_BATCH, dim)).astype(np.float32)
    outputs = random.standard_normal((size, dim)).astype(np.float32)
    tree = huffman_tree(counts)
    drawn = random.choice(size, _BATCH, p=counts / counts.sum())
    longest = max(int(tree.lengths.max()), 1) if size > 1 else 1
    paths = np.zeros((_BATCH, longest), dtype=np.int64)
    for at, word in enumerate(drawn.tolist()):
        nodes, _ = tree.path(word)
        paths[at, : len(nodes)] = nodes
    used = int(np.ceil(tree.lengths[drawn].mean())) if size > 1 else 1
    noise = random.integers(0, size, (_BATCH, negative + 1))
    mean_path = float(np.average(tree.lengths, weights=counts))

    def softmax() -> None:
        scores = words @ outputs.T
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        _ = scores @ outputs, scores.T @ words

    def rows_only(places: npt.NDArray[np.int64]) -> Callable[[], None]:
        def step() -> None:
            part = outputs[places]
            scores = np.einsum("bd,bkd->bk", words, part)
            pulls = 1 / (1 + np.exp(-scores))
            _ = np.einsum("bk,bkd->bd", pulls, part), pulls[:, :, None] * words[:, None]

        return step

    found = []
    for name, order, rows, step in (
        (tr("Softmax"), "O(V)", float(size), softmax),
        (tr("Hierarchical softmax"), "O(log V)", mean_path, rows_only(paths[:, :used])),
        (
            tr("Negative sampling, k = {negative}", negative=negative),
            "O(k)",
            negative + 1.0,
            rows_only(noise),
        ),
    ):
        run.check()
        found.append(StepCost(name, order, rows, _median(step, run) / _BATCH))
        run.advance(len(found) / 3)
    return tuple(found)


def _median(step: Callable[[], None], run: JobControl) -> float:
    taken = []
    with BLAS_ALONE:
        step()
        for _ in range(_REPEATS):
            run.check()
            began = time.perf_counter()
            step()
            taken.append(time.perf_counter() - began)
    return float(np.median(taken))
