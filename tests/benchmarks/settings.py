"""Measure skip-gram over dimensions, negative samples and threads, relative to the processor’s
speed.

    python tests/benchmarks/settings.py CORPUS [--tokens 2000000] [--repeats 3] [--json FILE]

Trains one epoch on the first tokens of the corpus, in this process, for each setting. The fastest
of the repeats counts, because disturbances only slow down. Work is counted as the multiplications
and additions of the products alone (scores and both updates, 6·d·(k + 1) per pair). For comparison,
the speed of numpy’s BLAS on one thread is measured in turn, for a product of two float32 matrices
of 1,000 by 1,000.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, machine, table
from threadpoolctl import threadpool_limits

from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus
from workbench.models.predict.sgns import SGNS, SGNSParams
from workbench.models.predict.stream_trainer import kept_tokens

SETTINGS = (
    *({"dim": dim} for dim in (2, 10, 50, 100, 200, 300, 1000)),
    *({"negative": negative} for negative in (1, 2, 10, 20, 64)),
    {"window": 1},
    {"window": 15},
)


def product_rate() -> float:
    """Gflop/s of a matrix product on one thread."""
    left, right = (
        np.random.default_rng(i).normal(size=(1000, 1000)).astype(np.float32) for i in (1, 2)
    )
    with threadpool_limits(1):
        _ = left @ right
        durations = []
        for _ in range(10):
            start = time.perf_counter()
            _ = left @ right
            durations.append(time.perf_counter() - start)
    return 2.0 / min(durations)


def train(corpus: Corpus, values: dict[str, Any], repeats: int) -> tuple[float, float]:
    """Seconds and Gflop of one epoch."""
    params = SGNSParams.from_mapping({"epochs": 1, **values})
    durations = []
    for _ in range(repeats):
        run = JobControl()
        SGNS(params).fit(corpus, run)
        run.enter(Phase.DONE)
        durations.append(run.seconds["training"])
    tokens = kept_tokens(corpus.vocabulary(params.min_count, params.max_vocab), params)
    pairs = tokens * (params.window + 1)
    return min(durations), pairs * 6 * params.dim * (params.negative + 1) / 1e9


def markdown(results: dict[str, Any]) -> str:
    rows = []
    for row in results["rows"]:
        one, two = row["seconds"]
        flops = row["gflop"] / one
        rows.append(
            (
                row["dim"],
                row["negative"],
                row["window"],
                f"{results['tokens'] / one / 1e6:.2f} M",
                f"{results['tokens'] / two / 1e6:.2f} M",
                f"{one / two:.2f}",
                f"{flops:.0f}",
                f"{row['blas']:.0f}",
                f"{100 * flops / row['blas']:.0f} %",
            )
        )
    head = (
        "d",
        "k",
        "window",
        "tokens/s, one thread",
        "two",
        "ratio",
        "Gflop/s, one thread",
        "BLAS",
        "of it",
    )
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Skip-gram over dimensions, negative samples and threads."
    )
    parser.add_argument("corpus")
    parser.add_argument("--tokens", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(name) / "home"))
        whole = open_corpus([options.corpus])
        words = np.array(whole.words, dtype=object)
        text = Path(name) / "text.txt"
        ids = whole.ids[: options.tokens]
        text.write_text(
            "\n".join(" ".join(words[ids[i : i + 1000]]) for i in range(0, len(ids), 1000)),
            encoding="utf-8",
        )
        corpus = open_corpus([str(text)])
        train(corpus, {}, 1)
        results: dict[str, Any] = {}
        for values in SETTINGS:
            blas = product_rate()
            seconds = []
            for threads in (1, 2):
                duration, gflop = train(corpus, {**values, "threads": threads}, options.repeats)
                seconds.append(duration)
            setting = {"dim": 100, "negative": 5, "window": 5, **values}
            rows.append({**setting, "seconds": seconds, "gflop": gflop, "blas": blas})
            results = keep(options.json, {"tokens": corpus.tokens, "rows": rows})
    print(f"{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
