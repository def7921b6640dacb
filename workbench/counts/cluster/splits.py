"""Division of a corpus into portions of about equal size that can be read independently.

Plain text in UTF-8 is cut at the first line end at or after every multiple of the portion's size,
or, if sentences span lines, at an empty line. The reader of a portion finds both cuts by itself, so
nothing is read beforehand. Other files (compressed, archives, tables, other encodings) are read as
a whole; small files share a portion.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import digits, tr
from workbench.core.param_labels import quoted_param
from workbench.core.text.encodings import UTF8, EncodingDecision, Findings, decode_blocks
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.decompression import HEAD, Budget, decompress, is_tar
from workbench.corpus.ingest.document_stream import reader_of, texts
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.readers import Document, not_text
from workbench.corpus.readers.base import BLOCK
from workbench.corpus.readers.safe_xml import root_element
from workbench.corpus.tokenise.line_tokeniser import Piece as Numbers
from workbench.corpus.tokenise.line_tokeniser import TooSlowLine
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.counts.cluster.inputs import UNKNOWN, Input, head_of, open_input

# Maximum number of parts: their tasks take time and memory of the scheduler.
MOST_PARTS = 50_000
# Maximum bytes that a worker searches for a line end.
_LOOK = 1 << 22
_LINE = re.compile(rb"\n")
_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")


class NotAsItBegan(Exception):
    """A file begins in ASCII and continues in an encoding other than UTF-8, so it must be read as a
    whole.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


@dataclass(frozen=True)
class Stretch:
    """Bytes ``begin`` to ``end`` of a file, before cuts are moved to line ends; ``whole``: the
    whole file, of any kind.

    ``certain``: it is known to be in UTF-8; otherwise its beginning is ASCII.
    """

    input: Input
    begin: int
    end: int
    whole: bool
    certain: bool = False


@dataclass(frozen=True)
class TextSplit:
    """Part of the corpus for one task: ``stretches`` in the order of the corpus; ``size`` in bytes
    as stored.
    """

    number: int
    stretches: tuple[Stretch, ...]

    @property
    def size(self) -> int:
        return sum(0 if each.end >= UNKNOWN else each.end - each.begin for each in self.stretches)


