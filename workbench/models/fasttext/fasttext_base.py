"""fastText: word vectors composed of the vectors of character n-grams (Bojanowski et al. 2017).

The hidden vector is the mean of input rows, as in the published program (the paper writes a sum):

    h = 1/|G| Σ_{g ∈ G} z_g

where G contains, for skip-gram, the centre word's own row and those of its n-grams, and for CBOW
all of these for every word of the window. With outputs c the objective is that of negative
sampling,

    −log σ(h·c) − Σ_{i=1..k} log σ(−h·c_i),   c_i ~ P_n

for every context c of the window (skip-gram) or for the centre (CBOW). Every row of G receives the
full gradient of h, not 1/|G| of it.

The hidden vector of a centre is used for its whole window, so that its rows are read and written
once. In skip-gram, eight centres share the negative samples of six contexts, 6k words, each with
the weight m/6 for a centre with m contexts, so that the expectation of every gradient is the same
as with negative samples for each context, as in word2vec. Fewer samples per centre cost accuracy,
because an n-gram's row receives the samples of all its words: after three epochs on 14 million
tokens, accuracy on analogies was 53.6 % with the samples of two contexts, 64.2 % with four, 65.4 %
with six and 65.3 % with ten (one seed each). Sharing them among more centres costs none.

Only buckets that some word of the vocabulary uses have rows, and rows that belong to the same words
are trained as one (:mod:`workbench.counts.subword_rows`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.core.param_labels import param_name, quoted_param
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import keep_probabilities
from workbench.counts.subword_rows import Merging
from workbench.counts.subwords import SubwordTable, ngrams, subword_table
from workbench.models.base import Estimate
from workbench.models.checkpointing import CONTEXTS, ResumeState
from workbench.models.fasttext.kernel_steps import compose
from workbench.models.kernels.gemm import aligned_rows, padded_dim
from workbench.models.params import VectorParams
from workbench.models.predict.negative_sampling import NoiseParams, guessing_loss, noise_table
from workbench.models.predict.stream_trainer import kept_tokens, mean_radius
from workbench.models.predict.window_trainer import Scratch, WindowModel, WindowTrainer
from workbench.vectors.embeddings import Embeddings

# Measured rows of 100 floats that one thread reads, changes and writes per second, for the
# estimate.
_ROWS_A_SECOND = 25e6
# Measured bytes for each row of each word: while the table of rows is made and merged, and
# afterwards.
_MAKING, _KEEPING = 52, 14
# Number of words whose n-grams are sampled for the estimate.
_SAMPLE = 1000
# Rows that are made or restored at a time.
_PART = 4096


@dataclass(frozen=True)
class FastTextParams(VectorParams, NoiseParams):
    """Hyperparameters of skip-gram with n-grams."""

    learning_rate: float = redeclare(NoiseParams, "learning_rate", 0.05, "fastText -lr 0.05")
    sample: float = redeclare(NoiseParams, "sample", 1e-4, "fastText -t 1e-4")
    ns_exponent: float = redeclare(
        NoiseParams, "ns_exponent", 0.5, "fastText: square root of the counts"
    )
    min_n: int = param(
        3,
        "Minimum n-gram length in characters, including the word-boundary marks “<” and “>”.",
        label="Shortest n-gram",
        symbol="n₁",
        low=0,
        high=100,
        unit="characters",
        grows="fewer n-grams, faster; short suffixes are lost",
        source="fastText -minn 3",
        basic=True,
    )
    max_n: int = param(
        6,
        "Maximum n-gram length in characters. 0 = no n-grams.",
        label="Longest n-gram",
        symbol="n₂",
        low=0,
        high=100,
        unit="characters",
        grows="more n-grams, slower, more memory",
        source="fastText -maxn 6",
        basic=True,
    )
    buckets: int = param(
        2_000_000,
        "Number of hash buckets. N-grams in the same bucket share a vector.",
        label="Buckets",
        symbol="B",
        low=1,
        high=100_000_000,
        unit="buckets",
        grows="fewer n-grams share a vector; larger fastText files",
        source="fastText -bucket 2000000",
    )

    def conflicts(self) -> dict[str, str]:
        if 0 < self.max_n < self.min_n:
            return {
                "max_n": tr(
                    "{name} must be 0 or at least {other} ({min_n}), not {max_n}.",
                    name=param_name("max_n"),
                    other=quoted_param("min_n"),
                    min_n=self.min_n,
                    max_n=self.max_n,
                )
            }
        return super().conflicts()


class SubwordModel(WindowModel):
    """Base of fastText's two models: everything but the steps.

    bag : whether the window predicts its centre (CBOW) or the centre its window (skip-gram)
    shares : number of contexts of a centre for which negative samples are drawn
    """

    citation = (
        "Bojanowski, Grave, Joulin & Mikolov 2017, Enriching Word Vectors with Subword Information"
    )
    params_type = FastTextParams
    params: FastTextParams
    bag: ClassVar[bool]
    shares: ClassVar[int]

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size = len(vocabulary)
        kept = kept_tokens(vocabulary, params)
        used, rows, entries = _guess_rows(vocabulary, params)
        radius = mean_radius(params)
        moved = (
            2 * radius * rows + 1 if self.bag else rows + 2 * radius
        ) + self.shares * params.negative
        width = padded_dim(params.dim)
        return Estimate(
            vocabulary=size,
            kept_tokens=round(kept),
            memory_bytes=max(
                _MAKING * entries,
                4 * (2 * size + used) * (width + 2 * params.dim) + _KEEPING * entries,
            ),
            seconds=kept
            * params.epochs
            * moved
            * width
            / 112
            / (_ROWS_A_SECOND * usable_threads(params.threads)),
        )


class SubwordTrainer(WindowTrainer[Scratch]):
    """Merged rows W of words and n-grams, C, and the noise distribution.

    most_rows : maximum number of merged rows of a word
    """

    params: FastTextParams

    def __init__(self, vocabulary: Vocabulary, model: SubwordModel, start: ResumeState) -> None:
        params = model.params
        super().__init__(vocabulary, params, start)
        self._model = model
        self._table = subword_table(vocabulary.words, params.min_n, params.max_n, params.buckets)
        self._merging = Merging(self._table)
        self._initial = InitialRows(start, len(vocabulary), self._table, params)
        self.merged = self._merging.merged
        self.W = aligned_rows(len(self._merging), params.dim)
        self.C = aligned_rows(len(vocabulary), params.dim)
        self._merging.total(self._initial.parts(), self.W)
        self.restore({CONTEXTS: self.C[:, : params.dim]})
        self.noise = noise_table(vocabulary, params)
        lengths = np.diff(self.merged.offsets)
        self.most_rows, self._mean_rows = int(lengths.max()), float(lengths.mean())
        self.first_loss = guessing_loss(params)

    @property
    def windows(self) -> int:
        params, model = self.params, self._model
        words = 2 * params.window if model.bag else 1
        moved = words * self._mean_rows + 2 * params.window + model.shares * params.negative
        return max(16, int(_ROWS_A_SECOND * 0.03 * 112 / (moved * padded_dim(params.dim))))

    def snapshot(self) -> Embeddings:
        """The words' vectors without the rows that compose them, which are many times as many."""
        size, step, dim = len(self.vocabulary), 1024, self.params.dim
        vectors = np.empty((size, dim), dtype=np.float32)
        block = aligned_rows(step, dim)
        for start in range(0, size, step):
            count = min(step, size - start)
            compose(self.merged, self.W, start, block[:count])
            vectors[start : start + count] = block[:count, :dim]
        return Embeddings(
            words=self.vocabulary.words,
            vectors=vectors,
            counts=self.vocabulary.counts,
            contexts=self.C[:, :dim].copy(),
        )

    def result(self) -> Embeddings:
        params, buckets = self.params, self._table.buckets
        rows = np.empty((self._initial.count, params.dim), dtype=np.float32)
        self._merging.spread(self._initial.parts(), self.W, rows)
        size, order = len(self.vocabulary), np.argsort(buckets)
        return dataclasses.replace(
            self.snapshot(),
            word_rows=rows[:size].copy(),
            ngram_vectors=rows[size:][order],
            ngram_buckets=buckets[order],
            metadata={
                "subwords": {
                    "min_n": params.min_n,
                    "max_n": params.max_n,
                    "buckets": params.buckets,
                }
            },
        )


