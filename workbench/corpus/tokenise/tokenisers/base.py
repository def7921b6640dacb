"""Base class of tokenisers. Each tokeniser is one file in this folder."""

from __future__ import annotations

import importlib.util
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import metadata
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from workbench.core.errors import UserError
from workbench.core.language import trn
from workbench.core.packages import install_advice, install_command, join_names

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class TokeniserOptions(Protocol):
    """The reading options that tokenisers use."""

    @property
    def pattern(self) -> str: ...


class MissingPackagesError(UserError):
    """Packages that a tokeniser needs are not installed; ``command`` installs them, "" if nothing
    does.
    """

    def __init__(self, key: str, packages: tuple[str, ...]) -> None:
        self.packages = packages
        self.command = install_command(packages)
        super().__init__(
            trn(
                "The tokeniser {key} needs the package {names}, which is not installed.",
                "The tokeniser {key} needs the packages {names}, which are not installed.",
                len(packages),
                key=key,
                names=join_names(packages),
            ),
            install_advice(packages),
        )


class TooSlow(Exception):
    """A tokeniser takes longer than ``seconds`` for a line."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"over {seconds:g} s")
        self.seconds = seconds


class Splitter:
    """A way to split text into tokens.

    ``packages`` are the packages that it needs, projects by import name; they are imported when the
    first text is split, so declaring a splitter costs nothing. ``extra`` is their extra in
    pyproject.toml, "" if they are always installed. ``sample`` is the number of bytes that it reads
    in some tenths of a second.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    order: ClassVar[int] = 100
    extra: ClassVar[str] = ""
    packages: ClassVar[Mapping[str, str]] = MappingProxyType({})
    sample: ClassVar[int] = 1 << 20

    @classmethod
    def missing(cls) -> MissingPackagesError | None:
        """The error that names the packages to install before it can be used, or None."""
        absent = tuple(
            project
            for name, project in cls.packages.items()
            if importlib.util.find_spec(name) is None
        )
        if absent:
            return MissingPackagesError(cls.key, absent)
        return None

    @classmethod
    def version(cls) -> str:
        """Version of the packages, because another version may give different tokens; "" without
        packages.
        """
        if cls.missing() is not None:
            return ""
        return ", ".join(
            f"{project} {metadata.version(project)}" for project in cls.packages.values()
        )


class TableSplitter(Splitter, ABC):
    """Runs of characters of certain kinds, found by the kernel of
    :mod:`workbench.corpus.tokenise.kernel_tokeniser`.
    """

    @staticmethod
    @abstractmethod
    def kinds() -> npt.NDArray[np.uint8]:
        """uint8[0x110000], the class of each code point for the kernel."""


class LineSplitter(Splitter, ABC):
    """Python code that gets one line at a time, without its end: at most ``longest_line``
    characters, 20 ms of work.

    Tokens are returned as written; they are converted to lowercase afterwards, once per type. The
    constructor raises MissingPackagesError.
    """

    longest_line: ClassVar[int] = 1 << 14
    # Characters after which a longer line can be cut, because no token contains them.
    breaks: ClassVar[str] = r"\s。，、！？"

    def __init__(self, options: TokeniserOptions) -> None:
        absent = self.missing()
        if absent is not None:
            raise absent

    @abstractmethod
    def split(self, line: str) -> list[str]:
        """The tokens of a line, in order; empty tokens and tokens of only spaces are skipped.
        Raises TooSlow.
        """

    def split_beginning(self, line: str) -> tuple[list[str], int]:
        """The tokens of the beginning of a longer line, and the length of the part that contains
        them; the rest is split with the text that follows. Length 0 if the line has no such part.
        Raises TooSlow.

        That part ends after one of ``breaks``, or else after the last token that doesn’t reach the
        end of ``line``.
        """
        found = re.match(f".*[{self.breaks}]", line, re.DOTALL)
        end = found.end() if found else max((b for _, b in self.spans(line)[:-1]), default=0)
        return self.split(line[:end]) if end else [], end

    def spans(self, line: str) -> list[tuple[int, int]]:
        """Start and end of each token of ``split``."""
        found, at = [], 0
        for token in self.split(line):
            begin = line.find(token, at)
            if begin >= 0 and token:
                at = begin + len(token)
                found.append((begin, at))
        return found


def has_word(token: str) -> bool:
    """Whether a token contains a letter or a number, not only punctuation, symbols and spaces."""
    return any(map(str.isalnum, token))


def quiet_import(name: str) -> Any:
    """Import a module whose own code causes warnings."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)
