"""Merging of input rows that belong to exactly the same words.

Every row of a word's n-grams receives the same gradient
(:mod:`workbench.models.fasttext.fasttext_base`), so rows that occur in the same words, equally
often, move together: the sum s = Σ z of e such rows moves by e times the change of each, and z = z₀
+ (s − s₀)/e. Training only uses s. Most long n-grams belong to a single word and merge with its own
row: of 201,060 rows of a vocabulary of 36,869 words, 92,064 are left.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.counts.subwords import SubwordTable


class MergedRows(NamedTuple):
    """Subwords of words, in merged rows 0..M − 1 in order of their first use.

    offsets : int64[V + 1], start of each word's rows in ``rows``
    rows : int32[total]
    sizes : float32[1, total], number of rows of the table that each of ``rows`` is the sum of
    lengths : int32[V], number of rows of the table of each word: the divisor of its mean
    """

    offsets: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    sizes: Singles
    lengths: npt.NDArray[np.int32]


class Merging:
    """Merged rows of a table. merged : see MergedRows; of : int32[R], the merged row of each
    row.
    """

    def __init__(self, table: SubwordTable) -> None:
        words = len(table.offsets) - 1
        lengths = np.diff(table.offsets)
        used, first, entries = np.unique(table.rows, return_index=True, return_inverse=True)
        # Two rows have the same words if two sums of random 64-bit keys of their words agree: by
        # chance, this happens once in 10²⁷ vocabularies of a million rows.
        keys = np.random.default_rng(words).integers(0, 2**64, size=(2, words), dtype=np.uint64)
        owners = np.repeat(np.arange(words), lengths)
        sums = np.zeros((2, len(used)), dtype=np.uint64)
        for key, total in zip(keys, sums, strict=True):
            np.add.at(total, entries.ravel(), key[owners])
        # Within a group, the row that is used first comes first, and represents the group.
        order = np.lexsort((first, sums[1], sums[0]))
        begins = np.ones(len(order), dtype=bool)
        begins[1:] = (sums[:, order[1:]] != sums[:, order[:-1]]).any(axis=0)
        group = np.cumsum(begins) - 1
        chosen = order[begins]
        rank = np.empty(len(chosen), dtype=np.int32)
        rank[np.argsort(first[chosen])] = np.arange(len(chosen), dtype=np.int32)
        self.of = np.empty(len(used), dtype=np.int32)
        self.of[order] = rank[group]
        stands = np.zeros(len(used), dtype=bool)
        stands[chosen] = True
        kept = stands[entries.ravel()]
        rows = self.of[entries.ravel()[kept]]
        self.counts = np.bincount(self.of, minlength=len(chosen)).astype(np.float32)
        offsets = np.zeros(words + 1, dtype=np.int64)
        np.cumsum(np.bincount(owners[kept], minlength=words), out=offsets[1:])
        self.merged = MergedRows(offsets, rows, self.counts[rows][None], lengths.astype(np.int32))

    def __len__(self) -> int:
        return len(self.counts)

    def total(self, parts: Iterable[tuple[int, Singles]], out: Singles) -> None:
        """out[m] = the sum of the rows that merged row m represents. parts : (number of the first
        row, rows).
        """
        out[...] = 0
        for first, part in parts:
            of = self.of[first : first + len(part)]
            order = np.argsort(of, kind="stable")
            groups, begins = np.unique(of[order], return_index=True)
            out[groups, : part.shape[1]] += np.add.reduceat(part[order], begins, axis=0)

    def spread(self, parts: Iterable[tuple[int, Singles]], sums: Singles, out: Singles) -> None:
        """out[r] = row r after the merged rows have become ``sums``.

        parts : the initial rows, as for :meth:`total`; out : float32[R, d]
        """
        firsts = []
        for first, part in parts:
            out[first : first + len(part)] = part
            firsts.append(first)
        moved = np.empty((len(self), out.shape[1]), dtype=np.float32)
        self.total(((a, out[a:b]) for a, b in pairwise([*firsts, len(out)])), moved)
        np.subtract(sums[:, : out.shape[1]], moved, out=moved)
        moved /= self.counts[:, None]
        alone = self.counts == 1
        for a, b in pairwise([*firsts, len(out)]):
            of = self.of[a:b]
            out[a:b] += moved[of]
            # Exactly the trained row, without rounding errors of splitting a sum.
            single = alone[of]
            out[a:b][single] = sums[of[single], : out.shape[1]]
