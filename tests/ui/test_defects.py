"""After an unexpected exception, everything is saved, one dialog appears, and the window works."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepModel, StepParams, small_corpus

from workbench.core import crashes, logs
from workbench.core.errors import UserError
from workbench.core.paths import log_folder
from workbench.models.base import MODELS
from workbench.session.runs.store import Store
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.defect import DefectDialog
from workbench.ui.shell.defects import Defects, defects_told, offer_crash_report
from workbench.ui.shell.messages.message_bar import MessageBar


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    new_window = QWidget()
    qtbot.addWidget(new_window)
    new_window.resize(600, 300)
    new_window.show()
    return new_window


@pytest.fixture
def defects(window: QWidget, context: PanelContext) -> Iterator[Defects]:
    new_defects = Defects(lambda: window, context.session, context.theme, window.close)
    with logs.logging_to_files(), defects_told(new_defects, window.close):
        yield new_defects


def dialogs() -> list[DefectDialog]:
    return [
        one
        for one in QApplication.topLevelWidgets()
        if isinstance(one, DefectDialog) and one.isVisible()
    ]


def text(dialog: QWidget, name: str) -> str:
    label = dialog.findChild(QLabel, f"defect.{name}")
    assert label is not None
    return label.text()


def press(qtbot: QtBot, dialog: QWidget, name: str) -> None:
    button = dialog.findChild(QPushButton, f"defect.{name}")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def fail(word: str = "secret") -> None:
    raise KeyError(word)


def raise_in_slot(times: int = 1) -> None:
    """Call the exception hook as PySide does for an exception in a slot."""
    for _ in range(times):
        try:
            fail()
        except KeyError:
            kind, error, trace = sys.exc_info()
            assert kind is not None
            sys.excepthook(kind, error, trace)


def test_it_is_told_once_however_often_it_happens(defects: Defects, qtbot: QtBot) -> None:
    raise_in_slot(3)
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    (dialog,) = dialogs()
    assert not dialog.isModal()
    assert "Everything is saved." in text(dialog, "said")
    qtbot.waitUntil(lambda: text(dialog, "often") == "This happened 3 times.")
    press(qtbot, dialog, "go_on")
    qtbot.waitUntil(lambda: dialogs() == [])
    # A known exception is counted, but no longer reported.
    raise_in_slot(2)
    QApplication.processEvents()
    assert dialogs() == []
    assert [defect.times for defect in defects.tally.defects] == [5]
    assert [entry.level for entry in logs.read_entries()].count("ERROR") == 1


def test_a_slot_and_a_thread_are_heard(defects: Defects, qtbot: QtBot) -> None:
    thread = threading.Thread(target=fail, args=("in a thread",))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    (dialog,) = dialogs()
    QTimer.singleShot(0, fail)
    qtbot.waitUntil(lambda: len(defects.tally.defects) == 1 and defects.tally.defects[0].times == 2)
    dialog.close()


def test_unsaved_runs_are_saved_before_anything_is_said(
    defects: Defects, context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("There is no room.")

    gate = Gate()
    gate.opened.set()
    StepModel.gate = gate
    monkeypatch.setattr(MODELS, "_classes", {"step": StepModel})
    monkeypatch.setattr("workbench.session.kernel_compiler.is_compiled", lambda name: True)
    context.session.corpora.current = small_corpus()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", full)
        record = context.session.training.start(TrainingSpec("step", StepParams(min_count=1)))
        qtbot.waitUntil(lambda: record.state.over)
    raise_in_slot()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    assert record.stored
    assert Store().holds(record.identifier)
    dialogs()[0].close()


def test_the_report_is_shown_copied_and_saved_and_holds_nothing_private(
    defects: Defects, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raise_in_slot()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    (dialog,) = dialogs()
    box = dialog.findChild(QPlainTextEdit, "defect.report")
    assert box is not None
    assert not box.isVisible()
    press(qtbot, dialog, "details")
    assert box.isVisible()
    assert "KeyError: “…”" in box.toPlainText()
    assert str(Path.home()) + "/" not in box.toPlainText()
    press(qtbot, dialog, "copy")
    assert "KeyError" in QGuiApplication.clipboard().text()
    place = tmp_path / "report.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(place), ""))
    press(qtbot, dialog, "save")
    assert "KeyError" in place.read_text("utf-8")
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "none" / "x.txt"), "")
    )
    press(qtbot, dialog, "save")
    assert "Couldn’t write" in text(dialog, "said")
    dialog.close()


def test_quit_closes_the_window(defects: Defects, window: QWidget, qtbot: QtBot) -> None:
    raise_in_slot()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    press(qtbot, dialogs()[0], "quit")
    assert not window.isVisible()


def test_what_the_user_can_mend_is_a_message_and_no_defect(
    defects: Defects, context: PanelContext, qtbot: QtBot
) -> None:
    messages: list[tuple[str, str, bool]] = []
    context.session.message.connect(lambda *message: messages.append(message))
    error = UserError("There is no such word.", "Choose another word.")
    sys.excepthook(UserError, error, None)
    qtbot.waitUntil(lambda: bool(messages))
    assert messages == [("There is no such word.", "Choose another word.", True)]
    assert dialogs() == []


def test_what_the_system_refuses_is_a_message_and_no_defect(
    defects: Defects, context: PanelContext, qtbot: QtBot
) -> None:
    messages: list[str] = []
    context.session.message.connect(lambda message, hint, wrong: messages.append(message))
    QTimer.singleShot(0, lambda: Path("n" * 300).stat())
    qtbot.waitUntil(lambda: bool(messages))
    assert "File name too long" in messages[0]
    assert dialogs() == []


def test_the_start_after_a_crash_says_so_and_shows_what_is_known(
    window: QWidget, context: PanelContext, qtbot: QtBot
) -> None:
    bar = MessageBar(context.theme)
    qtbot.addWidget(bar)
    offer_crash_report(window, context.session, context.theme, bar.show_message)
    assert bar.text == ""
    (log_folder() / "crash-999999.txt").write_text(
        "Fatal Python error: Segmentation fault\n\nThread 0x1:\n"
    )
    offer_crash_report(window, context.session, context.theme, bar.show_message)
    assert bar.text == (
        "Embedding Workbench quit unexpectedly last time (Segmentation fault). Finished "
        "runs are safe."
    )
    button = bar.findChild(QPushButton, "activity.message.action")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    (dialog,) = dialogs()
    press(qtbot, dialog, "details")
    box = dialog.findChild(QPlainTextEdit, "defect.report")
    assert box is not None
    assert "Thread 0x1" in box.toPlainText()
    assert dialog.findChild(QPushButton, "defect.quit") is None
    dialog.close()
    assert crashes.new_reports() == []


def test_the_sign_stands_beside_the_first_line(defects: Defects, qtbot: QtBot) -> None:
    raise_in_slot()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    (dialog,) = dialogs()
    sign, heading = (dialog.findChild(QLabel, f"defect.{name}") for name in ("sign", "title"))
    assert sign is not None
    assert heading is not None
    middle = sign.mapTo(dialog, sign.rect().center()).y()
    line = heading.mapTo(dialog, heading.rect().topLeft()).y() + heading.fontMetrics().height() / 2
    assert abs(middle - line) <= 2
    press(qtbot, dialog, "go_on")


@pytest.mark.parametrize("size", [100, 200])
def test_it_stays_on_the_screen_whatever_it_says(
    defects: Defects,
    context: PanelContext,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: int,
) -> None:
    context.theme.choose_text_size(size)
    raise_in_slot()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    (dialog,) = dialogs()
    press(qtbot, dialog, "details")
    name = str(tmp_path / ("n" * 300))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (name, ""))
    press(qtbot, dialog, "save")
    assert name in text(dialog, "said")
    room = dialog.screen().availableSize()
    assert dialog.width() <= room.width()
    # The frame drawn by a window manager needs some room, too.
    assert dialog.height() < room.height()
    button = dialog.findChild(QPushButton, "defect.go_on")
    assert button is not None
    assert dialog.rect().contains(button.geometry())
    press(qtbot, dialog, "go_on")
