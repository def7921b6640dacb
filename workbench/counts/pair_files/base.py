"""Counts of pairs as files contain them, and what all readers of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.machine.memory import free_memory
from workbench.core.text.text_files import cannot_read

# Memory of reading a file, as a multiple of its size, and the maximum share of the free memory.
_TIMES, _SHARE = 6, 0.8


@dataclass(frozen=True, eq=False)
class PairTable:
    """Counts of pairs.

    matrix : CSR float64[V, C], equal pairs added up, every cell above 0
    words : V distinct strings, of the rows; contexts : C distinct strings, of the columns
    counts : int64[V], frequencies of the words, None: the sums of the rows
    """

    matrix: sp.csr_matrix
    words: Sequence[str]
    contexts: Sequence[str]
    counts: Ints | None = None


def prove_room(path: Path) -> None:
    """Raise UserError for a file that is missing, or too large to be read in memory."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise cannot_read(path, error) from error
    free = free_memory()
    if _TIMES * size > _SHARE * free:
        raise UserError(
            tr(
                "Not enough memory: reading {name} needs about {needed:.1f} GB, but only "
                "{free:.1f} GB is free.",
                name=path.name,
                needed=_TIMES * size / 1e9,
                free=free / 1e9,
            ),
            tr("Leave out rare words and contexts in the file."),
        )


def read_words(path: Path) -> list[str]:
    """The lines of a list of words, without empty lines at its end. Raises UserError."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise bad_line(path, error.object[: error.start].count(b"\n") + 1, not_utf8()) from error
    except OSError as error:
        raise cannot_read(path, error) from error
    lines = [line.removesuffix("\r") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def bad_line(path: Path, number: int, reason: str) -> UserError:
    """The error for a line of a file that can't be read, with the reason in a phrase."""
    return UserError(
        tr("{name}, line {number:,}: {reason}.", name=path.name, number=number, reason=reason),
        tr("Write a word, a context and a count in each line, separated by tabs."),
    )


def not_utf8() -> str:
    return tr("the text isn’t UTF-8")


def prove_distinct(path: Path, words: Sequence[str]) -> None:
    """Raise UserError for a word that occurs twice in a list, or is empty."""
    seen: dict[str, int] = {}
    for number, word in enumerate(words, 1):
        if not word or seen.setdefault(word, number) != number:
            raise UserError(
                tr("{name}, line {number:,} is empty.", name=path.name, number=number)
                if not word
                else tr(
                    "{name}: “{word}” is in lines {first:,} and {number:,}.",
                    name=path.name,
                    word=word,
                    first=seen[word],
                    number=number,
                ),
                tr("List every word once, in the order of the rows."),
            )


def canonical(
    rows: npt.ArrayLike, columns: npt.ArrayLike, values: npt.ArrayLike, shape: tuple[int, int]
) -> sp.csr_matrix:
    """CSR float64 of these cells; those of equal pairs are added up."""
    triple = (
        np.asarray(values, dtype=np.float64),
        (np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)),
    )
    matrix = sp.csr_matrix(sp.coo_matrix(triple, shape=shape))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix
