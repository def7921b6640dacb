"""Compare the workbench’s algorithms with other programs at equal settings: quality, speed, memory.

    python tests/benchmarks/peers.py CORPUS --questions questions-words.txt [--rows cbow,glove]
        [--seeds 3] [--epochs 5] [--fasttext PROGRAM] [--glove FOLDER] [--word2vec PROGRAM] [--json
        FILE]
        [--keep FOLDER]

Needs the group ``bench``; comparisons with fastText’s, GloVe’s and word2vec’s own programs need
those, built from their sources. For each seed, the two sides train in turn, each in a separate
process, with the same dimensions (100), window, negative samples, subsampling, learning rate,
min_count (5), epochs and two threads. Both are scored by 3CosAdd on the same questions and the same
30,000 candidates: other programs order words with equal counts differently, so their rows are first
put into the workbench’s order. ``--keep`` writes every result in that order as a word2vec .bin
file, so that other programs can score it, too.

A row passes if the workbench’s mean is at least the peer’s − max(0.5 points, 2·sqrt((s₁² + s₂²) /
n)). Prints a Markdown table and saves every figure in ``--json`` as soon as it is known. The speed
of gensim and of the workbench is that of training alone; other programs are timed as a whole, with
reading, counting and saving.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import peer_programs
from results import keep, machine, table

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.analogy.solver import evaluate
from workbench.corpus.loader import open_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

_ROOT = Path(__file__).resolve().parents[2]
_WORD2VEC = {"dim": 100, "window": 5, "sample": 1e-3, "negative": 5}
_HIERARCHICAL = {"dim": 100, "window": 5, "sample": 1e-3}
_SUBWORDS = {
    "dim": 100,
    "window": 5,
    "sample": 1e-4,
    "negative": 5,
    "learning_rate": 0.05,
    "min_n": 3,
    "max_n": 6,
    "buckets": 2_000_000,
}


@dataclass(frozen=True)
class Row:
    """One comparison. ``peer`` trains for a :class:`peer_programs.Task`."""

    key: str
    algorithm: str
    settings: dict[str, Any]
    peer_name: str
    peer: Callable[[peer_programs.Task], peer_programs.Outcome]
    # None: the number requested; 0: the algorithm has no epochs; otherwise a maximum, for programs
    # that take minutes per epoch.
    epochs: int | None = None


ROWS = (
    Row("sgns", "sgns", {**_WORD2VEC, "learning_rate": 0.025}, "gensim", peer_programs.gensim),
    Row(
        "sgns-program",
        "sgns",
        {**_WORD2VEC, "learning_rate": 0.025},
        "word2vec.c",
        peer_programs.word2vec,
    ),
    Row("cbow", "cbow", {**_WORD2VEC, "learning_rate": 0.05}, "gensim", peer_programs.gensim),
    Row(
        "skipgram-hs",
        "skipgram-hs",
        {**_HIERARCHICAL, "learning_rate": 0.025},
        "gensim",
        peer_programs.gensim,
        epochs=3,
    ),
    Row(
        "cbow-hs",
        "cbow-hs",
        {**_HIERARCHICAL, "learning_rate": 0.05},
        "gensim",
        peer_programs.gensim,
    ),
    Row(
        "cbow-program",
        "cbow",
        {**_WORD2VEC, "learning_rate": 0.05},
        "word2vec.c",
        peer_programs.word2vec,
    ),
    Row("fasttext", "fasttext", _SUBWORDS, "gensim", peer_programs.gensim, epochs=3),
    Row("fasttext-program", "fasttext", _SUBWORDS, "fastText", peer_programs.fasttext, epochs=3),
    Row("fasttext-cbow", "fasttext-cbow", _SUBWORDS, "fastText", peer_programs.fasttext, epochs=3),
    Row(
        "glove",
        "glove",
        {"dim": 100, "window": 10, "x_max": 100.0, "alpha": 0.75, "learning_rate": 0.05},
        "GloVe",
        peer_programs.glove,
        epochs=5,
    ),
    Row(
        "svd",
        "svd",
        {"dim": 100, "window": 5},
        "scikit-learn",
        peer_programs.scikit_learn,
        epochs=0,
    ),
    Row(
        "lsa",
        "lsa",
        {"dim": 100, "documents": "chunks", "document_length": 100},
        "scikit-learn",
        peer_programs.scikit_learn,
        epochs=0,
    ),
)


def write_lines(corpus_path: str, target: Path) -> None:
    """Write the corpus as lines of 1,000 tokens: other programs cut longer lines, and divide a file
    by lines.
    """
    corpus = open_corpus([corpus_path])
    words = np.array(corpus.words, dtype=object)
    with target.open("w", encoding="utf-8") as file:
        for first, last in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True):
            for start in range(first, last, 1000):
                file.write(" ".join(words[corpus.ids[start : min(start + 1000, last)]]) + "\n")


def run_workbench(row: Row, task: peer_programs.Task) -> peer_programs.Outcome:
    report = task.folder / "ours.json"
    command = [
        sys.executable,
        str(_ROOT / "main.py"),
        "train",
        task.corpus,
        "--algorithm",
        row.algorithm,
        "--min-count",
        "5",
        "--threads",
        "2",
        "--output",
        str(task.vectors),
        "--report",
        str(report),
    ]
    for name, value in row.settings.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    command += ["--seed", str(task.seed)]
    if task.epochs:
        command += ["--epochs", str(task.epochs)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    result = json.loads(report.read_text())
    return peer_programs.Outcome(result["seconds"]["train"], result["peak_rss_bytes"])


def _same_run(
    row: Row, rows: list[Row], figures: dict[str, dict[str, Any]], seed: int
) -> dict[str, float] | None:
    """Figures of the workbench’s same training, if it was already done for another row."""
    for other in rows:
        what = (other.algorithm, other.settings, other.epochs)
        results: list[dict[str, float]] = figures.get(other.key, {}).get("workbench", [])
        if (
            other is not row
            and what == (row.algorithm, row.settings, row.epochs)
            and len(results) >= seed
        ):
            return results[seed - 1]
    return None


def in_our_order(vectors: Embeddings, order: list[str]) -> Embeddings:
    rows = [vectors.index[word] for word in order if word in vectors.index]
    return Embeddings([vectors.words[row] for row in rows], np.asarray(vectors.vectors)[rows])


def markdown(results: dict[str, Any]) -> str:
    rows, figures = [], results["rows"]
    for row in ROWS:
        sides = figures.get(row.key, {})
        ours, peer = sides.get("workbench", []), sides.get("peer", [])
        if not ours or len(ours) != len(peer):
            continue
        scores = [[run["analogies"] for run in side] for side in (ours, peer)]
        means = [statistics.mean(side) for side in scores]
        spreads = [statistics.stdev(side) if len(side) > 1 else 0.0 for side in scores]
        bound = means[1] - max(0.5, 2 * math.sqrt(sum(s * s for s in spreads) / len(ours)))
        seconds = [statistics.median(run["seconds"] for run in side) for side in (ours, peer)]
        ratios = [b["seconds"] / a["seconds"] for a, b in zip(ours, peer, strict=True)]
        memory = [statistics.median(run["peak_mb"] for run in side) for side in (ours, peer)]
        rows.append(
            (
                f"`{row.algorithm}`",
                row.peer_name,
                figures[row.key].get("epochs", "") or "",
                len(ours),
                f"{means[0]:.2f} ± {spreads[0]:.2f}",
                f"{means[1]:.2f} ± {spreads[1]:.2f}",
                f"{bound:.2f}",
                "passes" if means[0] >= bound else "misses",
                f"{seconds[0]:.1f}",
                f"{seconds[1]:.1f}",
                f"**{statistics.median(ratios):.2f}**",
                f"{min(ratios):.1f} to {max(ratios):.1f}",
                f"{memory[0]:.0f}",
                f"{memory[1]:.0f}",
            )
        )
    head = (
        "algorithm",
        "peer",
        "epochs",
        "seeds",
        "analogies (%), ours",
        "peer's",
        "allowed",
        "",
        "seconds, ours",
        "peer's",
        "ratio",
        "minimum to maximum",
        "MiB, ours",
        "peer's",
    )
    return table(head, rows)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="The workbench's algorithms against other programs."
    )
    parser.add_argument("corpus")
    parser.add_argument("--questions", required=True)
    parser.add_argument("--rows", default=",".join(row.key for row in ROWS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--fasttext", help="fastText's program")
    parser.add_argument("--glove", help="the folder with GloVe's programs")
    parser.add_argument("--word2vec", help="word2vec.c's program")
    parser.add_argument("--json")
    parser.add_argument("--keep")
    return parser.parse_args()


def _rows(options: argparse.Namespace) -> list[Row]:
    """The rows that are asked for and whose programs were given."""
    keys = options.rows.split(",")
    rows = [row for row in ROWS if row.key in keys]
    for name, program in (
        ("fastText", options.fasttext),
        ("GloVe", options.glove),
        ("word2vec.c", options.word2vec),
    ):
        if program is None and any(row.peer_name == name for row in rows):
            print(
                f"Left out: the rows against {name}, whose programs were not given.",
                file=sys.stderr,
            )
            rows = [row for row in rows if row.peer_name != name]
    return rows


def main() -> None:
    options = _options()
    rows = _rows(options)
    questions = load_questions(options.questions)
    results: dict[str, Any] = {"rows": {}}
    figures: dict[str, dict[str, Any]] = results["rows"]
    if options.json and Path(options.json).exists():
        results = json.loads(Path(options.json).read_text())
        figures = results["rows"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = folder / "lines.txt"
        write_lines(options.corpus, lines)
        order = [str(word) for word in open_corpus([options.corpus]).words]
        for seed in range(1, options.seeds + 1):
            for row in rows:
                epochs = options.epochs if row.epochs is None else min(row.epochs, options.epochs)
                sides = figures.setdefault(row.key, {"workbench": [], "peer": [], "epochs": epochs})
                for side in ("workbench", "peer"):
                    if len(sides[side]) >= seed:
                        continue
                    if (
                        side == "workbench"
                        and (same := _same_run(row, rows, figures, seed)) is not None
                    ):
                        sides[side].append(same)
                        continue
                    task = peer_programs.Task(
                        options.corpus,
                        lines,
                        folder,
                        seed,
                        epochs,
                        row.algorithm,
                        row.settings,
                        folder / ("ours.bin" if side == "workbench" else "peer.bin"),
                        options.fasttext,
                        options.glove,
                        options.word2vec,
                    )
                    outcome = run_workbench(row, task) if side == "workbench" else row.peer(task)
                    vectors = in_our_order(load_vectors(outcome.vectors or task.vectors), order)
                    if options.keep:
                        Path(options.keep).mkdir(exist_ok=True)
                        save_vectors(vectors, Path(options.keep) / f"{row.key}-{side}-{seed}.bin")
                    figures_of_run = {
                        "analogies": 100 * evaluate(vectors, questions).all,
                        "seconds": outcome.seconds,
                        "peak_mb": outcome.peak_bytes / 2**20,
                    }
                    sides[side].append(figures_of_run)
                    print(
                        f"seed {seed} {row.key} {side}: {figures_of_run}",
                        file=sys.stderr,
                        flush=True,
                    )
                    results = keep(options.json, {"rows": figures})
    print(f"{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
