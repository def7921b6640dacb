"""HAL, compared with vectors counted token by token."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus, markov_corpus

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.count.hal import HAL, HALParams
from workbench.vectors.embeddings import Embeddings


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(4000, words=30, sentence=20)


def fit(corpus: Corpus, **values: object) -> Embeddings:
    return HAL(HALParams.from_mapping({"min_count": 1, **values})).fit(corpus, JobControl())


def written_down(corpus: Corpus, window: int) -> np.ndarray:
    """Counts before and after every word, collected token by token."""
    size = corpus.types
    table = np.zeros((size, 2 * size))
    for begin, end in zip(
        corpus.sentences[:-1].tolist(), corpus.sentences[1:].tolist(), strict=True
    ):
        sentence = corpus.ids[begin:end].tolist()
        for place, word in enumerate(sentence):
            for distance in range(1, window + 1):
                if place - distance >= 0:
                    table[word, sentence[place - distance]] += window + 1 - distance
                if place + distance < len(sentence):
                    table[word, size + sentence[place + distance]] += window + 1 - distance
    return table


def test_the_sentence_of_lund_and_burgess() -> None:
    """“The horse raced past the barn fell”, window 5 (table 1 of Lund & Burgess)."""
    embeddings = fit(
        make_corpus([["the", "horse", "raced", "past", "the", "barn", "fell"]]),
        window=5,
        columns=0,
        normalise=False,
    )
    assert isinstance(embeddings.vectors, sp.csr_matrix)
    words = list(embeddings.words)
    table = embeddings.vectors.toarray()
    before = {
        word: dict(zip(words, table[row, : len(words)], strict=True))
        for row, word in enumerate(words)
    }
    assert before["barn"] == {"the": 6, "horse": 2, "raced": 3, "past": 4, "barn": 0, "fell": 0}
    assert before["the"] == {"the": 2, "horse": 3, "raced": 4, "past": 5, "barn": 0, "fell": 0}


@pytest.mark.parametrize("window", [1, 10])
def test_all_columns(corpus: Corpus, window: int) -> None:
    embeddings = fit(corpus, window=window, columns=0, normalise=False)
    assert isinstance(embeddings.vectors, sp.csr_matrix)
    assert embeddings.vectors.dtype == np.float32
    assert embeddings.vectors.has_canonical_format
    np.testing.assert_allclose(
        embeddings.vectors.toarray(), written_down(corpus, window), rtol=1e-6
    )
    table = written_down(corpus, window)
    unit = fit(corpus, window=window, columns=0).vectors.toarray()
    np.testing.assert_allclose(
        unit, table / np.linalg.norm(table, axis=1, keepdims=True), rtol=1e-5
    )


def test_the_most_variant_columns(corpus: Corpus) -> None:
    table = written_down(corpus, 10)
    top_columns = np.argsort(-table.var(axis=0), kind="stable")[:7]
    embeddings = fit(corpus, columns=7)
    assert isinstance(embeddings.vectors, np.ndarray)
    wanted = table[:, top_columns]
    np.testing.assert_allclose(
        embeddings.vectors, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), rtol=1e-5
    )
    size = corpus.types
    names = [
        [corpus.words[column % size], "before" if column < size else "after"]
        for column in top_columns.tolist()
    ]
    assert embeddings.metadata["columns"] == names
    assert fit(corpus, columns=500).vectors.shape == (size, 2 * size)


def test_words_that_never_co_occur() -> None:
    with pytest.raises(UserError, match="sentence"):
        fit(make_corpus([["a"], ["b"]]))
    lonely = fit(make_corpus([["a", "b"], ["c"]]), columns=0)
    assert not lonely.norms[2]
