"""Compare tasks other than training (opening, counting, SVD, neighbours, questions) with other
programs.

    python tests/benchmarks/parts.py CORPUS --questions questions-words.txt [--rows svd,counting]
        [--repeats 5] [--glove FOLDER] [--json FILE]

Needs the group ``bench``; comparisons with GloVe’s programs need those, built from their sources.
The sides of a row take turns, each time in a separate process with compiled kernels at hand, so
that changes in the machine’s speed affect all of them; the first turn is only a warm-up. A ratio is
the median of the ratios of all turns, with the minimum and the maximum. Figures beside the time
show whether the work was done equally well.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import scipy.sparse as sp
from part_sides import NEED_GLOVE, SIDES
from peers import write_lines
from results import keep, machine, table

from workbench.core.job_control import JobControl
from workbench.corpus.loader import open_corpus
from workbench.models.base import MODELS
from workbench.models.count.pmi_base import positive_pmi
from workbench.models.count.svd import SVDParams
from workbench.vectors.formats import save_vectors

Turns = dict[str, dict[str, list[dict[str, Any]]]]


def prepare(corpus_path: str, folder: Path, rows: list[str]) -> dict[str, str]:
    """Make the files that the rows read: lines of 1,000 tokens, a matrix, vectors of one epoch."""
    inputs = {"corpus": corpus_path, "folder": str(folder), "lines": str(folder / "lines.txt")}
    small = folder / "small.txt"
    small.write_text("the cat saw the dog\n" * 100, encoding="utf-8")
    inputs["small"] = str(small)
    write_lines(corpus_path, Path(inputs["lines"]))
    corpus = open_corpus([corpus_path])
    if "svd" in rows:
        params = SVDParams.from_mapping({"dim": 100, "window": 5})
        matrix = positive_pmi(corpus, corpus.vocabulary(5, 0), params, 2, JobControl())
        inputs["matrix"] = str(folder / "matrix.npz")
        sp.save_npz(inputs["matrix"], matrix, compressed=False)
    if "neighbours" in rows or "questions" in rows:
        kind = MODELS["sgns"]
        embeddings = kind(kind.params_type.from_mapping({"epochs": 1, "threads": 2})).fit(
            corpus, JobControl()
        )
        inputs["vectors"] = str(folder / "vectors.npz")
        save_vectors(embeddings, inputs["vectors"], "npz")
    return inputs


def turn(row: str, side: str, inputs: dict[str, str]) -> dict[str, Any]:
    command = [
        sys.executable,
        str(Path(__file__).with_name("part_sides.py")),
        row,
        side,
        json.dumps(inputs),
    ]
    process = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return result


def markdown(results: dict[str, Any]) -> str:
    rows = []
    for row, sides in results["rows"].items():
        ours = sides["workbench"]
        for side, turns in sides.items():
            seconds = [one["seconds"] for one in turns]
            ratios = [
                one["seconds"] / mine["seconds"] for one, mine in zip(turns, ours, strict=False)
            ]
            memory = statistics.median(one["peak_bytes"] for one in turns) / 2**20
            check = ", ".join(f"{name} {value:.6g}" for name, value in turns[-1]["check"].items())
            spread = "" if side == "workbench" else f"{min(ratios):.2f} to {max(ratios):.2f}"
            ratio = "" if side == "workbench" else f"**{statistics.median(ratios):.2f}**"
            rows.append(
                (
                    row,
                    side,
                    f"{statistics.median(seconds):.2f}",
                    ratio,
                    spread,
                    f"{memory:.0f}",
                    check,
                )
            )
    return table(
        (
            "work",
            "by",
            "seconds, median",
            "times ours",
            "minimum to maximum",
            "MiB",
            "what was done",
        ),
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="What is not training, against other programs.")
    parser.add_argument("corpus")
    parser.add_argument("--questions")
    parser.add_argument("--rows", default=",".join(SIDES))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--glove", help="the folder with GloVe's programs")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = [row for row in options.rows.split(",") if row != "questions" or options.questions]
    results: dict[str, Any] = {"rows": {}}
    if options.json and Path(options.json).exists():
        results = json.loads(Path(options.json).read_text())
    # Other rows keep their earlier measurements.
    figures: Turns = results["rows"]
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(name) / "home"))
        inputs = prepare(options.corpus, Path(name), rows)
        inputs |= {"questions": options.questions or "", "glove": options.glove or ""}
        for row in rows:
            sides = [side for side in SIDES[row] if options.glove or side not in NEED_GLOVE]
            figures[row] = {side: [] for side in sides}
            for number in range(options.repeats + 1):
                for side in sides:
                    result = turn(row, side, inputs)
                    print(f"{row}, {side}: {result}", file=sys.stderr, flush=True)
                    if number:
                        figures[row][side].append(result)
            results = keep(options.json, {"rows": figures})
    print(f"{machine()}; {options.repeats} turns after one to warm up\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
