"""Texts of the map: caption, notice about a missing word, and marks of an analogy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from workbench.analysis.projection.before_after import BOTH, ONLY_BEFORE
from workbench.analysis.projection.word_axes import KnownPairs, WordAxis
from workbench.core.language import tr, trn
from workbench.session.selection.words import AnalogyShown
from workbench.ui.base.text import count, decimal, plural
from workbench.ui.panels.map.layout import AXES, PLANE, MapLayout
from workbench.ui.widgets.map.backdrop import ends_text
from workbench.ui.widgets.map.overlays import Arrow, Ghost
from workbench.vectors.modes import kept_modes
from workbench.vectors.row_order import ALPHABETICAL, order_of


def caption_of(layout: MapLayout) -> str:
    """Method, number of words, and explained variance of a layout."""
    if layout.pair is not None:
        presence = layout.pair.presence
        both, before = int((presence == BOTH).sum()), int((presence == ONLY_BEFORE).sum())
        after = len(presence) - both - before
        parts = [trn("{number:,} word in both models", "{number:,} words in both models", both)]
        if before:
            parts.append(tr("{before} only in the first model", before=count(before)))
        if after:
            parts.append(tr("{after} only in the second model", after=count(after)))
        return " · ".join([layout.title, *parts])
    total = len(layout.request.embeddings)
    if len(layout.words) == total:
        words = plural(total, "word")
    else:
        words = tr("{count} of {total} words", count=count(len(layout.words)), total=count(total))
    request = layout.request
    first = len(layout.words) + request.without_vector
    if first == request.limit < total and order_of(request.embeddings) == ALPHABETICAL:
        words = tr("{words}, the first ones of an alphabetical list", words=words)
    method = layout.title
    parts = [
        tr("{method} during training", method=method) if layout.request.live else method,
        words,
    ]
    if layout.request.without_vector:
        parts.append(
            trn(
                "{number:,} word without a vector left out",
                "{number:,} words without a vector left out",
                layout.request.without_vector,
            )
        )
    kept = kept_modes(layout.request.embeddings)
    if kept is not None:
        parts.append(tr("first {modes} of {of} modes", modes=kept[0], of=kept[1]))
    axes = layout.request.axes
    if layout.method == AXES and axes is not None and None in axes:
        direction = tr("height: frequency") if axes[1] is None else tr("width: frequency")
        parts.append(direction)
    if layout.shown is not None:
        if layout.method == AXES:
            parts.append(tr("cosine of the axes {decimal}", decimal=decimal(layout.shown, 2)))
        elif layout.method == PLANE:
            parts.append(
                tr("{shown:.0%} of the differences between the four words", shown=layout.shown)
            )
        else:
            parts.append(tr("{shown:.0%} of the variance", shown=layout.shown))
    return " · ".join(parts)


def lacking_text(only_epochs: bool) -> str:
    """Why a map has no regions, and a remedy: fewer words or, at least, more epochs."""
    if only_epochs:
        return tr("Too little text for regions. Train for more epochs.")
    return tr("Too little text for regions. Show fewer words or train for more epochs.")


def axis_text(axis: WordAxis) -> str:
    """An axis from the first word at one end to the first at the other."""
    return f"{ends_text(axis.low_words, 1)} → {ends_text(axis.high_words, 1)}"


def left_out_pairs(name: str, typed: WordAxis, known: KnownPairs, alone: Sequence[str] = ()) -> str:
    """Number of pairs of an axis that are used, with the words left out: those that the model
    lacks, those whose vector is zero, and those without a partner (``alone``).
    """
    parts = []
    if known.axis is not None:
        used, every = len(known.axis.pairs), len(typed.pairs)
        parts.append(tr("{name}: {used} of {every} pairs", name=name, used=used, every=every))
    if known.unknown:
        parts.append(tr("unknown: {words}", words=", ".join(known.unknown)))
    if known.without_vector:
        parts.append(tr("without a vector: {words}", words=", ".join(known.without_vector)))
    if alone:
        parts.append(tr("without a partner: {words}", words=", ".join(alone)))
    return ", ".join(parts)


def missing_word(
    layout: MapLayout, words: Iterable[str], shows: Callable[[str], bool]
) -> tuple[str, int | None]:
    """Notice about a selected or searched word that the model contains but the map doesn’t show,
    with the word’s row if the map would show it with more words.
    """
    for word in words:
        if shows(word):
            continue
        row = layout.request.embeddings.index.get(word)
        if row is None:
            continue
        if layout.request.rows is not None:
            return tr("“{word}” isn’t among the displayed words", word=word), None
        return tr("“{word}” has rank {count}", word=word, count=count(row + 1)), row
    return "", None


def analogy_marks(
    analogy: AnalogyShown | None, layout: MapLayout | None
) -> tuple[tuple[Arrow, ...], Ghost | None]:
    """Arrows of an analogy, and its predicted position in its own plane."""
    if analogy is None or layout is None:
        return (), None
    arrows = (Arrow(analogy.b, analogy.a), Arrow(analogy.c, analogy.answer))
    if layout.target is None or layout.request.analogy != analogy:
        return arrows, None
    return arrows, Ghost(*layout.target, f"{analogy.a} − {analogy.b} + {analogy.c}")
