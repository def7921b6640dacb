"""Documents that are zip archives of XML, shared by the readers of EPUB, Word and OpenDocument."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.corpus.ingest.decompression import (
    HEAD,
    MEMBERS,
    Budget,
    BudgetedStream,
    archive_errors,
    fill,
    sound,
    too_many,
    zip_members,
)
from workbench.corpus.readers.base import Document, Reader

# Maximum bytes of the file, mostly pictures.
_LARGEST = 1 << 30
_IN_MEMORY = 16 << 20

ReadMembers = Callable[[zipfile.ZipFile, Budget], Iterator[bytes]]


class OfficeDocument(Reader):
    """A kind of office document: a zip archive, known by its suffix or by its members."""

    zipped = True
    binary = True
    order = 60

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes and document.head.startswith(b"PK")


def read_members(document: Document, read: ReadMembers) -> Iterator[bytes]:
    """The text that ``read`` takes from the members of a document.

    A zip archive ends with its directory, so the document is copied first. Raises UserError if it
    is damaged, expands too much, or lacks a member.
    """
    with SpooledTemporaryFile(_IN_MEMORY) as copy, archive_errors(document.shown):
        size = 0
        for block in document.bytes():
            size += len(block)
            if size > _LARGEST:
                raise UserError(
                    tr("{shown} is too large for a document.", shown=document.shown),
                    tr("Save its text in a file, and open that instead."),
                )
            copy.write(block)
            yield b""
        if zip_members(cast(IO[bytes], copy)) > MEMBERS:
            raise too_many(document.shown)
        with sound(), zipfile.ZipFile(copy) as archive:
            try:
                yield from read(archive, Budget(document.shown, size))
            except KeyError as error:
                raise UserError(
                    tr(
                        "Couldn’t read {shown}: {why}.",
                        shown=document.shown,
                        why=error_text(error),
                    ),
                    tr("Download or export the file again."),
                ) from error


def member_document(
    document: Document, archive: zipfile.ZipFile, name: str, budget: Budget
) -> Document:
    """A member as a document of its own, whose findings are those of the whole. Raises KeyError."""
    stream = BudgetedStream(archive.open(name), budget)
    head = fill(stream, HEAD)
    return Document(
        document.shown,
        name,
        archive.getinfo(name).compress_size,
        head,
        stream,
        document.options,
        document.checked,
        document.findings,
    )
