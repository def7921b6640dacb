"""Colours of points in both themes, and the entries of their legends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from workbench.core.arrays import Singles
from workbench.core.hues import DARK, LIGHT, hue_channels
from workbench.core.language import tr, trn
from workbench.ui.base.text import decimal
from workbench.ui.base.theme import Palette

Kinds = npt.NDArray[np.uint8]
Shades = npt.NDArray[np.uint32]

# Shades of grey from rare to frequent, and steps of a colour scale.
LEVELS = 6
STEPS = 24
# An odd number, so that 0 has the middle colour.
DIVERGING_STEPS = 25
# Share of the points' colour in the middle of a diverging scale.
_MIDDLE = 0.65
# Few values are beyond the ends of a diverging scale; they share its last colours.
_QUANTILE = 0.99
# Number of categories with a distinguishable colour of their own.
DISTINCT = 6
# Those of the runs' colours that differ from one another and from grey, without the second, which
# arrows have; the sixth category has the colour of text.
_APART = (0, 4, 2, 3, 7)
# Hues of regions: regions whose directions from the middle differ by less share one.
REGION_HUES = 24
# Parts of viridis that are visible on light and on dark grounds.
_SPAN_LIGHT, _SPAN_DARK = (0.0, 0.86), (0.22, 1.0)


@dataclass(frozen=True, eq=False)
class Shading:
    """The colours of n points. This base class has plain colours: greys, stronger for frequent
    words.

    kinds : uint8[n], index into ``shades``
    title : title of the legend, "" for none
    texts : n texts, each word's value in exports; empty without values
    """

    kinds: Kinds
    title: str = ""
    texts: Sequence[str] = ()

    @property
    def meaningful(self) -> bool:
        """Whether the colours need a legend."""
        return bool(self.title)

    def shades(self, colours: Palette) -> Shades:
        """uint32[k] as 0xFFRRGGBB."""
        middle = QColor(colours.point)
        pairs = []
        for level in range(LEVELS):
            share = 2 * level / (LEVELS - 1) - 1
            pairs.append(
                mix_colours(
                    middle, QColor(colours.text if share > 0 else colours.ground), 0.5 * abs(share)
                )
            )
        return _pack_colours(pairs)


@dataclass(frozen=True, eq=False)
class Graded(Shading):
    """Numbers on viridis; the last kind marks points without a number. ``low``, ``middle`` and
    ``high`` label the scale.
    """

    low: str = ""
    high: str = ""
    unknown: int = 0
    middle: str = ""

    def scale(self, colours: Palette) -> list[QColor]:
        """Colours from low to high."""
        return scale_colours(colours)

    def shades(self, colours: Palette) -> Shades:
        return _pack_colours([*self.scale(colours), unknown_colour(colours)])


@dataclass(frozen=True, eq=False)
class Diverging(Graded):
    """Numbers on a scale from one hue over grey at 0 to another."""

    def scale(self, colours: Palette) -> list[QColor]:
        low, _, high = (QColor(name) for name in colours.diverging)
        # The middle colour of the palette is meant for areas; points would be invisible in it.
        middle = mix_colours(QColor(colours.ground), QColor(colours.point), _MIDDLE)
        shares = np.linspace(-1.0, 1.0, DIVERGING_STEPS).tolist()
        return [mix_colours(middle, low if share < 0 else high, abs(share)) for share in shares]


@dataclass(frozen=True, eq=False)
class Categories(Shading):
    """Categories in the colours of the runs' palette, distinguishable without red and green; the
    last kind is all others and points without a category.

    names : at most DISTINCT names; sizes : number of points of each category
    rest : label of the last kind, "" if it is empty
    """

    names: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    rest: str = ""

    def shades(self, colours: Palette) -> Shades:
        known = [*(colours.runs[place] for place in _APART), colours.text][: len(self.names)]
        return _pack_colours([*(QColor(name) for name in known), unknown_colour(colours)])


def region_colours(colours: Palette) -> list[QColor]:
    """The colours of ``REGION_HUES`` directions, counterclockwise from the right."""
    rows = hue_channels(np.arange(REGION_HUES) / REGION_HUES, DARK if colours.dark else LIGHT)
    return [QColor(*row) for row in np.rint(255 * rows).astype(int).tolist()]


def plain(values: Singles) -> Shading:
    """Greys for values float32[n] in 0..1."""
    return Shading(np.minimum(np.clip(values, 0.0, 1.0) * LEVELS, LEVELS - 1).astype(np.uint8))


def graded_shading(
    title: str, values: npt.NDArray[np.float64], low: str, high: str, texts: Sequence[str]
) -> Graded:
    """Colours for values float64[n] in 0..1, NaN without a value."""
    known = np.isfinite(values)
    kinds = np.full(len(values), STEPS, dtype=np.uint8)
    kinds[known] = np.minimum(np.clip(values[known], 0.0, 1.0) * STEPS, STEPS - 1).astype(np.uint8)
    return Graded(kinds, title, texts, low, high, int((~known).sum()))


def diverging_shading(
    title: str, values: npt.NDArray[np.float64], texts: Sequence[str]
) -> Diverging:
    """Colours for values float64[n], NaN without a value, on a scale symmetric about 0."""
    known = np.isfinite(values)
    limit = 1e-6
    if known.any():
        limit = max(float(np.quantile(np.abs(values[known]), _QUANTILE)), limit)
    share = np.clip(values[known] / limit, -1.0, 1.0)
    kinds = np.full(len(values), DIVERGING_STEPS, dtype=np.uint8)
    kinds[known] = np.rint((share + 1.0) / 2.0 * (DIVERGING_STEPS - 1)).astype(np.uint8)
    low, high = decimal(-limit, 2), decimal(limit, 2)
    return Diverging(kinds, title, texts, low, high, int((~known).sum()), "0")


def categories(title: str, labels: Sequence[str], order: Sequence[str] = ()) -> Categories:
    """Colours for the category of each word, "" for none; the largest categories get their own, or
    those in ``order``.
    """
    sizes: dict[str, int] = {}
    for label in labels:
        if label:
            sizes[label] = sizes.get(label, 0) + 1
    ranked = [name for name in order if name in sizes] or sorted(
        sizes, key=lambda name: (-sizes[name], name)
    )
    names = tuple(ranked[:DISTINCT])
    place = {name: number for number, name in enumerate(names)}
    kinds = np.array([place.get(label, len(names)) for label in labels], dtype=np.uint8)
    others, without = len(sizes) - len(names), sum(not label for label in labels)
    rest = ""
    if others and without:
        rest = trn("{number} other or no value", "{number} others or no value", others)
    elif others:
        rest = trn("{number} other", "{number} others", others)
    elif without:
        rest = tr("none")
    return Categories(
        kinds, title, tuple(labels), names, tuple(sizes[name] for name in names), rest
    )


def scale_colours(colours: Palette) -> list[QColor]:
    """STEPS colours from low to high."""
    if colours.dark:
        low, high = _SPAN_DARK
    else:
        low, high = _SPAN_LIGHT
    table = _viridis()
    rows = np.rint(np.linspace(low, high, STEPS) * 255).astype(int)
    return [QColor(*table[row].tolist()) for row in rows]


def unknown_colour(colours: Palette) -> QColor:
    """Colour of points without a value."""
    return mix_colours(QColor(colours.ground), QColor(colours.point), 0.45)


def fade_shades(shades: Shades, ground: str, levels: int) -> Shades:
    """uint32[levels · k]: all shades, each level closer to the ground; the last level is not quite
    the ground.
    """
    below = np.array(QColor(ground).getRgb()[:3], dtype=np.float64)  # type: ignore[index]
    channels = np.stack(
        [(shades >> np.uint32(shift)) & np.uint32(0xFF) for shift in (16, 8, 0)], axis=1
    )
    share = (np.arange(levels) / levels)[:, None, None]
    mixed_ = np.rint(channels + (below - channels) * share).astype(np.uint32).reshape(-1, 3)
    return np.asarray(
        np.uint32(0xFF000000)
        | mixed_[:, 0] << np.uint32(16)
        | mixed_[:, 1] << np.uint32(8)
        | mixed_[:, 2],
        dtype=np.uint32,
    )


def mix_colours(one: QColor, other: QColor, share: float) -> QColor:
    """``one`` with a share of ``other``."""
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * share,
        one.greenF() + (other.greenF() - one.greenF()) * share,
        one.blueF() + (other.blueF() - one.blueF()) * share,
    )


@cache
def _viridis() -> npt.NDArray[np.uint8]:
    import pyqtgraph

    return np.asarray(
        pyqtgraph.colormap.get("viridis").getLookupTable(0.0, 1.0, 256), dtype=np.uint8
    )[:, :3]


def _pack_colours(colours: Sequence[QColor]) -> Shades:
    return np.array([colour.rgba() for colour in colours], dtype=np.uint32)
