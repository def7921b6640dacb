"""Analogies without the cells of their pairs, and in the counts."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.analogy.in_the_counts import analogy_in_counts
from workbench.analysis.analogy.pairs_away import take_pairs_away
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.core.errors import UnknownWord, UserError
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.count.svd import SVDParams

PARAMS = SVDParams(dim=6, min_count=1, window=2, window_weighting="fixed")
SETTINGS = PairCountSettings(2, "fixed", 0.0)


def _binary_words(repeats: int = 6) -> list[list[str]]:
    """Four words with two binary attributes, each told by a context of its own, and pairs that
    meet.
    """
    told = {"man": "he crown0", "king": "he crown1", "woman": "she crown0", "queen": "she crown1"}
    sentences = [
        [context, word, context]
        for word, contexts in told.items()
        for context in contexts.split()
        for _ in range(repeats)
    ]
    return sentences + [["man", "king"], ["woman", "queen"], ["he", "she"]] * repeats


def test_an_analogy_stays_without_its_pairs() -> None:
    corpus = make_corpus(_binary_words())
    pairs = [("man", "king"), ("woman", "queen"), ("nobody", "knows")]
    found = take_pairs_away(corpus, pairs, PARAMS, (2, 6))
    assert found.pairs == (("man", "king"), ("woman", "queen"))
    assert found.questions == 2
    # (man, king), (king, man), (woman, queen) and (queen, woman).
    assert found.deleted == 4
    assert found.without[-1] == 1.0
    assert found.whole.shape == found.control.shape == (2,)


def test_without_observed_pairs_nothing_changes() -> None:
    corpus = make_corpus(
        [one for one in _binary_words() if one not in (["man", "king"], ["woman", "queen"])]
    )
    found = take_pairs_away(corpus, [("man", "king"), ("woman", "queen")], PARAMS)
    assert found.deleted == 0
    assert found.whole.tolist() == found.without.tolist() == found.control.tolist()


def test_both_sides_of_the_equation_are_those_of_the_counts() -> None:
    corpus = markov_corpus(4_000, words=15, sentence=12)
    pairs = count_pairs(corpus, SETTINGS)
    words = ("w00", "w05", "w01", "w06")
    found = analogy_in_counts(pairs, *words)
    table = cooccurrence(corpus, corpus.vocabulary(), 2, "fixed", True).toarray()
    index = {word: row for row, word in enumerate(corpus.words)}

    def pmi(word: str, context: str) -> float:
        row, column = index[word], index[context]
        chance = table[row].sum() * table[:, column].sum() / table.sum()
        return float(np.log(table[row, column] / chance))

    met = [c for c in corpus.words if all(table[index[w], index[c]] > 0 for w in words)]
    assert set(found.contexts) == set(met)
    for at, context in enumerate(found.contexts):
        a, a_star, b, answer = (pmi(word, context) for word in words)
        assert found.across[at] == pytest.approx(a_star - a + b)
        assert found.up[at] == pytest.approx(answer)
        assert found.counts[at] == min(table[index[w], index[context]] for w in words)
    weights = found.counts / found.counts.sum()
    assert found.error == pytest.approx(np.sqrt(weights @ (found.up - found.across) ** 2))
    covariance = np.cov(found.across, found.up, aweights=found.counts)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.correlation == pytest.approx(expected)


def test_bad_input_ends_in_a_sentence() -> None:
    corpus = make_corpus(_binary_words())
    with pytest.raises(UserError, match="needs two pairs"):
        take_pairs_away(corpus, [("man", "king"), ("no", "body")], PARAMS)
    pairs = count_pairs(corpus, SETTINGS)
    with pytest.raises(UserError, match="Fewer than three contexts"):
        analogy_in_counts(pairs, "man", "king", "woman", "queen")
    with pytest.raises(UnknownWord):
        analogy_in_counts(pairs, "man", "king", "woman", "nobody")
