"""Values updated on visible pages of the preferences, the folders that they open, and dialogs with
larger text.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from ui.letters import as_equal_as_can_be
from ui.toy import look_at, toy_model

from workbench.core.paths import cache_folder, log_folder, store_folder
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.scaling import set_opening_size
from workbench.ui.dialogs.about import AboutDialog
from workbench.ui.dialogs.log import LogDialog
from workbench.ui.dialogs.share import ShareDialog
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.shell.window import Window

LEFT = Qt.MouseButton.LeftButton


def child(of: QWidget, name: str, kind: type[Any] = QLabel) -> Any:
    found = of.findChild(kind, name)
    assert found is not None, name
    return found


@pytest.fixture
def opened_folders(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Folders that the system was asked to open."""
    folders: list[Path] = []

    def open_url(url: QUrl) -> bool:
        folders.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return folders


def files_page(window: Window, qtbot: QtBot) -> PreferencesDialog:
    dialog = cast(PreferencesDialog, window.open_preferences("files"))
    qtbot.waitExposed(dialog)
    return dialog


def test_memory_is_told_anew_while_it_is_seen(window: Window, qtbot: QtBot) -> None:
    dialog = cast(PreferencesDialog, window.open_preferences("memory"))
    qtbot.waitExposed(dialog)
    label = child(dialog, "preferences.memory.vectors")
    assert label.text().endswith("in 0 runs")
    look_at(window.session, toy_model(), "SGNS 1")
    qtbot.waitUntil(lambda: label.text().endswith("in 1 run"))
    # A hidden page counts nothing.
    dialog.show_page("files")
    look_at(window.session, toy_model(), "SGNS 2")
    assert not dialog.pages["memory"].isVisible()
    assert not dialog.pages["memory"]._again.isActive()


def test_a_folder_in_which_nothing_was_kept_yet_is_opened(
    window: Window, qtbot: QtBot, opened_folders: list[Path]
) -> None:
    dialog = files_page(window, qtbot)
    shutil.rmtree(store_folder())
    qtbot.mouseClick(child(dialog, "preferences.files.runs", QPushButton), LEFT)
    assert opened_folders == [store_folder()]
    assert store_folder().is_dir()


def test_a_folder_that_cannot_be_made_is_told_of_on_the_page(
    window: Window, qtbot: QtBot, opened_folders: list[Path]
) -> None:
    dialog = files_page(window, qtbot)
    place = store_folder()
    shutil.rmtree(place)
    place.write_text("a file in its place")
    problem = child(dialog, "preferences.files.problem")
    assert problem.isHidden()
    qtbot.mouseClick(child(dialog, "preferences.files.runs", QPushButton), LEFT)
    assert problem.isVisible()
    assert problem.text().startswith(f"Couldn’t write {place}: ")
    assert opened_folders == []
    qtbot.mouseClick(child(dialog, "preferences.files.cache", QPushButton), LEFT)
    assert opened_folders == [cache_folder()]
    assert problem.isHidden()


