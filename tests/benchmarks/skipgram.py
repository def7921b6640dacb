"""Skip-gram with negative sampling against gensim, in one run: speed, memory and quality.

    python tests/benchmarks/skipgram.py CORPUS --questions questions-words.txt [--seeds 3] [--epochs 5]

Needs the extra ``bench``. The two train in turn, seed by seed, in processes of their own, with the
same settings (d 100, window 5, k 5, t 1e-3, min_count 5, learning rate 0.025, two threads). Only
training itself is timed. Both are scored by 3CosAdd over the same questions and the same 30,000
candidates: gensim orders words of equal count differently, so its rows are put in our order first.
Prints a Markdown table and, with ``--json FILE``, keeps every figure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from workbench.analysis.analogy import evaluate
from workbench.analysis.questions import load_questions
from workbench.corpus.store import open_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors

_ROOT = Path(__file__).resolve().parents[2]


def write_lines(corpus_path: str, target: Path) -> None:
    """The corpus as lines of 1,000 tokens: gensim cuts longer ones and shares a file by lines."""
    corpus = open_corpus([corpus_path])
    words = np.array(corpus.words, dtype=object)
    with target.open("w", encoding="utf-8") as file:
        for first, last in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True):
            for start in range(first, last, 1000):
                file.write(" ".join(words[corpus.ids[start : min(start + 1000, last)]]) + "\n")


def run_workbench(corpus: str, seed: int, epochs: int, folder: Path) -> dict[str, Any]:
    vectors, report = folder / "ours.bin", folder / "ours.json"
    command = [
        sys.executable, str(_ROOT / "main.py"), "train", corpus, "--algorithm", "sgns", "--dim", "100",
        "--window", "5", "--negative", "5", "--sample", "1e-3", "--min-count", "5", "--epochs", str(epochs),
        "--threads", "2", "--seed", str(seed), "--output", str(vectors), "--report", str(report),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return {**json.loads(report.read_text()), "vectors": load_vectors(vectors)}


def run_gensim(lines: Path, seed: int, epochs: int, folder: Path) -> dict[str, Any]:
    vectors = folder / "gensim.bin"
    peer = Path(__file__).with_name("gensim_peer.py")
    command = [sys.executable, str(peer), str(lines), str(seed), str(epochs), str(vectors)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {**json.loads(done.stdout), "vectors": load_vectors(vectors)}


def accuracy(vectors: Embeddings, order: list[str], questions: str) -> float:
    rows = [vectors.index[word] for word in order if word in vectors.index]
    same = Embeddings([vectors.words[row] for row in rows], np.asarray(vectors.vectors)[rows])
    return 100 * evaluate(same, load_questions(questions)).all


def machine() -> str:
    name = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        models = [
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Skip-gram with negative sampling against gensim.")
    parser.add_argument("corpus")
    parser.add_argument("--questions", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--json")
    options = parser.parse_args()
    figures: dict[str, list[dict[str, float]]] = {"workbench": [], "gensim": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = folder / "lines.txt"
        write_lines(options.corpus, lines)
        # Compiles what has to be compiled once, and brings the corpus into the cache.
        run_workbench(options.corpus, 1, 1, folder)
        for seed in range(1, options.seeds + 1):
            ours = run_workbench(options.corpus, seed, options.epochs, folder)
            peer = run_gensim(lines, seed, options.epochs, folder)
            order = list(ours["vectors"].words)
            for key, done in (("workbench", ours), ("gensim", peer)):
                score = accuracy(done["vectors"], order, options.questions)
                figures[key].append(
                    {
                        "tokens_per_second": done["tokens_per_second"],
                        "analogies": score,
                        "peak_mb": done["peak_rss_bytes"] / 2**20,
                    }
                )
                print(f"seed {seed} {key}: {figures[key][-1]}", file=sys.stderr)
    print(f"{machine()}; {options.seeds} seeds, {options.epochs} epochs\n")
    print("| | tokens/s, median | analogies, mean ± s (%) | peak memory, median (MiB) |\n|---|---|---|---|")
    for key, rows in figures.items():
        speed = statistics.median(row["tokens_per_second"] for row in rows)
        scores = [row["analogies"] for row in rows]
        spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
        memory = statistics.median(row["peak_mb"] for row in rows)
        print(f"| {key} | {speed / 1e6:.2f} M | {statistics.mean(scores):.2f} ± {spread:.2f} | {memory:.0f} |")
    pairs = zip(figures["workbench"], figures["gensim"], strict=True)
    ratios = [ours["tokens_per_second"] / peer["tokens_per_second"] for ours, peer in pairs]
    each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"\nRatio of speeds, seed by seed: {each}; median {statistics.median(ratios):.2f}.")
    if options.json:
        Path(options.json).write_text(json.dumps({"machine": machine(), **figures}, indent=1))


if __name__ == "__main__":
    main()
