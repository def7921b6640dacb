"""The texts of a corpus as numbers on disk: ids by order of appearance, and where sentences end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions, SourceFile
from workbench.corpus.ingest.document_stream import TextDocument, texts
from workbench.corpus.ingest.file_discovery import FoundFile
from workbench.corpus.ingest.pipe_stream import Piped
from workbench.corpus.tokenise.line_tokeniser import Piece, TooSlowLine
from workbench.corpus.tokenise.token_encoder import Numbering


@dataclass(frozen=True)
class Spilled:
    """Result of reading: ``files`` in order, and the texts that were ``left_out`` as they were
    asked to be.
    """

    files: tuple[SourceFile, ...]
    left_out: tuple[SourceFile, ...]


def spill(
    sources: Sequence[FoundFile],
    options: CorpusOptions,
    numbering: Numbering,
    scratch: Path,
    run: JobControl,
    *,
    checked: bool,
) -> Spilled:
    """Tokenise all sources; ids by order of appearance and sentence offsets go to ``scratch``.

    Raises UserError and Cancelled; NotUtf8 unless ``checked``, for what takes longer to read where
    it is set: then encodings are found out anywhere in a text, and what cannot be decoded is
    replaced.
    """
    files: list[SourceFile] = []
    left_out: list[SourceFile] = []
    total = sum(source.size for source in sources)
    known = not any(source.piped for source in sources)
    before = 0
    with (scratch / "ids").open("wb") as ids, (scratch / "sentences").open("wb") as sentences:
        sentences.write(np.zeros(1, dtype="<i8").tobytes())
        for source in sources:
            note = tr("Reading {name}", name=source.path.name)
            begun = len(files)
            with _open_source(source, run) as file:
                for text in texts(source, file, options, checked):
                    if text.left_out:
                        left_out.append(SourceFile(text.path, text.size, ""))
                        continue
                    already = numbering.tokens
                    for numbers, ends in _tokens(text, numbering):
                        run.check()
                        ids.write(numbers.astype("<i4", copy=False).tobytes())
                        sentences.write(ends.astype("<i8", copy=False).tobytes())
                        _advance(
                            run,
                            note,
                            (before + file.tell()) / max(total, 1) if known else None,
                            numbering,
                        )
                    files.append(_file(text, numbering.tokens - already))
                if source.piped:
                    files[begun:] = [replace(each, size=file.tell()) for each in files[begun:]]
            changed = ""
            if not source.piped:
                changed = _describe_change(source)
            files[begun:] = [
                replace(each, note=f"{changed} {each.note}".strip()) for each in files[begun:]
            ]
            before += source.size
            _advance(run, note, before / max(total, 1) if known else None, numbering)
    return Spilled(tuple(files), tuple(left_out))


def _tokens(text: TextDocument, numbering: Numbering) -> Iterator[Piece]:
    try:
        for block in text.blocks:
            yield from numbering.feed(block)
        yield from numbering.feed(b"", final=True)
    except TooSlowLine as error:
        raise too_slow(error, text.shown) from error


def _file(text: TextDocument, tokens: int) -> SourceFile:
    found = text.findings
    return SourceFile(
        text.path,
        text.size,
        found.encoding,
        tokens,
        text.kind,
        found.column,
        found.undecodable,
        tuple(found.lines),
        " ".join(found.notes),
    )


def _describe_change(source: FoundFile) -> str:
    """Describe how a file changed while it was read, "" if it didn't."""
    try:
        status = source.path.stat()
    except OSError:
        return tr("It was removed while it was read.")
    if status.st_size > source.size:
        return tr(
            "It grew while it was read; its first {size:,} bytes were taken.", size=source.size
        )
    if status.st_size < source.size or status.st_mtime_ns != source.mtime_ns:
        return tr("It was changed while it was read.")
    return ""


def _advance(run: JobControl, note: str, fraction: float | None, numbering: Numbering) -> None:
    """``fraction`` None: how much there is to come is not known, as of a pipe."""
    if fraction is not None:
        # A zip's directory stands at its end, so that the place in the file may jump back.
        fraction = max(fraction, run.progress.fraction or 0.0)
    rate = numbering.tokens / max(run.phase_seconds(), 1e-9)
    run.advance(
        fraction, note, rate=rate, unit=tr("tokens"), tokens=numbering.tokens, types=numbering.types
    )


def too_slow(error: TooSlowLine, shown: str) -> UserError:
    """UserError for a pattern that backtracks too long."""
    return UserError(
        tr(
            "The pattern takes over {seconds:g} s in {place} of {shown} (“{text}…”).",
            seconds=error.seconds,
            place=(
                tr("sentence {number:,}", number=error.number)
                if error.unit == "sentence"
                else tr("line {number:,}", number=error.number)
            ),
            shown=shown,
            text=error.text,
        ),
        tr(
            "Write it so that a text can be matched in one way only: (a+)+ tries every way of "
            "sharing the letters."
        ),
    )


@contextmanager
def _open_source(source: FoundFile, run: JobControl) -> Iterator[BinaryIO]:
    try:
        file = cast(BinaryIO, Piped(source.path, run)) if source.piped else source.path.open("rb")
    except FileNotFoundError as error:
        raise UserError(
            tr("{shown} is no longer there.", shown=source.shown),
            tr("It was removed or renamed; open what is there."),
        ) from error
    except OSError as error:
        raise UserError(
            tr(
                "{shown} cannot be opened ({strerror}).",
                shown=source.shown,
                strerror=error_text(error),
            ),
            tr("Check its permissions."),
        ) from error
    with file:
        yield file
