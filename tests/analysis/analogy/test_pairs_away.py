"""Analogies without the cells of their pairs, and in the counts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.analogy.in_the_counts import analogy_in_counts, second_best, split_errors
from workbench.analysis.analogy.pairs_away import take_pairs_away
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.core.errors import UnknownWord, UserError
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.count.svd import SVDParams
from workbench.vectors.embeddings import Embeddings

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
    assert found.second_best not in ("man", "king", "woman", "queen")


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


def test_unobserved_pairs_count_as_nothing_among_the_contexts_of_any_word() -> None:
    corpus = make_corpus(_binary_words())
    pairs = count_pairs(corpus, SETTINGS)
    found = analogy_in_counts(pairs, "man", "king", "woman", "queen", positive=True)
    table = cooccurrence(corpus, corpus.vocabulary(), 2, "fixed", True).toarray()
    index = {word: row for row, word in enumerate(corpus.words)}
    words = ("man", "king", "woman", "queen")
    met = [c for c in corpus.words if any(table[index[w], index[c]] > 0 for w in words)]
    assert set(found.contexts) == set(met)

    def ppmi(word: str, context: str) -> float:
        row, column = index[word], index[context]
        chance = table[row].sum() * table[:, column].sum() / table.sum()
        return max(float(np.log(table[row, column] / chance)), 0.0) if table[row, column] else 0.0

    for at, context in enumerate(found.contexts):
        a, a_star, b, answer = (ppmi(word, context) for word in words)
        assert found.across[at] == pytest.approx(a_star - a + b)
        assert found.up[at] == pytest.approx(answer)
        assert found.counts[at] == max(table[index[w], index[context]] for w in words)


def test_the_parts_of_the_errors_make_the_equation_exact() -> None:
    corpus = markov_corpus(3_000, words=12, sentence=9)
    words = ("w00", "w05", "w01", "w06")
    window = 2
    found = split_errors(corpus, words, window)
    near: dict[str, list[set[str]]] = {}
    total = 0
    for first, last in itertools.pairwise(corpus.sentences.tolist()):
        sentence = [corpus.words[at] for at in corpus.ids[first:last].tolist()]
        for at, word in enumerate(sentence):
            around = sentence[max(at - window, 0) : at] + sentence[at + 1 : at + 1 + window]
            near.setdefault(word, []).append(set(around))
            total += 1

    def pmi(word: str, context: str) -> float:
        here = np.mean([word in one for one in near[context]])
        anywhere = sum(word in one for each in near.values() for one in each) / total
        return float(np.log(here / anywhere))

    a, a_star, b, answer = words
    assert found.enough
    assert found.windows[0] == sum({b, a_star} <= one for each in near.values() for one in each)
    for at, context in enumerate(found.contexts):
        smaller = min(
            sum(pair <= one for one in near[context]) for pair in ({b, a_star}, {a, answer})
        )
        assert found.counts[at] == smaller
        error = pmi(answer, context) - (pmi(a_star, context) - pmi(a, context) + pmi(b, context))
        parts = found.paraphrase[at] + found.dependence[at] + found.overall
        assert error == pytest.approx(parts, abs=1e-9)
    assert found.sizes[2] == abs(found.overall)


def test_words_that_never_share_a_window_have_no_parts() -> None:
    corpus = make_corpus([["man", "he"], ["king", "he"], ["woman", "she"], ["queen", "she"]] * 3)
    found = split_errors(corpus, ("man", "king", "woman", "queen"), 2)
    assert found.windows == (0, 0)
    assert not found.enough
    assert np.isnan(found.sizes).all()
    with pytest.raises(UnknownWord):
        split_errors(corpus, ("man", "king", "woman", "nobody"), 2)


def test_the_second_best_answer_is_the_best_other_one() -> None:
    words = ("man", "king", "woman", "queen", "duchess", "soup")
    rows = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0.9, 1.2], [-1, 0, -1]])
    model = Embeddings(words, rows.astype(np.float32))
    assert second_best(model, "man", "king", "woman", "queen") == "duchess"
    assert second_best(model, "man", "king", "woman", "duchess") == "queen"
