"""A corpus from a picture by clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from workbench.corpus.pictures.picture import saved_pmi
from workbench.session.session import Session
from workbench.ui.dialogs.picture import PictureDialog
from workbench.ui.panel import PanelContext

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(qtbot: QtBot, session: Session, context: PanelContext) -> Iterator[PictureDialog]:
    made = PictureDialog(session, context.theme, None)  # type: ignore[arg-type]
    made.options.put(made.options.values(), {"size": 8, "pairs": 2000, "zipf": 0.0})
    made.show()
    qtbot.waitExposed(made)
    yield made
    # It is deleted when it closes, as after the text was written.
    if shiboken6.isValid(made):
        made.close()


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
    qtbot.waitUntil(
        lambda: session.pump() is None and session.corpora.current is not None, timeout=20000
    )
    corpus = session.corpora.current
    assert corpus is not None
    assert corpus.tokens == 4000
    assert len(path.read_text().splitlines()) == 2000
    pmi = saved_pmi(path, 8)
    assert pmi is not None
    # Margins add a number to each row and column: double differences are those of the picture.
    scaled = 1.5 * (grey - grey.min()) / (grey.max() - grey.min())
    for table in (pmi, scaled):
        table -= table.mean(axis=0)
        table -= table.mean(axis=1, keepdims=True)
    assert np.allclose(pmi, scaled, atol=1e-9)


def test_says_what_is_wrong(
    dialog: PictureDialog, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.mouseClick(dialog.clear, LEFT)
    dialog.write_text(tmp_path / "dark.txt")
    qtbot.waitUntil(lambda: session.pump() is None and bool(dialog.note.text()), timeout=20000)
    assert "same brightness everywhere" in dialog.note.text()
    assert not (tmp_path / "dark.txt").exists()
    assert dialog.write.isEnabled()
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\nno image")
    dialog.note.setText("")
    dialog.read_image(broken)
    qtbot.waitUntil(lambda: session.pump() is None and bool(dialog.note.text()), timeout=20000)
    assert "broken.png" in dialog.note.text()


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
    qtbot.waitUntil(lambda: session.pump() is None and bool(dialog.grid.grey.any()), timeout=20000)
    assert (dialog.grid.grey == [0, 0, 0, 0, 1, 1, 1, 1]).all()
