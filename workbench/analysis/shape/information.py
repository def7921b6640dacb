"""Length of vectors and information of words (Oyama, Yokoi & Shimodaira 2023, Norm of Word
Embedding Encodes Information Gain, equation 12 and section 5).

For skip-gram with negative sampling, ‖u_w − ū‖²_G ≈ 2 KL(p(·|w) ‖ p(·)), where p(·|w) is the
distribution of the contexts of w, ū = Σ p(w) u_w, and G the covariance of the context vectors,
weighted by p(c). A rare word has a high KL by chance alone: the floor is the mean KL of as many
contexts that are drawn from p(·).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.analysis.shape.directions import covariance
from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.word_lookup import look_up
from workbench.counts.association import associate
from workbench.counts.cooccurrence import window_weights
from workbench.counts.count_tables import plain_table
from workbench.vectors.embeddings import Embeddings

SEED = 1
# Numbers of contexts for which the floor is simulated, and samples for each; values between them
# are interpolated in logarithms.
_STEPS, _SAMPLES = 25, 8


@dataclass(frozen=True, eq=False)
class Information:
    """Information of the words that the text contains.

    rows : int64[m], their rows in the model
    divergence : float64[m], KL(p(·|w) ‖ p(·)) in nats
    floor : float64[m], the mean KL of as many contexts drawn from p(·)
    contexts : float64[m], the number of contexts, those with smaller weights counted less
    """

    rows: Ints
    divergence: Doubles
    floor: Doubles
    contexts: Doubles


def information(
    corpus: Corpus, embeddings: Embeddings, run: JobControl | None = None, seed: int = SEED
) -> Information:
    """Count the text with the model's window, and compute KL and floor of every word that both
    have, in the order of the model. The same for the same ``seed``. Raises UserError, and
    Cancelled.
    """
    parameters = embeddings.metadata.get("parameters")
    known: Mapping[str, Any] = parameters if isinstance(parameters, Mapping) else {}
    counting = PairCountSettings.of(known)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    table = plain_table(corpus, vocabulary, counting.window, counting.window_weighting, True, run)
    divergence = divergences(table, run)
    weights, divisor = window_weights(counting.window, counting.window_weighting)
    # Sums of weights vary as much as this many contexts of weight 1 (Kish 1965).
    scale = float(weights.sum() * divisor / (weights**2).sum())
    contexts = scale * np.asarray(table.sum(axis=1), dtype=np.float64).ravel()
    chances = np.asarray(table.sum(axis=0), dtype=np.float64).ravel()
    floor = sampling_floor(chances, contexts, run, seed)
    places = [look_up(word, vocabulary.index, corpus.options) for word in embeddings.words]
    rows = np.array(
        [row for row, place in enumerate(places) if place is not None and contexts[place] > 0],
        dtype=np.int64,
    )
    chosen = np.array([places[row] for row in rows.tolist()], dtype=np.int64)
    return Information(rows, divergence[chosen], floor[chosen], contexts[chosen])


def divergences(table: sp.csr_matrix, run: JobControl | None = None) -> Doubles:
    """KL(p(·|w) ‖ p(·)) of every row of #(w, c), the mean PMI of its contexts: float64[V]; 0 for an
    empty row.
    """
    pmi = associate(table, "pmi", run=run)
    sums = np.asarray(table.sum(axis=1), dtype=np.float64).ravel()
    weighted = np.asarray(table.multiply(pmi).sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(weighted / np.where(sums > 0, sums, 1.0))


def sampling_floor(
    chances: Doubles, sizes: Doubles, run: JobControl | None = None, seed: int = SEED
) -> Doubles:
    """Mean KL(drawn ‖ p) of samples from p ∝ ``chances`` float64[V] of these ``sizes`` float64[n]:
    float64[n]; 0 for a size of 0. Raises Cancelled.
    """
    known = sizes > 0
    floor = np.zeros(len(sizes))
    if not known.any():
        return floor
    random = np.random.default_rng(seed)
    shares = chances[chances > 0] / chances.sum()
    low, high = max(float(sizes[known].min()), 1.0), max(float(sizes[known].max()), 1.0)
    steps = np.unique(np.round(np.geomspace(low, high, _STEPS))).astype(np.int64)
    means = []
    for at, size in enumerate(steps.tolist()):
        if run is not None:
            run.check()
            run.advance(at / len(steps), tr("Simulating the sampling floor"))
        drawn = random.multinomial(size, shares, size=_SAMPLES) / size
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(drawn > 0, drawn * np.log(drawn / shares), 0.0)
        means.append(float(terms.sum(axis=1).mean()))
    # A mean of 0, for a single context, has no logarithm.
    logs = np.log(np.maximum(means, 1e-300))
    floor[known] = np.exp(np.interp(np.log(np.maximum(sizes[known], 1.0)), np.log(steps), logs))
    return floor


def squared_norms(embeddings: Embeddings, counts: Ints) -> Doubles | None:
    """‖u_w − ū‖²_G of every word: float64[V]; None for vectors without context vectors.

    counts : int64[V], how often each word occurs
    """
    words = embeddings.inputs
    if embeddings.contexts is None or not isinstance(words, np.ndarray):
        return None
    weights = counts / max(int(counts.sum()), 1)
    spread = covariance(embeddings.contexts.astype(np.float64), weights)
    centred = words.astype(np.float64) - weights @ words.astype(np.float64)
    return np.asarray(np.einsum("ij,jk,ik->i", centred, spread, centred, optimize=True))