def divide(
    inputs: Sequence[Input],
    options: CorpusOptions,
    size: int,
    run: JobControl,
    uncut: Iterable[str] = (),
) -> tuple[TextSplit, ...]:
    """Divide the corpus into parts of about ``size`` bytes, without cutting the files in ``uncut``.

    Reads only the beginnings of large files. Raises UserError, also for more than ``MOST_PARTS``
    parts, and Cancelled.
    """
    total = sum(given.size for given in inputs if given.size < UNKNOWN)
    if total > size * MOST_PARTS:
        raise UserError(
            tr(
                "The corpus would have about {parts:,} partitions, but the maximum is {most:,}.",
                parts=total // size,
                most=MOST_PARTS,
            ),
            tr(
                "Set {partition} to at least {size} MB.",
                partition=quoted_param("partition"),
                size=digits(_rounded_up(total / MOST_PARTS / 2**20)),
            ),
        )
    groups: list[list[Stretch]] = [[]]
    room = size
    kept_whole = frozenset(uncut)
    for given in inputs:
        run.check()
        certain = None
        if given.size > size and given.path not in kept_whole:
            certain = _cuttable(given, options)
        if certain is None:
            stretches = [Stretch(given, 0, given.size, whole=True)]
        else:
            # Equal portions, because a short last one would leave workers idle.
            count = -(-given.size // size)
            bounds = [given.size * number // count for number in range(count + 1)]
            stretches = [
                Stretch(given, low, high, False, certain) for low, high in pairwise(bounds)
            ]
        for stretch in stretches:
            length = stretch.end - stretch.begin
            if groups[-1] and length > room:
                groups.append([])
                room = size
            groups[-1].append(stretch)
            room -= length
    return tuple(TextSplit(number, tuple(group)) for number, group in enumerate(groups))


def _rounded_up(size: float) -> str:
    """A number of at most two digits that isn't less: 0.0113 is "0.012"."""
    digits = 1 - math.floor(math.log10(size))
    return f"{math.ceil(size * 10**digits) / 10**digits:.{max(digits, 0)}f}"


def number_part(
    part: TextSplit,
    options: CorpusOptions,
    run: JobControl,
    take: Callable[[Numbers], None],
    again: Callable[[], None],
) -> Numbering:
    """Number the tokens of a part; ``take`` is called with the results of ``Numbering.feed``.

    ``again`` is called if the text so far is invalid and is read again from the start, because it
    isn’t all in UTF-8. Raises UserError, NotAsItBegan and Cancelled.
    """
    try:
        return _encode_split(part, options, run, take, checked=False)
    except NotUtf8:
        again()
        return _encode_split(part, options, run, take, checked=True)


def blocks_of(stretch: Stretch, options: CorpusOptions) -> Iterator[tuple[bytes, int]]:
    """The text of a stretch in blocks, each with the number of bytes of the file read so far.
    Raises UserError.
    """
    with open_input(stretch.input) as file:
        begin: int | None = None
        for blocks in _texts(stretch, file, options, checked=False):
            for block in blocks:
                begin = (
                    file.tell() - len(block) if begin is None and not stretch.whole else begin or 0
                )
                yield block, file.tell() - begin


def _encode_split(
    part: TextSplit,
    options: CorpusOptions,
    run: JobControl,
    take: Callable[[Numbers], None],
    *,
    checked: bool,
) -> Numbering:
    numbering = Numbering(options)
    for stretch in part.stretches:
        try:
            with open_input(stretch.input) as file:
                for blocks in _texts(stretch, file, options, checked):
                    for block in blocks:
                        for piece in numbering.feed(block):
                            run.check()
                            take(piece)
                    for piece in numbering.feed(b"", final=True):
                        take(piece)
        except TooSlowLine as error:
            raise error.to_user_error(stretch.input.shown) from error
        except NotUtf8:
            if not stretch.whole and not stretch.certain:
                raise NotAsItBegan(stretch.input.path) from None
            raise
    return numbering


def _texts(
    stretch: Stretch, file: IO[bytes], options: CorpusOptions, checked: bool
) -> Iterator[Iterable[bytes]]:
    if stretch.whole:
        # Each part would pass over files on its own, without a report.
        options = options.replace(unreadable="stop")
        for text in texts(stretch.input.source(), file, options, checked):
            yield text.blocks
        return
    blocks = _cut_out(stretch, file, _pattern(options))
    if checked and stretch.certain:
        yield (
            text.encode(errors="replace")
            for text in decode_blocks(blocks, EncodingDecision(UTF8), Findings())
        )
    else:
        yield _without_zeros(blocks, stretch.input.shown)


def _without_zeros(blocks: Iterator[bytes], shown: str) -> Iterator[bytes]:
    for block in blocks:
        if b"\0" in block:
            raise not_text(shown, tr("binary data (there are zero bytes)"))
        yield block


def _cut_out(stretch: Stretch, file: IO[bytes], pattern: re.Pattern[bytes]) -> Iterator[bytes]:
    """The bytes from the first cut at or after ``begin`` to the first at or after ``end``."""
    size = stretch.input.size
    at = _cut(file, stretch.begin, size, pattern)
    end = _cut(file, stretch.end, size, pattern)
    if at == 0:
        at = min(_mark(file), end)
    file.seek(at)
    while at < end:
        block = file.read(min(BLOCK, end - at))
        if not block:
            raise UserError(
                tr("{shown} was truncated while it was read.", shown=stretch.input.shown),
                tr("Count the text again."),
            )
        at += len(block)
        yield block


def _mark(file: IO[bytes]) -> int:
    """Number of bytes of a byte order mark, 0 without one."""
    file.seek(0)
    if file.read(3) == b"\xef\xbb\xbf":
        return 3
    return 0


def _cut(file: IO[bytes], place: int, size: int, pattern: re.Pattern[bytes]) -> int:
    """The end of the first match of ``pattern`` that begins at ``place`` − 1 or later, else the
    size of the file.
    """
    if place <= 0 or place >= size:
        return min(max(place, 0), size)
    at = place - 1
    file.seek(at)
    carry = b""
    while at < size and (block := file.read(min(BLOCK, size - at))):
        at += len(block)
        data = carry + block
        match = pattern.search(data)
        if match is not None:
            return at - len(data) + match.end()
        # A match that continues in the next block starts at the last line end before spaces.
        last = data.rfind(b"\n")
        carry = data[last:] if last >= 0 and not data[last:].strip() else b""
    return size


def _pattern(options: CorpusOptions) -> re.Pattern[bytes]:
    if options.sentences == "lines":
        return _LINE
    return _BLANK_LINE


def _cuttable(given: Input, options: CorpusOptions) -> bool | None:
    """Whether a file is known to be in UTF-8, None if it must not be cut."""
    # The beginning of a file decides how all its sentences end.
    if options.sentences in ("none", "auto") or given.size >= UNKNOWN:
        return None
    head = head_of(given, HEAD)
    stream = io.BytesIO(head)
    first, rest = decompress(stream, Budget(given.shown, given.size))
    if rest is not stream or is_tar(first) or head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None
    document = Document(
        given.shown, given.source().path.name, given.size, first, rest, options, False
    )
    decided = document.decide()
    if reader_of(document).key != "plain" or decided.codec != UTF8:
        return None
    if root_element(first, document.short) is not None:
        return None  # the reader refuses it
    if (
        b"\0" in head
        or _pattern(options).search(head if b"\n" in head else head_of(given, _LOOK)) is None
    ):
        return None
    return not decided.open
