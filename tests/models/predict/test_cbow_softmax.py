"""CBOW with the exact softmax, compared with its definition, position by position."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import make_corpus
from reference import naive_softmax

from workbench.models.predict.cbow_softmax import (
    Batch,
    CBOWSoftmax,
    CBOWSoftmaxParams,
    Tables,
    gather,
)
from workbench.models.predict.stream_trainer import Worker, open_stream

TEXT = "the cat saw a dog and the dog saw the cat under a tree by the old old house"
WORDS = TEXT.split()

BATCH = Batch(
    np.array([3, 0], dtype=np.int32),
    np.array([[1, 4, 0], [5, 9, 9]], dtype=np.int32),
    np.array([3, 1]),
)


def tables_of(**values: object) -> Tables:
    tables = Tables(7, CBOWSoftmaxParams.from_mapping({"dim": 4, "window": 2, **values}))
    random = np.random.default_rng(2)
    tables.W[:] = random.normal(scale=0.6, size=tables.W.shape)
    tables.C[:] = random.normal(scale=0.6, size=tables.C.shape)
    return tables


@pytest.mark.parametrize(
    ("hidden", "gradient"), [("mean", "word2vec"), ("mean", "corrected"), ("sum", "word2vec")]
)
def test_a_step_is_adagrads_with_numeric_gradients(hidden: str, gradient: str) -> None:
    tables = tables_of(hidden=hidden, gradient=gradient)
    W, C = tables.W.astype(np.float64), tables.C.astype(np.float64)
    windows = [[1, 4, 0], [5]]

    def objective() -> float:
        total = 0.0
        for centre, words in zip([3, 0], windows, strict=True):
            hidden_layer = sum(W[word] for word in words) / (len(words) if hidden == "mean" else 1)
            total += naive_softmax.cross_entropy(hidden_layer, C, centre)
        return total

    assert tables.step(BATCH, 0.0) == pytest.approx(objective(), rel=1e-6)
    tables = tables_of(hidden=hidden, gradient=gradient)
    tables.step(BATCH, 0.1)
    # No word is in both windows, so each row makes a single step; AdaGrad’s first step only depends
    # on the gradient’s sign.
    for table, new in ((W, tables.W), (C, tables.C)):
        slope = naive_softmax.numeric_gradient(objective, table)
        clear = np.abs(slope) > 1e-6
        np.testing.assert_allclose((new - table)[clear], -0.1 * np.sign(slope[clear]), atol=1e-4)
        np.testing.assert_allclose((new - table)[~clear], 0, atol=1e-6)
    first = np.sqrt(tables._squares_W)
    slope = np.abs(naive_softmax.numeric_gradient(objective, W))
    factor = np.array(
        [1 if hidden == "sum" or gradient == "corrected" else len(words) for words in windows]
    )
    np.testing.assert_allclose(first[[1, 4, 0]], slope[[1, 4, 0]] * factor[0], atol=1e-4)
    np.testing.assert_allclose(first[5], slope[5] * factor[1], atol=1e-4)


def test_every_position_has_its_window() -> None:
    corpus = make_corpus([WORDS, ["the"], WORDS[:6]])
    params = CBOWSoftmaxParams(window=3, min_count=1, sample=0.0, window_weighting="fixed", dim=4)
    stream = open_stream(corpus, corpus.vocabulary(1), params)
    worker = Worker(0, 1)
    worker.begin(stream, 0, corpus.tokens)
    visits = []
    while not worker.at_end:
        batch = gather(worker.chunk(stream, 4, 0.1, 0.0, 0.0), 3)
        for centre, words, size in zip(batch.centres, batch.words, batch.sizes, strict=True):
            visits.append((int(centre), words[:size].tolist()))
    wanted = []
    for start, stop in zip(
        corpus.sentences[:-1].tolist(), corpus.sentences[1:].tolist(), strict=True
    ):
        for at in range(start, stop):
            words = (
                corpus.ids[max(start, at - 3) : at].tolist()
                + corpus.ids[at + 1 : min(stop, at + 4)].tolist()
            )
            if words:
                wanted.append((int(corpus.ids[at]), words))
    assert visits == wanted


def test_the_time_is_estimated() -> None:
    corpus = make_corpus([WORDS] * 1000)
    short = CBOWSoftmax(CBOWSoftmaxParams(min_count=1, threads=1)).estimate(corpus)
    assert not short.warning
    long = CBOWSoftmax(
        CBOWSoftmaxParams(min_count=1, threads=1, sample=0.0, epochs=10_000, dim=2000)
    ).estimate(corpus)
    assert "minutes" in long.warning
    assert "max_vocab" in long.warning
