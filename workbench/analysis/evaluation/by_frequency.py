"""Accuracy on analogies by the frequency of their words, as in S16."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.analogy.solver import AnalogyReport
from workbench.analysis.evaluation.bootstrap import share_interval
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class FrequencyCurve:
    """One model's accuracy in bins of the mean log frequency of the four words; bins without
    questions are left out.

    middle : float64[b], mean over the bin's questions of the mean natural logarithm of the four
    counts
    accuracy, low, high : float64[b], share of correct answers, with its 95 % interval
    asked : int64[b], questions in the bin
    """

    middle: Doubles
    accuracy: Doubles
    low: Doubles
    high: Doubles
    asked: Ints


def mean_log_frequency(
    embeddings: Embeddings, questions: Questions, report: AnalogyReport
) -> Doubles:
    """float64[asked]: for each asked question, the mean of log n(w) over its four words, n at least
    1.

    Raises UserError if the vectors have no counts.
    """
    if embeddings.counts is None:
        raise UserError(
            tr("These vectors have no counts, so word frequencies are unknown."),
            tr("Train a model here, or open an .npz file that contains counts."),
        )
    rows = [
        [*_rows_asked(embeddings, questions, at), row]
        for at, row in zip(report.question.tolist(), report.expected.tolist(), strict=True)
    ]
    logs = np.log(np.maximum(embeddings.counts, 1).astype(np.float64))
    return np.asarray(logs[np.array(rows, dtype=np.intp).reshape(-1, 4)].mean(axis=1))


def _rows_asked(embeddings: Embeddings, questions: Questions, at: int) -> list[int]:
    """Rows of a, b and c of a question, with the first known word that can stand for b."""
    a, b, c, _ = questions.words[at]
    others = (b, *questions.seconds[at]) if questions.seconds else (b,)
    rows = [row for word in others if (row := embeddings.find(word)) is not None]
    known = [row for row in rows if embeddings.has_vector[row]]
    return [embeddings.row(a), known[0], embeddings.row(c)]


def bin_edges(frequencies: Sequence[Doubles], bins: int = 8) -> Doubles:
    """float64[b + 1], increasing: quantiles of all models' questions together, so that curves share
    their bins.

    Equal edges are merged; empty if there are no questions.
    """
    together = np.concatenate([np.empty(0), *frequencies])
    if len(together):
        return np.unique(np.quantile(together, np.linspace(0, 1, bins + 1)))
    return np.empty(0)


def accuracy_by_frequency(
    report: AnalogyReport, frequency: Doubles, edges: Doubles
) -> FrequencyCurve:
    """Accuracy by bin; ``frequency`` is :func:`mean_log_frequency`. A bin includes its lower edge,
    the last bin both edges.
    """
    if len(edges) < 2:
        edges = np.array([edges[0], edges[0] + 1.0]) if len(edges) else np.array([0.0, 1.0])
    place = np.clip(np.searchsorted(edges, frequency, side="right") - 1, 0, len(edges) - 2)
    right = report.predicted == report.expected
    middle, accuracy, low, high, question_counts = [], [], [], [], []
    for at in range(len(edges) - 1):
        inside = place == at
        number = int(inside.sum())
        if not number:
            continue
        correct = int(right[inside].sum())
        ends = share_interval(correct, number)
        middle.append(float(frequency[inside].mean()))
        accuracy.append(correct / number)
        low.append(ends.low)
        high.append(ends.high)
        question_counts.append(number)
    return FrequencyCurve(
        np.array(middle),
        np.array(accuracy),
        np.array(low),
        np.array(high),
        np.array(question_counts, dtype=np.int64),
    )
