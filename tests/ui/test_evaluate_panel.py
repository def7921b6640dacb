"""Question files, word pairs, the odd one out and the leaderboard, with clicks and keys."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import ngram_toy
import numpy as np
import pytest
from ngram_toy import ngram_model
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.analogy.solver import AnalogyReport, Section, evaluate
from workbench.analysis.evaluation.leaderboard import Score
from workbench.analysis.evaluation.paired_test import AnswerTest, compare_answers
from workbench.analysis.evaluation.similarity import WordPairs, load_pairs
from workbench.analysis.evaluation.similarity import evaluate as evaluate_pairs
from workbench.core.job_control import JobControl
from workbench.session.session import Session
from workbench.session.settings.session_settings import PAIR_COLUMNS
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.evaluate import paired_test_bar, results
from workbench.ui.panels.evaluate.analogy_results import accuracy_text, section_rows
from workbench.ui.panels.evaluate.panel import EvaluatePanel
from workbench.ui.panels.evaluate.results import (
    PUBLISHED,
    PairCosines,
    RunResult,
    Task,
)
from workbench.ui.panels.evaluate.score_texts import correlation_text
from workbench.ui.widgets.inputs.run_choice import chosen_runs
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton
QUESTIONS = """: family
man king woman queen
boy prince girl princess
king man queen zebra
: gram1-fruit
apple pear wool wood
man boy woman king
"""
PAIRS = "word1,word2,score\nking,queen,8\napple,pear,9.5\nman,wool,1\nboy,girl,7\nking,zebra,3\n"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(QUESTIONS, encoding="utf-8")
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[EvaluatePanel]:
    new_panel = EvaluatePanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(800, 500)
    new_panel.show()
    yield new_panel
    new_panel.release()


def click(qtbot: QtBot, widget: QWidget | None) -> None:
    assert widget is not None
    qtbot.mouseClick(widget, LEFT)


def notice(panel: EvaluatePanel, local: str = "analogies") -> str:
    found = panel.findChild(QLabel, f"evaluate.{local}.notice")
    assert found is not None
    return found.text() if found.isVisible() else ""


def instrument(panel: EvaluatePanel, qtbot: QtBot, local: str) -> None:
    click(qtbot, panel.findChild(QPushButton, f"evaluate.show.{local}"))
    assert panel.instruments.current.local == local


def answer(panel: EvaluatePanel, questions: Path, qtbot: QtBot) -> None:
    panel.open_file(questions)
    click(qtbot, panel.analogies.start)
    until(qtbot, lambda: panel.analogies.table.model().rowCount() == 5)


def test_without_a_model_and_without_a_file_it_says_what_to_do(panel: EvaluatePanel) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    assert panel.state == "body"
    assert notice(panel) == "Open a file of analogy questions"
    assert not panel.analogies.start.isEnabled()


def test_a_file_is_chosen_by_the_dialog_and_remembered(
    panel: EvaluatePanel,
    context: PanelContext,
    questions: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look_at(panel.session, toy_model())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(questions), ""))
    click(qtbot, panel.findChild(QPushButton, "evaluate.analogies.notice.action"))
    assert panel.analogies.questions.currentText() == "mine.txt"
    assert panel.analogies.start.isEnabled()
    assert "toy" in notice(panel)
    again = EvaluatePanel(context)
    qtbot.addWidget(again)
    assert again.analogies.questions.currentData() == str(questions)
    again.release()


def test_accuracy_is_told_section_by_section(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    answer(panel, questions, qtbot)
    rows = panel.analogies.table.texts()
    assert [row[0] for row in rows] == [
        "All questions",
        "Semantic",
        "Syntactic",
        "family",
        "gram1-fruit",
    ]
    assert rows[1] == ["Semantic", "100.0%", "2", "2", "3"]
    assert rows[3] == ["family", "100.0%", "2", "2", "3"]
    assert rows[0][3:] == ["4", "5"]
    assert panel.analogies.table.isVisible()
    assert "80% of 5 questions known" in panel.analogies.fact.whole


def test_several_runs_stand_side_by_side_and_are_ticked_by_keys(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model(), "one")
    look_at(panel.session, toy_model(), "two & more")
    panel.open_file(questions)
    runs = panel.analogies.runs
    assert runs.text() == "This corpus: 2 runs"
    runs.choose([panel.session.runs[1]])
    assert runs.text() == "two && more"
    menu = runs.menu()
    menu.popup(runs.mapToGlobal(QPoint(0, 20)))
    first = next(action for action in menu.actions() if action.text() == "one")
    assert not first.isChecked()
    menu.setActiveAction(first)
    qtbot.keyClick(menu, Qt.Key.Key_Space)
    assert menu.isVisible()
    assert [record.name for record in runs.records] == ["one", "two & more"]
    menu.close()
    assert runs.text() == "2 runs"
    click(qtbot, panel.analogies.start)
    until(qtbot, lambda: panel.analogies.table.model().rowCount() == 6)
    assert [column.name for column in panel.analogies.table.table.columns] == [
        "Section",
        "one",
        "two & more",
        "In the file",
    ]
    rows = panel.analogies.table.texts()
    assert rows[0] == ["Questions known", "80.0%", "80.0%", "5"]


def test_many_runs_have_room_for_their_sections(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    """A table of nine runs shows full section names, no bars, and the best of each row in bold."""
    panel.resize(1256, 500)
    random = np.random.default_rng(1)
    good = toy_model()
    for window in (2, 5, 10):
        for seed in (1, 2, 3):
            vectors = random.normal(size=good.vectors.shape).astype(np.float32)
            other = Embeddings(list(good.words), vectors, good.counts)
            look_at(panel.session, other, f"SGNS window {window}, seed {seed}")
    look_at(panel.session, good, "SGNS window 20, seed 1")
    text = QUESTIONS.replace("family", "capital-common-countries")
    questions.write_text(text.replace("gram1-fruit", "capital-world"), encoding="utf-8")
    panel.open_file(questions)
    click(qtbot, panel.analogies.start)
    until(qtbot, lambda: panel.analogies.table.model().rowCount() == 5)
    table = panel.analogies.table
    columns = table.table.columns
    assert [column.name for column in columns][1:3] == ["window 2, seed 1", "window 2, seed 2"]
    assert not any(column.bar for column in columns)
    least_width = table.fontMetrics().horizontalAdvance("capital-common-countries")
    assert table.columnWidth(0) > least_width
    width = sum(table.columnWidth(at) for at in range(len(columns)))
    assert width <= table.viewport().width()
    best = columns[-2]
    assert best.key == panel.session.runs[-1].identifier
    assert best.is_strong(1)
    assert not columns[1].is_strong(1)


def test_bars_of_eight_runs_share_the_width(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    panel.resize(1420, 500)
    for seed in range(8):
        look_at(panel.session, toy_model(), f"SGNS seed {seed}")
    panel.open_file(questions)
    click(qtbot, panel.analogies.start)
    until(qtbot, lambda: panel.analogies.table.model().rowCount() > 0)
    table = panel.analogies.table
    bars = [at for at, column in enumerate(table.table.columns) if column.bar]
    assert len(bars) == 8
    # Each has room for a number and a bar, and nothing is left.
    assert len({table.columnWidth(at) for at in bars}) == 1
    assert table.columnWidth(bars[0]) > 120
    widths = [table.columnWidth(at) for at in range(len(table.table.columns))]
    assert 0 <= table.viewport().width() - sum(widths) < len(bars)
    panel.resize(700, 500)
    until(qtbot, lambda: table.viewport().width() <= 700)
    whole = table.fontMetrics().horizontalAdvance("100.0%")
    assert all(table.columnWidth(at) > whole for at in bars)


def test_every_wrong_answer_is_listed_with_the_rank_of_the_right_one(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    answer(panel, questions, qtbot)
    panel.analogies.view.setCurrentIndex(2)
    wrong = panel.analogies.wrong
    assert wrong.isVisible()
    report = panel.analogies.answers
    assert report is not None
    expected = int((report.runs[0].report.rank > 1).sum())
    assert wrong.model().rowCount() == expected >= 1
    last = wrong.texts()[-1]
    assert last[:3] == ["man : boy :: woman : ?", "king", "girl"]
    assert int(last[3]) > 1
    analogies: list[tuple[str, ...]] = []
    panel.session.requests.analogy.connect(lambda *words: analogies.append(words))
    wrong.pick(expected - 1)
    qtbot.keyClick(wrong, Qt.Key.Key_Return)
    assert analogies == [("boy", "man", "woman")]
    where = wrong.visualRect(wrong.model().index(expected - 1, 0)).center()
    qtbot.mouseClick(wrong.viewport(), LEFT, pos=where)
    assert panel.session.selection.words == ("man", "boy", "woman", "king", "girl")
    panel.analogies.section.setCurrentIndex(1)
    assert {row[4] for row in wrong.texts()} <= {"family"}


def test_a_folder_of_pairs_is_opened_from_the_menu(
    panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at(panel.session, toy_model())
    folder = tmp_path / "pairs"
    folder.mkdir()
    (folder / "E01 [couples].txt").write_text("man\tking/boy\nwoman\tempress/queen/girl\n")
    (folder / "I01 [fruit].txt").write_text("apple\tpear\nwool\twood\nmade by hand\n")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    menu = panel.findChild(QMenu, "evaluate.analogies.open.menu")
    assert menu is not None
    menu.popup(panel.mapToGlobal(QPoint(0, 20)))
    menu.setActiveAction(menu.actions()[1])
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert panel.analogies.questions.currentText() == "pairs"
    click(qtbot, panel.analogies.start)
    until(qtbot, lambda: panel.analogies.table.model().rowCount() == 5)
    rows = panel.analogies.table.texts()
    assert [row[0] for row in rows[1:]] == [
        "Semantic",
        "Syntactic",
        "E01 [couples]",
        "I01 [fruit]",
    ]
    assert [row[4] for row in rows] == ["4", "2", "2", "2", "2"]
    assert "1 line left out" in panel.analogies.fact.whole
    # “empress” is unknown, but it has alternatives, as an answer and as b.
    assert rows[3][3] == "2"
    panel.analogies.view.setCurrentIndex(2)
    right = {row[0]: row[1] for row in panel.analogies.wrong.texts()}
    assert right.get("man : king :: woman : ?", "empress/queen/girl") == "empress/queen/girl"
    (folder / "I01 [fruit].txt").write_text("apple\tpear\n")
    panel.analogies.refresh()
    assert panel.analogies.answers is None


def test_the_column_of_the_scores_is_named(
    panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "word1\tword2\tPOS\tScore\tSD\nking\tqueen\tN\t8\t1\napple\tpear\tN\t9\t0\n"
        "man\twool\tN\t1\t2\n"
    )
    instrument(panel, qtbot, "similarity")
    similarity = panel.similarity
    similarity.set.open_file(path)
    until(qtbot, lambda: similarity.pairs is not None and similarity.pairs.name == "pairs.tsv")
    assert "3 known pairs" in similarity.about.text()
    assert "Scores from the column “Score”." in similarity.about.text()
    asked: list[tuple[str, ...]] = []
    panel.session.requests.influence.connect(lambda words: asked.append(tuple(words)))
    similarity.list.pick(1)
    similarity.influence.click()
    assert asked == [("apple", "pear")]
    path.write_text("king\tqueen\t8\t1\napple\tpear\t9\t0\nman\twool\t1\t2\n")
    similarity.set.open_file(path)
    until(qtbot, lambda: similarity.state == "error")
    assert "several columns of numbers: “3”, “4”" in notice(panel, "similarity")


def test_the_column_of_the_scores_is_chosen_with_keys_and_remembered(
    panel: EvaluatePanel, context: PanelContext, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    path = tmp_path / "pairs.tsv"
    path.write_text("king\tqueen\t8\t1\napple\tpear\t9\t3\nman\twool\t1\t2\n")
    instrument(panel, qtbot, "similarity")
    similarity = panel.similarity

    def has_scores(scores: tuple[float, ...]) -> bool:
        return similarity.pairs is not None and similarity.pairs.scores == scores

    assert not similarity.column.isVisible()
    similarity.set.open_file(path)
    until(qtbot, lambda: similarity.state == "error")
    texts = [label.text() for label in similarity.notice.findChildren(QLabel)]
    assert "Choose the column of the scores above." in texts
    assert similarity.column.currentText() == ""
    assert [similarity.column.itemText(at) for at in (0, 1)] == ["3", "4"]
    for key, scores in ((Qt.Key.Key_Down, (8, 9, 1)), (Qt.Key.Key_End, (1, 3, 2))):
        qtbot.keyClick(similarity.column, key)
        until(qtbot, partial(has_scores, scores))
        assert similarity.state == "body"
    assert similarity.column.currentText() == "4"
    rho = similarity.scored[0].report.rho
    expected = evaluate_pairs(toy_model(), load_pairs(path, "4")).rho
    assert rho == expected != evaluate_pairs(toy_model(), load_pairs(path, "3")).rho
    # The other pages score the same column.
    sets = panel.leaderboard.sets.sets.values()
    assert [found.column for found in sets if found.path == path] == ["4"]
    again = EvaluatePanel(context)
    qtbot.addWidget(again)
    again.show()
    instrument(again, qtbot, "similarity")
    again.similarity.set.open_file(path)
    until(qtbot, lambda: again.similarity.pairs is not None)
    assert again.similarity.column.currentText() == "4"
    again.release()
    # The detected column isn’t remembered, and there is no choice among one.
    for text in ("a\tb\tscore\tsd\n" + path.read_text(), PAIRS):
        path.write_text(text)
        similarity.set.open_file(path)
        until(qtbot, lambda: similarity.column.currentText() not in ("4", "score"))
        until(qtbot, lambda: similarity.state == "body")
        if text != PAIRS:
            assert similarity.column.currentText() == "sd"
            qtbot.keyClick(similarity.column, Qt.Key.Key_Home)
            until(qtbot, partial(has_scores, (8, 9, 1)))
            assert panel.session.settings[PAIR_COLUMNS] == {}
    assert not similarity.column.isVisible()


def test_distances_are_negated_and_it_is_said(
    panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\tdistance\nking\tqueen\t2\napple\tpear\t1\nman\twool\t9\n")
    instrument(panel, qtbot, "similarity")
    similarity = panel.similarity
    similarity.set.open_file(path)
    until(qtbot, lambda: similarity.pairs is not None and similarity.pairs.name == "pairs.tsv")
    assert "column “distance”, negated: words with a larger" in similarity.about.text()
    assert similarity.list.texts()[0][1] == "−2"
    assert not similarity.column.isVisible()


def test_unseen_words_are_scored_by_their_n_grams(
    panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, ngram_model())
    a, b, c, d, *_ = ngram_toy.WORDS
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{a}\t{b}\t8\n{a}\t{c}\t9\n{b}\t{d}\t1\n{a}\t{b}ish\t5\n")
    instrument(panel, qtbot, "similarity")
    similarity = panel.similarity
    similarity.set.open_file(path)
    until(qtbot, lambda: similarity.pairs is not None and similarity.pairs.name == "pairs.tsv")
    assert "3 known pairs, 1 unknown" in similarity.about.text()
    found = evaluate_pairs(ngram_model(), load_pairs(path), composing=True)
    rho = correlation_text(found.rho)
    said = f"With vectors from n-grams for unseen words: ρ {rho} (4 pairs)."
    assert said in similarity.about.text()


def test_accuracy_by_frequency_is_drawn_and_saved(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    look_at(panel.session, toy_model())
    answer(panel, questions, qtbot)
    panel.analogies.view.setCurrentIndex(1)
    chart = panel.analogies.chart
    assert chart.chart is not None
    assert sum(len(one.x) for one in chart.chart.series) >= 2
    assert chart.export is not None
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        path = tmp_path / f"figure{suffix}"
        chart.export.save(path)
        assert path.stat().st_size > 100
    rows = list(csv.reader(io.StringIO((tmp_path / "figure.csv").read_text("utf-8"))))
    assert len(rows) == 1 + sum(len(one.x) for one in chart.chart.series)


def test_another_choice_forgets_the_answers(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    answer(panel, questions, qtbot)
    analogies = panel.analogies
    analogies.method.setFocus()
    qtbot.keyClick(analogies.method, Qt.Key.Key_Down)
    assert analogies.table.model().rowCount() == 0
    click(qtbot, analogies.start)
    until(qtbot, lambda: analogies.table.model().rowCount() == 5)
    # A new run of the same text keeps the answers, and is reported as not asked yet.
    look_at(panel.session, toy_model(), "another")
    assert analogies.table.model().rowCount() == 5
    assert analogies.fact.whole == "1 run · 80% of 5 questions known · 1 run not asked yet"


def test_the_sample_offers_its_own_files_first(panel: EvaluatePanel, questions: Path) -> None:
    look_at(panel.session, toy_model())
    panel.open_file(questions)
    open_corpus(panel.session, toy_corpus(sample="small-world"))
    files = panel.analogies.questions
    assert [files.itemText(row) for row in range(2)] == ["tiny’s questions", "mine.txt"]
    assert files.currentText() == "mine.txt"
    assert Path(files.itemData(0)).is_file()
    assert panel.similarity.set.currentText() == "Small World’s pairs"


def test_a_file_without_questions_is_an_error_in_the_panel(
    panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("this is no question at all, is it", encoding="utf-8")
    panel.open_file(wrong)
    click(qtbot, panel.analogies.start)
    until(qtbot, lambda: panel.analogies.state == "error")
    assert panel.analogies.start.text() == "Answer all questions"


@pytest.mark.parametrize("stored_value", [None, "text", [3, "/nowhere/at/all.txt", None]])
def test_damaged_settings_do_no_harm(
    context: PanelContext, stored_value: object, qtbot: QtBot
) -> None:
    for name in ("question_files", "similarity_files", "leaderboard.left_out"):
        context.session.settings.put({name: stored_value})
    context.session.settings.put({"evaluate.shown": 7})
    new_panel = EvaluatePanel(context)
    qtbot.addWidget(new_panel)
    assert new_panel.analogies.questions.currentData() == ""
    assert new_panel.leaderboard.sets.text() == "2 sets"
    new_panel.release()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Event that answering waits for."""
    go = threading.Event()

    def slow(
        embeddings: object, questions: object, method: str, restrict: int, run: JobControl
    ) -> AnalogyReport:
        run.advance(0.5)
        go.wait(30)
        return evaluate(embeddings, questions, method, restrict)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.analysis.analogy.solver.evaluate", slow)
    yield go
    go.set()


