"""Base class of document readers. Each reader is one module of this package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.encodings import (
    EncodingDecision,
    Findings,
    NoText,
    decode_blocks,
    detect_encoding,
)
from workbench.corpus.columns import RowValues
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.decompression import HEAD, ByteStream, Rejoined, archive_errors, fill

# Small enough that unpacking and reading a block takes less than 50 ms.
BLOCK = 1 << 19


@dataclass
class Document:
    """A file, or a member of an archive, unpacked; can be read once, from its beginning.

    shown : its name for messages
    name : its file name, whose suffix may identify its kind
    size : bytes as stored
    head : its first 64 KiB, or all of it
    rest : stream of the bytes after the head
    checked : whether its text must be valid UTF-8; otherwise UTF-8 is passed on unchecked
    findings : filled while it is read
    rows : takes the values of its columns, None if nobody asks for them
    """

    shown: str
    name: str
    size: int
    head: bytes
    rest: ByteStream
    options: CorpusOptions
    checked: bool = True
    findings: Findings = field(default_factory=Findings)
    rows: RowValues | None = None

    @property
    def suffix(self) -> str:
        """The last suffix of its name that isn't a compression, in lowercase: ".csv" for
        a.CSV.gz.
        """
        parts = self.name.lower().rsplit("/", 1)[-1].split(".")[1:]
        while len(parts) > 1 and parts[-1] in ("gz", "bz2", "xz"):
            parts.pop()
        if parts:
            return f".{parts[-1]}"
        return ""

    @property
    def short(self) -> bool:
        """Whether the head is the whole document."""
        return len(self.head) < HEAD

    def decide(self, hint: str = "") -> EncodingDecision:
        """Detect the encoding of the document; ``hint`` is the encoding that it declares."""
        return detect_encoding(self.head, self.options.encoding, hint)

    def bytes(self, skip: int = 0) -> Iterator[bytes]:
        """The document without its first ``skip`` bytes, in blocks. Raises UserError if it cannot
        be read.
        """
        stream = Rejoined(self.head[skip:], self.rest)
        with archive_errors(self.shown):
            while block := fill(stream, BLOCK):
                yield block

    def characters(self, hint: str = "") -> Iterator[str]:
        """The decoded document, in pieces, with U+FFFD for undecodable bytes. Raises UserError for
        content that isn’t text.
        """
        decided = self.decide(hint)
        try:
            yield from decode_blocks(self.bytes(decided.mark), decided, self.findings, hint)
        except NoText as error:
            raise not_text(self.shown, tr("binary data (there are null characters)")) from error

    def begin_row(self, values: Mapping[str, str]) -> str:
        """What to put before the text of a row of which the columns have these ``values``."""
        if self.rows is None:
            return ""
        return self.rows.begin(values)

    def note(self, sentence: str) -> None:
        """Add a remark, which is shown with the facts about the document."""
        self.findings.notes.append(sentence)


@dataclass(frozen=True)
class ColumnPreview:
    """The columns of a document.

    names : names of the columns; ``text_column`` is the one read if none is chosen
    rows : the first rows, with a text for every column, perhaps ""
    numbers : number of columns with numbers only, which can’t be read as text
    """

    names: tuple[str, ...]
    text_column: int
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 0


class Reader(ABC):
    """A kind of document, and the extraction of its text.

    In folders and archives, files with ``suffixes`` are read; files with one of
    ``ambiguous_suffixes`` only if ``promising`` allows it. ``binary``: the bytes aren’t text.
    ``zipped``: the document is a zip archive, which ``contains`` recognises.
    ``columns``: ``CorpusOptions.column`` chooses a part. ``marks_rows``: it calls
    ``Document.begin_row``, and its text contains no other MARK. ``annotated``: its words have parts
    of speech, of which ``CorpusOptions.parts_of_speech`` chooses some. ``order``: lower ones are
    tried first.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    ambiguous_suffixes: ClassVar[tuple[str, ...]] = ()
    binary: ClassVar[bool] = False
    zipped: ClassVar[bool] = False
    columns: ClassVar[bool] = False
    marks_rows: ClassVar[bool] = False
    annotated: ClassVar[bool] = False
    order: ClassVar[int] = 100

    @classmethod
    @abstractmethod
    def detect(cls, document: Document) -> bool:
        """Whether a document is of this kind, by its suffix and its head."""

    @classmethod
    def promising(cls, document: Document) -> bool:
        """Whether a document with an ambiguous suffix, in a folder or an archive, contains text to
        read.
        """
        return True

    @classmethod
    def contains(cls, members: list[str]) -> bool:
        """Whether a zip archive with these members is a document of this kind."""
        return False

    @classmethod
    @abstractmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        """Text in UTF-8, in blocks cut anywhere, at least one (perhaps empty) for every BLOCK that
        is read.

        Line ends and empty lines mark the ends of sentences and paragraphs. Raises UserError.
        """

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        """The columns of a document, from its head; None for a kind without columns."""
        return None


def is_epub(head: bytes) -> bool:
    """Whether a zip begins as every EPUB must (Open Container Format 3.3, section 4.3)."""
    return head.startswith(b"PK") and head[30:].startswith(b"mimetypeapplication/epub+zip")


def not_text(shown: str, kind: str) -> UserError:
    return UserError(
        tr("{shown} isn’t text but {kind}.", shown=shown, kind=kind),
        tr("Save or export the document as text in UTF-8, then open that file."),
    )


def pointer_error(shown: str, head: bytes) -> UserError | None:
    """Error for a pointer of Git LFS, which stands for a large file; None for other files.

    Source: Git LFS, docs/spec.md.
    """
    if not head.startswith(b"version https://git-lfs.github.com/spec/"):
        return None
    return UserError(
        tr("{shown} is a pointer of Git LFS: the file itself wasn’t downloaded.", shown=shown),
        tr("Run “git lfs pull” in its folder, or download the file from its web page."),
    )
