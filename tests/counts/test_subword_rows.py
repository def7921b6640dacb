"""Merging rows that belong to the same words, compared with each row’s words one by one."""

from collections import Counter

import numpy as np
import pytest

from workbench.counts.subword_rows import Merging
from workbench.counts.subwords import subword_table

WORDS = (
    "the",
    "cat",
    "cats",
    "catch",
    "banana",
    "elizabeth",
    "elizabethan",
    "käte",
    "aaaa",
    "</s>",
    "other",
)


@pytest.fixture(
    params=[(3, 6, 2_000_000), (2, 4, 31), (0, 0, 5)], ids=["usual", "few buckets", "words alone"]
)
def table(request):
    return subword_table(WORDS, *request.param)


def owners(table):
    """For each row, the words that share it, each with its number of occurrences in the word."""
    rows_by_owner = {}
    for word in range(len(WORDS)):
        for row in table.rows[table.offsets[word] : table.offsets[word + 1]].tolist():
            rows_by_owner.setdefault(row, Counter())[word] += 1
    return rows_by_owner


def test_exactly_the_rows_of_the_same_words_merge(table):
    merging, expected = Merging(table), owners(table)
    groups = {}
    for row, words in expected.items():
        groups.setdefault(frozenset(words.items()), set()).add(row)
    assert len(merging) == len(groups)
    assert {frozenset(np.flatnonzero(merging.of == m).tolist()) for m in range(len(merging))} == {
        frozenset(rows) for rows in groups.values()
    }


def test_merged_rows_of_a_word_cover_all_its_rows(table):
    merging = Merging(table)
    merged_table = merging.merged
    assert merged_table.rows[0] == 0
    for word in range(len(WORDS)):
        plain = Counter(
            merging.of[table.rows[table.offsets[word] : table.offsets[word + 1]]].tolist()
        )
        part = slice(merged_table.offsets[word], merged_table.offsets[word + 1])
        sizes = Counter()
        for row, size in zip(
            merged_table.rows[part].tolist(), merged_table.sizes[0, part].tolist(), strict=True
        ):
            sizes[row] += int(size)
        assert sizes == plain
        assert merged_table.lengths[word] == plain.total()


def test_sums_are_taken_apart_again(table):
    merging = Merging(table)
    count = len(merging.of)
    rows = np.random.default_rng(1).normal(size=(count, 7)).astype(np.float32)
    parts = [(0, rows[:5]), (5, rows[5:])]
    sums = np.empty((len(merging), 16), dtype=np.float32)
    merging.total(parts, sums[:, :7])
    for m in range(len(merging)):
        np.testing.assert_allclose(sums[m, :7], rows[merging.of == m].sum(axis=0), atol=1e-5)
    step = np.random.default_rng(2).normal(size=(len(merging), 7)).astype(np.float32)
    sums[:, :7] += step * merging.counts[:, None]
    new_rows = np.empty_like(rows)
    merging.spread(parts, sums, new_rows)
    np.testing.assert_allclose(new_rows, rows + step[merging.of], atol=1e-5)
