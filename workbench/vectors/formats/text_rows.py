"""Rows of a word and d numbers: reading shared by the text formats, and checks of all formats."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Singles
from workbench.core.errors import NotEnoughMemory, UserError, shorten_text
from workbench.core.language import plural, tr
from workbench.core.machine.memory import free_memory
from workbench.corpus.ingest.document_stream import binary_kind
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.line_blocks import LineBlocks
from workbench.vectors.formats.memmap import finite_rows
from workbench.vectors.undecoded import (
    NAMELESS,
    NUMBERED,
    REPEATED,
    escaped,
    raw_words,
    texts_shown,
)

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANKS = b" \t\n\r\x0b\x0c"
# Maximum bytes of a word that is read or written.
LONGEST_WORD = 1_000_000
# Maximum numbers of a vector: a row takes some hundred megabytes while it is read. Extra memory per
# word, in bytes.
_MOST_NUMBERS, _PER_WORD = 1_000_000, 200
# Numbers from which a kernel parses faster than Python, even if it has to be loaded first.
MANY_NUMBERS = 5_000_000
# A word that ends in a number of a vector.
_LONGER = re.compile(r" -?\d+\.\d{3,}(?:[eE][-+]?\d+)?\Z")
# Rows that show whether a column contains whole numbers only.
_LOOK_AT = 1000
# How Deeplearning4j marks words in Base64.
_BASE64 = "B64:"
# A word beside a count or an id, and the minimum number of words that show it.
_NUMBERED = (re.compile(r"(.*\S)[ \t]+\d+", re.DOTALL), re.compile(r"\d+[ \t]+(\S.*)", re.DOTALL))
_FEWEST_NUMBERED = 5
_CHECK: ContextVar[Callable[[], None]] = ContextVar("check", default=lambda: None)
_DAMAGED = tr("The file is corrupt or in another format. Export it again.")


class Header(NamedTuple):
    """The first line of word2vec's formats: V words of d numbers."""

    size: int
    dim: int


def parse_header(line: bytes) -> Header | None:
    """V and d from a line ``V d``, or None if it is something else."""
    fields = line.removeprefix(BYTE_ORDER_MARK).split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) <= 40 for field in fields):
        return None
    return Header(int(fields[0]), int(fields[1]))


def read_header(
    file: BinaryIO, path: Path, least_row: int, per_number: int, limit: int = 0
) -> Header:
    """Read and check a header; ``least_row`` + d·``per_number`` is the minimum size of a row in
    bytes, ``limit`` the requested number of words (0: all).

    Raises UserError, before memory is allocated, if the file is too short for its header.
    """
    first = file.readline(200)
    header = parse_header(first)
    if header is None:
        raise _without_header(path, first)
    if header.size == 0 or header.dim == 0:
        raise UserError(
            tr(
                "The header of {name} specifies {words} of {dimensions}: there is nothing to read.",
                name=path.name,
                words=plural(header.size, "word"),
                dimensions=plural(header.dim, "dimension"),
            ),
            _DAMAGED,
        )
    left = path.stat().st_size - file.tell()
    if header.size * (least_row + header.dim * per_number) > left + 1:
        raise UserError(
            tr(
                "The header of {name} specifies {words} of {dimensions}, more than fit in its "
                "{bytes}: it is truncated or its header is wrong.",
                name=path.name,
                words=plural(header.size, "word"),
                dimensions=plural(header.dim, "dimension"),
                bytes=plural(left, "byte"),
            ),
            tr("Download or export the file again."),
        )
    prove_room(path, min(header.size, limit or header.size), header.dim)
    return header


def _without_header(path: Path, first: bytes) -> UserError:
    """The error for a file that begins with the line ``first``."""
    if not first:
        return UserError(
            tr("{name} is empty.", name=path.name), tr("Download or export the file again.")
        )
    hint = tr(
        "Choose a file in word2vec format. GloVe’s binary file doesn’t contain words: choose the "
        "text file that GloVe writes in the same folder."
    )
    if not binary_kind(first):
        hint = tr(
            "If the file is a text, train vectors on it; if it contains vectors in another format, "
            "give it the suffix of that format."
        )
    return UserError(
        tr(
            "{name} doesn’t start with a line “V d” (number of words, number of dimensions).",
            name=path.name,
        ),
        hint,
    )


