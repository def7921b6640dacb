"""Files and archives as streams of UTF-8, a block at a time: no file is ever in memory as a whole.

The content of a file determines how it is read, not its name: gzip, bzip2, xz, zip and tar are
recognised by their first bytes, and so is the encoding. The content is text of one of the kinds in
:mod:`workbench.corpus.readers`. Nothing is unpacked to the disk, so members whose paths lead out of
the archive do no harm.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO, cast

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.encodings import Findings
from workbench.corpus.columns import RowValues
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.decompression import (
    HEAD,
    MEMBERS,
    ArchiveError,
    Budget,
    BudgetedStream,
    ByteStream,
    ExpandsTooMuch,
    Limited,
    Rejoined,
    archive_errors,
    bounded_members,
    decompress,
    fill,
    is_tar,
    no_watch,
    sound,
    too_many,
    zip_members,
)
from workbench.corpus.ingest.file_discovery import (
    FoundFile,
    Patterns,
    is_hidden,
    safe_name,
    should_read,
)
from workbench.corpus.readers import (
    READERS,
    Document,
    Reader,
    ambiguous_suffixes,
    not_text,
    zipped_suffixes,
)
from workbench.corpus.readers.base import is_epub, pointer_error

# Text has almost no control characters; in compressed data, one byte in ten is one.
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_MOST_CONTROL = 0.05

# Maximum number of metadata entries for all members of a tar, to which each block may add some.
_MOST_FACTS = 1000

_BINARY = (
    (b"%PDF-", tr("a PDF document")),
    (b"7z\xbc\xaf\x27\x1c", tr("a 7-Zip archive")),
    (b"Rar!", tr("a RAR archive")),
    (b"\x28\xb5\x2f\xfd", tr("a Zstandard archive")),
    (b"\x89PNG", tr("a picture")),
    (b"\xff\xd8\xff", tr("a picture")),
    (b"{\\rtf", tr("an RTF document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", tr("an older office document, such as .doc")),
    (b"AT&TFORM", tr("a DjVu document")),
    (b"PAR1", tr("a file of {format}", format="Parquet")),
    (b"ARROW1", tr("a file of {format}", format="Arrow")),
    (b"\xff\xff\xff\xff", tr("a file of {format}", format="Arrow")),
    (b"\x89HDF\r\n\x1a\n", tr("a file of {format}", format="HDF5")),
)


@dataclass(frozen=True)
class TextDocument:
    """One text: a file, or a member of an archive, to be read to its end before the next.

    path : its path; a member's name follows the archive's path after a slash
    shown : its name for messages
    size : bytes as stored
    kind : the key of its reader
    mark : bytes of the byte order mark left out before the first block
    blocks : its text in UTF-8, unchecked if the file is in UTF-8 already and ``checked`` was not
    set
    findings : its encoding and other observations, complete after the last block; a ``failure``
    may come with any block
    left_out : the options exclude it
    marked : it contains a MARK before each row of which ``rows`` has the values
    unknown : nothing in the name of a member says that it is text, so it isn't read
    """

    path: str
    shown: str
    size: int
    kind: str = ""
    mark: int = 0
    blocks: Iterable[bytes] = ()
    findings: Findings = field(default_factory=Findings)
    left_out: bool = False
    marked: bool = False
    unknown: bool = False


@dataclass(frozen=True)
class _Wish:
    """Requested parts of a source. ``failed``: paths that were found to be unreadable before;
    ``rows``: takes the columns.
    """

    source: FoundFile
    options: CorpusOptions
    checked: bool
    without: frozenset[str]
    budget: Budget
    failed: Set[str]
    rows: RowValues | None = None

    def skips(self, path: str) -> bool:
        """Whether a text that can't be read is passed over; the user chose others by name."""
        chosen = path == str(self.source.path) and not self.source.inside
        return self.options.unreadable == "skip" and not chosen

    def wants(self, name: str) -> bool:
        """Whether to read a member, if it is text."""
        patterns = Patterns.of(self.options)
        if self.source.chosen or not patterns.include:
            return should_read(name) is not False and not patterns.excludes(name)
        return patterns.wants(name) and not is_hidden(name)

    def unknown(self, name: str) -> bool:
        """Whether a member isn't read only because its name doesn't say that it is text."""
        patterns = Patterns.of(self.options)
        if patterns.include and not self.source.chosen:
            return False
        return should_read(name) is False and not is_hidden(name) and not patterns.excludes(name)


