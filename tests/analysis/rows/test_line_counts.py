"""Counts by line sum to those that training uses, and each line counts what it contains."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.analysis.rows.line_counts import NumberedText, counts_by_line
from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import keep_probabilities

CORPUS = markov_corpus(4_000, words=30, sentence=23)
VOCABULARY = CORPUS.vocabulary(100)


def _text(lines: np.ndarray | None = None) -> NumberedText:
    sentences = np.asarray(CORPUS.sentences)
    return NumberedText(np.asarray(CORPUS.ids), sentences, sentences if lines is None else lines)


@pytest.mark.parametrize("sample", [0.0, 0.01])
@pytest.mark.parametrize("weighting", ["dynamic", "harmonic"])
def test_lines_sum_to_the_counts_of_training(sample: float, weighting: str) -> None:
    settings = PairCountSettings(4, weighting, sample, min_count=100)
    keep = keep_probabilities(VOCABULARY.counts, sample)
    expected = effective_counts(CORPUS, VOCABULARY, settings)
    assert len(VOCABULARY) < CORPUS.types
    for row in (0, 3, len(VOCABULARY) - 1):
        found = counts_by_line(_text(), row, keep, settings)
        assert found.occurrences.sum() == VOCABULARY.counts[row]
        assert found.total() == pytest.approx(expected[row].toarray()[0], rel=1e-9, abs=1e-12)
        longer = counts_by_line(
            _text(np.array([0, 100, 1_000, CORPUS.tokens])), row, keep, settings
        )
        assert longer.total() == pytest.approx(found.total(), rel=1e-9, abs=1e-12)


def test_a_line_counts_its_own_pairs_by_hand() -> None:
    text = NumberedText(
        np.array([0, 1, 2, 0, 9, 1, 3, 1], dtype=np.int32), np.array([0, 4, 8]), np.array([0, 4, 8])
    )
    settings = PairCountSettings(2, "fixed", 0.0)
    found = counts_by_line(text, 1, np.ones(4), settings)
    assert found.lines.tolist() == [0, 1]
    assert found.occurrences.tolist() == [1, 2]
    # In the second line, 9 isn’t in the vocabulary: 1 3 1 remain.
    assert found.cells.toarray().tolist() == [[2, 0, 1, 0], [0, 2, 0, 2]]


def test_one_side_only() -> None:
    settings = PairCountSettings(3, "harmonic", 0.0, symmetric=False, min_count=100)
    table = cooccurrence(CORPUS, VOCABULARY, 3, "harmonic", False)
    keep = np.ones(len(VOCABULARY))
    before = counts_by_line(_text(), 2, keep, settings)
    after = counts_by_line(_text(), 2, keep, settings, after=True)
    assert before.total() == pytest.approx(table[:, 2].toarray()[:, 0])
    assert after.total() == pytest.approx(table[2].toarray()[0])


def test_a_word_that_doesnt_occur_has_no_lines() -> None:
    found = counts_by_line(_text(), 29, np.ones(30), PairCountSettings(2, "fixed", 0.0))
    assert found.cells.shape == (len(found.lines), 30)
    text = NumberedText(np.zeros(3, dtype=np.int32), np.array([0, 3]), np.array([0, 3]))
    none = counts_by_line(text, 1, np.ones(2), PairCountSettings(2, "fixed", 0.0))
    assert len(none.lines) == 0
    assert none.total().tolist() == [0, 0]