def test_answering_is_cancelled_and_hears_nothing_more(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, gate: threading.Event
) -> None:
    look_at(panel.session, toy_model())
    panel.open_file(questions)
    click(qtbot, panel.analogies.start)
    assert panel.analogies.start.text() == "Cancel"
    assert notice(panel) == "Answering the questions…"
    assert not panel.idle
    click(qtbot, panel.analogies.start)
    assert panel.analogies.start.text() == "Answer all questions"
    gate.set()
    until(qtbot, lambda: not panel.session.jobs.active)
    assert panel.analogies.table.model().rowCount() == 0


def test_a_training_that_ends_meanwhile_does_not_throw_the_answers_away(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, gate: threading.Event
) -> None:
    look_at(panel.session, toy_model(), "first")
    panel.open_file(questions)
    click(qtbot, panel.analogies.start)
    look_at(panel.session, toy_model(), "second")
    gate.set()
    until(qtbot, lambda: panel.analogies.table.model().rowCount() == 5)
    assert [run.name for run in panel.analogies.answers.runs] == ["first"]


def test_a_model_deleted_while_it_answers(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, gate: threading.Event
) -> None:
    record = look_at(panel.session, toy_model())
    panel.open_file(questions)
    click(qtbot, panel.analogies.start)
    panel.session.runs.delete(record)
    assert panel.state == "empty"
    gate.set()
    until(qtbot, lambda: not panel.session.jobs.active)
    assert panel.analogies.table.model().rowCount() == 0


