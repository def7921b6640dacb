"""Words of a query: in the vocabulary, composed of n-grams, or unknown."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ngram_toy import BUCKETS, WORDS, ngram_model
from reference import naive_fasttext

from workbench.analysis.analogy.solver import solve
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.neighbours.odd_one_out import odd_one_out
from workbench.analysis.neighbours.query_resolution import (
    find,
    ngram_parts,
)
from workbench.analysis.neighbours.word_facts import inspect_word
from workbench.core.errors import UnknownWord, UserError
from workbench.corpus.concordance import row_of
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.suggestions import near_spellings, suggestion
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing


def mean_of_ngrams(model: Embeddings, word: str) -> np.ndarray:
    """Mean of the n-gram vectors of an out-of-vocabulary word, in plain Python."""
    table = np.zeros((BUCKETS, model.dim))
    table[model.ngram_buckets] = model.ngram_vectors
    return np.mean(
        [
            table[naive_fasttext.hash_text(gram, BUCKETS)]
            for gram in naive_fasttext.grams(word, 3, 5)
        ],
        axis=0,
    )


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def test_a_known_word() -> None:
    model = ngram_model()
    found = find(model, "Happy")
    assert (found.word, found.row, found.unseen, found.composed) == ("happy", 1, False, None)
    np.testing.assert_allclose(found.unit, unit(model.vectors[1]), atol=1e-6)
    assert ngram_parts(found, model, 2) == ()


def test_an_unseen_word_is_made_of_its_n_grams() -> None:
    model = ngram_model()
    found = find(model, "unhappyish")
    assert found.unseen
    cosines = unit(model.vectors.astype(np.float64)) @ unit(mean_of_ngrams(model, "unhappyish"))
    neighbours = nearest(model, "unhappyish", len(WORDS))
    assert [one.word for one in neighbours] == [WORDS[row] for row in np.argsort(-cosines)]
    np.testing.assert_allclose(
        [one.cosine for one in neighbours], np.sort(cosines)[::-1], atol=1e-6
    )
    parts = ngram_parts(found, model, neighbours[0].row)
    assert sum(part.cosine for part in parts) == pytest.approx(neighbours[0].cosine, abs=1e-6)
    assert {part.text for part in parts} == set(naive_fasttext.grams("unhappyish", 3, 5))
    assert [part.cosine for part in parts] == sorted((part.cosine for part in parts), reverse=True)


def test_a_repeated_n_gram_is_told_once() -> None:
    model = ngram_model()
    parts = ngram_parts(find(model, "happappappy"), model, 0)
    assert len({part.text for part in parts}) == len(parts)
    row = unit(model.vectors[0].astype(np.float64))
    assert sum(part.cosine for part in parts) == pytest.approx(
        row @ unit(mean_of_ngrams(model, "happappappy")), abs=1e-6
    )


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_an_analogy_of_unseen_words(method: str) -> None:
    model = ngram_model()
    rows = unit(model.vectors.astype(np.float64))
    a, b, c = (
        rows[1],
        unit(mean_of_ngrams(model, "kindish")),
        unit(mean_of_ngrams(model, "unkindish")),
    )
    if method == "3cosadd":
        scores = rows @ unit(a - b + c)
    else:
        to_a, to_b, to_c = ((rows @ query + 1) / 2 for query in (a, b, c))
        scores = to_a * to_c / (to_b + 0.001)
    scores[1] = -np.inf
    answers = solve(model, "happy", "kindish", "unkindish", method, 5)
    assert [answer.row for answer in answers] == np.argsort(-scores)[:5].tolist()
    np.testing.assert_allclose(
        [answer.score for answer in answers], np.sort(scores)[::-1][:5], atol=1e-5
    )
    let_in = solve(model, "happy", "kindish", "unkindish", method, len(WORDS), exclude_query=False)
    assert "happy" in [answer.word for answer in let_in]


def test_unseen_words_go_where_the_vocabulary_went() -> None:
    model = ngram_model()
    variant = apply_postprocessing(model, Postprocessing(all_but_the_top=1, normalise=True))
    centred = model.vectors.astype(np.float64) - model.vectors.mean(axis=0, dtype=np.float64)
    top = np.linalg.svd(centred)[2][0]
    query = mean_of_ngrams(model, "unhappyish") - model.vectors.mean(axis=0)
    query -= (query @ top) * top
    expected = unit(centred - np.outer(centred @ top, top)) @ unit(query)
    found = nearest(variant, "unhappyish", 3)
    np.testing.assert_allclose(
        [one.cosine for one in found], np.sort(expected)[::-1][:3], atol=1e-5
    )
    with pytest.raises(UnknownWord):
        find(apply_postprocessing(model, Postprocessing("w+c")), "unhappyish")


def test_case_is_folded_where_the_corpus_was() -> None:
    result = find(ngram_model(corpus={"options": {"lowercase": True}}), "UnHappyish")
    assert result.word == "unhappyish"
    assert (
        find(ngram_model(corpus={"options": {"lowercase": False}}), "UnHappyish").word
        == "UnHappyish"
    )


def test_what_cannot_be_made_is_one_sentence() -> None:
    model = ngram_model()
    with pytest.raises(UserError, match="the model has none of its n-grams"):
        find(model, "")
    assert model.ngram_vectors is not None
    zeros = dataclasses.replace(model, ngram_vectors=np.zeros_like(model.ngram_vectors))
    for variant in (zeros, apply_postprocessing(zeros, Postprocessing(all_but_the_top=1))):
        with pytest.raises(
            UserError, match="“xyz” isn’t in the vocabulary, and the model has none of its n-grams"
        ):
            nearest(variant, "xyz")
    broken = dataclasses.replace(model, ngram_vectors=np.full_like(model.ngram_vectors, np.nan))
    with pytest.raises(UserError, match="aren’t finite"):
        solve(broken, "happy", "unhappyish", "kind")


def test_without_n_grams_spellings_are_suggested() -> None:
    plain = Embeddings(WORDS, ngram_model().vectors)
    with pytest.raises(UnknownWord, match="“unhapy” is not in the vocabulary") as failure:
        nearest(plain, "unhapy")
    assert failure.value.hint.startswith("Did you mean “unhappy”?")
    with pytest.raises(UnknownWord, match="Check the spelling"):
        solve(plain, "man", "zebra", "woman")


def test_near_spellings() -> None:
    words = ["queen", "queens", "seen", "green", "Queer", "quarrel"]
    assert near_spellings(words, "quen")[0] == "queen"
    assert near_spellings(words, "QUEER") == ("Queer", "queen")
    assert near_spellings(words, "") == ()
    assert near_spellings(words, "x" * 5000) == ()
    assert suggestion(words, "quarrell") == "Did you mean “quarrel”?"
    assert suggestion(words, "QUEER") == "Did you mean “Queer” or “queen”?"
    tagged = [
        "the_DET",
        "king_NOUN",
        "kin_NOUN",
        "king_arthur",
        "king|NN",
        "king.n.01",
        "ENTITY/King",
    ]
    assert near_spellings(tagged, "king") == ("king_NOUN", "king|NN", "king.n.01")
    assert near_spellings(tagged[-1:], "king") == ("ENTITY/King",)
    assert near_spellings(["king_arthur", "kinging", "aking_NOUN"], "king") == ()
    assert suggestion(["cat", "car", "can"], "ca") == "Did you mean “cat”, “car” or “can”?"
    assert suggestion(words, "zzz") == ""


def test_gensim_finds_the_same_neighbours_of_unseen_words(tmp_path: Path) -> None:
    fasttext = pytest.importorskip("gensim.models.fasttext")
    model = ngram_model()
    save_vectors(model, tmp_path / "m.bin", "fasttext")
    theirs = fasttext.load_facebook_vectors(str(tmp_path / "m.bin"))
    for word in ("unhappyish", "kindly", "superman", "東京woman"):
        neighbours = nearest(model, word, 5)
        expected = theirs.most_similar(word, topn=5)
        assert [one.word for one in neighbours] == [found for found, _ in expected]
        np.testing.assert_allclose(
            [one.cosine for one in neighbours], [cosine for _, cosine in expected], atol=1e-5
        )


def test_only_n_grams_of_the_vocabulary_are_known() -> None:
    """Buckets of other n-grams have random vectors here, as in files of fastText."""
    model = ngram_model()
    parts = {f"<{word}>"[i : i + n] for word in WORDS for n in (3, 4, 5) for i in range(len(word))}
    query = "xqzzvw"
    assert not any(f"<{query}>"[i : i + n] in parts for n in (3, 4, 5) for i in range(len(query)))
    with pytest.raises(UserError, match="none of its n-grams"):
        find(model, query)
    mixed = WORDS[0] + "q"
    grams = [f"<{mixed}>"[i : i + n] for n in (3, 4, 5) for i in range(len(mixed) + 3 - n)]
    known = sum(gram in parts for gram in grams)
    assert 0 < known < len(grams)
    found = find(model, mixed)
    assert found.composed is not None
    assert found.composed.known == known
    assert found.known_ngrams == f"{known} of {len(grams)} n-grams known"
    assert find(model, WORDS[0]).known_ngrams == ""


def test_every_lookup_suggests_the_word_with_its_tag(tmp_path: Path) -> None:
    words = ["king_NOUN", "queen_NOUN", "man_NOUN", "see_VERB", "the_DET", "old_ADJ"]
    (tmp_path / "t.txt").write_text(" ".join(words * 3), encoding="utf-8")
    corpus = read_corpus(
        [tmp_path / "t.txt"], CorpusOptions(tokeniser="whitespace", lowercase=False)
    )
    model = Embeddings(words, np.eye(6, dtype=np.float32))
    lookups: list[Callable[[], object]] = [
        lambda: find(model, "king"),
        lambda: model.row("king"),
        lambda: odd_one_out(model, ["king", "queen_NOUN", "man_NOUN"]),
        lambda: inspect_word(corpus, model, "king"),
        lambda: inspect_word(corpus, None, "king"),
        lambda: row_of(corpus, "king"),
    ]
    for look_up in lookups:
        with pytest.raises(UnknownWord, match="“king” is not") as error:
            look_up()
        assert "Did you mean “king_NOUN”?" in error.value.hint
