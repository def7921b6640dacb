"""Words without company: no training gives them a vector, but only a random start."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from workbench.core.arrays import Bools
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import cancelling_rows

# Tokens handled at a time, whose arrays then fit into a core's own cache.
_BLOCK = 1 << 16


def words_with_company(corpus: Corpus, vocabulary: Vocabulary, run: JobControl) -> Bools:
    """bool[V]: words that have another token of the vocabulary in at least one of their sentences.
    Raises Cancelled.
    """
    met = np.zeros(len(vocabulary), dtype=np.bool_)
    ids, sentences = corpus.ids, np.asarray(corpus.sentences)
    last_word, last_sentence, begun = -1, 0, 0
    for start in range(0, corpus.tokens, _BLOCK):
        run.check()
        block = np.asarray(ids[start : start + _BLOCK])
        # Sentences are numbered by adding up their beginnings.
        first, last = np.searchsorted(sentences, (start, start + len(block)))
        begins = np.zeros(len(block), dtype=np.bool_)
        begins[sentences[first:last] - start] = True
        kept = np.flatnonzero((block >= 0) & (block < len(met)))
        of_tokens = begun + np.cumsum(begins)
        begun = int(of_tokens[-1])
        words = np.append(last_word, block[kept])
        numbers = np.append(last_sentence, of_tokens[kept])
        together = numbers[1:] == numbers[:-1]
        met[words[1:][together]] = True
        met[words[:-1][together]] = True
        if met.all():
            break
        last_word, last_sentence = int(words[-1]), int(numbers[-1])
    return met


def without_random_vectors(
    trained: Embeddings, corpus: Corpus, vocabulary: Vocabulary, run: JobControl
) -> Embeddings:
    """The vectors with 0 for words without company, whose random start would look like a vector.

    The n-grams of a model stay, because other words share them.
    """
    return with_zeros(trained, ~words_with_company(corpus, vocabulary, run))


def with_zeros(trained: Embeddings, alone: Bools, keep_raw: bool = False) -> Embeddings:
    """The vectors with 0 for the words ``alone``; ``keep_raw``: W stays as it was trained, for an
    algorithm that moves it without pairs.

    In a model with n-grams, the rows of such words cancel their n-grams: a fastText file contains
    no vectors, and every program that reads it takes the mean of a word's row and its n-grams.
    """
    if not alone.any():
        return trained
    vectors = np.array(trained.vectors)
    raw = trained.raw
    if keep_raw and raw is None:
        raw = np.asarray(trained.vectors)
    elif raw is not None and not keep_raw:
        raw = np.array(raw)
        raw[alone] = 0
    vectors[alone] = 0
    return replace(
        trained, vectors=vectors, raw=raw, word_rows=cancelling_rows(trained, np.flatnonzero(alone))
    )
