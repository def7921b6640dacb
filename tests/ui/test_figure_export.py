"""Figures and tables saved as files, and paths that can't be written to."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from workbench.core.errors import UserError
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.theme import Theme
from workbench.ui.export.captions import caption
from workbench.ui.export.export_actions import Export
from workbench.ui.export.figure_dialog import FigureDialog, SaveReport, ask_figure
from workbench.ui.export.figure_export import (
    FIGURES,
    PageSetup,
    ask_path,
    page_size,
    save_figure,
    save_text,
)
from workbench.ui.panels.relations.relation_choice import question_files
from workbench.ui.widgets.inputs.evaluation_sets import QUESTION_FILES
from workbench.ui.widgets.inputs.file_choice import remember_file

SIZE = QSize(120, 80)


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    """A widget that draws a figure; it outlives its dialogs, as panels do."""
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def half(painter: QPainter) -> None:
    """Fill the left half with red, and write a word in the right half."""
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


PAGE = PageSetup(width=84.0, dpi=300, caption="Half & half. Small World, n = 3")


def test_a_pdf_has_the_millimetres_asked_for_and_its_fonts(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "figure.pdf"
    save_figure(path, SIZE, half, "half", PAGE)
    data = path.read_bytes()
    found = re.search(rb"/MediaBox \[([^\]]*)\]", data)
    assert found is not None
    left, low, right, high = (float(number) * 25.4 / 72 for number in found.group(1).split())
    width, height = page_size(SIZE, PAGE)
    assert width == 84.0
    assert right - left == pytest.approx(84.0, abs=1e-3)
    assert high - low == pytest.approx(height, abs=1e-3)
    assert height > 84 * 80 / 120
    assert b"/FontFile" in data
    # Cropping the page moves no bytes: the cross-reference table still points at objects.
    table = int(data.rsplit(b"startxref", 1)[1].split()[0])
    assert data[table:].startswith(b"xref")
    for line in re.findall(rb"(\d{10}) 00000 n", data[table:])[:5]:
        assert re.match(rb"\d+ 0 obj", data[int(line) :])


def test_an_svg_has_millimetres_and_words_as_text(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    save_figure(path, SIZE, half, "half", PAGE)
    root = ElementTree.parse(path).getroot()
    assert root.get("width") == "84mm"
    height = str(root.get("height"))
    assert height.endswith("mm")
    assert float(height[:-2]) == pytest.approx(page_size(SIZE, PAGE)[1], abs=0.01)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "word" in texts
    assert "n = 3" in " ".join(filter(None, texts))


def test_a_png_has_the_dots_asked_for(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    save_figure(path, SIZE, half, "half", PAGE)
    image = QImage(str(path))
    assert image.width() == round(84 / 25.4 * 300)
    assert image.height() == round(page_size(SIZE, PAGE)[1] / 25.4 * 300)
    assert image.dotsPerMeterX() == round(300 / 0.0254)
    assert image.text("Description") == PAGE.caption
    # The drawing fills the width of the page; the caption has a white background.
    assert image.pixelColor(image.width() // 2 - 4, 10) == QColor("red")
    assert image.pixelColor(image.width() // 2 + 4, 10) != QColor("red")
    assert image.pixelColor(2, image.height() - 2) == QColor("white")


def test_a_page_with_a_height_of_its_own_keeps_the_proportions(
    qapp: QApplication, tmp_path: Path
) -> None:
    page = PageSetup(width=100.0, height=40.0, dpi=254)
    path = tmp_path / "figure.png"
    save_figure(path, SIZE, half, "half", page)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1000, 400)
    # A drawing of 120 × 80 in 100 × 40 mm takes 60 × 40 mm in the middle; its left half is red.
    reds = [x for x in range(1000) if image.pixelColor(x, 200) == QColor("red")]
    assert (reds[0], reds[-1]) == (pytest.approx(200, abs=2), pytest.approx(499, abs=2))


@pytest.mark.parametrize("width", [0.0, -3.0, math.nan, math.inf, 1e9])
def test_a_page_that_is_none(qapp: QApplication, tmp_path: Path, width: float) -> None:
    with pytest.raises(UserError, match="mm"):
        save_figure(tmp_path / "figure.svg", SIZE, half, "half", PageSetup(width))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", FIGURES)
def test_a_caption_has_the_colours_of_paper_in_every_theme(
    qapp: QApplication, tmp_path: Path, suffix: str
) -> None:
    files = []
    for choice in ("dark", "light"):
        theme = Theme(qapp, choice)
        path = tmp_path / f"{choice}{suffix}"
        save_figure(path, SIZE, half, "half", PAGE)
        files.append(path.read_bytes())
        theme.deleteLater()
    assert files[0] == files[1]
    if suffix == ".png":
        image = QImage.fromData(files[0])
        below = range(round(image.width() * 80 / 120) + 8, image.height())
        darkest = min(image.pixelColor(x, y).lightness() for y in below for x in range(100, 400))
        assert darkest < 80


def test_the_dialog_asks_for_size_and_caption(
    qtbot: QtBot, session: Session, owner: QWidget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    saves: list[tuple[Path, PageSetup]] = []
    target = tmp_path / "figure.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), FIGURES[".pdf"]))

    def save(path: Path, page: PageSetup, outcome: SaveReport) -> None:
        saves.append((path, page))
        outcome(None)

    for width in ("84", "60"):
        dialog = ask_figure(owner, session, "Save", "loss", SIZE, "What is seen.", save)
        dialog.width_box.setFocus()
        dialog.width_box.selectAll()
        qtbot.keyClicks(dialog.width_box, width)
        assert f"{width}.0 × " in dialog.note.text()
        qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert not dialog.isVisible()
    assert saves == [
        (target, PageSetup(84.0, None, 300, "What is seen.")),
        (target, PageSetup(60.0, None, 300, "What is seen.")),
    ]
    again = ask_figure(owner, session, "Save", "loss", SIZE, "What is seen.", save)
    assert again.width_box.value() == 60.0
    assert again.preset.currentText() == "Custom width"
    qtbot.mouseClick(again.cancel, Qt.MouseButton.LeftButton)
    assert len(saves) == 2


def test_the_dialog_stays_with_what_was_typed_where_saving_fails(
    qtbot: QtBot, session: Session, owner: QWidget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    messages: list[str] = []
    session.message.connect(lambda text, hint, bad: messages.append(text))
    proposals: list[str] = []

    def ask(parent: QWidget, title: str, name: str, kinds: str) -> tuple[str, str]:
        proposals.append(name)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    export = Export(owner, session, "Loss", "loss", lambda: SIZE, half)
    export.ask_figure()
    dialog = owner.findChild(FigureDialog)
    dialog.width_box.setValue(84.0)
    dialog.caption.setPlainText("Typed with care.")
    path = tmp_path / "missing" / "figure.svg"
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert dialog.note.text() == (
        f"Couldn’t write {path}: No such file or directory. Choose another folder or name."
    )
    assert (dialog.width_box.value(), dialog.caption.toPlainText()) == (84.0, "Typed with care.")
    assert messages == []
    assert dialog.save.isEnabled()
    dialog.width_box.setValue(90.0)
    assert "Couldn’t write" not in dialog.note.text()
    first_path, path = path, tmp_path / "figure.svg"
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert proposals == [str(Path.home() / "loss.png"), str(first_path)]
    assert not dialog.isVisible()
    assert messages == ["Saved figure.svg."]
    assert b"Typed with care." in path.read_bytes()


def test_what_fails_after_the_dialog_was_closed_is_told_by_the_window(
    qtbot: QtBot, session: Session, owner: QWidget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    messages: list[str] = []
    session.message.connect(lambda text, hint, bad: messages.append(text))
    later: list[SaveReport] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a.png"), ""))
    dialog = ask_figure(
        owner, session, "Save", "loss", SIZE, "", lambda path, page, outcome: later.append(outcome)
    )
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert (dialog.isVisible(), dialog.note.text(), dialog.save.isEnabled()) == (
        True,
        "Writing…",
        False,
    )
    qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    later[0](UserError("The matrix changed.", "Save the matrix again."))
    assert messages == ["The matrix changed."]


def test_a_caption_names_corpus_algorithm_settings_and_n(session: Session) -> None:
    record = RunRecord(
        "1",
        "SGNS 1",
        "sgns",
        {"dim": 50, "window": 5, "sample": 1e-3, "threads": 2},
        "tales",
        "d",
        "",
        summary={"vocabulary": 1501, "dim": 50},
    )
    text = caption(session, "Loss over training", [record], "Mean of 5 batches")
    assert text.startswith("Loss over training. Corpus: tales. SGNS 1: ")
    for part in ("d = 50", "= 5", "= 0.001", "n = 1,501 words", "Mean of 5 batches."):
        assert part in text
    assert "threads" not in text
    there = RunRecord(
        "2", "SVD 1", "svd", {"dim": 50, "scheduler": "tcp://host.example:8786"}, "tales", "d", ""
    )
    assert "d = 50." in caption(session, "Map", [there])


@pytest.mark.parametrize("suffix", list(FIGURES))
def test_a_place_that_cannot_be_written(qapp: QApplication, tmp_path: Path, suffix: str) -> None:
    with pytest.raises(UserError, match="Couldn’t write"):
        save_figure(tmp_path / "nowhere" / f"figure{suffix}", SIZE, half)
    with pytest.raises(UserError, match="Couldn’t write"):
        save_text(tmp_path / "nowhere" / "table.csv", "a,b\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", list(FIGURES))
def test_a_disk_with_room_for_a_part(qapp: QApplication, tmp_path: Path, suffix: str) -> None:
    """Qt writes as much as fits on the disk, and doesn't report that the rest is missing."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
    try:
        with pytest.raises(UserError, match="Couldn’t write .*: File too large"):
            save_figure(tmp_path / f"figure{suffix}", SIZE, half)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_another_kind_of_figure(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="“.gif”"):
        save_figure(tmp_path / "figure.gif", SIZE, half)


