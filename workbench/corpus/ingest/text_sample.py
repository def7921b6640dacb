"""Inspection of the beginning of files before they are read: a sample of their text, the columns of
tables, and whether lines are wrapped at a fixed width.

In a wrapped text, such as most plain-text books, every line but the last of a paragraph is as long
as possible: the first word of the next line would not have fitted. Lines that are sentences,
verses, or entries of a log have various lengths, or begin with the same word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from workbench.core.encodings import encoding_name
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.decompression import Budget, archive_errors, decompress
from workbench.corpus.ingest.document_stream import reader_of, texts
from workbench.corpus.ingest.file_discovery import FoundFile, gather
from workbench.corpus.readers.base import ColumnPreview, Document

# Longest word that is not cut.
LONGEST = 1200
_SAMPLE, _WRAPPING_SAMPLE = 1 << 20, 1 << 18
_FEWEST = 40
_NARROWEST, _WIDEST = 45, 160
# Criteria for a wrapped text, as shares of the lines that another line follows: minimum shares of
# lines that are full, that continue in the next one, and that don’t end a sentence; maximum share
# that begins with the same word.
_FULL, _GOING_ON, _UNFINISHED, _SAME = 0.65, 0.3, 0.5, 0.2
_ENDS = (
    ".",
    "!",
    "?",
    "…",
    ":",
    ";",
    '."',
    '!"',
    '?"',
    ".”",
    "!”",
    "?”",
    ".’",
    "!’",
    "?’",
    ".)",
    "۔",
    "।",
)


@dataclass(frozen=True)
class TextSample:
    """The first text of a corpus in UTF-8, by file; ``whole`` if it is the whole text."""

    parts: tuple[bytes, ...]
    shown: str
    whole: bool

    @property
    def size(self) -> int:
        return sum(map(len, self.parts))


def take_sample(
    paths: Sequence[str | Path],
    options: CorpusOptions,
    run: JobControl | None = None,
    size: int = _SAMPLE,
) -> TextSample:
    """The first ``size`` bytes of the text of a corpus. Raises UserError and Cancelled."""
    return _sample(gather(paths, options), options, run, size)


def _sample(
    sources: Sequence[FoundFile], options: CorpusOptions, run: JobControl | None, size: int
) -> TextSample:
    run = run or JobControl()
    parts: list[bytes] = []
    shown = ""
    left = size
    for source in sources:
        if source.piped:
            raise UserError(
                tr("Couldn’t preview {shown}: a pipe can be read only once.", shown=source.shown),
                tr("Open the text without a preview."),
            )
        with source.path.open("rb") as file:
            for text in texts(source, file, options):
                if text.left_out:
                    continue
                shown = shown or text.shown
                part = bytearray()
                for block in text.blocks:
                    run.check()
                    part += block
                    if len(part) > left:
                        parts.append(_whole_words(bytes(part[:left])))
                        return TextSample(tuple(parts), shown, False)
                parts.append(bytes(part))
                left -= len(part)
    return TextSample(tuple(parts), shown, True)


def _whole_words(data: bytes) -> bytes:
    """Remove the word at the end: if cut, it might be another word, which isn't in the text. Text
    without spaces only loses an incomplete character.
    """
    at = max(data.rfind(space) for space in (b" ", b"\n", b"\r", b"\t"))
    if at >= max(len(data) - LONGEST, 0):
        return data[: at + 1]
    return whole_characters(data)


def whole_characters(data: bytes) -> bytes:
    """Remove an incomplete character at the end."""
    if data:
        return data.decode(errors="ignore").encode()
    return data


# -- columns


@dataclass(frozen=True)
class Columns:
    """The columns of a file, with its first rows; ``text_column`` is the one with the longest
    text.
    """

    path: str
    kind: str
    encoding: str
    preview: ColumnPreview

    @property
    def names(self) -> tuple[str, ...]:
        return self.preview.names

    @property
    def text_column(self) -> int:
        return self.preview.text_column


def columns(path: str | Path, options: CorpusOptions | None = None) -> Columns | None:
    """The columns of a table or of JSON objects, perhaps compressed; None for other files. Reads
    only the beginning.

    Raises UserError if the file cannot be read.
    """
    path = Path(path)
    if not path.is_file():
        return None
    size = path.stat().st_size
    with archive_errors(path.name), path.open("rb") as file:
        head, rest = decompress(file, Budget(path.name, size))
        document = Document(path.name, path.name, size, head, rest, options or CorpusOptions())
        kind = reader_of(document)
        found = None
        if kind.columns and head:
            found = kind.preview(document)
        if found is None:
            return None
        return Columns(str(path), kind.title, encoding_name(document.decide().codec), found)


def ask_for(paths: list[str], options: CorpusOptions) -> Columns | None:
    """The columns of the first file to open that has several, if no column was chosen. Raises
    UserError.
    """
    if options.column:
        return None
    for path in paths:
        found = columns(path, options)
        if found is not None and len(found.names) > 1:
            return found
    return None


# -- wrapped lines


def unwrap_options(
    sources: Sequence[FoundFile], options: CorpusOptions, run: JobControl | None = None
) -> CorpusOptions:
    """``options`` with sentences split by punctuation instead of lines, if a text is wrapped.
    Raises UserError and Cancelled.
    """
    if options.sentences != "lines" or any(source.piped for source in sources):
        return options
    sample = _sample(sources, options, run, _WRAPPING_SAMPLE)
    text = b"\n".join(sample.parts).decode(errors="replace")
    if is_wrapped(text):
        return options.replace(sentences="punctuation")
    return options


def is_wrapped(text: str) -> bool:
    """Whether most lines of a text are full."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # An indented line begins a paragraph, like a line after an empty one.
    followed = [
        (one.rstrip(), two)
        for one, two in pairwise(lines)
        if one.strip() and two.strip() and two[0] not in " \t"
    ]
    if len(followed) < _FEWEST or 2 * len(followed) < sum(map(bool, map(str.strip, lines))):
        return False
    width = sorted(len(one) for one, _ in followed)[int(0.9 * len(followed))]
    words = sum(len(one.split()) for one, _ in followed)
    # Scripts without spaces have no words that could be too long for a line.
    if not _NARROWEST <= width <= _WIDEST or words < 4 * len(followed):
        return False
    begins = Counter(two.split(None, 1)[0] for _, two in followed)
    full = sum(len(one) + 1 + len(two.split(None, 1)[0]) > width for one, two in followed)
    going_on = sum(two[0].isalpha() and not two[0].isupper() for _, two in followed)
    unfinished = sum(not one.endswith(_ENDS) for one, _ in followed)
    return (
        max(begins.values()) <= _SAME * len(followed)
        and full >= _FULL * len(followed)
        and going_on >= _GOING_ON * len(followed)
        and unfinished >= _UNFINISHED * len(followed)
    )
