"""Time a UMAP layout of 20,000 words, as the map requests it: the first one in a process, and later
ones.

    python tests/benchmarks/umap_time.py CORPUS [--words 20000] [--repeats 3] [--json FILE]

Trains one epoch of skip-gram, and measures from the request until the points first move and until
the layout is final, including the search for exact neighbours. The first layout also loads its
kernels from the cache or, if there are none, compiles them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from typing import Any

from results import keep, machine, table

from workbench.analysis.projection.umap import UmapParams, umap
from workbench.core.job_control import JobControl
from workbench.corpus.loader import open_corpus
from workbench.models.predict.sgns import SGNS, SGNSParams


def markdown(results: dict[str, Any]) -> str:
    rows = []
    for number, turn in enumerate(results["turns"]):
        name = "the first layout" if number == 0 else "a later one"
        rows.append((name, f"{turn['stands_s']:.1f} s", f"{turn['moves_s']:.2f} s"))
    return table((f"{results['words']:,} words", "takes", "moves after"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="UMAP of the most frequent words.")
    parser.add_argument("corpus")
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json")
    options = parser.parse_args()
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-umap-"))
    embeddings = SGNS(SGNSParams(epochs=1)).fit(open_corpus([options.corpus]), JobControl())
    turns: list[dict[str, float]] = []
    results: dict[str, Any] = {"words": options.words, "turns": turns}
    for number in range(1 + options.repeats):
        run = JobControl()
        start = time.perf_counter()
        delays: list[float] = []
        finished = threading.Event()

        def watch(
            run: JobControl = run,
            delays: list[float] = delays,
            finished: threading.Event = finished,
            start: float = start,
        ) -> None:
            # The first positions published are the starting positions.
            first = None
            while not delays and not finished.wait(0.01):
                now = run.latest("positions")
                first = now if first is None else first
                if now is not first:
                    delays.append(time.perf_counter() - start)

        looking = threading.Thread(target=watch)
        looking.start()
        umap(embeddings.unit, UmapParams(limit=options.words, seed=number), run)
        stands = time.perf_counter() - start
        finished.set()
        looking.join()
        turns.append({"stands_s": stands, "moves_s": delays[0] if delays else stands})
        results = keep(options.json, results)
    print(f"{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
