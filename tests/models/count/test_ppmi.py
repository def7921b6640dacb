"""PPMI: rows of the association matrix, and the use of sparse rows in other parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus, markov_corpus
from reference.naive_association import naive_association
from reference.naive_counts import naive_counts

from workbench.analysis.analogy import solver
from workbench.analysis.neighbours import nearest
from workbench.analysis.projection.principal_axes import pca
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.count.ppmi import PPMI, PPMIParams
from workbench.models.count.svd import SVD, SVDParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(6000, words=60, sentence=30)


@pytest.fixture(scope="module")
def rows(corpus: Corpus) -> Embeddings:
    return fit(corpus)


def fit(corpus: Corpus, **values: object) -> Embeddings:
    return PPMI(PPMIParams.from_mapping({"min_count": 1, **values})).fit(corpus, JobControl())


def as_dense(embeddings: Embeddings) -> Embeddings:
    assert isinstance(embeddings.vectors, sp.csr_matrix)
    return Embeddings(embeddings.words, embeddings.vectors.toarray(), embeddings.counts)


@pytest.mark.parametrize(
    ("shift", "alpha", "window", "weighting"), [(1.0, 0.75, 5, "dynamic"), (3.0, 1.0, 2, "fixed")]
)
def test_rows_are_those_of_the_matrix(
    corpus: Corpus, shift: float, alpha: float, window: int, weighting: str
) -> None:
    ends = corpus.sentences
    sentences = [corpus.ids[ends[i] : ends[i + 1]].tolist() for i in range(len(ends) - 1)]
    counts = np.zeros((corpus.types, corpus.types))
    for cell, count in naive_counts(sentences, corpus.types, window, weighting).items():
        counts[cell] = count
    embeddings = fit(
        corpus, shift=shift, context_smoothing=alpha, window=window, window_weighting=weighting
    )
    assert isinstance(embeddings.vectors, sp.csr_matrix)
    assert embeddings.vectors.dtype == np.float32
    assert embeddings.vectors.has_canonical_format
    assert (embeddings.vectors.data > 0).all()
    assert embeddings.vectors.nnz == embeddings.metadata["cells"]
    np.testing.assert_allclose(
        embeddings.vectors.toarray(),
        naive_association(counts, "sppmi", shift, alpha),
        rtol=1e-5,
        atol=1e-7,
    )


def test_its_rows_are_what_the_svd_approximates(corpus: Corpus, rows: Embeddings) -> None:
    whole = SVD(SVDParams(dim=60, min_count=1)).fit(corpus, JobControl())
    assert isinstance(whole.vectors, np.ndarray)
    assert whole.contexts is not None
    np.testing.assert_allclose(rows.vectors.toarray(), whole.vectors @ whole.contexts.T, atol=1e-4)


def test_subsampling_changes_the_counts(corpus: Corpus, rows: Embeddings) -> None:
    thinned_rows = fit(corpus, sample=1e-3)
    assert abs(thinned_rows.vectors - rows.vectors).max() > 0.01


def test_npz_keeps_the_rows_and_dense_formats_name_the_svd(
    rows: Embeddings, tmp_path: Path
) -> None:
    save_vectors(rows, tmp_path / "rows.npz")
    embeddings = load_vectors(tmp_path / "rows.npz")
    assert embeddings.sparse
    assert abs(embeddings.vectors - rows.vectors).max() == 0
    with pytest.raises(UserError, match=r"sparse.*svd"):
        save_vectors(rows, tmp_path / "rows.vec")


def test_neighbours_analogies_and_the_map_are_those_of_the_dense_rows(rows: Embeddings) -> None:
    dense = as_dense(rows)
    for near, wanted in zip(
        nearest.nearest(rows, "w07", 5), nearest.nearest(dense, "w07", 5), strict=True
    ):
        assert near.word == wanted.word
        assert near.cosine == pytest.approx(wanted.cosine, abs=1e-5)
    for method in solver.METHODS:
        ours, theirs = (
            solver.solve(embeddings, "w01", "w02", "w03", method, 5) for embeddings in (rows, dense)
        )
        assert [answer.word for answer in ours] == [answer.word for answer in theirs]
    np.testing.assert_allclose(pca(rows.vectors), pca(dense.vectors), atol=1e-3)


def test_no_pair_above_chance() -> None:
    with pytest.raises(UserError, match="chance"):
        fit(make_corpus([["a", "a", "a"]]))
