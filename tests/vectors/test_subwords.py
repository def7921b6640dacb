"""Vectors of unseen words, and the contribution of each n-gram."""

import dataclasses

import numpy as np
import pytest
from reference import naive_fasttext

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import Subwords, compose, subwords_of

WORDS = ["where", "käse"]


def make_embeddings(buckets: int = 50, compact: bool = False) -> Embeddings:
    random = np.random.default_rng(4)
    own, table = (random.normal(size=(n, 6)).astype(np.float32) for n in (len(WORDS), buckets))
    bucket_numbers = np.arange(0, buckets, 2)
    if compact:
        table[1::2] = 0
    embeddings = Embeddings(
        WORDS,
        np.zeros((len(WORDS), 6), np.float32),
        word_rows=own,
        ngram_vectors=table[bucket_numbers] if compact else table,
        ngram_buckets=bucket_numbers if compact else None,
        metadata={"subwords": {"min_n": 3, "max_n": 4, "buckets": buckets}},
    )
    return dataclasses.replace(
        embeddings, vectors=np.stack([compose(embeddings, word).vector for word in WORDS])
    )


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("word", ["where", "käse", "whereabouts", "東京", "<", "x y"])
def test_a_vector_is_the_mean_of_its_rows(word: str, compact: bool) -> None:
    embeddings = make_embeddings(compact=compact)
    table = np.zeros((50, 6))
    table[np.arange(50) if embeddings.ngram_buckets is None else embeddings.ngram_buckets] = (
        embeddings.ngram_vectors
    )
    rows = [table[naive_fasttext.hash_text(gram, 50)] for gram in naive_fasttext.grams(word, 3, 4)]
    if word in WORDS:
        rows.insert(0, embeddings.word_rows[WORDS.index(word)])
    composition = compose(embeddings, word)
    np.testing.assert_allclose(composition.vector, np.mean(rows, axis=0), atol=1e-6)
    assert composition.seen == (word in WORDS)
    assert [part.text for part in composition.parts][-1] == naive_fasttext.grams(word, 3, 4)[-1]


def test_parts_sum_to_the_vector_and_shares_to_its_length() -> None:
    composition = compose(make_embeddings(), "where")
    np.testing.assert_allclose(
        sum(part.vector for part in composition.parts), composition.vector, atol=1e-6
    )
    assert sum(part.share for part in composition.parts) == pytest.approx(
        np.linalg.norm(composition.vector), rel=1e-5
    )
    assert composition.parts[0].text == "where"
    assert composition.parts[0].bucket == -1
    assert [part.text for part in composition.parts[1:]] == naive_fasttext.grams("where", 3, 4)


def test_without_any_n_gram_the_vector_is_zero_and_has_no_parts() -> None:
    composition = compose(make_embeddings(), "")
    assert not composition.seen
    assert composition.parts == ()
    assert composition.vector.tolist() == [0] * 6


def test_vectors_without_n_grams_say_so() -> None:
    plain = Embeddings(["a"], np.ones((1, 3), np.float32))
    assert subwords_of(plain) is None
    with pytest.raises(UserError, match="These vectors aren’t built from n-grams"):
        compose(plain, "b")
    assert subwords_of(make_embeddings()) == Subwords(3, 4, 50)
    assert (
        subwords_of(dataclasses.replace(make_embeddings(), metadata={"subwords": {"min_n": "3"}}))
        is None
    )
