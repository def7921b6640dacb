"""EPUB: the chapters of a book in the order of its spine (EPUB 3.3, sections 4 and 5)."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, cast
from urllib.parse import unquote

from workbench.core.encodings import decode_blocks, detect_encoding
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.corpus.ingest.decompression import (
    HEAD,
    MEMBERS,
    Budget,
    BudgetedStream,
    ByteStream,
    archive_errors,
    fill,
    sound,
    too_many,
    zip_members,
)
from workbench.corpus.readers.base import Document, Reader, is_epub
from workbench.corpus.readers.markup import declared_encoding, paragraphs
from workbench.corpus.readers.safe_xml import elements

_CONTAINER = "META-INF/container.xml"
# Maximum bytes of the file, mostly pictures, and of its table of contents.
_LARGEST = 1 << 30
_LARGEST_INDEX = 16 << 20
_IN_MEMORY = 16 << 20
_BLOCK = 1 << 16
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


class Epub(Reader):
    key = "epub"
    title = tr("EPUB book")
    suffixes = (".epub",)
    binary = True
    order = 50

    @classmethod
    def detect(cls, document: Document) -> bool:
        return is_epub(document.head) or (
            document.suffix in cls.suffixes and document.head.startswith(b"PK")
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        with SpooledTemporaryFile(_IN_MEMORY) as copy, archive_errors(document.shown):
            size = 0
            for block in document.bytes():
                size += len(block)
                if size > _LARGEST:
                    raise UserError(
                        tr("{shown} is too large for an e-book.", shown=document.shown),
                        tr("Open the text of the book instead."),
                    )
                copy.write(block)
                yield b""
            if zip_members(cast(IO[bytes], copy)) > MEMBERS:
                raise too_many(document.shown)
            with sound(), zipfile.ZipFile(copy) as book:
                try:
                    yield from _chapters(document, book, Budget(document.shown, size))
                except KeyError as error:
                    raise _cannot_read_book(document.shown, error_text(error)) from error


def _chapters(document: Document, book: zipfile.ZipFile, budget: Budget) -> Iterator[bytes]:
    package, chapters = _spine(document, book)
    missing = 0
    for chapter in chapters:
        name = posixpath.normpath(
            posixpath.join(posixpath.dirname(package), unquote(chapter.partition("#")[0]))
        )
        if name not in book.NameToInfo:
            missing += 1
            continue
        with book.open(name) as member:
            yield from _page(document, BudgetedStream(member, budget))
        yield b"\n\n"
    if missing:
        document.note(
            tr(
                "Chapters listed in its contents but missing: {missing:,}.",
                missing=missing,
            )
        )


def _page(document: Document, stream: ByteStream) -> Iterator[bytes]:
    head = fill(stream, HEAD)
    hint = declared_encoding(head)
    decided = detect_encoding(head, document.options.encoding, hint)

    def blocks() -> Iterator[bytes]:
        part = head[decided.mark :]
        while part:
            yield part
            part = stream.read(_BLOCK)

    yield from paragraphs(decode_blocks(blocks(), decided, document.findings, hint))


def _spine(document: Document, book: zipfile.ZipFile) -> tuple[str, list[str]]:
    """The path of the package file, and the chapters that it lists, in order, as written there."""
    roots = [
        found["full-path"]
        for _, found in _index(document, book, _CONTAINER, ["rootfile"])
        if "full-path" in found
    ]
    if not roots:
        raise _cannot_read_book(document.shown, tr("its container lists no book"))
    entries = _index(document, book, roots[0], ["item", "itemref"])
    pages = {
        found["id"]: found["href"]
        for name, found in entries
        if name == "item"
        and found.get("media-type") in _PAGES
        and "id" in found
        and "href" in found
    }
    order = [
        found.get("idref", "")
        for name, found in entries
        if name == "itemref" and found.get("linear") != "no"
    ]
    return roots[0], [pages[reference] for reference in order if reference in pages]


def _index(
    document: Document, book: zipfile.ZipFile, name: str, wanted: list[str]
) -> list[tuple[str, dict[str, str]]]:
    with book.open(name) as member:
        data = member.read(_LARGEST_INDEX + 1)
    if len(data) > _LARGEST_INDEX:
        raise _cannot_read_book(document.shown, tr("{name} is too large", name=name))
    try:
        return elements(data, wanted, document.options.encoding)
    except UserError as error:
        why = f"{name}: {error.message.rstrip('.')}"
        raise _cannot_read_book(document.shown, why, error.hint) from error


def _cannot_read_book(shown: str, why: str, hint: str = "") -> UserError:
    return UserError(
        tr("Couldn’t read the e-book {shown}: {why}.", shown=shown, why=why),
        hint or tr("Download or export the file again."),
    )
