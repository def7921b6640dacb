"""EPUB: the chapters of a book in the order of its spine (EPUB 3.3, sections 4 and 5)."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from functools import partial
from urllib.parse import unquote

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.ingest.decompression import Budget
from workbench.corpus.readers.base import Document, Reader, is_epub
from workbench.corpus.readers.markup import declared_encoding, paragraphs
from workbench.corpus.readers.safe_xml import elements
from workbench.corpus.readers.zipped import member_document, read_members

_CONTAINER = "META-INF/container.xml"
# Maximum bytes of the table of contents.
_LARGEST_INDEX = 16 << 20
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


class Epub(Reader):
    key = "epub"
    title = tr("EPUB book")
    suffixes = (".epub",)
    zipped = True
    binary = True
    order = 50

    @classmethod
    def detect(cls, document: Document) -> bool:
        return is_epub(document.head) or (
            document.suffix in cls.suffixes and document.head.startswith(b"PK")
        )

    @classmethod
    def contains(cls, members: list[str]) -> bool:
        return _CONTAINER in members

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return read_members(document, partial(_chapters, document))


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
        yield from _page(member_document(document, book, name, budget))
        yield b"\n\n"
    if missing:
        document.note(
            tr(
                "Chapters listed in its contents but missing: {missing:,}.",
                missing=missing,
            )
        )


def _page(document: Document) -> Iterator[bytes]:
    return paragraphs(document.characters(declared_encoding(document.head)))


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
