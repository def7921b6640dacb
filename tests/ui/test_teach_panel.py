"""The panel that teaches a model a word."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus
from pytestqt.qtbot import QtBot
from ui.windows import shown_panel

from workbench.analysis.rows.still_model import TAUGHT, hold_still
from workbench.analysis.teach.teaching import Teacher
from workbench.core.paths import settings_folder
from workbench.session.requests import TaughtPlace
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.train_api import train
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.teach.panel import TeachPanel

TEXT = markov_corpus(4_000, words=25, sentence=12)
LINES = "w01 w02 blicket w03 w04\nw02 blicket w03"


def record_of(session: Session, algorithm: str, **settings: object) -> RunRecord:
    model = train(TEXT, algorithm, min_count=1, dim=4, seed=1, **settings)
    record = RunRecord(
        f"run-{algorithm}",
        algorithm,
        algorithm,
        dict(model.metadata["parameters"]),
        TEXT.name,
        TEXT.digest,
        "2026-01-01",
        state=State.DONE,
        embeddings=model,
    )
    session.runs.append(record)
    return record


@pytest.fixture
def panel(context: PanelContext, session: Session, qtbot: QtBot) -> Iterator[TeachPanel]:
    session.corpora.current = TEXT
    session.corpora.changed.emit()
    session.active.show(record_of(session, "svd"))
    with shown_panel("teach", context, qtbot) as shown:
        assert isinstance(shown, TeachPanel)
        yield shown


def typed(panel: TeachPanel, qtbot: QtBot, word: str, lines: str) -> None:
    """Type a word and lines, and wait for what the panel makes of them."""
    panel.word.setText(word)
    panel.lines.setPlainText(lines)
    qtbot.waitUntil(lambda: panel.idle, timeout=60_000)


def test_the_neighbours_are_those_of_the_teacher(panel: TeachPanel, qtbot: QtBot) -> None:
    typed(panel, qtbot, "blicket", LINES)
    model = panel.session.active.trained
    assert model is not None
    expected = Teacher(hold_still(model, TEXT)).teach("blicket", LINES.split("\n"))
    words = [one.word for one in expected.neighbours]
    assert panel.neighbours.texts()[1:] or panel.neighbours.texts()
    assert [row[0] for row in panel.neighbours.texts()[-len(words) :]] == words
    rows = list(csv.reader(io.StringIO(panel.table())))
    assert [row[1] for row in rows[1:] if row[0] == "neighbour"] == words
    assert [row[1] for row in rows if row[0] == "context"] == [
        one.word for one in expected.contexts
    ]
    assert "2 occurrences in 2 lines" in panel.fact.text()


def test_each_problem_gets_one_sentence(panel: TeachPanel, qtbot: QtBot) -> None:
    assert panel.result.notice.title == "Which word?"
    for word, lines, expected in (
        ("blicket", "", "No lines yet"),
        ("blicket", "w01 w02", "“blicket” doesn’t occur in these lines."),
        ("two words", "two words", "This model’s tokeniser splits “two words” into"),
        ("blicket", "blicket nobody", "The model knows none of the words beside “blicket”."),
    ):
        typed(panel, qtbot, word, lines)
        assert panel.result.notice.title.startswith(expected)
        assert panel.lack == panel.result.notice.title
        assert panel.why_not_add()
        assert panel.table() == ""
    typed(panel, qtbot, "blicket", "blicket w01\n\nw02\nw03 blicket")
    assert "Line 2 is empty" in panel.fact.text()
    assert "Line 3 teaches nothing" in panel.fact.text()


def test_models_that_cannot_learn_say_why(
    panel: TeachPanel, session: Session, qtbot: QtBot
) -> None:
    typed(panel, qtbot, "blicket", LINES)
    session.active.show(record_of(session, "cbow", epochs=1))
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.result.notice.kind == "error"
    assert panel.shown is None


def test_nothing_that_was_typed_is_lost(
    panel: TeachPanel, context: PanelContext, qtbot: QtBot
) -> None:
    """Not even by a crash: the file has it while the panel is open."""
    panel.word.setText("blicket")
    panel.lines.setPlainText(LINES)
    path = settings_folder() / "settings.json"
    qtbot.waitUntil(lambda: path.exists() and "blicket w03 w04" in path.read_text("utf-8"))
    with shown_panel("teach", context, qtbot) as again:
        assert isinstance(again, TeachPanel)
        assert again.word.text() == "blicket"
        assert again.lines.toPlainText() == LINES


def test_a_known_word_is_taught_beside_or_instead_of_its_lines(
    panel: TeachPanel, qtbot: QtBot
) -> None:
    typed(panel, qtbot, "w07", "w07 w01 w02")
    assert panel.mode.isVisible()
    assert panel.shown is not None
    beside = panel.shown.taught.vector
    assert "count, too" in panel.fact.text()
    panel.mode.setCurrentIndex(1)
    qtbot.waitUntil(lambda: panel.idle)
    assert not np.allclose(panel.shown.taught.vector, beside)
    assert "don’t count" in panel.fact.text()
    typed(panel, qtbot, "blicket", LINES)
    assert not panel.mode.isVisible()


def test_a_run_with_the_word_says_so(panel: TeachPanel, session: Session, qtbot: QtBot) -> None:
    typed(panel, qtbot, "blicket", LINES)
    panel.add.click()
    qtbot.waitUntil(lambda: len(session.runs) == 2, timeout=60_000)
    run = session.active.run
    assert run is not None
    assert run.embeddings is not None
    assert "blicket" in run.embeddings.words
    assert run.embeddings.metadata[TAUGHT][0]["lines"] == 2
    # The word is known there, and its text isn't this one.
    qtbot.waitUntil(lambda: panel.idle)
    assert not panel.mode.isVisible()
    assert panel.shown is not None
    assert panel.shown.taught.known
    # No context was trained with it, and none of its lines are in the text.
    assert "were trained with it" not in panel.caution.text()
    assert "Its lines in the text" not in panel.fact.text()


def test_the_map_gets_the_vector_and_its_uncertainty(
    panel: TeachPanel, session: Session, qtbot: QtBot
) -> None:
    asked: list[TaughtPlace | None] = []
    session.requests.taught.connect(asked.append)
    typed(panel, qtbot, "blicket", LINES)
    place = asked[-1]
    assert place is not None
    assert place.run == "run-svd"
    assert place.name == place.word == "blicket"
    assert place.unit.shape == (31, 4)
    assert np.linalg.norm(place.unit, axis=1) == pytest.approx(1, abs=1e-5)
    typed(panel, qtbot, "blicket", "")
    assert asked[-1] is None


def test_the_figure_and_the_table_are_saved(
    panel: TeachPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    typed(panel, qtbot, "blicket", LINES)
    panel.export.save(tmp_path / "taught.svg")
    panel.export.save(tmp_path / "taught.csv")
    assert "blicket" in (tmp_path / "taught.svg").read_text("utf-8")
    assert (tmp_path / "taught.csv").read_text("utf-8-sig").startswith("list,word,cosine")
