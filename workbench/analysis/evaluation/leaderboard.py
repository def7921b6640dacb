"""Leaderboard of runs: scores on analogy questions and word pairs, with all parameters."""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import load_questions, question_files
from workbench.analysis.evaluation import similarity
from workbench.analysis.evaluation.bootstrap import share_interval
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.core.table_export import Cell
from workbench.core.text.text_files import read_bytes
from workbench.vectors.embeddings import Embeddings

ANALOGIES, SIMILARITY = "analogies", "similarity"
# A score on a smaller share of a set, or on fewer questions, says more about the vocabulary than
# about the vectors.
LEAST_SHARE, LEAST_ASKED = 0.1, 30


@dataclass(frozen=True)
class EvaluationSet:
    """A file of questions or of pairs, with settings for scoring.

    kind : ANALOGIES (with ``method`` and ``restrict``) or SIMILARITY (with ``column``, the title or
    number of the column of the scores; "": the detected one)
    """

    kind: str
    path: Path
    title: str
    method: str = "3cosadd"
    restrict: int = 30_000
    column: str = ""

    def key(self) -> str:
        """Key that is equal for equal contents with equal settings. Raises UserError."""
        digest = hashlib.blake2b(digest_size=12)
        for file in self.files():
            digest.update(read_bytes(file))
        # Change the last number when the same questions get other scores than in earlier versions.
        method_part = f":{self.column}:4"
        if self.kind == ANALOGIES:
            method_part = f":{self.method}:{self.restrict}:4"
        return f"{self.kind}:{digest.hexdigest()}{method_part}"

    def files(self) -> list[Path]:
        """The files of the set: several if ``path`` is a folder of questions. Raises UserError."""
        if self.kind == ANALOGIES:
            return question_files(self.path)
        return [self.path]


@dataclass(frozen=True, eq=False)
class Score:
    """A run's score on a set.

    value : accuracy or Spearman's ρ; low, high : its 95 % interval (``bootstrap``); all NaN if
    no words were known
    covered : share of the set whose words are known; asked : the number of these items
    deviation : sample standard deviation over ``runs`` runs, if ``value`` is their mean; NaN for
    one

    Scores are equal if all numbers are, where NaN equals NaN: an unknown score doesn't differ from
    itself.
    """

    value: float
    low: float
    high: float
    covered: float
    asked: int
    deviation: float = math.nan
    runs: int = 1

    @property
    def is_ranked(self) -> bool:
        """Whether the score is based on enough of the set to be ranked: a tenth of it and 30
        questions, or all.
        """
        if not math.isfinite(self.value) or self.covered < LEAST_SHARE:
            return False
        return self.asked >= LEAST_ASKED or self.covered >= 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def to_json(self) -> list[float | int | None]:
        numbers = (self.value, self.low, self.high, self.covered)
        return [*(number if math.isfinite(number) else None for number in numbers), self.asked]

    @classmethod
    def from_json(cls, values: Any) -> Score:
        """Read a score. Raises ValueError."""
        if not isinstance(values, list) or len(values) != 5 or not isinstance(values[4], int):
            raise ValueError("not a score")
        if not all(one is None or isinstance(one, (int, float)) for one in values):
            raise ValueError("not a score")
        value, low, high, covered = (math.nan if one is None else float(one) for one in values[:4])
        return cls(value, low, high, covered, values[4])


def score(
    embeddings: Embeddings, evaluation_set: EvaluationSet, run: JobControl | None = None
) -> Score:
    """Score one model on one set. Raises UserError and Cancelled."""
    if evaluation_set.kind == SIMILARITY:
        return score_of_pairs(
            similarity.evaluate(
                embeddings, similarity.load_pairs(evaluation_set.path, evaluation_set.column), run
            )
        )
    questions = load_questions(evaluation_set.path)
    return score_of_answers(
        solver.evaluate(embeddings, questions, evaluation_set.method, evaluation_set.restrict, run)
    )


def score_of_answers(report: solver.AnalogyReport) -> Score:
    """The accuracy on all questions that were asked."""
    interval = share_interval(report.correct, report.asked)
    return Score(report.all, *interval, report.covered, report.asked)


def score_of_pairs(report: similarity.SimilarityReport) -> Score:
    """Spearman's ρ over all known pairs."""
    return Score(report.rho, report.low, report.high, report.coverage, report.pairs)


@dataclass(frozen=True)
class LeaderboardEntry:
    """A row: a run (or runs that differ only in the seed) with its scores by key of the set."""

    identifier: str
    name: str
    algorithm: str
    corpus: str
    parameters: Mapping[str, Value]
    scores: Mapping[str, Score]


def parameter_columns(entries: Sequence[LeaderboardEntry]) -> tuple[list[str], list[str]]:
    """Names of the parameters on which the entries differ, and of the others, each in order of
    first occurrence.

    A parameter that some algorithms lack counts as different.
    """
    names = list(dict.fromkeys(name for entry in entries for name in entry.parameters))
    # 1, 1.0 and True are equal in Python, but not here.
    seen = {name: {repr(entry.parameters.get(name)) for entry in entries} for name in names}
    return [name for name in names if len(seen[name]) > 1], [
        name for name in names if len(seen[name]) == 1
    ]


