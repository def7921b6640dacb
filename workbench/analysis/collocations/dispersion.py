"""How evenly occurrences are spread over the parts of a text, such as its files.

Sources: Gries 2008, Dispersions and adjusted frequencies in corpora (DP); Lijffijt & Gries 2012,
Correction to “Dispersions and adjusted frequencies in corpora” (its normalisation); Juilland &
Chang-Rodríguez 1964, Frequency Dictionary of Spanish Words (D).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Ints
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import (
    FILES,
    PASSAGES,
    DocumentParams,
    documents_of,
    with_short_sentences,
)


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of a text. unit : FILES or PASSAGES; ends : int64[n], end of each in tokens"""

    unit: str
    ends: Ints

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def sizes(self) -> Ints:
        """int64[n], number of tokens of each part."""
        return np.diff(self.ends, prepend=0)

    def number_of(self, positions: Ints) -> Ints:
        """int64[m], the part that each position is in."""
        return np.searchsorted(self.ends, positions, side="right")


@dataclass(frozen=True)
class Dispersion:
    """Spread of occurrences over parts.

    parts : number of parts that contain one
    dp : Gries’ DP, half the sum of |share of the tokens − share of the occurrences| over the parts,
    divided by its maximum: 0 if each part has its share, 1 if all are in the smallest part
    juilland : Juilland’s D, 1 − V/√(n − 1) with the coefficient of variation V of the frequency per
    token: 1 if all parts have the same frequency, 0 if all occurrences are in one of n equal parts

    NaN without occurrences, or in a single part.
    """

    parts: int
    dp: float
    juilland: float


def parts_of(corpus: Corpus) -> Parts:
    """The files of a text, or, for a single file, passages of about 1,000 words. Raises UserError
    if it is too short for two.
    """
    files = corpus.file_edges
    unit = FILES if files is not None and len(np.unique(files)) > 2 else PASSAGES
    corpus = with_short_sentences(corpus)
    found = documents_of(corpus, DocumentParams(documents=unit))
    return Parts(unit, np.asarray(corpus.sentences)[found.begins[1:]])


def dispersion(counts: Ints, sizes: Ints) -> Dispersion:
    """Spread of int64[n] occurrences over parts of int64[n] tokens, each above 0."""
    total = int(counts.sum())
    if not total or len(counts) < 2:
        return Dispersion(int((counts > 0).sum()), math.nan, math.nan)
    shares = sizes / sizes.sum()
    dp = 0.5 * float(np.abs(shares - counts / total).sum()) / (1 - float(shares.min()))
    frequencies = counts / sizes
    variation = float(frequencies.std() / frequencies.mean())
    return Dispersion(int((counts > 0).sum()), dp, 1 - variation / math.sqrt(len(counts) - 1))
