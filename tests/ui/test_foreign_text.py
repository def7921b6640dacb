"""Words, names and texts from outside are shown literally: they are never rendered, load nothing,
and define no keys.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QImage, QKeySequence, QPainter
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QTabBar,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.toy import look_at, open_corpus, until

from workbench.core.errors import UserError
from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.ui.base import plain_text as plain_text_module
from workbench.ui.base.action import submenu
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.plain_text import (
    LABEL_LENGTH,
    TIP_LENGTH,
    PlainLabel,
    RichLabel,
    menu_text,
    plain_text,
    rich_tip,
    safe_tip,
    title_text,
    visible_text,
)
from workbench.ui.shell.window import Window
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.vectors.embeddings import Embeddings

UI = Path(plain_text_module.__file__).parents[1]
OVERRIDE = "\u202e"
HOSTILE = (
    '<img src="hostile:a"> &Zoo',
    f"<b>bold</b> &Zap{OVERRIDE}gnp",
    "<table background='hostile:b'><tr><td>&Zed",
    "&lt;img src='hostile:c'> &Zip\x1b[31m",
)
ROLES = [
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
]


# -- the functions


@pytest.mark.parametrize(
    "text", [*HOSTILE, "<?xml version='1.0'?>", "a < b", "<", "<i", "&lt;", "\n<b>x</b>", " <p>"]
)
def test_what_qt_would_take_for_html_is_told_apart_without_a_change_to_the_eye(text: str) -> None:
    for result in (plain_text(text), safe_tip(text), menu_text(text), title_text(text)):
        assert not GuiQt.mightBeRichText(result)
        assert plain_text(result) == result
    assert plain_text(text).replace("\u200c", "") == visible_text(text)


@pytest.mark.parametrize("word", [f"{OVERRIDE}gnp", "a\x1b[31mb", "\u2067hello\u2069"])
def test_words_on_a_picture_are_drawn_with_what_is_hidden_in_them(word: str, qtbot: QtBot) -> None:
    pictures = []
    for one in (word, visible_text(word)):
        text = HaloText(QApplication.font())
        picture = QImage(300, 40, QImage.Format.Format_ARGB32)
        picture.fill(0xFFFFFFFF)
        painter = QPainter(picture)
        text.draw(painter, 5.0, 5.0, one, TextStyle(13, False, "#000000", "#ffffff"))
        painter.end()
        pictures.append((text.size(one, 13, False), picture))
    assert pictures[0] == pictures[1]


def test_a_plain_text_stays_as_it_is() -> None:
    for text in ("king", "naïve – 3 < 4", "می‌خواهم", "👩‍🔬", "a\nb\tc", "x & y"):
        assert plain_text(text) == safe_tip(text) == visible_text(text) == text


def test_characters_that_turn_hide_or_control_are_seen() -> None:
    assert visible_text("a\u202eb") == "a[U+202E]b"
    assert visible_text("\x1b[31m\x00\x7f") == "␛[31m␀␡"
    assert (
        visible_text("a\u200bb\ufeff\u2066\u00ad\U000e0041")
        == "a[U+200B]b[U+FEFF][U+2066][U+00AD][U+E0041]"
    )
    assert visible_text("\ud800") == "[U+D800]"


def test_long_texts_are_bounded_and_broken() -> None:
    tip = safe_tip("word " * 100_000)
    assert len(tip) <= TIP_LENGTH
    assert max(map(len, tip.split("\n"))) <= 120
    assert safe_tip("x" * 10**6).count("\n") < 40
    assert safe_tip("a\n" * 500).count("\n") < 40
    assert len(rich_tip("x" * 10**6, "y" * 10**6)) < 3 * TIP_LENGTH
    assert len(menu_text("x" * 10**6)) <= 120
    assert len(PlainLabel("x" * 10**6).text()) == LABEL_LENGTH


def test_no_letter_of_a_name_becomes_a_key_and_no_line_a_shortcut() -> None:
    assert menu_text("R&D\tCtrl+Q\nx") == "R&&D Ctrl+Q x"
    assert title_text("a[*]b") == "a[*][*]b"


def test_what_is_built_has_its_foreign_parts_escaped() -> None:
    tip = rich_tip("<img src=x>", "a & <b>", symbol="<i>")
    assert tip == (
        "<div style='width: 300px'><b>&lt;img src=x&gt;</b> <i>&lt;i&gt;</i><br>a &amp; "
        "&lt;b&gt;</div>"
    )
    assert safe_tip(tip) is tip


def test_a_label_of_html_shows_foreign_tags_and_loads_nothing(qtbot: QtBot) -> None:
    label = RichLabel(
        "<b>x</b><img src='hostile:a'><table background='hostile:b'><p style='a: "
        "url(hostile:c)'>y</p>"
    )
    qtbot.addWidget(label)
    assert "<b>x</b>" in label.text()
    assert "<img" not in label.text()
    assert "background=" not in label.text()
    assert "url(" not in label.text()
    assert PlainLabel("<b>x</b>").textFormat() == Qt.TextFormat.PlainText


# -- the whole window


def hostile_model(offset: int = 0) -> Embeddings:
    words = [
        *HOSTILE,
        *(f"{word} {number}" for number in range(3) for word in HOSTILE),
        "king",
        "queen",
        "man",
    ]
    rng = np.random.default_rng(offset)
    vectors = rng.normal(size=(len(words), 6)).astype(np.float32)
    return Embeddings(
        words,
        vectors,
        np.arange(len(words), 0, -1, dtype=np.int64),
        contexts=-vectors,
        metadata={"parameters": {"min_count": 1, "window": 2}},
    )


def hostile_corpus() -> Corpus:
    words = list(hostile_model().words)
    ids = np.tile(np.arange(len(words), dtype=np.int32), 20)
    counts = np.full(len(words), 20, dtype=np.int64)
    return Corpus(
        HOSTILE[0], ids, np.array([0, len(ids)], dtype=np.int64), words, counts, "hostile"
    )


def add_failed_run(session: Session) -> None:
    record = RunRecord(
        "run-failed", HOSTILE[1], "", {}, HOSTILE[0], "", "2026-01-01", state=State.FAILED
    )
    record.error, record.note = UserError(HOSTILE[0], HOSTILE[2]), HOSTILE[3]
    session.runs.append(record)


@pytest.fixture
def hostile(window: Window, session: Session, qtbot: QtBot, tmp_path: Path) -> Window:
    """A window in which every text that can come from outside is hostile."""
    open_corpus(session, hostile_corpus())
    add_failed_run(session)
    for number, name in enumerate(HOSTILE[:3]):
        look_at(session, hostile_model(number), name).corpus_name = HOSTILE[0]
    questions = tmp_path / "q&Zoo.txt"
    questions.write_text(
        ": <img src='hostile:d'> &Zoo\nking queen man king\nqueen king man queen\n"
    )
    window.docks["map"].panel.colours.modes["section"].open(questions)
    session.selection.select([HOSTILE[1], HOSTILE[0]])
    session.message.emit(HOSTILE[0], HOSTILE[1], True)
    for key in PANELS.keys():  # noqa: SIM118
        assert window.docks[key].panel
    until(qtbot, lambda: not session.jobs.active)
    return window


def texts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Texts that a widget shows or reads out, by their role."""
    yield "tooltip", widget.toolTip()
    yield "status tip", widget.statusTip()
    yield "what’s this", widget.whatsThis()
    if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
        yield "label", widget.text()
    if isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield "tab’s tooltip", widget.tabToolTip(at)
    for action in widget.actions():
        yield f"action {action.objectName()}", action.toolTip()
        yield f"action {action.objectName()}", action.statusTip()