def prove_room(path: Path, size: int, dim: int) -> None:
    """Raise UserError for implausibly long vectors, and NotEnoughMemory if memory is insufficient
    for ``size`` words.
    """
    if dim > _MOST_NUMBERS:
        raise UserError(
            tr(
                "{name} has vectors of {dim:,} dimensions, but the maximum is {most:,}.",
                name=path.name,
                dim=dim,
                most=_MOST_NUMBERS,
            ),
            tr("Choose a file of word vectors."),
        )
    needed, free = size * (4 * dim + _PER_WORD), free_memory()
    # A header with more rows than the file has is reported elsewhere.
    if needed > free and size * 2 * (dim + 1) <= path.stat().st_size:
        raise NotEnoughMemory(
            tr(
                "Not enough memory: the {size:,} words of {name} need {needed:.1f} GB, but only "
                "{free:.1f} GB is free.",
                size=size,
                name=path.name,
                needed=needed / 1e9,
                free=free / 1e9,
            ),
            tr(
                "Close other programs, or convert only the first words on a machine with more "
                "memory (--limit)."
            ),
        )


def parse_row(line: bytes, dim: int) -> tuple[bytes, list[float]] | None:
    """Word and numbers of a line, whose last d fields are the numbers; None if it isn’t such a row.

    Splits only at ASCII spaces, because words may contain other Unicode spaces, and also ASCII
    spaces inside. Spaces before the word aren't part of it.
    """
    if dim > len(line):
        # rsplit can’t count to larger numbers.
        return None
    fields = line.rsplit(None, dim)
    if len(fields) != dim + 1:
        return None
    try:
        return fields[0].lstrip(), list(map(float, fields[1:]))
    except ValueError:
        return None


def read_rows(
    file: BinaryIO, path: Path, dim: int, most: int, first_line: int
) -> tuple[list[str], Singles, npt.NDArray[np.int64]]:
    """Up to ``most`` further rows, each with its line number. Empty lines are skipped, and bytes of
    words that aren't UTF-8 become lone surrogates.

    A number is rounded to float64 and then to float32, as in numpy and gensim. Raises UserError
    naming the line that is not a word and d numbers.
    """
    words: list[str] = []
    vectors = np.empty((most, dim), dtype=np.float32)
    lines = np.empty(most, dtype=np.int64)
    longest = LONGEST_WORD + 64 * dim
    number = first_line - 1
    blocks = LineBlocks(file, dim) if most * dim >= MANY_NUMBERS else None
    # A number beyond float32 becomes infinite here, and the check of the table rejects it.
    with np.errstate(over="ignore"):
        while len(words) < most:
            if blocks is not None:
                found = blocks.parse(vectors, len(words))
                if found:
                    stop = number + len(found)
                    lines[len(words) :][: len(found)] = np.arange(number + 1, stop + 1)
                    number = stop
                    words += found
                    continue
            line = (blocks or file).readline(longest)
            if not line:
                break
            number += 1
            row = parse_row(line, dim)
            if row is None and line[:1] in (b" ", b"\t"):
                # A row whose word is empty.
                row = parse_row(b"." + line, dim)
                row = row and (b"", row[1])
            if row is None:
                if not line.strip():
                    continue
                raise _misfit(path, number, dim, line)
            lines[len(words)] = number
            vectors[len(words)] = row[1]
            words.append(escaped(row[0]))
    if blocks is not None:
        blocks.leave()
    longer = [at for at, word in enumerate(words) if " " in word and _LONGER.search(word)]
    if 0 < 2 * len(longer) <= len(words):
        raise _too_long(path, int(lines[longer[0]]), dim, words[longer[0]])
    return words, vectors[: len(words)], lines[: len(words)]


def row_error(
    path: Path, number: int, dim: int, word: str, cells: Sequence[str], comma: bool = False
) -> UserError:
    """The error for a line whose ``word`` isn't followed by d numbers but by ``cells``."""
    wanted, hint = _numbers(dim), tr("Correct or remove the line, or export the file again.")
    wrong = [cell for cell in cells if not _is_number(cell.replace(",", ".") if comma else cell)]
    if len(cells) == dim and "" in wrong:
        return UserError(
            tr(
                "{name}, line {number:,}: expected a word followed by {dim}, but one of them is "
                "missing.",
                name=path.name,
                number=number,
                dim=wanted,
            ),
            hint,
        )
    if len(cells) == dim and wrong:
        return UserError(
            tr(
                "{name}, line {number:,}: expected a word followed by {dim}, but “{wrong}” isn’t a "
                "number.",
                name=path.name,
                number=number,
                dim=wanted,
                wrong=shorten_text(wrong[0], 40),
            ),
            hint,
        )
    return UserError(
        tr(
            "{name}, line {number:,}: expected a word followed by {dim}, but “{word}” has {count}.",
            name=path.name,
            number=number,
            dim=wanted,
            word=shorten_text(word, 40),
            count=_numbers(len(cells) - len(wrong)),
        ),
        hint,
    )


