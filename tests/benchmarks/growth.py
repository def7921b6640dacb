"""Time per token and peak memory as a corpus grows: ``python tests/benchmarks/growth.py CORPUS``.

    python tests/benchmarks/growth.py CORPUS [--millions 1,3,10,30,100] [--threads 2]
        [--algorithms sgns] [--json FILE]

Writes the corpus’s own sentences as text, long ones cut at 1,000 tokens, in random order, and again
in another order until the text has the requested length. Then, the command line opens the text and
trains one epoch, in a separate process for each algorithm and number of threads. Prints a Markdown
table: time to open, tokens opened and trained on per second, and the process’s peak memory with and
without pages that it shares with files.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from results import keep, machine, table

from workbench.corpus.loader import open_corpus

_ROOT = Path(__file__).resolve().parents[2]


def write(corpus_path: str, tokens: int, target: Path) -> int:
    """Write sentences drawn without replacement until all are used, then again. Returns the number
    of tokens written.
    """
    corpus, random = open_corpus([corpus_path]), np.random.default_rng(tokens)
    words = np.array(corpus.words, dtype=object)
    edges = np.union1d(corpus.sentences, np.arange(0, corpus.tokens, 1000))
    total = 0
    with target.open("w", encoding="utf-8") as file:
        while total < tokens:
            for number in random.permutation(len(edges) - 1):
                ids = corpus.ids[edges[number] : edges[number + 1]][: tokens - total]
                file.write(" ".join(words[ids]) + "\n")
                total += len(ids)
                if total >= tokens:
                    break
    return total


def measure(path: Path, algorithm: str, threads: str, folder: Path) -> dict[str, Any]:
    report = folder / "report.json"
    command = [
        sys.executable,
        str(_ROOT / "main.py"),
        "train",
        str(path),
        "--algorithm",
        algorithm,
        "--epochs",
        "1",
        "--threads",
        threads,
        "--output",
        str(folder / "vectors.npz"),
        "--report",
        str(report),
    ]
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        # Pages of the mapped corpus count as resident, but the system can take them back, so they
        # are subtracted.
        monitor = psutil.Process(process.pid)
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                memory = monitor.memory_info()
                most = max(most, memory.rss - getattr(memory, "shared", 0))
            time.sleep(0.02)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    result: dict[str, Any] = json.loads(report.read_text())
    return {**result, "own_bytes": most}


def markdown(results: dict[str, Any]) -> str:
    head = (
        "tokens",
        "types",
        "algorithm",
        "threads",
        "opened in",
        "opened, tokens/s",
        "trained on, tokens/s",
        "peak of its own (MiB)",
        "with mapped pages (MiB)",
    )
    return table(
        head,
        (
            (
                f"{row['tokens'] / 1e6:g} M",
                f"{row['corpus']['types']:,}",
                f"`{row['algorithm']}`",
                row["threads"],
                f"{row['opened']:.2f} s",
                f"{row['tokens'] / row['opened'] / 1e6:.1f} M",
                f"{row['tokens'] / row['seconds']['train'] / 1e6:.2f} M",
                f"{row['own_bytes'] / 2**20:.0f}",
                f"{row['peak_rss_bytes'] / 2**20:.0f}",
            )
            for row in results["rows"]
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory as the corpus grows.")
    parser.add_argument("corpus")
    parser.add_argument("--millions", default="1,3,10,30,100")
    parser.add_argument("--threads", default="2", help="one or several numbers, as in 1,2")
    parser.add_argument("--algorithms", default="sgns")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    results: dict[str, Any] = {"rows": rows}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.setdefault("WORKBENCH_HOME", str(folder / "home"))
        path = folder / "grown.txt"
        for millions in (0.1, *map(float, options.millions.split(","))):
            tokens = write(options.corpus, round(millions * 1e6), path)
            for algorithm in options.algorithms.split(","):
                for number, threads in enumerate(options.threads.split(",")):
                    result = measure(path, algorithm, threads, folder)
                    if not number:  # found in the cache after the first
                        open_seconds = result["seconds"]["read"]
                    if millions == 0.1:  # only fills the kernels' cache
                        continue
                    rows.append(
                        {"tokens": tokens, "threads": threads, "opened": open_seconds, **result}
                    )
                    print(rows[-1]["seconds"], file=sys.stderr, flush=True)
            results = keep(options.json, {"rows": rows})
    print(f"{machine()}; one epoch\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
