"""Words in groups as rows of tables."""

from __future__ import annotations

from dataclasses import asdict

from workbench.analysis.groups.grouped_words import GroupedWords
from workbench.analysis.groups.series import Series
from workbench.core.arrays import Doubles
from workbench.core.table_export import Cell

COLUMNS = (
    *("word", "to", "group", "occurrences", "cosine", "low", "high"),
    *("control", "control_low", "control_high", "p"),
)
CONTEXTS = (
    *("word", "group", "change", "context", "count", "elsewhere"),
    *("pmi", "pmi_elsewhere", "evidence"),
)


def series_rows(found: GroupedWords) -> list[list[Cell]]:
    """A row of COLUMNS for each group of each series."""
    occurrences = {word.word: word.occurrences.tolist() for word in found.words}
    return [
        [
            *(series.word, series.to, group, occurrences[series.word][at]),
            *(float(values[at]) for values in series_columns(series)),
            series.p,
        ]
        for series in found.series
        for at, group in enumerate(found.groups.values)
    ]


def series_columns(series: Series) -> tuple[Doubles, ...]:
    """The columns "cosine" to "control_high" of a series, float64[G] each."""
    return (
        *(series.cosines, series.low, series.high),
        *(series.control, series.control_low, series.control_high),
    )


def context_rows(found: GroupedWords) -> list[list[Cell]]:
    """A row of CONTEXTS for each context that a word gains or loses in a group."""
    return [
        [word.word, group, change, *asdict(one).values()]
        for word in found.words
        for at, group in enumerate(found.groups.values)
        for change, changes in (("gained", word.gained[at]), ("lost", word.lost[at]))
        for one in changes
    ]
