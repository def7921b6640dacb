"""How counting scales with processes: ``python tests/benchmarks/cluster.py CORPUS [--json FILE]``.

Counts the corpus with one worker, with two, and in this process with one thread and with two, in
turns, so that other load on the machine affects all of them alike. Clusters are started, and their
workers’ kernels loaded, beforehand; the text is read again each time, also in a single process. A
corpus without line ends is first rewritten with a line end after every thousand words, because
parts are cut at line ends. Prints the tokens per second of each, median and best of the rounds, and
the ratio to one worker. Compares the counts of all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from results import keep, table


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Counting with one and two workers, and in one process."
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--partition", type=float, default=4.0, help="MB (default 4)")
    parser.add_argument("--json")
    options = parser.parse_args()
    home = tempfile.mkdtemp(prefix="workbench-cluster-")
    os.environ.setdefault("WORKBENCH_HOME", home)
    try:
        return measure(options, Path(home))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def measure(options: argparse.Namespace, folder: Path) -> int:
    from workbench.core.paths import cache_folder
    from workbench.corpus.loader import open_corpus
    from workbench.counts.cluster import ClusterParams, CountWindowParams, connect, count
    from workbench.counts.cooccurrence import cooccurrence

    text = in_lines(options.corpus, folder)
    counting = CountWindowParams(window=options.window)
    # The most memory that each of two workers can have.
    params = {
        number: ClusterParams(workers=number, partition=options.partition, worker_memory=1500)
        for number in (1, 2)
    }
    facts: dict[str, int] = {}

    def in_process(threads: int) -> Callable[[], None]:
        def run() -> None:
            # Nothing from an earlier round may be found in the cache.
            shutil.rmtree(cache_folder("corpora"))
            corpus = open_corpus([text])
            matrix = cooccurrence(
                corpus, corpus.vocabulary(counting.min_count), counting.window, threads=threads
            )
            same(facts, corpus.tokens, matrix.nnz)

        return run

    with connect(params[1]) as one, connect(params[2]) as two:

        def on(cluster: object) -> Callable[[], None]:
            def run() -> None:
                shards = count([text], folder / "out", None, counting, cluster)  # type: ignore[arg-type]
                same(facts, shards.metadata["corpus"]["tokens"], shards.nnz)

            return run

        ways = {
            "one worker": on(one),
            "two workers": on(two),
            "in process, one thread": in_process(1),
            "in process, two threads": in_process(2),
        }
        for way in ways.values():
            way()
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, way in ways.items():
                start = time.perf_counter()
                way()
                seconds[name].append(time.perf_counter() - start)

    base = statistics.median(seconds["one worker"])
    figures = {
        name: {
            "seconds": [round(each, 3) for each in durations],
            "tokens_per_second": round(facts["tokens"] / statistics.median(durations)),
            "best_tokens_per_second": round(facts["tokens"] / min(durations)),
            "against_one_worker": round(base / statistics.median(durations), 3),
        }
        for name, durations in seconds.items()
    }
    result = {
        "corpus": options.corpus.name,
        **facts,
        "window": options.window,
        "partition_mb": options.partition,
    }
    print(markdown(keep(options.json, {**result, "rounds": options.rounds, "ways": figures})))
    return 0


def markdown(results: dict[str, Any]) -> str:
    """Facts about the counted text, and a row for each way of counting."""
    rows = [
        (
            name,
            f"{each['tokens_per_second']:,}",
            f"{each['best_tokens_per_second']:,}",
            each["against_one_worker"],
        )
        for name, each in results["ways"].items()
    ]
    facts = (
        f"{results['tokens']:,} tokens, {results['cells']:,} cells, L = {results['window']}, "
        f"{results['rounds']} rounds"
    )
    return f"{facts}\n\n{table(('way', 'tokens/s', 'best', '× one worker'), rows)}"


def same(facts: dict[str, int], tokens: int, cells: int) -> None:
    sizes = {"tokens": tokens, "cells": cells}
    assert not facts or facts == sizes, f"{sizes} against {facts}"
    facts.update(sizes)


def in_lines(corpus: Path, folder: Path) -> Path:
    """The text itself or, if it has hardly any line ends, a copy with one after every thousand
    words.
    """
    with corpus.open("rb") as file:
        if b"\n" in file.read(1 << 20):
            return corpus
    path = folder / "lines.txt"
    left = ""
    with corpus.open(encoding="utf-8") as file, path.open("w", encoding="utf-8") as out:
        while block := file.read(1 << 22):
            words = (left + block).split(" ")
            left = words.pop()
            for at in range(0, len(words), 1000):
                out.write(" ".join(words[at : at + 1000]) + "\n")
        out.write(left + "\n")
    return path


if __name__ == "__main__":
    raise SystemExit(main())
