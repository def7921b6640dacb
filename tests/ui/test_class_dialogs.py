"""Handing in a lesson, and looking at what a class handed in, with clicks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.session.classes.hand_in import Answer, HandIn, Measurement, write_hand_in
from workbench.session.classes.hand_in import lesson_digest as digest_of
from workbench.session.lessons import lesson_named
from workbench.session.lessons.report import StepResults
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.lessons.class_dialog import ClassDialog
from workbench.ui.panels.lessons.hand_in_dialog import HandInDialog
from workbench.ui.panels.lessons.panel import LessonsPanel

LEFT = Qt.MouseButton.LeftButton
LESSON = lesson_named("one-hot")
STEPS = [at for at, step in enumerate(LESSON.steps) if step.question is not None]
FIRST = STEPS[0]
RIGHT = LESSON.steps[FIRST].question.right
WRONG = 1 - min(RIGHT, 1)


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[LessonsPanel]:
    new_panel = LessonsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(360, 700)
    new_panel.show()
    yield new_panel
    new_panel.release()


def save_as(dialog: HandInDialog | ClassDialog, path: Path, suggested: str) -> None:
    (chooser,) = dialog.findChildren(QFileDialog)
    (field,) = chooser.findChildren(QLineEdit)
    assert field.text() == suggested
    field.setText(str(path))
    chooser.accept()


def test_handing_in_by_clicks(panel: LessonsPanel, qtbot: QtBot, tmp_path: Path) -> None:
    messages: list[tuple[str, str, bool]] = []
    panel.session.message.connect(lambda *message: messages.append(message))
    panel.open_file(LESSON.path)
    panel._all_reports[LESSON.path, digest_of(LESSON)] = {FIRST: StepResults(FIRST, (), WRONG)}
    button = panel.findChild(QPushButton, "lessons.hand_in")
    assert button is not None
    qtbot.mouseClick(button, LEFT)
    (dialog,) = panel.findChildren(HandInDialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    assert not dialog.isModal()
    assert list(dialog.after) == STEPS
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("As one-hot vectors: which w" in text for text in labels)
    qtbot.keyClicks(dialog.name, "Ada")
    box = dialog.after[FIRST]
    assert box.currentText() == "No answer"
    # The prediction is shown beside the question, and isn't an answer.
    assert dialog.content().answers == (Answer(FIRST, WRONG, None),)
    box.setFocus()
    for _ in range(RIGHT + 1):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClicks(dialog.texts["exit"], "One.")
    # Tab leaves the field instead of being written.
    qtbot.keyClick(dialog.texts["exit"], Qt.Key.Key_Tab)
    qtbot.mouseClick(dialog.save, LEFT)
    save_as(dialog, tmp_path / "mine", "one-hot Ada.json")
    until(qtbot, lambda: bool(messages))
    assert messages == [("Saved mine.json.", str(tmp_path), False)]
    assert not dialog.isVisible()
    document = json.loads((tmp_path / "mine.json").read_text("utf-8"))
    assert document["name"] == "Ada"
    assert document["predictions"] == [{"step": FIRST + 1, "before": WRONG + 1, "after": RIGHT + 1}]
    assert document["answers"] == [{"question": "exit", "text": "One."}]


def test_what_was_written_is_there_again(panel: LessonsPanel, qtbot: QtBot, tmp_path: Path) -> None:
    """After Escape, and after a file that couldn’t be written."""
    messages: list[tuple[str, str, bool]] = []
    panel.session.message.connect(lambda *message: messages.append(message))
    panel.open_file(LESSON.path)
    panel.ask_hand_in()
    dialog = panel.findChildren(HandInDialog)[-1]
    qtbot.keyClicks(dialog.name, "Ada")
    qtbot.keyClicks(dialog.texts["open"], "A long answer.")
    dialog.after[FIRST].setCurrentIndex(RIGHT + 1)
    written = dialog.content()
    assert written.texts == {"open": "A long answer."}
    qtbot.keyClick(dialog.texts["open"], Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    panel.leave()
    panel.open_file(LESSON.path)
    panel.ask_hand_in()
    again = panel.findChildren(HandInDialog)[-1]
    assert again.content() == written
    again.save_to(tmp_path / "missing" / "ada.json")
    until(qtbot, lambda: bool(messages))
    assert messages[0][2]
    panel.ask_hand_in()
    last = panel.findChildren(HandInDialog)[-1]
    assert last.content() == written
    last.close()


def test_a_lesson_whose_file_was_changed_is_another(panel: LessonsPanel, tmp_path: Path) -> None:
    """Predictions, values and answers of the earlier steps aren’t handed in."""
    text = (
        "# Own\nlevel: beginner\nminutes: 1\norder: 1\nabout: Own.\n\n## One\n\nText.\n\n"
        "```predict\nWhich?\n- one\n- two\n+ three\n```\n\n```reveal\nThree.\n```\n"
    )
    path = tmp_path / "own.md"
    path.write_text(text, "utf-8")
    panel.open_file(path)
    assert panel.lesson is not None
    panel.course.predict(panel.lesson, 0, 2)
    panel._show_measurements(0, ({}, {}, {0: ()}), ())
    panel.ask_hand_in()
    (dialog,) = panel.findChildren(HandInDialog)
    dialog.after[0].setCurrentIndex(2)
    assert dialog.content().answers == (Answer(0, 2, 1),)
    dialog.close()
    path.write_text(text.replace("- one\n", ""), "utf-8")
    panel.open_file(path)
    panel.ask_hand_in()
    dialog = panel.findChildren(HandInDialog)[-1]
    assert dialog.content().answers == ()
    dialog.close()


def test_values_measured_before_the_end_of_a_lesson_are_handed_in(panel: LessonsPanel) -> None:
    """And with the prediction from before the result was known."""
    panel.open_file(LESSON.path)
    panel.course.predict(LESSON, FIRST, WRONG)
    panel._show_measurements(FIRST, ({}, {}, {FIRST: ()}), ())
    panel.go(len(LESSON.steps))
    panel.open_file(LESSON.path)
    panel.course.predict(LESSON, FIRST, RIGHT)
    assert panel.step_results()[FIRST] == StepResults(FIRST, (), WRONG)
    panel.again()
    assert panel.step_results()[FIRST] == StepResults(FIRST)


def handed(name: str, before: int, value: float = 0.5, seed: int = 1) -> HandIn:
    return HandIn(
        LESSON.key,
        LESSON.title,
        digest_of(LESSON),
        name,
        "1.0",
        seed,
        (Answer(FIRST, before, RIGHT),),
        (Measurement(FIRST, "cosine(a, b)", value, f"{value:.2f}", True),),
        {"open": f"<b>{name}</b> thinks so."},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three students, one of whom hands in twice; a copy, a spoiled and a foreign file."""
    found = tmp_path / "class 7b"
    found.mkdir()
    for name, content in {
        "ada.json": handed("Ada", WRONG),
        "ada-2.json": handed("Ada", RIGHT),
        "bob.json": handed("Bob", WRONG),
        "copy of bob.json": handed("Bob", WRONG),
        "eve.json": handed("Eve", RIGHT, 0.9, 8),
    }.items():
        write_hand_in(content, found / name)
    (found / "spoiled.json").write_text("{", "utf-8")
    (found / "photo.jpg").write_bytes(b"\xff\xd8")
    return found


