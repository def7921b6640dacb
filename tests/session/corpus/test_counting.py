"""Counts of a corpus, written for other programs."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from corpora import make_corpus

from workbench.core.job_control import JobControl
from workbench.session.corpus.counting import CountParams, TableParams, write_counts

SENTENCES = [["a", "b", "a", "c"], ["c", "b"], ["d"], ["b", "b", "a"]]


@pytest.mark.parametrize("symmetric", [True, False])
def test_counts_of_one_side_or_both(symmetric: bool, tmp_path: Path) -> None:
    expected: Counter[tuple[str, str]] = Counter()
    for sentence in SENTENCES:
        for at, word in enumerate(sentence):
            for context in sentence[at + 1 : at + 3]:
                expected[word, context] += 1
                if symmetric:
                    expected[context, word] += 1
    params = CountParams(window=2, window_weighting="fixed", symmetric=symmetric, min_count=1)
    path = tmp_path / "pairs.tsv"
    write_counts(make_corpus(SENTENCES), params, TableParams(measures=""), path, JobControl())
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert {(row[0], row[1]): float(row[2]) for row in rows[1:]} == expected
