"""The saved map: the same size for any panel, the same bytes for the same layout, and all names,
axes and the analogy in every format.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot
from ui.map_fakes import choose_view, record, settled, show, shown_panel

from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import LIGHT
from workbench.ui.panels.map.export import save_map
from workbench.ui.panels.map.layout import AXES, PLANE, UMAP
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.paper import PAPER
from workbench.ui.widgets.map.regions import RegionShading

SUFFIXES = (".png", ".svg", ".pdf")
ANALOGY = AnalogyShown("man", "woman", "poor", "rich")


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1))
        qtbot.waitUntil(settled(new_panel, UMAP))
        yield new_panel


def _save(panel: MapPanel, path: Path) -> bytes:
    assert panel._layout is not None
    save_map(path, panel.view, panel._layout)
    return path.read_bytes()


def _texts(path: Path) -> str:
    """The texts of an SVG or a PDF, one per line."""
    if path.suffix == ".svg":
        found = ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
        return "\n".join((text.text or "").strip("\n") for text in found)
    return _pdf_texts(path.read_bytes())


def _pdf_texts(data: bytes) -> str:
    objects = {
        int(number): body
        for number, body in re.findall(rb"(\d+) 0 obj\s*(.*?)endobj", data, re.DOTALL)
    }
    letters: dict[tuple[str, str], str] = {}
    for number, body in objects.items():
        table = re.search(rb"/ToUnicode (\d+) 0 R", body)
        if table is None:
            continue
        lists = re.findall(
            rb"<(\w{4})> <\w{4}> \[([^\]]*)\]", objects[int(table.group(1))], re.DOTALL
        )
        for first, codes in lists:
            for step, code in enumerate(re.findall(rb"<(\w+)>", codes)):
                glyph = f"{int(first, 16) + step:04x}"
                letters[f"F{number}", glyph] = bytes.fromhex(code.decode()).decode("utf-16-be")
    lines = []
    for body in objects.values():
        stream = re.search(rb"stream\r?\n(.*)\r?\nendstream", body, re.DOTALL)
        if stream is None or b"/FlateDecode" not in body or b"/Length1" in body:
            continue
        drawing = zlib.decompress(stream.group(1)).decode("latin-1")
        for block in re.findall(r"BT\n(.*?)ET\n", drawing, re.DOTALL):
            font, line = "", ""
            for name, glyphs in re.findall(r"/(F\d+) \S+ Tf|<(\w+)> Tj", block):
                font = name or font
                line += "".join(
                    letters[font, glyphs[at : at + 4].lower()] for at in range(0, len(glyphs), 4)
                )
            # The font's character table maps a space to a tab.
            lines.append(line.replace("\t", " "))
    return "\n".join(lines)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_layout_is_the_same_file(
    panel: MapPanel, tmp_path: Path, suffix: str, qtbot: QtBot
) -> None:
    first = _save(panel, tmp_path / f"first{suffix}")
    # The file depends neither on the time, nor on the size of the panel, nor on earlier views.
    qtbot.wait(1100)
    view = panel.view
    panel.resize(620, 420)
    qtbot.waitUntil(lambda: view.width() <= 620)
    view.zoom(3.0)
    view.grab()
    view.fit()
    qtbot.waitUntil(lambda: not view.moving)
    qtbot.mouseMove(view, QPoint(200, 150))
    assert _save(panel, tmp_path / f"second{suffix}") == first


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_part_that_was_gone_to_is_drawn_alone(
    panel: MapPanel, tmp_path: Path, suffix: str
) -> None:
    whole = _save(panel, tmp_path / f"whole{suffix}")
    panel.view.motion = False
    panel.view.centre_on("poor")
    panel.view.zoom(6.0)
    assert _save(panel, tmp_path / f"part{suffix}") != whole
    if suffix != ".png":
        assert "poor" in _texts(tmp_path / f"part{suffix}")


def test_a_png_has_the_size_of_paper(panel: MapPanel, tmp_path: Path) -> None:
    _save(panel, tmp_path / "map.png")
    assert QImage(str(tmp_path / "map.png")).size() == 2 * PAPER


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_regions_are_named(panel: MapPanel, tmp_path: Path, suffix: str) -> None:
    _save(panel, tmp_path / f"map{suffix}")
    lines = _texts(tmp_path / f"map{suffix}").split("\n")
    shading = panel.view.shading
    assert isinstance(shading, RegionShading)
    assert shading.layer is not None
    for level in shading.layer.levels:
        assert level.labels
    names = [{label.name for label in level.labels} for level in shading.layer.levels]
    assert any(some <= set(lines) for some in names)


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_axes_are_named(panel: MapPanel, tmp_path: Path, suffix: str, qtbot: QtBot) -> None:
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _save(panel, tmp_path / f"map{suffix}")
    text = _texts(tmp_path / f"map{suffix}")
    for word in panel.axes.words():
        assert word in text


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_lines_of_the_analogy_are_drawn(
    panel: MapPanel, session: Session, tmp_path: Path, suffix: str, qtbot: QtBot
) -> None:
    session.selection.show_analogy(ANALOGY)
    choose_view(panel, PLANE, qtbot)
    qtbot.waitUntil(settled(panel, PLANE))
    _save(panel, tmp_path / f"asked{suffix}")
    if suffix != ".png":
        text = _texts(tmp_path / f"asked{suffix}")
        assert all(word in text for word in ("man", "woman", "poor", "rich"))
        # A sign that the text's font lacks is a text of its own, in another font.
        assert "man − woman + poor" in text.replace("\n", "")
    panel.view.set_arrows(())
    _save(panel, tmp_path / f"bare{suffix}")
    assert (
        _arrow_strokes(tmp_path / f"asked{suffix}")
        >= _arrow_strokes(tmp_path / f"bare{suffix}") + 2
    )


def _arrow_strokes(path: Path) -> int:
    """Number of times that a figure uses the colour of arrows."""
    colour = QColor(LIGHT.runs[1])
    if path.suffix == ".svg":
        return path.read_text("utf-8").count(f'stroke="{colour.name()}"')
    if path.suffix == ".pdf":
        drawing = b"".join(
            zlib.decompress(stream)
            for stream in re.findall(
                rb"/FlateDecode\s*>>\s*stream\r?\n(.*?)\r?\nendstream", path.read_bytes(), re.DOTALL
            )
        )
        return len(re.findall(_pdf_colour(colour), drawing))
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    return bytes(image.constBits()).count(bytes([colour.blue(), colour.green(), colour.red()]))


def _pdf_colour(colour: QColor) -> bytes:
    parts = [f"{channel:.4g}"[:5] for channel in colour.getRgbF()[:3]]
    return r"\S* ".join(re.escape(part) for part in parts).encode() + rb"\S* (?:scn|SCN)"