@pytest.mark.parametrize("which", ["preferences", "log"])
def test_that_no_program_opens_folders_is_told_where_the_button_is(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    button: QPushButton
    if which == "log":
        dialog: QWidget = LogDialog(window)
        dialog.show()
        button, problem = child(dialog, "log.folder", QPushButton), child(dialog, "log.problem")
    else:
        dialog = files_page(window, qtbot)
        button, problem = (
            child(dialog, "preferences.files.log", QPushButton),
            child(dialog, "preferences.files.problem"),
        )
    assert problem.isHidden()
    qtbot.mouseClick(button, LEFT)
    assert problem.isVisible()
    assert problem.text() == f"Couldn’t open {log_folder()}. Open the folder in your file manager."
    dialog.close()


def test_the_sizes_of_folders_are_found_and_hidden_with_their_title(
    window: Window, qtbot: QtBot
) -> None:
    dialog = files_page(window, qtbot)
    sizes = child(dialog, "preferences.files.sizes")
    qtbot.waitUntil(lambda: "·" in sizes.text())
    assert sizes.isVisible()
    qtbot.keyClicks(dialog.field, "vectors of finished")
    assert dialog.page.key == "files"
    assert not sizes.isVisible()
    dialog.field.clear()
    qtbot.keyClicks(dialog.field, "disk space")
    assert sizes.isVisible()


def share(window: Window) -> QDialog:
    return ShareDialog(window.session, look_at(window.session, toy_model(), "SGNS 1"), window)


def about(window: Window) -> QDialog:
    return AboutDialog(window.context.theme, window)


@pytest.mark.parametrize("make", [share, LogDialog, about, PreferencesDialog])
def test_a_dialog_is_as_large_as_its_text(
    window: Window, context: PanelContext, qtbot: QtBot, make: Callable[[Window], QDialog]
) -> None:
    usual = make(window)
    size = usual.size()
    usual.close()
    window.context.theme.choose_text_size(125)
    try:
        dialog = make(window)
        dialog.show()
        # The offscreen platform has a screen of 800 × 800 pixels.
        room = dialog.screen().availableSize() - QSize(16, 48)
        assert dialog.size() == (size * 1.25).boundedTo(room).expandedTo(dialog.minimumSizeHint())
        assert dialog.height() > size.height()
        window.context.theme.choose_text_size(100)
        assert dialog.height() < (size * 1.25).height()
        dialog.close()
    finally:
        window.context.theme.choose_text_size(100)


@pytest.mark.parametrize("make", [share, LogDialog, about])
def test_texts_of_equal_width_are_as_large_as_others(
    window: Window, qtbot: QtBot, make: Callable[[Window], QDialog]
) -> None:
    dialog = make(window)
    dialog.show()
    boxes = dialog.findChildren(QPlainTextEdit)
    before = [box.fontMetrics().height() for box in boxes]
    assert before
    assert all(as_equal_as_can_be(box.font()) for box in boxes)
    window.context.theme.choose_text_size(200)
    try:
        for box, height in zip(boxes, before, strict=True):
            assert box.fontMetrics().height() == pytest.approx(2 * height, abs=3)
        assert all(as_equal_as_can_be(box.font()) for box in boxes)
    finally:
        window.context.theme.choose_text_size(100)
        dialog.close()


def test_the_search_is_as_wide_as_the_pages_below_it(window: Window, qtbot: QtBot) -> None:
    dialog = files_page(window, qtbot)
    window.context.theme.choose_text_size(150)
    try:
        qtbot.waitUntil(lambda: dialog.field.width() == dialog.list.width())
    finally:
        window.context.theme.choose_text_size(100)


def test_a_window_is_not_opened_larger_than_its_screen(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    room = dialog.screen().availableSize()
    set_opening_size(dialog, 5000, 200)
    assert room.width() - 100 < dialog.width() < room.width()
    assert dialog.height() == 200


def test_a_name_without_end_makes_no_dialog_wider(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = share(window)
    assert isinstance(dialog, ShareDialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.kinds.count() > 0)
    width = dialog.width()
    folder = str(tmp_path / ("x" * 300))
    dialog.folder.setText(folder)
    qtbot.mouseClick(dialog.save, LEFT)
    qtbot.waitUntil(lambda: "File name too long" in dialog.note.text())
    assert f"Couldn’t create {folder}" in dialog.note.text()
    assert (dialog.width(), dialog.save.isVisible()) == (width, True)
    dialog.close()


def test_a_folder_named_alone_lies_where_one_is_at_home(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, home = tmp_path / "elsewhere", tmp_path / "person"
    elsewhere.mkdir()
    home.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(Path, "home", lambda: home)
    dialog = share(window)
    assert isinstance(dialog, ShareDialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.kinds.count() > 0)
    dialog.folder.setText("results")
    qtbot.mouseClick(dialog.save, LEFT)
    # The dialog closes as soon as everything is written.
    qtbot.waitUntil(lambda: window.session.settings.all().get("share.folder") == str(home))
    assert any((home / "results").iterdir())
    assert list(elsewhere.iterdir()) == []


def test_another_language_offers_a_restart_that_saves_the_session_first(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKBENCH_LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    closed: list[str] = []
    started: list[tuple[str, ...]] = []
    close = window.session.close
    monkeypatch.setattr(window.session, "close", lambda: (closed.append("session"), close()))
    monkeypatch.setattr(
        type(window.context.desk),
        "start_program",
        lambda _, *words: started.append((*closed, *words)),
    )
    dialog = cast(PreferencesDialog, window.open_preferences("appearance"))
    qtbot.waitExposed(dialog)
    restart = child(dialog, "preferences.restart", QPushButton)
    box = child(dialog, "preferences.language", QComboBox)
    assert not restart.isVisible()
    for language, offered in (("de", True), ("", False), ("en", False), ("de", True)):
        box.setCurrentIndex(box.findData(language))
        box.activated.emit(box.currentIndex())
        assert restart.isVisible() == offered, language
    qtbot.mouseClick(restart, LEFT)
    qtbot.waitUntil(lambda: bool(started))
    assert started == [("session",)]
    assert not window.context.desk.windows