def keys_of(widget: QWidget) -> Iterator[str]:
    """Texts in which Qt looks for an ampersand, which marks the next letter as a key."""
    if isinstance(widget, QAbstractButton):
        yield widget.text()
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(at) for at in range(widget.count()))
    yield from (action.text() for action in widget.actions())


def columns_of(model: QAbstractItemModel, root: QModelIndex) -> int:
    return 1 if isinstance(model, QAbstractListModel) else model.columnCount(root)


def model_texts(model: QAbstractItemModel, root: QModelIndex | None = None) -> Iterator[str]:
    """Texts of the items and headings of a model."""
    root = QModelIndex() if root is None else root
    across = columns_of(model, root)
    for row in range(min(model.rowCount(root), 40)):
        for column in range(min(across, 40)):
            index = model.index(row, column, root)
            yield from (text for role in ROLES if isinstance(text := model.data(index, role), str))
    for way, number in (
        (Qt.Orientation.Horizontal, across),
        (Qt.Orientation.Vertical, model.rowCount(root)),
    ):
        for at in range(min(number, 40)):
            yield from (
                text for role in ROLES if isinstance(text := model.headerData(at, way, role), str)
            )


def hides(text: str) -> bool:
    return OVERRIDE in text or "\x1b" in text


def check(text: str, where: str) -> None:
    is_rendered = GuiQt.mightBeRichText(text)
    assert not (
        is_rendered and any(tag in text for tag in ("<img", "hostile:", "<b>bold", "<table"))
    ) or ("&lt;" in text and not any(tag in text for tag in ("<img", "<b>bold", "<table"))), (
        f"{where} renders {text!r}"
    )
    assert not hides(text), f"{where} hides characters: {text!r}"


