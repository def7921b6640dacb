"""SGNS with words of groups: contexts stay shared, and words outside groups train as always."""

from __future__ import annotations

import numpy as np
from corpora import markov_corpus

from workbench.core.job_control import JobControl
from workbench.models.predict.grouped_sgns import train_groups
from workbench.models.predict.sgns import SGNS, SGNSParams


def params(**settings: object) -> SGNSParams:
    values = {"dim": 8, "min_count": 1, "threads": 1, "epochs": 3, "sample": 0.0, "window": 3}
    return SGNSParams.from_mapping({**values, **settings})


def test_without_groups_the_training_is_that_of_sgns() -> None:
    corpus = markov_corpus(6000, words=20)
    plain = SGNS(params()).fit(corpus, JobControl())
    codes = np.full(len(corpus.sentences) - 1, -1, dtype=np.int32)
    found = train_groups(corpus, corpus.vocabulary(), [], codes, 2, params(), JobControl())
    assert np.array_equal(found.vectors, plain.vectors)
    assert np.array_equal(found.contexts, plain.contexts)


def test_words_of_groups_share_the_contexts_of_the_words() -> None:
    corpus = markov_corpus(6000, words=20)
    sentences = len(corpus.sentences) - 1
    codes = np.where(np.arange(sentences) % 3 == 0, -1, np.arange(sentences) % 2).astype(np.int32)
    found = train_groups(corpus, corpus.vocabulary(), [2, 5], codes, 2, params(), JobControl())
    assert found.words[20:] == [
        f"{corpus.words[2]}@0",
        f"{corpus.words[2]}@1",
        f"{corpus.words[5]}@0",
        f"{corpus.words[5]}@1",
    ]
    # No context row belongs to a word of a group; those of the words themselves were trained.
    assert not found.contexts[20:].any()
    assert found.contexts[:20].any(axis=1).all()
    assert found.counts[[2, 20, 21]].sum() == corpus.counts[2]
    assert found.counts[[5, 22, 23]].sum() == corpus.counts[5]


def test_groups_that_mean_nothing_give_similar_rows() -> None:
    corpus = markov_corpus(60_000, words=20)
    codes = np.random.default_rng(1).integers(0, 2, len(corpus.sentences) - 1).astype(np.int32)
    settings = params(epochs=8)
    found = train_groups(corpus, corpus.vocabulary(), [3], codes, 2, settings, JobControl())
    unit = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    others = np.delete(unit[:20], 3, axis=0) @ unit[20]
    assert unit[20] @ unit[21] > 0.97
    assert unit[20] @ unit[21] > others.max()


def test_rare_words_are_left_out_as_in_every_training() -> None:
    corpus = markov_corpus(3000, words=20)
    small = corpus.vocabulary(max_vocab=10)
    codes = np.zeros(len(corpus.sentences) - 1, dtype=np.int32)
    found = train_groups(corpus, small, [1], codes, 1, params(max_vocab=10), JobControl())
    assert len(found.words) == 11
    assert found.counts[10] == corpus.counts[1]
    assert found.counts[1] == 0
