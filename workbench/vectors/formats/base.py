"""Base classes of file formats for vectors. Each format has its own module."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

_NGRAMS = tr("n-grams")
# Parts of vectors that are said to be missing, in this order.
_PARTS = {
    "ngram_vectors": _NGRAMS,
    "contexts": tr("context vectors"),
    "own_contexts": tr("contexts, which have a vocabulary of their own"),
    "biases": tr("biases"),
    "counts": tr("counts of the words"),
}


class Source(ABC):
    """A kind of files or folders from which vectors are read.

    ``is_zip``: its files are zip files themselves, and aren't unpacked before ``read``.
    ``is_folder``: it is a folder, which ``detect_folder`` recognises.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int] = 100
    is_zip: ClassVar[bool] = False
    is_folder: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        """Whether a file has this format, from its first 64 KiB and, if necessary, from the
        file.
        """

    @classmethod
    def detect_folder(cls, path: Path) -> bool:
        """Whether a folder has this format, from the names of its files."""
        return False

    @classmethod
    @abstractmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        """The first ``limit`` words (0: all). Vectors are finite float32, words distinct.

        Raises UserError naming the line or word at which the file is damaged.
        """


class Format(Source):
    """A file format for vectors, which reads back exactly what it writes.

    ``suffixes`` identify the format when writing, the first being its own. ``keeps`` says which
    parts of an Embeddings are saved besides words and vectors. ``ambiguous_suffixes`` are suffixes
    that don't prove vectors: a .txt without a recognised content is a corpus. ``files`` are the
    names of the files of a format that is a folder, empty for a single file. ``half``: its numbers
    can also be float16 if ``write`` gets such numbers (:mod:`workbench.vectors.float16`).
    """

    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[frozenset[str]] = frozenset()
    ambiguous_suffixes: ClassVar[frozenset[str]] = frozenset()
    files: ClassVar[frozenset[str]] = frozenset()
    half: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        """Why the format can't represent these vectors and words, in a sentence; None if it can."""

    @classmethod
    def notes(cls, embeddings: Embeddings) -> tuple[str, ...]:
        """Sentences about what other programs can't do with these vectors in this format."""
        return ()

    @classmethod
    def missing(cls, embeddings: Embeddings) -> tuple[str, ...]:
        """Sentences about the parts of these vectors that the format doesn't save."""
        lost = cls.lost(embeddings)
        if not lost:
            return ()
        sentence = tr(
            "{title}: the file doesn’t contain the {parts}.",
            title=cls.title,
            parts=", ".join(lost),
        )
        if lost[0] == _NGRAMS:
            return sentence, tr("Words that aren’t in the file get no vectors.")
        return (sentence,)

    @classmethod
    def lost(cls, embeddings: Embeddings) -> tuple[str, ...]:
        """Names of the parts of these vectors that the format doesn't save."""
        return tuple(
            name
            for part, name in _PARTS.items()
            if part not in cls.keeps and getattr(embeddings, part) is not None
        )

    @classmethod
    @abstractmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        """Write embeddings that ``holds`` allows to ``path``, a file or, for a format with
        ``files``, an empty folder.

        Raises OSError, and UserError for a problem that only writing reveals.
        """
