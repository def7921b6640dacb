"""Numbers of a training that get intervals from texts of drawn documents.

Each function returns a ``Statistic``: a function of a ``Refit`` that returns float64[n], with NaN
for words that the drawn text lacks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions
from workbench.analysis.associations.weat import effect_size
from workbench.analysis.evaluation.similarity import WordPairs, evaluate
from workbench.analysis.neighbours.ranking import cosines, unit_doubles
from workbench.analysis.resampling.texts_drawn import Refit, Statistic
from workbench.core.arrays import Doubles
from workbench.counts.association import margins
from workbench.vectors.embeddings import Embeddings


def cosine_of(pairs: Sequence[tuple[str, str]]) -> Statistic:
    """The cosine of each pair of words."""

    def statistic(refit: Refit) -> Doubles:
        return np.array([_cosine(refit.embeddings, *pair) for pair in pairs])

    return statistic


def neighbours_of(word: str, others: Sequence[str]) -> Statistic:
    """For each of n other words, its cosine with ``word``, then for each, its rank among all words
    (1 is the nearest; equal cosines in order of frequency): float64[2n].
    """

    def statistic(refit: Refit) -> Doubles:
        embeddings = refit.embeddings
        row = embeddings.find(word)
        if row is None or not embeddings.has_vector[row]:
            return np.full(2 * len(others), math.nan)
        scores = _scores(embeddings, row)
        rows = [embeddings.find(other) for other in others]
        found = np.full((2, len(others)), math.nan)
        for at, other in enumerate(rows):
            if other is not None and scores[other] > -np.inf:
                above = int((scores > scores[other]).sum())
                above += int((scores[:other] == scores[other]).sum())
                found[:, at] = scores[other], above + 1
        return found.ravel()

    return statistic


def pmi_of(pairs: Sequence[tuple[str, str]], context_smoothing: float = 1.0) -> Statistic:
    """The PMI of each pair (word, context), in nats; NaN without a pair, and for algorithms that
    don’t start with counts.
    """

    def statistic(refit: Refit) -> Doubles:
        found = np.full(len(pairs), math.nan)
        if refit.counts is None:
            return found
        sums = margins(refit.counts, context_smoothing)
        for at, (word, context) in enumerate(pairs):
            row, column = refit.embeddings.find(word), refit.embeddings.find(context)
            if row is not None and column is not None and (count := refit.counts[row, column]) > 0:
                chance = sums.log_rows[row] + sums.log_contexts[column]
                found[at] = math.log(count) - chance
        return found

    return statistic


def association_of(
    targets: tuple[Sequence[str], Sequence[str]], attributes: tuple[Sequence[str], Sequence[str]]
) -> Statistic:
    """The effect size of an association test, in standard deviations: with s(w) = mean cosine of w
    with the first attributes − with the second,

        d = (mean s of the first targets − of the second) / σ

    with the population standard deviation σ of s over all targets
    (Caliskan, Bryson & Narayanan 2017, Semantics Derived Automatically from Language Corpora
    Contain Human-like Biases, Science 356). Unknown words are left out; NaN if a set has none left.
    """

    def statistic(refit: Refit) -> Doubles:
        units = [_unit_rows(refit.embeddings, words) for words in (*targets, *attributes)]
        if not all(map(len, units)):
            return np.array([math.nan])
        first, second = (
            (own @ units[2].T).mean(axis=1) - (own @ units[3].T).mean(axis=1) for own in units[:2]
        )
        return np.array([effect_size(first, second)])

    return statistic


def accuracy_of(questions: Questions, method: str = "3cosadd", restrict: int = 30_000) -> Statistic:
    """The share of analogies with a right answer, 0 to 1."""

    def statistic(refit: Refit) -> Doubles:
        return np.array([solver.evaluate(refit.embeddings, questions, method, restrict).all])

    return statistic


def similarity_of(pairs: WordPairs) -> Statistic:
    """Spearman’s ρ between cosines and human scores."""

    def statistic(refit: Refit) -> Doubles:
        return np.array([evaluate(refit.embeddings, pairs).rho])

    return statistic


def _cosine(embeddings: Embeddings, first: str, second: str) -> float:
    rows = [embeddings.find(word) for word in (first, second)]
    known = [row for row in rows if row is not None and embeddings.has_vector[row]]
    if len(known) < 2:
        return math.nan
    left, right = unit_doubles(embeddings, known)
    return float(left @ right)


def _scores(embeddings: Embeddings, row: int) -> Doubles:
    """float64[V], the cosines of a word with all others; −∞ for itself and without a vector."""
    query = unit_doubles(embeddings, [row])
    scores = np.array(cosines(embeddings, query)[:, 0], dtype=np.float64)
    scores[row] = -np.inf
    return scores


def _unit_rows(embeddings: Embeddings, words: Sequence[str]) -> Doubles:
    rows = [embeddings.find(word) for word in words]
    known = [row for row in rows if row is not None and embeddings.has_vector[row]]
    return unit_doubles(embeddings, known)
