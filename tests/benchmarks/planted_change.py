"""Whether a change is found that was planted in a text, at the right group, and none elsewhere.

    python tests/benchmarks/planted_change.py [--seeds 20] [--trainings 4] [--json FILE]

A word moves from one company of words to another at the fifth of eight groups; another word never
moves. For each method and length of the text, the table shows the share of texts in which the
change is found (p at most 0.05, with words of both companies) at the right group, the share of
cosines of the other word for which a change is found, and the range of the control over groups.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, machine, table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from corpora import planted_corpus

from workbench.analysis.groups.grouped_words import GroupedWords, Question, group_words
from workbench.analysis.groups.params import SGNS, GroupedParams
from workbench.corpus.documents import DocumentParams
from workbench.corpus.groups import GroupParams

_METHODS, _SENTENCES = ("ppmi", "svd", "alacarte", "sgns"), (4, 20)
_TURN, _LEVEL = 4, 0.05
# With sgns, each shuffle is a training; with 19, p can be 0.05.
_SHUFFLES, _TRAININGS = 199, 19


def measure(method: str, sentences: int, seeds: int) -> dict[str, Any]:
    """Figures of a method for texts with so many sentences in a document."""
    began = time.perf_counter()
    found = [_ask(method, sentences, seed) for seed in range(seeds)]
    seconds = (time.perf_counter() - began) / seeds
    moved = [
        all(
            one.p <= _LEVEL and one.turn == _TURN
            for one in each.series
            if one.word == "mover" and one.to in ("a0", "b0")
        )
        for each in found
    ]
    still = [one.p <= _LEVEL for each in found for one in each.series if one.word == "still"]
    ranges = [
        np.nanmax(one.control) - np.nanmin(one.control) for each in found for one in each.series
    ]
    return {
        "method": method,
        "sentences": sentences,
        "seeds": seeds,
        "occurrences": float(np.mean([each.words[0].occurrences.mean() for each in found])),
        "found": float(np.mean(moved)),
        "false": float(np.mean(still)),
        "control_range": float(np.mean(ranges)),
        "seconds": seconds,
    }


def _ask(method: str, sentences: int, seed: int) -> GroupedWords:
    trained = method == SGNS
    params = GroupedParams(
        method=method,
        min_count=1,
        dim=20,
        epochs=20,
        threads=1,
        seed=seed,
        replicates=2,
        shuffles=_TRAININGS if trained else _SHUFFLES,
    )
    question = Question(("mover", "still"), ("a0", "b0", "c0"))
    corpus = planted_corpus(groups=8, documents=8, sentences=sentences, turn=_TURN, seed=seed)
    by = GroupParams(by=r"_(\d{4})_")
    return group_words(corpus, question, by, DocumentParams(), params)


def markdown(results: dict[str, Any]) -> str:
    """The table of the document."""
    rows = [
        (
            f"`{one['method']}`",
            f"{one['occurrences']:.0f}",
            one["seeds"],
            f"{one['found']:.0%}",
            f"{one['false']:.1%}",
            f"{one['control_range']:.2f}",
            f"{one['seconds']:.1f}",
        )
        for one in results["methods"]
    ]
    heads = ("method", "occurrences", "texts", "found", "found without a change", "control", "s")
    return table(heads, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--trainings", type=int, default=4, help="texts for sgns")
    parser.add_argument("--json")
    options = parser.parse_args()
    figures = []
    for method in _METHODS:
        for sentences in _SENTENCES:
            seeds = options.trainings if method == SGNS else options.seeds
            figures.append(measure(method, sentences, seeds))
            print(figures[-1])
    results = keep(options.json, {"methods": figures})
    print(f"\n{machine()}\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
