"""One side of one row of ``parts.py``, timed: ``python part_sides.py ROW SIDE INPUTS`` (JSON).
Prints JSON.

All sides get the same input, made beforehand. Setup (reading the input, loading compiled kernels)
happens before the clock starts. ``check`` contains figures that show whether the work was done
equally well.
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.operating_system import system

Inputs = dict[str, Any]
Measurement = tuple[float, dict[str, float]]
_NEIGHBOURS = 10


def time_call(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


# -- opening: text to ids


def opening_workbench(inputs: Inputs) -> Measurement:
    from workbench.core.paths import cache_folder
    from workbench.corpus.loader import open_corpus

    open_corpus([inputs["small"]])  # loads the kernels
    shutil.rmtree(cache_folder("corpora"))
    seconds, corpus = time_call(lambda: open_corpus([inputs["corpus"]]))
    return seconds, {"tokens": len(corpus.ids), "types": len(corpus.words)}


def opening_python(inputs: Inputs) -> Measurement:
    def work() -> tuple[int, int]:
        word = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
        counts: Counter[str] = Counter()
        lines = []
        with open(inputs["corpus"], encoding="utf-8") as file:
            for line in file:
                tokens = word.findall(line.lower())
                counts.update(tokens)
                lines.append(tokens)
        index = {spelling: number for number, (spelling, _) in enumerate(counts.most_common())}
        ids = np.fromiter((index[token] for tokens in lines for token in tokens), dtype=np.int32)
        return len(ids), len(index)

    seconds, (tokens, types) = time_call(work)
    return seconds, {"tokens": tokens, "types": types}


def opening_glove(inputs: Inputs) -> Measurement:
    """vocab_count splits at spaces and counts, without lowercasing or making ids."""

    def work() -> bytes:
        with open(inputs["corpus"], "rb") as source:
            program = [
                str(Path(inputs["glove"]) / "vocab_count"),
                "-min-count",
                "1",
                "-verbose",
                "0",
            ]
            return subprocess.run(program, stdin=source, capture_output=True, check=True).stdout

    seconds, out = time_call(work)
    return seconds, {"types": out.count(b"\n")}


# -- counting: window 10, both sides, 1/distance


def counting_workbench(inputs: Inputs) -> Measurement:
    from dataclasses import replace

    from workbench.corpus.loader import open_corpus
    from workbench.counts.cooccurrence import cooccurrence

    small = open_corpus([inputs["small"]])
    cooccurrence(replace(small, folder=None), small.vocabulary(1), 2, "harmonic")
    # not kept on disk, so computed again
    corpus = replace(open_corpus([inputs["lines"]]), folder=None)
    vocabulary = corpus.vocabulary(5)
    seconds, table = time_call(lambda: cooccurrence(corpus, vocabulary, 10, "harmonic", threads=2))
    return seconds, {"cells": table.nnz, "sum": float(table.sum())}


def counting_glove(inputs: Inputs) -> Measurement:
    programs, folder = Path(inputs["glove"]), Path(inputs["folder"])
    vocabulary, cells, shuffled_cells = (
        folder / "vocab.txt",
        folder / "cells.bin",
        folder / "shuffled.bin",
    )

    def call(program: str, source: Path, target: Path, *more: str) -> None:
        with source.open("rb") as stdin, target.open("wb") as stdout:
            subprocess.run(
                [str(programs / program), "-verbose", "0", *more],
                stdin=stdin,
                stdout=stdout,
                check=True,
            )

    call("vocab_count", Path(inputs["lines"]), vocabulary, "-min-count", "5")

    def work() -> None:
        call(
            "cooccur",
            Path(inputs["lines"]),
            cells,
            "-vocab-file",
            str(vocabulary),
            "-window-size",
            "10",
            "-memory",
            "4",
            "-overflow-file",
            str(folder / "overflow"),
        )
        call(
            "shuffle",
            cells,
            shuffled_cells,
            "-memory",
            "4",
            "-temp-file",
            str(folder / "temporary"),
        )

    seconds, _ = time_call(work)
    cells_found = np.fromfile(shuffled_cells, dtype=[("i", "<i4"), ("j", "<i4"), ("x", "<f8")])
    return seconds, {"cells": len(cells_found), "sum": float(cells_found["x"].sum())}


# -- truncated SVD of the positive PMI matrix, d 100


def _svd(inputs: Inputs, solve: Callable[[Any], tuple[Any, Any, Any]]) -> Measurement:
    """Time ``solve``, which gives left[V, d], values[d], right[V, d], and check its result.
    residual : the largest ‖A v − σ u‖ / σ; lost : ‖A − U Σ Vᵀ‖² / ‖A‖², the share that the d
    components don’t contain.
    """
    import scipy.sparse as sp

    matrix = sp.load_npz(inputs["matrix"])
    seconds, (left, values, right) = time_call(lambda: solve(matrix))
    apart = np.linalg.norm(matrix @ right - left * values, axis=0) / values
    overlap = (left * (matrix @ right)).sum(axis=0)
    whole = float((matrix.data**2).sum())
    loss = (whole - 2 * float(values @ overlap) + float(values @ values)) / whole
    other = np.linalg.norm(matrix.T @ left - right * values, axis=0) / values
    return seconds, {"residual": float(max(apart.max(), other.max())), "lost": loss}


def svd_workbench(inputs: Inputs) -> Measurement:
    from workbench.models.count.truncated_svd import truncated_svd, warm_products

    warm_products()

    def solve(matrix: Any) -> tuple[Any, Any, Any]:
        svd = truncated_svd(matrix, 100, threads=2)
        return svd.left, svd.values, svd.right

    return _svd(inputs, solve)


def svd_svds(inputs: Inputs) -> Measurement:
    from scipy.sparse.linalg import svds

    def solve(matrix: Any) -> tuple[Any, Any, Any]:
        left, values, right = svds(matrix, 100, random_state=1)
        return left, values, right.T

    return _svd(inputs, solve)


def svd_scikit(inputs: Inputs) -> Measurement:
    """Uses as many power iterations as are needed to reach the workbench’s residual."""
    from sklearn.utils.extmath import randomized_svd

    def solve(matrix: Any) -> tuple[Any, Any, Any]:
        left, values, right = randomized_svd(
            matrix, 100, n_oversamples=50, n_iter=30, random_state=1
        )
        return left, values, right.T

    return _svd(inputs, solve)


# -- ten nearest words of every word, exactly


def _unit(inputs: Inputs) -> Any:
    from workbench.vectors.formats import load_vectors

    vectors = np.asarray(load_vectors(inputs["vectors"]).vectors)
    return np.ascontiguousarray(
        vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32
    )


def _neighbours(unit: Any, seconds: float, rows: Any) -> Measurement:
    """mean : of the cosines found, which would be lower if neighbours were missed."""
    return seconds, {"mean cosine": float(np.einsum("vd,vkd->vk", unit, unit[rows]).mean())}


def neighbours_workbench(inputs: Inputs) -> Measurement:
    from workbench.analysis.neighbours.nearest import all_nearest

    unit = _unit(inputs)
    all_nearest(unit[:100], _NEIGHBOURS)
    seconds, (rows, _) = time_call(lambda: all_nearest(unit, _NEIGHBOURS, threads=2))
    return _neighbours(unit, seconds, rows)


def neighbours_numpy(inputs: Inputs) -> Measurement:
    unit = _unit(inputs)

    def work() -> Any:
        rows = np.empty((len(unit), _NEIGHBOURS), dtype=np.int64)
        for start in range(0, len(unit), 1000):
            block = unit[start : start + 1000] @ unit.T
            block[np.arange(len(block)), start + np.arange(len(block))] = -np.inf
            near = np.argpartition(-block, _NEIGHBOURS, axis=1)[:, :_NEIGHBOURS]
            order = np.argsort(-np.take_along_axis(block, near, axis=1), axis=1)
            rows[start : start + 1000] = np.take_along_axis(near, order, axis=1)
        return rows

    return _neighbours(unit, *time_call(work))


def neighbours_scikit(inputs: Inputs) -> Measurement:
    from sklearn.neighbors import NearestNeighbors

    unit = _unit(inputs)
    search = NearestNeighbors(
        n_neighbors=_NEIGHBOURS, algorithm="brute", metric="cosine", n_jobs=2
    ).fit(unit)
    seconds, (_, rows) = time_call(lambda: search.kneighbors())
    return _neighbours(unit, seconds, rows)


# -- analogy questions


def questions_workbench(inputs: Inputs) -> Measurement:
    from workbench.analysis.analogy.questions import load_questions
    from workbench.analysis.analogy.solver import evaluate
    from workbench.vectors.formats import load_vectors

    vectors, questions = load_vectors(inputs["vectors"]), load_questions(inputs["questions"])
    evaluate(vectors, questions, restrict=100)
    seconds, report = time_call(lambda: evaluate(vectors, questions))
    return seconds, {"asked": report.asked, "right": 100 * report.all}


def questions_gensim(inputs: Inputs) -> Measurement:
    from gensim.models import KeyedVectors

    from workbench.vectors.formats import load_vectors

    vectors = load_vectors(inputs["vectors"])
    gensim_vectors = KeyedVectors(np.asarray(vectors.vectors).shape[1])
    gensim_vectors.add_vectors(list(vectors.words), np.asarray(vectors.vectors))
    seconds, (score, sections) = time_call(
        lambda: gensim_vectors.evaluate_word_analogies(inputs["questions"], restrict_vocab=30_000)
    )
    total = sections[-1]
    return seconds, {"asked": len(total["correct"]) + len(total["incorrect"]), "right": 100 * score}


SIDES: dict[str, dict[str, Callable[[Inputs], Measurement]]] = {
    "opening": {
        "workbench": opening_workbench,
        "python": opening_python,
        "vocab_count": opening_glove,
    },
    "counting": {"workbench": counting_workbench, "GloVe": counting_glove},
    "svd": {"workbench": svd_workbench, "scipy svds": svd_svds, "scikit-learn": svd_scikit},
    "neighbours": {
        "workbench": neighbours_workbench,
        "numpy": neighbours_numpy,
        "scikit-learn": neighbours_scikit,
    },
    "questions": {"workbench": questions_workbench, "gensim": questions_gensim},
}
NEED_GLOVE = {"vocab_count", "GloVe"}


def main() -> None:
    row, side, inputs = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    seconds, check = SIDES[row][side](inputs)
    # getrusage’s value for a process includes the memory of its parent at the time of the fork.
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    peak = max(system().peak_memory() or 0, children)
    print(json.dumps({"seconds": seconds, "check": check, "peak_bytes": peak}))


if __name__ == "__main__":
    main()
