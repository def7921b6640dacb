"""The contrast of the palettes by WCAG 2.2, and the colours of runs as seen with all cones and with
one kind missing.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtWidgets import QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.base.colours import DARK, LIGHT, Palette, high_contrast_palette, readable_colour
from workbench.ui.base.panel import PanelContext
from workbench.ui.widgets.map.colour_scheme import DISTINCT

PALETTES = [
    pytest.param(LIGHT, id="light"),
    pytest.param(DARK, id="dark"),
    pytest.param(high_contrast_palette(LIGHT), id="light for a projector"),
    pytest.param(high_contrast_palette(DARK), id="dark for a projector"),
]
GROUNDS = ("ground", "surface", "raised", "hover")
TEXTS = ("text", "muted", "accent", "danger", "warning", "good")

# Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of color
# vision deficiency", severity 1: linear RGB to linear RGB.
SEEN_BY = {
    "all cones": np.eye(3),
    "no L cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no M cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no S cones": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# CIE 1976 distances in L*a*b*: 2.3 is just noticeable side by side; points on a map,
# which are apart, need more.
LEAST_DISTANCE, LEAST_DISTANCE_BLIND = 20.0, 9.0


def linear(colour: str) -> npt.NDArray[np.float64]:
    """Linear light of an sRGB colour (IEC 61966-2-1), float64[3] in 0..1."""
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2.2: (lighter + 0.05) / (darker + 0.05)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(light: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """CIE 1976 L*a*b* of linear sRGB, for the white point D65."""
    matrix = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    share = matrix @ light / (matrix @ np.ones(3))
    f = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_white_stays_white_for_all_eyes() -> None:
    for matrix in SEEN_BY.values():
        assert matrix.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_the_measure_is_that_of_the_recommendation() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    # The lightest grey on white that the recommendation's commentary allows for ordinary text.
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("palette", PALETTES)
def test_every_text_can_be_read_on_every_ground(palette: Palette) -> None:
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS]
    pairs += [
        ("on_accent", "accent"),
        ("text", "accent_soft"),
        ("muted", "accent_soft"),
        ("accent", "accent_soft"),
    ]
    low = {
        (text, ground): round(ratio, 2)
        for text, ground in pairs
        if (ratio := contrast(getattr(palette, text), getattr(palette, ground))) < 4.5
    }
    assert low == {}


@pytest.mark.parametrize("palette", PALETTES)
def test_what_is_drawn_stands_out(palette: Palette) -> None:
    """Graphics that carry meaning have a contrast of at least 3 to 1 with their background."""
    colours = {
        "accent": palette.accent,
        "point": palette.point,
        "danger": palette.danger,
        "edge": palette.edge,
    }
    colours |= {f"run {at}": colour for at, colour in enumerate(palette.runs)}
    colours |= {f"diverging {at}": palette.diverging[at] for at in (0, 2)}
    low = {
        (name, ground): round(ratio, 2)
        for name, colour in colours.items()
        for ground in ("ground", "surface")
        if (ratio := contrast(colour, getattr(palette, ground))) < 3.0
    }
    assert low == {}


@pytest.mark.parametrize("palette", PALETTES)
def test_what_is_written_in_the_colour_of_a_run_can_be_read(palette: Palette) -> None:
    low = {
        (run, ground): round(ratio, 2)
        for run in palette.runs
        for ground in GROUNDS
        if (
            ratio := contrast(
                readable_colour(run, getattr(palette, ground)), getattr(palette, ground)
            )
        )
        < 4.5
    }
    assert low == {}


@pytest.mark.parametrize("palette", PALETTES)
def test_a_colour_that_can_be_read_is_written_in_as_it_is(palette: Palette) -> None:
    assert readable_colour(palette.text, palette.ground) == palette.text


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("eyes", list(SEEN_BY))
def test_categories_differ_for_all_eyes(palette: Palette, eyes: str) -> None:
    """Colours of runs, the first of which are also those of clusters on the map."""
    colours = [lab(np.clip(SEEN_BY[eyes] @ linear(colour), 0, 1)) for colour in palette.runs]
    least = LEAST_DISTANCE if eyes == "all cones" else LEAST_DISTANCE_BLIND
    near = {
        pair: round(distance, 1)
        for pair in combinations(range(len(colours)), 2)
        if (distance := float(np.linalg.norm(colours[pair[0]] - colours[pair[1]]))) < least
    }
    assert near == {}
    assert len(palette.runs) >= DISTINCT


@pytest.mark.parametrize("choice", ["light", "dark"])
@pytest.mark.parametrize("text", [100, 150])
def test_a_radio_button_has_a_visible_rim_that_grows_with_the_text(
    context: PanelContext, qtbot: QtBot, choice: str, text: int
) -> None:
    theme = context.theme
    theme.choose(choice)
    theme.choose_text_size(text)
    window = QWidget()
    qtbot.addWidget(window)
    button = QRadioButton(window)
    theme.dress(window)
    window.resize(60, 60)
    window.show()
    button.adjustSize()
    image = window.grab().toImage()
    row = button.geometry().center().y()
    colours = [image.pixelColor(x, row).name() for x in range(button.geometry().right() + 1)]
    ground = image.pixelColor(55, 55).name()
    rim = [x for x, colour in enumerate(colours) if contrast(colour, ground) >= 3]
    assert rim, colours
    assert rim[-1] - rim[0] + 1 == pytest.approx(16 * text / 100, abs=2)
    theme.choose_text_size(100)
    theme.choose("light")