def _too_long(path: Path, number: int, dim: int, word: str) -> UserError:
    """The error for a row whose ``word`` ends in numbers that are as exact as those of a vector."""
    first, *rest = word.split()
    cells = [first, *rest]
    while rest and _is_number(rest[-1]):
        rest.pop()
    further = len(cells) - 1 - len(rest)
    return row_error(path, number, dim, " ".join([first, *rest]), ["0"] * (dim + further))


def _misfit(path: Path, number: int, dim: int, line: bytes) -> UserError:
    fields = escaped(line).encode("utf-8", "replace").decode().split()
    word, cells = fields[:1], fields[1:]
    if len(cells) > dim:
        word, cells = fields[:-dim], fields[-dim:]
    return row_error(path, number, dim, " ".join(word), cells)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def whole_column(table: Singles) -> int:
    """The first column of whole numbers beside more columns of decimals, which may not be a
    dimension, from the first rows; -1 without such a column.
    """
    table = table[:_LOOK_AT]
    if len(table) < 3:
        return -1
    whole = (table == np.floor(table)).all(axis=0) & (np.abs(table) > 1).any(axis=0)
    if not whole.any() or 2 * int(np.count_nonzero(whole)) > table.shape[1]:
        return -1
    return int(np.argmax(whole))


def words_end_in_numbers(words: Sequence[str], vectors: Singles) -> bool:
    """Whether the words of all rows end in a number, so that a vector has more numbers than its
    header says.

    Integers after words, as in “chapter 2”, are part of the words if the vectors aren't integers.
    """
    integers = True
    for word in words:
        raw = word.encode("utf-8", "surrogateescape")
        if parse_row(raw, 1) is None:
            return False
        integers = integers and raw.rsplit(None, 1)[-1].isdigit()
    return bool(words) and not (integers and bool((vectors != np.floor(vectors)).any()))


def without_numbers(words: Sequence[str]) -> list[str] | None:
    """The words without a column of counts or ids before or after them; None without such a column.

    Words that a table counts differ without their numbers, unlike “chapter 1” and “chapter 2”.
    """
    if len(words) >= _FEWEST_NUMBERED:
        for pattern in _NUMBERED:
            alone = [row[1] for row in map(pattern.fullmatch, words[:_FEWEST_NUMBERED]) if row]
            if len(alone) == _FEWEST_NUMBERED:
                alone = [row[1] for row in map(pattern.fullmatch, words) if row]
            if len(alone) == len(words) == len(set(alone)):
                return alone
    return None


def checked_embeddings(
    path: Path,
    raw: Sequence[str],
    vectors: Singles | sp.csr_matrix,
    place: str,
    places: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64] | None = None,
    columns: bool = False,
    finite: bool = False,
) -> Embeddings:
    """Embeddings from rows as read; ``places`` numbers each row's ``place`` ("line", "word"), and
    ``counts`` are those of the rows. ``columns``: numbers that accompany all words are a column of
    the file, which is left out (``metadata["column_beside_words"]``). ``finite``: all numbers are
    known to be finite.

    Bytes that are not UTF-8, lone surrogates in ``raw``, are displayed as text
    (:mod:`workbench.vectors.undecoded`), so that different words stay different. For a word that
    occurs twice, the first row is used, as in gensim, and the others are counted
    (``metadata["repeated_rows"]``), as are rows whose word is empty
    (``metadata["rows_without_word"]``). Raises UserError for NaN and infinite numbers, and if no
    row has a word.
    """
    if columns and raw and all(word.startswith(_BASE64) for word in raw):
        raw = [_from_base64(word) for word in raw]
    named = np.fromiter(map(bool, raw), np.bool_, len(raw))
    nameless = len(raw) - int(np.count_nonzero(named))
    if nameless == len(raw):
        raise UserError(tr("{name} doesn’t contain words.", name=path.name), _DAMAGED)
    if nameless:
        raw = [word for word in raw if word]
        vectors, places = vectors[named], places[named]
        counts = None if counts is None else counts[named]
    numbered = without_numbers(raw) if columns else None
    words, undecoded = texts_shown(numbered or raw)
    sound = np.ones(0, np.bool_) if finite else finite_rows(vectors)
    if not sound.all():
        bad = int(np.argmin(sound))
        raise UserError(
            tr(
                "{name}, {place}: the vector of “{word}” contains NaN or an infinite number.",
                name=path.name,
                place=_place_label(place, int(places[bad])),
                word=words[bad],
            ),
            tr("Train or export the vectors again. Training may have diverged."),
        )
    metadata: dict[str, object] = {"file": path.name, **undecoded}
    if numbered:
        metadata[NUMBERED] = True
    if nameless:
        metadata[NAMELESS] = nameless
    kept = first_rows(words)
    if len(kept) < len(words):
        metadata[REPEATED] = len(words) - len(kept)
        words = [words[row] for row in kept.tolist()]
        vectors = vectors[kept]
        counts = None if counts is None else counts[kept]
    return Embeddings(words, vectors, counts=counts, metadata=metadata)


