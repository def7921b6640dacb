"""Skip-gram and CBOW with hierarchical softmax (Morin & Bengio 2005; Mikolov et al. 2013b, 2.1).

A Huffman tree over the corpus frequencies has a vector u_j at every inner node. With the hidden
vector h, a word is reached by its decisions from the root down:

    −log P(w | h) = Σ_j −log σ(±u_j·h),   + for branch 0, − for branch 1   (M13b, equation 3)

The probabilities of all words sum to 1, without negative samples or a sum over the vocabulary.
Skip-gram takes each word of the window as h, as word2vec.c does, so that the window shares the
centre's path and is one product of m rows with its nodes; CBOW takes their mean.

Inner nodes are numbered by increasing weight, so numbers decrease along a path and the most visited
nodes are the last. A result contains the vectors u_j in ``state["nodes"]``, float32[V − 1, d],
row j for node j of ``huffman_tree(counts)``, which follows from the counts alone: the root is the
last row.
"""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Ints, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.machine.threads import usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.huffman import NODES, HuffmanTree, huffman_tree
from workbench.models.base import Estimate
from workbench.models.checkpointing import WORDS, ResumeState
from workbench.models.kernels.gather_scatter import add_to_rows, gather_rows, sum_rows
from workbench.models.kernels.gemm import (
    LANES,
    TILE_COLUMNS,
    TILE_ROWS,
    aligned_rows,
    dot_one,
    dot_rows,
    own_zeros,
    padded_dim,
    prefetch_item,
    prefetch_row,
    score_columns,
)
from workbench.models.kernels.outer_updates import (
    add_chosen_products,
    add_products,
    sum_chosen_rows,
)
from workbench.models.kernels.sigmoid_loss import logistic_columns
from workbench.models.predict.cbow_base import WindowParams, window_scales
from workbench.models.predict.negative_sampling import WordParams, estimate_start
from workbench.models.predict.stream_trainer import (
    StreamParams,
    WindowChunk,
    draw_radius,
    initial_weights,
    next_token,
    next_windows,
    rate_at,
    window_words,
)
from workbench.models.predict.window_trainer import WindowModel, WindowTrainer, windows_per_call
from workbench.models.start_from_counts import COUNTS, start_tables
from workbench.vectors.embeddings import Embeddings

# Every path leads through the nodes near the root. Two threads that write them at the same time
# evict them from each other's caches, so each thread has its own copies of this many nodes, in rows
# of U after the nodes, and adds its changes to the nodes after this many windows.
_NEAR = 64
_MERGE = 1024


class TreeScratch(NamedTuple):
    """One thread's working memory.

    inputs : int32[2L], words in the window; X : row 0 the hidden vector, row 1 its step; Y : rows
    of the path; Z : scores, then coefficients; sign : float32[columns of Z], −1 for branch 0, +1
    for branch 1, 0 after the path; scales : see window_scales; path : int32[longest], rows of U;
    copies : the first row of U with this thread's copies of the last nodes; then : float32[copies,
    d], those nodes at the time of copying
    """

    inputs: npt.NDArray[np.int32]
    X: Singles
    Y: Singles
    Z: Singles
    sign: Singles
    scales: Singles
    path: npt.NDArray[np.int32]
    copies: int
    then: Singles