def test_nothing_foreign_is_rendered_anywhere_in_the_window(hostile: Window) -> None:
    number = 0
    for widget in [hostile, *hostile.findChildren(QWidget)]:
        where = f"{type(widget).__name__} {widget.objectName()}"
        for what, text in texts_of(widget):
            check(text, f"{what} of {where}")
            number += "hostile:" in text or "bold" in text
        for text in keys_of(widget):
            assert not any(f"&{letter}" in text.replace("&&", "") for letter in "Z"), (
                f"{where}: {text!r} is a key"
            )
            assert not hides(text), f"{where}: {text!r}"
        if isinstance(widget, QLabel) and widget.textFormat() == Qt.TextFormat.PlainText:
            assert not hides(widget.text()), f"{where}: {widget.text()!r}"
        model = widget.model() if isinstance(widget, (QAbstractItemView, QComboBox)) else None
        for text in model_texts(model) if model is not None else ():
            check(text, f"items of {where}")
            number += "hostile:" in text or "bold" in text
    assert number > 20, "hardly anything foreign is told: the test looks at too little"
    assert OVERRIDE not in hostile.windowTitle()


def menus(menu: QMenu, depth: int = 0) -> Iterator[QAction]:
    menu.aboutToShow.emit()
    for action in menu.actions():
        yield action
        below = submenu(action)
        if below is not None and depth < 4:
            yield from menus(below, depth + 1)


def test_nothing_foreign_is_rendered_or_a_key_in_any_menu(hostile: Window) -> None:
    number = 0
    for menu in hostile.findChildren(QMenu):
        for action in menus(menu):
            where = f"{menu.objectName()} {action.objectName()}"
            check(action.toolTip(), where)
            check(action.statusTip(), where)
            assert "&Z" not in action.text().replace("&&", ""), where
            assert not hides(action.text()), where
            number += "hostile:" in action.text()
    assert number >= 3, "no menu has a foreign name: the test looks at too little"
    assert QKeySequence.mnemonic(menu_text("&Zoo")).isEmpty()
    assert not QKeySequence.mnemonic("&Zoo").isEmpty()


# -- hovering


class Bait:
    """A pipe that a text names as a picture; bytes missing from it have been loaded."""

    SIZE = 100

    def __init__(self) -> None:
        self._read, write = os.pipe()
        os.write(write, b"x" * self.SIZE)
        os.close(write)

    @property
    def word(self) -> str:
        return f'<img src="file:///proc/self/fd/{self._read}">'

    def bytes_read(self) -> int:
        """Number of bytes that were loaded."""
        os.set_blocking(self._read, False)
        left = len(os.read(self._read, 2 * self.SIZE))
        os.close(self._read)
        return self.SIZE - left


needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="a pipe has a path on Linux only")


def hover(widget: QWidget, place: QPoint) -> str:
    """Rest the pointer at a place, and return the text of the tooltip."""
    QToolTip.hideText()
    QApplication.sendEvent(
        widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
    )
    QApplication.processEvents()
    return QToolTip.text()


@needs_proc
def test_the_bait_is_taken_by_a_label_that_qt_decides_about(qtbot: QtBot) -> None:
    bait = Bait()
    label = QLabel(bait.word)
    qtbot.addWidget(label)
    label.show()
    assert bait.bytes_read() == Bait.SIZE


@needs_proc
def test_hovering_over_words_names_and_lines_loads_nothing(
    window: Window, session: Session, qtbot: QtBot
) -> None:
    bait = Bait()
    words = [bait.word, "king", "queen", "man"]
    vectors = np.array([[1, 1], [1, 1.1], [1, 1.2], [-1, 1]], dtype=np.float32)
    ids = np.tile(np.arange(4, dtype=np.int32), 10)
    corpus = small_corpus("baited")
    open_corpus(
        session,
        Corpus(
            bait.word,
            ids,
            np.array([0, 40], dtype=np.int64),
            words,
            np.full(4, 10, dtype=np.int64),
            "baited",
        ),
    )
    assert corpus.types
    look_at(session, Embeddings(words, vectors, np.full(4, 10, dtype=np.int64)), bait.word)
    session.selection.select(["king"])
    for key in PANELS.keys():  # noqa: SIM118
        assert window.docks[key].panel
    until(qtbot, lambda: not session.jobs.active)
    told_of = 0
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        top = QModelIndex()
        for row in range(min(model.rowCount(top) if model is not None else 0, 8)):
            for column in range(min(columns_of(model, top), 12)):
                view.resize(max(view.width(), 200), max(view.height(), 100))
                place = view.visualRect(model.index(row, column)).center()
                told_of += "proc/self" in hover(view.viewport(), place)
    for widget in window.findChildren(QWidget):
        if widget.toolTip():
            told_of += "proc/self" in hover(widget, widget.rect().center())
    QToolTip.hideText()
    until(qtbot, lambda: not QToolTip.isVisible())
    assert told_of >= 2, "no tooltip told of the word: the test looks at too little"
    assert bait.bytes_read() == 0


