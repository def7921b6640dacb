"""Latent semantic analysis: truncated SVD of a term-document matrix (Deerwester et al. 1990).

With tf_id the occurrences of word i in document d, N documents, df_i of which contain word i, and
p_id = tf_id / Σ_d tf_id, the cells are

    raw          tf
    tf-idf       tf · log(N / df)
    log-entropy  log(1 + tf) · (1 + Σ_d p log p / log N)       (Dumais 1991)

and the word vectors are U_d Σ_d: their products are those of the rows of the best approximation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.core.param_labels import quoted_param
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import split_edges
from workbench.models.base import NO_LOSS, Estimate, Model, Preset, RowObjective, TheoryTarget
from workbench.models.count.truncated_svd import truncated_svd, warm_products, work_bytes
from workbench.models.params import SharedParams, VectorParams
from workbench.vectors.embeddings import Embeddings

_TOKENS = 1 << 19  # tokens counted at a time
_CELLS = 1 << 20  # cells weighted at a time
# Measured seconds of a thread: to count a token, and to multiply a cell with a vector.
_PER_TOKEN = 1e-7
_PER_PRODUCT = 4e-10


@dataclass(frozen=True)
class LSAParams(VectorParams):
    """Hyperparameters of LSA."""

    dim: int = redeclare(
        SharedParams,
        "dim",
        source="Deerwester et al. 1990: 100 factors",
        doc=(
            "Number of dimensions of each vector: the number of singular values to keep, at "
            "most the rank of the matrix."
        ),
        grows=(
            "closer approximation of the matrix, including its sampling error; more memory, slower"
        ),
    )
    documents: str = param(
        "sentences",
        "Unit that counts as a document: a sentence (line or paragraph, as the corpus was "
        "read), a file, or a chunk of document_length words that may cross sentences but "
        "not files.",
        label="Documents",
        choices=("sentences", "files", "chunks"),
        source=(
            "Deerwester et al. 1990: titles and abstracts, which are lines or paragraphs of a "
            "corpus"
        ),
        basic=True,
    )
    document_length: int = param(
        100,
        "Length of a chunk. Longer sentences are split into documents of this length.",
        label="Document length",
        low=2,
        high=1_000_000,
        unit="words",
        grows="fewer, longer documents: more topical similarity",
        source="about the length of the abstracts in Deerwester et al. 1990",
        basic=True,
    )
    weighting: str = param(
        "log-entropy",
        "Weight of a word in a document. raw: its frequency; tf-idf: frequency times the "
        "log of the inverse document frequency; log-entropy: log frequency, reduced for "
        "words spread evenly over documents.",
        label="Weighting",
        choices=("raw", "tf-idf", "log-entropy"),
        source="Dumais 1991, Improving the Retrieval of Information from External Sources: "
        "log-entropy works best",
        basic=True,
    )
    threads: int = redeclare(
        SharedParams,
        "threads",
        doc="Number of threads for multiplication. 0 = one per core, at most 8.",
    )
    seed: int = redeclare(
        SharedParams,
        "seed",
        doc="Random seed of the SVD iteration. Has almost no effect on the result.",
    )


class LSA(Model):
    key = "lsa"
    title = tr("LSA, latent semantic analysis")
    short = "LSA"
    family = "count"
    summary = tr(
        "Counts words in documents and keeps the d largest singular vectors: words of "
        "similar documents are near each other."
    )
    citation = (
        "Deerwester, Dumais, Furnas, Landauer & Harshman 1990, Indexing by Latent Semantic "
        "Analysis "
        "(Journal of the American Society for Information Science 41)"
    )
    order = 30
    params_type = LSAParams
    theory_target = TheoryTarget(
        missing=tr("LSA factorises words against documents, not words against words.")
    )
    loss_floor = NO_LOSS
    row_objective = RowObjective("documents")
    presets = (
        Preset(
            "Deerwester et al.",
            {"weighting": "raw"},
            tr("Deerwester et al. 1990: raw frequencies, 100 factors"),
        ),
        Preset(
            "Landauer & Dumais",
            {"dim": 300, "weighting": "log-entropy", "document_length": 150},
            tr(
                "Landauer & Dumais 1997: about 300 dimensions, log-entropy, passages of about 150 "
                "words"
            ),
        ),
        Preset(
            "classroom",
            {"dim": 300, "min_count": 1},
            tr("Chosen for Small World: takes seconds, and analogies work"),
            tr("classroom"),
        ),
    )
    params: LSAParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size = len(vocabulary)
        documents = len(document_edges(corpus, params.documents, params.document_length)) - 1
        # There are at most as many cells as tokens; the matrix and its transpose are in memory
        # together.
        cells = vocabulary.tokens
        short = min(size, documents)
        dim = min(params.dim, short)
        memory = 48 * cells + work_bytes(short, dim) + 24 * size * dim + 16 * documents
        steps = 7 * dim
        seconds = corpus.tokens * _PER_TOKEN
        seconds += (
            2 * cells * steps * _PER_PRODUCT + 4 * short * steps**2 / 1.5e10
        ) / usable_threads(params.threads)
        warning = ""
        if params.dim > short:
            warning = tr(
                "The vectors will have at most {short:,} dimensions, because the corpus "
                "has {documents:,} documents and {size:,} words.",
                short=short,
                documents=documents,
                size=size,
            )
        return Estimate(size, vocabulary.tokens, memory, seconds, warning)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the multiplication kernel"))
        self.warm()
        run.enter(Phase.COUNTING, tr("Counting words in documents"))
        edges = document_edges(corpus, params.documents, params.document_length)
        matrix = document_counts(corpus, len(vocabulary), edges, run)
        weight_cells(matrix, params.weighting, run)
        if matrix.nnz == 0:
            raise UserError(
                tr(
                    "With {weighting}, every word of the {number:,} documents has weight 0.",
                    weighting=params.weighting,
                    number=len(edges) - 1,
                ),
                tr("Choose shorter documents or raw weights."),
            )
        run.enter(Phase.TRAINING, tr("Finding the largest singular values"))
        vectors: npt.NDArray[np.float64]
        if matrix.shape[0] < matrix.shape[1]:
            found = truncated_svd(
                matrix.T.tocsr(), params.dim, seed=params.seed, threads=params.threads, run=run
            )
            vectors = found.left * found.values
        else:
            found = truncated_svd(
                matrix,
                params.dim,
                seed=params.seed,
                threads=params.threads,
                run=run,
                want_left=False,
            )
            vectors = found.right * found.values
        return Embeddings(
            words=vocabulary.words,
            vectors=vectors.astype(np.float32),
            counts=vocabulary.counts,
            metadata={
                "documents": len(edges) - 1,
                "singular_values": found.values.tolist(),
                "cells": int(matrix.nnz),
                "residual": found.residual,
            },
        )

    @classmethod
    def warm(cls) -> None:
        warm_products()


def document_edges(corpus: Corpus, documents: str, length: int) -> npt.NDArray[np.int64]:
    """int64[N + 1], increasing: the start of each document in the corpus, and the end of the last.

    documents : "sentences" (cut after ``length`` tokens), "files", or "chunks" of ``length`` tokens
    that don't cross ends of files. Raises UserError if the corpus is a single document.
    """
    if documents == "sentences":
        edges = split_edges(np.asarray(corpus.sentences, dtype=np.int64), length)
    else:
        known = corpus.file_edges
        files = np.array([0, corpus.tokens]) if known is None else np.unique(known)
        edges = files if documents == "files" else split_edges(files, length)
    if len(edges) < 3:
        said = {
            "sentences": tr(
                "{name} is one sentence, so it contains only one document.", name=corpus.name
            ),
            "files": tr("{name} is one file, so it contains only one document.", name=corpus.name),
            "chunks": tr(
                "{name} is one chunk, so it contains only one document.", name=corpus.name
            ),
        }
        if documents == "chunks":
            hint = tr("Lower {document_length}.", document_length=quoted_param("document_length"))
        else:
            hint = tr("Choose chunks as documents.")
        raise UserError(said[documents], hint)
    return edges


def document_counts(
    corpus: Corpus, size: int, edges: npt.NDArray[np.int64], run: JobControl
) -> sp.csr_matrix:
    """Counts of the first ``size`` words in each document: CSR float64[N, V], canonical."""
    parts = [
        _count_documents(
            np.asarray(corpus.ids[edges[first] : edges[last]]), size, edges[first : last + 1]
        )
        for first, last in _document_ranges(edges, run)
    ]
    return sp.csr_matrix(sp.vstack(parts, format="csr"))


def _document_ranges(edges: npt.NDArray[np.int64], run: JobControl) -> Iterator[tuple[int, int]]:
    """Ranges of documents with about 2¹⁹ tokens, or with one longer document."""
    first, documents = 0, len(edges) - 1
    while first < documents:
        run.check()
        run.advance(int(edges[first]) / max(int(edges[-1]), 1))
        last = int(np.searchsorted(edges, edges[first] + _TOKENS, side="right")) - 1
        last = min(max(last, first + 1), documents)
        yield first, last
        first = last


def _count_documents(
    ids: npt.NDArray[np.int32], size: int, edges: npt.NDArray[np.int64]
) -> sp.csr_matrix:
    kept = ids < size
    before = np.concatenate(([0], np.cumsum(kept)))
    words = ids[kept]
    counted = sp.csr_matrix(
        (np.ones(len(words)), words, before[edges - edges[0]]), shape=(len(edges) - 1, size)
    )
    counted.sum_duplicates()
    return counted


def weight_cells(matrix: sp.csr_matrix, weighting: str, run: JobControl) -> Doubles:
    """Turn the counts of documents CSR float64[N, V] into weights, in place; remove cells that
    become 0. Returns the global weight of each word, float64[V].
    """
    word = word_weights(matrix, weighting, run)
    if weighting == "raw":
        return word
    columns, counts = matrix.indices, matrix.data
    for part in _cell_slices(matrix.nnz, run):
        counts[part] = local_weights(counts[part], weighting) * word[columns[part]]
    matrix.eliminate_zeros()
    return word


def local_weights(counts: Doubles, weighting: str) -> Doubles:
    """float64[n], the weights of counts within a document."""
    return np.log1p(counts) if weighting == "log-entropy" else counts


def word_weights(matrix: sp.csr_matrix, weighting: str, run: JobControl) -> Doubles:
    """float64[V], the global weight of each word.

    matrix : counts of words in documents, CSR float64[N, V]
    """
    documents, size = matrix.shape
    columns, counts = matrix.indices, matrix.data
    if weighting == "raw":
        return np.ones(size)
    if weighting == "tf-idf":
        return np.log(documents / np.maximum(np.bincount(columns, minlength=size), 1))
    total = np.maximum(np.bincount(columns, weights=counts, minlength=size), 1.0)
    spread = np.zeros(size)
    for part in _cell_slices(matrix.nnz, run):
        share = counts[part] / total[columns[part]]
        spread += np.bincount(columns[part], weights=share * np.log(share), minlength=size)
    word: Doubles = 1 + spread / np.log(documents)
    # A word spread evenly over all documents carries no information, up to rounding.
    word[word < 1e-12] = 0.0
    return word


def _cell_slices(cells: int, run: JobControl) -> Iterator[slice]:
    for first in range(0, cells, _CELLS):
        run.check()
        yield slice(first, first + _CELLS)
