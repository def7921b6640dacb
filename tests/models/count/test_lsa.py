"""LSA: its term-document matrix cell by cell, and its SVD compared with scikit-learn and LAPACK."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, SourceFile
from workbench.corpus.loader import open_corpus
from workbench.models.count.lsa import LSA, LSAParams, document_counts, document_edges, weight_cells
from workbench.models.count.truncated_svd import truncated_svd
from workbench.vectors.embeddings import Embeddings


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(6000, words=50, sentence=25)


def fit(corpus: Corpus, **values: object) -> Embeddings:
    return LSA(LSAParams.from_mapping({"min_count": 1, **values})).fit(corpus, JobControl())


def written_down(corpus: Corpus, edges: list[int], weighting: str) -> np.ndarray:
    """The weighted table [words, documents], computed cell by cell."""
    documents = [[corpus.words[word] for word in corpus.ids[a:b]] for a, b in pairwise(edges)]
    table = np.zeros((corpus.types, len(documents)))
    for row, word in enumerate(corpus.words):
        times = [document.count(word) for document in documents]
        holding = sum(1 for count in times if count)
        entropy = sum(count / sum(times) * math.log(count / sum(times)) for count in times if count)
        for column, count in enumerate(times):
            table[row, column] = {
                "raw": count,
                "tf-idf": count * math.log(len(documents) / holding),
                "log-entropy": math.log(1 + count) * (1 + entropy / math.log(len(documents))),
            }[weighting]
    return table


@pytest.mark.parametrize("weighting", ["raw", "tf-idf", "log-entropy"])
def test_the_matrix_equals_the_definition(corpus: Corpus, weighting: str) -> None:
    edges = document_edges(corpus, "sentences", 100)
    np.testing.assert_array_equal(edges, corpus.sentences)
    matrix = document_counts(corpus, corpus.types, edges, JobControl())
    weight_cells(matrix, weighting, JobControl())
    np.testing.assert_allclose(
        matrix.toarray().T, written_down(corpus, edges.tolist(), weighting), atol=1e-12
    )
    fewer = document_counts(corpus, 7, edges, JobControl())
    assert fewer.shape == (len(edges) - 1, 7)
    assert fewer.sum() == corpus.counts[:7].sum()


@pytest.mark.parametrize("length", [25, 300])  # more documents than words, and fewer
def test_vectors_are_those_of_the_dense_svd(corpus: Corpus, length: int) -> None:
    embeddings = fit(corpus, dim=6, documents="chunks", document_length=length)
    edges = [*range(0, corpus.tokens, length), corpus.tokens]
    U, s, _ = np.linalg.svd(written_down(corpus, edges, "log-entropy"), full_matrices=False)
    assert isinstance(embeddings.vectors, np.ndarray)
    np.testing.assert_allclose(embeddings.metadata["singular_values"], s[:6], rtol=1e-8)
    sign = np.sign(np.sum(embeddings.vectors * U[:, :6], axis=0))
    np.testing.assert_allclose(embeddings.vectors * sign, U[:, :6] * s[:6], atol=1e-4)
    assert embeddings.metadata["documents"] == len(edges) - 1


@pytest.mark.parametrize("shape", [(3000, 900), (900, 3000)])
def test_it_finds_what_scikit_learn_finds(shape: tuple[int, int]) -> None:
    """A matrix too large for LAPACK, so that block Lanczos iteration is used."""
    from scipy.sparse import csr_array
    from sklearn.decomposition import TruncatedSVD

    random = np.random.default_rng(3)
    matrix = csr_array(random.random(shape) ** 4 * (random.random(shape) < 0.02))
    theirs = TruncatedSVD(8, algorithm="arpack", random_state=1).fit(matrix.T)
    ours = truncated_svd(matrix, 8, want_left=True, threads=1)
    np.testing.assert_allclose(ours.values, theirs.singular_values_, rtol=1e-7)
    sign = np.sign(np.sum(ours.left * theirs.components_.T, axis=0))
    np.testing.assert_allclose(ours.left * sign, theirs.components_.T, atol=1e-4)
    one_sided = truncated_svd(matrix, 8, want_left=False, threads=1)
    assert one_sided.left.shape == (0, 8)
    sign = np.sign(np.sum(one_sided.right * ours.right, axis=0))
    np.testing.assert_allclose(one_sided.right * sign, ours.right, atol=1e-6)
    largest = np.abs(one_sided.right).argmax(axis=0)
    assert (one_sided.right[largest, np.arange(8)] > 0).all()


def test_kinds_of_documents() -> None:
    corpus = make_corpus([["a"] * 7, ["b"] * 2, ["a"] * 4])
    assert document_edges(corpus, "sentences", 3).tolist() == [0, 3, 6, 7, 9, 12, 13]
    assert document_edges(corpus, "chunks", 5).tolist() == [0, 5, 10, 13]
    files = replace(corpus, files=(SourceFile("x", 1, "UTF-8", 7), SourceFile("y", 1, "UTF-8", 6)))
    assert document_edges(files, "files", 5).tolist() == [0, 7, 13]
    assert document_edges(files, "chunks", 5).tolist() == [0, 5, 7, 12, 13]
    with pytest.raises(UserError, match="one file"):
        document_edges(corpus, "files", 5)
    with pytest.raises(UserError, match="one chunk"):
        document_edges(corpus, "chunks", 50)


def test_files_are_known_from_reading(tmp_path: Path, home: Path) -> None:
    for name, text in (("one", "a b c\na"), ("two", "d e"), ("three", "a b d f")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    paths = [tmp_path / f"{name}.txt" for name in ("one", "two", "three")]
    for _ in range(2):  # read first, then found in the cache
        corpus = open_corpus(paths)
        assert [file.tokens for file in corpus.files] == [4, 2, 4]
        assert document_edges(corpus, "files", 100).tolist() == [0, 4, 6, 10]
    assert fit(corpus, documents="files", dim=2).vectors.shape == (6, 2)


def test_words_evenly_spread_weigh_nothing() -> None:
    corpus = make_corpus([["a", "b"], ["b", "a"]])
    for weighting in ("tf-idf", "log-entropy"):
        with pytest.raises(UserError, match="has weight 0"):
            fit(corpus, weighting=weighting)
    assert fit(corpus, weighting="raw").vectors.shape == (2, 1)


def test_more_dimensions_than_there_are(corpus: Corpus) -> None:
    estimate = LSA(LSAParams(dim=80, min_count=1)).estimate(corpus)
    assert "50 dimensions" in estimate.warning
    assert fit(corpus, dim=80).vectors.shape == (50, 50)
