"""Many small discs in an image: the points of a map that is too large to draw one by one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Ints
from workbench.core.jit import kernel

Pixels = npt.NDArray[np.uint32]


class Disc(NamedTuple):
    """The pixels of a disc: down, across : int64[p], offsets from its centre, at most ``reach``
    away;
    step : int64[p], opacity as a row of the shades
    """

    reach: int
    down: Ints
    across: Ints
    step: Ints


@kernel
def draw_discs(
    image: Pixels,
    taken: npt.NDArray[np.uint8],
    screen: npt.NDArray[np.float32],
    order: Ints,
    scale: float,
    border: float,
    kinds: npt.NDArray[np.uint8],
    shades: Pixels,
    disc: Disc,
) -> None:
    """Draw a disc at ``scale``·screen + ``border`` for each row in ``order``, the last one on top.

    image : uint32[height, width], premultiplied ARGB. A pixel takes the most opaque of its current
    colour and the discs that cover it, the topmost of equals; so the first of two calls is on top
    taken : uint8[height, width] of zeros, changed: a disc exactly under another of its size is not
    drawn
    screen : float32[n, 2]; discs that are not wholly inside the image are left out
    kinds : uint8[n], column of shades; shades : uint32[steps, k], by opacity
    """
    height, width = image.shape
    flat, seen = image.reshape(-1), taken.reshape(-1)
    reach = disc.reach
    offsets = disc.down * width + disc.across
    for at in range(len(order) - 1, -1, -1):
        row = order[at]
        x, y = screen[row, 0] * scale + border, screen[row, 1] * scale + border
        if not (x >= reach and y >= reach and x < width - reach and y < height - reach):
            continue
        place = int(y) * width + int(x)
        if seen[place]:
            continue
        seen[place] = 1
        kind = kinds[row]
        for p in range(len(disc.step)):
            shade = shades[disc.step[p], kind]
            pixel = place + offsets[p]
            if shade >> 24 > flat[pixel] >> 24:
                flat[pixel] = shade


def warm() -> None:
    """Compile the kernel, or load it from the cache."""
    one = np.zeros(1, dtype=np.int64)
    draw_discs(
        np.zeros((3, 3), dtype=np.uint32),
        np.zeros((3, 3), dtype=np.uint8),
        np.ones((1, 2), dtype=np.float32),
        one,
        1.0,
        0.0,
        np.zeros(1, dtype=np.uint8),
        np.zeros((2, 1), dtype=np.uint32),
        Disc(0, one, one, one),
    )
