"""Binary format of the GloVe program: a file of cells and a text file of words.

A cell is two int32, the numbers of word and context from 1 on, and a float64, the count;
little-endian (cooccur.c and glove.c, version 1.2). The vocabulary has a line “word count” for each
word, most frequent first. Cells are written in a scattered order, as by shuffle.c: in the order of
rows, training would learn each word at once and then spoil it with all others.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.core.atomic import replacing
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.counts.formats.base import CountFormat, CountTable

CELL = np.dtype([("word", "<i4"), ("context", "<i4"), ("count", "<f8")])
_BLOCK = 1 << 20
# Maximum length of a word for the program's reader, in bytes.
_LONGEST_WORD = 1000
_GOLDEN = 0.618_033_988_749_894_8


class GloveBinary(CountFormat):
    """``X.bin`` with ``X.vocab.txt``; needs no further memory besides the counts."""

    key = "glove"
    title = tr("GloVe’s cells")
    suffixes = (".bin",)
    order = 20

    @classmethod
    def beside(cls, path: Path) -> tuple[Path, ...]:
        return (path.with_suffix(".vocab.txt"),)

    @classmethod
    def holds(cls, counted: CountTable) -> str | None:
        for word in counted.words:
            if (
                not word
                or word.split() != [word]
                or "\0" in word
                or len(word.encode("utf-8", "replace")) > _LONGEST_WORD
            ):
                return tr(
                    "GloVe’s C code can’t read the word “{word}”: it contains spaces, or "
                    "is too long.",
                    word=word[:40],
                )
        return None

    @classmethod
    def write(cls, path: Path, counted: CountTable, run: JobControl) -> None:
        matrix, size = counted.matrix, counted.matrix.nnz
        with replacing(path) as part, part.open("wb") as file:
            for start in range(0, size, _BLOCK):
                run.check()
                run.advance(start / size, tr("Writing the cells"))
                places = scattered_places(size, start, min(start + _BLOCK, size))
                cells = np.empty(len(places), dtype=CELL)
                cells["word"] = np.searchsorted(matrix.indptr, places, side="right")
                cells["context"] = matrix.indices[places] + 1
                cells["count"] = matrix.data[places]
                # numpy's tofile doesn’t report the reason of a failure.
                file.write(np.ascontiguousarray(cells).reshape(-1).view(np.uint8).data)
        (vocabulary,) = cls.beside(path)
        with replacing(vocabulary) as part, part.open("w", encoding="utf-8", newline="") as file:
            pairs = zip(counted.words, counted.counts.tolist(), strict=True)
            file.writelines(f"{word} {count}\n" for word, count in pairs)


def scattered_places(size: int, start: int, stop: int) -> npt.NDArray[np.int64]:
    """Elements start..stop − 1 of an order of 0..size − 1 in which neighbours come from everywhere.

    Steps of the golden section go round the table and visit every cell once; the cells of a block
    are then shuffled. Deterministic.
    """
    step = max(1, round(_GOLDEN * size))
    while np.gcd(step, size) != 1:
        step += 1
    # In Python's integers, which do not overflow, up to the block's first place.
    first = start * step % size
    places = (first + np.arange(stop - start, dtype=np.int64) * (step % size)) % size
    np.random.default_rng(start).shuffle(places)
    return places