class InitialRows:
    """Initial rows of the table: words, then n-grams in the order of the table.

    At the start they are U(−1, 1)/d as in fastText's program, computed again whenever they are
    requested.
    """

    def __init__(
        self, start: ResumeState, size: int, table: SubwordTable, params: FastTextParams
    ) -> None:
        self.count = size + len(table.buckets)
        self._dim, self._seed, self._scale = params.dim, params.seed, params.init_scale
        self._rows: Singles | None = None
        if not start.fresh:
            self._rows = np.empty((self.count, params.dim), dtype=np.float32)
            grams = np.empty((len(table.buckets), params.dim), dtype=np.float32)
            start.fill("word_rows", self._rows[:size])
            start.fill("ngram_vectors", grams)
            self._rows[size + np.argsort(table.buckets)] = grams

    def parts(self) -> Iterator[tuple[int, Singles]]:
        """Yield (number of the first row, float32[n, d])."""
        random = np.random.default_rng(self._seed)
        for first in range(0, self.count, _PART):
            if self._rows is not None:
                yield first, self._rows[first : first + _PART]
            else:
                shape = (min(_PART, self.count - first), self._dim)
                yield (
                    first,
                    (random.random(shape, np.float32) * np.float32(2) - np.float32(1))
                    / np.float32(self._dim)
                    * np.float32(self._scale),
                )


def _guess_rows(vocabulary: Vocabulary, params: FastTextParams) -> tuple[int, float, int]:
    """Number of buckets in use, mean number of input rows per kept token, and total for all words,
    from a sample of the words.
    """
    size = len(vocabulary)
    if params.max_n <= 0:
        return 0, 1.0, size
    chosen = np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(np.int64))
    found = [ngrams(vocabulary.words[i], params.min_n, params.max_n) for i in chosen]
    kept = (
        vocabulary.counts[chosen]
        * keep_probabilities(vocabulary.counts, params.sample, params.sample_formula)[chosen]
    )
    rows = 1 + float(np.average([len(word) for word in found], weights=kept))
    half = len({ngram for word in found[::2] for ngram in word})
    whole = len({ngram for word in found for ngram in word})
    # The number of n-grams grows as a power of the number of words (Heaps), estimated from half
    # and the whole of the sample.
    growth = np.log2(max(whole, 1) / max(half, 1)) if len(found) > 1 else 1.0
    used = int(min(whole * (size / len(found)) ** growth, params.buckets))
    # Over words, not tokens: rare words are longer than frequent ones.
    return used, rows, round(size * (1 + sum(map(len, found)) / len(found)))