def without_seeds(entries: Sequence[LeaderboardEntry]) -> list[LeaderboardEntry]:
    """Merge runs that differ only in the seed into one entry: mean of their scores ± sample
    standard deviation.

    The interval of a mean is left out, because seeds and questions vary it in different ways. A
    group keeps the place and the identifier of its first run; its name is the common start of all
    names.
    """
    groups: dict[tuple[object, ...], list[LeaderboardEntry]] = {}
    for entry in entries:
        same = tuple(
            sorted(
                (name, repr(value)) for name, value in entry.parameters.items() if name != "seed"
            )
        )
        # The training of vectors from a file is unknown, so they aren’t merged.
        groups.setdefault(
            (entry.algorithm, entry.corpus, same) if same else (entry.identifier,), []
        ).append(entry)
    return [group[0] if len(group) == 1 else _mean_of(group) for group in groups.values()]


def _mean_of(group: list[LeaderboardEntry]) -> LeaderboardEntry:
    keys = dict.fromkeys(key for entry in group for key in entry.scores)
    scores = {}
    for key in keys:
        own = [entry.scores[key] for entry in group if key in entry.scores]
        finite = [one for one in own if math.isfinite(one.value)]
        if len(finite) < 2:
            # A single score has no mean, and keeps its interval.
            scores[key] = (finite or own)[0]
            continue
        values = [one.value for one in finite]
        scores[key] = Score(
            statistics.fmean(values),
            math.nan,
            math.nan,
            min(one.covered for one in own),
            min(one.asked for one in own),
            statistics.stdev(values),
            len(values),
        )
    first = group[0]
    parameters = {name: value for name, value in first.parameters.items() if name != "seed"}
    return LeaderboardEntry(
        first.identifier,
        tr("{name} ({number} seeds)", name=_common_name(group), number=len(group)),
        first.algorithm,
        first.corpus,
        parameters,
        scores,
    )


def common_words(names: Sequence[str]) -> int:
    """Number of leading words that all names share."""
    number = 0
    for same in zip(*(name.split() for name in names), strict=False):
        if len(set(same)) > 1:
            break
        number += 1
    return number


def _common_name(group: Sequence[LeaderboardEntry]) -> str:
    """The leading words that all names share, without the seed: "SGNS window 2" for "SGNS window 2,
    seed 1" and "SGNS window 2, seed 2".
    """
    names = [entry.name for entry in group]
    number = common_words(names)
    name = " ".join(names[0].split()[:number])
    if all(len(other.split()) > number for other in names):
        name = re.sub(r"\s*[,·]\s*\w*$", "", name)
    return name or names[0]


def ranks(entries: Sequence[LeaderboardEntry], key: str) -> list[int | None]:
    """The rank of each entry by its score on a set, 1 for the highest; equal scores share a rank.
    None without a score, or for a score on too little of the set.
    """
    scores = [entry.scores.get(key) for entry in entries]
    values = [one.value if one is not None and one.is_ranked else None for one in scores]
    ranked = [value for value in values if value is not None]
    return [
        None if value is None else 1 + sum(other > value for other in ranked) for value in values
    ]


def with_deviation(found: Score) -> str:
    """Mean ± sample standard deviation, to the second significant digit of the deviation, but with
    at least three decimals.
    """
    digits = max(1 - math.floor(math.log10(found.deviation)), 3) if found.deviation > 0 else 3
    return f"{found.value:.{min(digits, 6)}f} ± {found.deviation:.{min(digits, 6)}f}"


# Columns of a table whose names differ from the attribute of Score.
_ATTRIBUTES = {"ranked": "is_ranked"}


def table(
    entries: Sequence[LeaderboardEntry], sets: Mapping[str, str], *, intervals: bool = False
) -> tuple[list[str], list[list[Cell]]]:
    """Header and rows: run, algorithm, corpus, scores, parameters that differ, the others.

    sets : title by key, in order; ``intervals`` adds the ends, deviation, number of runs, coverage
    and number of questions of each score; without it, only the coverage is added, and the mean of
    several seeds is a text, "0.512 ± 0.008". The last column says whether the score is ranked.
    """
    more: tuple[str, ...] = ("covered", "ranked")
    if intervals:
        more = ("low", "high", "deviation", "runs", "covered", "asked", "ranked")
    differing, same = parameter_columns(entries)
    header = ["run", "algorithm", "corpus"]
    for title in sets.values():
        header += [title, *(f"{title} {name}" for name in more)]
    header += differing + same
    rows: list[list[Cell]] = []
    for entry in entries:
        row: list[Cell] = [entry.name, entry.algorithm, entry.corpus]
        for key in sets:
            found = entry.scores.get(key)
            spread = found is not None and not intervals and math.isfinite(found.deviation)
            if found is None:
                row.append(None)
            elif spread:
                row.append(with_deviation(found))
            else:
                row.append(found.value)
            for name in more:
                attribute = _ATTRIBUTES.get(name, name)
                row.append(None if found is None else getattr(found, attribute))
        rows.append([*row, *(entry.parameters.get(name) for name in differing + same)])
    return header, rows
