"""EPUB: the chapters of a book in the order of its spine (EPUB 3.3, sections 4 and 5), without
tables of contents. Pages outside of the order of reading, such as notes, are read where they are.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from functools import partial
from urllib.parse import unquote

from workbench.core.errors import UserError
from workbench.core.language import tr, trn
from workbench.corpus.ingest.decompression import Budget
from workbench.corpus.readers.base import Document, Reader, is_epub
from workbench.corpus.readers.markup import declared_encoding, is_contents, paragraphs
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
    missing = contents = outside = 0
    for chapter, linear in chapters:
        name = posixpath.normpath(
            posixpath.join(posixpath.dirname(package), unquote(chapter.partition("#")[0]))
        )
        if name not in book.NameToInfo:
            missing += 1
            continue
        page = member_document(document, book, name, budget)
        if page.short and is_contents(_head(page)):
            contents += 1
            continue
        if not linear:
            outside += 1
            if not document.options.notes:
                continue
        yield from paragraphs(page.characters(declared_encoding(page.head)))
        yield b"\n\n"
    if missing:
        document.note(
            tr(
                "Chapters listed in its contents but missing: {missing:,}.",
                missing=missing,
            )
        )

    if contents:
        document.note(
            trn(
                "{number:,} page is a table of contents and was left out.",
                "{number:,} pages are tables of contents and were left out.",
                contents,
            )
        )
    if outside and document.options.notes:
        document.note(
            trn(
                "{number:,} page outside the order of reading, such as notes, was read.",
                "{number:,} pages outside the order of reading, such as notes, were read.",
                outside,
            )
        )
    elif outside:
        document.note(
            trn(
                "{number:,} page outside the order of reading, such as notes, was left out.",
                "{number:,} pages outside the order of reading, such as notes, were left out.",
                outside,
            )
        )


def _head(page: Document) -> str:
    decided = page.decide(declared_encoding(page.head))
    return page.head[decided.mark :].decode(decided.codec, errors="replace")


def _spine(document: Document, book: zipfile.ZipFile) -> tuple[str, list[tuple[str, bool]]]:
    """The path of the package file, and the chapters that it lists, in order, as written there,
    each with whether it belongs to the order of reading.
    """
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
    chapters = [
        (pages[found["idref"]], found.get("linear") != "no")
        for name, found in entries
        if name == "itemref" and found.get("idref") in pages
    ]
    return roots[0], chapters


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
