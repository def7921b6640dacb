"""Nearest n-grams, against cosines with all n-grams of the vocabulary in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from ngram_toy import BUCKETS, ngram_model
from reference.naive_analysis import cosine
from reference.naive_fasttext import grams, hash_text

from workbench.analysis.neighbours.ngrams import count_ngrams, nearest_ngrams
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings


def test_nearest_ngrams_are_those_of_all_words() -> None:
    model = ngram_model()
    assert model.ngram_vectors is not None
    every = {text: hash_text(text, BUCKETS) for word in model.words for text in grams(word, 3, 5)}
    assert set(count_ngrams(model, JobControl()).texts) == set(every)
    # In the toy model, buckets with odd numbers have no row.
    text = next(found for found, place in every.items() if place % 2 == 0)
    own = model.ngram_vectors[every[text] // 2]
    expected = sorted(
        {
            place: cosine(own, model.ngram_vectors[place // 2])
            for place in every.values()
            if place % 2 == 0
        }.items(),
        key=lambda pair: -pair[1],
    )
    found = nearest_ngrams(model, text, 6, JobControl())
    assert [one.cosine for one in found] == pytest.approx(
        [value for _, value in expected[1:7]], abs=1e-6
    )
    assert [every[one.text] for one in found] == [place for place, _ in expected[1:7]]
    assert all(one.text in f"<{one.word}>" for one in found)


def test_what_has_no_ngrams_says_so() -> None:
    with pytest.raises(UserError, match="These vectors aren’t built from n-grams"):
        nearest_ngrams(Embeddings(["a"], np.ones((1, 2), np.float32)), "a", 3, JobControl())
    model = ngram_model()
    odd = next(t for w in model.words for t in grams(w, 3, 5) if hash_text(t, BUCKETS) % 2)
    with pytest.raises(UserError, match="doesn’t occur in the corpus, so its vector is"):
        nearest_ngrams(model, odd, 3, JobControl())
