"""Errors that the user can fix."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from typing import ClassVar

from workbench.core.language import tr
from workbench.core.library_errors import error_cause


class UserError(Exception):
    """A problem that the user can fix: one sentence with the reason, one with a solution.

    The window shows it in the relevant panel; the command line prints it on one line of stderr and
    exits with 2. Any other exception that escapes is a bug.

    Text quoted from a file may contain anything: control characters become spaces, and a text with
    more than ``LONGEST`` characters loses its middle.
    """

    LONGEST: ClassVar[int] = 800

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = _one_line(message, self.LONGEST)
        self.hint = _one_line(hint, self.LONGEST)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class PassingError(UserError):
    """A failure that the same request may not meet again: no memory, a full disk, a bug."""


class ParameterError(UserError):
    """One or more hyperparameters are wrong; ``errors`` maps each field to its sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)


class NotEnoughMemory(UserError):
    """Something needs more memory than is free."""


class UnknownWord(UserError):
    """A word is not in a vocabulary, nor are ``others``. The message shows only the start of a long
    text, and only the first of many words.
    """

    def __init__(self, word: str, hint: str = "", others: Sequence[str] = ()) -> None:
        if others:
            message = tr("{words} are not in the vocabulary.", words=quoted_words([word, *others]))
        else:
            message = tr("“{word}” is not in the vocabulary.", word=shorten_text(word))
        super().__init__(message, hint)
        self.word = word
        self.words = (word, *others)


def shorten_text(text: str, most: int = 60) -> str:
    """A text that may contain anything, for use within a sentence."""
    if len(text) <= most:
        return text
    return f"{text[: most - 2].rstrip()} …"


def quoted_words(words: Sequence[str], most: int = 4) -> str:
    """Words such as "“one”, “two”", and the number of further ones, for use within a sentence."""
    listing = ", ".join(tr("“{word}”", word=shorten_text(word, 30)) for word in words[:most])
    more = len(words) - most
    if more > 0:
        return tr("{words} and {more:,} more", words=listing, more=more)
    return listing


class Diverged(UserError):
    """The numbers of a training grew without bound. ``progress`` is its progress, in 0..1."""

    def __init__(self, message: str, hint: str, progress: float) -> None:
        super().__init__(message, hint)
        self.progress = progress


class Cancelled(Exception):
    """Raised inside a job by ``JobControl.check`` when it has been cancelled. Not an error."""


def error_text(error: Exception) -> str:
    """Text of an error for use within a sentence; common messages of the system and of libraries
    are translated.
    """
    if not isinstance(error, OSError) or not error.errno:
        return error_cause(error)
    said = {
        errno.ENOENT: tr("No such file or directory"),
        errno.EEXIST: tr("File exists"),
        errno.ENOTDIR: tr("Not a directory"),
        errno.EISDIR: tr("Is a directory"),
        errno.EACCES: tr("Permission denied"),
        errno.EPERM: tr("Operation not permitted"),
        errno.EROFS: tr("Read-only file system"),
        errno.ENOSPC: tr("No space left on device"),
        errno.EDQUOT: tr("Disk quota exceeded"),
        errno.EFBIG: tr("File too large"),
        errno.ENAMETOOLONG: tr("File name too long"),
        errno.EMFILE: tr("Too many open files"),
        errno.EIO: tr("Input/output error"),
    }
    return said.get(error.errno) or error.strerror or str(error)


def as_user_error(error: BaseException | None) -> PassingError | None:
    """PassingError for a system error that the user can fix: permissions, names, a full disk.

    None for any other error, which is a bug. Even checking whether a file exists raises some of
    these.
    """
    if not isinstance(error, OSError):
        return None
    if error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is not None:
        return PassingError(
            tr("Couldn’t write {path}: {reason}.", path=error.filename, reason=error_text(error)),
            tr("Free some space or choose another folder."),
        )
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return PassingError(
            tr("The disk is full ({reason}).", reason=error_text(error)),
            tr("Free some space and try again."),
        )
    if error.errno in _MENDABLE and error.filename is not None:
        return PassingError(
            tr("Couldn’t use {path}: {reason}.", path=error.filename, reason=error_text(error)),
            tr("Check the path and its permissions, or choose another folder."),
        )
    return None


_MENDABLE = frozenset(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP, errno.EIO)
)


def _one_line(text: str, longest: int) -> str:
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]} … {text[-longest // 4 :]}"
