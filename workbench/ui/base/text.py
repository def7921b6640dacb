"""Numbers in readable form: grouped, rounded, with a true minus sign."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from workbench.core.language import ENGLISH, MINUS, digits, language, plural, tr

__all__ = [
    "MINUS",
    "UNKNOWN",
    "approximate_duration",
    "count",
    "decimal",
    "documents_text",
    "duration",
    "exact_loss",
    "mark_unknown",
    "memory",
    "note_in_sentence",
    "plural",
    "power_of_ten",
    "short_number",
    "title_in_sentence",
    "true_minus",
    "unit_of",
    "without_full_stop",
]
# Text in place of an unknown number.
UNKNOWN = "–"
# Units that workers count, by the workers' names for them.
_UNITS = {
    "tokens": tr("tokens"),
    "cells": tr("cells"),
    "pairs": tr("pairs"),
    "words": tr("words"),
    "bytes": tr("bytes"),
}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


_P = ParamSpec("_P")


def mark_unknown(
    write: Callable[Concatenate[Any, _P], str],
) -> Callable[Concatenate[float | None, _P], str]:
    """Make a number formatter write "–" for None and NaN, and "∞" and "−∞" for infinite values."""

    @wraps(write)
    def write_number(number: float | None, /, *args: _P.args, **kwargs: _P.kwargs) -> str:
        if number is None or math.isnan(number):
            return UNKNOWN
        if math.isinf(number):
            if number > 0:
                return "∞"
            return f"{MINUS}∞"
        return write(number, *args, **kwargs)

    return write_number


def true_minus(text: str) -> str:
    """A number formatted by Python, in the notation of the language and with a true minus sign;
    only for numbers, as words may contain hyphens.
    """
    return digits(text).replace("-", MINUS)


def without_zero(text: str) -> str:
    """A score formatted by Python, without the zero before the point in languages that write a
    point: 0.71 → ".71", but "0,71" in German.
    """
    return true_minus(text).replace("0.", ".", 1) if text.startswith("0.") else true_minus(text)


@mark_unknown
def count(number: int) -> str:
    """1204 → "1,204"."""
    return true_minus(f"{number:,}")


@mark_unknown
def short_number(number: float) -> str:
    """Three digits and a magnitude: 3 612 000 → "3.61 M", 48 200 → "48.2 k", 87 → "87"."""
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= limit:
            scaled = number / limit
            if abs(scaled) < 10:
                places = 2
            elif abs(scaled) < 100:
                places = 1
            else:
                places = 0
            return f"{true_minus(f'{scaled:.{places}f}')} {letter}"
    return true_minus(f"{number:.0f}")


@mark_unknown
def decimal(number: float, places: int = 3, *, padded: bool = False) -> str:
    """At most ``places`` significant digits: 2.3128 → "2.31", −0.5 → "−0.5", 9.28e-6 →
    "9.28·10⁻⁶". padded : exactly as many, including trailing zeros, for a column: 0.5 → "0.500"
    """
    mantissa, _, exponent = f"{number:{'#' if padded else ''}.{places}g}".partition("e")
    mantissa = mantissa.removesuffix(".")
    power = f"·{power_of_ten(int(exponent))}" if exponent else ""
    return true_minus(mantissa) + power


@mark_unknown
def exact_loss(loss: float) -> str:
    """A loss with four digits, including trailing zeros, so that columns line up."""
    return true_minus(f"{loss:#.4g}".rstrip("."))


def documents_text(unit: str, number: int) -> str:
    """ "12 files": documents that are drawn, by their unit (``corpus.documents``)."""
    texts = {
        "files": lambda: plural(number, "file"),
        "rows": lambda: plural(number, "row"),
        "passages": lambda: plural(number, "passage"),
        "sentences": lambda: plural(number, "sentence"),
    }
    return texts[unit]()


def power_of_ten(exponent: int) -> str:
    """−5 → "10⁻⁵"."""
    return f"10{str(exponent).translate(_RAISED)}"


@mark_unknown
def duration(seconds: float) -> str:
    """A time span: "below 1 s", "4 s", "2 min 10 s", "1 h 5 min"."""
    if seconds < 1:
        return tr("below 1 s")
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min" + (f" {whole % 60} s" if whole % 60 and whole < 600 else "")
    minutes = round(whole / 60)
    return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")


@mark_unknown
def approximate_duration(seconds: float) -> str:
    """An estimated time span: "about 4 s"; "below 1 s" needs no "about"."""
    if seconds >= 1:
        return tr("about {duration}", duration=duration(seconds))
    return duration(seconds)


@mark_unknown
def memory(size: float) -> str:
    """Bytes: "12 MB", "1.4 GB"; a megabyte is 10⁶ bytes."""
    if size >= 1e9:
        return f"{true_minus(f'{size / 1e9:.1f}')} GB"
    if size >= 1e6:
        return f"{size / 1e6:.0f} MB"
    return f"{max(size / 1e3, 1):.0f} kB"


def unit_of(name: str) -> str:
    """Unit of a progress rate: "tokens" and "tokens/s" → "tokens"."""
    name = name.removesuffix("/s")
    return _UNITS.get(name, name)


def without_full_stop(note: str) -> str:
    """A note without its closing full stop, for a row of facts."""
    return note.rstrip(". ")


def note_in_sentence(note: str) -> str:
    """A note for use after other words: in lower case at the beginning, unless it begins with a
    name such as “SGNS 4”, or nouns are capitalised in the current language.
    """
    sentence = without_full_stop(note)
    if language() != ENGLISH:
        return sentence
    if sentence[1:2].islower():
        return sentence[:1].lower() + sentence[1:]
    return sentence


def title_in_sentence(title: str) -> str:
    """A title for use within a sentence: in lower case, unless nouns are capitalised in the current
    language.
    """
    if language() == ENGLISH:
        return title.lower()
    return title


def signed(value: float, digits: int = 2) -> str:
    """A number with ``digits`` decimals and a true minus sign: "−0.35"; "–" without a number."""
    # Rounded first, so that zero has no minus sign.
    if math.isfinite(value):
        return true_minus(f"{round(value, digits) + 0.0:.{digits}f}")
    return "–"


def quality_text(
    trustworthiness: float | Sequence[float],
    continuity: float | Sequence[float],
    about: str = "",
) -> str:
    """The quality of a map: "trustworthiness .93 · continuity .95"; that of several maps, one after
    another: "trustworthiness .93 → .91 · continuity .95 → .94".
    """
    return tr(
        "trustworthiness {about}{trust} · continuity {about}{kept}",
        about=about,
        trust=_in_turn(trustworthiness),
        kept=_in_turn(continuity),
    )


def _in_turn(values: float | Sequence[float]) -> str:
    every = values if isinstance(values, Sequence) else [values]
    return " → ".join(_two_digits(value) for value in every)


@mark_unknown
def _two_digits(share: float) -> str:
    return without_zero(f"{share:.2f}")
