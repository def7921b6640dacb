"""Speed at equal quality: starts from random numbers and from the counts, and another program:
gensim if it is installed, and GloVe's own programs for ``glove``.

    python tests/benchmarks/from_counts.py TEXT[:TOKENS] ... --questions FILE --pairs FILE ...
        [--algorithms sgns,cbow] [--epochs 1,2,3,5] [--seeds 1,2,3] [--threads N]
        [--rates 0.0125,0.035]
        [--only random,counts,gensim,GloVe] [--peer-python PROGRAM] [--glove FOLDER]
        [--json FILE] [--figure FILE]

Trains every program with each seed and number of epochs, in turns, so that a slower machine slows
all of them; of a text with TOKENS, only the beginning. Seconds are those of counting, factorising
and training; the text is read and the kernels are compiled before, and no counts are kept between
trainings. Measures the accuracy of 3CosAdd on the questions, Spearman’s ρ with the human scores of
each file of pairs, the objective of the result in nats and its distance from the floor, and the
share of the ten nearest neighbours of the 2,000 most frequent words that two seeds have in common;
all as means over the seeds. The start from the counts is trained with the default learning rate and
with each of ``--rates``.

The first table lists, for each start, the smallest number of epochs after which every score is at
least that of the other program after its own number of epochs, which is 5 for gensim and 25 for
GloVe, and the ratio of the seconds. ``--figure`` draws quality against seconds as an SVG file,
which is beside the JSON file by default. ``--peer-python`` is the interpreter that has gensim;
``--glove`` the folder with vocab_count, cooccur, shuffle and glove, all of whose seconds but those
of the first count. Results that the JSON file has are not measured again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
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
from workbench.core.machine.threads import BLAS_ALONE
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Model
from workbench.models.start_from_counts import warm_start
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors

STARTS = ("random", "counts")
# Other programs, and the number of epochs whose scores are to be equalled.
PEERS = {"gensim": 5, "GloVe": 25}
PROGRAMS = (*STARTS, *PEERS)
_WORDS, _NEIGHBOURS = 2000, 10
# Names in a row that aren't scores.
_OTHERS = ("program", "rate", "epochs", "seconds", "objective", "gap", "overlap", "runs")
_COLOURS = {"random": "#888888", "counts": "#0072b2", "gensim": "#d55e00", "GloVe": "#d55e00"}
_WIDTH, _HEIGHT, _MARGIN = 360, 260, 46


def train(
    corpus: Corpus, kind: type[Model], values: dict[str, Any]
) -> tuple[Embeddings, float, float]:
    """A training: the vectors, its seconds, and the objective of the result."""
    run = JobControl()
    params = kind.params_type.from_mapping(values)
    begun = time.perf_counter()
    with BLAS_ALONE:
        vectors = kind(params).fit(corpus, run)
    seconds = time.perf_counter() - begun
    assert run.final is not None
    return vectors, seconds, run.final.value


def peer_of(kind: type[Model]) -> str:
    """The other program that trains an algorithm."""
    return "GloVe" if kind.key == "glove" else "gensim"


def train_peer(
    program: str, lines: Path, folder: Path, kind: type[Model], seed: int, epochs: int, glove: str
) -> tuple[Embeddings, float]:
    """The same by another program, with its own timing; its vocabulary is counted before."""
    vectors = folder / "peer.bin"
    names = ("dim", "window", "negative", "sample", "learning_rate", "min_n", "max_n", "buckets")
    values = kind.params_type().to_dict()
    settings = {name: values[name] for name in (*names, "x_max", "alpha") if name in values}
    task = peer_programs.Task(
        "", lines, folder, seed, epochs, kind.key, settings, vectors, None, glove
    )
    run = peer_programs.glove if program == "GloVe" else peer_programs.gensim
    outcome = run(task)
    return load_vectors(outcome.vectors or vectors), outcome.seconds + outcome.counting


def open_text(name: str, folder: Path) -> tuple[str, Corpus]:
    """The title and the corpus of TEXT[:TOKENS]."""
    path, _, tokens = name.partition(":")
    title = Path(path).stem
    if tokens:
        words = Path(path).read_text(encoding="utf-8").split(None, int(tokens))[: int(tokens)]
        path = str(folder / f"{title}-{tokens}.txt")
        Path(path).write_text(" ".join(words), encoding="utf-8")
        title = f"{title}, first {int(tokens):,} tokens"
    # Without a folder, counts aren't kept.
    return title, replace(read_corpus([path], None, JobControl()), folder=None)


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
        found[Path(one.name).stem] = similarity.evaluate(vectors, one).rho
    return found


def measures_of(rows: list[dict[str, Any]]) -> list[str]:
    return [name for name in rows[0] if name not in _OTHERS] if rows else []


def figure(groups: list[dict[str, Any]]) -> str:
    """An SVG with a line of panels for each text and algorithm, one for each measure: quality
    against seconds, a curve for each program.
    """
    parts, widest = [], 1
    for line, group in enumerate(groups):
        rows, top = group["rows"], line * _HEIGHT
        measures = measures_of(rows)
        widest = max(widest, len(measures))
        longest = max((row["seconds"] for row in rows), default=1.0)
        parts.append(
            f'<text x="{_MARGIN}" y="{top + 18}" font-weight="bold">'
            f"{group['text']}, {group['algorithm']}</text>"
        )
        for number, measure in enumerate(measures):
            values = [row[measure] for row in rows if np.isfinite(row[measure])]
            low, high = min(values, default=0.0), max(values, default=1.0)
            left = number * _WIDTH + _MARGIN
            wide, tall = _WIDTH - _MARGIN - 12, _HEIGHT - 2 * _MARGIN
            bottom = top + _MARGIN + tall
            parts.append(
                f'<text x="{left}" y="{top + 38}">{measure}: {low:.3f} to {high:.3f}</text>'
                f'<text x="{left}" y="{top + _HEIGHT - 26}">0 to {longest:.1f} s</text>'
                f'<rect x="{left}" y="{top + _MARGIN}" width="{wide}" height="{tall}" '
                'fill="none" stroke="#bbbbbb"/>'
            )
            for place, program in enumerate(PROGRAMS):
                # Other learning rates are in the table only.
                points = " ".join(
                    f"{left + wide * row['seconds'] / longest:.1f},"
                    f"{bottom - tall * (row[measure] - low) / max(high - low, 1e-9):.1f}"
                    for row in rows
                    if row["program"] == program
                    and not row.get("rate")
                    and np.isfinite(row[measure])
                )
                if points:
                    colour = _COLOURS[program]
                    parts.append(
                        f'<polyline points="{points}" fill="none" stroke="{colour}" '
                        f'stroke-width="2"/><text x="{left + wide - 60}" '
                        f'y="{bottom - 8 - 15 * place}" fill="{colour}">'
                        f"{program}</text>"
                    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH * widest}" '
        f'height="{_HEIGHT * max(len(groups), 1)}" font-family="sans-serif" font-size="12">'
        + "".join(parts)
        + "</svg>\n"
    )


def equal_quality(group: dict[str, Any]) -> list[dict[str, Any]]:
    """For each start, its cheapest row whose every score is at least that of the other program
    after its number of epochs; empty without that row.
    """
    rows = group["rows"]
    peer = next((row for row in rows if PEERS.get(row["program"]) == row["epochs"]), None)
    if peer is None:
        return []
    chosen = []
    for program in STARTS:
        able = [
            row
            for row in rows
            if row["program"] == program
            and all(row[name] >= peer[name] for name in measures_of(rows))
        ]
        if able:
            best = min(able, key=lambda row: (row["epochs"], row.get("rate") or 0.0))
            chosen.append({**best, "ratio": peer["seconds"] / best["seconds"], "peer": peer})
    return chosen


def markdown(record: dict[str, Any]) -> str:
    groups = _with_nan(record["groups"])
    equal = table(
        (
            *("text", "algorithm", "start", "η", "epochs", "seconds"),
            *("other program", "its epochs", "its seconds", "ratio"),
        ),
        (
            (
                group["text"],
                f"`{group['algorithm']}`",
                row["program"],
                row.get("rate") or "default",
                row["epochs"],
                f"{row['seconds']:.2f}",
                row["peer"]["program"],
                row["peer"]["epochs"],
                f"{row['peer']['seconds']:.1f}",
                f"**{row['ratio']:.1f}**",
            )
            for group in groups
            for row in equal_quality(group)
        ),
    )
    parts = [equal]
    for group in groups:
        measures = measures_of(group["rows"])
        floor = f", floor {group['floor']:.4f} nats" if np.isfinite(group["floor"]) else ""
        parts.append(
            f"**{group['text']}**, `{group['algorithm']}`: {group['tokens']:,} tokens, "
            f"{group['words']:,} words, {group['seeds']} seeds{floor}"
        )
        parts.append(
            table(
                (
                    *("start", "η", "epochs", "seconds"),
                    *measures,
                    "objective",
                    "above the floor",
                    "overlap",
                ),
                (
                    (
                        row["program"],
                        row.get("rate") or "",
                        row["epochs"],
                        f"{row['seconds']:.2f}",
                        *(f"{row[measure]:.3f}" for measure in measures),
                        *(_digits(row[name], 4) for name in ("objective", "gap")),
                        _digits(row["overlap"], 2),
                    )
                    for row in group["rows"]
                ),
            )
        )
    return "\n\n".join(parts)


def _without_nan(values: Any) -> Any:
    """Values with null, which is JSON, in place of NaN, which isn’t."""
    if isinstance(values, dict):
        return {name: _without_nan(value) for name, value in values.items()}
    if isinstance(values, list):
        return [_without_nan(value) for value in values]
    return None if isinstance(values, float) and np.isnan(values) else values


def _with_nan(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: _with_nan(value) for name, value in values.items()}
    if isinstance(values, list):
        return [_with_nan(value) for value in values]
    return float("nan") if values is None else values


def _digits(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if np.isfinite(value) else ""


def measure(
    group: dict[str, Any],
    corpus: Corpus,
    options: argparse.Namespace,
    programs: list[str],
    save: Callable[[], None],
) -> None:
    """Add the rows that a group lacks."""
    questions = load_questions(options.questions) if options.questions else None
    pairs = [similarity.load_pairs(path) for path in options.pairs]
    kind, order = MODELS[group["algorithm"]], list(corpus.words[:_WORDS])
    has_start = any(spec.name == "start" for spec in kind.params_type.specs())
    kind.warm()
    warm_start()
    seeds = [int(seed) for seed in options.seeds.split(",")]
    rates = [float(rate) for rate in options.rates.split(",") if rate]
    with tempfile.TemporaryDirectory() as name:
        lines = Path(name) / "lines.txt"
        write_lines(corpus, lines)
        for epochs in map(int, options.epochs.split(",")):
            known = {
                (row["program"], row.get("rate") or 0.0)
                for row in group["rows"]
                if row["epochs"] == epochs
            }
            # A rate of 0 stands for the default.
            missing = [
                (program, rate)
                for program in programs
                for rate in (0.0, *(rates if program == "counts" else ()))
                if (program, rate) not in known
                and (program != "counts" or has_start)
                and (program not in PEERS or program == peer_of(kind))
            ]
            runs: dict[tuple[str, float], list[dict[str, float]]] = {way: [] for way in missing}
            near: dict[tuple[str, float], list[Ids]] = {way: [] for way in missing}
            for seed, (program, rate) in itertools.product(seeds, missing):
                objective = float("nan")
                if program in PEERS:
                    vectors, seconds = train_peer(
                        program, lines, Path(name), kind, seed, epochs, options.glove or ""
                    )
                else:
                    values: dict[str, Any] = {
                        "seed": seed,
                        "epochs": epochs,
                        "threads": options.threads,
                    }
                    if has_start:
                        values["start"] = program
                    if rate:
                        values["learning_rate"] = rate
                    vectors, seconds, objective = train(corpus, kind, values)
                shared = [word for word in order if word in vectors]
                near[program, rate].append(neighbours(vectors, shared))
                scores = quality(vectors, questions, pairs)
                gap = objective - group["floor"]
                runs[program, rate].append(
                    {"seconds": seconds, "objective": objective, "gap": gap, **scores}
                )
            for program, rate in missing:
                trained = runs[program, rate]
                means = {
                    name: float(np.mean([values[name] for values in trained]))
                    for name in trained[0]
                }
                row = {"program": program, "rate": rate, "epochs": epochs, **means}
                spread = overlap(near[program, rate])
                group["rows"].append({**row, "overlap": spread, "runs": trained})
                print(kind.key, group["text"], row, file=sys.stderr, flush=True)
            save()


def main() -> None:
    parser = argparse.ArgumentParser(description="Random numbers, counts and other programs.")
    parser.add_argument("texts", nargs="+", metavar="TEXT[:TOKENS]")
    parser.add_argument("--questions")
    parser.add_argument("--pairs", nargs="*", default=[])
    parser.add_argument("--algorithms", default="sgns")
    parser.add_argument("--epochs", default="1,2,3,5")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--rates", default="")
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--glove", help="the folder with GloVe’s programs")
    parser.add_argument("--json")
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    peer_programs.PYTHON = options.peer_python
    programs = [name for name in PROGRAMS if name in options.only.split(",")]
    if not options.glove and "GloVe" in programs:
        programs.remove("GloVe")
    if (
        "gensim" in programs
        and subprocess.run(
            [options.peer_python, "-c", "import gensim"], check=False, capture_output=True
        ).returncode
    ):
        print("gensim isn’t installed, so it is left out.", file=sys.stderr)
        programs.remove("gensim")
    groups: list[dict[str, Any]] = []
    if options.json and Path(options.json).exists():
        groups = _with_nan(json.loads(Path(options.json).read_text())["groups"])

    def save() -> None:
        keep(options.json, {"groups": _without_nan(groups)})

    with tempfile.TemporaryDirectory() as name:
        for text, key in itertools.product(options.texts, options.algorithms.split(",")):
            title, corpus = open_text(text, Path(name))
            group = next((g for g in groups if (g["text"], g["algorithm"]) == (title, key)), None)
            if group is None:
                kind = MODELS[key]
                floor = float("nan")
                if kind.loss_floor.formula:
                    floor = loss_floor.loss_floor(corpus, kind, kind.params_type())
                group = {
                    "text": title,
                    "algorithm": key,
                    "tokens": corpus.tokens,
                    "words": len(corpus.vocabulary(kind.params_type().min_count)),
                    "seeds": len(options.seeds.split(",")),
                    "floor": floor,
                    "rows": [],
                }
                groups.append(group)
            measure(group, corpus, options, programs, save)
    target = options.figure
    if target is None and options.json:
        target = Path(options.json).with_suffix(".svg")
    if target is not None:
        target.write_text(figure(groups), encoding="utf-8")
    print(f"{machine()}\n\n{markdown({'groups': groups})}")


if __name__ == "__main__":
    main()
