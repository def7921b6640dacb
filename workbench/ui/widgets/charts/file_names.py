"""The name that a file gets where its suffix was not typed."""

from __future__ import annotations

from itertools import count
from pathlib import Path


def add_suffix(typed: Path, suffix: str) -> Path:
    """``typed`` with the suffix.

    The dialog asked about a file of the name that was typed, not of this one: where there is one, a
    number is added rather than that it is written over.
    """
    named = typed.with_name(typed.name + suffix)
    if not named.exists():
        return named
    numbered = (typed.with_name(f"{typed.name}-{number}{suffix}") for number in count(2))
    return next(path for path in numbered if not path.exists())
