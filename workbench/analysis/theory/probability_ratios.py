"""GloVe's own derivation (P14, section 3): ratios of co-occurrence probabilities, and the steps
that follow.

F(w_a, w_b, c_k) = P(k|a) / P(k|b)                     (eq. 1)
F((w_a − w_b)·c_k) = P(k|a) / P(k|b)                   (eq. 3)
F = exp:  w_a·c_k = log P(k|a) = log X_ak − log X_a    (eq. 6)
w_a·c_k + b_a + b_k = log X_ak                         (eq. 7)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.suggestions import unknown_words
from workbench.vectors.embeddings import Embeddings

# P14, table 1: probes related to ice, to steam, to both, to neither.
PRESET = ("ice", "steam", ("solid", "gas", "water", "fashion"))
# A corpus's own preset is chosen among this many most frequent words, without the first ones.
_AMONG, _STOP = 200, 60


@dataclass(frozen=True)
class Probe:
    """One probe word k. Probabilities and ``ratio`` are NaN or 0 for words without contexts.

    count_a, count_b : X_ak, X_bk; p_a, p_b : P(k|a), P(k|b); p : P(k), near any word
    model_a, model_b : w·c_k + b + b_k of a and b (w·c_k without biases), NaN for a model without
    contexts
    """

    word: str
    count_a: float
    count_b: float
    p_a: float
    p_b: float
    p: float
    ratio: float
    model_a: float
    model_b: float


@dataclass(frozen=True)
class Ratios:
    """The table of ratios. total_a, total_b : X_a, X_b, total counts of the contexts of the two
    words;
    biased : the model has biases.
    """

    a: str
    b: str
    total_a: float
    total_b: float
    probes: tuple[Probe, ...]
    biased: bool = False
    left_out: tuple[str, ...] = ()


def ratios(
    pairs: PairCounts, a: str, b: str, probes: Sequence[str], embeddings: Embeddings | None = None
) -> Ratios:
    """The table of P14 for any words. Unknown probe words are left out.

    Raises UnknownWord if a, b or all probe words are unknown, and UserError without a probe
    word.
    """
    if not probes:
        raise UserError(
            tr("The comparison needs at least one probe word."),
            tr("Enter probe words, such as: solid gas water fashion."),
        )
    rows = pairs.row(a), pairs.row(b)
    probe_words = list(dict.fromkeys(probes))
    left_out = [word for word in probe_words if not pairs.knows(word)]
    if len(left_out) == len(probe_words):
        raise unknown_words(left_out, pairs.words)
    totals = [float(pairs.row_sums[pairs.ids[row]]) for row in rows]
    found = []
    for word in probe_words:
        if word in left_out:
            continue
        column = pairs.row(word)
        counts = [pairs.count(row, column) for row in rows]
        shares = [
            count / total if total else float("nan")
            for count, total in zip(counts, totals, strict=True)
        ]
        if shares[1]:
            ratio = shares[0] / shares[1]
        elif shares[0]:
            ratio = float("inf")
        else:
            ratio = float("nan")
        chance = float(pairs.column_sums[pairs.ids[column]]) / pairs.total
        models = [_model(embeddings, pairs.words[row], pairs.words[column]) for row in rows]
        found.append(
            Probe(
                pairs.words[column],
                counts[0],
                counts[1],
                shares[0],
                shares[1],
                chance,
                ratio,
                models[0],
                models[1],
            )
        )
    biased = (
        embeddings is not None
        and embeddings.biases is not None
        and embeddings.context_biases is not None
    )
    return Ratios(
        pairs.words[rows[0]],
        pairs.words[rows[1]],
        totals[0],
        totals[1],
        tuple(found),
        biased,
        tuple(left_out),
    )


def _model(embeddings: Embeddings | None, word: str, context: str) -> float:
    if embeddings is None or embeddings.contexts is None or embeddings.sparse:
        return float("nan")
    row, column = embeddings.row(word), embeddings.row(context)
    value = float(
        np.asarray(embeddings.inputs)[row].astype(np.float64)
        @ embeddings.contexts[column].astype(np.float64)
    )
    if embeddings.biases is not None and embeddings.context_biases is not None:
        value += float(embeddings.biases[row]) + float(embeddings.context_biases[column])
    return value


def preset(pairs: PairCounts) -> tuple[str, str, tuple[str, ...]]:
    """P14's words if the corpus has them, or else two of its own words with similar contexts.

    Probes are then the word with the highest ratio P(k|a)/P(k|b), the one with the lowest, one that
    co-occurs with both far more often than by chance, and one that co-occurs with both less often
    than by chance. Raises UserError if there are no such words.
    """
    a, b, probes = PRESET
    if a in pairs.index and b in pairs.index and any(word in pairs.index for word in probes):
        return a, b, tuple(word for word in probes if word in pairs.index)
    first = min(_STOP, max(len(pairs.words) // 10, 0))
    cells = pairs.cells[first : first + _AMONG]
    if cells.shape[0] < 2:
        raise UserError(
            tr("The corpus has too few words to compute ratios."), tr("Open a longer corpus.")
        )
    chance = np.maximum(pairs.column_sums[pairs.ids], 1e-12) / pairs.total
    rows = np.maximum(np.asarray(cells.sum(axis=1)).ravel(), 1e-12)
    # Only associations well above chance characterise a word’s contexts.
    pmi = cells.tocoo()
    values = np.maximum(np.log(pmi.data / (rows[pmi.row] * chance[pmi.col])), 0.0)
    table = sp.csr_matrix((values, (pmi.row, pmi.col)), shape=cells.shape)
    lengths = np.sqrt(np.maximum(np.asarray(table.multiply(table).sum(axis=1)).ravel(), 1e-12))
    alike = (table @ table.T).toarray() / np.outer(lengths, lengths)
    np.fill_diagonal(alike, -1.0)
    one, other = np.unravel_index(int(np.argmax(alike)), alike.shape)
    shares = [cells[[int(row)]].toarray().ravel() / rows[row] for row in (one, other)]
    share_a, share_b = shares
    # Function words co-occur with everything; and a ratio with an unobserved pair has no logarithm.
    free = (share_a > 0) & (share_b > 0)
    free[:first] = False
    free[[first + int(one), first + int(other)]] = False
    with np.errstate(divide="ignore", invalid="ignore"):
        lean = np.where(free, np.log(share_a / share_b), 0.0)
        lift = np.where(free, np.log(np.minimum(share_a, share_b) / chance), 0.0)
    aside = np.abs(lean)
    probes_found: list[int] = []
    for score in (lean, -lean, lift - 3 * aside, -lift - 3 * aside):
        if free.any():
            at = int(np.argmax(np.where(free, score, -np.inf)))
            free[at] = False
            probes_found.append(at)
    if not probes_found:
        raise UserError(
            tr("No word co-occurs with both words of any pair."),
            tr("Choose a larger window, or enter words above."),
        )
    names = tuple(pairs.words[at] for at in probes_found)
    return pairs.words[first + int(one)], pairs.words[first + int(other)], names
