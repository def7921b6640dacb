"""Time for each token and peak memory as a corpus grows: ``python tests/benchmarks/growth.py CORPUS``.

    python tests/benchmarks/growth.py CORPUS [--millions 1,3,10,30,100] [--threads 2]
        [--algorithms sgns] [--json FILE]

The corpus' own sentences, long ones cut at 1,000 tokens, in random order and again and again in another one, written
as text until it is as long as asked for; then the command line opens it and trains one epoch, for each algorithm and
number of threads in a process of its own. Prints a Markdown table: time to open, tokens opened and trained on in a
second, peak memory of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from peers import machine

from workbench.corpus.store import open_corpus

_ROOT = Path(__file__).resolve().parents[2]


def write(corpus_path: str, tokens: int, target: Path) -> int:
    """Sentences drawn without replacement until all are used, then anew. Returns how many tokens were written."""
    corpus, random = open_corpus([corpus_path]), np.random.default_rng(tokens)
    words = np.array(corpus.words, dtype=object)
    edges = np.union1d(corpus.sentences, np.arange(0, corpus.tokens, 1000))
    written = 0
    with target.open("w", encoding="utf-8") as file:
        while written < tokens:
            for number in random.permutation(len(edges) - 1):
                ids = corpus.ids[edges[number] : edges[number + 1]][: tokens - written]
                file.write(" ".join(words[ids]) + "\n")
                written += len(ids)
                if written >= tokens:
                    break
    return written


def measure(path: Path, algorithm: str, threads: str, folder: Path) -> dict[str, Any]:
    report = folder / "report.json"
    command = [
        sys.executable, str(_ROOT / "main.py"), "train", str(path), "--algorithm", algorithm, "--epochs", "1",
        "--threads", threads, "--output", str(folder / "vectors.npz"), "--report", str(report),
    ]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    told: dict[str, Any] = json.loads(report.read_text())
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory as the corpus grows.")
    parser.add_argument("corpus")
    parser.add_argument("--millions", default="1,3,10,30,100")
    parser.add_argument("--threads", default="2", help="one or several numbers, as in 1,2")
    parser.add_argument("--algorithms", default="sgns")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.setdefault("WORKBENCH_HOME", str(folder / "home"))
        path = folder / "grown.txt"
        for millions in (0.1, *map(float, options.millions.split(","))):
            tokens = write(options.corpus, round(millions * 1e6), path)
            for algorithm in options.algorithms.split(","):
                for number, threads in enumerate(options.threads.split(",")):
                    told = measure(path, algorithm, threads, folder)
                    if not number:  # found in the cache from then on
                        opened = told["seconds"]["read"]
                    if millions == 0.1:  # only fills the kernels' cache
                        continue
                    rows.append({"tokens": tokens, "threads": threads, "opened": opened, **told})
                    print(rows[-1]["seconds"], file=sys.stderr, flush=True)
            if options.json:
                Path(options.json).write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1))
    print(f"{machine()}; one epoch\n")
    print("| tokens | types | algorithm | threads | opened in | tokens/s opened | trained on | peak memory (MiB) |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['tokens'] / 1e6:g} M | {row['corpus']['types']:,} | `{row['algorithm']}` | {row['threads']} | "
            f"{row['opened']:.2f} s | {row['tokens'] / row['opened'] / 1e6:.1f} M | "
            f"{row['tokens'] / row['seconds']['train'] / 1e6:.2f} M/s | {row['peak_rss_bytes'] / 2**20:.0f} |"
        )


if __name__ == "__main__":
    main()
