"""Base class of file formats for vectors. Each format has its own module."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from workbench.vectors.embeddings import Embeddings


class Format(ABC):
    """A way to write vectors to a file, and to read them back exactly.

    ``suffixes`` name the format when writing, the first being its own. ``keeps`` says which parts
    of an Embeddings survive besides words and vectors. ``ambiguous_suffixes`` are those that do not
    prove vectors by themselves: a .txt whose content says nothing is a corpus. ``files`` are the
    names of what a format that is a folder holds, empty for one file. ``half`` says that its
    numbers can be float16, too, where ``write`` gets such (:mod:`workbench.vectors.float16`).
    """

    key: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 100
    ambiguous_suffixes: ClassVar[frozenset[str]] = frozenset()
    files: ClassVar[frozenset[str]] = frozenset()
    half: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        """None if the format can hold these vectors and words, else a sentence that says why
        not.
        """

    @classmethod
    @abstractmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        """Whether a file is of this format, from its first 64 KiB and, if necessary, from the
        file.
        """

    @classmethod
    def detect_folder(cls, path: Path) -> bool:
        """Whether a folder is of this format, from the names of its files."""
        return False

    @classmethod
    @abstractmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        """The first ``limit`` words (0: all). Vectors are finite float32, words distinct.

        Raises UserError naming the line or word where the file is damaged.
        """

    @classmethod
    @abstractmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        """Write to ``path``, a file or for a format with ``files`` an empty folder, what ``holds``
        admits.

        Raises OSError, and UserError if only the writing shows that it cannot be.
        """
