"""``workbench evaluate --resample``: intervals of scores over the documents of a text."""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.associations.word_sets import AssociationTest
from workbench.analysis.evaluation.similarity import WordPairs
from workbench.analysis.resampling.intervals import spread_interval
from workbench.analysis.resampling.statistics import accuracy_of, association_of, similarity_of
from workbench.analysis.resampling.texts_drawn import (
    Refit,
    ResampleParams,
    Statistic,
    draws_of,
    resample,
)
from workbench.cli import output
from workbench.cli.parsing import Parser, add_params, given_params, read_params
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.vectors.embeddings import Embeddings


def add_interval_options(parser: Parser) -> None:
    add_params(parser, ResampleParams, "intervals over documents (with --text)")


def asked_intervals(args: argparse.Namespace) -> ResampleParams | None:
    """How texts are drawn; None if no intervals are asked for. Raises UserError."""
    given = given_params(args, ResampleParams)
    if not given:
        return None
    if not args.text:
        option = ResampleParams.spec(next(iter(given))).option
        raise UserError(f"{option} needs --text, the corpus of the vectors.", "Add --text CORPUS.")
    found: ResampleParams = read_params(args, ResampleParams)[0]
    return found


def score_intervals(
    embeddings: Embeddings,
    corpus: Corpus,
    drawn: ResampleParams,
    questions: Questions | None,
    pairs: Mapping[str, WordPairs],
    tests: Sequence[AssociationTest],
    method: str,
    restrict: int,
    run: JobControl,
) -> dict[str, Any]:
    """JSON of every score with its 95 % interval over drawn texts, counted and trained once."""
    names: list[tuple[str, float, float]] = []
    asked: list[Statistic] = []
    if questions is not None:
        names.append(("analogies", 0.0, 1.0))
        asked.append(accuracy_of(questions, method, restrict))
    files = Counter(Path(path).name for path in pairs)
    for path, one in pairs.items():
        # Two files of one name, or one called like a test, are named by their paths.
        name = Path(path).name
        taken = files[name] > 1 or name in ("analogies", *(test.key for test in tests))
        names.append((path if taken else name, -1.0, 1.0))
        asked.append(similarity_of(one))
    for test in tests:
        names.append((test.key, -math.inf, math.inf))
        sets = (test.x.words, test.y.words), (test.a.words, test.b.words)
        asked.append(association_of(*sets))

    def statistic(refit: Refit) -> Doubles:
        return np.concatenate([one(refit) for one in asked])

    draws = draws_of(embeddings, corpus, drawn)
    found = resample(draws, statistic, drawn.resample, run)
    scores = {}
    for at, (name, low, high) in enumerate(names):
        value = float(found.estimate[at])
        interval = spread_interval(value, found.values[:, at], low, high)
        scores[name] = {"value": value, **interval._asdict()}
    return {
        "documents": draws.unit,
        "number_of_documents": draws.documents,
        "resampled": drawn.resample,
        "scores": scores,
    }


def intervals_text(results: Mapping[str, Mapping[str, Any]]) -> str:
    """A row for each score of each file of vectors."""
    several = len(results) > 1
    rows = [[*(["vectors"] if several else []), "over documents", "value", "95% interval"]]
    for path, one in results.items():
        rows += [
            [*([Path(path).name] if several else []), name, _number(score["value"]), _range(score)]
            for name, score in one["scores"].items()
        ]
    first = next(iter(results.values()))
    unit = output.number(first["number_of_documents"], first["documents"].removesuffix("s"))
    note = f"{output.number(first['resampled'], 'text')} of {unit}, drawn with replacement."
    return f"{output.format_table(rows, right=(1 + several, 2 + several))}\n{note}"


def _range(score: Mapping[str, float]) -> str:
    if math.isfinite(score["low"]):
        return f"{_number(score['low'])} to {_number(score['high'])}"
    return "–"


def _number(value: float) -> str:
    return f"{value:.4f}".replace("-", "−") if math.isfinite(value) else "–"
