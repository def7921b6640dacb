"""Content words of a heatmap: groups that co-occur, before function words."""

from __future__ import annotations

import numpy as np

from workbench.analysis.matrix.content_words import content_words


def _block_counts(groups: int = 3, frequent: int = 3, loose: int = 20) -> np.ndarray:
    """Counts of frequent words that co-occur with all, unrelated words, and groups of 5 words."""
    size = frequent + loose + 5 * groups
    counts = np.full((size, size), 0.5)
    counts[:frequent] = counts[:, :frequent] = 400.0
    for group in range(groups):
        begin = frequent + loose + 5 * group
        counts[begin : begin + 5, begin : begin + 5] = 30.0 + group
    np.fill_diagonal(counts, 0.0)
    return counts


def test_groups_that_co_occur_come_one_after_another_without_function_words() -> None:
    rows = content_words(_block_counts(), 15)
    groups = [(row - 23) // 5 for row in rows]
    assert sorted(rows) == list(range(23, 38))
    assert groups == [one for one in dict.fromkeys(groups) for _ in range(5)]


def test_the_choice_is_the_same_again_and_has_as_many_words_as_asked() -> None:
    counts = _block_counts()
    assert content_words(counts, 15) == content_words(counts.copy(), 15)
    for wanted in (2, 7, 30):
        rows = content_words(counts, wanted)
        assert len(rows) == len(set(rows)) == wanted


def test_of_few_words_all_are_shown() -> None:
    assert content_words(_block_counts(), 100) == list(range(38))
    assert content_words(np.zeros((0, 0)), 5) == []
    assert sorted(content_words(np.zeros((9, 9)), 4)) == [0, 1, 2, 3]
