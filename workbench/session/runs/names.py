"""Unused names and colours for new runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from workbench.session.runs.run_record import RunRecord


def free_colour(runs: Sequence[RunRecord]) -> int:
    """The lowest index of a colour that no run has."""
    used = {record.colour for record in runs}
    return next(number for number in count() if number not in used)


def numbered_name(noun: str, runs: Sequence[RunRecord]) -> str:
    """The first of "SGNS 1", "SGNS 2", … that is free."""
    used = {record.name for record in runs}
    return next(name for number in count(1) if (name := f"{noun} {number}") not in used)


def is_numbered(name: str, noun: str) -> bool:
    """Whether a name is one of "SGNS 1", "SGNS 2", …"""
    first, _, number = name.rpartition(" ")
    return first == noun and number.isdecimal()


def unused_name(name: str, runs: Sequence[RunRecord]) -> str:
    """``name``, with a number if it is taken: "SGNS 3 +5", "SGNS 3 +5 (2)"."""
    used = {record.name for record in runs}
    if name not in used:
        return name
    return next(other for number in count(2) if (other := f"{name} ({number})") not in used)
