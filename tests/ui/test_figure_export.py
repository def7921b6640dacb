"""Pictures and tables as files, and the places that cannot be written."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from workbench.core.errors import UserError
from workbench.session.session import Session
from workbench.ui.widgets.figure_export import FIGURES, ask_path, save_figure, save_text
from workbench.ui.widgets.question_files import choose_question_file, question_files

SIZE = QSize(120, 80)


def half(painter: QPainter) -> None:
    """The left half red, with a word."""
    painter.fillRect(QRectF(0, 0, 60, 80), QColor("red"))
    painter.setPen(Qt.GlobalColor.black)
    painter.drawText(QRectF(60, 0, 60, 80), 0, "word")


def test_a_png_has_twice_the_pixels(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    save_figure(path, SIZE, half)
    image = QImage(str(path))
    assert image.size() == SIZE * 2
    assert image.pixelColor(118, 80) == QColor("red")
    assert image.pixelColor(124, 158).alpha() == 0


def test_an_svg_is_a_drawing_of_the_same_size(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    save_figure(path, SIZE, half, "half & half")
    root = ElementTree.parse(path).getroot()
    assert root.get("viewBox") == "0 0 120 80"
    assert "half & half" in [element.text for element in root.iter()]
    assert "word" in "".join(root.itertext())


def test_a_pdf_has_one_page_of_that_many_points(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "figure.pdf"
    save_figure(path, SIZE, half)
    text = path.read_bytes()
    assert text.startswith(b"%PDF")
    assert b"/MediaBox [0 0 120.000000 80.000000]" in text
    assert b"/Count 1" in text


@pytest.mark.parametrize("suffix", list(FIGURES))
def test_a_place_that_cannot_be_written(qapp: QApplication, tmp_path: Path, suffix: str) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        save_figure(tmp_path / "nowhere" / f"figure{suffix}", SIZE, half)
    with pytest.raises(UserError, match="cannot be written"):
        save_text(tmp_path / "nowhere" / "table.csv", "a,b\n")
    assert list(tmp_path.iterdir()) == []


def test_another_kind_of_figure(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="“.gif”"):
        save_figure(tmp_path / "figure.gif", SIZE, half)


@pytest.mark.parametrize(
    ("typed", "kind", "expected"),
    [
        ("a.pdf", ".png", "a.pdf"),
        ("a", ".svg", "a.svg"),
        ("a.b", ".png", "a.b.png"),
        ("", ".png", None),
    ],
)
def test_the_kind_chosen_supplies_the_suffix(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, typed: str, kind: str, expected: str | None
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (typed, FIGURES[kind]))
    found = ask_path(None, "Save", "figure", FIGURES)  # type: ignore[arg-type]
    assert found == (Path(expected) if expected else None)


def test_question_files_are_remembered_latest_first(session: Session, tmp_path: Path) -> None:
    assert question_files(session) == {}
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text("a b c d\n")
        choose_question_file(session, path)
    choose_question_file(session, paths[0])
    assert list(question_files(session).values()) == ["a.txt", "c.txt", "b.txt"]
    paths[2].unlink()
    assert list(question_files(session).values()) == ["a.txt", "b.txt"]
