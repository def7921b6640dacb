"""Word similarity: do cosines order pairs of words as people do?"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.analysis.ranking import unit_rows
from workbench.core.errors import UnknownWord, UserError
from workbench.core.run import Run
from workbench.vectors.embeddings import Embeddings

_RESAMPLES = 1000
_AT_ONCE = 50_000


@dataclass(frozen=True)
class Pairs:
    """Pairs of words with human scores, as in the file."""

    name: str
    words: tuple[tuple[str, str], ...]
    scores: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True)
class SimilarityReport:
    """Spearman's ρ with its bootstrap 95 % interval, over the ``pairs`` whose words are known.

    All three are NaN where fewer than three pairs are known or either side is constant. ``missing``
    counts the pairs left out.
    """

    name: str
    rho: float
    low: float
    high: float
    pairs: int
    missing: int


def load_pairs(path: str | Path) -> Pairs:
    """Read lines of two words and a score, separated by tabs, commas, semicolons or blanks.

    Further fields are passed over, and so are comments (#) and a first line without a score (a
    header). Raises UserError naming the line where there is no score.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise UserError(
            f"{path} cannot be read ({error.strerror or error}).", "Check the name and your rights."
        ) from error
    words: list[tuple[str, str]] = []
    scores: list[float] = []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in lines:
        if line.lstrip().startswith("#"):
            continue
        fields = [field.strip() for field in re.split(r"[\t,;]", line.strip())]
        if len(fields) < 3:
            fields = line.split()
        score = _number(fields[2]) if len(fields) >= 3 else math.nan
        if not math.isfinite(score):
            if number == lines[0][0]:
                continue
            raise UserError(
                f"{path.name}, line {number:,}: “{line.strip()[:40]}” is not two words and a score.",
                "Give two words and a number in each line, separated by tabs, commas or blanks.",
            )
        words.append((fields[0], fields[1]))
        scores.append(score)
    if not words:
        raise UserError(f"{path.name} holds no pairs of words.", "Give two words and a number in each line.")
    return Pairs(path.name, tuple(words), tuple(scores))


def evaluate(embeddings: Embeddings, pairs: Pairs, run: Run | None = None, seed: int = 1) -> SimilarityReport:
    """Spearman's ρ (average ranks for ties) between cosines and human scores.

    The interval is the 2.5th to 97.5th percentile over 1,000 samples of the known pairs with
    replacement, the same at every call with one ``seed``. Raises Cancelled.
    """
    rows, human = [], []
    for (first, second), score in zip(pairs.words, pairs.scores, strict=True):
        try:
            rows.append((embeddings.row(first), embeddings.row(second)))
        except UnknownWord:
            continue
        human.append(score)
    missing = len(pairs) - len(rows)
    if len(rows) < 3:
        return SimilarityReport(pairs.name, math.nan, math.nan, math.nan, len(rows), missing)
    left, right = np.array(rows).T
    ours = np.empty(len(rows))
    for at in range(0, len(rows), 256):
        part = slice(at, at + 256)
        ours[part] = np.einsum("ij,ij->i", unit_rows(embeddings, left[part]), unit_rows(embeddings, right[part]))
    theirs = np.array(human)
    rho = float(_spearman(ours[None], theirs[None])[0])
    samples = _bootstrap(ours, theirs, seed, run)
    samples = samples[np.isfinite(samples)]
    if not math.isfinite(rho) or len(samples) == 0:
        return SimilarityReport(pairs.name, rho, math.nan, math.nan, len(rows), missing)
    low, high = np.percentile(samples, (2.5, 97.5))
    return SimilarityReport(pairs.name, rho, float(low), float(high), len(rows), missing)


def _bootstrap(
    ours: npt.NDArray[np.float64], theirs: npt.NDArray[np.float64], seed: int, run: Run | None
) -> npt.NDArray[np.float64]:
    random = np.random.default_rng(seed)
    at_once = max(1, _AT_ONCE // len(ours))
    parts = []
    for start in range(0, _RESAMPLES, at_once):
        if run is not None:
            run.check()
            run.advance(start / _RESAMPLES, "Resampling word pairs")
        drawn = random.integers(0, len(ours), size=(min(at_once, _RESAMPLES - start), len(ours)))
        parts.append(_spearman(ours[drawn], theirs[drawn]))
    return np.concatenate(parts)


def _spearman(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Pearson's correlation of average ranks, a row a sample; NaN where a side is constant."""
    from scipy.stats import rankdata

    ranks = [rankdata(side, axis=1) for side in (x, y)]
    a, b = (rank - rank.mean(axis=1, keepdims=True) for rank in ranks)
    spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((a * b).sum(axis=1) / spread)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
