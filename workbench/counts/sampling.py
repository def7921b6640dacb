"""Which tokens are kept, and which words are drawn as noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def keep_probabilities(counts: Counts, sample: float, formula: str = "word2vec") -> Floats:
    """Probability that a token of each word survives subsampling: float64[V] in 0..1.

    counts : int64[V], corpus frequencies of the kept vocabulary
    sample : the threshold t; 0 switches subsampling off
    formula : "paper", sqrt(t/f) with f = n/N (M13b, section 2.3: dropped with 1 − sqrt(t/f)), or
        "word2vec", (sqrt(f/t) + 1)·t/f, as word2vec.c has it
    """
    if sample <= 0:
        return np.ones(len(counts))
    frequency = counts / max(int(counts.sum()), 1)
    with np.errstate(divide="ignore"):
        ratio = sample / frequency
    kept = np.sqrt(ratio) if formula == "paper" else np.sqrt(ratio) + ratio
    return np.asarray(np.minimum(kept, 1.0))


def noise_distribution(counts: Counts, ns_exponent: float) -> Floats:
    """P_n(c) = n(c)^α / Σ n^α from raw counts (M13b, section 2.2): float64[V] summing to 1."""
    weights = counts.astype(np.float64) ** ns_exponent
    return np.asarray(weights / weights.sum())


class AliasTable(NamedTuple):
    """Walker's table: draw a column i evenly and a 32-bit u; the draw is i if u < threshold[i],
    else alias[i]. threshold : uint32[V]; alias : int32[V]. Exact to 2⁻³² a column.
    """

    threshold: npt.NDArray[np.uint32]
    alias: npt.NDArray[np.int32]


def alias_table(probabilities: Floats) -> AliasTable:
    """Vose's construction of the alias table for float64[V] that sums to 1."""
    size = len(probabilities)
    scaled = (probabilities * size).tolist()
    threshold = np.full(size, 0xFFFFFFFF, dtype=np.uint32)
    alias = np.arange(size, dtype=np.int32)
    small = [i for i, p in enumerate(scaled) if p < 1.0]
    large = [i for i, p in enumerate(scaled) if p >= 1.0]
    while small and large:
        less, more = small.pop(), large[-1]
        threshold[less] = min(int(scaled[less] * 2**32), 0xFFFFFFFF)
        alias[less] = more
        scaled[more] -= 1.0 - scaled[less]
        if scaled[more] < 1.0:
            small.append(large.pop())
    return AliasTable(threshold, alias)