# -- the sources: every text goes through the functions


SAFE = {"safe_tip", "rich_tip", "plain_text", "menu_text", "title_text", "tooltip"}


def is_safe(value: ast.expr, names: set[str]) -> bool:
    """Whether an expression is a text of the program itself, or comes from ``plain_text``."""
    if isinstance(value, ast.Constant):
        return True
    if isinstance(value, ast.IfExp):
        return is_safe(value.body, names) and is_safe(value.orelse, names)
    if isinstance(value, ast.BoolOp):
        return all(is_safe(part, names) for part in value.values)
    if isinstance(value, ast.BinOp):
        return is_safe(value.left, names) and (
            is_safe(value.right, names) or "keys" in ast.unparse(value.right)
        )
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        own = value.func.id in ("tr", "trc") and not value.keywords
        return value.func.id in names or (
            own and all(isinstance(part, ast.Constant) for part in value.args)
        )
    return False


@cache
def sources() -> list[tuple[str, ast.Module]]:
    # The guide renders the program's own pages, and loads nothing else.
    rendering = ("plain_text.py", "user_guide.py")
    paths = [path for path in sorted(UI.rglob("*.py")) if path.name not in rendering]
    return [
        (str(path.relative_to(UI)), ast.parse(path.read_text(encoding="utf-8"))) for path in paths
    ]


def tooltips_of(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, told_role = node.func.attr, "ToolTipRole" in ast.unparse(node)
            if (
                name in ("setToolTip", "setStatusTip", "setWhatsThis", "setToolTipDuration")
                and node.args
            ):
                yield node.args[0]
            elif name == "setTabToolTip" or (name == "setItemData" and told_role):
                yield node.args[1]
            elif name == "setData" and told_role:
                yield node.args[-2]
            elif name == "showText" and "QToolTip" in ast.unparse(node.func):
                yield node.args[1]
        if isinstance(node, (ast.If, ast.match_case)):
            test = node.pattern if isinstance(node, ast.match_case) else node.test
            if any(
                role in ast.unparse(test)
                for role in ("ToolTipRole", "StatusTipRole", "WhatsThisRole")
            ):
                for part in node.body:
                    yield from (
                        inner.value
                        for inner in ast.walk(part)
                        if isinstance(inner, ast.Return) and inner.value
                    )
        if isinstance(node, ast.IfExp) and "ToolTipRole" in ast.unparse(node.test):
            yield node.body


def test_no_tooltip_goes_past_the_function() -> None:
    every = [(path, value) for path, tree in sources() for value in tooltips_of(tree)]
    assert len(every) > 80
    assert [
        f"{path}:{value.lineno} {ast.unparse(value)}"
        for path, value in every
        if not is_safe(value, SAFE)
    ] == []


def calls(tree: ast.Module, names: set[str]) -> Iterator[tuple[ast.Call, Any]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            if name in names:
                yield node, name


def test_labels_are_plain_and_what_renders_html_stands_in_two_files() -> None:
    rendering = {
        "QLabel",
        "QMessageBox",
        "QErrorMessage",
        "QTextBrowser",
        "QTextEdit",
        "QStaticText",
        "setHtml",
        "setMarkdown",
        "setTextFormat",
    }
    found = [
        f"{path}:{call.lineno} {name}"
        for path, tree in sources()
        for call, name in calls(tree, rendering)
    ]
    bases = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base) in rendering for base in node.bases)
    ]
    assert found + bases == []


def test_texts_of_menus_buttons_and_titles_of_windows_go_through_the_function() -> None:
    first = {
        "addMenu",
        "addSection",
        "setWindowTitle",
        "QAction",
        "QPushButton",
        "QCheckBox",
        "QRadioButton",
    }
    wrong = []
    for path, tree in sources():
        for call, name in calls(tree, {*first, "addAction", "setTabText"}):
            text = call.args[1] if name == "setTabText" else call.args[0] if call.args else None
            alone = name == "QAction" and len(call.args) == 1
            is_action = name == "addAction" and not isinstance(
                text, (ast.Call, ast.JoinedStr, ast.Constant)
            )
            # The titles of the menu bar have keys of their own.
            if (
                text is None
                or alone
                or is_action
                or "f'&{" in ast.unparse(text)
                or "qaction" in ast.unparse(text)
            ):
                continue
            made_action = ("icon(", "QAction(", "_menu_action(")
            if name == "addAction" and any(part in ast.unparse(text) for part in made_action):
                continue
            if not is_safe(text, SAFE):
                wrong.append(f"{path}:{call.lineno} {name} {ast.unparse(text)}")
    assert wrong == []
