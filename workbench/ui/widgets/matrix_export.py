"""A matrix as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
import math

from workbench.analysis.matrix import MatrixResult
from workbench.ui.text import MINUS

# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", MINUS, "\t", "\r")


def to_csv(result: MatrixResult) -> str:
    """The values as CSV: words down, columns across, empty where a pair was never seen.

    A name that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["", *map(_safe, result.columns)])
    for word, row in zip(result.words, result.values, strict=True):
        writer.writerow([_safe(word), *("" if math.isnan(v) else repr(float(v)) for v in row)])
    return text.getvalue()


def _safe(word: str) -> str:
    return "'" + word if word.startswith(_FORMULA) else word
