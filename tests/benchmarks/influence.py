"""Does the predicted effect of leaving lines out agree with training without them?

    python tests/benchmarks/influence.py CORPUS [--algorithms svd,sgns] [--removals N] [--seeds N]
        [--pairs a:b,c:d] [--set NAME=VALUE ...] [--json FILE]

For each of N removals, of growing size, lines of the cosine of one pair of words are left out: by
turns those that raise it most, those that lower it most, and random ones. The change that
``Influence.without`` predicts is compared with that of trainings with and without the lines (mean
over seeds, random numbers equal in both). Prints Spearman’s rank correlation and Pearson’s, the
share of equal signs, and the standard deviation over seeds of the cosine on the whole text.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from results import keep, table

from workbench.analysis.influence.line_influence import Influence, influence
from workbench.analysis.influence.quantities import Quantity, cosine_of
from workbench.analysis.influence.removal import without_lines
from workbench.analysis.rows.still_model import hold_still
from workbench.core.arrays import Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.train_api import train

_PAIRS = "king:queen,man:woman,dog:cat,boy:girl,france:paris"
_LEAST, _MOST = 5, 0.5


def choose_lines(ranked: Influence, number: int, size: int, random: np.random.Generator) -> Ints:
    if number % 3 == 2:
        return random.choice(ranked.lines, min(size, len(ranked.lines)), replace=False)
    return ranked.strongest(size, 1 if number % 3 == 0 else -1)


def study(
    corpus: Corpus, algorithm: str, options: argparse.Namespace, params: dict[str, Any]
) -> list[dict[str, Any]]:
    """One row for each removal."""
    seeds = range(1, (options.seeds if MODELS[algorithm].loss_label else 1) + 1)
    known = "seed" in {spec.name for spec in MODELS[algorithm].params_type.specs()}
    chosen = [params | ({"seed": seed} if known else {}) for seed in seeds]
    whole = [train(corpus, algorithm, **values) for values in chosen]
    quantities: list[Quantity] = []
    for pair in options.pairs.split(","):
        first, second = pair.split(":")
        if whole[0].find(first) is not None and whole[0].find(second) is not None:
            quantities.append(cosine_of(whole[0], first, second))
    stills = [hold_still(model, corpus) for model in whole]
    random = np.random.default_rng(1)
    rows = []
    for number in range(options.removals):
        quantity = quantities[number % len(quantities)]
        ranked = [influence(still, quantity) for still in stills]
        most = _MOST * len(ranked[0].lines)
        size = int(_LEAST * (most / _LEAST) ** (number / max(options.removals - 1, 1)))
        lines = choose_lines(ranked[0], number, size, random)
        if not len(lines):
            continue
        reduced = without_lines(corpus, ranked[0].edges, lines)
        before = np.array([quantity.value_in(model) for model in whole])
        after = np.array(
            [quantity.value_in(train(reduced, algorithm, **values)) for values in chosen]
        )
        predicted = np.array([each.without(lines) for each in ranked])
        rows.append(
            {
                "quantity": quantity.title,
                "lines": len(lines),
                "of": len(ranked[0].lines),
                "predicted": float((predicted - before).mean()),
                "true": float((after - before).mean()),
                "spread": float(before.std(ddof=1)) if len(before) > 1 else 0.0,
            }
        )
    return rows


def summary(algorithm: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    predicted = np.array([row["predicted"] for row in rows])
    true = np.array([row["true"] for row in rows])
    sizes = np.array([row["lines"] for row in rows])
    small = sizes <= np.median(sizes)
    return {
        "algorithm": algorithm,
        "removals": len(rows),
        "spearman": float(scipy.stats.spearmanr(predicted, true)[0]),
        "spearman_small": float(scipy.stats.spearmanr(predicted[small], true[small])[0]),
        "pearson": float(np.corrcoef(predicted, true)[0, 1]),
        "slope": float(predicted @ true / (predicted @ predicted)),
        "signs": float(np.mean(np.sign(predicted) == np.sign(true))),
        "spread": float(np.mean([row["spread"] for row in rows])),
        "largest": int(sizes.max()),
        "rows": list(rows),
    }


def markdown(document: Mapping[str, Any]) -> str:
    head = ["algorithm", "removals", "ρ", "ρ, smaller half", "r", "slope", "signs", "seeds"]
    return table(
        head,
        [
            [
                row["algorithm"],
                row["removals"],
                f"{row['spearman']:.2f}",
                f"{row['spearman_small']:.2f}",
                f"{row['pearson']:.2f}",
                f"{row['slope']:.2f}",
                f"{100 * row['signs']:.0f}%",
                f"{row['spread']:.3f}",
            ]
            for row in document["rows"]
        ],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--algorithms", default="ppmi,svd,glove,sgns")
    parser.add_argument("--removals", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--pairs", default=_PAIRS)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json")
    options = parser.parse_args()
    corpus = read_corpus([options.corpus], None, JobControl())
    rows: list[dict[str, Any]] = []
    for algorithm in options.algorithms.split(","):
        taken = {spec.name for spec in MODELS[algorithm].params_type.specs()}
        given = dict(part.split("=", 1) for part in options.set)
        params = {name: value for name, value in given.items() if name in taken}
        rows.append(summary(algorithm, study(corpus, algorithm, options, params)))
        print(markdown(keep(options.json, {"rows": rows, "settings": vars(options)})), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
