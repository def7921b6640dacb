"""Text by the law of Zipf and Mandelbrot, generated on the fly: ``python
tests/benchmarks/zipf_mandelbrot.py TOKENS``.

    python tests/benchmarks/zipf_mandelbrot.py TOKENS [--types 1000000] [--exponent 1.0] [--shift
    2.7] [--seed 1]
        [--to FILE]

Tokens are drawn independently: the word of rank r = 1..types has a probability proportional to (r +
q)^−s (Mandelbrot 1953; q = 2.7 is the shift, s the exponent). There are 24 tokens to a line. A word
is its rank written with the letters a to z, so that frequent words are short. The text goes to
stdout, to a file or into a named pipe, in blocks, and is always the same for the same seed. The
workbench reads a pipe like any other text (``workbench train <(python
tests/benchmarks/zipf_mandelbrot.py 1e9)``), so a billion tokens need no space as text.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.counts.sampling import AliasTable, alias_table

# Words per line, and tokens drawn at a time: a few hundred kilobytes, which stay in the cache.
LINE = 24
_BLOCK = LINE << 12
# Bytes per word, including the space after it.
_WIDTH = 8


class ZipfMandelbrot:
    """A source of tokens. Raises ValueError for more types than words of seven letters."""

    def __init__(
        self, types: int, exponent: float = 1.0, shift: float = 2.7, seed: int = 1
    ) -> None:
        self.types = types
        self._table: AliasTable = alias_table(probabilities(types, exponent, shift))
        self._spelled = spellings(types)
        self._bits = np.random.SFC64(seed)

    def ranks(self, tokens: int) -> Iterator[npt.NDArray[np.intp]]:
        """The next ``tokens`` words as ranks from 0 on, in blocks."""
        columns = self._table.columns
        half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
        for first in range(0, tokens, _BLOCK):
            draws = self._bits.random_raw(min(_BLOCK, tokens - first))
            column = ((draws >> half) * np.uint64(self.types)) >> half
            entries = columns.take(column.view(np.int64))
            numbers = np.where((draws & low) < (entries >> half), column, entries & low)
            yield numbers.view(np.int64)

    def text(self, tokens: int) -> Iterator[bytes]:
        """The next ``tokens`` words as text, in blocks; the last line ends with a newline, too."""
        for ranks in self.ranks(tokens):
            block = self._spelled.take(ranks)
            # The character after the last letter: a space, or a newline at the end of a line.
            letters = block.view(np.uint8).reshape(-1, _WIDTH)
            letters[LINE - 1 :: LINE, _WIDTH - 1] = letters[-1, _WIDTH - 1] = ord("\n")
            yield letters.tobytes().translate(None, b"\0")


def probabilities(types: int, exponent: float = 1.0, shift: float = 2.7) -> npt.NDArray[np.float64]:
    """Probabilities float64[types], decreasing, with sum 1."""
    weights = (np.arange(1, types + 1) + shift) ** -exponent
    return np.asarray(weights / weights.sum())


def spellings(types: int) -> npt.NDArray[np.uint64]:
    """The words of ranks 0..types − 1 as eight bytes each: a, b, ... z, aa, ab, ..., then zeros and
    a space.
    """
    letters = np.zeros((types, _WIDTH), dtype=np.uint8)
    letters[:, -1] = ord(" ")
    first, size = 0, 1
    while first < types:
        if size == _WIDTH:
            raise ValueError(f"There are no {types:,} words of seven letters.")
        numbers = np.arange(min(26**size, types - first))
        for place in range(size - 1, -1, -1):
            letters[first : first + len(numbers), place] = ord("a") + numbers % 26
            numbers //= 26
        first += 26**size
        size += 1
    return letters.view(np.uint64).ravel()


def main() -> None:
    parser = argparse.ArgumentParser(description="Text by the law of Zipf and Mandelbrot.")
    parser.add_argument("tokens", type=float)
    parser.add_argument("--types", type=float, default=1e6)
    parser.add_argument("--exponent", type=float, default=1.0)
    parser.add_argument("--shift", type=float, default=2.7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, help="in place of stdout")
    options = parser.parse_args()
    source = ZipfMandelbrot(int(options.types), options.exponent, options.shift, options.seed)
    # The reader may stop before the end.
    with (
        contextlib.suppress(BrokenPipeError),
        options.to.open("wb") if options.to else sys.stdout.buffer as target,
    ):
        for block in source.text(int(options.tokens)):
            target.write(block)


if __name__ == "__main__":
    main()
