"""Choosing reading options and previewing their effect, with clicks and keys."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat, QTextFormat
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.tokenisers import TOKENISERS
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.corpus.panel import CorpusPanel

TEXT = "The café opened in 1984.\nThe old cafe <b>closed</b> & left. The end.\n" * 3
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot, tmp_path: Path) -> Iterator[CorpusPanel]:
    new_panel = CorpusPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 700)
    new_panel.show()
    path = tmp_path / "city.txt"
    path.write_text(TEXT)
    new_panel.session.corpora.open([path])
    settle(new_panel, qtbot)
    yield new_panel
    new_panel.release()


def settle(panel: CorpusPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel.session.corpora.opening is None and panel.idle, timeout=180_000)


def child(panel: CorpusPanel, kind: type[QWidget], name: str) -> QWidget:
    widget = panel.findChild(kind, f"corpus.{name}")
    assert widget is not None, name
    return widget


def choose(panel: CorpusPanel, qtbot: QtBot, option: str, value: str) -> None:
    """Choose a value with the arrow keys."""
    box = child(panel, QComboBox, f"option.{option}")
    assert isinstance(box, QComboBox)
    assert box.isVisible()
    box.setFocus()
    for _ in range(box.count()):
        qtbot.keyClick(box, Qt.Key.Key_Up)
    while box.currentText() != value:
        qtbot.keyClick(box, Qt.Key.Key_Down)


def more(panel: CorpusPanel, qtbot: QtBot) -> None:
    qtbot.mouseClick(child(panel, QToolButton, "option.more"), LEFT)


def preview_text(panel: CorpusPanel, qtbot: QtBot) -> str:
    """Text of the preview once it reflects the latest options."""
    qtbot.waitUntil(lambda: not panel.preview.is_waiting)
    return panel.preview.text.toPlainText()


def pieces(panel: CorpusPanel, block: int) -> list[tuple[str, QTextCharFormat]]:
    """Pieces of a line with their text formats."""
    line = panel.preview.text.document().findBlockByNumber(block)
    text = line.text().encode("utf-16-le")
    # Copied, because Qt deletes the formats together with their list.
    ranges = [
        (part.start, part.length, QTextCharFormat(part.format)) for part in line.layout().formats()
    ]
    return [
        (text[2 * at : 2 * (at + size)].decode("utf-16-le"), style) for at, size, style in ranges
    ]


def struck_tokens(panel: CorpusPanel) -> set[str]:
    """Struck-through tokens."""
    blocks = range(panel.preview.text.document().blockCount())
    return {
        text for block in blocks for text, style in pieces(panel, block) if style.fontStrikeOut()
    }


def chips(panel: CorpusPanel) -> list[str]:
    """Tokens of the first line that have a background of their own."""
    ground = QTextFormat.Property.BackgroundBrush
    return [text for text, style in pieces(panel, 0) if style.hasProperty(ground)]


def tip(panel: CorpusPanel, qtbot: QtBot, word: str) -> str:
    """Tooltip of a word."""
    text = panel.preview.text
    cursor = text.document().find(word)
    cursor.setPosition(cursor.selectionStart())
    place = text.cursorRect(cursor).center() + QPoint(3, 0)
    QToolTip.hideText()
    event = QHelpEvent(QEvent.Type.ToolTip, place, text.viewport().mapToGlobal(place))
    QApplication.sendEvent(text.viewport(), event)
    return QToolTip.text()


def test_the_rest_of_the_options_is_one_click_away(panel: CorpusPanel, qtbot: QtBot) -> None:
    button = child(panel, QToolButton, "option.more")
    numbers = child(panel, QComboBox, "option.numbers")
    assert not numbers.isVisible()
    more(panel, qtbot)
    assert numbers.isVisible()
    choose(panel, qtbot, "numbers", "drop")
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert not numbers.isVisible()
    assert isinstance(button, QToolButton)
    assert button.text() == "More (1 set)"


def test_a_choice_is_previewed_before_the_text_is_read_again(
    panel: CorpusPanel, qtbot: QtBot
) -> None:
    digest = panel.session.corpora.current.digest if panel.session.corpora.current else ""
    assert not panel.preview.isVisible()
    more(panel, qtbot)
    qtbot.mouseClick(child(panel, QCheckBox, "option.strip_accents"), LEFT)
    assert panel.preview.isVisible()
    assert preview_text(panel, qtbot).startswith(
        "the cafe opened in 1984. ¶\nthe old cafe <b>closed</b> & left. the end. ¶"
    )
    assert chips(panel) == ["the", "cafe", "opened", "in", "1984"]
    assert panel.preview.words.text().startswith("Lost: café (3)")
    assert "42 tokens" in panel.preview.effect.text()
    choose(panel, qtbot, "numbers", "drop")
    qtbot.keyClicks(child(panel, QLineEdit, "option.stop_words"), "the, end")
    assert preview_text(panel, qtbot).startswith("The cafe opened in 1984. ¶")
    assert struck_tokens(panel) == {"The", "1984", "end"}
    assert (tip(panel, qtbot, "1984"), tip(panel, qtbot, "cafe")) == ("number", "in the text: café")
    assert "42 → 27 tokens" in panel.preview.effect.text()
    assert panel.session.corpora.current is not None
    assert panel.session.corpora.current.digest == digest
    # The result matches the preview.
    qtbot.mouseClick(child(panel, QPushButton, "again"), LEFT)
    settle(panel, qtbot)
    expected = CorpusOptions(strip_accents=True, numbers="drop", stop_words="the, end")
    assert panel.session.corpora.current.options == expected
    assert panel.session.corpora.current.tokens == 27
    assert "the" not in panel.session.corpora.current.words
    qtbot.waitUntil(lambda: panel.preview.words.text().startswith("The words stay the same."))


def test_sentences_end_where_the_rule_says(panel: CorpusPanel, qtbot: QtBot) -> None:
    choose(panel, qtbot, "sentences", "punctuation")
    assert preview_text(panel, qtbot).splitlines()[:3] == [
        "the café opened in 1984. ¶",
        "the old cafe <b>closed</b> & left. ¶",
        "the end. ¶",
    ]
    choose(panel, qtbot, "sentences", "none")
    assert "¶" not in preview_text(panel, qtbot)


def test_who_closes_the_preview_is_left_alone(panel: CorpusPanel, qtbot: QtBot) -> None:
    button = child(panel, QPushButton, "show_preview")
    qtbot.mouseClick(button, LEFT)
    assert preview_text(panel, qtbot).startswith("the café")
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert not panel.preview.isVisible()
    choose(panel, qtbot, "sentences", "none")
    assert not panel.preview.isVisible()


@pytest.mark.skipif(importlib.util.find_spec("regex") is None, reason="regex is not installed")
def test_a_pattern_is_tried_while_it_is_typed(
    panel: CorpusPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern = child(panel, QLineEdit, "option.pattern")
    assert isinstance(pattern, QLineEdit)
    assert not pattern.isVisible()
    choose(panel, qtbot, "tokeniser", "regex")
    assert pattern.isVisible()
    pattern.selectAll()
    qtbot.keyClicks(pattern, "[a-z]{4,}")
    assert "opened" in preview_text(panel, qtbot)
    assert chips(panel) == ["opened"]
    pattern.selectAll()
    qtbot.keyClicks(pattern, "(old")
    error = child(panel, QLabel, "option.error")
    assert isinstance(error, QLabel)
    assert error.isVisible()
    assert "“)” is missing at character 5" in error.text()
    assert not child(panel, QPushButton, "again").isVisible()
    monkeypatch.setattr("workbench.corpus.tokenise.tokenisers.pattern.SECONDS", 0.05)
    pattern.selectAll()
    qtbot.keyClicks(pattern, r"(?:.|..|...)+(?=!)")
    problem = panel.preview.problem
    qtbot.waitUntil(lambda: problem.isVisible())
    assert "took more than 0.05 s at line" in problem.text()
    assert not error.isVisible()


def test_a_file_of_words_is_chosen(panel: CorpusPanel, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "keep.txt"
    path.write_text("café\nold\n")
    more(panel, qtbot)
    qtbot.mouseClick(child(panel, QToolButton, "option.keep_words.file"), LEFT)
    dialog = panel.findChild(QFileDialog, "corpus.option.keep_words.dialog")
    assert dialog is not None
    dialog.selectFile(str(path))
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    field = child(panel, QLineEdit, "option.keep_words")
    assert isinstance(field, QLineEdit)
    assert field.text() == f"@{path}"
    preview_text(panel, qtbot)
    assert chips(panel) == ["café"]
    qtbot.keyClicks(field, "x")
    qtbot.waitUntil(lambda: panel.preview.problem.isVisible())
    text = panel.preview.problem.text()
    assert "Couldn’t read the word list" in text
    assert "No such file" in text


@pytest.mark.parametrize("name", ["chinese", "japanese"])
def test_missing_packages_are_explained_with_a_command_to_copy(
    name: str, panel: CorpusPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    absent = set(TOKENISERS[name].packages)
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda each, *a: None if each in absent else real(each, *a)
    )
    choose(panel, qtbot, "tokeniser", name)
    text = child(panel, QLabel, "option.missing.text")
    command = child(panel, QLineEdit, "option.missing.command")
    assert isinstance(text, QLabel)
    assert isinstance(command, QLineEdit)
    assert text.isVisible()
    assert "not installed" in text.text()
    assert " -m pip " in command.text()
    assert command.text().endswith(" install " + " ".join(TOKENISERS[name].packages.values()))
    assert not child(panel, QPushButton, "again").isVisible()
    qtbot.mouseClick(child(panel, QPushButton, "option.missing.copy"), LEFT)
    assert QApplication.clipboard().text() == command.text()
    # The unavailable tokeniser isn't saved as a choice for this text.
    assert panel.session.corpora.current is not None
    choice = panel.session.corpora.readings.choice(panel.session.corpora.current.digest)
    assert choice is None or choice.tokeniser != name
    choose(panel, qtbot, "tokeniser", "words")
    assert not text.isVisible()
    # A bundled program can’t load packages.
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    choose(panel, qtbot, "tokeniser", name)
    assert "Install Embedding Workbench with Python" in text.text()
    assert not command.isVisible()


def test_everything_has_a_name_to_be_read_aloud(panel: CorpusPanel, qtbot: QtBot) -> None:
    more(panel, qtbot)
    qtbot.mouseClick(child(panel, QPushButton, "show_preview"), LEFT)
    preview_text(panel, qtbot)
    kinds = (QComboBox, QLineEdit, QCheckBox, QToolButton, QPushButton)
    for kind in kinds:
        for widget in panel.findChildren(kind):
            if widget.objectName().startswith("corpus.") and widget.isVisible():
                assert widget.accessibleName(), widget.objectName()
    assert panel.preview.text.accessibleName()


def test_lists_that_are_gone_keep_no_file_from_being_opened(
    panel: CorpusPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("the\n")
    more(panel, qtbot)
    qtbot.keyClicks(child(panel, QLineEdit, "option.stop_words"), f"@{path}")
    assert panel.session.corpora.current is not None
    digest = panel.session.corpora.current.digest
    choice = panel.session.corpora.readings.choice(digest)
    assert choice is not None
    assert choice.stop_words == f"@{path}"
    path.unlink()
    assert panel.session.corpora.readings.choice(digest) == CorpusOptions()


def test_tokens_without_blanks_are_told_apart(panel: CorpusPanel, qtbot: QtBot) -> None:
    choose(panel, qtbot, "tokeniser", "characters")
    preview_text(panel, qtbot)
    grounds = [
        style.background().color().name() for text, style in pieces(panel, 0) if text in "the"
    ]
    assert grounds[0] == grounds[2] != grounds[1]
