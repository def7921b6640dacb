"""Widths of words in drawings, and in tables on a terminal."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication

from workbench.analysis.projection.word_axes import WordAxis
from workbench.cli import text_widths as module
from workbench.cli.map_drawing import Drawing, write_svg
from workbench.cli.output import format_table
from workbench.cli.text_widths import text_widths

LETTERS = {
    "Chinese": "山水城海江河湖园林桥塔港",
    "Japanese": "カタナひらがな漢字語ー",
    "Cyrillic": "жмшщюыфаеоЖМ",
    "wide Latin": "mwMW",
    "Arabic": "سشصضطعلامنه",
    "Hindi": "कतनमरलवशसहीु",
}


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetricsF:
    font = QFont("sans-serif")
    font.setPixelSize(13)
    return QFontMetricsF(font)


@pytest.mark.parametrize("script", LETTERS)
def test_labels_of_a_map_never_overlap(tmp_path: Path, metrics: QFontMetricsF, script: str) -> None:
    random = np.random.default_rng(5)
    words = [
        "".join(random.choice(list(LETTERS[script]), random.integers(2, 8))) for _ in range(300)
    ]
    positions = random.normal(size=(300, 2)).astype(np.float32)
    write_svg(tmp_path / "map.svg", Drawing(words, positions))
    boxes = []
    group = ElementTree.parse(tmp_path / "map.svg").getroot()[-1]
    for text in group:
        left, base = float(text.attrib["x"]), float(text.attrib["y"])
        right = left + metrics.horizontalAdvance(text.text or "")
        assert right <= 1200
        boxes.append((left, base - 10, right, base + 1))
    assert len(boxes) > 50
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_titles_of_axes_stay_in_the_drawing(tmp_path: Path, metrics: QFontMetricsF) -> None:
    pair = ("particularly long", "particularly wide")
    axes = WordAxis.of_pairs((pair, pair, pair)), WordAxis.of_pairs((pair, pair))
    # The axes cross at the right edge, where no title fits beside the vertical one.
    positions = np.array([[-at / 40, at % 7 - 3] for at in range(300)], np.float32)
    write_svg(tmp_path / "map.svg", Drawing([f"word{at}" for at in range(300)], positions, axes))
    drawing = (tmp_path / "map.svg").read_text(encoding="utf-8")
    titles = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(start|end)">([^<]+)<', drawing
    )
    assert len(titles) == 4
    for x, _, anchor, text in titles:
        width = metrics.horizontalAdvance(text) * 16 / 13
        left = float(x) - (width if anchor == "end" else 0)
        assert left >= 0
        assert left + width <= 1200


def test_without_qt_the_estimates_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "module_command", lambda *_: ["no-such-program"])
    found = text_widths(["", "mm", "水水水", "é", "e\u0301", "\u0e17\u0e35\u0e48", "\u200d", "жжж"])
    np.testing.assert_allclose(found, [0, 1.96, 3, 0.62, 0.62, 0.66, 0, 2.85])


def test_a_text_is_at_least_as_wide_as_in_this_machines_font(metrics: QFontMetricsF) -> None:
    texts = ["hill", "Ölmühle", "мельница", "水车", "ﷺ", "a\nb"]
    found = text_widths(texts)
    assert all(found >= [metrics.horizontalAdvance(text) / 13 - 0.05 for text in texts])


def test_tables_align_wide_characters() -> None:
    text = format_table([["水车", "0.5"], ["mill", "0.25"], ["e\u0301", "1"]], right=(1,))
    assert text.split("\n") == ["水车   0.5", "mill  0.25", "e\u0301        1"]
