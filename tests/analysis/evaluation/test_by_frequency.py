"""Accuracy against frequency, counted by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.analogy.solver import evaluate
from workbench.analysis.evaluation.by_frequency import (
    accuracy_by_frequency,
    bin_edges,
    mean_log_frequency,
)
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

RANDOM = np.random.default_rng(1)
WORDS = [f"w{row}" for row in range(30)]
COUNTS = np.array([2 ** (30 - row) for row in range(30)], dtype=np.int64)
MODEL = Embeddings(WORDS, RANDOM.normal(size=(30, 3)).astype(np.float32), COUNTS)
ASKED = [tuple(WORDS[row] for row in RANDOM.choice(30, 4, replace=False)) for _ in range(200)]
QUESTIONS = Questions("q", (*ASKED, ("W1", "w2", "w3", "nobody")), (0,) * 201, ("one",))


def test_every_question_is_counted_in_one_bin() -> None:
    report = evaluate(MODEL, QUESTIONS)
    frequency = mean_log_frequency(MODEL, QUESTIONS, report)
    by_hand = [sum(math.log(2 ** (30 - int(word[1:]))) for word in words) / 4 for words in ASKED]
    assert frequency == pytest.approx(by_hand)
    edges = bin_edges([frequency], 5)
    found = accuracy_by_frequency(report, frequency, edges)
    assert len(found.asked) == 5
    assert found.asked.sum() == 200
    assert abs(found.asked - 40).max() <= 12
    assert (found.accuracy * found.asked).sum() == pytest.approx(report.correct)
    assert np.all(np.diff(found.middle) > 0)
    assert np.all((found.low <= found.accuracy) & (found.accuracy <= found.high))
    inside = [at for at, value in enumerate(by_hand) if value < edges[1]]
    right = sum(report.predicted[at] == report.expected[at] for at in inside)
    assert found.accuracy[0] == pytest.approx(right / len(inside))


def test_without_counts_and_without_questions() -> None:
    bare = Embeddings(WORDS, MODEL.vectors)
    with pytest.raises(UserError, match="have no counts"):
        mean_log_frequency(bare, QUESTIONS, evaluate(bare, QUESTIONS))
    assert len(bin_edges([])) == 0
    none = evaluate(MODEL, Questions("q", (("x", "y", "z", "u"),), (0,), ("one",)))
    assert len(accuracy_by_frequency(none, np.empty(0), np.empty(0)).asked) == 0
