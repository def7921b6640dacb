"""Colour modes of the map: frequency, a word axis, clusters, sections of analogy questions, a
column, trustworthiness.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.projection.clusters import best_k_means, k_means
from workbench.analysis.projection.quality import quality
from workbench.analysis.projection.word_attributes import WordAttribute
from workbench.analysis.projection.word_axes import WordAxis, axis_cosines
from workbench.analysis.projection.word_groups import by_row, groups_of_questions
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui.base.text import MINUS, count, decimal
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.panels.map.texts import axis_text
from workbench.ui.widgets.map.colour_scheme import (
    DISTINCT,
    Shading,
    categories,
    diverging_shading,
    graded_shading,
    plain,
)

T = TypeVar("T")

# Up to this number, each word is compared with all others; above it, with a sample.
_JUDGED = 20_000


def shade_by_frequency(layout: MapLayout) -> Shading:
    """Counts on a logarithmic scale; ranks if counts are unknown, the first rank highest."""
    places, rows = _known_words(layout)
    counts = layout.request.embeddings.counts
    numbers = rows + 1
    if counts is not None:
        numbers = np.maximum(counts[rows], 1)
    low, high = int(numbers.min()), int(numbers.max())
    values = np.full(len(layout.words), np.nan)
    texts = [""] * len(layout.words)
    values[places] = _scale_to_unit(np.log(numbers) if counts is not None else -np.log(numbers))
    for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
        texts[place] = str(number)
    if counts is None:
        return graded_shading(tr("Rank (log scale)"), values, count(high), count(low), texts)
    return graded_shading(tr("Frequency (log scale)"), values, count(low), count(high), texts)


def shade_by_axis(layout: MapLayout, axis: WordAxis) -> Shading:
    """Cosines with a word axis, on a scale with 0 in the middle."""
    places, rows = _known_words(layout)
    values = np.full(len(layout.words), np.nan)
    values[places] = axis_cosines(layout.request.embeddings, axis, rows.tolist())
    texts = ["" if np.isnan(value) else f"{value:.4f}" for value in values.tolist()]
    title = tr("Cosine with {axis}", axis=axis_text(axis))
    return diverging_shading(title, values, texts)


def shade_by_cluster(layout: MapLayout, k: int, run: JobControl) -> Shading:
    """k-means on the unit vectors; with k = 0, the number from 2 to 6 with the highest silhouette.
    Of two models, the first is used.
    """
    places, rows = _known_words(layout)
    unit = layout.request.embeddings.unit_of(rows)
    wanted = range(2, DISTINCT + 1)
    found = (
        k_means(unit, min(k, unit.shape[0]), run=run) if k else best_k_means(unit, wanted, run=run)
    )
    names: list[str] = []
    for typical in found.typical(unit, 2):
        named = ", ".join(layout.words[places[row]] for row in typical)
        if named not in names:
            names.append(named)
        else:
            names.append(f"{named} ({len(names) + 1})")
    labels = [""] * len(layout.words)
    for place, label in zip(places.tolist(), found.labels.tolist(), strict=True):
        labels[place] = names[label]
    title = (
        tr("{k} clusters · silhouette {silhouette:.2f}", k=found.k, silhouette=found.silhouette)
        .replace("0.", ".")
        .replace("-", MINUS)
    )
    return categories(title, labels, names)


def shade_by_section(layout: MapLayout, questions: Questions, section: str) -> Shading:
    """All sections (""), each word in the first section that contains it; or one section, by the
    position of the word in a question.
    """
    groups = groups_of_questions(questions, section)
    found = by_row(layout.request.embeddings, groups.labels)
    labels = [found.get(word, "") for word in layout.words]
    title = tr("Sections of {name}", name=questions.name)
    if section:
        title = tr("Section “{section}”", section=section)
    return categories(title, labels, groups.order if section else ())


def shade_by_column(layout: MapLayout, column: WordAttribute) -> Shading:
    """A column from a file: numbers from the lowest to the highest, or categories."""
    if not column.numeric:
        labels = by_row(layout.request.embeddings, column.categories)
        return categories(column.name, [labels.get(word, "") for word in layout.words])
    numbers = by_row(layout.request.embeddings, column.numbers)
    values = np.array([numbers.get(word, np.nan) for word in layout.words], dtype=np.float64)
    texts = ["" if np.isnan(value) else f"{value:.6g}" for value in values.tolist()]
    known = values[np.isfinite(values)]
    ends = ("", "")
    if len(known):
        ends = (decimal(float(known.min())), decimal(float(known.max())))
    return graded_shading(column.name, _scale_to_unit(values), *ends, texts)


def shade_by_trustworthiness(layout: MapLayout, run: JobControl) -> Shading:
    """How many of a word's neighbours on the map are true ones, by the measure of Venna & Kaski."""
    found = quality(layout.request.unit_vectors, layout.positions, limit=_JUDGED, run=run)
    values = np.full(len(layout.words), np.nan)
    values[found.rows] = found.local_trustworthiness
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    texts = ["" if np.isnan(value) else f"{value:.4f}" for value in values.tolist()]
    title = tr("Trustworthiness, k = {k}", k=found.k)
    return graded_shading(title, _scale_to_unit(values), decimal(low, 2), decimal(high, 2), texts)


def shade_by_layout_values(layout: MapLayout) -> Shading:
    return plain(layout.values)


def _scale_to_unit(values: Doubles) -> Doubles:
    """0..1 from the lowest to the highest; NaN stays, equal values are in the middle."""
    known: Sequence[bool] | npt.NDArray[np.bool_] = np.isfinite(values)
    if not np.any(known):
        return values
    low, high = float(values[known].min()), float(values[known].max())
    return np.asarray((values - low) / (high - low) if high > low else np.where(known, 0.5, np.nan))


def _known_words(layout: MapLayout) -> tuple[Ints, Ints]:
    """The words of the map that the model (of two, the first) contains: positions on the map, and
    rows of the model.
    """
    index = layout.request.embeddings.index
    pairs = [(place, index[word]) for place, word in enumerate(layout.words) if word in index]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]
