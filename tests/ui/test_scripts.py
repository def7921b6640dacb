"""Words in other scripts: letters are joined, in the right order, and never boxes; on the map, in
lists and in files.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QTextLayout
from PySide6.QtWidgets import QApplication

from workbench.ui.base.scaling import body_font
from workbench.ui.export.figure_export import PageSetup, save_figure
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle

# A word, and the Debian package with a font for its script.
WORDS = {
    "Arabic": ("مدينة", "fonts-dejavu-core"),
    "Hebrew": ("מלכה", "fonts-dejavu-core"),
    "Chinese": ("词向量", "fonts-wqy-microhei"),
    "Japanese": ("ことば言葉", "fonts-wqy-microhei"),
    "Korean": ("단어", "fonts-wqy-microhei"),
    "Hindi": ("ट्ठ्यूँ", "fonts-lohit-deva"),
}
STYLE = TextStyle(13, False, "#000000", "#FFFFFF")


@pytest.fixture(params=WORDS)
def word(request: pytest.FixtureRequest, qapp: QApplication) -> str:
    text, package = WORDS[str(request.param)]
    if not drawable(text):
        pytest.skip(
            f"No font here has letters for {request.param}; this package has one: {package}"
        )
    return text


def glyphs(text: str) -> list[tuple[int, int, float]]:
    """Index in the text, glyph, and x of its left edge for every glyph of the text on one line."""
    layout = QTextLayout(text, body_font(20))
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1000)
    layout.endLayout()
    flags = QTextLayout.GlyphRunRetrievalFlag
    found = []
    for run in layout.glyphRuns(0, len(text), flags.RetrieveAll):
        for at, glyph, place in zip(
            run.stringIndexes(), run.glyphIndexes(), run.positions(), strict=True
        ):
            found.append((int(at), int(glyph), float(place.x())))
    return found


def drawable(text: str) -> bool:
    """Whether a font has each letter. The number of a glyph doesn't tell: without any font that has
    a letter, Qt may draw a box that is glyph 1.
    """
    metrics = QFontMetricsF(body_font(20))
    return all(metrics.inFontUcs4(ord(letter)) for letter in text)


def ink(image: QImage) -> npt.NDArray[np.bool_]:
    """Dark pixels of an image, bool[height, width]."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    return rows[:, : grey.width()] < 128


def label_pixels(text: str) -> npt.NDArray[np.bool_]:
    """Dark pixels of a map label drawn black on white, bool[height, width]."""
    image = QImage(240, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    HaloText(body_font()).draw(painter, 10, 10, text, STYLE)
    painter.end()
    return ink(image)


def test_each_letter_is_a_letter_and_no_box(word: str) -> None:
    one, other = label_pixels(word), label_pixels("\U000e0fff" * len(word))
    assert one.any()
    assert (one != other).any()
    # Each letter looks different, which boxes would not.
    pictures = {label_pixels(letter).tobytes() for letter in dict.fromkeys(word)}
    assert len(pictures) == len(dict.fromkeys(word))


def test_a_label_has_room_for_its_word(word: str) -> None:
    text = HaloText(body_font())
    width, height = text.size(word, 13, False)
    columns = np.flatnonzero(label_pixels(word).any(axis=0))
    rows = np.flatnonzero(label_pixels(word).any(axis=1))
    assert columns[-1] - columns[0] <= width + 1
    assert rows[-1] - rows[0] <= height + 1
    assert columns[0] >= 8


@pytest.mark.parametrize("marks", ["", "\u0302" * 4, "\u0323" * 4], ids=["none", "above", "below"])
def test_no_sign_above_or_below_a_letter_is_cut(qapp: QApplication, marks: str) -> None:
    text, word = HaloText(body_font()), f"A{marks}g"
    width, height = text.size(word, 13, False)
    assert text.sizes([word, "A"], 13, False)[0].tolist() == pytest.approx([width, height])
    pictures = []
    for vector in (False, True):
        image = QImage(60, 80, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        text.draw(painter, 10, 30, word, STYLE, vector=vector)
        painter.end()
        pictures.append(np.flatnonzero(ink(image).any(axis=1)))
    # The label, rendered with the room that it measured, is as tall as the word without a limit.
    assert abs(pictures[0][0] - pictures[1][0]) <= 1
    assert abs(pictures[0][-1] - pictures[1][-1]) <= 1
    assert pictures[1][0] >= 29
    assert pictures[1][-1] <= 31 + height


@pytest.mark.parametrize("script", ["Arabic", "Hebrew"])
def test_words_run_from_right_to_left(qapp: QApplication, script: str) -> None:
    text, package = WORDS[script]
    if not drawable(text):
        pytest.skip(f"No font here has letters for {script}; this package has one: {package}")
    places = [x for _, _, x in sorted(glyphs(text))]
    assert places == sorted(places, reverse=True)
    # Numbers beside the word keep their own direction.
    positions = {at: x for at, _, x in glyphs(f"{text} 12")}
    assert positions[len(text) + 1] < positions[len(text) + 2]


def test_arabic_letters_are_joined(qapp: QApplication) -> None:
    text, package = WORDS["Arabic"]
    if not drawable(text):
        pytest.skip(f"No font here has letters for Arabic; this package has one: {package}")
    alone = {letter: glyphs(letter)[0][1] for letter in text}
    letter_glyphs = {at: glyph for at, glyph, _ in glyphs(text)}
    assert any(
        letter_glyphs[at] != alone[letter] for at, letter in enumerate(text) if at in letter_glyphs
    )
    metrics = QFontMetricsF(body_font(20))
    assert metrics.horizontalAdvance("ببب") < 3 * metrics.horizontalAdvance("ب")


def figure(painter: QPainter) -> None:
    """Draw all words as labels on the map, as heads of a matrix, and as rows of a list."""
    text = HaloText(body_font())
    for row, (word, _) in enumerate(WORDS.values()):
        text.draw(painter, 10, 10 + 24 * row, word, STYLE, vector=True)
        painter.setFont(body_font())
        painter.drawText(
            QRectF(150, 10 + 24 * row, 100, 20), int(Qt.AlignmentFlag.AlignRight), word
        )
        painter.save()
        painter.translate(QPointF(300 + 20 * row, 130))
        painter.rotate(-60)
        painter.drawText(QPointF(0, 0), word)
        painter.restore()


def test_words_stay_words_in_an_svg(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "words.svg"
    save_figure(
        path,
        QSize(420, 140),
        figure,
        "words",
        PageSetup(120.0, caption="، ".join(w for w, _ in WORDS.values())),
    )
    root = ElementTree.parse(path).getroot()
    # The kana and kanji of one word are written in sequence.
    text = "".join(element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for word, _ in WORDS.values():
        assert text.count(word) >= 3, word


def test_a_pdf_has_the_fonts_of_all_words(qapp: QApplication, tmp_path: Path) -> None:
    if not all(drawable(word) for word, _ in WORDS.values()):
        packages = " ".join(dict.fromkeys(package for _, package in WORDS.values()))
        pytest.skip(
            f"No font here has letters for all scripts; these packages have some: {packages}"
        )
    path = tmp_path / "words.pdf"
    save_figure(path, QSize(420, 140), figure, "words", PageSetup(120.0))
    data = path.read_bytes()
    fonts = re.findall(rb"/BaseFont\s*/([^\s/]+)", data)
    assert len(re.findall(rb"/FontFile\d?\s", data)) >= len(set(fonts)) >= 2
