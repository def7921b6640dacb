"""Entries of the catalogue: what is downloaded, its licence, its checksums, and its place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.paths import cache_folder


class Kind(StrEnum):
    """What an entry contains, and so what opens it."""

    TEXT = "text"
    VECTORS = "vectors"
    ANALOGIES = "analogies"
    SIMILARITY = "similarity"


@dataclass(frozen=True)
class RemoteFile:
    """One file to download.

    size : published size in bytes, 0 if none is published
    checksum : "md5:…", "sha1:…", "sha256:…", or "git:…", the name of the content in a Git
    repository; "" if none is published
    member : the member of the zip archive that has this checksum, "" for the file itself
    """

    name: str
    url: str
    size: int = 0
    checksum: str = ""
    member: str = ""
    mirrors: tuple[str, ...] = ()


@dataclass(frozen=True)
class CatalogueEntry:
    """Public data, known by name.

    url : address of the download; ``mirrors`` are tried after it
    size : published size of the download in bytes, 0 if it isn’t published or changes
    licence, source : licence of the data, and the page that describes them
    checksum : see ``RemoteFile``, published at ``checksum_source``; "" if none is published: then
    that of the first download is recorded
    member : the member of the archive that has this checksum, "" for the download itself
    include, column : members with the text, and its column, as in ``CorpusOptions``
    kind, language : contents, and the language of the words as an ISO 639 code, "" for several
    more : further files, which are saved beside the first in the folder ``folder``
    """

    key: str
    title: str
    summary: str
    url: str
    file: str
    size: int
    licence: str
    source: str
    checksum: str = ""
    checksum_source: str = ""
    member: str = ""
    include: str = ""
    column: str = ""
    mirrors: tuple[str, ...] = ()
    kind: Kind = Kind.TEXT
    language: str = "en"
    more: tuple[RemoteFile, ...] = ()
    folder: str = ""

    @property
    def files(self) -> tuple[RemoteFile, ...]:
        """Everything that is downloaded."""
        first = RemoteFile(self.file, self.url, self.size, self.checksum, self.member, self.mirrors)
        return (first, *self.more)

    @property
    def bytes(self) -> int:
        """Published size of all files, 0 if that of one isn’t known."""
        sizes = [file.size for file in self.files]
        return sum(sizes) if all(sizes) else 0

    @property
    def place(self) -> Path:
        """Path of the downloaded file, or of the folder with all files."""
        return cache_folder("downloads", self.key) / (self.folder or self.file)

    def place_of(self, file: RemoteFile) -> Path:
        """Path of one of the files."""
        return self.place / file.name if self.folder else self.place

    @property
    def here(self) -> bool:
        """Whether it was downloaded."""
        return all(self.place_of(file).is_file() for file in self.files)

    @property
    def size_text(self) -> str:
        """The size of the download for the user."""
        size = self.bytes
        if not size:
            return tr("size not published")
        if size < 1e6:
            return tr("{value:,.0f} kB", value=size / 1e3)
        return tr("{value:,.0f} MB", value=size / 1e6)

    @property
    def checksum_text(self) -> str:
        """How the download is checked, in a sentence."""
        if not self.checksum:
            return tr("No checksum is published; that of the first download is recorded.")
        return tr("Checked with {checksum_source}.", checksum_source=self.checksum_source)

    def prove_here(self) -> None:
        """Raise UserError if the data aren’t downloaded."""
        if not self.here:
            raise UserError(
                tr("{title} hasn’t been downloaded yet.", title=self.title),
                tr("Download the data with: workbench corpora get {key}.", key=self.key),
            )
