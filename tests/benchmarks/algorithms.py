"""Train every registered algorithm on corpora, one after another, by the command line.

    python tests/benchmarks/algorithms.py CORPUS ... [--questions FILE] [--only sgns,glove] [--json
    FILE]

Uses the classroom preset on a bundled corpus, and the defaults elsewhere, except where CBOW with
the exact softmax would take half an hour on a large corpus. The table shows changed values. Prints
for each algorithm its time and peak memory, the number of points of the loss, the first and the
last of them, and 3CosAdd’s accuracy on the questions; fails if a loss is not finite.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, table

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.analogy.solver import evaluate
from workbench.core.job_control import JobControl
from workbench.corpus.loader import open_corpus
from workbench.corpus.samples import SAMPLES
from workbench.models.base import MODELS, Model
from workbench.session.corpus.opening import open_bundled
from workbench.vectors.formats import load_vectors

_ROOT = Path(__file__).resolve().parents[2]
_LARGE = 1_100_000
# Changed settings, by algorithm, for a corpus with more tokens than that.
_SHORTER: dict[str, dict[str, Any]] = {
    "cbow-softmax": {"epochs": 1},
}


def train(corpus: str, algorithm: str, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    vectors, report = folder / "vectors.npz", folder / "report.json"
    command = [
        sys.executable,
        str(_ROOT / "main.py"),
        "train",
        corpus,
        "--algorithm",
        algorithm,
        "--output",
        str(vectors),
        "--report",
        str(report),
    ]
    for name, value in settings.items():
        option = name.replace("_", "-")
        command += (
            [f"--{option}" if value else f"--no-{option}"]
            if isinstance(value, bool)
            else [f"--{option}", str(value)]
        )
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {**json.loads(report.read_text()), "vectors": load_vectors(vectors)}


def _settings(kind: type[Model], tokens: int, is_bundled: bool) -> dict[str, Any]:
    """Settings that differ from the defaults: the classroom preset on a bundled corpus, less work
    on a large one.
    """
    if is_bundled:
        return next(
            (dict(preset.values) for preset in kind.presets if preset.name == "classroom"), {}
        )
    return _SHORTER.get(kind.key, {}) if tokens > _LARGE else {}


def markdown(results: dict[str, Any]) -> str:
    head = (
        "corpus",
        "algorithm",
        "changed",
        "told (s)",
        "took (s)",
        "told (MiB)",
        "peak (MiB)",
        "points",
        "loss, first → last",
        "analogies (%)",
    )
    return table(
        head,
        (
            (
                row["corpus"],
                f"`{row['algorithm']}`",
                ", ".join(f"{name} {value}" for name, value in row["settings"].items()),
                f"{row['told_seconds']:.1f}",
                f"{row['seconds']:.1f}",
                f"{row['told_mb']:.0f}",
                f"{row['peak_mb']:.0f}",
                row["points"] or "",
                f"{row['first']:.4g} → {row['last']:.4g}" if row["points"] else "",
                f"{row['analogies']:.1f}",
            )
            for row in results["rows"]
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Every algorithm on corpora.")
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--questions", help="for corpora that bring none")
    parser.add_argument("--only", default=",".join(kind.key for kind in MODELS))
    parser.add_argument("--json")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    results: dict[str, Any] = {"rows": rows}
    has_failed = False
    with tempfile.TemporaryDirectory() as name:
        for corpus_name in options.corpora:
            sample = SAMPLES.get(corpus_name)
            corpus = (
                open_bundled(corpus_name, JobControl()).corpus
                if sample is not None
                else open_corpus([corpus_name])
            )
            assert corpus is not None
            path = sample.questions if sample is not None else options.questions
            questions = load_questions(path) if path else None
            for key in options.only.split(","):
                kind = MODELS[key]
                settings = _settings(kind, corpus.tokens, sample is not None)
                estimate = kind(kind.params_type.from_mapping(settings)).estimate(corpus)
                result = train(corpus_name, key, settings, Path(name))
                loss = np.array([point[1] for point in result["loss"]])
                right = (
                    100 * evaluate(result["vectors"], questions).all
                    if questions is not None
                    else float("nan")
                )
                has_failed |= not np.isfinite(loss).all()
                rows.append(
                    {
                        "corpus": corpus.name,
                        "algorithm": key,
                        "settings": settings,
                        "seconds": result["seconds"]["train"] + result["seconds"].get("count", 0.0),
                        "told_seconds": estimate.seconds,
                        "peak_mb": result["peak_rss_bytes"] / 2**20,
                        "told_mb": estimate.memory_bytes / 2**20,
                        "points": len(loss),
                        "first": float(loss[0]) if len(loss) else None,
                        "last": float(loss[-1]) if len(loss) else None,
                        "analogies": right,
                    }
                )
                print(rows[-1], file=sys.stderr, flush=True)
                results = keep(options.json, {"rows": rows})
    print(markdown(results))
    sys.exit(1 if has_failed else 0)


if __name__ == "__main__":
    main()
