"""The push of a line against its definition: the number with it and without it."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
import scipy.stats
from corpora import make_corpus, markov_corpus

from workbench.analysis.associations.weat import effect_size
from workbench.analysis.influence.line_influence import FAR, influence
from workbench.analysis.influence.quantities import (
    Quantity,
    analogy_margin,
    association_effect,
    cosine_of,
)
from workbench.analysis.influence.removal import file_edges, line_edges, without_lines
from workbench.analysis.rows.build import Row, build_form
from workbench.analysis.rows.newton import Prior, minimise
from workbench.analysis.rows.still_model import WORDS, hold_still
from workbench.core.arrays import Doubles
from workbench.core.errors import UnknownWord, UserError
from workbench.corpus.corpus import Corpus, SourceFile
from workbench.counts.expected_counts import effective_counts
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings

TEXT = markov_corpus(4_000, words=25, sentence=12)
SVD = train(TEXT, "svd", min_count=1, dim=6)


def _quantities(model: Embeddings) -> list[Quantity]:
    return [
        cosine_of(model, "w01", "w06"),
        analogy_margin(model, "w01", "w02", "w07"),
        association_effect(
            model, (["w00", "w05"], ["w01", "w06"]), (["w10", "w15"], ["w11", "w12"])
        ),
    ]


def test_the_value_is_that_of_cosines() -> None:
    unit = np.asarray(SVD.vectors, dtype=np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)

    def cosine(a: str, b: str) -> float:
        return float(unit[SVD.row(a)] @ unit[SVD.row(b)])

    first, margin, effect = _quantities(SVD)
    assert first.value_in(SVD) == pytest.approx(cosine("w01", "w06"), abs=1e-6)
    answer, rival = margin.words[:2]
    scores = [cosine(x, "w01") - cosine(x, "w02") + cosine(x, "w07") for x in (answer, rival)]
    assert margin.value_in(SVD) == pytest.approx(scores[0] - scores[1], abs=1e-6)
    assert margin.value_in(SVD) >= 0
    s = [
        (cosine(x, "w10") + cosine(x, "w15") - cosine(x, "w11") - cosine(x, "w12")) / 2
        for x in ("w00", "w05", "w01", "w06")
    ]
    expected = effect_size(np.array(s[:2]), np.array(s[2:]))
    assert effect.value_in(SVD) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("which", range(3))
def test_gradients_are_those_of_finite_differences(which: int) -> None:
    quantity = _quantities(SVD)[which]
    vectors = np.random.default_rng(which).standard_normal((len(quantity.words), 4))
    expected = np.zeros_like(vectors)
    for place in np.ndindex(vectors.shape):
        step = np.zeros_like(vectors)
        step[place] = 1e-6
        up, down = quantity.value_of(vectors + step), quantity.value_of(vectors - step)
        expected[place] = (up - down) / 2e-6
    assert quantity.gradient(vectors) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("algorithm", ["svd", "ppmi", "sgns", "glove", "swivel"])
def test_a_push_is_the_change_without_the_line(algorithm: str) -> None:
    sized = {} if algorithm == "ppmi" else {"dim": 15 if algorithm == "svd" else 6}
    long = {} if algorithm in ("svd", "ppmi") else {"epochs": 30, "threads": 1}
    model = train(TEXT, algorithm, min_count=1, **sized, **long)
    still = hold_still(model, TEXT)
    for quantity in _quantities(model)[:2]:
        found = influence(still, quantity)
        assert found.value == pytest.approx(quantity.value_in(model), abs=1e-5)
        some = found.lines[:: max(1, len(found.lines) // 40)]
        pushes = found.pushes[np.isin(found.lines, some)]
        changes = np.array([found.value - found.without([line]) for line in some.tolist()])
        assert np.corrcoef(pushes, changes)[0, 1] > 0.75
        strongest = found.strongest(5, 1)
        assert (found.pushes[np.isin(found.lines, strongest)] > 0).all()
        assert found.without(strongest) < found.value


@pytest.mark.parametrize("algorithm", ["svd", "ppmi"])
def test_predicted_changes_agree_with_those_of_factorising_again(algorithm: str) -> None:
    sized = {} if algorithm == "ppmi" else {"dim": 15}
    model = train(TEXT, algorithm, min_count=1, **sized)
    quantity = cosine_of(model, "w01", "w06")
    found = influence(hold_still(model, TEXT), quantity)
    random = np.random.default_rng(1)
    predicted, true = [], []
    for number in range(24):
        lines = random.choice(found.lines, 2 + number, replace=False)
        if number % 2:
            lines = found.strongest(2 + number, 1 if number % 4 == 1 else -1)
        again = train(without_lines(TEXT, found.edges, lines), algorithm, min_count=1, **sized)
        predicted.append(found.without(lines) - found.value)
        true.append(quantity.value_in(again) - found.value)
    assert scipy.stats.spearmanr(predicted, true)[0] > 0.8


def test_the_first_order_change_of_a_minimum_is_that_of_minimising_again() -> None:
    """At the minimum of a row, the prediction is the derivative of the minimum."""
    model = train(TEXT, "sgns", min_count=1, dim=4, epochs=5, sample=0.0)
    still = hold_still(model, TEXT)
    counts = effective_counts(TEXT, TEXT.vocabulary(), still.counting).toarray()
    flat = Prior(np.zeros(4), 1e-6 * np.eye(4))

    def minimum(row: int, seen: Doubles) -> Doubles:
        form = build_form(still, Row(WORDS, seen, 1.0))
        assert form is not None
        return minimise(form, seen, float(seen.sum()), flat).w

    vectors = np.array([minimum(row, counts[row]) for row in range(len(model))])
    still = hold_still(dataclasses.replace(model, vectors=vectors.astype(np.float32)), TEXT)
    found = influence(still, cosine_of(model, "w01", "w06"))
    predicted, true = [], []
    for line in found.lines[found.order[:40:4]].tolist():
        rest = without_lines(TEXT, found.edges, np.array([line]))
        own = [rest.words.index(word) for word in model.words]
        fewer = effective_counts(rest, rest.vocabulary(), still.counting).toarray()
        rows = [model.row("w01"), model.row("w06")]
        moved = np.array([minimum(row, fewer[np.ix_(own, own)][row]) for row in rows])
        true.append(found.quantity.value_of(moved) - found.value)
        predicted.append(found.without([line]) - found.value)
    assert np.corrcoef(predicted, true)[0, 1] > 0.97
    assert float(np.dot(predicted, true) / np.dot(true, true)) == pytest.approx(1.0, abs=0.2)


def test_pairs_say_which_counts_a_line_changes() -> None:
    corpus = make_corpus([["a", "b", "c"], ["a", "c"], ["b", "d"], ["c", "d", "a"]] * 10)
    model = train(corpus, "svd", min_count=1, dim=3, window=1, window_weighting="fixed")
    found = influence(hold_still(model, corpus), cosine_of(model, "a", "d"))
    assert found.text(0) == "a b c"
    changed = {(pair.word, pair.context): pair.count for pair in found.pairs(3)}
    assert changed == {("d", "c"): 1, ("d", "a"): 1, ("a", "d"): 1}
    assert len(found.lines) == 40


def test_an_excerpt_shows_a_word_of_the_number() -> None:
    long = ["w09"] * 30 + ["w01", "w06"] + ["w08"] * 30
    text = make_corpus([long, ["w06", "w02", "w01"], ["w02", "w08", "w09"]] * 5)
    model = train(text, "svd", min_count=1, dim=2)
    found = influence(hold_still(model, text), cosine_of(model, "w01", "w06"))
    assert found.excerpt(0).split() == ["…", *["w09"] * 6, "w01", "w06", *["w08"] * 30]
    assert found.excerpt(1) == found.text(1) == "w06 w02 w01"


@pytest.mark.parametrize(
    ("strongest", "decimals"), [(0.5, 4), (0.0012, 4), (0.00012, 5), (0.0000012, 7), (0.0, 4)]
)
def test_the_strongest_push_has_two_digits(strongest: float, decimals: int) -> None:
    found = influence(hold_still(SVD, TEXT), cosine_of(SVD, "w01", "w06"))
    pushes = np.array([strongest, -strongest / 3])
    assert dataclasses.replace(found, pushes=pushes).decimals == decimals


def test_files_are_lines_too() -> None:
    sentences = [["a", "b"], ["c", "a"], ["b", "c"], ["a", "d"]]
    corpus = make_corpus(sentences)
    files = tuple(SourceFile(name, 1, "UTF-8", tokens) for name, tokens in (("x", 4), ("y", 4)))
    edges = file_edges(dataclasses.replace(corpus, files=files))
    assert edges.tolist() == [0, 4, 8]
    with pytest.raises(UserError, match="aren’t known"):
        file_edges(corpus)
    rest = without_lines(corpus, edges, np.array([0]))
    assert _sentences(rest) == [["b", "c"], ["a", "d"]]


def test_a_corpus_without_lines_keeps_all_others() -> None:
    edges = line_edges(TEXT)
    rest = without_lines(TEXT, edges, np.array([0, 3, 4]))
    kept = [text for line, text in enumerate(_sentences(TEXT)) if line not in (0, 3, 4)]
    assert _sentences(rest) == kept
    assert rest.counts.tolist() == sorted(rest.counts.tolist(), reverse=True)
    assert rest.digest != TEXT.digest
    with pytest.raises(UserError, match="nothing is left"):
        without_lines(TEXT, edges, np.arange(len(edges) - 1))
    long = make_corpus([["a"] * 250, ["b"]])
    assert line_edges(long).tolist() == [0, 100, 200, 250, 251]


def _sentences(corpus: Corpus) -> list[list[str]]:
    edges = corpus.sentences.tolist()
    return [[corpus.words[i] for i in corpus.ids[a:b].tolist()] for a, b in pairwise(edges)]


def test_bad_input_ends_in_a_sentence() -> None:
    with pytest.raises(UserError, match="with itself is always 1"):
        cosine_of(SVD, "w01", "w01")
    with pytest.raises(UnknownWord):
        cosine_of(SVD, "w01", "nobody")
    with pytest.raises(UserError, match="in all four sets"):
        association_effect(SVD, ([], ["w01"]), (["w02"], ["w03"]))
    few = Embeddings(["a", "b", "c", "d"], np.eye(4, dtype=np.float32))
    with pytest.raises(UserError, match="too few words"):
        analogy_margin(few, "a", "b", "c")
    with pytest.raises(UserError, match="only known for pairs counted in an open text"):
        influence(hold_still(SVD), cosine_of(SVD, "w01", "w02"))


@pytest.mark.parametrize("algorithm", ["sgns", "glove", "skipgram-softmax"])
def test_vectors_far_from_their_minimum_are_told(algorithm: str) -> None:
    """The same for each algorithm; an SVD is at its minimum."""
    aways = []
    for epochs in (1, 100):
        model = train(TEXT, algorithm, min_count=1, dim=4, epochs=epochs, threads=1)
        found = influence(hold_still(model, TEXT), cosine_of(model, "w01", "w06"))
        assert bool(found.caution) == (found.away > FAR)
        aways.append(found.away)
    assert aways[0] > FAR > aways[1]
    computed = influence(hold_still(SVD, TEXT), cosine_of(SVD, "w01", "w06"))
    assert computed.away == pytest.approx(0.0, abs=1e-3)
    assert not computed.caution
