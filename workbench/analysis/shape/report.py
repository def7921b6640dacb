"""The shape of a space and of its variants: centred, without the top directions, whitened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.analysis.evaluation import similarity
from workbench.analysis.evaluation.bootstrap import spearman
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.shape.directions import Spectrum, centre, mean_cosine, spectrum
from workbench.analysis.shape.hubs import Hubs, find_hubs
from workbench.analysis.shape.information import Information, information, squared_norms
from workbench.analysis.shape.weights import frequencies, shares
from workbench.analysis.shape.whitening import whiten
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, mean_and_top, remove_directions

# As they are; centred by types and by tokens; all but the top; whitened.
PLAIN, CENTRED, TOKEN_CENTRED, TOP, WHITENED = "plain", "centred", "tokens", "top", "whitened"
BETAS = (0.0, 0.5, 1.0)
# Of all but the top: one direction for so many dimensions (Mu & Viswanath 2018, section 2.2).
_DIMENSIONS_PER_TOP = 100


@dataclass(frozen=True)
class ShapeSettings:
    """limit : number of words, the most frequent first (0: all)
    k : number of neighbours of each word for hubs
    removed : principal directions removed by all but the top; 0: one per hundred dimensions
    betas : exponents of the frequency in whitening
    """

    limit: int = 10_000
    k: int = 10
    removed: int = 0
    betas: tuple[float, ...] = BETAS


@dataclass(frozen=True, eq=False)
class Shape:
    """A variant of the vectors.

    kind : PLAIN, CENTRED, TOKEN_CENTRED, TOP or WHITENED; value : D or β of the last two
    by_types, by_tokens : mean cosine of two different words, drawn alike or by frequency; by_tokens
    is NaN for unknown frequencies
    spectrum : by types
    similarity : Spearman's ρ on word pairs, None without pairs
    """

    kind: str
    value: float
    by_types: float
    by_tokens: float
    spectrum: Spectrum
    hubs: Hubs
    similarity: float | None


@dataclass(frozen=True, eq=False)
class ShapeReport:
    """Shapes of all variants over n words.

    rows : int64[n], their rows in the model; norms : float64[n], lengths of their vectors
    counts : int64[n], how often they occur, None if unknown
    mean_types, mean_tokens : length of the mean vector, by types and by tokens, as a share of the
    mean length
    squared : float64[n], ‖u_w − ū‖²_G, None without context vectors or frequencies
    information : of the words, None without a text
    """

    rows: Ints
    norms: Doubles
    counts: Ints | None
    mean_types: float
    mean_tokens: float
    variants: tuple[Shape, ...]
    squared: Doubles | None
    information: Information | None


def describe_shape(
    embeddings: Embeddings,
    settings: ShapeSettings,
    corpus: Corpus | None = None,
    pairs: similarity.WordPairs | None = None,
    run: JobControl | None = None,
) -> ShapeReport:
    """Describe dense vectors, with a text also their information. Raises UserError for sparse
    vectors and for fewer than three words, and Cancelled.
    """
    if embeddings.sparse:
        raise UserError(
            tr("The vectors are sparse, and their spectrum would need them dense."),
            tr("Train svd for dense vectors."),
        )
    rows = embeddings.rows_with_vector(settings.limit).astype(np.int64)
    if len(rows) < 3:
        raise UserError(
            tr("Fewer than three words have vectors."), tr("Choose vectors of more words.")
        )
    every = frequencies(embeddings, corpus)
    counts = None if every is None else every[rows]
    vectors = dense_rows(embeddings.vectors, rows).astype(np.float64)
    types = np.full(len(rows), 1 / len(rows))
    tokens = None if counts is None else shares(counts, 1.0)
    variants = []
    for kind, value, changed in _variants(vectors, counts, settings):
        score = None if pairs is None else _score(embeddings, rows, changed, pairs, run)
        by_tokens = float("nan") if tokens is None else mean_cosine(changed, tokens)
        variants.append(
            Shape(
                kind,
                value,
                mean_cosine(changed, types),
                by_tokens,
                spectrum(changed, types),
                find_hubs(changed, settings.k, run),
                score,
            )
        )
    squared = None if every is None else squared_norms(embeddings, every)
    norms = np.linalg.norm(vectors, axis=1)
    return ShapeReport(
        rows,
        norms,
        counts,
        _relative_mean(vectors, types),
        float("nan") if tokens is None else _relative_mean(vectors, tokens),
        tuple(variants),
        None if squared is None else squared[rows],
        None if corpus is None else information(corpus, embeddings, run),
    )


def _variants(
    vectors: Doubles, counts: Ints | None, settings: ShapeSettings
) -> Iterator[tuple[str, float, Doubles]]:
    """Kind, value and vectors of each variant; those by tokens need frequencies."""
    types = np.full(len(vectors), 1 / len(vectors))
    yield PLAIN, 0.0, vectors
    yield CENTRED, 0.0, centre(vectors, types)
    if counts is not None:
        yield TOKEN_CENTRED, 0.0, centre(vectors, shares(counts, 1.0))
    top = settings.removed or max(1, vectors.shape[1] // _DIMENSIONS_PER_TOP)
    top = min(top, vectors.shape[1] - 1)
    choice = Postprocessing(all_but_the_top=top)
    yield TOP, float(top), remove_directions(vectors, mean_and_top(vectors, None, choice))
    for beta in settings.betas:
        if counts is not None or not beta:
            weights = types if counts is None else shares(counts, beta)
            yield WHITENED, beta, whiten(vectors, weights)


def _score(
    embeddings: Embeddings,
    rows: Ints,
    vectors: Doubles,
    pairs: similarity.WordPairs,
    run: JobControl | None,
) -> float:
    words = [embeddings.words[row] for row in rows.tolist()]
    changed = Embeddings(words, vectors.astype(np.float32), metadata=embeddings.metadata)
    return similarity.evaluate(changed, _known_pairs(pairs, changed), run).rho


def _known_pairs(pairs: similarity.WordPairs, embeddings: Embeddings) -> similarity.WordPairs:
    """The pairs whose words the vectors have: all variants have the same."""
    kept = [
        at
        for at, both in enumerate(pairs.words)
        if all(embeddings.find(word) is not None for word in both)
    ]
    return replace(
        pairs,
        words=tuple(pairs.words[at] for at in kept),
        scores=tuple(pairs.scores[at] for at in kept),
    )


def _relative_mean(vectors: Doubles, weights: Doubles) -> float:
    lengths = float(weights @ np.linalg.norm(vectors, axis=1))
    return float(np.linalg.norm(weights @ vectors)) / lengths if lengths else float("nan")


def rank_correlation(x: Doubles, y: Doubles) -> float:
    """Spearman's ρ of two float64[n]; NaN if a side is constant."""
    return float(spearman(x[None], y[None])[0])


def farthest_above(found: Information, words: Sequence[str], n: int) -> list[str]:
    """The n words whose KL exceeds the floor most, among those with at least 20 contexts."""
    above = np.where(found.contexts >= 20, found.divergence - found.floor, -np.inf)
    order = np.argsort(-above, kind="stable")[:n]
    return [words[row] for row in found.rows[order[np.isfinite(above[order])]].tolist()]
