"""The colours of every panel, light and dark."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

# Minimum contrast of text (WCAG 2.2, 1.4.3).
_READABLE = 4.5
_STEPS = 50


@dataclass(frozen=True)
class Palette:
    """Colours by role, as #RRGGBB: text has a contrast of at least 4.5 on all grounds, other
    meaningful elements at least 3 (``edge`` outlines input fields; ``line`` only divides). ``runs``
    are in the order of Okabe and Ito (2008), in variants that people with colour blindness can tell
    apart, too.
    """

    dark: bool
    ground: str
    surface: str
    raised: str
    hover: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    accent_soft: str
    danger: str
    warning: str
    good: str
    unobserved: str
    point: str
    edge: str
    runs: tuple[str, ...]
    diverging: tuple[str, str, str]


LIGHT = Palette(
    dark=False,
    ground="#FBFBFA",
    surface="#FFFFFF",
    raised="#F3F4F4",
    hover="#EAECEF",
    text="#1F2328",
    muted="#59636E",
    line="#D1D9E0",
    accent="#2563CF",
    on_accent="#FFFFFF",
    accent_soft="#DCE8FC",
    danger="#C0362C",
    warning="#8A5A00",
    good="#15702F",
    unobserved="#D2D4D6",
    point="#848E9A",
    edge="#868F99",
    runs=("#2560A0", "#B44C00", "#0F8B62", "#B2578C", "#AF8104", "#2A97CB", "#686969", "#7B4EC2"),
    diverging=("#2166AC", "#F4F4F2", "#B2182B"),
)

DARK = Palette(
    dark=True,
    ground="#15171B",
    surface="#1D2025",
    raised="#262A30",
    hover="#2E333A",
    text="#E6E8EB",
    muted="#9AA4AE",
    line="#30363D",
    accent="#7AA8F8",
    on_accent="#15171B",
    accent_soft="#26364F",
    danger="#FF8A80",
    warning="#E3B341",
    good="#56D364",
    unobserved="#4A4E54",
    point="#737D89",
    edge="#6E7681",
    runs=("#7AC4F2", "#E8A20C", "#2EC699", "#DC8EBB", "#EEE340", "#3E86C7", "#BFC0C0", "#B197F1"),
    diverging=("#67A9CF", "#2A2D32", "#EF8A62"),
)


def high_contrast_palette(colours: Palette) -> Palette:
    """The palette for a projector, which washes colours out: text is black or white, and muted
    colours are closer to it.
    """
    if colours.dark:
        ink, paper = ("#FFFFFF", "#000000")
    else:
        ink, paper = ("#000000", "#FFFFFF")
    return replace(
        colours,
        ground=paper,
        surface=paper,
        text=ink,
        muted=mix_colours(colours.muted, ink, 0.6),
        line=mix_colours(colours.line, ink, 0.4),
        point=mix_colours(colours.point, ink, 0.4),
        edge=mix_colours(colours.edge, ink, 0.4),
        accent=mix_colours(colours.accent, ink, 0.15),
        runs=tuple(mix_colours(run, ink, 0.12) for run in colours.runs),
    )


def on_paper(run: str) -> str:
    """The colour of a run on white paper, given its colour in either palette."""
    return dict(zip(DARK.runs, LIGHT.runs, strict=True)).get(run.upper(), run)


@cache
def readable_colour(colour: str, ground: str) -> str:
    """The colour ``colour``, made darker or lighter as needed for text on ``ground``."""
    ink = max("#000000", "#FFFFFF", key=lambda end: contrast_ratio(end, ground))
    shades = (mix_colours(colour, ink, step / _STEPS) for step in range(_STEPS + 1))
    return next((shade for shade in shades if contrast_ratio(shade, ground) >= _READABLE), ink)


def contrast_ratio(one: str, other: str) -> float:
    """(lighter + 0.05) / (darker + 0.05) of two #RRGGBB, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour (IEC 61966-2-1), 0 to 1."""
    shares = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mix_colours(colour: str, other: str, share: float) -> str:
    """``colour`` with a share of another, as #RRGGBB."""
    channels = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in channels)


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue
