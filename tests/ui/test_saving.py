"""Saving what is in front: every page of every panel gives a file with content, or a sentence that
says why not; in dark colours, too, every word of a figure can be read on white.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot
from ui.test_contrast import contrast
from ui.test_stage import stage, wait_idle  # noqa: F401
from ui.windows import shown_window

from workbench.ui.base.colours import LIGHT
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.export.figure_dialog import FigureDialog
from workbench.ui.shell.window import Window

# Panels and pages whose figure is saved after a training with Small World.
WITH_FIGURE = {"map", "matrix", "loss", "pair", "theory", "weights", "relations", "step"}
WITH_DATA = WITH_FIGURE | {"corpus", "neighbours", "inspector", "runs", "evaluate", "analogy"}


class Desk:
    """Saves what is in front of a window into a folder, and notes the messages."""

    def __init__(
        self, window: Window, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.window, self.folder, self.qtbot = window, folder, qtbot
        self.said: list[tuple[str, str]] = []
        self.suffix = ""
        self.files = 0
        window.session.message.connect(lambda text, hint, _: self.said.append((text, hint)))
        monkeypatch.setattr(QFileDialog, "getSaveFileName", self._choose)

    def _choose(self, parent: object, title: str, stem: str, kinds: str = "") -> tuple[str, str]:
        suffix = self.suffix or Path(stem).suffix
        self.files += 1
        return str(self.folder / f"{self.files}{suffix}"), kinds

    def save(self, what: str, suffix: str = "") -> Path | None:
        """The file that the action writes, or None after a message without one."""
        self.suffix, before = suffix, self.files
        self.said.clear()
        self.window.commands.run(f"export.{what}")
        for dialog in self.window.findChildren(FigureDialog):
            dialog.captioned.setChecked(True)
            dialog.save.click()
        self.qtbot.waitUntil(lambda: bool(self.said))
        self.qtbot.waitUntil(lambda: not self.window.findChildren(FigureDialog))
        if self.files == before:
            return None
        found = list(self.folder.glob(f"{before + 1}.*"))
        assert len(found) == 1, self.said
        return found[0]


def pages(window: Window, qtbot: QtBot) -> Iterator[str]:
    """Every page of every panel, in front of the window and at rest."""
    for kind in PANELS:
        window.raise_panel(kind.key)
        wait_idle(window, qtbot)
        panel = window.docks[kind.key].panel
        for page in [page.key for page in panel.offered_pages()] or [""]:
            if page:
                panel.show_page(page)
            panel.take_focus()
            wait_idle(window, qtbot)
            if window.front == kind.key:
                yield f"{kind.key} {page}".strip()


def test_an_empty_panel_says_what_is_missing(
    context: PanelContext, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shown_window(context, qtbot) as window:
        desk = Desk(window, tmp_path, qtbot, monkeypatch)
        visited = set()
        for page in pages(window, qtbot):
            visited.add(page.split()[0])
            for what in ("figure", "data", "copy"):
                path = desk.save(what)
                assert path is None, f"{what} of {page}: {path} of {path.stat().st_size} bytes"
                text, hint = desk.said[-1]
                assert re.match(r"[^.]+[.!?]$", text), (page, what, text)
                assert re.match(r".+[.!?]$", hint), (page, what, text, hint)
        assert visited == {kind.key for kind in PANELS}


def drawn_texts(path: Path) -> list[tuple[str, str]]:
    """Words of a drawing with their colours."""
    found = []

    def walk(element: ElementTree.Element, fill: str) -> None:
        fill = element.get("fill", fill)
        if element.tag.endswith("text") and "".join(element.itertext()).strip():
            found.append(("".join(element.itertext()), fill))
        for child in element:
            walk(child, fill)

    walk(ElementTree.parse(path).getroot(), "#000000")
    return found


def test_every_page_gives_a_file_that_can_be_read_on_white(
    stage: Window,  # noqa: F811
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage.session.selection.select(["king", "queen"])
    desk = Desk(stage, tmp_path, qtbot, monkeypatch)
    stage.context.theme.choose("dark")
    figures: set[str] = set()
    data = set()
    for page in pages(stage, qtbot):
        key = page.split()[0]
        path = desk.save("data")
        if path is None:
            assert all(desk.said[-1]), (page, desk.said)
        else:
            data.add(key)
            assert path.stat().st_size > 20, page
            assert PANELS[key].title in desk.said[-1][0]
        path = desk.save("figure", ".svg")
        if path is None:
            assert all(desk.said[-1]), (page, desk.said)
            continue
        # Words on coloured cells are white.
        words = [(text, colour) for text, colour in drawn_texts(path) if colour != "#ffffff"]
        assert words
        assert [each for each in words if contrast(each[1], LIGHT.surface) < 4.5] == [], page
        figures.add(key)
    assert data >= WITH_DATA
    assert figures >= WITH_FIGURE


@pytest.mark.parametrize("local", ["word", "number"])
def test_the_keys_that_save_hold_in_fields_too(
    context: PanelContext, qtbot: QtBot, local: str
) -> None:
    with shown_window(context, qtbot) as window:
        with qtbot.waitActive(window):
            window.activateWindow()
        field = QLineEdit("two words", window) if local == "word" else QSpinBox(window)
        field.setGeometry(100, 200, 200, 30)
        field.show()
        field.setFocus()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is field)
        said: list[str] = []
        window.session.message.connect(lambda text, hint, _: said.append(text))
        if isinstance(field, QLineEdit):
            field.setCursorPosition(0)
        for modifiers in (
            Qt.KeyboardModifier.ControlModifier,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        ):
            QTest.keyClick(field, Qt.Key.Key_E, modifiers)
        assert len(said) == 2
        if isinstance(field, QLineEdit):
            assert field.cursorPosition() == 0
            QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            assert field.selectedText() == "two words"