@pytest.mark.parametrize(
    ("entry", "kind", "expected"),
    [
        ("a.pdf", ".png", "a.pdf"),
        ("a", ".svg", "a.svg"),
        ("a.b", ".png", "a.b.png"),
        ("", ".png", None),
    ],
)
def test_the_kind_chosen_supplies_the_suffix(
    session: Session,
    owner: QWidget,
    monkeypatch: pytest.MonkeyPatch,
    entry: str,
    kind: str,
    expected: str | None,
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (entry, FIGURES[kind]))
    found = ask_path(owner, session.settings, "Save", "figure", FIGURES)
    assert found == (Path(expected) if expected else None)


def test_what_is_there_under_the_name_that_was_not_typed_stays(
    session: Session, owner: QWidget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The file dialog asks before overwriting the typed name only, not the name with a suffix."""
    for name in ("figure.png", "figure-2.png"):
        (tmp_path / name).write_bytes(b"mine")
    for entry, expected in (
        ("figure", "figure-3.png"),
        ("figure.png", "figure.png"),
        ("other", "other.png"),
    ):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_, entry=entry: (str(tmp_path / entry), ".png")
        )
        found = ask_path(owner, session.settings, "Save", "figure", FIGURES)
        assert found == tmp_path / expected


def test_question_files_are_remembered_latest_first(session: Session, tmp_path: Path) -> None:
    assert question_files(session) == {}
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text("a b c d\n")
        remember_file(session, QUESTION_FILES, path)
    remember_file(session, QUESTION_FILES, paths[0])
    assert list(question_files(session).values()) == ["a.txt", "c.txt", "b.txt"]
    paths[2].unlink()
    assert list(question_files(session).values()) == ["a.txt", "b.txt"]
