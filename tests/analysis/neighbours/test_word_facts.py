"""Facts about a word, against simulation and plain counting."""

from __future__ import annotations

import heapq
import math
from collections import Counter

import numpy as np
import pytest

from workbench.analysis.neighbours.word_facts import inspect_word
from workbench.core.errors import UnknownWord
from workbench.corpus.corpus import Corpus
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings


def model(corpus: Corpus, algorithm: str = "sgns", **parameters: object) -> Embeddings:
    vectors = np.random.default_rng(4).normal(size=(corpus.types, 5)).astype(np.float32)
    metadata = {"algorithm": algorithm, "parameters": parameters}
    return Embeddings(corpus.words, vectors, corpus.counts, metadata=metadata)


def test_count_rank_share_and_norm(tiny_corpus: Corpus) -> None:
    counts = Counter(tiny_corpus.words[i] for i in tiny_corpus.ids.tolist())
    embeddings = model(tiny_corpus)
    found = inspect_word(tiny_corpus, embeddings, "w11")
    assert found.text is not None
    assert found.text.count == counts["w11"]
    assert found.text.rank == 1 + sum(number > counts["w11"] for number in counts.values())
    assert found.text.share == pytest.approx(counts["w11"] / len(tiny_corpus.ids))
    lengths = {
        word: math.dist(row, [0] * 5)
        for word, row in zip(embeddings.words, embeddings.vectors, strict=True)
    }
    assert found.model is not None
    assert found.model.norm == pytest.approx(lengths["w11"], rel=1e-6)
    assert found.model.shorter == pytest.approx(
        np.mean([v < lengths["w11"] for w, v in lengths.items() if w != "w11"])
    )


@pytest.mark.parametrize("formula", ["word2vec", "paper"])
def test_the_kept_share_is_what_a_simulation_keeps(tiny_corpus: Corpus, formula: str) -> None:
    """word2vec.c keeps a token if (sqrt(n/(tN)) + 1)·tN/n is at least a random number; the paper
    drops it with probability 1 − sqrt(t/f).
    """
    t = 0.01
    found = inspect_word(
        tiny_corpus, model(tiny_corpus, sample=t, sample_formula=formula), "w11"
    ).training
    assert found is not None
    n, total = int(tiny_corpus.counts[tiny_corpus.words.index("w11")]), tiny_corpus.tokens
    draws = np.random.default_rng(2).random(400_000)
    if formula == "paper":
        kept = draws >= 1 - math.sqrt(t / (n / total))
    else:
        kept = (math.sqrt(n / (t * total)) + 1) * (t * total) / n >= draws
    assert found.kept is not None
    assert found.kept == pytest.approx(kept.mean(), abs=4 * 0.5 / math.sqrt(len(draws)))
    assert (found.exponent, found.noise) == (None, None)


def test_the_noise_probability(tiny_corpus: Corpus) -> None:
    found = inspect_word(tiny_corpus, model(tiny_corpus, ns_exponent=0.75), "w11").training
    assert found is not None
    n = int(tiny_corpus.counts[tiny_corpus.words.index("w11")])
    expected = n**0.75 / math.fsum(int(other) ** 0.75 for other in tiny_corpus.counts)
    assert found.noise == pytest.approx(expected)
    assert found.kept is None


def test_the_path_in_a_tree_built_by_a_heap(tiny_corpus: Corpus) -> None:
    """A tree built by a heap has the same cost, though ties may differ; paths lead to the word."""
    found = inspect_word(tiny_corpus, model(tiny_corpus, "skipgram-hs"), "w11").path
    assert found is not None
    heap = [(int(n), i) for i, n in enumerate(tiny_corpus.counts)]
    heapq.heapify(heap)
    cost, fresh = 0, len(heap)
    while len(heap) > 1:
        (one, _), (two, _) = heapq.heappop(heap), heapq.heappop(heap)
        cost += one + two
        heapq.heappush(heap, (one + two, fresh))
        fresh += 1
    paths = {
        word: inspect_word(tiny_corpus, model(tiny_corpus, "skipgram-hs"), word).path
        for word in tiny_corpus.words
    }
    codes = {word: path.code for word, path in paths.items() if path is not None}
    assert (
        sum(
            len(codes[word]) * int(n)
            for word, n in zip(tiny_corpus.words, tiny_corpus.counts, strict=True)
        )
        == cost
    )
    counts = dict(zip(tiny_corpus.words, tiny_corpus.counts.tolist(), strict=True))
    assert found.bits == pytest.approx(-math.log2(counts["w11"] / tiny_corpus.tokens))
    for depth, branch in enumerate(found.branches):
        below = {
            word: n for word, n in counts.items() if codes[word].startswith(found.code[:depth])
        }
        branch_words = {
            word: n for word, n in below.items() if codes[word].startswith(found.code[: depth + 1])
        }
        assert branch.tokens == sum(below.values())
        assert branch.share == pytest.approx(sum(branch_words.values()) / sum(below.values()))
        others = {word: n for word, n in below.items() if word not in branch_words}
        assert counts[branch.other] == max(others.values())
    assert inspect_word(tiny_corpus, model(tiny_corpus), "w11").path is None


def test_ngrams_and_words_that_were_never_seen(tiny_corpus: Corpus) -> None:
    embeddings = train(
        tiny_corpus, "fasttext", dim=8, epochs=1, min_count=1, buckets=500, threads=1
    )
    found = inspect_word(tiny_corpus, embeddings, "w11")
    assert found.ngrams[0].text == "w11"
    total = sum((part.vector for part in found.ngrams), np.zeros(8))
    assert np.allclose(total, np.asarray(embeddings.vectors)[embeddings.row("w11")], atol=1e-5)
    unseen = inspect_word(tiny_corpus, embeddings, "w111")
    assert (unseen.text, unseen.model, unseen.problem) == (
        None,
        None,
        "“w111” isn’t in the vocabulary of this model.",
    )
    assert unseen.ngrams
    with pytest.raises(UnknownWord, match="“zebra”"):
        inspect_word(tiny_corpus, model(tiny_corpus), "zebra")
    assert inspect_word(tiny_corpus, None, "w11").model is None
