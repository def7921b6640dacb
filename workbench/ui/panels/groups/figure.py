"""The cosines of a word by group as a chart, and the contexts of a group as columns of a table."""

from __future__ import annotations

import math

import numpy as np

from workbench.analysis.groups.grouped_words import GroupedWords, WordInGroups
from workbench.analysis.groups.series import Series
from workbench.core.arrays import Doubles
from workbench.core.language import tr
from workbench.corpus.documents import SENTENCES
from workbench.ui.base.text import count, decimal, documents_text, mark_unknown, plural, true_minus
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.tables.table_model import TableColumn

# p above it: the largest change may be chance.
_LIKELY_CHANCE = 0.05
# Groups without an order: distance of the control from the cosine, as a share of that of groups.
_ASIDE = 0.08


def title_of(series: Series) -> str:
    """The name of a series: its words."""
    if series.word == series.to:
        return tr("{word} and the whole text", word=series.word)
    return tr("{word} and {to}", word=series.word, to=series.to)


def cosines_chart(found: GroupedWords, shown: int) -> Chart:
    """The series number ``shown`` with its band and control, the others as pale curves."""
    places = np.arange(len(found.groups), dtype=np.float64)
    chosen = found.series[shown]
    # Groups without an order aren't joined.
    ordered = found.groups.ordered
    aside = places if ordered else places + _ASIDE
    parts = [
        ChartSeries(
            aside,
            chosen.control,
            tr("groups shuffled"),
            line=ordered,
            low=chosen.control_low,
            high=chosen.control_high,
            texts=_texts(found, chosen.control, tr("groups shuffled")),
            role="muted",
            dashed=ordered,
            dots=not ordered,
            fill=ordered,
        )
    ]
    for at, series in enumerate(found.series):
        own = at == shown
        parts.append(
            ChartSeries(
                places,
                series.cosines,
                title_of(series),
                at,
                line=ordered,
                low=series.low if own else None,
                high=series.high if own else None,
                texts=[_tip(found, series, group) for group in range(len(found.groups))],
                keys=found.groups.values if own else (),
            )
        )
    # The chosen one lies on top.
    parts.append(parts.pop(shown + 1))
    return Chart(tr("group"), tr("cosine"), tuple(parts), x_names=found.groups.values)


def _texts(found: GroupedWords, values: Doubles, name: str) -> list[str]:
    return [
        f"{group}\n{name}: {_cosine(value)}"
        for group, value in zip(found.groups.values, values.tolist(), strict=True)
    ]


def _tip(found: GroupedWords, series: Series, group: int) -> str:
    word = next(one for one in found.words if one.word == series.word)
    lines = [
        found.groups.values[group],
        f"{title_of(series)}: {_cosine(series.cosines[group])}",
    ]
    if math.isfinite(series.low[group]):
        low, high = _cosine(series.low[group]), _cosine(series.high[group])
        lines.append(tr("95%: {low} to {high}", low=low, high=high))
    lines.append(plural(int(word.occurrences[group]), "occurrence"))
    return "\n".join(lines)


@mark_unknown
def _cosine(value: float) -> str:
    return true_minus(f"{value:.3f}")


def summary(found: GroupedWords, shown: int) -> str:
    """What the chart shows, in a sentence."""
    series = found.series[shown]
    parts = [tr("p = {p} against shuffled groups", p=decimal(series.p, 2))]
    if series.turn and series.p <= _LIKELY_CHANCE:
        group = found.groups.values[series.turn]
        parts.append(tr("largest change before {group}", group=group))
    parts.append(
        tr(
            "{units} in {groups}",
            units=documents_text(found.unit, int(found.units.sum())),
            groups=plural(len(found.groups), "group"),
        )
    )
    if found.unit == SENTENCES:
        parts.append(
            tr("bands too narrow, because sentences of one text depend on each other: use passages")
        )
    return " · ".join(parts)


def context_columns(word: WordInGroups, group: int) -> list[TableColumn]:
    """Contexts gained, then lost, in one group."""
    changes = [*word.gained[group], *word.lost[group]]
    gained = len(word.gained[group])
    marks = [tr("gained")] * gained + [tr("lost")] * (len(changes) - gained)
    return [
        TableColumn(
            tr("context"),
            [one.context for one in changes],
            keys=[one.context for one in changes],
            stretch=True,
        ),
        TableColumn(tr("change"), marks),
        TableColumn(
            "G²",
            [abs(one.evidence) for one in changes],
            tr("Log-likelihood ratio: evidence that it isn’t chance; 3.84 or more"),
            text=_evidence,
        ),
        TableColumn(
            tr("here"), [one.count for one in changes], tr("Pairs in this group"), text=_pairs
        ),
        TableColumn(tr("PMI here"), [one.pmi for one in changes], text=_nats, spare=2),
        TableColumn(
            tr("elsewhere"),
            [one.elsewhere for one in changes],
            tr("Pairs in all other groups"),
            text=_pairs,
            spare=1,
        ),
        TableColumn(
            tr("PMI elsewhere"), [one.pmi_elsewhere for one in changes], text=_nats, spare=3
        ),
    ]


@mark_unknown
def _evidence(value: float) -> str:
    return true_minus(f"{value:.1f}")


@mark_unknown
def _nats(value: float) -> str:
    return true_minus(f"{value:.2f}")


@mark_unknown
def _pairs(value: float) -> str:
    return count(round(value))
