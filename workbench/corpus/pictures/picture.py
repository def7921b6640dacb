"""Picture corpora: a text of pairs “r17 c40” whose PMI matrix is a given picture.

With grey values g(i, j) from 0 (black) to 1 (white) and chosen margins p(i), p(j), pairs are drawn
from

    P = diag(u) · (p pᵀ ∘ exp(range · g)) · diag(v),

where u and v give P these margins (Sinkhorn & Knopp 1967, Concerning nonnegative matrices and
doubly stochastic matrices). So log P(i, j) / (p(i) p(j)) is the picture times the range, plus one
number for each row and each column. Windows count a line in both directions, and rows co-occur only
with columns. So in the symmetric counts, a word has half of its probability as a row, a pair has
half of P, and the PMI of the text is

    PMI(i, j) = log P(i, j) / (p(i) p(j)) + log 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Bools, Doubles
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import Params, param

SMALLEST, LARGEST = 8, 128
# Rows and columns of an image while its size is being chosen: a multiple of most sizes, so that
# resizing from it equals resizing the image itself.
FINE = 384
# Suffix of the file beside a text with the PMI of the text's distribution.
PMI_SUFFIX = ".picture.npy"
_CLOSE = 1e-13
_MOST_ROUNDS = 20_000
# A picture is flat if its PMI differs by less than this share of the range.
_FLAT = 1e-6
_LINES = 1 << 16
_NAME = re.compile(r"([rc])(0|[1-9]\d{0,2})")


@dataclass(frozen=True)
class PictureParams(Params):
    """Options of a corpus from a picture."""

    size: int = param(
        48,
        "Number of rows and columns of the picture. The text has one word for each row and "
        "one for each column.",
        label="Size",
        low=SMALLEST,
        high=LARGEST,
        unit="rows and columns",
        grows="finer pictures; fewer pairs for each cell",
        source="48: 434 pairs for each of 2,304 cells at a million pairs",
        basic=True,
    )
    pmi_range: float = param(
        1.5,
        "Difference of PMI between white and black, before margins are adjusted.",
        label="Range of PMI",
        low=0.1,
        high=12.0,
        unit="nats",
        grows="stronger contrast; pairs in dark places become rare",
        source="1.5: all pairs of the face are observed",
        basic=True,
    )
    zipf: float = param(
        0.7,
        "Exponent s of the frequencies of rows and of columns: the word of rank r has a frequency "
        "proportional to r^−s. 0 = all words are equally frequent.",
        label="Zipf exponent",
        symbol="s",
        low=0.0,
        high=2.0,
        grows="rare rows and columns become grainy",
        source="0.7: frequencies differ by a factor of 15",
        basic=True,
    )
    pairs: int = param(
        1_000_000,
        "Number of pairs. The text has one pair per line.",
        label="Pairs",
        low=1_000,
        high=50_000_000,
        unit="lines",
        grows="less noise in the counts; a longer text",
        source="a million: a second of training",
        basic=True,
    )
    seed: int = param(
        1,
        "Random seed for the order of the frequencies and for the pairs.",
        label="Seed",
        low=0,
        high=2_147_483_647,
        source="as for the algorithms",
    )


@dataclass(frozen=True, eq=False)
class PictureCorpus:
    """A distribution of pairs made from a picture.

    grey : float64[n, n], 0 (black) to 1 (white), row 0 at the top
    """

    grey: Doubles
    params: PictureParams

    @cached_property
    def margins(self) -> tuple[Doubles, Doubles]:
        """Frequencies of rows and of columns, float64[n] each, which sum to 1."""
        falling = np.arange(1.0, len(self.grey) + 1) ** -self.params.zipf
        falling /= falling.sum()
        random = np.random.default_rng(self.params.seed)
        return random.permutation(falling), random.permutation(falling)

    @cached_property
    def probabilities(self) -> Doubles:
        """P, float64[n, n]."""
        rows, columns = self.margins
        joint = np.outer(rows, columns) * np.exp(self.params.pmi_range * (self.grey - 1.0))
        for _ in range(_MOST_ROUNDS):
            joint *= (rows / joint.sum(axis=1))[:, None]
            joint *= (columns / joint.sum(axis=0))[None, :]
            if np.abs(joint.sum(axis=1) / rows - 1.0).max() < _CLOSE:
                break
        return np.asarray(joint / joint.sum())

    @cached_property
    def pmi(self) -> Doubles:
        """PMI(i, j) of the text in expectation, float64[n, n], in nats."""
        rows, columns = self.margins
        return np.asarray(np.log(self.probabilities / np.outer(rows, columns)) + math.log(2.0))

    def write(self, path: Path, run: JobControl | None = None) -> None:
        """Write the text and, beside it, the PMI. Raises UserError and Cancelled."""
        run = run or JobControl()
        run.enter(Phase.READING, tr("Writing the text of the picture"))
        size = len(self.grey)
        # A separate stream from that of the margins.
        random = np.random.default_rng([self.params.seed, 1])
        counts = random.multinomial(self.params.pairs, self.probabilities.ravel())
        cells = np.repeat(np.arange(size * size, dtype=np.uint16), counts)
        random.shuffle(cells)
        lines = [b"r%d c%d\n" % divmod(cell, size) for cell in range(size * size)]
        # Both files or, if writing ends early, neither.
        with replacing(pmi_path(path)) as part, replacing(path) as text_part:
            with part.open("wb") as file:
                np.save(file, self.pmi, allow_pickle=False)
            with text_part.open("wb") as file:
                for first in range(0, len(cells), _LINES):
                    run.check()
                    run.advance(first / len(cells))
                    some = cells[first : first + _LINES].tolist()
                    file.write(b"".join([lines[cell] for cell in some]))


def picture_corpus(image: Doubles, params: PictureParams, name: str) -> PictureCorpus:
    """The corpus of an image float64[h, w] of any size: its middle square, in ``params.size`` rows
    and columns, black at its minimum and white at its maximum.

    Raises UserError if the square has only one brightness, or is the sum of one number for each row
    and one for each column, which the margins cancel.
    """
    found = PictureCorpus(grey_square(image, params.size, name), params)
    if np.ptp(found.pmi) < _FLAT * params.pmi_range:
        raise UserError(
            tr("{name} has no PMI: it only makes whole rows and columns brighter.", name=name),
            tr("PMI doesn’t depend on frequencies. Choose a picture with shapes."),
        )
    return found


def grey_square(image: Doubles, size: int, name: str) -> Doubles:
    """The middle square of an image, float64[size, size], 0 to 1. Raises UserError if it has only
    one brightness.
    """
    side = min(image.shape)
    top, left = ((length - side) // 2 for length in image.shape)
    middle = image[top : top + side, left : left + side]
    # Scale, because differences and sums of the largest numbers would overflow.
    largest = float(np.abs(middle).max())
    if largest > 1.0:
        middle = middle / largest
    grey = resize(middle, size)
    low, high = float(grey.min()), float(grey.max())
    if not high - low > 1e-9 * max(abs(low), abs(high), 1e-300):
        message = tr("{name} has the same brightness everywhere.", name=name)
        if image.min() < image.max():
            message = tr("The middle square of {name} has one brightness only.", name=name)
        raise UserError(message, tr("Choose a picture with light and dark parts."))
    return np.asarray((grey - low) / (high - low))


def resize(image: Doubles, size: int) -> Doubles:
    """A square image in another size: each new cell is the mean of the area that it covers."""
    if len(image) == size:
        return image
    shares = _area_shares(len(image), size)
    return np.asarray((shares @ (shares @ image).T).T)


def _area_shares(old: int, new: int) -> sp.csr_matrix:
    """float64[new, old], the share of each old cell in each new one; rows sum to 1."""
    edges = np.arange(new + 1) * (old / new)
    cells = np.arange(old)
    overlap = np.minimum(edges[1:, None], cells + 1) - np.maximum(edges[:-1, None], cells)
    overlap = np.maximum(overlap, 0.0)
    return sp.csr_matrix(overlap / overlap.sum(axis=1, keepdims=True))


def face(size: int) -> Doubles:
    """A drawing of a face, float64[size, size], 0 to 1."""
    return resize(sharp_face(8 * size), size)


def sharp_face(fine: int) -> Doubles:
    """The face, float64[fine, fine], without mixed cells at its edges."""
    down, across = (np.mgrid[0:fine, 0:fine] + 0.5) / fine
    drawn = np.full((fine, fine), 0.1)
    drawn[_disc(across - 0.5, down - 0.5, 0.44)] = 1.0
    for eye in (0.34, 0.66):
        drawn[_disc(across - eye, down - 0.38, 0.085)] = 0.0
    mouth = np.abs(np.hypot(across - 0.5, down - 0.5) - 0.27) < 0.04
    drawn[mouth & (down > 0.6)] = 0.0
    return drawn


def _disc(across: Doubles, down: Doubles, radius: float) -> Bools:
    return np.asarray(np.hypot(across, down) < radius)


def picture_size(words: Sequence[str]) -> int:
    """The size of the picture that a vocabulary of “r0”, “c0”, … belongs to; 0 if it isn’t one.

    Rare words may be missing.
    """
    if not 4 <= len(words) <= 2 * LARGEST:
        return 0
    places: dict[str, list[int]] = {"r": [], "c": []}
    for word in words:
        found = _NAME.fullmatch(word)
        if found is None:
            return 0
        places[found[1]].append(int(found[2]))
    if min(len(numbers) for numbers in places.values()) < 2:
        return 0
    size = 1 + max(max(numbers) for numbers in places.values())
    if size > LARGEST:
        return 0
    return size


def row_words(size: int) -> tuple[str, ...]:
    return tuple(f"r{number}" for number in range(size))


def column_words(size: int) -> tuple[str, ...]:
    return tuple(f"c{number}" for number in range(size))


def pmi_path(text: Path) -> Path:
    """The file beside a text that contains its PMI."""
    return text.with_name(text.stem + PMI_SUFFIX)


def saved_pmi(text: Path, size: int) -> Doubles | None:
    """PMI saved beside a text, float64[size, size]; None without a matching file."""
    try:
        found = np.load(pmi_path(text), allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if not isinstance(found, np.ndarray) or found.shape != (size, size):
        return None
    if found.dtype != np.float64 or not np.isfinite(found).all():
        return None
    return found