def test_pairs_are_scored_drawn_and_picked_from_both_sides(
    panel: EvaluatePanel, pairs: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    instrument(panel, qtbot, "similarity")
    view = panel.similarity
    view.set.open_file(pairs)
    until(qtbot, lambda: view.list.model().rowCount() == 4)
    name, rho, interval, pearson, coverage = view.scores.texts()[0]
    assert (name, coverage) == ("toy", "4 of 5")
    assert rho.startswith((".", "1."))
    # Too few pairs for an interval.
    assert interval == "–"
    assert pearson.startswith(".")
    assert "No interval: at least 10 pairs are needed, with" in view.about.text()
    qtbot.mouseMove(view.chart.viewport(), view.chart.place_of("1").toPoint())
    until(qtbot, lambda: view.chart.tooltip_text.startswith("apple · pear"))
    qtbot.mouseClick(view.chart.viewport(), LEFT, pos=view.chart.place_of("1").toPoint())
    assert panel.session.selection.words == ("apple", "pear")
    assert view.list.current_row == 1
    view.list.setFocus()
    qtbot.keyClick(view.list, Qt.Key.Key_Up)
    assert panel.session.selection.words == ("king", "queen")
    assert view.chart.current == "0"
    view.chart.setFocus()
    qtbot.keyClick(view.chart, Qt.Key.Key_Right)
    assert len(panel.session.selection.words) == 2


def test_a_set_that_is_none_says_so_and_another_mends_it(
    panel: EvaluatePanel, pairs: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    instrument(panel, qtbot, "similarity")
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("a,b,1\na,b\n", encoding="utf-8")
    panel.similarity.set.open_file(wrong)
    until(qtbot, lambda: panel.similarity.state == "error")
    assert "line 2" in notice(panel, "similarity")
    panel.similarity.set.open_file(pairs)
    until(qtbot, lambda: panel.similarity.state == "body")


def test_a_set_mended_meanwhile_is_opened_again(
    panel: EvaluatePanel, tmp_path: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    instrument(panel, qtbot, "similarity")
    mine = tmp_path / "mine.csv"
    mine.write_text("a,b,1\na,b\n", encoding="utf-8")
    panel.similarity.set.open_file(mine)
    until(qtbot, lambda: panel.similarity.state == "error")
    for text in (PAIRS, PAIRS + "apple,wool,2\n"):
        mine.write_text(text, encoding="utf-8")
        panel.similarity.set.open_file(mine)
        until(qtbot, lambda: panel.similarity.state == "body")
        assert panel.similarity.pairs is not None
        assert len(panel.similarity.pairs) == len(text.splitlines()) - 1


def test_no_answer_comes_to_words_that_were_taken_away(panel: EvaluatePanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    instrument(panel, qtbot, "odd")
    panel.odd.words.setText("apple king pear")
    qtbot.keyClick(panel.odd.words, Qt.Key.Key_Return)
    assert panel.session.jobs.busy(panel.odd.key)
    panel.odd.words.clear()
    qtbot.keyClick(panel.odd.words, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.session.jobs.active)
    assert "Which word doesn’t belong" in notice(panel, "odd")


def test_the_odd_one_is_found_as_it_is_typed(
    panel: EvaluatePanel, qtbot: QtBot, tmp_path: Path
) -> None:
    look_at(panel.session, toy_model())
    instrument(panel, qtbot, "odd")
    odd = panel.odd
    assert "Which word doesn’t belong" in notice(panel, "odd")
    qtbot.keyClicks(odd.words, "apple king, pear")
    until(qtbot, lambda: odd.answer.text() == "king")
    assert odd.bars.words[-1] == "king"
    assert odd.bars.words[odd.bars.marked] == "king"
    qtbot.mouseClick(odd.bars, LEFT, pos=QPoint(60, 10))
    assert panel.session.selection.words == (odd.bars.words[0],)
    qtbot.keyClick(odd.bars, Qt.Key.Key_Down)
    assert panel.session.selection.words == (odd.bars.words[1],)
    assert odd.bars.export is not None
    odd.bars.export.save(tmp_path / "bars.svg")
    assert "king" in (tmp_path / "bars.svg").read_text("utf-8")
    qtbot.keyClicks(odd.words, " zebra")
    until(qtbot, lambda: "“zebra”" in odd.fact.text())
    assert odd.bars.words[-1] == "king"
    odd.words.clear()
    qtbot.keyClicks(odd.words, "zebra king pear")
    until(qtbot, lambda: odd.state == "error")
    assert "zebra" in notice(panel, "odd")


def test_sets_are_offered_from_the_corpus_questions(panel: EvaluatePanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    open_corpus(panel.session, toy_corpus(sample="small-world"))
    instrument(panel, qtbot, "odd")
    until(qtbot, lambda: panel.odd.section.currentText() == "family")
    first = panel.odd.words.text()
    assert len(first.split()) == 5
    click(qtbot, panel.odd.another)
    assert panel.odd.words.text() != first


def test_a_damaged_question_file_makes_no_sets_and_says_why(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    panel.analogies.open_file(questions)
    until(qtbot, lambda: not panel.session.jobs.active)
    questions.write_bytes(b"\0\1\2")
    instrument(panel, qtbot, "odd")
    odd = panel.odd
    until(qtbot, lambda: "binary data" in odd.section.toolTip())
    assert (odd.section.count(), odd.another.isEnabled()) == (0, False)
    odd.words.setText("king queen apple")
    qtbot.keyClick(odd.words, Qt.Key.Key_Return)
    until(qtbot, lambda: odd.state == "body")


def test_scores_follow_the_names_of_their_runs(
    panel: EvaluatePanel, pairs: Path, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    instrument(panel, qtbot, "similarity")
    view = panel.similarity
    view.set.open_file(pairs)
    until(qtbot, lambda: view.list.model().rowCount() == 4)
    panel.session.runs.rename(panel.session.runs[0], "best")
    until(qtbot, lambda: view.scores.texts()[0][0] == "best")
    assert view.chart.chart.y_label == "Cosine in best"


Board = Callable[[], list[list[str]]]


@pytest.fixture
def board(panel: EvaluatePanel, questions: Path, qtbot: QtBot) -> Board:
    """The leaderboard of two scored runs; calling the fixture returns its rows."""
    session: Session = panel.session
    look_at(session, toy_model(), "=cmd")
    look_at(session, toy_model(), "two_b")
    for record, dim in zip(session.runs, (5, 6), strict=True):
        record.parameters = {"window": 5, "dim": dim, "seed": 1}
        record.algorithm = "sgns"
    panel.analogies.open_file(questions)
    instrument(panel, qtbot, "leaderboard")
    click(qtbot, panel.leaderboard.start)
    until(qtbot, lambda: not session.jobs.active)
    return panel.leaderboard.table.texts


def test_the_leaderboard_ranks_runs_and_is_there_at_the_next_start(
    panel: EvaluatePanel, board: Board, context: PanelContext, qtbot: QtBot
) -> None:
    table = panel.leaderboard.table
    names = [column.name for column in table.table.columns]
    # Columns with equal values, even the corpus, are left out: they don't explain the ranks.
    sets = ("mine", "General English", "Small World’s pairs")
    assert names == [
        "Rank",
        "Run",
        *(n for one in sets for n in (one, f"{one} known")),
        "Algorithm",
        "Dimensions",
    ]
    assert board()[0][2].startswith("75.0% (")
    assert panel.leaderboard.fact.whole == "All scores computed"
    assert not panel.leaderboard.differences.isVisible()
    panel.session.runs[0].parameters["window"] = 2
    panel.leaderboard.refresh()
    assert panel.leaderboard.differences.whole == "These models differ in: window, dimensions."
    panel.session.runs[0].parameters["window"] = 5
    panel.leaderboard.refresh()
    again = EvaluatePanel(context)
    qtbot.addWidget(again)
    again.leaderboard.refresh()
    assert again.leaderboard.table.texts() == board()
    again.release()
    panel.resize(1300, 500)
    qtbot.waitUntil(lambda: not table.gone)
    header = table.horizontalHeader()
    at = header.sectionViewportPosition(names.index("Dimensions")) + 10
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(at, 10))
    assert [row[1] for row in board()] == ["two_b", "=cmd"]
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(at, 10))
    assert [row[1] for row in board()] == ["=cmd", "two_b"]
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(at, 10))
    assert [row[1] for row in board()] == ["two_b", "=cmd"]
    # Saved rows are in the order on screen.
    assert [line.split(",")[0] for line in panel.leaderboard.csv().splitlines()[1:]] == [
        "two_b",
        "'=cmd",
    ]
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(at, 10))
    table.pick(0)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert panel.session.active.run is not None
    assert panel.session.active.run.name == "=cmd"


def test_what_was_scored_when_it_is_cancelled_is_kept(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    publication = threading.Event()
    score = Score(0.4, 0.35, 0.45, 0.5, 9000)
    result = PairCosines(WordPairs("", (), ()), None)

    def endless(
        tasks: list[Task], run: JobControl, going_on: bool = False
    ) -> tuple[RunResult, ...]:
        record, _, missing = tasks[0]
        run.publish(PUBLISHED, (RunResult(record.identifier, missing[0][0], result, score),))
        publication.set()
        while True:
            run.check()

    monkeypatch.setattr("workbench.ui.panels.evaluate.leaderboard_view.ask_sets", endless)
    # Other tests of this process have cached scores on the usual questions.
    questions.write_text(QUESTIONS + "girl woman boy man\n", encoding="utf-8")
    record = look_at(panel.session, toy_model())
    panel.analogies.open_file(questions)
    instrument(panel, qtbot, "leaderboard")
    view = panel.leaderboard
    # The view doesn't check for results while the job runs.
    monkeypatch.setattr(view, "tick", lambda: None)
    click(qtbot, view.start)
    until(qtbot, publication.is_set)
    click(qtbot, view.start)
    assert not view.busy
    key = next(iter(view.sets.sets))
    assert view._results.scores.of(record.identifier)[key] == score
    assert any("40.0%" in cell for cell in view.table.texts()[0])


def test_a_set_that_cannot_be_scored_is_named_and_the_others_are_scored(
    panel: EvaluatePanel, questions: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    said: list[tuple[str, str]] = []
    panel.session.message.connect(lambda message, hint, _: said.append((message, hint)))
    # Other tests of this process have cached scores on the usual questions.
    questions.write_text(QUESTIONS + "girl boy woman man\n", encoding="utf-8")
    for name in ("one", "two"):
        look_at(panel.session, toy_model(), name)
    panel.analogies.open_file(questions)
    unclear = tmp_path / "unclear.tsv"
    unclear.write_text("king\tqueen\t8\t1\napple\tpear\t9\t3\nman\twool\t1\t2\n")
    instrument(panel, qtbot, "similarity")
    panel.similarity.set.open_file(unclear)
    until(qtbot, lambda: panel.similarity.state == "error")
    instrument(panel, qtbot, "leaderboard")
    board = panel.leaderboard
    paths = [one.path for one in board.sets.sets.values()]
    assert unclear in paths
    click(qtbot, board.start)
    until(qtbot, lambda: not panel.session.jobs.active)
    scores = panel.leaderboard._results.scores
    for record in panel.session.runs:
        missing = {
            one.path
            for key, one in board.sets.sets.items()
            if key not in scores.of(record.identifier)
        }
        assert missing == {unclear}
    assert board.fact.whole == "2 scores missing"
    ((message, hint),) = said
    assert message.startswith("Sets without scores: unclear")
    assert "several columns of numbers" in message
    assert hint


def darkest(table: DataTable, row: int, column: int) -> int:
    """Lightness of the darkest pixel in a cell, 0..255."""
    model = table.model()
    assert model is not None
    area = table.visualRect(model.index(row, column))
    picture = table.viewport().grab(area).toImage()
    return min(
        QColor(picture.pixel(x, y)).lightness()
        for x in range(picture.width())
        for y in range(picture.height())
    )


def test_a_score_on_hardly_any_questions_is_pale_last_and_says_why(
    panel: EvaluatePanel, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = panel.leaderboard
    key = next(iter(view.sets.sets))
    low, high = (entry.identifier for entry in view._entries)
    scores = {low: Score(0.4, 0.35, 0.45, 0.5, 9000), high: Score(1.0, 0.3, 1.0, 2 / 19_544, 2)}
    monkeypatch.setattr(view._results.scores, "of", lambda identifier: {key: scores[identifier]})
    view.refresh()
    at = [column.name for column in view.table.table.columns].index(view.sets.sets[key].title)
    for _ in range(2):
        view.table.sort_by(at)
        assert [row[at + 1] for row in board()] == ["50%", "<1%"]
        assert [row[0] for row in board()] == ["1", "–"]
    assert "1 grey score has no rank" in view.note.text()
    assert not view.table.table.columns[at].is_strong(1)
    tip = view.table.model().index(1, at).data(Qt.ItemDataRole.ToolTipRole)
    assert "2 known questions, <1% of the set" in tip
    assert "Not ranked" in tip
    assert darkest(view.table, 1, at) > darkest(view.table, 0, at) + 20


def test_the_leaderboard_leaves_as_csv_latex_and_markdown(
    panel: EvaluatePanel, board: Board, tmp_path: Path, qtbot: QtBot
) -> None:
    export = panel.leaderboard.export
    for suffix in (".csv", ".tex", ".md"):
        export.save(tmp_path / f"board{suffix}")
    rows = list(csv.reader(io.StringIO((tmp_path / "board.csv").read_text("utf-8"))))
    assert rows[1][0] == "'=cmd"
    assert float(rows[1][rows[0].index("mine")]) == 0.75
    assert "mine low" in rows[0]
    tex = (tmp_path / "board.tex").read_text("utf-8")
    assert "two\\_b & sgns" in tex
    assert "\\toprule" in tex
    assert "| two\\_b | sgns |" in (tmp_path / "board.md").read_text("utf-8")
    messages: list[tuple[object, ...]] = []
    panel.session.message.connect(lambda *message: messages.append(message))
    export.save(tmp_path / "missing" / "board.csv")
    assert messages[0][2] is True


def test_seeds_are_one_row(panel: EvaluatePanel, board: Board, qtbot: QtBot) -> None:
    for number, record in enumerate(panel.session.runs):
        record.parameters = {"window": 5, "seed": number}
        record.name = f"seeds, seed {number}"
    panel.leaderboard.seeds.setFocus()
    qtbot.keyClick(panel.leaderboard.seeds, Qt.Key.Key_Space)
    rows = board()
    assert [row[1] for row in rows] == ["seeds (2 seeds)"]
    assert rows[0][2] == "75.0 ± 0.0%"
    assert "not an interval" in panel.leaderboard.note.text()


def test_a_hundred_per_cent_means_every_one(toy_report: AnalogyReport) -> None:
    texts = {row.name: accuracy_text(row) for row in section_rows(toy_report)[0]}
    assert texts["nearly"] == "99.9%"
    assert texts["hardly"] == "0.1%"
    assert texts["all"] == "100.0%"
    assert texts["none"] == "0.0%"
    assert texts["unasked"] == "–"


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


def test_one_choice_of_runs_serves_all_pages(
    panel: EvaluatePanel, context: PanelContext, questions: Path, qtbot: QtBot
) -> None:
    """Runs ticked on one page are chosen on the others, and again after a restart."""
    for name in ("one", "two", "three"):
        look_at(panel.session, toy_model(), name)
    panel.open_file(questions)
    pages = (panel.analogies, panel.similarity, panel.leaderboard)
    assert [page.runs.text() for page in pages] == ["This corpus: 3 runs"] * 3
    runs = panel.analogies.runs
    menu = runs.menu()
    menu.popup(runs.mapToGlobal(QPoint(0, 20)))
    entries = {action.text(): action for action in menu.actions()}
    assert entries["This corpus"].isChecked()
    assert not entries["This grid"].isEnabled()
    menu.setActiveAction(entries["None"])
    qtbot.keyClick(menu, Qt.Key.Key_Space)
    assert [page.runs.records for page in pages] == [[]] * 3
    assert notice(panel) == "No run chosen"
    panel.leaderboard.refresh()
    assert panel.leaderboard.notice.kind == "empty"
    assert panel.leaderboard.fact.whole == ""
    assert not panel.leaderboard.start.isEnabled()
    menu.setActiveAction(entries["two"])
    qtbot.keyClick(menu, Qt.Key.Key_Space)
    menu.close()
    assert [page.runs.text() for page in pages] == ["two"] * 3
    again = EvaluatePanel(context)
    qtbot.addWidget(again)
    assert again.leaderboard.runs.text() == "two"
    again.release()


def test_the_runs_of_a_grid_are_chosen_at_once(panel: EvaluatePanel) -> None:
    for name, group in (("alone", ""), ("first", "sgns-1"), ("second", "sgns-1")):
        look_at(panel.session, toy_model(), name).group = group
    panel.leaderboard.runs.choose_group("grid")
    assert [record.name for record in panel.similarity.runs.records] == ["first", "second"]
    # The active run doesn't belong to a grid any more, so the latest grid is used.
    panel.session.active.show(panel.session.runs[0])
    assert [record.name for record in panel.analogies.runs.records] == ["first", "second"]


def test_this_grid_is_the_latest_where_the_active_run_is_of_none(
    panel: EvaluatePanel, context: PanelContext
) -> None:
    session = panel.session
    first, second = (look_at(session, toy_model(), name) for name in ("one", "two"))
    latest, alone = (look_at(session, toy_model(), name) for name in ("three", "four"))
    latest.group = "sgns-1"
    first.group = second.group = "sgns-2"
    assert session.active.run is alone
    assert chosen_runs(session, ("grid",)) == [latest]
    session.active.show(second)
    assert chosen_runs(session, ("grid",)) == [first, second]


def test_answers_and_scores_are_shared_by_the_pages(
    panel: EvaluatePanel, questions: Path, pairs: Path, qtbot: QtBot
) -> None:
    """A result computed on one page isn't missing on another."""
    questions.write_text(QUESTIONS + "prince boy princess girl\n", encoding="utf-8")
    look_at(panel.session, toy_model(), "one")
    look_at(panel.session, toy_model(), "two")
    answered_first = panel.analogies
    pairs.write_text(PAIRS + "prince,girl,3\n", encoding="utf-8")
    panel.similarity.set.open_file(pairs)
    panel.open_file(questions)
    click(qtbot, answered_first.start)
    until(qtbot, lambda: answered_first.table.model().rowCount() == 6)
    instrument(panel, qtbot, "leaderboard")
    board = panel.leaderboard
    at = [column.name for column in board.table.table.columns].index("mine")
    assert all("%" in row[at] for row in board.table.texts())
    # Another answering method has its own scores, which the leaderboard computes for both pages.
    answered_first.method.setCurrentIndex(1)
    assert {row[at] for row in board.table.texts()} == {"–"}
    click(qtbot, board.start)
    until(qtbot, lambda: not panel.session.jobs.active)
    assert {row[at] for row in board.table.texts()} != {"–"}
    instrument(panel, qtbot, "analogies")
    assert answered_first.table.model().rowCount() == 6
    # Lessons press the button again: all answers are known, so nothing is computed.
    click(qtbot, answered_first.start)
    assert not answered_first.busy
    assert answered_first.table.model().rowCount() == 6
    instrument(panel, qtbot, "similarity")
    assert panel.similarity.state == "body"
    assert len(panel.similarity.scored) == 2
    assert panel.session.jobs.active == ()


def test_the_leaderboard_is_ranked_by_the_set_it_is_sorted_by(
    panel: EvaluatePanel, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best run of each set is in bold; clicking another set ranks the runs by that set."""
    view = panel.leaderboard
    first, second = list(view.sets.sets)[:2]
    one, two = (entry.identifier for entry in view._entries)
    scores = {
        one: {first: Score(0.4, 0.35, 0.45, 1.0, 900), second: Score(0.9, 0.8, 1.0, 1.0, 90)},
        two: {first: Score(0.6, 0.55, 0.65, 1.0, 900), second: Score(0.7, 0.6, 0.8, 1.0, 90)},
    }
    monkeypatch.setattr(view._results.scores, "of", lambda identifier: scores[identifier])
    view.refresh()
    assert [row[:2] for row in board()] == [["1", "two_b"], ["2", "=cmd"]]
    columns = view.table.table.columns
    at = [column.key for column in columns].index(second)
    assert [columns[at].is_strong(row) for row in range(2)] == [True, False]
    view.table.sort_by(at)
    assert [row[:2] for row in board()] == [["1", "=cmd"], ["2", "two_b"]]


def test_two_runs_are_tested_on_the_same_questions(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot
) -> None:
    """The test of two scored runs shows p; if their answers are missing, a button asks again."""
    good = toy_model()
    vectors = np.random.default_rng(1).normal(size=good.vectors.shape).astype(np.float32)
    look_at(panel.session, good, "good")
    look_at(panel.session, Embeddings(list(good.words), vectors, good.counts), "bad")
    questions.write_text(QUESTIONS + "prince king princess queen\n", encoding="utf-8")
    panel.analogies.open_file(questions)
    instrument(panel, qtbot, "leaderboard")
    test = panel.leaderboard.test
    assert test.result.whole == "Score two runs to test them on the same questions."
    click(qtbot, panel.leaderboard.start)
    until(qtbot, lambda: not panel.session.jobs.active)
    assert test.tested is not None
    assert [record.name for record in test.tested] == ["good", "bad"]
    assert test.result.whole.startswith(
        "No significant difference between good and bad: 80.0% against 20.0% of 5 questions that "
        "both know; solved by one run only: 3 against 0. McNemar’s exact test: p = .250"
    )
    assert not test.button.isVisible()
    test.against.setCurrentIndex(2)
    panel.leaderboard.table.picked.emit(0)
    click(qtbot, panel.leaderboard.seeds)
    assert "Untick" in test.result.whole
    # A new session knows the scores, but not the answers.
    panel.leaderboard._results._known.clear()
    click(qtbot, panel.leaderboard.seeds)
    assert test.button.isVisible()
    click(qtbot, test.button)
    until(qtbot, lambda: "McNemar" in test.result.whole)


def test_runs_are_tested_once_and_outside_the_windows_thread(
    panel: EvaluatePanel, questions: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def compare(ours: AnalogyReport, theirs: AnalogyReport) -> AnswerTest:
        threads.append(threading.current_thread())
        return compare_answers(ours, theirs)

    monkeypatch.setattr(paired_test_bar, "compare_answers", compare)
    good = toy_model()
    look_at(panel.session, good, "good")
    look_at(panel.session, good, "again")
    # A file that no other test has scored.
    questions.write_text(QUESTIONS + "boy girl prince princess\n", encoding="utf-8")
    panel.analogies.open_file(questions)
    instrument(panel, qtbot, "leaderboard")
    click(qtbot, panel.leaderboard.start)
    until(qtbot, lambda: not panel.session.jobs.active)
    assert "McNemar" in panel.leaderboard.test.result.whole
    # Sorting, picking a row and a change of the list of runs offer the same test again.
    panel.leaderboard.refresh()
    panel.leaderboard.table.picked.emit(0)
    until(qtbot, lambda: not panel.session.jobs.active)
    assert "McNemar" in panel.leaderboard.test.result.whole
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_more_results_than_are_kept_are_new_only_once(
    panel: EvaluatePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that a job publishes again, together with each new one, are announced only once."""
    monkeypatch.setattr(results, "_MOST", 2)
    store, score = results.Results(panel.session), Score(0.5, 0.4, 0.6, 1.0, 100)
    news: list[int] = []
    store.changed.connect(lambda: news.append(len(store._known)))
    new_results = tuple(RunResult(f"run {at}", "set", object(), score) for at in range(4))  # type: ignore[arg-type]
    for _ in range(3):
        store.put(new_results)
    assert news == [4]
    store.put((RunResult("later", "set", object(), score),))  # type: ignore[arg-type]
    assert news == [4, 2]


def test_runs_that_are_to_be_ranked_are_chosen_in_the_leaderboard(
    panel: EvaluatePanel, qtbot: QtBot
) -> None:
    one = look_at(panel.session, toy_model(), name="one")
    look_at(panel.session, toy_model(), name="two")
    with qtbot.waitSignal(panel.raise_requested):
        panel.session.requests.ranking.emit([one])
    assert panel.instruments.current is panel.leaderboard
    assert panel.leaderboard.runs.records == [one]


def test_scores_keep_their_intervals_longer_than_settings_their_columns(
    panel: EvaluatePanel, board: Board, qtbot: QtBot
) -> None:
    """The sentence about brackets is there exactly where brackets are, however wide the table is;
    settings give way first.
    """
    view = panel.leaderboard
    for at in range(6):
        panel.session.runs[0].parameters[f"setting_{at}"] = at
        panel.session.runs[1].parameters[f"setting_{at}"] = at + 1
    view.refresh()
    seen = set()
    for width in (1600, 1100, 800, 420):
        panel.resize(width, 500)
        qtbot.waitUntil(lambda width=width: panel.width() == width)
        table = view.table.table
        shown = [
            table.columns[at].cell_text(0, brief=table.brief)
            for at in range(len(table.columns))
            if not view.table.isColumnHidden(at)
        ]
        brackets = any("(" in text for text in shown)
        assert ("In brackets" in view.note.text()) == brackets
        settings = "Dimensions" not in [name.replace("\n", " ") for name in view.table.gone]
        assert not settings or brackets
        assert ("Without room here" in view.note.text()) == bool(view.table.gone)
        seen.add((brackets, settings))
    assert seen >= {(True, True), (True, False), (False, False)}
