"""Time for each token and peak memory as a corpus grows: ``python tests/benchmarks/growth.py CORPUS``.

    python tests/benchmarks/growth.py CORPUS [--millions 1,3,10,30,100] [--algorithm sgns] [--json FILE]

The corpus' own sentences in random order, again and again in another one, written as text until it is as long as asked
for; then the command line opens it and trains one epoch on two threads, in a process of its own. Prints a Markdown
table: seconds to open, tokens opened and trained on in a second, and the peak memory of the process.
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
    written = 0
    with target.open("w", encoding="utf-8") as file:
        while written < tokens:
            for number in random.permutation(len(corpus.sentences) - 1):
                ids = corpus.ids[corpus.sentences[number] : corpus.sentences[number + 1]][: tokens - written]
                file.write(" ".join(words[ids]) + "\n")
                written += len(ids)
                if written >= tokens:
                    break
    return written


def measure(path: Path, algorithm: str, folder: Path) -> dict[str, Any]:
    report = folder / "report.json"
    command = [
        sys.executable, str(_ROOT / "main.py"), "train", str(path), "--algorithm", algorithm, "--epochs", "1",
        "--threads", "2", "--output", str(folder / "vectors.npz"), "--report", str(report),
    ]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    told: dict[str, Any] = json.loads(report.read_text())
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory as the corpus grows.")
    parser.add_argument("corpus")
    parser.add_argument("--millions", default="1,3,10,30,100")
    parser.add_argument("--algorithm", default="sgns")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.setdefault("WORKBENCH_HOME", str(folder / "home"))
        measure_first = folder / "first.txt"
        write(options.corpus, 100_000, measure_first)
        measure(measure_first, options.algorithm, folder)  # fills the kernels' cache
        for millions in options.millions.split(","):
            path = folder / "grown.txt"
            tokens = write(options.corpus, round(float(millions) * 1e6), path)
            told = measure(path, options.algorithm, folder)
            path.unlink()
            rows.append({"tokens": tokens, **told})
            print(rows[-1], file=sys.stderr, flush=True)
            if options.json:
                Path(options.json).write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1))
    print(f"{machine()}; {options.algorithm}, one epoch, two threads\n")
    print("| tokens | words | seconds to open | tokens/s opened | tokens/s trained on | peak memory (MiB) |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        seconds = row["seconds"]
        print(
            f"| {row['tokens'] / 1e6:g} M | {row['corpus']['types']:,} | {seconds['open']:.2f} | "
            f"{row['tokens'] / seconds['open'] / 1e6:.2f} M | {row['tokens'] / seconds['train'] / 1e6:.2f} M | "
            f"{row['peak_rss_bytes'] / 2**20:.0f} |"
        )


if __name__ == "__main__":
    main()
