"""Inspection of the beginning of files before they are read: a sample of their text, the columns of
tables, and how sentences end.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.text.encodings import Findings, encoding_name
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.decompression import Budget, archive_errors, decompress
from workbench.corpus.ingest.document_stream import reader_of, texts
from workbench.corpus.ingest.file_discovery import FoundFile, Unknown, gather
from workbench.corpus.ingest.read_warnings import passed_sentences
from workbench.corpus.readers.base import ColumnPreview, Document
from workbench.corpus.tokenise.wrapped_lines import SAMPLE, is_short, is_wrapped

# Longest word that is not cut.
LONGEST = 1200
_SAMPLE = 1 << 20
# Maximum number of notes on files.
_NOTES = 3


@dataclass(frozen=True)
class TextSample:
    """The first text of a corpus in UTF-8, by file; ``whole`` if it is the whole text. ``notes``:
    sentences about files that were passed over, and about those that were read.
    """

    parts: tuple[bytes, ...]
    shown: str
    whole: bool
    notes: tuple[str, ...] = ()

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
    unknown = Unknown()
    sample = _sample(gather(paths, options, unknown), options, run, size)
    by_name = passed_sentences((), [str(path) for path in unknown.paths], unknown.number)
    return replace(sample, notes=(*by_name, *sample.notes))


def _sample(
    sources: Sequence[FoundFile], options: CorpusOptions, run: JobControl | None, size: int
) -> TextSample:
    run = run or JobControl()
    parts: list[bytes] = []
    failed: list[str] = []
    unknown: list[str] = []
    read: list[tuple[str, Findings]] = []
    shown = ""
    left = size

    def sample(whole: bool) -> TextSample:
        passed = passed_sentences(failed, unknown, len(unknown))
        noted = [f"{name}: {note}" for name, findings in read for note in findings.notes]
        return TextSample(tuple(parts), shown, whole, (*passed, *noted[:_NOTES]))

    for source in sources:
        if source.piped:
            raise UserError(
                tr("Couldn’t preview {shown}: a pipe can be read only once.", shown=source.shown),
                tr("Open the text without a preview."),
            )
        with ExitStack() as stack:
            try:
                file = stack.enter_context(source.path.open("rb"))
            except OSError as error:
                if not source.inside or options.unreadable == "stop":
                    raise
                failed.append(f"{source.shown}: {error_text(error)}")
                continue
            for text in texts(source, file, options, watch=run.check):
                if text.unknown:
                    unknown.append(text.path)
                if text.left_out or text.unknown:
                    continue
                shown = shown or text.shown
                read.append((PurePath(text.path).name, text.findings))
                part = bytearray()
                for block in text.blocks:
                    run.check()
                    part += block
                    if len(part) > left:
                        parts.append(_whole_words(bytes(part[:left])))
                        return sample(False)
                if failure := text.findings.failure:
                    failed.append(failure.message)
                    continue
                parts.append(bytes(part))
                left -= len(part)
    return sample(True)


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
        found = kind.preview(document) if kind.columns and head else None
        if found is None:
            return None
        return Columns(str(path), kind.title, encoding_name(document.decide().codec), found)


def ask_for(paths: list[str], options: CorpusOptions) -> Columns | None:
    """The columns of the first file to open that has several with text, if no column was chosen.
    Raises UserError.
    """
    if options.column:
        return None
    for path in paths:
        found = columns(path, options)
        if found is not None and len(found.names) - found.preview.numbers > 1:
            return found
    return None


# -- wrapped lines


def unwrap_options(
    sources: Sequence[FoundFile], options: CorpusOptions, run: JobControl | None = None
) -> CorpusOptions:
    """``options`` with a rule for sentences that depends on the lines of each text, instead of
    line ends. If the texts are too short to show how their lines end, all of them together show it.
    Raises UserError and Cancelled.
    """
    if options.sentences != "lines":
        return options
    if any(source.piped for source in sources):
        return options.replace(sentences="auto")
    parts = [part.decode(errors="replace") for part in _sample(sources, options, run, SAMPLE).parts]
    if len(parts) > 1 and all(map(is_short, parts)) and is_wrapped("\n".join(parts)):
        return options.replace(sentences="punctuation")
    return options.replace(sentences="auto")
