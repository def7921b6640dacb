"""The files of a corpus, notes about them, and the choice of a column, with clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.session.corpus.opening import find_remembered
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.open import fill_recent, open_paths
from workbench.ui.panels.corpus.panel import CorpusPanel

W = TypeVar("W", bound=QWidget)
LEFT = Qt.MouseButton.LeftButton
TABLE = "id,name,review\n1,lamp,It shines and shines at night\n2,chair,One sits on it well enough\n"


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[CorpusPanel]:
    new_panel = CorpusPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 800)
    new_panel.show()
    yield new_panel
    new_panel.release()


def child(panel: CorpusPanel, kind: type[W], name: str) -> W:
    widget = panel.findChild(kind, name)
    assert widget is not None, name
    return widget


def settle(panel: CorpusPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel.session.corpora.opening is None, timeout=180_000)
    qtbot.waitUntil(lambda: panel.idle)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    books = tmp_path / "books"
    books.mkdir()
    (books / "a.txt").write_text("one two three\n")
    (books / "b.txt").write_bytes("où été à côté\n".encode("latin-1") * 4)
    (books / "c.txt").write_bytes("né là\n".encode() * 9 + b"six \xff\n")
    return books


def test_files_are_left_out_and_read_again(panel: CorpusPanel, qtbot: QtBot, folder: Path) -> None:
    open_paths(panel.session, [str(folder)])
    settle(panel, qtbot)
    facts = child(panel, QLabel, "corpus.facts").text()
    assert "3 files" in facts
    assert "UTF-8, Windows-1252 (1 file)" in facts
    assert child(panel, QLabel, "corpus.noticed").text() == (
        "The encoding was detected automatically. If letters look wrong, choose another encoding "
        "with “Encoding”. "
        "1 place couldn’t be decoded and became U+FFFD: c.txt, line 10."
    )
    files = child(panel, QTableView, "corpus.of_files.files")
    assert not files.isVisible()
    qtbot.mouseClick(child(panel, QPushButton, "corpus.files"), LEFT)
    assert files.isVisible()
    model = files.model()
    assert [model.index(row, 0).data() for row in range(3)] == ["a.txt", "b.txt", "c.txt"]
    assert [model.index(row, 2).data() for row in range(3)] == ["UTF-8", "Windows-1252", "UTF-8"]
    assert [model.index(row, 3).data() for row in range(3)] == ["3", "16", "19"]
    again = child(panel, QPushButton, "corpus.again")
    assert not again.isVisible()
    files.setFocus()
    files.setCurrentIndex(model.index(1, 0))
    qtbot.keyClick(files, Qt.Key.Key_Space)
    assert again.isVisible()
    qtbot.keyClick(files, Qt.Key.Key_Space)
    assert not again.isVisible()
    qtbot.keyClick(files, Qt.Key.Key_Space)
    qtbot.mouseClick(again, LEFT)
    settle(panel, qtbot)
    corpus = panel.session.corpora.current
    assert corpus is not None
    assert corpus.tokens == 22
    assert "2 files of 3" in child(panel, QLabel, "corpus.facts").text()
    # The excluded file stays in the list, and its exclusion is remembered.
    assert model.index(1, 0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    last = find_remembered(panel.session.settings.all().get("corpus"))
    assert last is not None
    assert last.options is not None
    assert last.options.without == str(folder / "b.txt")
    qtbot.mouseClick(child(panel, QPushButton, "corpus.of_files.all"), LEFT)
    qtbot.mouseClick(again, LEFT)
    settle(panel, qtbot)
    assert panel.session.corpora.current is not None
    assert panel.session.corpora.current.tokens == 38


def test_files_that_cannot_be_read_are_listed(
    panel: CorpusPanel, qtbot: QtBot, folder: Path
) -> None:
    (folder / "broken.xml").write_text("<TEI><text><p>early</p><p>late</q></text></TEI>")
    (folder / "photo.png").write_bytes(b"PNG")
    open_paths(panel.session, [str(folder)])
    settle(panel, qtbot)
    assert "3 files of 5" in child(panel, QLabel, "corpus.facts").text()
    noticed = child(panel, QLabel, "corpus.noticed").text()
    assert "photo.png" in noticed
    assert "broken.xml isn’t well-formed XML" in noticed
    qtbot.mouseClick(child(panel, QPushButton, "corpus.files"), LEFT)
    files = child(panel, QTableView, "corpus.of_files.files")
    model = files.model()
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert names == ["a.txt", "b.txt", "broken.xml", "c.txt", "photo.png"]
    assert "isn’t well-formed XML" in model.index(2, 4).data()
    # The choice of files has no effect on them.
    files.setFocus()
    files.setCurrentIndex(model.index(2, 0))
    qtbot.keyClick(files, Qt.Key.Key_Space)
    assert model.index(2, 0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    assert not child(panel, QPushButton, "corpus.again").isVisible()


def test_encoding_and_patterns_belong_to_these_files(
    panel: CorpusPanel, qtbot: QtBot, folder: Path
) -> None:
    open_paths(panel.session, [str(folder)])
    settle(panel, qtbot)
    qtbot.mouseClick(child(panel, QPushButton, "corpus.files"), LEFT)
    include = child(panel, QLineEdit, "corpus.of_files.include")
    assert include.isVisible()
    assert not child(panel, QLineEdit, "corpus.of_files.column").isVisible()
    encoding = child(panel, QComboBox, "corpus.of_files.encoding")
    encoding.setCurrentText("nonsense")
    again = child(panel, QPushButton, "corpus.again")
    assert "Encoding must be" in child(panel, QLabel, "corpus.of_files.error").text()
    assert not again.isVisible()
    encoding.setCurrentText("latin-1")
    qtbot.keyClicks(include, "b*")
    qtbot.mouseClick(again, LEFT)
    settle(panel, qtbot)
    corpus = panel.session.corpora.current
    assert corpus is not None
    assert [Path(file.path).name for file in corpus.files] == ["b.txt"]
    # Another file is read without these options.
    open_paths(panel.session, [str(folder / "a.txt")])
    settle(panel, qtbot)
    assert encoding.currentText() == "auto"
    assert include.text() == ""
    assert not include.isVisible()


def test_a_table_asks_which_column_is_the_text(
    panel: CorpusPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "reviews.csv"
    table.write_text(TABLE)
    open_paths(panel.session, [str(table)])
    qtbot.waitUntil(lambda: panel.session.corpora.pending_table is not None, timeout=180_000)
    assert panel.state == "body"
    assert panel.session.corpora.current is None
    assert (
        child(panel, QLabel, "corpus.ask.question").text()
        == "reviews.csv has 3 columns. Which one contains the text?"
    )
    column = child(panel, QComboBox, "corpus.ask.column")
    assert column.currentText() == "review"
    rows = child(panel, QTableView, "corpus.ask.rows")
    assert rows.model().index(1, 1).data() == "chair"
    place = rows.visualRect(rows.model().index(0, 1)).center()
    qtbot.mouseClick(rows.viewport(), LEFT, pos=place)
    assert column.currentText() == "name"
    column.setCurrentText("review")
    qtbot.mouseClick(child(panel, QPushButton, "corpus.ask.read"), LEFT)
    settle(panel, qtbot)
    assert panel.session.corpora.pending_table is None
    assert not rows.isVisible()
    corpus = panel.session.corpora.current
    assert corpus is not None
    assert corpus.tokens == 12
    assert "column “review”" in child(panel, QLabel, "corpus.noticed").text()
    # Cancelling the second time keeps the corpus that is open.
    open_paths(panel.session, [str(table)])
    qtbot.waitUntil(lambda: panel.session.corpora.pending_table is not None, timeout=180_000)
    qtbot.keyClick(child(panel, QPushButton, "corpus.ask.read"), Qt.Key.Key_Escape)
    assert panel.session.corpora.pending_table is None
    assert panel.session.corpora.current is corpus
    assert not rows.isVisible()
    open_paths(panel.session, [str(table)])
    qtbot.waitUntil(lambda: panel.session.corpora.pending_table is not None, timeout=180_000)
    qtbot.mouseClick(child(panel, QPushButton, "corpus.ask.cancel"), LEFT)
    assert panel.session.corpora.pending_table is None
    open_paths(panel.session, [str(table)])
    qtbot.waitUntil(lambda: panel.session.corpora.pending_table is not None, timeout=180_000)
    qtbot.keyClick(child(panel, QPushButton, "corpus.ask.read"), Qt.Key.Key_Return)
    settle(panel, qtbot)
    assert panel.session.corpora.current is not None
    assert panel.session.corpora.current.digest == corpus.digest


def test_a_recent_table_is_read_at_once_as_it_was(
    panel: CorpusPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    table, text = tmp_path / "reviews.csv", tmp_path / "text.txt"
    table.write_text(TABLE)
    text.write_text("Some Text\n")
    open_paths(panel.session, [str(table)])
    qtbot.waitUntil(lambda: panel.session.corpora.pending_table is not None, timeout=180_000)
    child(panel, QComboBox, "corpus.ask.column").setCurrentText("name")
    qtbot.mouseClick(child(panel, QPushButton, "corpus.ask.read"), LEFT)
    settle(panel, qtbot)
    fold = child(panel, QCheckBox, "corpus.option.lowercase")
    child(panel, QComboBox, "corpus.option.tokeniser").setCurrentText("characters")
    qtbot.mouseClick(child(panel, QPushButton, "corpus.again"), LEFT)
    settle(panel, qtbot)
    assert panel.session.corpora.current is not None
    before = panel.session.corpora.current
    assert before.options.column == "name"
    child(panel, QComboBox, "corpus.option.tokeniser").setCurrentText("words")
    fold.setChecked(False)
    open_paths(panel.session, [str(text)])
    settle(panel, qtbot)
    # With default options: those chosen for the table don't apply to a text.
    assert panel.session.corpora.current.words == ("some", "text")
    menu = QMenu()
    qtbot.addWidget(menu)
    fill_recent(menu, panel.session)
    assert [action.text() for action in menu.actions()] == ["text.txt", "reviews.csv"]
    menu.actions()[1].trigger()
    settle(panel, qtbot)
    assert panel.session.corpora.pending_table is None
    assert panel.session.corpora.current.digest == before.digest
    # The panel shows the options that the table was read with.
    assert child(panel, QComboBox, "corpus.option.tokeniser").currentText() == "characters"
    assert fold.isChecked()
    assert not child(panel, QPushButton, "corpus.again").isVisible()


def test_a_table_of_one_column_is_read_at_once(
    panel: CorpusPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"text": "one two"}\n{"text": "three"}\n')
    open_paths(panel.session, [str(lines)])
    settle(panel, qtbot)
    assert panel.session.corpora.current is not None
    assert panel.session.corpora.current.tokens == 3