def make_scratch(
    params: StreamParams, tree: HuffmanTree, near: int = 0, worker: int = 0
) -> TreeScratch:
    """Working memory of a thread. ``near`` : number of nodes to copy, 0 for a single thread. The
    copies of workers 0, 1, … follow one another in U after one row per word.
    """
    near = min(near, tree.inner)
    longest = max(int(tree.lengths.max()), 1)
    columns = score_columns(longest)
    return TreeScratch(
        own_zeros(2 * params.window, np.int32),
        aligned_rows(2, params.dim),
        aligned_rows(-(-longest // TILE_COLUMNS) * TILE_COLUMNS, params.dim),
        aligned_rows(max(2 * params.window, TILE_ROWS), columns),
        own_zeros(columns, np.float32),
        window_scales(
            params if isinstance(params, WindowParams) else WindowParams(window=params.window)
        ),
        own_zeros(longest, np.int32),
        tree.words + worker * near,
        aligned_rows(near, params.dim),
    )


# Arrays are passed one by one: taking them out of a tuple in the loop would count a reference each
# time, and threads that share an array would wait for one another.


@kernel(inline=True)
def write_path(
    nodes: npt.NDArray[np.int32],
    first: int,
    n: int,
    far: int,
    shift: int,
    path: npt.NDArray[np.int32],
) -> None:
    """Write the rows of U for ``n`` nodes; for nodes from ``far`` on, their copies ``shift`` rows
    further.
    """
    for j in range(n):
        node = nodes[first + j]
        path[j] = node + shift if node >= far else node


@kernel(inline=True)
def write_branches(codes: npt.NDArray[np.int8], first: int, n: int, sign: Singles) -> None:
    """Write the signs of ``n`` branches, with zeros up to the end of the cache line."""
    for j in range(n):
        sign[j] = 2 * codes[first + j] - 1
    for j in range(n, -(-n // LANES) * LANES):
        sign[j] = 0.0


@kernel(inline=True)
def prefetch_path(
    offsets: npt.NDArray[np.int64], nodes: npt.NDArray[np.int32], word: int, U: Singles, far: int
) -> None:
    """Prefetch the nodes of a path with numbers below ``far``."""
    for step in range(offsets[word], offsets[word + 1]):
        if nodes[step] < far:
            prefetch_row(U, nodes[step])


@kernel
def copy_near(U: Singles, far: int, copies: int, then: Singles) -> None:
    """Copy the nodes that every path leads through."""
    for h in range(len(then)):
        for t in range(U.shape[1]):
            U[copies + h, t] = then[h, t] = U[far + h, t]


@kernel
def merge_near(U: Singles, far: int, copies: int, then: Singles) -> None:
    """Add the changes of the copies to the nodes, and copy the nodes again."""
    for h in range(len(then)):
        for t in range(U.shape[1]):
            U[far + h, t] += U[copies + h, t] - then[h, t]
    copy_near(U, far, copies, then)


@kernel
def train_chunk(
    cbow: bool,
    chunk: WindowChunk,
    tree: HuffmanTree,
    W: Singles,
    U: Singles,
    scratch: TreeScratch,
) -> None:
    """Make one step for each window of the chunk; the terms of the loss are pairs, or centres with
    ``cbow``.
    """
    stream, windows = chunk.stream, chunk.windows
    pieces, cursor, state, totals = chunk.pieces, chunk.cursor, chunk.state, chunk.totals
    words = pieces.words
    begin = next_token(cursor)
    offsets, nodes, codes = tree
    inputs, X, Y, Z, sign, scales, path, copies, then = scratch
    far = len(offsets) - 2 - len(then)
    copy_near(U, far, copies, then)
    merged = windows
    while windows > 0:
        last = next_windows(chunk, windows)
        if last < 0:
            break
        windows -= last - cursor[2]
        length, now = cursor[3], rate_at(chunk, begin)
        if merged - windows > _MERGE:
            merge_near(U, far, copies, then)
            merged = windows
        for i in range(cursor[2], last):
            m = window_words(pieces, i, draw_radius(state, stream.reach), inputs)
            if i + 3 < length:
                prefetch_item(offsets, words[i + 3])
                first = offsets[words[i + 2]]
                prefetch_item(nodes, first)
                prefetch_item(codes, first)
            if i + 1 < length:
                prefetch_path(offsets, nodes, words[i + 1], U, far)
                if i + 1 + len(stream.reach) < length:
                    prefetch_row(W, words[i + 1 + len(stream.reach)])
            if m:
                start = offsets[words[i]]
                n = offsets[words[i] + 1] - start
                write_path(nodes, start, n, far, copies - far, path)
                write_branches(codes, start, n, sign)
                if cbow:
                    sum_rows(X, 0, W, inputs, 0, m, scales[m, 1])
                    dot_one(X, 0, U, path, n, Z)
                    totals[0] += logistic_columns(Z, 0, 1, n, sign, now)
                    totals[1] += 1
                    sum_chosen_rows(X, 1, U, path, n, Z)
                    add_to_rows(U, path, 0, n, X, 0, Z, 0, 1)
                    add_to_rows(W, inputs, 0, m, X, 1, scales, m, 0)
                else:
                    gather_rows(Y, U, path, n)
                    dot_rows(W, inputs, m, Y, n, Z)
                    totals[0] += logistic_columns(Z, 0, m, n, sign, now)
                    totals[1] += m
                    add_chosen_products(U, path, n, W, inputs, m, Z)
                    add_products(W, inputs, m, Y, n, Z)
        cursor[2] = last
    merge_near(U, far, copies, then)


def node_weights(size: int, dim: int, seed: int, copies: int = 0) -> tuple[Singles, Singles]:
    """W as in ``initial_weights``, and U = 0 with ``size`` rows and ``copies`` more for copies of
    nodes.
    """
    W, U = initial_weights(size, dim, seed)
    return W, aligned_rows(size + copies, dim) if copies else U


def node_start(tree: HuffmanTree, weights: Ints, contexts: Singles) -> Singles:
    """Vectors of the inner nodes from those of the words below, float32[V − 1, d].

    A node decides between its branches as if each were one word, the mean of its words weighted by
    their frequencies: u·w is the difference of their products with w.

    weights : int64[V]; contexts : float32[V, d]
    """
    words = np.repeat(np.arange(tree.words), tree.lengths)
    branch = tree.codes.astype(np.intp)
    weight = weights[words].astype(np.float64)
    total = np.zeros((2, tree.inner))
    np.add.at(total, (branch, tree.nodes), weight)
    share = (weight / total[branch, tree.nodes] * (1 - 2 * branch)).astype(np.float32)
    means = sp.csr_matrix((share, (tree.nodes, words)), shape=(tree.inner, tree.words))
    return np.asarray(means @ contexts)


class Hierarchical(WindowModel):
    """Base of both models: everything but the input side.

    ``speed`` is the measured number of multiply-adds per second of one thread.
    """

    cbow: ClassVar[bool]
    speed: ClassVar[float]

    def estimate(self, corpus: Corpus) -> Estimate:
        vocabulary = corpus.vocabulary(self.params.min_count, self.params.max_vocab)
        path = _mean_path(vocabulary)
        more_bytes = len(vocabulary) * (8 + 5 * path)
        estimate = self.window_estimate(vocabulary, self.work(path), self.speed, more_bytes)
        if self.start is not None:
            return estimate
        return estimate_start(corpus, vocabulary, _word_params(self.params), estimate)

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> TreeTrainer:
        return TreeTrainer(vocabulary, self, start)

    def work(self, path: float) -> float:
        """Multiply-adds of a window: input rows and output rows, each loaded, multiplied and
        changed.
        """
        words, path = 2 * self.params.window, max(path, 1.0)
        products = words + 3 * path if self.cbow else 3 * words * path
        return products * padded_dim(self.params.dim)


class TreeTrainer(WindowTrainer[TreeScratch]):
    """W, and the vectors U of the inner nodes, followed by rows for the threads' copies."""

    def __init__(self, vocabulary: Vocabulary, model: Hierarchical, start: ResumeState) -> None:
        params = model.params
        super().__init__(vocabulary, params, start)
        size, threads = len(vocabulary), usable_threads(params.threads)
        self._model, self._dim = model, params.dim
        self._near = _NEAR if threads > 1 else 0
        self.W, self.U = node_weights(size, params.dim, params.seed, threads * self._near)
        self.W *= np.float32(params.init_scale)
        self._nodes = self.U[: size - 1, : params.dim]
        self.restore({WORDS: self.W[:, : params.dim], NODES: self._nodes})
        self.tree = huffman_tree(vocabulary.counts)
        self.first_loss = math.log(2) * _mean_path(vocabulary)

    def set_start(self, corpus: Corpus, run: JobControl) -> None:
        params = _word_params(self.params)
        if params.start == COUNTS and self.tree.inner:
            contexts = np.zeros_like(self.W)
            start_tables(corpus, self.vocabulary, params, (self.W, contexts), run)
            self._nodes[:] = node_start(self.tree, self.vocabulary.counts, contexts[:, : self._dim])

    @property
    def windows(self) -> int:
        work = self._model.work(float(self.tree.lengths.mean()))
        return windows_per_call(self._model.speed, work)

    def make_scratch(self, worker: int) -> TreeScratch:
        return make_scratch(self.params, self.tree, self._near, worker)

    def train_chunk(self, chunk: WindowChunk, scratch: TreeScratch) -> None:
        train_chunk(self._model.cbow, chunk, self.tree, self.W, self.U, scratch)

    def result(self) -> Embeddings:
        return Embeddings(
            words=self.vocabulary.words,
            vectors=self.W[:, : self._dim].copy(),
            counts=self.vocabulary.counts,
            state={NODES: self._nodes.copy()},
        )


def _word_params(params: StreamParams) -> WordParams:
    """The settings of a start from counts; negative samples have their defaults."""
    known = {spec.name for spec in WordParams.specs()}
    values = {name: value for name, value in params.to_dict().items() if name in known}
    return WordParams.from_mapping(values)


def _mean_path(vocabulary: Vocabulary) -> float:
    """The entropy of the frequencies in bits: the mean length of a Huffman path, to within one."""
    share = vocabulary.counts / vocabulary.tokens
    return float(-(share * np.log2(share)).sum()) + 0.5
