"""A map of words as SVG or PNG, without a window: every point, and as many words as there is room for."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from workbench.analysis.axes import WordAxis
from workbench.core.errors import UserError
from workbench.core.paths import child_environment
from workbench.core.visible import xml_text
from workbench.vectors.embeddings import Floats

_WIDTH, _HEIGHT, _MARGIN = 1200, 900, 60
_SIZE = 13
# Mean advance of a letter of a sans serif face, in ems: what is measured nowhere must be guessed.
_ADVANCE = 0.56
_CELL = 6

Axes = tuple[WordAxis, WordAxis] | None


def write_svg(path: Path, words: Sequence[str], positions: Floats, axes: Axes) -> None:
    """Draw positions float32[n, 2], the first words named first; axes as lines through 0 with their anchors."""
    path.write_text(_drawn(words, positions, axes), encoding="utf-8")


def write_png(path: Path, words: Sequence[str], positions: Floats, axes: Axes) -> None:
    """The same in pixels, painted by Qt in a process beside. Raises UserError where it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        drawing = Path(folder) / "map.svg"
        write_svg(drawing, words, positions, axes)
        command = [sys.executable, "-m", "workbench.ui.rasterise", str(drawing), str(path)]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=child_environment()
        )
    if done.returncode:
        why = done.stderr.strip().rsplit("\n", 1)[-1]
        raise UserError(f"The PNG cannot be painted: {why or done.returncode}.", "Write a .svg.")


def _drawn(words: Sequence[str], positions: Floats, axes: Axes) -> str:
    low, high = positions.min(axis=0).astype(float), positions.max(axis=0).astype(float)
    if axes is not None:
        low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
    span = np.maximum(high - low, 1e-9)
    scale = float(min((_WIDTH - 2 * _MARGIN) / span[0], (_HEIGHT - 2 * _MARGIN) / span[1]))
    middle = (low + high) / 2
    x = _WIDTH / 2 + (positions[:, 0] - middle[0]) * scale
    y = _HEIGHT / 2 - (positions[:, 1] - middle[1]) * scale
    radius = 3.0 if len(words) <= 2000 else 1.5
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="{_SIZE}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#FBFBFA"/>',
    ]
    if axes is not None:
        parts += _axes(axes, _WIDTH / 2 - middle[0] * scale, _HEIGHT / 2 + middle[1] * scale)
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius}"/>' for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    parts.append(f'<g fill="#8A94A0">{dots}</g>')
    texts = "".join(
        f'<text x="{x[row] + radius + 3:.1f}" y="{y[row] + _SIZE * 0.35:.1f}">{xml_text(words[row])}</text>'
        for row in _named(words, x, y)
    )
    # The ground around the letters is drawn apart: not every program knows of paint-order.
    parts.append(f'<g stroke="#FBFBFA" stroke-width="3">{texts}</g><g fill="#1F2328">{texts}</g></svg>')
    return "\n".join(parts) + "\n"


def _named(words: Sequence[str], x: Floats, y: Floats) -> list[int]:
    """The rows of the words that are written, none over another, the first ones first."""
    taken = np.zeros((_HEIGHT // _CELL + 1, _WIDTH // _CELL + 1), dtype=bool)
    rows = []
    for row, word in enumerate(words):
        left, top = float(x[row]), float(y[row]) - _SIZE / 2
        right, bottom = left + 6 + len(word) * _SIZE * _ADVANCE, top + _SIZE
        if left < 0 or top < 0 or right >= _WIDTH or bottom >= _HEIGHT:
            continue
        box = (slice(int(top) // _CELL, int(bottom) // _CELL + 1), slice(int(left) // _CELL, int(right) // _CELL + 1))
        if not taken[box].any():
            taken[box] = True
            rows.append(row)
    return rows


def _axes(axes: tuple[WordAxis, WordAxis], x: float, y: float) -> list[str]:
    across, up = axes
    ends = (
        (10, y - 8, "start", f"← {across.low}"),
        (_WIDTH - 10, y - 8, "end", f"{across.high} →"),
        (x + 8, 24, "start", f"{up.high} ↑"),
        (x + 8, _HEIGHT - 14, "start", f"{up.low} ↓"),
    )
    lines = f'<path d="M0 {y:.1f}H{_WIDTH}M{x:.1f} 0V{_HEIGHT}" stroke="#D1D9E0"/>'
    texts = "".join(
        f'<text x="{left:.1f}" y="{top:.1f}" text-anchor="{anchor}">{xml_text(text)}</text>'
        for left, top, anchor, text in ends
    )
    return [lines, f'<g font-size="16" font-weight="600">{texts}</g>']
