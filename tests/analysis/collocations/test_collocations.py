"""Collocates, their network and dispersion, against loops, scipy and hand-made numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference.naive_associations import pairs_in, sum_of
from scipy.stats import chi2_contingency

from workbench.analysis.collocations.collocates import (
    PMI,
    CollocationParams,
    collocates,
    collocation_network,
    strength,
)
from workbench.analysis.collocations.dispersion import Parts, dispersion, parts_of
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, SourceFile

SENTENCES = [
    *(["strong", "tea", "and", "milk"] for _ in range(8)),
    *(["powerful", "engine", "and", "oil"] for _ in range(6)),
    *(["strong", "and", "powerful"] for _ in range(2)),
    *(["tea", "with", "milk"] for _ in range(5)),
    *(["an", "engine", "with", "tea"] for _ in range(1)),
]


def sentences_of(corpus: Corpus) -> list[list[str]]:
    words = [corpus.words[row] for row in corpus.ids.tolist()]
    ends = corpus.sentences.tolist()
    return [words[begin:end] for begin, end in pairwise(ends)]


@pytest.mark.parametrize(
    "corpus", [make_corpus(SENTENCES), markov_corpus(4_000)], ids=["small", "markov"]
)
def test_pmi_and_log_likelihood_are_those_of_the_2_by_2_table(corpus: Corpus) -> None:
    pairs = pairs_in(sentences_of(corpus), 2)
    total = sum(pairs.values())
    word = corpus.words[3]
    params = CollocationParams(window=2, least=1)
    found = collocates(corpus, 3, params, 100)
    assert found
    for one in found:
        both, own, other = pairs[word, one.other], sum_of(pairs, word), sum_of(pairs, one.other)
        assert one.times == both
        assert one.expected == pytest.approx(own * other / total)
        assert one.pmi == pytest.approx(math.log(both * total / own / other))
        table = [[both, own - both], [other - both, total - own - other + both]]
        result = chi2_contingency(table, correction=False, lambda_="log-likelihood")
        assert one.log_likelihood == pytest.approx(result.statistic)
    better = {
        other
        for (first, other), both in pairs.items()
        if first == word and other != word and both * total > own_times(pairs, word, other)
    }
    assert {one.other for one in found} == better


def own_times(pairs: dict[tuple[str, str], int], word: str, other: str) -> float:
    return sum_of(pairs, word) * sum_of(pairs, other)


def test_the_measure_ranks_and_rare_pairs_are_left_out() -> None:
    corpus = make_corpus(SENTENCES)
    row = corpus.words.index("tea")
    params = CollocationParams(window=2, least=1)
    by_evidence = collocates(corpus, row, params, 100)
    by_pmi = collocates(corpus, row, replace(params, measure=PMI), 100)
    for found, measure in ((by_evidence, params.measure), (by_pmi, PMI)):
        scores = [one.score(measure) for one in found]
        assert scores == sorted(scores, reverse=True)
    frequent = collocates(corpus, row, replace(params, least=7), 100)
    assert all(one.times >= 7 for one in frequent)
    assert len(frequent) < len(by_evidence)
    assert collocates(corpus, row, params, 2) == by_evidence[:2]


def test_the_network_joins_collocates_with_theirs() -> None:
    corpus = make_corpus(SENTENCES)
    params = CollocationParams(window=2, least=2, first=3, second=2)
    found = collocation_network(corpus, "Tea", params)
    assert (found.word, found.occurrences) == ("tea", 14)
    assert found.dispersions == ()
    names = [one.other for one in found.first]
    for name in names:
        theirs = [one for one in found.second if one.word == name]
        row = corpus.words.index(name)
        own = [one for one in collocates(corpus, row, params, 100) if one.other != "tea"]
        assert theirs == own[:2]
    assert collocation_network(corpus, "tea", replace(params, second=0)).second == ()


def test_words_without_collocates() -> None:
    corpus = make_corpus(SENTENCES)
    with pytest.raises(UserError, match="“tea” has no collocates"):
        collocation_network(corpus, "tea", CollocationParams(least=100))
    with pytest.raises(UnknownWord):
        collocation_network(corpus, "coffee", CollocationParams())
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        collocation_network(corpus, "tea", CollocationParams(least=1, second=1), run=run)


# -- dispersion


def test_gries_dp_and_juillands_d_of_a_hand_made_table() -> None:
    """Five parts of 10 words with 1, 2, 3, 4 and 5 occurrences."""
    found = dispersion(np.array([1, 2, 3, 4, 5]), np.full(5, 10))
    shares = np.array([1, 2, 3, 4, 5]) / 15
    dp = np.abs(shares - 0.2).sum() / 2
    assert found.parts == 5
    assert found.dp == pytest.approx(dp / (1 - 0.2))
    variation = np.std([1, 2, 3, 4, 5]) / 3
    assert found.juilland == pytest.approx(1 - variation / math.sqrt(4))


def test_the_ends_of_both_scales() -> None:
    sizes = np.array([100, 200, 400])
    even = dispersion(sizes // 10, sizes)
    assert (even.dp, even.juilland) == (pytest.approx(0), pytest.approx(1))
    lumped = dispersion(np.array([7, 0, 0]), sizes)
    assert lumped.dp == pytest.approx(1)
    equal = dispersion(np.array([0, 9, 0, 0]), np.full(4, 50))
    assert (equal.dp, equal.juilland) == (pytest.approx(1), pytest.approx(0))
    for counts, parts in (([0, 0], [5, 5]), ([4], [9])):
        nothing = dispersion(np.array(counts), np.array(parts))
        assert math.isnan(nothing.dp)
        assert math.isnan(nothing.juilland)


def files_of(corpus: Corpus, sizes: Sequence[int]) -> Corpus:
    files = tuple(
        SourceFile(f"{number}.txt", 1, "UTF-8", size) for number, size in enumerate(sizes)
    )
    return replace(corpus, files=files)


def test_files_are_the_parts_and_pairs_are_counted_in_theirs() -> None:
    corpus = make_corpus(SENTENCES)
    sizes = [len(words) for words in SENTENCES]
    cut = [sum(sizes[:8]), sum(sizes[8:16]), sum(sizes[16:])]
    corpus = files_of(corpus, cut)
    parts = parts_of(corpus)
    assert (parts.unit, parts.sizes.tolist()) == ("files", cut)
    found = collocation_network(corpus, "tea", CollocationParams(window=2, least=1), parts)
    assert found.own_dispersion == dispersion(np.array([8, 0, 6]), np.array(cut))
    for one, spread in zip(found.first, found.dispersions, strict=True):
        counts = [
            pairs_in(part, 2)["tea", one.other]
            for part in (SENTENCES[:8], SENTENCES[8:16], SENTENCES[16:])
        ]
        assert sum(counts) == one.times
        assert spread == dispersion(np.array(counts), np.array(cut))


def test_a_single_file_has_passages_even_on_one_line() -> None:
    corpus = markov_corpus(5_000, sentence=5_000)
    parts = parts_of(files_of(corpus, [corpus.tokens]))
    assert parts.unit == "passages"
    assert parts.sizes.tolist() == [1000] * 5
    assert parts.number_of(np.array([0, 999, 1000, 4999])).tolist() == [0, 0, 1, 4]
    with pytest.raises(UserError):
        parts_of(make_corpus([["too", "short"]]))


def test_parts_without_tokens_are_left_out() -> None:
    corpus = files_of(make_corpus(SENTENCES), [0, 20, make_corpus(SENTENCES).tokens - 20])
    assert parts_of(corpus).sizes.tolist() == [20, corpus.tokens - 20]
    assert len(Parts("files", np.array([3, 9]))) == 2


def test_strengths_are_shares_of_the_largest() -> None:
    assert [strength(score, 4.0) for score in (-1.0, 0.0, 1.0, 4.0, math.nan)] == [0, 0, 0.25, 1, 0]
    assert strength(1.0, 0.0) == 0
