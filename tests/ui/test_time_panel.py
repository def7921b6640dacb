"""Going through a training by dragging, with keys, with the slider, and with Play."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.history import aligned
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase, Trace
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.selection.words import AnalogyShown
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.time.panel import TimePanel
from workbench.ui.panels.time.timeline_data import TrainingAxis

LEFT = Qt.MouseButton.LeftButton
SHARES = (0.0, 0.01, 0.05, 0.2, 0.6, 1.0)


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[TimePanel]:
    new_panel = TimePanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 520)
    new_panel.map.motion = False
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def add_run(panel: TimePanel, shares: tuple[float, ...] = SHARES) -> RunRecord:
    """A run whose vectors changed from noise to those of the toy model."""
    model = toy_model(sample=0.0, window=2)
    noise = np.random.default_rng(4).normal(size=np.asarray(model.vectors).shape)
    record = look_at(panel.session, model)
    record.algorithm, record.parameters, record.colour = (
        "sgns",
        {"min_count": 1, "sample": 0.0, "epochs": 5},
        3,
    )
    steps = np.linspace(0.02, 1.0, 50)
    record.saved_trace = Trace(steps, 3.0 - 2.0 * steps, 4.0 * steps, 0.0 * steps)
    for share in shares:
        vectors = (share * np.asarray(model.vectors) + (1 - share) * noise).astype(np.float32)
        record.history.add(share, 4.0 * share, 1.0, dataclasses.replace(model, vectors=vectors))
    panel.session.runs.changed.emit()
    return record


def film_there(panel: TimePanel, record: RunRecord, qtbot: QtBot) -> None:
    until(
        qtbot,
        lambda: (
            panel.film is not None and panel.film.frames is record.history.frames and panel.idle
        ),
    )


def place_of(panel: TimePanel, state: int) -> QPoint:
    return QPoint(round(panel.strips.x_of(state)), panel.strips.height() // 2)


def shown_times(panel: TimePanel, text: str) -> int:
    """How often the panel shows a text."""
    places = [panel.question.readout.whole, panel.near.heading.whole, panel.note.whole]
    return sum(text in place for place in (*places, *(s.note for s in panel.strips.reel.strips)))


def drag(panel: TimePanel, state: int) -> None:
    at = QPointF(place_of(panel, state))
    where = panel.strips.viewport().mapToGlobal(at)
    none, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(
        panel.strips.viewport(), QMouseEvent(QEvent.Type.MouseMove, at, where, none, LEFT, keys)
    )


def test_what_to_do_where_there_are_no_states(panel: TimePanel, qtbot: QtBot) -> None:
    assert panel.state == "empty"
    record = look_at(panel.session, toy_model())
    assert panel.state == "empty"
    notice = panel.findChild(type(panel.controls.readout).__mro__[1], "time.notice")
    assert "opened from a file" in notice.text()
    record.algorithm = "svd"
    panel.session.runs.changed.emit()
    assert "has only one snapshot" in notice.text()
    record.algorithm = "sgns"
    panel.session.runs.changed.emit()
    assert "has no snapshots" in notice.text()


def test_everything_moves_with_the_marker(panel: TimePanel, qtbot: QtBot) -> None:
    open_corpus(panel.session, toy_corpus())
    record = add_run(panel)
    film_there(panel, record, qtbot)
    film = panel.film
    assert film is not None
    # The panel shows the preset’s analogy and the neighbours of its answer until a word is picked.
    assert film.course is not None
    assert film.course.words == ("king", "man", "woman", "queen")
    assert film.near is not None
    assert film.near.word == "queen"
    assert panel.current == 5
    rank = panel.strips.reel.strips[2]
    assert rank.values[5] == ("1", "of 10")
    qtbot.mousePress(panel.strips.viewport(), LEFT, pos=place_of(panel, 5))
    drag(panel, 4)
    assert panel.current == 4
    drag(panel, 1)
    assert panel.current == 1
    assert panel.controls.slider.value() == 1
    words = film.frames[-1].embeddings.words
    assert panel.near.list.words == tuple(words[row] for row in film.near.rows[1] if row >= 0)
    np.testing.assert_allclose(panel.map.positions, film.positions[1])
    assert panel.controls.readout.whole.startswith("2 of 6 · epoch 0.050 of 5")
    assert "Rank" in panel.strips.accessibleDescription()
    drag(panel, 5)
    qtbot.mouseRelease(panel.strips.viewport(), LEFT, pos=place_of(panel, 5))
    np.testing.assert_allclose(panel.map.positions, film.positions[5])
    assert panel.question.readout.whole.startswith("nearest: queen")


def test_nothing_scrolls_sideways_with_large_text(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    panel.session.selection.show_analogy(AnalogyShown("king", "man", "woman", "queen"))
    qtbot.waitUntil(panel.question.answer.isVisible)
    panel.theme.choose_text_size(200)
    try:
        panel.resize(755, 320)
        bar = panel.findChild(QScrollArea).horizontalScrollBar()
        qtbot.waitUntil(lambda: panel.plane.isVisible() and panel.width() == 755)
        qtbot.waitUntil(lambda: bar.maximum() == 0)
        assert panel.body.minimumSizeHint().width() <= panel.width()
    finally:
        panel.theme.choose_text_size(100)


def test_keys_and_slider(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    for key, state in (
        (Qt.Key.Key_Left, 4),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_PageDown, 5),
        (Qt.Key.Key_PageUp, 0),
        (Qt.Key.Key_End, 5),
    ):
        qtbot.keyClick(panel.strips, key)
        assert panel.current == state
    for key, state in ((Qt.Key.Key_Home, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_End, 5)):
        qtbot.keyClick(panel.controls.slider, key)
        assert panel.current == state
        assert panel.strips.current == state


def test_play_goes_from_the_start_to_the_end(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    qtbot.mouseClick(panel.controls.play, LEFT)
    assert panel.current == 0
    assert panel.controls.playing
    until(qtbot, lambda: not panel.controls.playing)
    assert panel.current == 5
    qtbot.mouseClick(panel.controls.play, LEFT)
    # A click on the strips stops playing.
    qtbot.mouseClick(panel.strips.viewport(), LEFT, pos=place_of(panel, 2))
    assert not panel.controls.playing
    assert panel.current == 2


def test_it_does_not_play_on_while_nobody_looks(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    qtbot.mouseClick(panel.controls.play, LEFT)
    assert panel.controls.playing
    panel.hide()
    assert not panel.controls.playing


def test_the_tokens_are_those_of_the_runs_own_text(panel: TimePanel) -> None:
    record = add_run(panel)
    open_corpus(panel.session, toy_corpus("another"))
    assert panel.training_axis == TrainingAxis(0.0, 5.0, 0)
    record.summary = {**record.summary, "corpus": {"tokens": 777}}
    assert panel.training_axis == TrainingAxis(0.0, 5.0, 777)
    corpus = toy_corpus()
    record.corpus_digest = corpus.digest
    open_corpus(panel.session, corpus)
    assert panel.training_axis == TrainingAxis(0.0, 5.0, corpus.tokens)


def test_the_fit_is_that_of_the_pairs(panel: TimePanel, qtbot: QtBot) -> None:
    open_corpus(panel.session, toy_corpus())
    record = add_run(panel)
    record.corpus_digest = "toy"
    film_there(panel, record, qtbot)
    until(qtbot, lambda: len(panel.fits.figures(record.history.frames)) == 6 and panel.idle)
    strip = panel.strips.reel.strips[1]
    assert strip.note == ""
    assert strip.at.tolist() == [one.r2 for one in panel.fits.figures(record.history.frames)]
    assert "w·c against x*" in panel.note.whole
    open_corpus(panel.session, toy_corpus("another"))
    until(qtbot, lambda: panel.idle)
    assert panel.strips.reel.strips[1].note.startswith("Open ")


def test_words_that_are_picked_and_asked(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    panel.session.selection.select(["apple"])
    until(qtbot, lambda: panel.film.near is not None and panel.film.near.word == "apple")
    assert panel.near.list.words[0] == "pear"
    row = panel.near.list.visualRect(panel.near.list.model().index(0, 0)).center()
    qtbot.mouseClick(panel.near.list.viewport(), LEFT, pos=row)
    assert panel.session.selection.words == ("pear",)
    panel.session.selection.show_analogy(AnalogyShown("prince", "boy", "girl", "princess"))
    until(qtbot, lambda: panel.film.course is not None and panel.film.course.words[3] == "princess")
    panel.question.answer.selectAll()
    qtbot.keyClicks(panel.question.answer, "wool")
    qtbot.keyClick(panel.question.answer, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.film.course is not None and panel.film.course.words[3] == "wool")
    assert panel.strips.reel.strips[2].title == "Rank of “wool”"
    panel.question.answer.selectAll()
    qtbot.keyClicks(panel.question.answer, "zebra")
    qtbot.keyClick(panel.question.answer, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.film.course is None)
    assert shown_times(panel, "“zebra” isn’t among the 13 words in the snapshots") == 1
    assert panel.question.answer.property("invalid") == "true"
    panel.question.answer.setText("lorem ipsum " * 900)
    qtbot.keyClick(panel.question.answer, Qt.Key.Key_Return)
    until(qtbot, lambda: "lorem" in panel.film.course_problem)
    # The text is shown to its end beside the field at the panel's width in a 1280-pixel window.
    panel.resize(704, 520)
    until(qtbot, lambda: panel.width() == 704 and panel.question.readout.width() < 300)
    assert panel.question.readout.text().replace("\n", " ").endswith("words in the snapshots.")
    panel.question.answer.clear()
    qtbot.keyClick(panel.question.answer, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.film.course is not None and panel.film.course.words[3] == "princess")
    assert panel.question.answer.text() == "princess"
    assert not panel.question.answer.property("invalid")
    panel.session.selection.select(["unheard"])
    until(qtbot, lambda: panel.film.near_problem != "")
    assert panel.near.list.words == ()


def test_an_answer_that_the_snapshots_lack_gives_way_to_the_first_one(
    panel: TimePanel, qtbot: QtBot
) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    panel.session.selection.show_analogy(AnalogyShown("king", "man", "woman", "zebra"))
    until(qtbot, lambda: panel.film.course_note != "")
    assert panel.film.course.words[3] == "queen"
    assert panel.question.answer.text() == "queen"
    assert not panel.question.answer.property("invalid")
    assert panel.strips.reel.strips[2].title == "Rank of “queen”"
    assert panel.near.heading.whole == "Neighbours of queen"
    assert shown_times(panel, "“zebra” isn’t among the 13 words in the snapshots") == 1
    # What the user types is tracked, or nothing.
    panel.question.answer.selectAll()
    qtbot.keyClicks(panel.question.answer, "zebra")
    qtbot.keyClick(panel.question.answer, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.film.course is None)
    assert panel.strips.reel.strips[2].note == "No rank"
    assert panel.question.answer.property("invalid") == "true"
    assert shown_times(panel, "“zebra” isn’t among the 13 words in the snapshots") == 1


def test_a_run_that_trains_is_followed(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel, SHARES[:2])
    film_there(panel, record, qtbot)
    run = JobControl()
    run.enter(Phase.TRAINING)
    record.state, record.run = State.TRAINING, run
    model = toy_model()
    record.history.add(0.05, 0.2, 1.0, model)
    film_there(panel, record, qtbot)
    assert panel.current == 2
    # A position chosen by the user is kept.
    qtbot.keyClick(panel.strips, Qt.Key.Key_Home)
    record.history.add(0.2, 0.8, 1.0, model)
    film_there(panel, record, qtbot)
    assert panel.current == 0
    record.state, record.run = State.DONE, None


def choose_plane(panel: TimePanel, name: str, qtbot: QtBot) -> None:
    """Choose a layout with the mouse."""
    panel.plane.showPopup()
    view = panel.plane.view()
    index = panel.plane.model().index(panel.plane.findText(name), 0)
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
    until(qtbot, lambda: panel.plane.currentText() == name)


class Together:
    """Replacement for umap-learn that mirrors the initial positions, once ``go`` is set."""

    def __init__(self) -> None:
        self.go, self.calls, self.error = False, 0, ""

    def __call__(
        self,
        layers: list[np.ndarray],
        starts: list[np.ndarray],
        relations: object,
        params: object,
        alignment: float,
        run: JobControl,
    ) -> list[np.ndarray]:
        self.calls += 1
        if self.error:
            raise UserError(self.error)
        run.advance(0.25, "Computing the map, epoch 50 of 200")
        waiting = threading.Event()
        while not self.go:
            run.check()
            waiting.wait(0.01)
        return [start[:, ::-1] for start in starts]


def test_states_are_laid_out_together(
    panel: TimePanel, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    together = Together()
    monkeypatch.setattr(aligned, "lay_out_aligned", together)
    record = add_run(panel)
    film_there(panel, record, qtbot)
    choose_plane(panel, "Plane: all words", qtbot)
    until(qtbot, lambda: panel.film.request.plane == "all" and panel.idle)
    plane = panel.film.positions
    trust = float(panel.film.quality[5, 0])
    assert f"trustworthiness {trust:.2f}".replace("0.", ".") in panel.note.whole

    choose_plane(panel, "AlignedUMAP", qtbot)
    until(qtbot, lambda: panel.alignment.bar.value() == 250)
    until(qtbot, lambda: panel.note.whole.startswith("Computing the map, epoch 50 of 200"))
    np.testing.assert_array_equal(panel.film.positions, plane)
    # Another word doesn't begin the layout again.
    panel.session.selection.select(["apple"])
    until(qtbot, lambda: panel.film.near is not None and panel.film.near.word == "apple")
    qtbot.mouseClick(panel.alignment.stop, LEFT)
    until(qtbot, lambda: panel.plane.currentData() == "all" and panel.idle)
    assert together.calls == 1
    assert panel.alignment.isHidden()

    together.go = True
    choose_plane(panel, "AlignedUMAP", qtbot)
    until(qtbot, lambda: panel.film.request.aligned is not None and panel.idle)
    assert panel.alignment.isHidden()
    np.testing.assert_allclose(panel.film.positions, plane[:, :, ::-1])
    assert "6 of them laid out by AlignedUMAP" in panel.note.whole
    qtbot.keyClick(panel.strips, Qt.Key.Key_Home)
    np.testing.assert_allclose(panel.map.positions, panel.film.positions[0])
    assert panel.view_state.plane == "aligned"
    header, first, *_ = panel.states_table().splitlines()
    trust_column = header.split(",").index("trustworthiness")
    assert float(first.split(",")[trust_column]) == panel.film.quality[0, 0]
    # A finished layout is kept.
    choose_plane(panel, "Plane: all words", qtbot)
    until(qtbot, lambda: panel.film.request.aligned is None and panel.idle)
    choose_plane(panel, "AlignedUMAP", qtbot)
    until(qtbot, lambda: panel.film.request.aligned is not None and panel.idle)
    assert together.calls == 2


def test_a_layout_that_fails_leaves_the_plane(
    panel: TimePanel, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    together = Together()
    together.error = "Couldn’t finish."
    monkeypatch.setattr(aligned, "lay_out_aligned", together)
    said: list[str] = []
    panel.session.message.connect(lambda text, hint, error: said.append(text))
    record = add_run(panel)
    film_there(panel, record, qtbot)
    choose_plane(panel, "AlignedUMAP", qtbot)
    until(qtbot, lambda: panel.plane.currentData() == "all" and panel.idle)
    assert said == ["Couldn’t finish."]


def test_it_is_saved(panel: TimePanel, qtbot: QtBot, tmp_path: Path) -> None:
    open_corpus(panel.session, toy_corpus())
    record = add_run(panel)
    film_there(panel, record, qtbot)
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        panel._export.save(tmp_path / f"time{suffix}")
        assert (tmp_path / f"time{suffix}").stat().st_size > 500
    lines = (tmp_path / "time.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7
    assert "rank of queen" in lines[0]
    svg = (tmp_path / "time.svg").read_text(encoding="utf-8")
    assert ">king<" in svg
    panel._exports["the map"].save(tmp_path / "map.csv")
    assert len((tmp_path / "map.csv").read_text(encoding="utf-8").splitlines()) == 1 + 6 * len(
        WORDS
    )
    menu = panel.findChild(QPushButton, "time.export").menu()
    assert len(menu.actions()) == 3


def test_the_beginning_is_stretched_or_not(panel: TimePanel, qtbot: QtBot) -> None:
    record = add_run(panel)
    film_there(panel, record, qtbot)
    place = panel.strips.x_of(2)
    qtbot.mouseClick(panel.stretched, LEFT)
    assert panel.strips.x_of(2) < place
    assert panel.session.settings.all().get("time.stretched") is False


def test_the_axis_has_more_numbers_in_what_is_zoomed_into() -> None:
    way = TrainingAxis(before=0.0, epochs=5.0, tokens=0)
    assert [text for _, text in way.ticks(True)] == ["0", "0.05", "0.25", "1", "2.5", "5"]
    assert [text for _, text in way.ticks(True, 0.4, 0.6)] == ["2", "2.2", "2.4", "2.6", "2.8", "3"]


def test_where_a_state_is_told() -> None:
    way = TrainingAxis(before=5.0, epochs=10.0, tokens=1000)
    assert way.passes(0.25) == 7.5
    assert way.tokens_seen(0.25) == 7500
    assert way.ticks(stretched=False)[0] == (0.0, "5")
    assert TrainingAxis(0.0, 0.0, 0).ticks(stretched=False)[1] == (0.25, "25%")