def texts(
    source: FoundFile,
    file: IO[bytes],
    options: CorpusOptions | None = None,
    checked: bool = True,
    watch: Callable[[], None] = no_watch,
    failed: Set[str] = frozenset(),
    rows: RowValues | None = None,
) -> Iterator[TextDocument]:
    """The texts in ``file``, the opened ``source``; ``file.tell()`` is the reading position.

    ``watch`` is called at every read, also for parts without text, such as padding and members of
    archives that aren’t text; an exception from it ends the reading. No byte is read beyond the
    size that the source had when it was found; a pipe is read to its end.

    A file that isn’t text, is damaged, truncated or encrypted, or expands too much, raises
    UserError if the user chose it by name, or if ``options.unreadable`` says so. In folders and
    archives, it has a ``failure`` instead, and no further blocks; those in ``failed`` are left out.
    ``rows`` takes the values of columns, and then ``marked`` texts contain MARKs.
    """
    options = options or CorpusOptions()
    budget = Budget(source.shown, None if source.piped else source.size, watch)
    wish = _Wish(source, options, checked, options.left_out, budget, failed, rows)
    limited = file if source.piped else cast(IO[bytes], Limited(file, source.size, watch))
    path = str(source.path)
    if path in failed:
        return
    try:
        yield from _texts(wish, limited)
    except UserError as error:
        if not wish.skips(path):
            raise
        yield failed_text(path, source.shown, source.size, error)


def failed_text(path: str, shown: str, size: int, error: UserError) -> TextDocument:
    """A text that can't be read."""
    return TextDocument(path, shown, size, findings=Findings(failure=error))


def _texts(wish: _Wish, limited: IO[bytes]) -> Iterator[TextDocument]:
    source = wish.source
    with archive_errors(source.shown):
        head = fill(limited, HEAD)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not _is_document(
            head, source.path.name
        ):
            if source.piped:
                raise UserError(
                    tr(
                        "Couldn’t read {shown}: zip archives can’t be read from a pipe.",
                        shown=source.shown,
                    ),
                    tr("Save the archive as a file and open it."),
                )
            yield from _zip_members(wish, limited)
            return
        head, rest = decompress(Rejoined(head, limited), wish.budget)
        if is_tar(head):
            yield from _tar_members(wish, Rejoined(head, rest))
            return
        yield from _text(
            wish,
            str(source.path),
            source.shown,
            source.path.name,
            source.size,
            head,
            rest,
            source.named,
        )


def _zip_members(wish: _Wish, file: IO[bytes]) -> Iterator[TextDocument]:
    source = wish.source
    if zip_members(file) > MEMBERS:
        raise too_many(source.shown)
    with sound(), zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        kind = next((kind for kind in READERS if kind.contains(names)), None)
        if kind is not None:
            file.seek(0)
            yield from _text(
                wish,
                str(source.path),
                source.shown,
                f"document{kind.suffixes[0]}",
                source.size,
                fill(file, HEAD),
                file,
                source.named,
            )
            return
        if "[Content_Types].xml" in names or "mimetype" in names:
            raise not_text(source.shown, tr("an office document"))
        members = [
            info
            for info in archive.infolist()
            if not info.is_dir() and wish.wants(safe_name(info.filename))
        ]
        _some(members, source)
        for info in archive.infolist():
            name = safe_name(info.filename)
            if not info.is_dir() and wish.unknown(name):
                yield _unread(wish, name, info.compress_size, unknown=True)
        for info in members:
            name = safe_name(info.filename)
            if f"{source.path}/{name}" in wish.without:
                yield _unread(wish, name, info.compress_size, left_out=True)
                continue

            def open_member(info: zipfile.ZipInfo = info, name: str = name) -> ByteStream:
                if info.flag_bits & 1:
                    raise UserError(
                        tr("{shown} is encrypted ({name}).", shown=source.shown, name=name),
                        tr("Unpack the file with its password, then open the result."),
                    )
                return BudgetedStream(members_open.enter_context(archive.open(info)), wish.budget)

            with ExitStack() as members_open:
                yield from _member(wish, name, info.compress_size, open_member, ExpandsTooMuch)


def _tar_members(wish: _Wish, stream: ByteStream) -> Iterator[TextDocument]:
    found = []
    bounded = bounded_members(wish.source.shown)
    with (
        sound(),
        tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|", tarinfo=bounded) as archive,
    ):
        for number, info in enumerate(archive):
            # Drop members that were read: their list would grow without limit.
            archive.members = []  # type: ignore[attr-defined]
            if len(archive.pax_headers) > _MOST_FACTS:
                raise bounded.unsupported_error()
            name = safe_name(info.name)
            if number >= MEMBERS:
                raise too_many(wish.source.shown)
            if not info.isfile() or not wish.wants(name):
                if info.isfile() and wish.unknown(name):
                    yield _unread(wish, name, info.size, unknown=True)
                continue
            found.append(name)
            member = archive.extractfile(info)
            if f"{wish.source.path}/{name}" in wish.without:
                yield _unread(wish, name, info.size, left_out=True)
            elif member is not None:
                # All members are one stream, which can't be read after an error.
                open_member = partial(cast, ByteStream, member)
                yield from _member(wish, name, info.size, open_member, ArchiveError)
    _some(found, wish.source)


