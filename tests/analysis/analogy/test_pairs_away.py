"""Analogies without the cells of their pairs, and in the counts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.analogy.in_the_counts import analogy_in_counts, second_best, split_errors
from workbench.analysis.analogy.pairs_away import other_cells, take_pairs_away
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
        take_pairs_away(corpus, [("man", "king")], PARAMS)
    with pytest.raises(UnknownWord, match="“no”, “body” are not in"):
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


def test_the_control_deletes_as_many_other_cells_of_like_counts() -> None:
    corpus = markov_corpus(6_000, words=60, sentence=12)
    table = cooccurrence(corpus, corpus.vocabulary(), 2, "fixed", True)
    dense = table.toarray()
    rows = np.array([[3, 4], [5, 6], [7, 8], [9, 10]])
    own = {tuple(pair) for pair in rows.tolist()}
    own |= {(b, a) for a, b in own}
    observed = {pair for pair in own if dense[pair] > 0}
    draws = other_cells(table, rows, (1, 2, 3))
    coordinates = table.tocoo()
    found = []
    for places in draws:
        cells = {(int(coordinates.row[at]), int(coordinates.col[at])) for at in places}
        assert len(cells) == len(places) == len(observed)
        assert not cells & own
        assert {(b, a) for a, b in cells} == cells
        # There are 1,770 pairs, so the fifty nearest counts are near.
        counts, wanted = (sorted(dense[one] for one in each) for each in (cells, observed))
        assert counts == pytest.approx(wanted, rel=0.35, abs=2)
        found.append(cells)
    assert found[0] != found[1] != found[2]
    assert [places.tolist() for places in other_cells(table, rows, (1,))] == [draws[0].tolist()]


def test_shares_are_those_of_a_dense_factorisation() -> None:
    """With a PPMI matrix, numpy’s SVD and one analogy after another."""
    corpus = make_corpus(_binary_words())
    pairs = [("man", "king"), ("woman", "queen")]
    found = take_pairs_away(corpus, pairs, PARAMS, (2, 4), seeds=(1, 2))
    assert found.draws.shape == (2, 2)
    assert found.control == pytest.approx(found.draws.mean(axis=0))
    assert found.spread == pytest.approx(found.draws.std(axis=0, ddof=1))
    words = list(corpus.words)
    table = cooccurrence(corpus, corpus.vocabulary(), 2, "fixed", True).toarray()
    for removed, shares in (((), found.whole), (pairs, found.without)):
        left = table.copy()
        for a, b in removed:
            left[words.index(a), words.index(b)] = left[words.index(b), words.index(a)] = 0
        smoothed = left.sum(axis=0) ** PARAMS.context_smoothing
        chance = left.sum(axis=1, keepdims=True) * smoothed / smoothed.sum()
        with np.errstate(divide="ignore"):
            ppmi = np.maximum(np.log(left / chance), 0)
        left_vectors, singular, _ = np.linalg.svd(ppmi)
        for size, share in zip((2, 4), shares.tolist(), strict=True):
            vectors = left_vectors[:, :size] * singular[:size] ** PARAMS.eig
            vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
            right = 0
            for (a, b), (c, d) in itertools.permutations(pairs):
                rows = [words.index(one) for one in (a, b, c)]
                scores = vectors @ (vectors[rows[1]] - vectors[rows[0]] + vectors[rows[2]])
                scores[rows] = -np.inf
                right += words[int(np.argmax(scores))] == d
            assert share == right / 2


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_the_second_best_answer_is_that_of_the_method_asked_with(method: str) -> None:
    random = np.random.default_rng(5)
    words = tuple(f"w{number:02}" for number in range(40))
    model = Embeddings(words, random.normal(size=(40, 4)).astype(np.float32))
    unit = model.vectors / np.linalg.norm(model.vectors, axis=1, keepdims=True)
    cosines = (unit @ unit.T).astype(float)
    for a, a_star, b in random.choice(40, size=(12, 3)).tolist():
        near_star, near_a, near_b = (cosines[:, one] for one in (a_star, a, b))
        scores = near_star - near_a + near_b
        if method == "3cosmul":
            star, other, own = ((1 + one) / 2 for one in (near_star, near_a, near_b))
            scores = star * own / (other + 0.001)
        scores[[a, a_star, b]] = -np.inf
        first, second = np.argsort(-scores)[:2].tolist()
        asked = (words[a], words[a_star], words[b])
        assert second_best(model, *asked, words[first], method=method) == words[second]
        assert second_best(model, *asked, words[second], method=method) == words[first]