def _from_base64(word: str) -> str:
    """A word that Deeplearning4j encoded."""
    with suppress(ValueError):
        return base64.b64decode(word[len(_BASE64) :], validate=True).decode("utf-8")
    return word


def first_rows(words: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """The rows of the first occurrence of each word."""
    # Hashes that all differ need less memory than a dictionary of the words.
    hashes = np.fromiter(map(hash, words), np.int64, len(words))
    hashes.sort()
    if not bool((hashes[1:] == hashes[:-1]).any()):
        return np.arange(len(words))
    first: dict[Hashable, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word, row)
    return np.fromiter(first.values(), np.int64, len(first))


@contextmanager
def cancellable_writing(check: Callable[[], None]) -> Iterator[None]:
    """Call ``check`` between blocks of rows that are written within the context; an exception from
    it ends writing.

    Formats have no parameter for this, because most of them write a few arrays, each at once.
    """
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def check_cancelled() -> None:
    """End the writing of rows if it was cancelled."""
    _CHECK.get()()


def write_rows(file: BinaryIO, embeddings: Embeddings) -> None:
    """Write one line per word; nine significant digits represent every float32 exactly."""
    vectors = np.asarray(embeddings.vectors, dtype=np.float32)
    words = [word.decode("utf-8", "surrogateescape") for word in raw_words(embeddings)]
    pattern = "%s" + " %.9g" * embeddings.dim + "\n"
    step = 1024
    for start in range(0, len(embeddings), step):
        check_cancelled()
        block = vectors[start : start + step].tolist()
        text = "".join(
            pattern % (word, *row)
            for word, row in zip(words[start : start + step], block, strict=True)
        )
        file.write(text.encode("utf-8", "surrogateescape"))


def cannot_hold(
    title: str, embeddings: Embeddings, inner_blanks: bool = True, outer_blanks: bool = False
) -> str | None:
    """Why rows of a word and numbers can't represent these embeddings, or None.

    ``inner_blanks``, ``outer_blanks``: words may contain spaces, and may start or end with them.
    """
    if embeddings.sparse:
        return tr(
            "{title} can’t store sparse vectors ({dim:,} dimensions, most of them 0). "
            "Train svd for dense vectors.",
            title=title,
            dim=embeddings.dim,
        )
    blanks = _BLANKS.decode()
    for word in embeddings.words:
        ends = (
            not word
            or "\n" in word
            or (not outer_blanks and (word[0] in blanks or word[-1] in blanks))
        )
        if ends or (not inner_blanks and " " in word):
            return tr(
                "{title} can’t store the word “{word}”, because it contains spaces.",
                title=title,
                word=word,
            )
        if not word.isascii() and any("\ud800" <= character <= "\udfff" for character in word):
            return tr(
                "{title} can’t store {word!r}: it contains invalid Unicode.",
                title=title,
                word=word,
            )
        if 4 * len(word) > LONGEST_WORD and len(word.encode("utf-8")) > LONGEST_WORD:
            return tr(
                "{title} can’t store the word “{start}…”, because it is longer than "
                "{most:,} bytes.",
                title=title,
                start=word[:40],
                most=LONGEST_WORD,
            )
    return None


def _numbers(dim: int) -> str:
    return plural(dim, "number")


def _place_label(kind: str, number: int) -> str:
    if kind == "line":
        return tr("line {number:,}", number=number)
    return tr("word {number:,}", number=number)
