"""Subsampling of tokens and the noise distribution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ints
from workbench.core.jit import kernel


def keep_probabilities(counts: Ints, sample: float, formula: str = "word2vec") -> Doubles:
    """Probability that a token of each word survives subsampling: float64[V] in 0..1.

    counts : int64[V], corpus frequencies of the kept vocabulary
    sample : the threshold t; 0 switches subsampling off
    formula : "paper", sqrt(t/f) with f = n/N (M13b, section 2.3: dropped with 1 − sqrt(t/f)), or
    "word2vec", (sqrt(f/t) + 1)·t/f, as in word2vec.c
    """
    if sample <= 0:
        return np.ones(len(counts))
    frequency = counts / max(int(counts.sum()), 1)
    with np.errstate(divide="ignore"):
        ratio = sample / frequency
    kept = np.sqrt(ratio) if formula == "paper" else np.sqrt(ratio) + ratio
    return np.asarray(np.minimum(kept, 1.0))


def noise_distribution(counts: Ints, ns_exponent: float) -> Doubles:
    """P_n(c) = n(c)^α / Σ n^α from raw counts (M13b, section 2.2): float64[V] summing to 1."""
    weights = counts.astype(np.float64) ** ns_exponent
    return np.asarray(weights / weights.sum())


class AliasTable(NamedTuple):
    """Walker's table: draw a column i uniformly and a 32-bit u; the draw is i if u < threshold[i],
    else alias[i]. Exact to 2⁻³² per column.

    columns : uint64[V], the threshold in the upper half and the alias in the lower: a draw reads
    one cache line, independent of its outcome
    """

    columns: npt.NDArray[np.uint64]

    @property
    def threshold(self) -> npt.NDArray[np.uint32]:
        """uint32[V]"""
        return (self.columns >> np.uint64(32)).astype(np.uint32)

    @property
    def alias(self) -> npt.NDArray[np.int32]:
        """int32[V]"""
        return (self.columns & np.uint64(0xFFFFFFFF)).astype(np.int32)


@kernel(inline=True)
def draw_word(table: AliasTable, draw: int) -> int:
    """The draw from 64 random bits: the upper half chooses the column, the lower half is u."""
    column = ((draw >> np.uint64(32)) * np.uint64(len(table.columns))) >> np.uint64(32)
    held = table.columns[column]
    alias = held & np.uint64(0xFFFFFFFF)
    return np.int64(column if (draw & np.uint64(0xFFFFFFFF)) < (held >> np.uint64(32)) else alias)  # type: ignore[return-value]


def alias_table(probabilities: Doubles) -> AliasTable:
    """Vose's construction of the alias table for float64[V] that sums to 1."""
    size = len(probabilities)
    scaled = (probabilities * size).tolist()
    # Lists, because assignments to single elements of arrays take several times as long.
    threshold, alias = [0xFFFFFFFF] * size, list(range(size))
    small = [i for i, p in enumerate(scaled) if p < 1.0]
    large = [i for i, p in enumerate(scaled) if p >= 1.0]
    while small and large:
        less, more = small.pop(), large[-1]
        threshold[less] = min(int(scaled[less] * 2**32), 0xFFFFFFFF)
        alias[less] = more
        scaled[more] -= 1.0 - scaled[less]
        if scaled[more] < 1.0:
            small.append(large.pop())
    upper, lower = np.array(threshold, dtype=np.uint64), np.array(alias, dtype=np.uint64)
    return AliasTable(upper << np.uint64(32) | lower)
