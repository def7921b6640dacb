"""Modes of W·Cᵀ on screen: each number against an independent computation, with clicks and keys."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from scipy.stats import spearmanr
from session.fakes import Gate, StepModel
from ui.toy import look_at, open_corpus, toy_corpus, until

from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.export import export_actions
from workbench.ui.export.export_actions import Export
from workbench.ui.export.export_actions import csv as csv_texts
from workbench.ui.panels.analogy.panel import AnalogyPanel
from workbench.ui.panels.neighbours.panel import NeighboursPanel
from workbench.ui.panels.relations.panel import RelationsPanel
from workbench.ui.panels.theory.panel import TheoryPanel
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton
DIM, SHARES = 4, (0.0, 0.01, 0.05, 0.2, 0.6, 1.0)
PARAMETERS = {
    "min_count": 1,
    "window": 2,
    "sample": 0.0,
    "negative": 3,
    "ns_exponent": 0.75,
    "window_weighting": "fixed",
    "init_scale": 0.5,
    "learning_rate": 0.025,
}


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[TheoryPanel]:
    new_panel = TheoryPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 520)
    new_panel.show()
    new_panel.activateWindow()
    new_panel.show_page("modes")
    yield new_panel
    new_panel.release()


def state(share: float, contexts: bool = True) -> Embeddings:
    """Vectors that grow from zero, each direction at its own rate."""
    words = list(toy_corpus().words)
    random = np.random.default_rng(2).normal(size=(2, len(words), DIM))
    strengths = 1 - np.exp(-share * np.array([40.0, 12.0, 5.0, 2.0]))
    W, C = ((table * np.sqrt(strengths)).astype(np.float32) for table in random)
    return Embeddings(
        words,
        W,
        toy_corpus().counts,
        contexts=C if contexts else None,
        metadata={"algorithm": "sgns", "parameters": PARAMETERS},
    )


def add_run(panel: TheoryPanel) -> RunRecord:
    """A run with snapshots."""
    record = look_at(panel.session, state(1.0))
    record.algorithm, record.parameters = "sgns", PARAMETERS
    for share in SHARES:
        record.history.add(share, 4.0 * share, 1.0, state(share))
    panel.session.runs.changed.emit()
    return record


@pytest.fixture
def model_panel(panel: TheoryPanel, qtbot: QtBot) -> TheoryPanel:
    open_corpus(panel.session, toy_corpus())
    add_run(panel)
    until(qtbot, lambda: panel.idle and panel.modes.study is not None)
    return panel


def text_of(panel: TheoryPanel, name: str) -> str:
    found = panel.findChild(QLabel, f"theory.modes.{name}")
    assert found is not None
    return found.accessibleName() or found.text()


def products() -> list[np.ndarray]:
    return [
        np.asarray(one.vectors, dtype=float) @ np.asarray(one.contexts, dtype=float).T
        for one in map(state, SHARES)
    ]


def dense_pull() -> np.ndarray:
    """(A − B)/2 per pair, counted by loops over the text."""
    corpus = toy_corpus()
    size = len(corpus.words)
    A = np.zeros((size, size))
    for first, last in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True):
        ids = corpus.ids[first:last]
        for at, word in enumerate(ids):
            for near in range(max(0, at - 2), min(len(ids), at + 3)):
                if near != at:
                    A[word, ids[near]] += 1
    noise = corpus.counts**0.75 / (corpus.counts**0.75).sum()
    return (A - 3 * np.outer(A.sum(axis=1), noise)) / 2 / A.sum()


def half_points(strengths: np.ndarray) -> list[float]:
    found = []
    for course in strengths.T:
        fine = np.linspace(0, 1, 2_000_001)
        beyond = np.interp(fine, SHARES, course) >= course[-1] / 2
        found.append(float(fine[np.argmax(beyond)]) if course[-1] > 0 else float("nan"))
    return found


def columns(panel: TheoryPanel) -> dict[str, list[str]]:
    table = panel.modes.table.table
    return {
        column.identity: [str(table.index(row, at).data() or "") for row in range(table.rowCount())]
        for at, column in enumerate(table.columns)
    }


def test_the_numbers_are_those_of_whole_matrices(model_panel: TheoryPanel) -> None:
    U, rates, Vt = np.linalg.svd(dense_pull())
    number = len(columns(model_panel)["mode"])
    strengths = np.array(
        [[U[:, p] @ product @ Vt[p] for p in range(number)] for product in products()]
    )
    halves = half_points(strengths)
    texts = columns(model_panel)
    assert texts["rate"] == [f"{rate / rates[0]:.3f}" for rate in rates[:number]]
    assert texts["half"] == ["–" if np.isnan(half) else f"{100 * half:.1f}%" for half in halves]
    some = np.isfinite(halves)
    rho = spearmanr(-rates[:number][some], np.array(halves)[some]).statistic
    assert f"ρ = {rho:.2f}".replace("-", "−") in text_of(model_panel, "fact")
    assert f"of {some.sum()} modes" in text_of(model_panel, "fact")
    last_u, _, last_vt = np.linalg.svd(products()[-1])
    for mode in range(number):
        overlap = max(
            abs(U[:, mode] @ last_u[:, q]) * abs(Vt[mode] @ last_vt[q]) for q in range(DIM)
        )
        assert texts["overlap"][mode] == f"{overlap:.2f}"
    assert "small initial vectors" in text_of(model_panel, "parted")
    chart = model_panel.modes.chart.chart
    assert chart is not None
    for mode, one in enumerate(chart.series):
        if np.isfinite(one.y).all():
            np.testing.assert_allclose(one.y, strengths[:, mode] / strengths[-1, mode], atol=1e-5)


def test_singular_values_are_chosen_by_key_and_written(
    model_panel: TheoryPanel, qtbot: QtBot
) -> None:
    model_panel.modes.measure.setFocus()
    qtbot.keyClick(model_panel.modes.measure, Qt.Key.Key_Down)
    expected = np.array([np.linalg.svd(one, compute_uv=False)[:DIM] for one in products()])
    chart = model_panel.modes.chart.chart
    assert chart is not None
    np.testing.assert_allclose(
        np.array([one.y for one in chart.series]).T, expected, rtol=1e-5, atol=1e-6
    )
    U = np.linalg.svd(products()[-1])[0]
    entries = U[:, 0] * np.sign(U[np.abs(U[:, 0]).argmax(), 0])
    words = toy_corpus().words
    assert columns(model_panel)["words"][0].startswith(words[int(entries.argmax())])
    assert chart.series[0].name.startswith(f"1 {words[int(entries.argmax())]}")
    rows = list(csv.reader(io.StringIO(model_panel.modes.chart.table())))
    assert len(rows) == 1 + DIM * len(SHARES)


def test_a_click_on_a_mode_selects_its_words(model_panel: TheoryPanel, qtbot: QtBot) -> None:
    table = model_panel.modes.table
    place = table.visualRect(table.table.index(1, 1)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    study = model_panel.modes.study
    assert study is not None
    high, low = study.predicted_ends[1].words
    assert model_panel.session.selection.words == (*high, *low)


def test_fewer_modes(model_panel: TheoryPanel, qtbot: QtBot) -> None:
    model_panel.modes.number.setFocus()
    model_panel.modes.number.selectAll()
    qtbot.keyClicks(model_panel.modes.number, "2")
    qtbot.keyClick(model_panel.modes.number, Qt.Key.Key_Return)
    until(qtbot, lambda: model_panel.idle and len(columns(model_panel)["mode"]) == 2)
    assert "No observed order" in text_of(model_panel, "fact")


def test_vectors_without_snapshots_have_modes_but_no_order(
    panel: TheoryPanel, qtbot: QtBot
) -> None:
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, state(1.0))
    until(qtbot, lambda: panel.idle and panel.modes.study is not None)
    assert "no snapshots" in text_of(panel, "fact")
    assert set(columns(panel)["half"]) == {"–"}
    assert panel.modes.chart.isHidden()
    add_run(panel)
    until(qtbot, lambda: panel.idle and not panel.modes.chart.isHidden())


def test_without_the_corpus_only_the_prediction_is_missing(
    panel: TheoryPanel, qtbot: QtBot
) -> None:
    add_run(panel)
    until(qtbot, lambda: panel.idle and panel.modes.study is not None)
    assert "Open the corpus" in text_of(panel, "fact")
    assert len(columns(panel)["value"]) == DIM


def test_vectors_without_contexts_say_so(panel: TheoryPanel, qtbot: QtBot) -> None:
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, state(1.0, contexts=False))
    until(qtbot, lambda: panel.modes.state == "empty")
    assert not panel.modes.dial.isEnabled()


# -- the dial


def dial_to(panel: TheoryPanel, qtbot: QtBot, number: int) -> None:
    slider = panel.modes.dial.slider
    slider.setFocus()
    while slider.value() != number:
        qtbot.keyClick(slider, Qt.Key.Key_Left if slider.value() > number else Qt.Key.Key_Right)
    modes = 0 if number == slider.maximum() else number
    until(qtbot, lambda: panel.session.active.modes == modes and panel.idle)


def test_the_dial_rebuilds_what_panels_show_and_says_so(
    model_panel: TheoryPanel, context: PanelContext, qtbot: QtBot
) -> None:
    other = NeighboursPanel(context)
    qtbot.addWidget(other)
    other.resize(300, 500)
    other.show()
    session = model_panel.session
    session.selection.select(["king"])
    until(qtbot, lambda: other.idle and bool(other.list.words))
    trained_words = list(other.list.words)
    dial_to(model_panel, qtbot, 1)
    assert "1 of 4" in text_of(model_panel, "kept")
    until(qtbot, lambda: other.idle and list(other.list.words) != trained_words)
    # With one mode, all words are on a line: every cosine is 1 or −1.
    product = products()[-1]
    side = np.sign(np.linalg.svd(product)[0][:, 0])
    words = list(toy_corpus().words)
    same = side == side[words.index("king")]
    for word, score in zip(other.list.words, other.list.scores, strict=True):
        assert score == pytest.approx(1.0 if same[words.index(word)] else -1.0, abs=1e-5)
    until(qtbot, lambda: other.origin.isVisible())
    assert "modes" in other.origin.text.text()
    assert "modes" not in model_panel.origin.text.text()
    assert session.active.trained is not session.active.embeddings
    assert model_panel.modes.study is not None  # the theory panel itself uses the whole model
    assert len(columns(model_panel)["rate"]) > 1
    qtbot.mouseClick(other.origin.open, LEFT)
    assert session.active.modes == 0
    assert session.active.embeddings is session.active.trained
    until(qtbot, lambda: other.idle and list(other.list.words) == trained_words)
    until(qtbot, lambda: "modes" not in other.origin.text.text() or other.origin.isHidden())
    assert model_panel.modes.dial.slider.value() == DIM
    other.release()


def test_analogies_follow_the_dial(
    model_panel: TheoryPanel, context: PanelContext, qtbot: QtBot
) -> None:
    bar = AnalogyPanel(context)
    qtbot.addWidget(bar)
    bar.resize(900, 120)
    bar.show()
    dial_to(model_panel, qtbot, 2)
    rebuilt = model_panel.session.active.embeddings
    assert rebuilt is not None
    U, values, Vt = np.linalg.svd(products()[-1])
    W = np.asarray(state(1.0).vectors, dtype=float)
    np.testing.assert_allclose(rebuilt.vectors, U[:, :2] @ U[:, :2].T @ W, atol=1e-5)
    product = np.asarray(rebuilt.vectors) @ np.asarray(rebuilt.contexts).T
    np.testing.assert_allclose(product, (U[:, :2] * values[:2]) @ Vt[:2], atol=1e-4)
    until(qtbot, lambda: bar.origin.isVisible())
    back = model_panel.findChild(QPushButton, "theory.modes.all")
    assert back is not None
    qtbot.mouseClick(back, LEFT)
    assert model_panel.session.active.modes == 0
    assert not back.isVisible()
    bar.release()


def test_another_run_is_shown_whole(model_panel: TheoryPanel, qtbot: QtBot) -> None:
    dial_to(model_panel, qtbot, 2)
    look_at(model_panel.session, state(0.6))
    assert model_panel.session.active.modes == 0
    until(qtbot, lambda: model_panel.idle and model_panel.modes.dial.slider.value() == DIM)


def test_files_say_that_vectors_are_rebuilt(
    model_panel: TheoryPanel, context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[tuple[str, str]] = []

    def ask(
        owner: object, session: object, title: str, stem: str, size: object, text: str, *_: object
    ) -> None:
        requests.append((stem, text))

    # Panels without an analogy or a pair have nothing to save; here, only the names matter.
    monkeypatch.setattr(export_actions, "lack_of", lambda owner: "")
    monkeypatch.setattr(export_actions, "ask_figure", ask)
    monkeypatch.setattr(
        export_actions,
        "ask_path",
        lambda owner, settings, title, stem, kinds: requests.append((stem, "")),
    )
    relations = RelationsPanel(context)
    qtbot.addWidget(relations)

    def ask_both(panel: QWidget) -> None:
        table = csv_texts(lambda: "word\nking\n")
        export = Export(panel, model_panel.session, "x", "x", panel.size, lambda _: None, table)
        export.ask_figure()
        export.ask_data()

    ask_both(relations)
    dial_to(model_panel, qtbot, 2)
    ask_both(relations)
    ask_both(model_panel)
    assert [stem for stem, _ in requests] == [
        "x",
        "x",
        "x-2-of-4-modes",
        "x-2-of-4-modes",
        "x",
        "x",
    ]
    sentence = "Vectors rebuilt from the first 2 of 4 modes of W·Cᵀ."
    assert [sentence in text for _, text in requests[::2]] == [False, True, False]
    relations.release()


def follows(panel: TheoryPanel, share: float) -> bool:
    study = panel.modes.study
    return study is not None and float(study.course.progress[-1]) == share


def test_modes_are_followed_while_a_run_trains(
    panel: TheoryPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(StepModel):
        key = "step"

    monkeypatch.setattr(MODELS, "_classes", {"step": Slow})
    StepModel.gate = Slow.gate = Gate()
    open_corpus(panel.session, toy_corpus())
    record = panel.session.training.start(
        TrainingSpec("step", Slow.params_type(min_count=1, steps=50))
    )
    until(qtbot, lambda: record.run is not None and record.run.progress.phase.value == "training")
    run = record.run
    assert run is not None
    # Context vectors are zero at first, so there are no modes yet.
    record.history.add(0.001, 0.0, 1.0, state(0.0))
    run.publish("embeddings", state(0.0))
    until(qtbot, partial(follows, panel, 0.001))
    assert set(columns(panel)["overlap"]) == {"0.00"}
    panel.modes.measure.setCurrentIndex(1)
    assert columns(panel)["mode"] == []
    panel.modes.measure.setCurrentIndex(0)
    for share in SHARES[1:4]:
        run.publish("embeddings", state(share))
        record.history.add(share, 4.0 * share, 1.0, state(share))
        until(qtbot, partial(follows, panel, share))
    study = panel.modes.study
    assert study is not None
    expected = [np.linalg.svd(product, compute_uv=False)[:DIM] for product in products()[1:4]]
    np.testing.assert_allclose(study.course.values[-3:], expected, rtol=1e-5, atol=1e-6)
    assert not panel.modes.dial.isEnabled()
    assert "when the training is finished" in text_of(panel, "kept")
    Slow.gate.opened.set()
    until(qtbot, lambda: panel.session.active.run is record and panel.idle)
