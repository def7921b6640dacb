"""Hues that look equally light and equally far apart, in OKLCH (Ottosson 2020)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Lightness and chroma of all hues, on a light ground and on a dark one, and the first hue.
LIGHT, DARK = (0.60, 0.125), (0.75, 0.115)
_FIRST = 0.08
# Red, green and blue light of the three cones' responses.
_FROM_CONES = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def hue_channels(
    hues: npt.NDArray[np.floating],
    lightness: tuple[float, float],
    share: float | npt.NDArray[np.floating] = 1.0,
) -> npt.NDArray[np.float64]:
    """float64[…, 3] in 0..1, red, green and blue of hues float64[…] in 0..1 (sRGB).

    lightness : lightness and chroma of all; share : of the chroma, 0 for grey
    """
    light, chroma = lightness
    angle = 2 * np.pi * (hues + _FIRST)
    a, b = chroma * share * np.cos(angle), chroma * share * np.sin(angle)
    cones = np.stack(
        [
            light + 0.3963377774 * a + 0.2158037573 * b,
            light - 0.1055613458 * a - 0.0638541728 * b,
            light - 0.0894841775 * a - 1.2914855480 * b,
        ],
        axis=-1,
    )
    linear = np.clip(cones**3 @ _FROM_CONES.T, 0.0, 1.0)
    bent = 1.055 * linear ** (1 / 2.4) - 0.055
    return np.asarray(np.where(linear <= 0.0031308, 12.92 * linear, bent))
