"""The workbench's algorithms against other programs at equal settings: quality, speed, memory.

    python tests/benchmarks/peers.py CORPUS --questions questions-words.txt [--rows cbow,glove]
        [--seeds 3] [--epochs 5] [--fasttext PROGRAM] [--glove FOLDER] [--word2vec PROGRAM] [--json FILE]
        [--keep FOLDER]

Needs the extra ``bench``; the rows against fastText's, GloVe's and word2vec's own programs need those, built
from their sources. Seed by seed the two sides train in turn, each in a process of its own, with the same
dimension (100), window, samples, subsampling, learning rate, min_count (5), epochs and two threads.
Both are scored by 3CosAdd over the same questions and the same 30,000 candidates: other programs order
words of equal count differently, so their rows are put in our order first. ``--keep`` writes every
result in that order as word2vec .bin, so that anything else can score it, too.

A row passes if the mean of ours is at least the peer's − max(0.5 points, 2·sqrt((s₁² + s₂²) / n)).
Prints a Markdown table and keeps every figure in ``--json`` as it comes. The speed of gensim and of the
workbench is that of training alone; programs are timed as a whole, with reading, counting and saving.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
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

from workbench.analysis.analogy import evaluate
from workbench.analysis.questions import load_questions
from workbench.corpus.store import open_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

_ROOT = Path(__file__).resolve().parents[2]
_WORD2VEC = {"dim": 100, "window": 5, "sample": 1e-3, "negative": 5}
_HIERARCHICAL = {"dim": 100, "window": 5, "sample": 1e-3}
_SUBWORDS = {
    "dim": 100, "window": 5, "sample": 1e-4, "negative": 5, "learning_rate": 0.05,
    "min_n": 3, "max_n": 6, "buckets": 2_000_000,
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One comparison. ``peer`` takes a :class:`peer_programs.Task` and trains."""

    key: str
    algorithm: str
    settings: dict[str, Any]
    peer_name: str
    peer: Callable[[peer_programs.Task], peer_programs.Outcome]
    # None: as asked for; 0: it has none; else fewer, where the other program takes minutes for each.
    epochs: int | None = None


ROWS = (
    Row("sgns", "sgns", {**_WORD2VEC, "learning_rate": 0.025}, "gensim", peer_programs.gensim),
    Row("sgns-program", "sgns", {**_WORD2VEC, "learning_rate": 0.025}, "word2vec.c", peer_programs.word2vec),
    Row("cbow", "cbow", {**_WORD2VEC, "learning_rate": 0.05}, "gensim", peer_programs.gensim),
    Row(
        "skipgram-hs",
        "skipgram-hs",
        {**_HIERARCHICAL, "learning_rate": 0.025},
        "gensim",
        peer_programs.gensim,
        epochs=3,
    ),
    Row("cbow-hs", "cbow-hs", {**_HIERARCHICAL, "learning_rate": 0.05}, "gensim", peer_programs.gensim),
    Row("cbow-program", "cbow", {**_WORD2VEC, "learning_rate": 0.05}, "word2vec.c", peer_programs.word2vec),
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
    Row("svd", "svd", {"dim": 100, "window": 5}, "scikit-learn", peer_programs.scikit_learn, epochs=0),
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
    """The corpus as lines of 1,000 tokens: other programs cut longer ones and share a file by lines."""
    corpus = open_corpus([corpus_path])
    words = np.array(corpus.words, dtype=object)
    with target.open("w", encoding="utf-8") as file:
        for first, last in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True):
            for start in range(first, last, 1000):
                file.write(" ".join(words[corpus.ids[start : min(start + 1000, last)]]) + "\n")


def run_workbench(row: Row, task: peer_programs.Task) -> peer_programs.Outcome:
    report = task.folder / "ours.json"
    command = [
        sys.executable, str(_ROOT / "main.py"), "train", task.corpus, "--algorithm", row.algorithm,
        "--min-count", "5", "--threads", "2", "--output", str(task.vectors), "--report", str(report),
    ]  # fmt: skip
    for name, value in row.settings.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    command += ["--seed", str(task.seed)]
    if task.epochs:
        command += ["--epochs", str(task.epochs)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    told = json.loads(report.read_text())
    return peer_programs.Outcome(told["seconds"]["train"], told["peak_rss_bytes"])


def _same_run(
    row: Row, rows: list[Row], figures: dict[str, dict[str, list[dict[str, float]]]], seed: int
) -> dict[str, float] | None:
    """The figures of the same training of ours, where it was made for another row already."""
    for other in rows:
        what = (other.algorithm, other.settings, other.epochs)
        done = figures.get(other.key, {}).get("workbench", [])
        if other is not row and what == (row.algorithm, row.settings, row.epochs) and len(done) >= seed:
            return done[seed - 1]
    return None


def in_our_order(vectors: Embeddings, order: list[str]) -> Embeddings:
    rows = [vectors.index[word] for word in order if word in vectors.index]
    return Embeddings([vectors.words[row] for row in rows], np.asarray(vectors.vectors)[rows])


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


def table(rows: list[Row], figures: dict[str, dict[str, list[dict[str, float]]]]) -> str:
    lines = [
        "| algorithm | peer | analogies (%), ours | peer's | allowed | | seconds, ours | peer's | ratio "
        "| MiB, ours | peer's |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        sides = figures.get(row.key, {})
        ours, peer = sides.get("workbench", []), sides.get("peer", [])
        if not ours or len(ours) != len(peer):
            continue
        scores = [[run["analogies"] for run in side] for side in (ours, peer)]
        means = [statistics.mean(side) for side in scores]
        spreads = [statistics.stdev(side) if len(side) > 1 else 0.0 for side in scores]
        allowed = means[1] - max(0.5, 2 * math.sqrt(sum(s * s for s in spreads) / len(ours)))
        seconds = [statistics.median(run["seconds"] for run in side) for side in (ours, peer)]
        ratio = statistics.median(b["seconds"] / a["seconds"] for a, b in zip(ours, peer, strict=True))
        memory = [statistics.median(run["peak_mb"] for run in side) for side in (ours, peer)]
        verdict = "passes" if means[0] >= allowed else "misses"
        lines.append(
            f"| `{row.algorithm}` | {row.peer_name} | {means[0]:.2f} ± {spreads[0]:.2f} | "
            f"{means[1]:.2f} ± {spreads[1]:.2f} | {allowed:.2f} | {verdict} | {seconds[0]:.1f} | {seconds[1]:.1f} | "
            f"{ratio:.2f} | {memory[0]:.0f} | {memory[1]:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="The workbench's algorithms against other programs.")
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
    options = parser.parse_args()
    wanted = options.rows.split(",")
    rows = [row for row in ROWS if row.key in wanted]
    for name, program in (("fastText", options.fasttext), ("GloVe", options.glove), ("word2vec.c", options.word2vec)):
        if program is None and any(row.peer_name == name for row in rows):
            print(f"Left out: the rows against {name}, whose programs were not given.", file=sys.stderr)
            rows = [row for row in rows if row.peer_name != name]
    questions = load_questions(options.questions)
    figures: dict[str, dict[str, list[dict[str, float]]]] = {}
    if options.json and Path(options.json).exists():
        figures = json.loads(Path(options.json).read_text())["rows"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = folder / "lines.txt"
        write_lines(options.corpus, lines)
        order = [str(word) for word in open_corpus([options.corpus]).words]
        for seed in range(1, options.seeds + 1):
            for row in rows:
                sides = figures.setdefault(row.key, {"workbench": [], "peer": []})
                epochs = options.epochs if row.epochs is None else row.epochs
                for side in ("workbench", "peer"):
                    if len(sides[side]) >= seed:
                        continue
                    if side == "workbench" and (same := _same_run(row, rows, figures, seed)) is not None:
                        sides[side].append(same)
                        continue
                    task = peer_programs.Task(
                        options.corpus, lines, folder, seed, epochs, row.algorithm, row.settings,
                        folder / ("ours.bin" if side == "workbench" else "peer.bin"),
                        options.fasttext, options.glove, options.word2vec,
                    )  # fmt: skip
                    done = run_workbench(row, task) if side == "workbench" else row.peer(task)
                    vectors = in_our_order(load_vectors(done.vectors or task.vectors), order)
                    if options.keep:
                        Path(options.keep).mkdir(exist_ok=True)
                        save_vectors(vectors, Path(options.keep) / f"{row.key}-{side}-{seed}.bin")
                    found = {
                        "analogies": 100 * evaluate(vectors, questions).all,
                        "seconds": done.seconds,
                        "peak_mb": done.peak_bytes / 2**20,
                    }
                    sides[side].append(found)
                    print(f"seed {seed} {row.key} {side}: {found}", file=sys.stderr, flush=True)
                    if options.json:
                        content = {"machine": machine(), "epochs": options.epochs, "rows": figures}
                        Path(options.json).write_text(json.dumps(content, indent=1))
    print(f"{machine()}; {options.seeds} seeds, {options.epochs} epochs\n")
    print(table(rows, figures))


if __name__ == "__main__":
    main()
