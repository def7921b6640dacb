"""A corpus made from a picture, with clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from workbench.corpus.pictures.picture import face, saved_pmi
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.picture import PictureDialog

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(qtbot: QtBot, session: Session, context: PanelContext) -> Iterator[PictureDialog]:
    new_dialog = PictureDialog(session, context.theme, None)
    new_dialog.options.put(new_dialog.options.values(), {"size": 8, "pairs": 2000, "zipf": 0.0})
    new_dialog.show()
    qtbot.waitExposed(new_dialog)
    yield new_dialog
    # The dialog is deleted when it closes, for example after the text was written.
    if shiboken6.isValid(new_dialog):
        new_dialog.close()


def test_draws_erases_inverts_and_undoes(dialog: PictureDialog, qtbot: QtBot) -> None:
    grid = dialog.grid
    assert grid.grey.shape == (8, 8)
    qtbot.mouseClick(dialog.clear, LEFT)
    assert not grid.grey.any()
    qtbot.mouseClick(grid, LEFT, pos=grid.cell_rect(2, 5).center().toPoint())
    assert grid.grey[2, 5] == 1
    assert grid.grey.sum() == 1
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    qtbot.keyClick(grid, Qt.Key.Key_Space)
    assert grid.grey[3, 5] == 1
    assert grid.grey.sum() == 2
    qtbot.mouseClick(dialog.invert, LEFT)
    assert grid.grey.sum() == 62
    qtbot.keyClick(grid, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.mouseClick(dialog.erase, LEFT)
    qtbot.mouseClick(grid, LEFT, pos=grid.cell_rect(2, 5).center().toPoint())
    assert grid.grey[3, 5] == 1
    assert grid.grey.sum() == 1
    qtbot.mouseClick(dialog.undo, LEFT)
    assert grid.grey.sum() == 2


def test_writes_a_corpus_and_opens_it(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "drawn.txt"
    grey = dialog.grid.grey.copy()
    dialog.write_text(path)
    qtbot.waitUntil(lambda: session.pump() is None and session.corpora.current is not None)
    corpus = session.corpora.current
    assert corpus is not None
    assert corpus.tokens == 4000
    assert len(path.read_text().splitlines()) == 2000
    pmi = saved_pmi(path, 8)
    assert pmi is not None
    # Margins add a number to each row and column; without them, the PMI is that of the picture.
    scaled_grey = 1.5 * (grey - grey.min()) / (grey.max() - grey.min())
    for table in (pmi, scaled_grey):
        table -= table.mean(axis=0)
        table -= table.mean(axis=1, keepdims=True)
    assert np.allclose(pmi, scaled_grey, atol=1e-9)


def test_says_what_is_wrong(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.mouseClick(dialog.clear, LEFT)
    dialog.write_text(tmp_path / "dark.txt")
    qtbot.waitUntil(lambda: session.pump() is None and dialog.note.property("role") == "error")
    assert "same brightness everywhere" in dialog.note.text()
    assert not (tmp_path / "dark.txt").exists()
    assert dialog.write.isEnabled()
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\nno image")
    dialog.read_image(broken)
    # The earlier error isn't shown any more.
    assert dialog.note.text() == "Opening broken.png …"
    assert dialog.note.property("role") == "muted"
    qtbot.waitUntil(lambda: session.pump() is None and dialog.note.property("role") == "error")
    assert "Couldn’t read broken.png" in dialog.note.text()


def test_opens_an_image(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    image = QImage(20, 16, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    for x in range(10):
        for y in range(16):
            image.setPixelColor(x, y, QColor("black"))
    path = tmp_path / "half.png"
    assert image.save(str(path))
    qtbot.mouseClick(dialog.clear, LEFT)
    dialog.read_image(path)
    qtbot.waitUntil(lambda: session.pump() is None and bool(dialog.grid.grey.any()))
    np.testing.assert_allclose(dialog.grid.grey, 8 * [[0, 0, 0, 0, 1, 1, 1, 1]], atol=1e-9)


def test_a_wider_brush_draws_more_cells_and_stays_inside(
    dialog: PictureDialog, qtbot: QtBot
) -> None:
    grid = dialog.grid
    qtbot.mouseClick(dialog.clear, LEFT)
    qtbot.keyClick(dialog.brush, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.brush, Qt.Key.Key_Down)
    assert grid.brush == 3
    qtbot.mouseClick(grid, LEFT, pos=grid.cell_rect(4, 4).center().toPoint())
    expected = np.zeros((8, 8))
    expected[3:6, 3:6] = 1
    np.testing.assert_array_equal(grid.grey, expected)
    qtbot.mouseClick(dialog.clear, LEFT)
    qtbot.mouseClick(grid, LEFT, pos=grid.cell_rect(0, 7).center().toPoint())
    assert grid.grey.sum() == grid.grey[:2, 6:].sum() == 4


def test_another_size_is_made_of_the_image_until_somebody_draws(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    fine = np.random.default_rng(3).integers(0, 256, size=(128, 128)).astype(np.uint8)
    np.save(tmp_path / "noise.npy", fine)
    qtbot.mouseClick(dialog.clear, LEFT)
    dialog.read_image(tmp_path / "noise.npy")
    qtbot.waitUntil(lambda: session.pump() is None and bool(dialog.grid.grey.any()))
    values = dialog.options.values()
    whole = (fine - fine.min()) / np.ptp(fine.astype(float))

    def set_size(size: int) -> None:
        dialog.options.put(values, {"size": size, "pairs": 2000, "zipf": 0.0})
        dialog._options_edited()

    np.testing.assert_allclose(dialog.grid.grey, whole.reshape(8, 16, 8, 16).mean((1, 3)))
    set_size(64)
    np.testing.assert_allclose(dialog.grid.grey, whole.reshape(64, 2, 64, 2).mean((1, 3)))
    qtbot.mouseClick(dialog.invert, LEFT)
    set_size(128)
    np.testing.assert_allclose(dialog.grid.grey, 1 - whole)
    # Drawn cells are kept, in the larger cells.
    qtbot.mouseClick(dialog.grid, LEFT, pos=dialog.grid.cell_rect(0, 0).center().toPoint())
    set_size(64)
    inverse = 1 - whole
    inverse[0, 0] = 1
    np.testing.assert_allclose(dialog.grid.grey, inverse.reshape(64, 2, 64, 2).mean((1, 3)))


def test_closing_while_the_text_is_written_leaves_no_file(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "late.txt"
    dialog.options.put(dialog.options.values(), {"size": 64, "pairs": 20_000_000, "zipf": 0.7})
    dialog._options_edited()
    dialog.write_text(path)
    assert not dialog.write.isEnabled()
    dialog.close()
    qtbot.waitUntil(lambda: session.pump() is None and not session.jobs.active)
    assert session.corpora.current is None
    assert list(tmp_path.glob("late*")) == []


def test_sizes_on_the_way_to_another_one_cost_nothing(dialog: PictureDialog, qtbot: QtBot) -> None:
    values = dialog.options.values()

    def set_size(size: int) -> None:
        dialog.options.put(values, {"size": size, "pairs": 2000, "zipf": 0.0})
        dialog._options_edited()

    # The first picture is, in each size, the one of the command line.
    for size in (12, 128, 48):
        set_size(size)
        assert np.abs(dialog.grid.grey - face(size)).mean() < 0.01
    np.testing.assert_allclose(dialog.grid.grey, face(48), atol=1e-9)
    set_size(128)
    qtbot.mouseClick(dialog.grid, LEFT, pos=dialog.grid.cell_rect(3, 100).center().toPoint())
    before = dialog.grid.grey.copy()
    assert before[3, 100] == 1
    # Typing 128 passes through 12.
    for size in (12, 128):
        set_size(size)
    np.testing.assert_allclose(dialog.grid.grey, before)
    for _ in range(3):
        qtbot.mouseClick(dialog.undo, LEFT)
    assert dialog.grid.grey[3, 100] == pytest.approx(0.1)


def test_cancel_closes_without_a_text(
    dialog: PictureDialog, session: Session, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(dialog.rejected):
        qtbot.mouseClick(dialog.cancel, LEFT)
    assert session.corpora.current is None
    assert not session.jobs.active


def test_files_are_chosen_by_clicks(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    grey = np.zeros((8, 8))
    grey[2, 5] = 1
    np.save(tmp_path / "dot.npy", grey)

    def choose(button: QPushButton, path: Path) -> None:
        qtbot.mouseClick(button, LEFT)
        chooser = next(one for one in dialog.findChildren(QFileDialog) if one.isVisible())
        field = chooser.findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        field.setText(str(path))
        qtbot.keyClick(field, Qt.Key.Key_Return)

    choose(dialog.open_image, tmp_path / "dot.npy")
    qtbot.waitUntil(lambda: session.pump() is None and bool(dialog.grid.grey[0, 0] == 0))
    np.testing.assert_allclose(dialog.grid.grey, grey, atol=1e-12)
    # The suffix is added.
    choose(dialog.write, tmp_path / "dot")
    qtbot.waitUntil(lambda: session.pump() is None and session.corpora.current is not None)
    assert saved_pmi(tmp_path / "dot.txt", 8) is not None
