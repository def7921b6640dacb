"""Tests of two models on the same items, against scipy and against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.analogy.solver import AnalogyReport, evaluate
from workbench.analysis.evaluation.bootstrap import RESAMPLES, SEED
from workbench.analysis.evaluation.paired_test import (
    compare_answers,
    compare_correlations,
    difference_interval,
    mcnemar,
)
from workbench.analysis.evaluation.similarity import SimilarityReport
from workbench.vectors.embeddings import Embeddings


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (5, 5), (3, 12), (40, 7), (0, 900)])
def test_mcnemars_test_is_scipys_sign_test(first: int, second: int) -> None:
    number = first + second
    wanted = scipy.stats.binomtest(first, number).pvalue if number else 1.0
    assert mcnemar(first, second) == pytest.approx(wanted)
    assert mcnemar(first, second) == mcnemar(second, first)


def test_mcnemars_test_counts_every_outcome() -> None:
    """Count which of the 2^6 ways to divide six questions are at least as uneven as 1 : 5."""
    uneven = [ones for ones in range(64) if min(ones.bit_count(), 6 - ones.bit_count()) <= 1]
    assert mcnemar(1, 5) == pytest.approx(len(uneven) / 64)


def report_of(question: list[int], right: list[bool]) -> AnalogyReport:
    values = dict.fromkeys(AnalogyReport.__dataclass_fields__, 0.5)
    questions = np.array(question, dtype=np.int32)
    expected = np.zeros(len(questions), dtype=np.int32)
    predictions = np.where(right, 0, 1).astype(np.int32)
    arrays = {"question": questions, "expected": expected, "predicted": predictions}
    return AnalogyReport(**{**values, **arrays})  # type: ignore[arg-type]


def test_only_questions_that_both_know_are_compared() -> None:
    first = report_of([0, 1, 2, 3, 5], [True, True, False, True, True])
    second = report_of([1, 2, 3, 4], [True, True, False, True])
    found = compare_answers(first, second)
    assert (found.asked, found.only_first, found.only_second) == (3, 1, 1)
    assert (found.first, found.second, found.p) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 1.0)
    nothing = compare_answers(report_of([0], [True]), report_of([1], [True]))
    assert nothing.asked == 0
    assert math.isnan(nothing.first)
    assert nothing.p == 1.0


def test_a_model_does_not_differ_from_itself() -> None:
    model = Embeddings(
        ["man", "woman", "king", "queen"],
        np.array([[1, 0, 0], [0, 1, 0], [1, 0, 2], [0, 1, 2]], dtype=np.float32),
    )
    questions = Questions("q", (("man", "king", "woman", "queen"),), (0,), ("family",))
    report = evaluate(model, questions)
    found = compare_answers(report, report)
    assert (found.asked, found.only_first, found.only_second, found.p) == (1, 0, 0, 1.0)


def pairs_of(known: list[int], cosines: list[float], scores: list[float]) -> SimilarityReport:
    return SimilarityReport(
        "set",
        math.nan,
        math.nan,
        math.nan,
        len(known),
        0,
        known=tuple(known),
        cosines=tuple(cosines),
        scores=tuple(scores),
    )


def test_correlations_of_common_pairs_are_scipys() -> None:
    random = np.random.default_rng(3)
    human, ours, theirs = random.normal(size=(3, 40))
    ours, theirs = ours + human, theirs + 0.5 * human
    first = pairs_of(list(range(40)), ours.tolist(), human.tolist())
    second = pairs_of(list(range(5, 40)), theirs[5:].tolist(), human[5:].tolist())
    found = compare_correlations(first, second)
    assert found.pairs == 35
    assert found.first == pytest.approx(scipy.stats.spearmanr(ours[5:], human[5:]).statistic)
    assert found.second == pytest.approx(scipy.stats.spearmanr(theirs[5:], human[5:]).statistic)
    assert found.difference.low < found.first - found.second < found.difference.high


def test_the_interval_of_a_difference_resamples_the_same_pairs_for_both() -> None:
    random = np.random.default_rng(5)
    human, ours, theirs = random.normal(size=(3, 25))
    ours = ours + human
    draws = np.random.default_rng(SEED).integers(0, 25, size=(RESAMPLES, 25))
    differences = [
        scipy.stats.spearmanr(ours[rows], human[rows]).statistic
        - scipy.stats.spearmanr(theirs[rows], human[rows]).statistic
        for rows in draws
    ]
    assert difference_interval(human, ours, theirs) == pytest.approx(
        np.percentile(differences, (2.5, 97.5)).tolist()
    )


def test_few_pairs_and_equal_models_have_no_interval() -> None:
    human = np.arange(9.0)
    assert math.isnan(difference_interval(human, human, -human).low)
    random = np.random.default_rng(1)
    human, ours = random.normal(size=(2, 30))
    assert math.isnan(difference_interval(human, ours, ours).low)
    few = compare_correlations(pairs_of([0, 1], [1, 2], [1, 2]), pairs_of([0, 1], [1, 2], [1, 2]))
    assert few.pairs == 2
    assert math.isnan(few.first)


def test_the_interval_of_a_difference_holds_the_true_one_in_about_95_of_100_cases() -> None:
    """Two equally good models, whose true difference is 0."""
    random = np.random.default_rng(8)
    hits = 0
    for _ in range(200):
        human = random.normal(size=60)
        ours, theirs = human + random.normal(size=60), human + random.normal(size=60)
        low, high = difference_interval(human, ours, theirs, resamples=200)
        hits += low <= 0 <= high
    assert 0.9 <= hits / 200 <= 0.99
