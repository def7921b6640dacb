"""Fit a model of the cost of counting and training to short texts, and test it on a longer one.

    python tests/benchmarks/cost.py CORPUS [--sizes 0.5,1,2,4,8] [--held-out 14] [--generated 1e6]
        [--trained glove,sgns] [--window 5] [--min-count 5] [--part 0.25] [--dim 100] [--repeats 4]
        [--json FILE]

Sizes are in millions of tokens: starts of the corpus, and of a text as long by the law of Zipf and
Mandelbrot over ``--generated`` types (0: without). The minimum time of each stage over
``--repeats`` runs counts. If there are several, the first is left out: later ones reuse allocated
memory, as in a program that counts one part after another, while the cost of new pages varies by
the hour on a virtual machine. Prints Markdown tables: predictions for the held-out size beside the
measurements, and forecasts for up to 10^12 tokens.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, machine, table
from zipf_mandelbrot import LINE, ZipfMandelbrot

from workbench.analysis.corpus.cost_model import (
    CostModel,
    CountSetting,
    MeasuredRun,
    fit_cost_model,
    sizes_of,
)
from workbench.analysis.corpus.cost_runs import measure_runs
from workbench.analysis.corpus.scaling_limits import Machines, scaling_limits
from workbench.core.job_control import JobControl
from workbench.core.machine.memory import keep_freed
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus

_COMPARED = ("types", "vocabulary", "kept_tokens", "cells", "shuffled_bytes")
_LENGTHS = (1e9, 1e10, 1e11, 1e12)
# Tokens that a machine counts before parts are merged, for long texts.
_PART = 10**9


def generate(types: int, tokens: int) -> Corpus:
    """A text by the law of Zipf and Mandelbrot, as numbers instead of spelled words."""
    ids = np.concatenate([block.astype(np.int32) for block in ZipfMandelbrot(types).ranks(tokens)])
    counts = np.bincount(ids, minlength=types)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(types, dtype=np.int32)
    rank[order] = np.arange(types, dtype=np.int32)
    words = tuple(f"w{number}" for number in order[: int((counts > 0).sum())])
    sentences = np.append(np.arange(0, tokens, LINE), tokens)
    return Corpus("generated", rank[ids], sentences, words, counts[order][: len(words)], "0" * 32)


def least(runs: list[list[MeasuredRun]]) -> list[MeasuredRun]:
    """Runs with the minimum seconds of every stage over several turns of the same sizes."""
    return [
        dataclasses.replace(
            same[0],
            seconds={name: min(run.seconds[name] for run in same) for name in same[0].seconds},
        )
        for same in zip(*runs, strict=True)
    ]


def check(model: CostModel, held_out: MeasuredRun) -> list[tuple[str, float, float]]:
    """(quantity, predicted, measured) for the run that the model wasn’t fitted to."""
    tokens = held_out.spectrum.tokens
    sizes, measured_sizes, seconds = (
        model.sizes(tokens),
        sizes_of(held_out, model.setting),
        model.seconds(tokens),
    )
    rows = [
        (name, float(getattr(sizes, name)), float(getattr(measured_sizes, name)))
        for name in _COMPARED
    ]
    return rows + [(f"{name} (s)", seconds[name], held_out.seconds[name]) for name in seconds]


def lengths(model: CostModel) -> list[dict[str, Any]]:
    """Predictions of a model for lengths that were not measured."""
    return [
        {**dataclasses.asdict(model.sizes(tokens)), "seconds": model.seconds(tokens)}
        for tokens in _LENGTHS
    ]


def markdown(results: dict[str, Any]) -> str:
    parts = []
    for name, text in results["texts"].items():
        law = text["law"]
        types = "unlimited" if law["types"] > 1e15 else f"{law['types']:.3g}"
        parts.append(
            f"{name}: s = {law['head']:.3f}, q = {law['shift']:.2f}, b = {law['core']:,.0f}, γ = "
            f"{law['tail']:.3f}, "
            f"types {types}; "
            + ", ".join(
                f"{what} {a['factor']:.3g}·E^{a['exponent']:.3f}"
                for what, a in text["corrections"].items()
            )
        )
        rows = [
            (what, f"{a:,.4g}", f"{b:,.4g}", f"{100 * (a / b - 1):+.1f} %")
            for what, a, b in text["check"]
        ]
        parts.append(table((f"{text['held']:,} tokens", "predicted", "measured", "off by"), rows))
        stages = list(text["lengths"][0]["seconds"])
        parts.append(
            table(
                (
                    "tokens",
                    "types",
                    "β",
                    "vocabulary",
                    "cells",
                    "table",
                    "transferred",
                    *(f"{stage} (h)" for stage in stages),
                ),
                [
                    (
                        f"{row['tokens']:.0e}",
                        f"{row['types']:.3g}",
                        f"{row['heaps']:.3f}",
                        f"{row['vocabulary']:.3g}",
                        f"{row['cells']:.3g}",
                        f"{12 * row['cells'] / 1e9:,.4g} GB",
                        f"{row['shuffled_bytes'] / 1e9:,.4g} GB",
                        *(f"{row['seconds'][stage] / 3600:,.3g}" for stage in stages),
                    )
                    for row in text["lengths"]
                ],
            )
        )
        parts.append(
            table(
                ("limit", "reached at", "remedy"),
                [
                    (limit["name"], f"{limit['tokens']:.2g} tokens", limit["remedy"])
                    for limit in text["limits"]
                ],
            )
        )
    return "\n\n".join(parts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A model of costs, and how far off it is.")
    parser.add_argument("corpus")
    parser.add_argument("--sizes", default="0.5,1,2,4,8")
    parser.add_argument("--held-out", type=float, default=14.0)
    parser.add_argument("--generated", type=float, default=1e6)
    parser.add_argument("--trained", default="glove,sgns")
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument(
        "--part",
        type=float,
        default=0.25,
        help="millions of tokens counted before parts are merged",
    )
    parser.add_argument("--dim", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--json")
    return parser.parse_args()


def main() -> None:
    options = _options()
    keep_freed()
    sizes = [round(1e6 * float(size)) for size in (*options.sizes.split(","), options.held_out)]
    algorithms = tuple(filter(None, options.trained.split(",")))
    setting = CountSetting(options.min_count, 2 * options.window, round(1e6 * options.part))
    texts: dict[str, Any] = {}
    results: dict[str, Any] = {"texts": texts, "settings": vars(options)}
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(name) / "home"))
        corpora = [open_corpus([options.corpus])]
        if options.generated:
            corpora.append(generate(int(options.generated), sizes[-1]))
        for corpus in corpora:
            list(
                measure_runs(corpus, [50_000], setting, JobControl(), algorithms, options.dim)
            )  # only compiles
            here = [min(size, corpus.tokens) for size in sizes]
            turns = []
            for _ in range(options.repeats):
                turns.append(
                    list(measure_runs(corpus, here, setting, JobControl(), algorithms, options.dim))
                )
                print(
                    f"{corpus.name}: {[run.seconds for run in turns[-1]]}",
                    file=sys.stderr,
                    flush=True,
                )
            *runs, held_out = least(turns[1:] or turns)
            model = fit_cost_model(runs, setting)
            # Measured with short parts, extrapolated with long ones.
            far = dataclasses.replace(model, setting=dataclasses.replace(setting, part=_PART))
            texts[corpus.name] = {
                "runs": [dataclasses.asdict(run) for run in (*runs, held_out)],
                "law": dataclasses.asdict(model.law),
                "corrections": {
                    what: dataclasses.asdict(term) for what, term in model.corrections.items()
                },
                "stages": {stage: dataclasses.asdict(term) for stage, term in model.stages.items()},
                "held": held_out.spectrum.tokens,
                "check": check(model, held_out),
                "lengths": lengths(far),
                "limits": [dataclasses.asdict(limit) for limit in scaling_limits(far, Machines())],
            }
            results = keep(options.json, {"texts": texts, "settings": vars(options)})
    print(f"{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
