"""Compare training from shards with training from memory: ``python tests/benchmarks/from_shards.py
CORPUS``.

    python tests/benchmarks/from_shards.py CORPUS [--algorithms glove,swivel,pmi-mf,smf,svd] [--dim
    100] [--epochs 5]
        [--window 5] [--min-count 5] [--threads 2] [--seeds 3] [--bucket CELLS] [--json FILE]

Counts the corpus once, writes the counts in about eight shards, and trains each algorithm from
both, in turns and in separate processes with compiled kernels. Measures the seconds before the
training, the seconds of the training (or of a pass), and the peak of the process's own memory
(anonymous pages, on Linux). Also reports the loss of the last pass for several seeds, to compare
the effect of the order by buckets with that of a seed; ``--bucket`` makes buckets small enough that
there are many (4,194,304 cells by default).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, machine, table

from workbench.core.job_control import JobControl, Phase
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.base import MODELS
from workbench.models.count import cell_layout
from workbench.session.corpus.counts_params import params_for
from workbench.session.corpus.reading import read_corpus

WEIGHTING = "dynamic"


class Watch(threading.Thread):
    """The peak of this process’s anonymous memory above its start, in bytes; 0 if unknown."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = self._before = anonymous()
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.005):
            self.most = max(self.most, anonymous())

    def end(self) -> int:
        self._over.set()
        self.join()
        return self.most - self._before


def anonymous() -> int:
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)


def child(task: dict[str, Any]) -> None:
    """Train once and print the measurements."""
    kind = MODELS[task["algorithm"]]
    kind.warm()
    counts = open_counts(task["counts"])
    params = params_for(counts, kind, task["values"])
    if task["bucket"]:
        vars(cell_layout)["_BUCKET"] = task["bucket"]
    # Counts are cached beside the corpus, so the time measured is that of reading them.
    corpus = counts if task["shards"] else read_corpus([task["corpus"]])
    watch, run, start = Watch(), JobControl(), time.perf_counter()
    watch.start()
    kind(params).fit(corpus, run)
    seconds = time.perf_counter() - start
    training = (
        run.phase_seconds()
        if run.progress.phase is Phase.TRAINING
        else run.seconds.get(Phase.TRAINING, 0.0)
    )
    epochs = int(params.to_dict().get("epochs", 1))
    trace = run.trace
    last = trace.progress > 1 - 1 / epochs
    # Points are unevenly spaced with several threads.
    shares = np.diff(trace.progress, prepend=0.0)[last]
    report = {
        "before": seconds - training,
        "pass": training / epochs,
        "own_bytes": watch.end(),
        "loss": float(np.average(trace.loss[last], weights=shares)) if len(shares) else None,
    }
    print(json.dumps(report))


def measure(task: dict[str, Any]) -> dict[str, Any]:
    command = [sys.executable, __file__, "--child", json.dumps(task)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return result


def write(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    corpus = read_corpus([options.corpus])
    vocabulary = corpus.vocabulary(options.min_count)
    matrix = cooccurrence(corpus, vocabulary, options.window, WEIGHTING)
    counting = {
        "weighting": WEIGHTING,
        "window": options.window,
        "symmetric": True,
        "divisor": float(options.window),
    }
    write_shards(folder, shard_csr(matrix, -(-matrix.nnz // 8)), vocabulary, counting)
    return {"tokens": corpus.tokens, "words": len(vocabulary), "cells": int(matrix.nnz)}


def markdown(results: dict[str, Any]) -> str:
    head = (
        "algorithm",
        "from",
        "seconds before",
        "seconds a pass",
        "own memory (MiB)",
        "loss of the last pass",
    )
    rows = []
    for row in results["rows"]:
        losses = [each["loss"] for each in row["runs"] if each["loss"] is not None]
        rows.append(
            (
                f"`{row['algorithm']}`",
                "shards" if row["shards"] else "memory",
                f"{np.median([each['before'] for each in row['runs']]):.2f}",
                f"{np.median([each['pass'] for each in row['runs']]):.2f}",
                f"{max(each['own_bytes'] for each in row['runs']) / 2**20:.0f}",
                f"{np.mean(losses):.5f} ± {np.std(losses):.5f}" if losses else "",
            )
        )
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Training from shards against training from memory."
    )
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--algorithms", default="glove,swivel,pmi-mf,smf,svd")
    parser.add_argument("--dim", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--bucket", type=int, default=0)
    parser.add_argument("--json")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(json.loads(options.child))
        return
    if options.corpus is None:
        parser.error("name a corpus")
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(name) / "home"))
        counts = Path(name) / "counts"
        facts = write(options, counts)
        rows: list[dict[str, Any]] = []
        for key in options.algorithms.split(","):
            names = {spec.name for spec in MODELS[key].params_type.specs()}
            both: list[dict[str, Any]] = [
                {"algorithm": key, "shards": shards, "runs": []} for shards in (False, True)
            ]
            for seed in range(1, options.seeds + 1):
                values = {
                    "dim": options.dim,
                    "epochs": options.epochs,
                    "min_count": options.min_count,
                    "seed": seed,
                }
                values |= {"threads": options.threads}
                for row in both:
                    task = {
                        "algorithm": key,
                        "shards": row["shards"],
                        "corpus": options.corpus,
                        "counts": str(counts),
                        "bucket": options.bucket,
                        "values": {name: value for name, value in values.items() if name in names},
                    }
                    row["runs"].append(measure(task))
                    print(
                        key,
                        "shards" if row["shards"] else "memory",
                        row["runs"][-1],
                        file=sys.stderr,
                        flush=True,
                    )
            rows += both
        results = keep(options.json, {**facts, "rows": rows})
    print(f"{machine()}; {facts['words']:,} words, {facts['cells']:,} cells\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
