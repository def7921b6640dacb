"""Maps as PNG files, drawn without a display."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from workbench.analysis.projection.regions import Regions
from workbench.cli.map_drawing import Drawing, DrawnRegions, map_svg, write_png
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

_MAIN = Path(__file__).parents[2] / "main.py"


def test_the_drawing_in_pixels(home: Path, tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(12)]
    save_vectors(
        Embeddings(words, np.random.default_rng(1).normal(size=(12, 4)).astype(np.float32)),
        tmp_path / "v.vec",
    )
    command = [
        sys.executable,
        str(_MAIN),
        "project",
        "v.vec",
        "--method",
        "pca",
        "--output",
        "map.png",
    ]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
    image = QImage(str(tmp_path / "map.png"))
    assert (image.width(), image.height()) == (2400, 1800)
    colours = [image.pixelColor(x, y).name() for x in range(0, 2400, 2) for y in range(0, 1800, 2)]
    # The colours of the background, the dots and the text.
    assert colours.count("#fbfbfa") > 0.95 * len(colours)
    assert colours.count("#8a94a0") >= 12
    assert colours.count("#1f2328") > 100


@pytest.mark.parametrize("named_regions", [False, True])
def test_names_leave_the_dots_of_other_words_visible(named_regions: bool, tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    positions = random.normal(size=(2_500, 2)).astype(np.float32)
    drawn = None
    if named_regions:
        labels = np.digitize(positions[:, 0], np.linspace(-1.2, 1.2, 5)).astype(np.int32)
        middles = np.array([positions[labels == region].mean(axis=0) for region in range(6)])
        drawn = DrawnRegions(Regions(labels, middles.astype(np.float64)), ["illumination"] * 6)
    words = [f"meadow{row}" for row in range(2_500)]
    write_png(tmp_path / "map.png", Drawing(words, positions, regions=drawn))
    image = QImage(str(tmp_path / "map.png"))
    low, high = positions.min(axis=0), positions.max(axis=0)
    # The map of 1200 × 900 has margins of 60, and the picture twice as many pixels.
    scale = min(1080 / (high[0] - low[0]), 780 / (high[1] - low[1]))
    middle = (low + high) / 2
    across = 2 * (600 + (positions[:, 0] - middle[0]) * scale)
    up = 2 * (450 - (positions[:, 1] - middle[1]) * scale)
    ground = image.pixelColor(2, 2)
    darker = [
        ground.lightness() - image.pixelColor(round(x), round(y)).lightness()
        for x, y in zip(across.tolist(), up.tolist(), strict=True)
    ]
    # The plain dot is darker by 112 of 255.
    assert np.median(darker) > 90
    assert min(darker) > 15


def test_words_added_to_a_map_are_marked_and_named_first() -> None:
    corners = np.array([[0, 0], [1, 1], [0.5, 0.5], [0.5, 0.5]], dtype=np.float32)
    plain = map_svg(Drawing(["left", "right", "old", "added"], corners))
    assert ">old<" in plain
    assert ">added<" not in plain
    marked = map_svg(Drawing(["left", "right", "old", "added"], corners, added=1))
    assert ">old<" not in marked
    assert 'font-weight="600"' in marked.partition(">added<")[0].rpartition("<text")[2]
    assert marked.count("<circle") == 3
    assert marked.count('z"/>') == 1
