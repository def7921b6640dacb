"""File names: derived from names of runs, corpora and words, or typed and given a suffix."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection
from itertools import chain, count
from pathlib import Path

from workbench.core.operating_system import Windows

# Files move from one system to another, so the strictest rules apply on every system.
_STRICTEST = Windows()
# Most file systems allow 255 bytes to a name, and Windows 260 characters to a path.
_BYTES = 120
# Kept besides letters, marks and digits. A comma or a plus sign distinguishes runs.
_KEPT = frozenset(" .,-_+=()")


def file_stem(name: str, otherwise: str, taken: Collection[str] = ()) -> str:
    """A file name without suffix that every system allows: ``name`` with a hyphen for each
    character that some system refuses, or ``otherwise`` if no character is left.

    The result differs from the names in ``taken`` by more than upper and lower case, which some
    systems don’t distinguish.
    """
    plain = "".join(
        letter if unicodedata.category(letter)[0] in "LMN" or letter in _KEPT else "-"
        for letter in unicodedata.normalize("NFC", name)
    )
    stem = _cut(plain).strip(" .-") or otherwise
    if not _STRICTEST.allows_name(stem):
        stem = f"_{stem}"
    known = {_folded(other) for other in taken}
    numbered = (f"{stem}-{number}" for number in count(2))
    return next(one for one in chain([stem], numbered) if _folded(one) not in known)


def _cut(name: str) -> str:
    return name.encode("utf-8", "replace")[:_BYTES].decode("utf-8", "ignore")


def _folded(stem: str) -> str:
    return unicodedata.normalize("NFC", stem.casefold())


def add_suffix(typed: Path, suffix: str) -> Path:
    """``typed`` with the suffix.

    The dialog has confirmed overwriting only for the typed name: if a file with the suffix exists,
    a number is added rather than overwriting that file.
    """
    named = typed.with_name(typed.name + suffix)
    numbered = (typed.with_name(f"{typed.name}-{number}{suffix}") for number in count(2))
    # Unlike Path.exists, os.path.exists accepts names that are too long; saving reports them.
    return next(path for path in chain([named], numbered) if not os.path.exists(path))
