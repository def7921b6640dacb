"""Word similarity: correlation of cosines with human scores."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from workbench.analysis.evaluation.bootstrap import (
    NONE,
    RESAMPLES,
    SEED,
    correlation_intervals,
    pearson,
    spearman,
)
from workbench.analysis.evaluation.pair_table import read_pair_table
from workbench.analysis.neighbours.query_resolution import find
from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.folders import resources
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.text.text_files import read_text
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import subwords_of

# Bundled word pairs, made for this project. The top of each file says how they were graded.
# Titles after the sign of a comment.
_TITLES = re.compile(r"\ufeff?#\s*word[\s_-]?1\b", re.IGNORECASE)
BUNDLED: Mapping[str, str] = MappingProxyType(
    {"small-world": tr("Small World’s pairs"), "general": tr("General English")}
)

# Maximum bytes of a file: hundreds of times the largest sets, and minutes of resampling.
MOST = 4_000_000


def bundled_path(key: str) -> Path:
    """The file of a bundled set by its key in BUNDLED."""
    return resources() / "similarity" / f"{key}.tsv"


@dataclass(frozen=True)
class WordPairs:
    """Pairs of words with human scores, as in the file.

    note : the comments of the file
    column : title of the column of the scores, or its number from 1, among ``columns``
    detected : the column that is read if none is requested; "" if none is clear
    choices : the columns that can be requested
    negated : whether the file has distances, so that ``scores`` are their negatives
    unscored : number of pairs of the file that were left out because their score is missing
    """

    name: str
    words: tuple[tuple[str, str], ...]
    scores: tuple[float, ...]
    note: str = ""
    column: str = "3"
    columns: int = 3
    detected: str = "3"
    choices: tuple[str, ...] = ()
    negated: bool = False
    unscored: int = 0

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True)
class SimilarityReport:
    """Agreement of cosines and human scores over the ``pairs`` whose words have vectors.

    rho, low, high : Spearman's ρ (average ranks for ties) with its bootstrap 95 % interval
    r, r_low, r_high : Pearson's r with its interval
    pairs, missing : number of known pairs, and of pairs left out
    without_vector : number of pairs left out because the vector of a known word is zero
    known : for each known pair, its index in the set
    cosines, scores : the model's cosine and the human score of each known pair
    seed, resamples : seed and number of samples of the bootstrap

    The correlations are NaN if fewer than three pairs are known or either side is constant.
    """

    name: str
    rho: float
    low: float
    high: float
    pairs: int
    missing: int
    r: float = math.nan
    r_low: float = math.nan
    r_high: float = math.nan
    known: tuple[int, ...] = ()
    cosines: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    seed: int = SEED
    resamples: int = RESAMPLES
    without_vector: int = 0

    @property
    def coverage(self) -> float:
        """Share of the set's pairs that are known; NaN for an empty set."""
        total = self.pairs + self.missing
        if total:
            return self.pairs / total
        return math.nan


def load_pairs(path: str | Path, column: str = "") -> WordPairs:
    """Read lines of two words and a score, separated by tabs, commas, semicolons or spaces.

    If commas don't separate fields, a score may have a decimal comma; fields may be quoted as in
    CSV. Comments (#) and a header aren't pairs. ``column`` is the title of the score's column or
    its number from 1; see ``pair_table`` for its choice among several. Raises UserError naming a
    line without a score, and UnclearColumn.
    """
    path = Path(path)
    text = read_text(path, MOST)
    lines = [(number, line.strip(" \r\f\v")) for number, line in enumerate(text.split("\n"), 1)]
    if lines and _TITLES.match(lines[0][1]):
        lines[0] = (lines[0][0], lines[0][1].lstrip("#\ufeff "))
    note = "\n".join(line.lstrip("# ") for _, line in lines if line.startswith("#"))
    lines = [(number, line) for number, line in lines if line.strip() and line[0] != "#"]
    table = read_pair_table(path.name, lines, column)
    if not table.words:
        raise UserError(
            tr("{name} contains no word pairs.", name=path.name),
            tr("Write two words and a number per line."),
        )
    return WordPairs(
        path.name,
        table.words,
        table.scores,
        note,
        table.column,
        table.columns,
        table.detected,
        table.choices,
        table.negated,
        table.unscored,
    )


def evaluate(
    embeddings: Embeddings,
    pairs: WordPairs,
    run: JobControl | None = None,
    seed: int = SEED,
    composing: bool = False,
) -> SimilarityReport:
    """Correlations between cosines and human scores, deterministic for a given ``seed``.
    ``composing``: unseen words get a vector from their n-grams if the model has them. Raises
    Cancelled.
    """
    unseen = _composed_vectors(embeddings, pairs) if composing else {}
    rows, known, without_vector = [], [], 0
    for at, (first, second) in enumerate(pairs.words):
        found = [_row_of(embeddings, word, unseen) for word in (first, second)]
        if None in found:
            continue
        left, right = (row for row in found if row is not None)
        if not all(row < 0 or embeddings.has_vector[row] for row in (left, right)):
            without_vector += 1
            continue
        rows.append((left, right))
        known.append(at)
    missing = len(pairs) - len(rows)
    ours, theirs = (
        np.empty(len(rows)),
        np.array([pairs.scores[at] for at in known], dtype=np.float64),
    )
    lefts, rights = np.array(rows, dtype=np.intp).reshape(-1, 2).T
    for at in range(0, len(rows), 256):
        part = slice(at, at + 256)
        ours[part] = np.einsum(
            "ij,ij->i",
            _units(embeddings, lefts[part], unseen),
            _units(embeddings, rights[part], unseen),
        )
    rho = r = math.nan
    of_rho = of_r = NONE
    if len(rows) >= 3:
        rho, r = (
            float(spearman(ours[None], theirs[None])[0]),
            float(pearson(ours[None], theirs[None])[0]),
        )
    if math.isfinite(rho):
        of_rho, of_r = correlation_intervals(ours, theirs, run, seed)
    return SimilarityReport(
        pairs.name,
        rho,
        *of_rho,
        len(rows),
        missing,
        r,
        *of_r,
        known=tuple(known),
        cosines=tuple(ours.tolist()),
        scores=tuple(theirs.tolist()),
        seed=seed,
        without_vector=without_vector,
    )


def _composed_vectors(embeddings: Embeddings, pairs: WordPairs) -> dict[str, Doubles]:
    """Unit vectors float64[d] of the words that only the n-grams of the model can represent."""
    if subwords_of(embeddings) is None:
        return {}
    vectors = {}
    for word in dict.fromkeys(word for pair in pairs.words for word in pair):
        if embeddings.find(word) is None:
            with suppress(UserError):
                vectors[word] = find(embeddings, word).unit
    return vectors


def _row_of(embeddings: Embeddings, word: str, unseen: Mapping[str, Doubles]) -> int | None:
    """Row of a word; −1, −2, … for those ``unseen``, in order; None for an unknown word."""
    row = embeddings.find(word)
    if row is None and word in unseen:
        return -1 - list(unseen).index(word)
    return row


def _units(
    embeddings: Embeddings, rows: npt.NDArray[np.intp], unseen: Mapping[str, Doubles]
) -> Doubles:
    """float64[n, d], the unit vectors of rows from ``_row_of``."""
    units = unit_doubles(embeddings, np.maximum(rows, 0))
    others = list(unseen.values())
    for at in np.flatnonzero(rows < 0).tolist():
        units[at] = others[-1 - int(rows[at])]
    return units
