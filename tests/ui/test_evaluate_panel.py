"""Question files answered section by section."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.analogy import AnalogyReport, Section, evaluate
from workbench.core.run import Run
from workbench.ui.panel import Context
from workbench.ui.panels.evaluate import EvaluatePanel, _percent, _rows

LEFT = Qt.MouseButton.LeftButton
QUESTIONS = """: family
man king woman queen
boy prince girl princess
king man queen zebra
: gram1-fruit
apple pear wool wood
"""


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(QUESTIONS, encoding="utf-8")
    return path


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[EvaluatePanel]:
    made = EvaluatePanel(context)
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    yield made
    made.release()


def click(qtbot: QtBot, widget: QPushButton | None) -> None:
    assert widget is not None
    qtbot.mouseClick(widget, LEFT)


def notice(panel: EvaluatePanel) -> str:
    found = panel.findChild(QLabel, "evaluate.here.notice")
    assert found is not None
    return found.text() if found.isVisible() else ""


def cells(panel: EvaluatePanel) -> list[list[str]]:
    model = panel.table.model()
    return [[model.index(row, column).data() for column in range(5)] for row in range(model.rowCount())]


def test_without_a_model_and_without_a_file_it_says_what_to_do(panel: EvaluatePanel) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    assert panel.state == "body"
    assert notice(panel) == "Open a file of analogy questions"
    assert not panel.start.isEnabled()


def test_a_file_is_chosen_by_the_dialog_and_remembered(
    panel: EvaluatePanel, context: Context, questions: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at(panel.session, toy_model())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(questions), ""))
    click(qtbot, panel.findChild(QPushButton, "evaluate.here.notice.action"))
    assert panel.questions.currentText() == "mine.txt"
    assert panel.start.isEnabled()
    assert "toy" in notice(panel)
    again = EvaluatePanel(context)
    qtbot.addWidget(again)
    assert again.questions.currentData() == str(questions)
    again.release()


def test_accuracy_is_told_section_by_section(panel: EvaluatePanel, questions: Path, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    panel.open_file(questions)
    click(qtbot, panel.start)
    until(qtbot, lambda: panel.table.model().rowCount() == 5)
    rows = cells(panel)
    assert [row[0] for row in rows] == ["All questions", "Semantic", "Syntactic", "family", "gram1-fruit"]
    assert rows[1] == ["Semantic", "100.0 %", "2", "2", "3"]
    assert rows[3] == ["family", "100.0 %", "2", "2", "3"]
    assert rows[0][3:] == ["3", "4"]
    assert panel.table.isVisible()
    fact = panel.findChild(QLabel, "evaluate.fact")
    assert fact is not None
    assert "75 % of 4 questions known" in fact.accessibleName()


def test_another_choice_forgets_the_answers(panel: EvaluatePanel, questions: Path, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    panel.open_file(questions)
    click(qtbot, panel.start)
    until(qtbot, lambda: panel.table.model().rowCount() == 5)
    panel.method.setFocus()
    qtbot.keyClick(panel.method, Qt.Key.Key_Down)
    assert panel.table.model().rowCount() == 0
    click(qtbot, panel.start)
    until(qtbot, lambda: panel.table.model().rowCount() == 5)
    look_at(panel.session, toy_model(), "another")
    assert panel.table.model().rowCount() == 0
    assert "another" in notice(panel)


def test_the_sample_offers_its_own_file_first(panel: EvaluatePanel, questions: Path) -> None:
    look_at(panel.session, toy_model())
    panel.open_file(questions)
    open_corpus(panel.session, toy_corpus(sample="small-world"))
    assert [panel.questions.itemText(row) for row in range(2)] == ["tiny’s questions", "mine.txt"]
    assert panel.questions.currentText() == "mine.txt"
    assert Path(panel.questions.itemData(0)).is_file()


def test_a_file_without_questions_is_an_error_in_the_panel(panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("this is no question at all, is it", encoding="utf-8")
    panel.open_file(wrong)
    click(qtbot, panel.start)
    until(qtbot, lambda: panel._instead.kind == "error")
    assert panel.start.text() == "Answer all"


@pytest.mark.parametrize("remembered", [None, "text", [3, "/nowhere/at/all.txt", None]])
def test_damaged_settings_do_no_harm(context: Context, remembered: object, qtbot: QtBot) -> None:
    context.session.settings.set("question_files", remembered)
    made = EvaluatePanel(context)
    qtbot.addWidget(made)
    assert made.questions.currentData() == ""
    made.release()


def test_answering_is_cancelled_and_hears_nothing_more(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(embeddings: object, asked: object, method: str, restrict: int, run: Run) -> AnalogyReport:
        run.advance(0.5)
        go.wait(30)
        return evaluate(embeddings, asked, method, restrict)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.ui.panels.evaluate.evaluate", slow)
    look_at(panel.session, toy_model())
    panel.open_file(questions)
    click(qtbot, panel.start)
    assert panel.start.text() == "Cancel"
    assert notice(panel) == "Answering the questions …"
    click(qtbot, panel.start)
    assert panel.start.text() == "Answer all"
    go.set()
    until(qtbot, lambda: not panel.session.jobs.active)
    assert panel.table.model().rowCount() == 0


def test_a_model_deleted_while_it_answers(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(embeddings: object, asked: object, method: str, restrict: int, run: Run) -> AnalogyReport:
        go.wait(30)
        return evaluate(embeddings, asked, method, restrict)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.ui.panels.evaluate.evaluate", slow)
    record = look_at(panel.session, toy_model())
    panel.open_file(questions)
    click(qtbot, panel.start)
    panel.session.delete(record)
    assert panel.state == "empty"
    go.set()
    until(qtbot, lambda: not panel.session.jobs.active)
    assert panel.table.model().rowCount() == 0


def test_a_hundred_per_cent_means_every_one(toy_report: AnalogyReport) -> None:
    shown = {row.name: _percent(row) for row in _rows(toy_report)}
    assert shown["nearly"] == "99.9 %"
    assert shown["hardly"] == "0.1 %"
    assert shown["all"] == "100.0 %"
    assert shown["none"] == "0.0 %"
    assert shown["unasked"] == "–"


@pytest.fixture
def toy_report() -> AnalogyReport:
    sections = {
        "nearly": Section(9999, 10_000, 10_000),
        "hardly": Section(1, 10_000, 10_000),
        "all": Section(5, 5, 5),
        "none": Section(0, 5, 5),
        "unasked": Section(0, 0, 5),
    }
    values = dict.fromkeys(AnalogyReport.__dataclass_fields__, 0.5)
    return AnalogyReport(**{**values, "sections": sections})  # type: ignore[arg-type]