def _unread(
    wish: _Wish, name: str, size: int, *, left_out: bool = False, unknown: bool = False
) -> TextDocument:
    path, shown = f"{wish.source.path}/{name}", f"{wish.source.shown}/{name}"
    return TextDocument(path, shown, size, left_out=left_out, unknown=unknown)


def _member(
    wish: _Wish,
    name: str,
    size: int,
    opened: Callable[[], ByteStream],
    fatal: type[ArchiveError],
) -> Iterator[TextDocument]:
    """The text of a member; ``fatal`` errors concern the whole archive."""
    source = wish.source
    path, shown = f"{source.path}/{name}", f"{source.shown}/{name}"
    if path in wish.failed:
        return
    try:
        with archive_errors(source.shown if fatal is ArchiveError else shown):
            head, rest = decompress(opened(), wish.budget)
        if (head.startswith(b"PK\x03\x04") and not _is_document(head, name)) or is_tar(head):
            raise UserError(
                tr("{shown} contains another archive, {name}.", shown=source.shown, name=name),
                tr("Unpack the archive first, then open the folder."),
            )
    except UserError as error:
        if isinstance(error, fatal) or not wish.skips(path):
            raise
        yield failed_text(path, shown, size, error)
        return
    yield from _text(wish, path, shown, name, size, head, rest, bool(should_read(name)), fatal)


def _text(
    wish: _Wish,
    path: str,
    shown: str,
    name: str,
    size: int,
    head: bytes,
    rest: ByteStream,
    named: bool,
    fatal: type[ArchiveError] = ExpandsTooMuch,
) -> Iterator[TextDocument]:
    """The text of ``head`` and ``rest``, with a failure if it isn't text. ``fatal`` errors are
    always raised.
    """
    if path in wish.without:
        yield TextDocument(path, shown, size, left_out=True)
        return
    skips = wish.skips(path)
    try:
        text = _opened_text(wish, path, shown, name, size, head, rest, named)
        if skips:
            text = replace(text, blocks=_until_failure(text, fatal))
    except UserError as error:
        if isinstance(error, fatal) or not skips:
            raise
        text = failed_text(path, shown, size, error)
    yield text


def _until_failure(text: TextDocument, fatal: type[ArchiveError]) -> Iterator[bytes]:
    try:
        yield from text.blocks
    except UserError as error:
        if isinstance(error, fatal):
            raise
        text.findings.failure = error


def _opened_text(
    wish: _Wish,
    path: str,
    shown: str,
    name: str,
    size: int,
    head: bytes,
    rest: ByteStream,
    named: bool,
) -> TextDocument:
    """The text with its reader, with a failure if neither its name nor its content identifies it
    as text. Raises UserError.
    """
    pointer = pointer_error(shown, head)
    if pointer is not None:
        raise pointer
    document = Document(shown, name, size, head, rest, wish.options, wish.checked, rows=wish.rows)
    kind = reader_of(document)
    mark = 0
    if not kind.binary:
        decided = document.decide()
        mark = decided.mark
        # In encodings whose letters contain zero or shift bytes, such bytes don’t indicate
        # binary data.
        binary = ""
        if not decided.codec.startswith(("utf-16", "utf-32", "iso2022")):
            binary = binary_kind(head)
        if binary:
            error = not_text(shown, binary)
            if named:
                raise error
            return failed_text(path, shown, size, error)
        # In folders, files with an ambiguous suffix are read only if a pattern matches them, or a
        # reader recognises their content as text.
        chosen = named or Patterns.of(wish.options).include
        if not chosen and document.suffix in ambiguous_suffixes() and not kind.promising(document):
            error = UserError(tr("{shown} doesn’t contain a known kind of text.", shown=shown))
            return failed_text(path, shown, size, error)
    marked = kind.marks_rows and wish.rows is not None
    blocks = kind.read(document)
    return TextDocument(path, shown, size, kind.key, mark, blocks, document.findings, marked=marked)


def reader_of(document: Document) -> type[Reader]:
    """The reader of a document; plain text if no other reader recognises it."""
    return next(kind for kind in READERS if kind.detect(document))


def _is_document(head: bytes, name: str) -> bool:
    """Whether a zip archive is one document, such as an e-book."""
    return is_epub(head) or name.lower().endswith(zipped_suffixes())


def binary_kind(head: bytes) -> str:
    """Name of the binary format that begins like this, or "" for text."""
    for magic, kind in _BINARY:
        if head.startswith(magic):
            return kind
    if head[60:68] == b"BOOKMOBI":
        return tr("a Kindle book")
    if b"\0" in head:
        return tr("binary data")
    control = len(head) - len(head.translate(None, delete=_CONTROL))
    if control > _MOST_CONTROL * len(head):
        return tr("binary data")
    return ""


def _some(members: list[zipfile.ZipInfo] | list[str], source: FoundFile) -> None:
    if not members and source.named:
        raise UserError(
            tr("The archive {shown} contains no text files.", shown=source.shown),
            tr("Check that the archive has text files, such as .txt, and that none are left out."),
        )