@pytest.fixture
def dialog(
    panel: LessonsPanel, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> ClassDialog:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    panel.ask_class()
    (found,) = panel.findChildren(ClassDialog)
    found.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(found)
    until(qtbot, lambda: found.results is not None)
    return found


def show_view(dialog: ClassDialog, view: str) -> list[list[str]]:
    """Choose a view, and return the texts of its columns."""
    box = dialog.view
    box.setCurrentIndex(box.findData(view))
    columns = dialog.table.table.columns
    return [[str(text) for text in (one.texts or one.values)] for one in columns]


def test_a_class_by_clicks(dialog: ClassDialog, qtbot: QtBot, tmp_path: Path) -> None:
    assert not dialog.isModal()
    assert dialog.lesson.currentText() == f"{LESSON.title}: 4 files"
    assert dialog.note.text() == "4 files to check."
    answers, before, after = show_view(dialog, "questions")
    assert answers[RIGHT].startswith("✓ ")
    assert (before[WRONG], before[RIGHT], after[RIGHT]) == ("2", "2", "4")
    who, step, _, shown, usual, why = show_view(dialog, "measurements")
    assert (who, step, shown, usual) == (["Eve"], [str(FIRST + 1)], ["0.90"], ["0.50"])
    assert why == ["another seed (8)"]
    assert not dialog.detail.toPlainText()
    # Texts of students stay text.
    who, answers = show_view(dialog, "texts")
    at = who.index("Bob")
    assert answers[at] == "<b>Bob</b> thinks so."
    view = dialog.table
    row = next(
        row for row in range(view.model().rowCount()) if view.model().index(row, 0).data() == "Bob"
    )
    place = view.visualRect(view.model().index(row, 1)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    assert "Answer: <b>Bob</b> thinks so." in dialog.detail.toPlainText()
    files, counts, reasons = show_view(dialog, "files")
    assert dict(zip(files, zip(counts, reasons, strict=True), strict=True)) == {
        "copy of bob.json": ("no", "the same as bob.json"),
        "photo.jpg": ("no", "not a file that was handed in"),
        "spoiled.json": ("no", "damaged: it isn’t complete JSON"),
        "ada.json": ("yes", "has the name of ada-2.json, too"),
    }
    qtbot.mouseClick(dialog.save, LEFT)
    save_as(dialog, tmp_path / "grades.csv", "class.csv")
    until(qtbot, (tmp_path / "grades.csv").exists)
    assert (tmp_path / "grades.csv").read_text("utf-8").count("\n") == 5
    qtbot.mouseClick(dialog.close_button, LEFT)
    assert not dialog.isVisible()


def test_a_folder_without_a_file_that_counts_says_why(
    panel: LessonsPanel, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.json").write_text("{", "utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    panel.ask_class()
    (dialog,) = panel.findChildren(ClassDialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    until(qtbot, lambda: "ada.json (damaged: " in dialog.note.text())
    assert not dialog.save.isEnabled()
