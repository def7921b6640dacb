"""Compare skip-gram with negative sampling from random numbers and from the counts, and gensim if
it is installed: quality against seconds.

    python tests/benchmarks/from_counts.py TEXT --questions FILE --pairs FILE ... [--epochs 1,2,5]
        [--seeds 1,2,3] [--threads N] [--only random,counts,gensim] [--json FILE] [--figure FILE]

Trains every program with each seed and number of epochs, in turns, so that a slower machine slows
all of them. Seconds are those of counting, factorising and training; the text is read and the
kernels are compiled before, and no counts are kept between trainings. Prints means over the seeds:
the accuracy of 3CosAdd on the questions, Spearman’s ρ with the human scores of each file of pairs,
the objective of the result in nats and its distance from the floor, and the share of the ten
nearest neighbours of the 2,000 most frequent words that two seeds have in common. ``--figure``
draws the curves as an SVG file.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import peer_programs
from results import keep, machine, table

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.evaluation import similarity
from workbench.analysis.theory import loss_floor
from workbench.core.arrays import Ids
from workbench.core.job_control import JobControl
from workbench.core.threads import BLAS_ALONE
from workbench.corpus.corpus import Corpus
from workbench.models.predict.sgns import SGNS, SGNSParams
from workbench.models.start_from_counts import warm_start
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors

PROGRAMS = ("random", "counts", "gensim")
_WORDS, _NEIGHBOURS = 2000, 10
_COLOURS = {"random": "#888888", "counts": "#0072b2", "gensim": "#d55e00"}
_WIDTH, _HEIGHT, _MARGIN = 360, 240, 46


def train(
    corpus: Corpus, start: str, seed: int, epochs: int, threads: int
) -> tuple[Embeddings, float, float]:
    """A training: the vectors, its seconds, and the objective of the result."""
    run = JobControl()
    params = SGNSParams(start=start, seed=seed, epochs=epochs, threads=threads)
    begun = time.perf_counter()
    with BLAS_ALONE:
        vectors = SGNS(params).fit(corpus, run)
    seconds = time.perf_counter() - begun
    assert run.final is not None
    return vectors, seconds, run.final.value


def train_gensim(lines: Path, folder: Path, seed: int, epochs: int) -> tuple[Embeddings, float]:
    """The same by gensim, with its own timing; its vocabulary is counted before."""
    vectors = folder / "gensim.bin"
    defaults = SGNSParams()
    names = ("dim", "window", "negative", "sample", "learning_rate")
    settings = {name: getattr(defaults, name) for name in names}
    task = peer_programs.Task(
        "", lines, folder, seed, epochs, "sgns", settings, vectors, None, None
    )
    seconds = peer_programs.gensim(task).seconds
    return load_vectors(vectors), seconds


def write_lines(corpus: Corpus, target: Path) -> None:
    """The text for other programs: one line for at most 1,000 tokens of a sentence."""
    with target.open("w", encoding="utf-8") as file:
        for begin, end in itertools.pairwise(np.asarray(corpus.sentences).tolist()):
            for at in range(begin, end, 1000):
                part = np.asarray(corpus.ids[at : min(at + 1000, end)])
                file.write(" ".join(corpus.words[word] for word in part) + "\n")


def neighbours(vectors: Embeddings, order: list[str]) -> Ids:
    """int32[n, 10]: the nearest neighbours of the most frequent words among themselves."""
    rows = np.asarray(vectors.vectors)[[vectors.index[word] for word in order]]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(lengths > 0, lengths, 1)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -2)
    return np.argsort(-cosines, axis=1)[:, :_NEIGHBOURS].astype(np.int32)


def overlap(lists: list[Ids]) -> float:
    """Mean share of neighbours that two seeds have in common; nan for a single seed."""
    shares = [
        np.mean([len(np.intersect1d(a, b)) for a, b in zip(one, other, strict=True)]) / _NEIGHBOURS
        for one, other in itertools.combinations(lists, 2)
    ]
    return float(np.mean(shares)) if shares else float("nan")


def quality(
    vectors: Embeddings, questions: Questions | None, pairs: list[similarity.WordPairs]
) -> dict[str, float]:
    found: dict[str, float] = {}
    if questions is not None:
        found["analogies"] = solver.evaluate(vectors, questions).all
    for one in pairs:
        found[one.name] = similarity.evaluate(vectors, one).rho
    return found


def figure(rows: list[dict[str, Any]], measures: list[str]) -> str:
    """An SVG with a panel for each measure: quality against seconds, a curve for each program."""
    longest = max(row["seconds"] for row in rows)
    parts = []
    for number, measure in enumerate(measures):
        values = [row[measure] for row in rows if np.isfinite(row[measure])]
        low, high = min(values, default=0.0), max(values, default=1.0)
        left = number * _WIDTH + _MARGIN
        wide, tall = _WIDTH - _MARGIN - 12, _HEIGHT - 2 * _MARGIN
        parts.append(f'<text x="{left}" y="22">{measure}: {low:.3f} to {high:.3f}</text>')
        parts.append(
            f'<text x="{left}" y="{_HEIGHT - 14}">0 to {longest:.1f} s</text>'
            f'<rect x="{left}" y="{_MARGIN}" width="{wide}" height="{tall}" fill="none" '
            'stroke="#bbbbbb"/>'
        )
        for place, program in enumerate(PROGRAMS):
            points = " ".join(
                f"{left + wide * row['seconds'] / longest:.1f},"
                f"{_MARGIN + tall * (1 - (row[measure] - low) / max(high - low, 1e-9)):.1f}"
                for row in rows
                if row["program"] == program and np.isfinite(row[measure])
            )
            if points:
                parts.append(
                    f'<polyline points="{points}" fill="none" stroke="{_COLOURS[program]}" '
                    'stroke-width="2"/>'
                )
                parts.append(
                    f'<text x="{left + wide - 60}" y="{_MARGIN + tall - 8 - 15 * place}" '
                    f'fill="{_COLOURS[program]}">{program}</text>'
                )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH * len(measures)}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="12">' + "".join(parts) + "</svg>\n"
    )


def markdown(rows: list[dict[str, Any]], measures: list[str]) -> str:
    head = ("start", "epochs", "seconds", *measures, "objective", "above the floor", "overlap")
    return table(
        head,
        (
            (
                row["program"],
                row["epochs"],
                f"{row['seconds']:.2f}",
                *(f"{row[measure]:.3f}" for measure in measures),
                f"{row['objective']:.4f}",
                f"{row['gap']:.4f}",
                f"{row['overlap']:.2f}",
            )
            for row in rows
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Random numbers, counts and gensim.")
    parser.add_argument("text")
    parser.add_argument("--questions")
    parser.add_argument("--pairs", nargs="*", default=[])
    parser.add_argument("--epochs", default="1,2,5")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--json")
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    programs = [name for name in PROGRAMS if name in options.only.split(",")]
    if "gensim" in programs and importlib.util.find_spec("gensim") is None:
        print("gensim isn’t installed, so it is left out.", file=sys.stderr)
        programs.remove("gensim")
    # Without a folder, counts aren't kept.
    corpus = replace(read_corpus([options.text], None, JobControl()), folder=None)
    questions = load_questions(options.questions) if options.questions else None
    pairs = [similarity.load_pairs(path) for path in options.pairs]
    order = list(corpus.words[:_WORDS])
    SGNS.warm()
    warm_start()
    floor = loss_floor.loss_floor(corpus, SGNS, SGNSParams())
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "gensim" in programs:
            write_lines(corpus, folder / "lines.txt")
        for epochs in map(int, options.epochs.split(",")):
            found: dict[str, list[dict[str, float]]] = {program: [] for program in programs}
            near: dict[str, list[Ids]] = {program: [] for program in programs}
            for seed, program in itertools.product(map(int, options.seeds.split(",")), programs):
                objective = float("nan")
                if program == "gensim":
                    vectors, seconds = train_gensim(folder / "lines.txt", folder, seed, epochs)
                else:
                    vectors, seconds, objective = train(
                        corpus, program, seed, epochs, options.threads
                    )
                known = [word for word in order if word in vectors]
                near[program].append(neighbours(vectors, known))
                found[program].append(
                    {
                        "seconds": seconds,
                        "objective": objective,
                        "gap": objective - floor,
                        **quality(vectors, questions, pairs),
                    }
                )
            for program in programs:
                means = {
                    name: float(np.mean([one[name] for one in found[program]]))
                    for name in found[program][0]
                }
                spread = overlap(near[program])
                rows.append({"program": program, "epochs": epochs, **means, "overlap": spread})
    measures = [
        name
        for name in rows[0]
        if name not in ("program", "epochs", "seconds", "objective", "gap", "overlap")
    ]
    keep(options.json, {"floor": floor, "rows": rows})
    if options.figure is not None:
        options.figure.write_text(figure(rows, measures), encoding="utf-8")
    print(f"{machine()}\n\nFloor: {floor:.4f} nats\n")
    print(markdown(rows, measures))


if __name__ == "__main__":
    main()
