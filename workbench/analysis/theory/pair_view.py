"""Terms of one pair in the SGNS objective as functions of w·c, with the optimum (LG14, section
3.1).

    ℓ(x) = A·log σ(x) + B·log σ(−x),   A = #(w, c),   B = k·#(w)·P_n(c),
    maximum at x* = log A − log B

A is expected under subsampling and the window's weighting. A pair that was never observed has A = 0
and x* = −∞.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workbench.analysis.matrix.content_words import candidate_number, strongest_pair
from workbench.analysis.matrix.values import MatrixRequest, compute, top_words
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl
from workbench.corpus.concordance import Concordance, concordance
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import noise_distribution
from workbench.vectors.embeddings import Embeddings

# The proposed context of a word has at least this expected count.
_ATTESTED = 5.0
# Number of content words from which a pair is proposed.
_CONTENT_WORDS = 25


@dataclass(frozen=True, eq=False)
class PairView:
    """A pair with the numbers that determine its curve.

    observed : A; total : #(w); noise : P_n(c); negative : k
    product : w·c of the model, None if it has no contexts or lacks these words
    rows : rows of word and context in the vocabulary
    lines : occurrences of the word whose window may contain the context
    """

    word: str
    context: str
    observed: float
    total: float
    noise: float
    negative: int
    product: float | None
    rows: tuple[int, int]
    lines: Concordance

    @property
    def expected_negatives(self) -> float:
        """B, the expected number of times the context is a negative sample for the word."""
        return self.negative * self.total * self.noise

    @property
    def best(self) -> float:
        """x*."""
        if self.observed > 0:
            return math.log(self.observed) - math.log(self.expected_negatives)
        return -math.inf

    def parts(self, x: Doubles) -> tuple[Doubles, Doubles]:
        """A·log σ(x) and B·log σ(−x), in nats; their sum is ℓ."""
        return -self.observed * np.logaddexp(0.0, -x), -self.expected_negatives * np.logaddexp(
            0.0, x
        )

    def likelihood(self, x: float) -> float:
        """ℓ(x)."""
        first, second = self.parts(np.array([x]))
        return float(first[0] + second[0])


def look_at_pair(
    corpus: Corpus,
    request: MatrixRequest,
    word: str,
    context: str,
    embeddings: Embeddings | None,
    run: JobControl,
) -> PairView:
    """The pair, counted as ``request`` says; without a context, the one with the highest x* among
    contexts with enough occurrences.

    Raises UnknownWord, UserError and Cancelled.
    """
    vocabulary = corpus.vocabulary(request.min_count, request.max_vocab)
    row = _row(vocabulary, word)
    counts = effective_counts(corpus, vocabulary, request, run, words=np.array([row]))
    seen = slice(int(counts.indptr[row]), int(counts.indptr[row + 1]))
    columns, values = counts.indices[seen], counts.data[seen]
    noise = noise_distribution(vocabulary.counts, request.ns_exponent)
    column = _row(vocabulary, context) if context else _propose_context(columns, values, noise, row)
    found = np.flatnonzero(columns == column)
    observed = float(values[found[0]]) if len(found) else 0.0
    lines = concordance(
        corpus,
        vocabulary.words[row],
        near=vocabulary.words[column],
        window=request.window,
        size=len(vocabulary),
        run=run,
    )
    names = vocabulary.words[row], vocabulary.words[column]
    return PairView(
        *names,
        observed,
        float(values.sum()),
        float(noise[column]),
        request.negative,
        product_of(embeddings, *names, (row, column)),
        (row, column),
        lines,
    )


def propose_pair(
    corpus: Corpus, request: MatrixRequest, embeddings: Embeddings | None, run: JobControl
) -> tuple[str, str] | None:
    """Two content words that the model knows, with the strongest tie of all (see
    ``content_words``); None if no two co-occur often.

    Raises UserError and Cancelled.
    """
    models = [embeddings] if embeddings is not None else []
    candidates = replace(request, kind="count", top=candidate_number(_CONTENT_WORDS))
    words = top_words(corpus, candidates, models)
    if not words:
        return None
    counts = compute(corpus, replace(candidates, words=words), None, run).values
    pair = strongest_pair(np.nan_to_num(counts), _CONTENT_WORDS)
    if pair is None:
        return None
    return words[pair[0]], words[pair[1]]


def product_of(
    embeddings: Embeddings | None, word: str, context: str, rows: tuple[int, int]
) -> float | None:
    """w·c of a model, looked up in these rows first; None without such a product."""
    if embeddings is None or embeddings.contexts is None:
        return None
    places = []
    for name, row in zip((word, context), rows, strict=True):
        at: int | None = row
        if row >= len(embeddings) or embeddings.words[row] != name:
            at = embeddings.index.get(name)
        if at is None:
            return None
        places.append(at)
    left = dense_rows(embeddings.inputs, [places[0]])[0].astype(np.float64)
    right = embeddings.contexts[places[1]].astype(np.float64)
    if len(left) == len(right):
        return float(left @ right)
    return None


def _row(vocabulary: Vocabulary, word: str) -> int:
    row = look_up(word, vocabulary.index, vocabulary.options)
    if row is None:
        raise unknown_words([word], vocabulary.words)
    return row


def _propose_context(
    columns: npt.NDArray[np.int32], values: Doubles, noise: Doubles, row: int
) -> int:
    if not len(columns):
        return row
    attested = values >= min(_ATTESTED, float(values.max()))
    return int(
        columns[np.argmax(np.where(attested, np.log(values) - np.log(noise[columns]), -np.inf))]
    )
