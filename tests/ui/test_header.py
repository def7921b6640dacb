"""Run, training and their menus in the header of the window, with real clicks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMenuBar, QSpinBox, QTabBar
from pytestqt.qtbot import QtBot
from session.fakes import Gate, small_corpus
from ui.toy import look_at, toy_model

from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.request import TrainingSpec
from workbench.ui.shell.header.chip_text import chip_name_width
from workbench.ui.shell.window import Window
from workbench.ui.widgets.inputs.word_search import WordSearch
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def corpus_window(window: Window) -> Window:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    return window


def train_run(window: Window, qtbot: QtBot, name: str, corpus_name: str, digest: str) -> RunRecord:
    """A finished run with this name, on a corpus of this name and digest."""
    spec = TrainingSpec("step", MODELS["step"].params_type(min_count=1))
    record = window.session.training.start(spec)
    qtbot.waitUntil(lambda: record.state is State.DONE and record.has_vectors)
    record.name, record.corpus_name, record.corpus_digest = name, corpus_name, digest
    window.session.runs.changed.emit()
    return record


def menu_of(window: Window) -> list[tuple[str, list[str]]]:
    """Groups of the menu of runs, each with its runs; * marks the active run."""
    menu = window.top.run.run_menu
    menu.aboutToShow.emit()
    groups: list[tuple[str, list[str]]] = []
    for action in menu.actions():
        if action.isSeparator():
            continue
        if not action.isCheckable():
            groups.append((action.text(), []))
        else:
            groups[-1][1].append(f"{'*' if action.isChecked() else ''}{action.text()}")
    return groups


def test_a_header_button_is_not_grey_after_its_menu(corpus_window: Window, qtbot: QtBot) -> None:
    train_run(corpus_window, qtbot, "Own", "tiny", "feed")
    for button, menu in (
        (corpus_window.top.run, corpus_window.top.run.run_menu),
        (corpus_window.top.corpus, corpus_window.top.corpus_menu),
    ):
        QCursor.setPos(corpus_window.mapToGlobal(QPoint(5, corpus_window.height() - 5)))
        button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))
        menu.close()
        assert not button.testAttribute(Qt.WidgetAttribute.WA_UnderMouse)


def test_the_number_of_modes_stays_in_a_narrow_header(corpus_window: Window, qtbot: QtBot) -> None:
    record = train_run(corpus_window, qtbot, "SGNS 1", "tiny", "feed")
    active = corpus_window.session.active
    active.show(record)
    random = np.random.default_rng(1)
    W, C = random.normal(size=(2, 20, 12)).astype(np.float32)
    record.embeddings = Embeddings([f"w{row}" for row in range(20)], W, contexts=C)
    active.keep_modes(3)
    qtbot.waitUntil(lambda: active.modes == 3)
    chip = corpus_window.top.run
    chip.set_room(400)
    assert chip.text().strip() == "SGNS 1 · 3 of 12 modes"
    chip.set_room(chip_name_width(chip, "SGNS 1 · 3/12"))
    assert chip.text().strip() == "SGNS 1 · 3/12"
    assert chip.accessibleName() == "Run: SGNS 1 · 3 of 12 modes"


def test_runs_are_grouped_by_corpus_and_one_of_another_is_named_with_it(
    corpus_window: Window, qtbot: QtBot
) -> None:
    own = train_run(corpus_window, qtbot, "Own", "tiny", "feed")
    train_run(corpus_window, qtbot, "Later", "tiny", "feed")
    other = train_run(corpus_window, qtbot, "Theirs", "jane", "0" * 32)
    train_run(corpus_window, qtbot, "Vectors", "", "")
    chip = corpus_window.top.run
    corpus_window.session.active.show(own)
    assert chip.text().strip() == "Own"
    groups = [
        ("tiny", ["Later", "*Own"]),
        ("jane", ["Theirs"]),
        ("Vectors from files", ["Vectors"]),
    ]
    assert menu_of(corpus_window) == groups
    next(action for action in chip.run_menu.actions() if action.text() == "Theirs").trigger()
    assert corpus_window.session.active.run is other
    assert chip.text().strip() == "Theirs · jane"
    assert "trained on jane" in chip.toolTip()
    assert chip.accessibleName() == "Run: Theirs · jane"
    # Without an open corpus, every run belongs to another corpus.
    corpus_window.session.corpora.current = None
    corpus_window.session.corpora.changed.emit()
    assert [name for name, _ in menu_of(corpus_window)] == ["jane", "tiny", "Vectors from files"]


def test_the_header_is_arranged_again_only_for_another_name(
    corpus_window: Window, qtbot: QtBot
) -> None:
    """The list of runs changes often while a training counts its steps."""
    own = train_run(corpus_window, qtbot, "Own", "tiny", "feed")
    corpus_window.session.active.show(own)
    names: list[str] = []
    corpus_window.top.run.changed.connect(
        lambda: names.append(corpus_window.top.run.text().strip())
    )
    for _ in range(3):
        corpus_window.session.runs.changed.emit()
    assert names == []
    own.name = "Mine"
    corpus_window.session.runs.changed.emit()
    assert names == ["Mine"]


def test_without_runs_there_is_no_chip(window: Window) -> None:
    assert not window.top.run.isVisible()


@pytest.mark.parametrize("workspace", ["explore", "theory"])
def test_the_header_trains_pauses_and_continues(
    corpus_window: Window, gate: Gate, qtbot: QtBot, workspace: str
) -> None:
    least = corpus_window.docks["train"].panel.findChild(QSpinBox, "train.param.min_count")
    assert least is not None
    least.setValue(1)
    corpus_window.layouts.show_workspace(workspace)
    top = corpus_window.top.training
    button, line = top.button, top.sparkline
    assert button.text() == "Train"
    assert not line.isVisible()
    gate.opened.clear()
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: corpus_window.session.training.current is not None)
    qtbot.waitUntil(lambda: button.text() == "Pause" and line.isVisible())
    record = corpus_window.session.training.current
    assert record is not None
    qtbot.waitUntil(lambda: record.state is State.TRAINING)
    qtbot.mouseClick(button, LEFT)
    assert record.state is State.PAUSED
    qtbot.waitUntil(lambda: button.text() == "Continue" and line.isVisible())
    qtbot.mouseClick(button, LEFT)
    assert record.state is State.TRAINING
    qtbot.waitUntil(lambda: button.text() == "Pause")
    gate.opened.set()
    qtbot.waitUntil(lambda: record.state is State.DONE)
    qtbot.waitUntil(lambda: button.text() == "Train" and not line.isVisible())
    assert corpus_window.session.active.run is record


def test_the_sparkline_follows_the_loss(corpus_window: Window, gate: Gate, qtbot: QtBot) -> None:
    line = corpus_window.top.training.sparkline
    gate.opened.clear()
    spec = TrainingSpec("step", MODELS["step"].params_type(min_count=1, steps=100_000))
    record = corpus_window.session.training.start(spec)
    qtbot.waitUntil(line.isVisible)
    empty = line.grab().toImage()
    gate.opened.set()
    qtbot.waitUntil(lambda: gate.steps > 3)
    gate.opened.clear()
    corpus_window.session.training.pause(record)
    run = record.run
    assert run is not None
    corpus_window.context.bridge.tick.emit()
    losses = run.trace.loss.tolist()
    description = line.accessibleDescription()
    assert description.startswith("loss ")
    assert float(description.removeprefix("loss ")) == pytest.approx(losses[-1], rel=0.05)
    assert line.grab().toImage() != empty
    gate.opened.set()
    corpus_window.session.training.stop(record)
    qtbot.waitUntil(lambda: record.state.over)


def test_the_form_alone_trains_where_it_is_seen(
    corpus_window: Window, gate: Gate, qtbot: QtBot
) -> None:
    """Each action has one button; the header shows a running training in every workspace."""
    button, search = corpus_window.top.training.button, corpus_window.top.search
    assert button.isVisible()
    place = search.geometry()
    corpus_window.layouts.show_workspace("train")
    qtbot.waitUntil(lambda: not button.isVisible())
    assert search.geometry() == place
    gate.opened.clear()
    corpus_window.session.training.start(
        TrainingSpec("step", MODELS["step"].params_type(min_count=1))
    )
    qtbot.waitUntil(lambda: button.isVisible() and button.accessibleName() == "Pause")
    gate.opened.set()
    qtbot.waitUntil(lambda: not button.isVisible())
    corpus_window.docks["train"].close()
    qtbot.waitUntil(button.isVisible)


def test_long_names_have_the_place_of_the_hidden_button(
    corpus_window: Window, qtbot: QtBot
) -> None:
    top = corpus_window.top
    corpus_window.session.active.show(
        train_run(corpus_window, qtbot, "SGNS window 2", "tiny", "feed")
    )
    name = "Great Expectations, 1861"
    corpus_window.session.corpora.current = replace(small_corpus(), name=name)
    corpus_window.session.corpora.changed.emit()
    # The widest window in which the names are too wide beside the button.
    for width in range(1600, 900, -5):
        corpus_window.resize(width, 800)
        QApplication.processEvents()
        if "…" in top.corpus.text():
            break
    assert "…" in top.corpus.text()
    assert top.training.button.isVisible()
    corpus_window.layouts.show_workspace("train")
    qtbot.waitUntil(lambda: top.corpus.text().strip() == name)
    qtbot.waitUntil(lambda: top.training.width() < top.training.button.sizeHint().width())
    assert top.corpus.width() >= top.corpus.sizeHint().width()
    assert top.run.text().strip() == "SGNS window 2"
    corpus_window.layouts.show_workspace("explore")
    qtbot.waitUntil(lambda: "…" in top.corpus.text())
    qtbot.waitUntil(lambda: top.training.width() >= top.training.button.sizeHint().width())


def test_the_run_follows_its_corpus_behind_an_arrow(corpus_window: Window, qtbot: QtBot) -> None:
    arrow = next(label for label in corpus_window.top.findChildren(QLabel) if label.text() == "▸")
    assert not arrow.isVisible()
    corpus_window.session.active.show(train_run(corpus_window, qtbot, "Own", "tiny", "feed"))
    qtbot.waitUntil(arrow.isVisible)
    assert corpus_window.top.corpus.geometry().right() < arrow.x() < corpus_window.top.run.x()


def test_a_bar_of_menus_without_room_becomes_a_button(corpus_window: Window, qtbot: QtBot) -> None:
    bar, button = corpus_window.top.findChild(QMenuBar), corpus_window.top.all_menus
    assert bar is not None
    corpus_window.resize(1600, 900)
    qtbot.waitUntil(lambda: bar.isVisible() and not button.isVisible())
    corpus_window.resize(1000, 700)
    qtbot.waitUntil(lambda: button.isVisible() and not bar.isVisible())
    qtbot.mouseClick(button, LEFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions() == bar.actions()
    menu.close()


def test_the_colour_of_a_run_does_not_touch_its_name(corpus_window: Window, qtbot: QtBot) -> None:
    corpus_window.session.active.show(train_run(corpus_window, qtbot, "Own", "tiny", "feed"))
    chip = corpus_window.top.run
    size = chip.iconSize()
    swatch = chip.icon().pixmap(size).toImage()
    assert swatch.pixelColor(swatch.height() // 2, swatch.height() // 2).alpha() == 255
    assert swatch.pixelColor(swatch.width() - 1, swatch.height() // 2).alpha() == 0


def test_the_tab_in_front_does_not_move_its_neighbours(corpus_window: Window, qtbot: QtBot) -> None:
    def tabs() -> list[tuple[str, QRect]]:
        bars = corpus_window.findChildren(
            QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
        return [
            (bar.tabText(at), bar.tabRect(at))
            for bar in bars
            if bar.isVisible()
            for at in range(bar.count())
        ]

    corpus_window.raise_panel("map")
    before = tabs()
    assert len(before) > 3
    for key in ("time", "relations", "map"):
        corpus_window.raise_panel(key)
        qtbot.wait(1)
        assert tabs() == before


@pytest.mark.parametrize("width", [1280, 1440])
def test_the_search_has_room_for_ten_letters_while_it_is_used(
    corpus_window: Window, qtbot: QtBot, width: int
) -> None:
    train_run(corpus_window, qtbot, "A run with quite a long name", "tiny", "feed")
    corpus_window.resize(width, 800)
    search = corpus_window.top.search
    search.setFocus()
    qtbot.waitUntil(search.hasFocus)
    qtbot.keyClicks(search, "Expectatio")
    ten = search.fontMetrics().horizontalAdvance("Expectatio")
    # The magnifier, the cross and the frame need some 60 px.
    qtbot.waitUntil(lambda: search.width() >= ten + 60)
    search.clear()


def test_each_field_for_words_says_what_it_finds(window: Window, qtbot: QtBot) -> None:
    window.resize(1440, 900)
    window.layouts.show_workspace("explore")
    names = ("window.search", "map.search", "neighbours.word")
    fields = [window.findChild(WordSearch, name) for name in names]
    assert all(field is not None for field in fields)
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: all(field.isVisible() for field in fields))
    for field in fields:
        field.clear()
    hints = [field.placeholderText() for field in fields]
    assert hints == ["Find a word (/)", "Find on the map", "Neighbours of a word"]
    fields[1].resize(70, fields[1].height())
    assert fields[1].placeholderText() == "Find"
