"""Drawing of many round points into an image at once, without an object per point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.disc_kernels import Disc, draw_discs
from workbench.core.arrays import Singles

Pixels = npt.NDArray[np.uint32]

# Number of opacity levels at a point's edge.
_STEPS = 6
_FINE = 8


@dataclass(frozen=True)
class Stamp:
    """A disc as pixels around its centre: offsets and opacity levels in 1.._STEPS, the faintest
    first.
    """

    reach: int
    down: tuple[int, ...]
    across: tuple[int, ...]
    step: tuple[int, ...]


@lru_cache(maxsize=64)
def stamp(radius: float) -> Stamp:
    """The disc of a radius in pixels; an edge pixel's opacity is the share of it that the disc
    covers.
    """
    reach = int(np.ceil(radius + 0.5))
    fine = (np.arange((2 * reach + 1) * _FINE) + 0.5) / _FINE - reach - 0.5
    disc = fine[:, None] ** 2 + fine[None, :] ** 2 <= radius * radius
    side = 2 * reach + 1
    cover = disc.reshape(side, _FINE, side, _FINE).mean(axis=(1, 3))
    steps = np.rint(cover * _STEPS).astype(int)
    down, across = np.nonzero(steps)
    order = np.argsort(steps[down, across], kind="stable")
    down, across = down[order], across[order]
    return Stamp(
        reach,
        tuple(int(v) - reach for v in down),
        tuple(int(v) - reach for v in across),
        tuple(int(v) for v in steps[down, across]),
    )


def splat_many(
    image: Pixels,
    screen: Singles,
    order: npt.NDArray[np.int64],
    scale: float,
    border: float,
    kinds: npt.NDArray[np.uint8],
    colours: Pixels,
    radius: float,
) -> None:
    """Draw a million points like ``splat`` at ``scale``·screen + ``border``, by a compiled kernel:
    rows of ``order``, later ones over earlier ones, but below pixels of the image with at least the
    same opacity.
    """
    disc = stamp(round(radius * 4) / 4)
    down, across, step = (
        np.array(part, dtype=np.int64) for part in (disc.down, disc.across, disc.step)
    )
    draw_discs(
        image,
        np.zeros(image.shape, dtype=np.uint8),
        screen,
        order,
        scale,
        border,
        kinds,
        _shades(colours.tobytes()),
        Disc(disc.reach, down, across, step),
    )


def splat(
    image: Pixels, screen: Singles, kinds: npt.NDArray[np.uint8], colours: Pixels, radius: float
) -> None:
    """Draw discs into ``image``, later points over earlier ones.

    image : uint32[height, width], premultiplied ARGB, changed in place
    screen : float32[n, 2], centres in pixels of the image
    kinds : uint8[n], index into ``colours``
    colours : uint32[k], opaque 0xFFRRGGBB
    radius : radius of all discs, in pixels

    Faint pixels of all points are written before stronger ones, so that an edge never overwrites
    the middle of a neighbour; this replaces blending and needs no reading of the image.
    """
    disc = stamp(round(radius * 4) / 4)
    height, width = image.shape
    across = np.floor(screen[:, 0]).astype(np.int32)
    down = np.floor(screen[:, 1]).astype(np.int32)
    reach = disc.reach
    inside = (
        (across >= reach) & (across < width - reach) & (down >= reach) & (down < height - reach)
    )
    place = (down[inside] * width + across[inside]).astype(np.int64)
    kind = kinds[inside]
    flat = image.reshape(-1)
    shades = _shades(colours.tobytes())
    last = 0
    values = shades[0][kind]
    for dy, dx, step in zip(disc.down, disc.across, disc.step, strict=True):
        if step != last:
            values = shades[step][kind]
            last = step
        flat[place + (dy * width + dx)] = values


@lru_cache(maxsize=32)
def _shades(packed: bytes) -> Pixels:
    """uint32[_STEPS + 1, k]: the colours, given as the bytes of uint32[k], with increasing opacity,
    premultiplied.
    """
    colours = np.frombuffer(packed, dtype=np.uint32)
    shades = np.zeros((_STEPS + 1, len(colours)), dtype=np.uint32)
    for step in range(1, _STEPS + 1):
        for shift in (0, 8, 16, 24):
            channel = (colours >> np.uint32(shift)) & np.uint32(0xFF)
            part = np.rint(channel * (step / _STEPS)).astype(np.uint32)
            shades[step] |= part << np.uint32(shift)
    return shades
