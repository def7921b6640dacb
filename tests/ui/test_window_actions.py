"""Shortcuts, undo, layouts, several windows, dropped files and notices: with keys, clicks and real
events.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QSpinBox, QTabBar
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepModel, TableModel, small_corpus
from shiboken6 import isValid

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.action import ChoiceEntry, Choices
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.theme import TEXT_SIZE, THEME
from workbench.ui.commands.menus import put_entries
from workbench.ui.commands.shortcuts import SHORTCUTS
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.preferences.shortcuts import ShortcutsPage
from workbench.ui.shell.drag_and_drop import drop_action
from workbench.ui.shell.messages.notifications import Notices
from workbench.ui.shell.window import Window

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


def open_tiny(window: Window) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()


def record(window: Window, name: str) -> RunRecord:
    new_run = RunRecord(name, name, "", {}, "", "", "2026-01-01", state=State.DONE)
    window.session.runs.append(new_run)
    window.session.runs.changed.emit()
    return new_run


# -- shortcuts


def page(window: Window, qtbot: QtBot) -> ShortcutsPage:
    dialog = window.open_preferences("shortcuts")
    qtbot.waitUntil(dialog.isVisible)
    found = dialog.page
    assert isinstance(found, ShortcutsPage)
    return found


def choose(of: ShortcutsPage, key: str) -> None:
    of.table.pick_action(key)
    of.table.setFocus()


def keys_of(window: Window, key: str) -> list[str]:
    portable = QKeySequence.SequenceFormat.PortableText
    return [keys.toString(portable) for keys in window.commands.qaction(key).shortcuts()]


def test_keys_are_changed_by_pressing_them(window: Window, qtbot: QtBot) -> None:
    of = page(window, qtbot)
    choose(of, "window.reset_layout")
    qtbot.keyClick(of.table, Qt.Key.Key_Return)
    qtbot.keyClick(of.field, Qt.Key.Key_J, CTRL | SHIFT)
    assert keys_of(window, "window.reset_layout") == ["Ctrl+Shift+J"]
    assert window.session.settings[SHORTCUTS] == {"window.reset_layout": ("Ctrl+Shift+J",)}
    qtbot.keyClick(of.table, Qt.Key.Key_F5)
    assert keys_of(window, "window.reset_layout") == []
    assert window.session.settings[SHORTCUTS] == {}


def test_a_conflict_is_told_and_solved(window: Window, qtbot: QtBot) -> None:
    of = page(window, qtbot)
    choose(of, "window.new")
    qtbot.keyClick(of.table, Qt.Key.Key_Return)
    qtbot.keyClick(of.field, Qt.Key.Key_O, CTRL)
    assert "“Open files”" in of.said.text()
    assert keys_of(window, "window.new") == ["Ctrl+Shift+N"]
    qtbot.mouseClick(of.keep, LEFT)
    assert keys_of(window, "file.open") == ["Ctrl+O"]
    qtbot.keyClick(of.table, Qt.Key.Key_Return)
    qtbot.keyClick(of.field, Qt.Key.Key_O, CTRL)
    qtbot.mouseClick(of.take, LEFT)
    assert keys_of(window, "window.new") == ["Ctrl+O"]
    assert keys_of(window, "file.open") == []
    qtbot.mouseClick(of.reset_all, LEFT)
    assert keys_of(window, "file.open") == ["Ctrl+O"]


@pytest.mark.parametrize(
    "key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return, Qt.Key.Key_Space]
)
def test_keys_that_the_window_is_walked_by_are_refused(
    window: Window, qtbot: QtBot, key: Qt.Key
) -> None:
    shortcuts = page(window, qtbot)
    choose(shortcuts, "file.open")
    shortcuts.begin()
    qtbot.keyClick(shortcuts.field, key)
    assert "is reserved for keyboard navigation" in shortcuts.said.text()
    assert keys_of(window, "file.open") == ["Ctrl+O"]
    # The field still waits for a key.
    qtbot.keyClick(shortcuts.field, Qt.Key.Key_F9)
    assert keys_of(window, "file.open") == ["F9"]


def test_escape_leaves_the_keys_and_delete_takes_them(window: Window, qtbot: QtBot) -> None:
    of = page(window, qtbot)
    choose(of, "window.new")
    qtbot.keyClick(of.table, Qt.Key.Key_Return)
    qtbot.keyClick(of.field, Qt.Key.Key_Escape)
    assert keys_of(window, "window.new") == ["Ctrl+Shift+N"]
    qtbot.keyClick(of.table, Qt.Key.Key_Delete)
    assert keys_of(window, "window.new") == []


def test_keys_of_the_panel_in_focus_go_before_those_of_the_window(
    window: Window, qtbot: QtBot
) -> None:
    open_tiny(window)
    back = window.commands.qaction("inspector.back")
    window.raise_panel("inspector")
    for word in ("cat", "dog"):
        window.session.selection.select([word])
    qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.session.selection.words == ("cat",)
    window.raise_panel("step")
    window.docks["step"].panel.controls.algorithm.setFocus()
    assert window.panel_of(QApplication.focusWidget()) == "step"
    assert back.shortcuts() == []
    window.top.search.setFocus()
    assert [keys.toString() for keys in back.shortcuts()] == ["Alt+Left"]


def test_settings_are_found_by_their_words(window: Window, qtbot: QtBot) -> None:
    dialog = window.open_preferences()
    assert isinstance(dialog, PreferencesDialog)
    qtbot.keyClicks(dialog.field, "tray motion")
    assert dialog.findChild(object, "preferences.none").isVisible()
    dialog.field.clear()
    qtbot.keyClicks(dialog.field, "motion")
    assert dialog.page.key == "appearance"
    rows = [row.widget for row in dialog.page.rows if not row.widget.isHidden()]
    assert len(rows) == 1
    dialog.field.clear()
    qtbot.keyClicks(dialog.field, "redo")
    assert dialog.page.key == "shortcuts"


# -- undo


def test_a_setting_is_undone_by_its_keys_and_made_again(window: Window, qtbot: QtBot) -> None:
    open_tiny(window)
    panel = window.docks["train"].panel
    box = panel.findChild(QSpinBox, "train.param.dim")
    before = box.value()
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.value() == before + 1
    assert window.session.undo.undo_text == "change of “dimension”"
    qtbot.keyClick(box, Qt.Key.Key_Z, CTRL)
    assert box.value() == before
    qtbot.keyClick(box, Qt.Key.Key_Z, CTRL | SHIFT)
    assert box.value() == before + 1


def test_an_algorithm_and_a_reset_are_undone(window: Window) -> None:
    panel = window.docks["train"].panel
    panel.choose("table")
    assert window.session.undo.undo_text == f"choice of {TableModel.title}"
    window.commands.run("edit.undo")
    assert panel.algorithm.currentData() == "step"
    panel.findChild(QSpinBox, "train.param.dim").setValue(9)
    window.commands.run("train.reset")
    assert panel.form.changes() == {}
    window.commands.run("edit.undo")
    assert panel.form.changes() == {"dim": 9}


def test_a_text_keeps_its_own_undo(window: Window, qtbot: QtBot) -> None:
    open_tiny(window)
    window.session.selection.select(["cat"])
    window.top.search.setFocus()
    qtbot.keyClicks(window.top.search, "do")
    qtbot.keyClick(window.top.search, Qt.Key.Key_Z, CTRL)
    assert window.session.selection.words == ("cat",)
    assert window.top.search.text() != "do"


def test_names_and_deletions_are_undone_and_named_in_the_menu(window: Window, qtbot: QtBot) -> None:
    run = record(window, "first")
    window.session.runs.rename(run, "second")
    window.commands.refresh("edit.undo")
    assert window.commands.qaction("edit.undo").text() == "Undo rename of run “first”"
    qtbot.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert run.name == "first"
    window.session.active.show(run)
    window.commands.run("run.delete")
    assert window.session.runs.records == []
    qtbot.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert window.session.runs.records == [run]


def test_sets_of_words_are_undone(window: Window) -> None:
    sets = window.docks["map"].panel.sets
    sets.save_set("animals", ("cat", "dog"))
    sets.delete_set(sets.sets[0])
    assert sets.sets == []
    window.commands.run("edit.undo")
    assert [word_set.name for word_set in sets.sets] == ["animals"]
    window.commands.run("edit.undo")
    assert sets.sets == []


# -- settings of the form


def test_a_hyperparameter_is_found_by_name_symbol_and_meaning(window: Window, qtbot: QtBot) -> None:
    panel = window.docks["train"].panel
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_F, CTRL | SHIFT)
    qtbot.waitUntil(panel.finder.isVisible)
    for query, name in (("dimen", "dim"), ("updates", "steps")):
        panel.finder.setText(query)
        names = [row.spec.name for row in panel.form.fields.values() if row.shown]
        assert name in names
        assert len(names) < len(panel.form.fields)
        assert panel.findChild(object, f"train.param.{name}").isVisible()
    qtbot.keyClick(panel.finder, Qt.Key.Key_Escape)
    assert not panel.finder.isVisible()
    assert all(row.shown for row in panel.form.fields.values())


# -- layouts and windows


def test_layouts_are_kept_by_name(window: Window, qtbot: QtBot) -> None:
    window.docks["relations"].close()
    window.commands.run("window.save_layout")
    dialog = window.findChild(object, "name")
    qtbot.keyClicks(dialog.field, "Mine")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    window.layouts.reset()
    assert not window.docks["relations"].isHidden()
    window.layouts.show_workspace("theory")
    entries = {entry.text: entry for entry in window.commands.entries("window.layout")}
    window.commands.choose("window.layout", entries["Mine"])
    assert window.layouts.workspace == "explore"
    assert window.docks["relations"].isHidden()
    assert window.docks["theory"].isHidden()
    with pytest.raises(UserError, match="no name"):
        window.layouts.save(" ")
    window.layouts.delete("Mine")
    assert list(window.layouts.names) == []
    window.commands.run("edit.undo")
    assert list(window.layouts.names) == ["Mine"]


def test_a_layout_that_is_replaced_comes_back_by_undo(window: Window, qtbot: QtBot) -> None:
    messages: list[str] = []
    offers: list[str] = []
    window.session.message.connect(lambda text, hint, bad: messages.append(text))
    window.context.bridge.offered.connect(lambda text, *_: offers.append(text))
    window.docks["relations"].close()
    window.layouts.save("Mine")
    assert messages == ["Layout “Mine” saved."]
    assert offers == []
    window.layouts.show_workspace("theory")
    window.layouts.save("Mine")
    assert offers == ["Layout “Mine” replaced."]
    window.commands.run("edit.undo")
    window.layouts.choose("Mine")
    assert window.layouts.workspace == "explore"
    assert window.docks["relations"].isHidden()
    window.commands.run("edit.redo")
    window.layouts.choose("Mine")
    assert window.layouts.workspace == "theory"
    assert not window.docks["theory"].isHidden()


def test_a_name_without_end_makes_no_menu_as_wide_as_the_screen(window: Window) -> None:
    name = "L" * 300
    window.layouts.save(name)
    declaration = window.commands.declaration("window.layout")
    assert isinstance(declaration, Choices)
    menu = QMenu(window)
    choices: list[ChoiceEntry] = []
    put_entries(menu, declaration, window.commands.entries("window.layout"), choices.append)
    (entry,) = [action for action in menu.actions() if action.text().startswith("LLL")]
    assert len(entry.text()) < 80
    assert name in entry.toolTip().replace("\n", "")
    entry.trigger()
    assert [each.text for each in choices] == [name]


def test_a_second_window_has_its_own_panels_on_the_same_session(
    window: Window, qtbot: QtBot
) -> None:
    window.commands.run("window.view")
    qtbot.waitUntil(lambda: len(window.context.desk.windows) == 2)
    second = window.context.desk.windows[1]
    assert second.session is window.session
    assert second.docks["train"].panel is not window.docks["train"].panel
    second.docks["relations"].close()
    assert not window.docks["relations"].isHidden()
    open_tiny(window)
    assert second.top.corpus.text().strip() == "tiny"
    assert window.windowTitle() == "tiny (1) — Embedding Workbench"
    assert second.windowTitle() == "tiny (2) — Embedding Workbench"
    second.raise_panel("corpus")
    first_panel = window.docks["train"].panel
    window.close()
    assert not window.session.closed
    assert first_panel.release is not None
    window.session.selection.select(["cat"])
    assert second.windowTitle() == "tiny — Embedding Workbench"
    second.close()
    assert window.session.closed


def slots_of_the_gone() -> list[str]:
    """Methods of objects that Qt has deleted, but that signals in Python would still call."""
    return [
        f"{type(owner).__name__}.{slot.__name__}"
        for signal in gc.get_objects()
        if isinstance(signal, Signal)
        for slot in signal._slots
        if isinstance(owner := getattr(slot, "__self__", None), QObject) and not isValid(owner)
    ]


@pytest.mark.parametrize("first", [False, True], ids=["the second", "the first"])
def test_nothing_stays_of_a_window_that_is_closed_beside_another(
    window: Window, first: bool
) -> None:
    other = window.open_view()
    for one in (window, other):
        for key, dock in one.docks.items():
            one.raise_panel(key)
            assert dock.panel is not None
    open_tiny(window)
    closed_window, open_window = (window, other) if first else (other, window)
    reference, widgets = weakref.ref(closed_window), len(QApplication.allWidgets())
    # Objects of earlier tests are collected first.
    gc.collect()
    before = Counter(slots_of_the_gone())
    others = sum(one.window() not in (window, other) for one in QApplication.allWidgets())
    closed_window.close()
    closed_window = other if first else window
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert reference() is None or not isValid(reference())
    assert len(QApplication.allWidgets()) - others < 0.6 * (widgets - others)
    gc.collect()
    assert Counter(slots_of_the_gone()) - before == Counter()
    open_window.session.settings[THEME] = "dark"
    for size in (125, 100):
        open_window.session.settings[TEXT_SIZE] = size
        QCoreApplication.processEvents()
    record(open_window, "After")
    open_window.session.selection.select(["cat"])
    open_window.session.corpora.changed.emit()
    assert open_window.top.corpus.text().strip() == "tiny"


# -- dropped files


def mime_data(paths: list[Path]) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def test_a_hint_says_what_dropping_will_do(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    text = tmp_path / "dropped.txt"
    text.write_text("the cat saw the dog and the bird\n" * 40)
    data, at = mime_data([text]), QPoint(300, 300)
    none = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(at, Qt.DropAction.CopyAction, data, LEFT, none)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    hint = window.findChild(object, "window.drop")
    assert hint.isVisible()
    assert hint.accessibleName().startswith("Open the text dropped.txt.")
    dropping = QDropEvent(at.toPointF(), Qt.DropAction.CopyAction, data, LEFT, none)
    QApplication.sendEvent(window, dropping)
    assert not hint.isVisible()
    qtbot.waitUntil(lambda: window.session.corpora.current is not None, timeout=180_000)


def test_the_hint_tells_vectors_folders_and_sessions_apart(tmp_path: Path) -> None:
    vectors, folder = tmp_path / "a.vec", tmp_path / "texts"
    vectors.write_text("2 3\ncat 1 2 3\ndog 4 5 6\n")
    folder.mkdir()
    text = tmp_path / "b.txt"
    text.write_text("words and words\n")
    assert drop_action([str(vectors)])[0] == "Open the vectors a.vec"
    assert drop_action([str(folder)])[0] == "Open all text in texts"
    assert "become runs" in drop_action([str(vectors), str(text)])[1]
    assert drop_action([str(tmp_path / "none.txt")]) == (
        "",
        f"Couldn’t find {tmp_path / 'none.txt'}.",
    )


# -- notices


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("wanted", [True, False])
def test_long_work_is_told_while_nobody_looks(
    window: Window, gate: Gate, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    monkeypatch.setattr(Window, "isActiveWindow", lambda self: False)
    clock = Clock()
    notices = Notices([window], PANELS, window.session, clock)
    window.session.settings.put({"notices": wanted})
    open_tiny(window)
    gate.opened.clear()
    run = window.session.training.start(TrainingSpec("step", StepModel.params_type(min_count=1)))
    # The notices must have noted the start of the training: otherwise it would count as short.
    qtbot.waitUntil(
        lambda: (
            run.state is State.TRAINING
            and any(one.record is run for one in notices._began.values())
        )
    )
    clock.now = 60.0
    gate.opened.set()
    qtbot.waitUntil(lambda: run.state.over and not window.session.jobs.active)
    if wanted:
        qtbot.waitUntil(lambda: bool(window.toasts.shown))
    toasts = window.toasts.shown
    assert [toast.accessibleName().partition(".")[0] for toast in toasts] == (
        [f"{run.name} has finished training"] if wanted else []
    )
    if wanted:
        window.raise_panel("corpus")
        qtbot.mouseClick(toasts[0].findChild(QPushButton, "toast.show"), LEFT)
        qtbot.waitUntil(lambda: not window.docks["map"].visibleRegion().isEmpty())
        assert window.toasts.shown == []
    notices.release()


def test_a_long_quiet_job_is_told_and_leads_to_its_panel(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Window, "isActiveWindow", lambda self: False)
    clock, session = Clock(), window.session
    notices = Notices([window], PANELS, session, clock)
    for title, key, quiet, seconds in (
        ("Sorting words", "map.index", True, 19.0),
        ("UMAP of 500 words", "map.umap", False, 60.0),
        ("Computing the map", "map", True, 21.0),
    ):
        go_on = threading.Event()
        job = session.jobs.start(
            title, lambda run, go_on=go_on: go_on.wait(60), key=key, quiet=quiet
        )
        clock.now += seconds
        go_on.set()
        qtbot.waitUntil(lambda job=job: job not in session.jobs.active)
    toasts = {toast.accessibleName().partition(".")[0]: toast for toast in window.toasts.shown}
    assert set(toasts) == {"UMAP of 500 words: done", "Computing the map: done"}
    window.raise_panel("corpus")
    qtbot.mouseClick(toasts["Computing the map: done"].findChild(QPushButton, "toast.show"), LEFT)
    qtbot.waitUntil(lambda: not window.docks["map"].visibleRegion().isEmpty())
    notices.release()


def test_the_opening_at_the_start_is_not_told(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Window, "isActiveWindow", lambda self: False)
    clock, session = Clock(), window.session
    notices = Notices([window], PANELS, session, clock)
    session.corpora.restore()
    clock.now = 60.0
    qtbot.waitUntil(lambda: session.corpora.current is not None and not session.jobs.active)
    assert window.toasts.shown == []
    session.corpora.open_sample("small-world")
    clock.now = 120.0
    qtbot.waitUntil(lambda: session.corpora.opening is None and not session.jobs.active)
    titles = [toast.accessibleName().partition(".")[0] for toast in window.toasts.shown]
    assert titles == ["Opening the bundled corpus: done"]
    notices.release()


def test_short_work_is_not_told(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Window, "isActiveWindow", lambda self: False)
    open_tiny(window)
    run = window.session.training.start(TrainingSpec("step", StepModel.params_type(min_count=1)))
    qtbot.waitUntil(lambda: run.state.over)
    assert window.toasts.shown == []


def test_a_conflict_with_further_keys_of_an_action_is_told(window: Window) -> None:
    shortcuts = window.context.desk.shortcuts
    shortcuts.put("file.open", ["Ctrl+O", "Ctrl+Alt+O"])
    assert shortcuts.conflict("window.new", "Ctrl+O") == "file.open"
    assert shortcuts.conflict("window.new", "Ctrl+Alt+O") == "file.open"
    assert shortcuts.conflict("window.new", "Ctrl+Alt+P") == ""


def test_tabs_are_walked_forwards_and_back_by_their_keys(window: Window, qtbot: QtBot) -> None:
    order = [dock.kind.key for dock in window.layouts.area("centre")]
    window.raise_panel(order[1])
    qtbot.waitUntil(lambda: window.front == order[1])
    qtbot.keyClick(window, Qt.Key.Key_PageDown, CTRL)
    qtbot.waitUntil(lambda: window.front == order[2])
    for expected in (order[1], order[0]):
        qtbot.keyClick(window, Qt.Key.Key_PageUp, CTRL)
        qtbot.waitUntil(lambda expected=expected: window.front == expected)


def test_actions_are_about_the_panel_whose_tab_was_clicked(window: Window, qtbot: QtBot) -> None:
    window.layouts.show_workspace("explore")
    window.show_panel("neighbours")
    window.docks["neighbours"].panel.setFocus()
    qtbot.waitUntil(lambda: window.front == "neighbours")
    title = window.docks["time"].windowTitle()
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    bar, at = next(
        (bar, at) for bar in bars for at in range(bar.count()) if bar.tabText(at) == title
    )
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())
    qtbot.waitUntil(lambda: window.front == "time")


def test_a_refusal_goes_with_the_workspace(window: Window) -> None:
    window.layouts.show_workspace("explore")
    window.commands.run("run.cancel")
    message = window.activity.message
    assert message.isVisible()
    assert "available right now" in message.text
    window.layouts.show_workspace("theory")
    assert not message.isVisible()
