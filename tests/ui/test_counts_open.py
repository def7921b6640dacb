"""A window with open counts instead of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import markov_corpus
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QStandardItemModel
from PySide6.QtWidgets import QPushButton, QSpinBox
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.windows import shown_window

from workbench.analysis.neighbours.shared_contexts import shared_in_text
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.runs.run_record import State
from workbench.session.settings.session_settings import GRID_VALUES
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.commands.run_commands import DOINGS
from workbench.ui.commands.run_targets import RunTarget
from workbench.ui.panels.corpus.panel import CorpusPanel
from workbench.ui.panels.inspector.panel import InspectorPanel
from workbench.ui.panels.matrix.panel import MatrixPanel
from workbench.ui.panels.pair.panel import PairPanel
from workbench.ui.panels.runs.panel import RunsPanel
from workbench.ui.panels.step.panel import StepPanel
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.shell.drag_and_drop import drop_action
from workbench.ui.shell.window import Window


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("counts") / "few"
    corpus = markov_corpus(3000)
    matrix = cooccurrence(corpus, corpus.vocabulary(), 3, "harmonic", threads=1)
    metadata = {"weighting": "harmonic", "window": 3, "symmetric": True, "divisor": 6.0}
    write_shards(path, shard_csr(matrix, 400), corpus.vocabulary(), metadata)
    return path


@pytest.fixture
def window(
    context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Window]:
    """A window with the real algorithms."""
    monkeypatch.setattr("workbench.session.kernel_compiler.is_compiled", lambda name: True)
    with shown_window(context, qtbot) as new_window:
        yield new_window


def drop(window: Window, folder: Path, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    copy, left, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dragEnterEvent(QDragEnterEvent(QPoint(50, 50), copy, data, left, none))
    window.dropEvent(QDropEvent(QPoint(50, 50), copy, data, left, none))
    qtbot.waitUntil(lambda: window.session.corpora.counts is not None)


def panel(window: Window, key: str) -> object:
    window.context.bridge.wanted.emit(key)
    return window.docks[key].panel


def test_dropping_a_folder_of_counts_says_what_it_is(folder: Path) -> None:
    assert drop_action([str(folder)]) == (
        "Open the counts few",
        "Replaces the open corpus. Only algorithms that train from counts are available.",
    )


def test_counts_are_trained_from_and_what_needs_the_text_says_so(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    train = panel(window, "train")
    assert isinstance(train, TrainPanel)
    train.choose("glove")
    train.form.put(train.form.values(), {"window": 7})
    train.choose("sgns")
    undone = window.session.undo.undo_text
    drop(window, folder, qtbot)
    items = train.algorithm.model()
    assert isinstance(items, QStandardItemModel)
    possible = {
        str(items.item(row).data(Qt.ItemDataRole.UserRole)): items.item(row).isEnabled()
        for row in range(items.rowCount())
        if items.item(row).data(Qt.ItemDataRole.UserRole)
    }
    assert {key for key in ("glove", "svd", "sgns", "fasttext") if possible[key]} == {
        "glove",
        "svd",
    }
    # An algorithm that can train on counts replaces the chosen one.
    assert train.algorithm.currentData() == "svd"
    assert train.start.isEnabled()
    assert window.session.undo.undo_text == undone
    train.choose("sgns")
    assert not train.start.isEnabled()
    assert "needs the text itself" in train.start.toolTip()
    assert "needs the text itself" in train.why_not
    train.choose("glove")
    # The fields of the previous form are deleted only a moment later.
    size = train.form.findChildren(QSpinBox, "train.param.window")[-1]
    why = "Fixed by the counts few; count again to change it."
    assert (size.value(), size.isEnabled(), size.toolTip()) == (3, False, why)
    assert train.form.held.text() == (
        "Contexts, window, window weighting, symmetric: fixed by the counts few; count again "
        "to change it"
    )
    train.form.put({}, {"dim": 4, "epochs": 2, "threads": 1})
    assert train.start.isEnabled()
    qtbot.mouseClick(train.start, Qt.MouseButton.LeftButton)
    record = window.session.runs[-1]
    qtbot.waitUntil(lambda: record.state.over)
    assert record.state is State.DONE
    assert record.corpus_digest == window.session.corpora.counts.digest
    # Training on a text works as before.
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    assert size.isEnabled()
    # The window chosen earlier, for a text, is back.
    assert size.value() == 7
    assert train.form.held.isHidden()
    assert all(
        items.item(row).isEnabled() or not items.item(row).isSelectable()
        for row in range(items.rowCount())
    )


def test_what_was_chosen_for_a_text_comes_back_with_one(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    train = panel(window, "train")
    assert isinstance(train, TrainPanel)
    for algorithm, meanwhile, then in (
        ("cbow", "", "cbow"),
        ("cbow", "glove", "glove"),
        ("swivel", "", "swivel"),
    ):
        train.choose(algorithm)
        drop(window, folder, qtbot)
        assert train.algorithm.currentData() == ("swivel" if algorithm == "swivel" else "svd")
        if meanwhile:
            train.choose(meanwhile)
        window.session.corpora.current = small_corpus()
        window.session.corpora.changed.emit()
        assert train.algorithm.currentData() == then


def test_a_grid_holds_what_the_counts_fix_and_varies_the_rest(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    runs = panel(window, "runs")
    assert isinstance(runs, RunsPanel)
    window.show_panel("runs")
    grid = runs.grid
    runs.open_instrument(grid)
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    grid.algorithm.choose("glove")
    grid.form.write("window", "2, 5")
    qtbot.waitUntil(
        lambda: window.session.settings[GRID_VALUES].get("glove", {}).get("window") == "2, 5"
    )
    drop(window, folder, qtbot)
    line = grid.form.fields["window"].line
    assert (line.text(), line.isEnabled(), grid.form.fields["window_weighting"].line.text()) == (
        "3",
        False,
        "harmonic",
    )
    assert grid.form.held.text().startswith(
        "Contexts, window, window weighting, symmetric: fixed by the counts few"
    )
    for name, text in {"dim": "2, 4", "epochs": "1", "threads": "1"}.items():
        grid.form.write(name, text)
    qtbot.waitUntil(lambda: grid.plan is not None and len(grid.plan.runs) == 2)
    qtbot.mouseClick(grid.start, Qt.MouseButton.LeftButton)
    records = window.session.runs
    qtbot.waitUntil(lambda: len(records) == 2 and all(run.state.over for run in records))
    assert [(run.state, run.parameters["window"], run.parameters["dim"]) for run in records] == [
        (State.DONE, 3, 2),
        (State.DONE, 3, 4),
    ]
    grid.algorithm.choose("sgns")
    qtbot.waitUntil(lambda: "needs the text itself" in grid.fact.whole)
    # The grid that was chosen for a text is varied on the next text.
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    grid.algorithm.choose("glove")
    assert (
        grid.form.fields["window"].line.text(),
        grid.form.fields["window"].line.isEnabled(),
    ) == (
        "2, 5",
        True,
    )


def test_a_word_has_its_contexts_and_two_words_what_they_share(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    """Contexts come from the open counts, even if the active model was counted differently."""
    session = window.session
    params = MODELS["svd"].params_type.from_mapping(
        {"dim": 4, "window": 2, "min_count": 1, "threads": 1}
    )
    drop(window, folder, qtbot)
    session.selection.select([session.corpora.current.words[3]])
    inspector = panel(window, "inspector")
    assert isinstance(inspector, InspectorPanel)
    qtbot.waitUntil(lambda: bool(inspector.contexts.rows))
    note, section = inspector._sections["contexts"]
    assert " within 3 words" in note.text()
    assert not section.isHidden()
    assert inspector._sections["lines"][1].isHidden()
    row = open_counts(folder).shards.to_csr().toarray()[3]
    words = session.corpora.current.words
    best = inspector.contexts.rows[0]
    assert float(best.numbers[0]) == pytest.approx(row[words.index(best.text)], rel=1e-2)

    record = session.training.start(
        TrainingSpec(
            "svd", params.replace(window=3, window_weighting="harmonic"), counts=open_counts(folder)
        )
    )
    qtbot.waitUntil(lambda: record.state.over and session.active.embeddings is not None)
    shared = shared_in_text(session.corpora.current, session.active.embeddings, words[3], words[4])
    assert shared.counting is not None
    assert shared.counting.window == 3
    assert shared.number > 0


def test_a_run_is_trained_again_as_the_counts_were_made(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    """A run trained on a text with another window, and a run trained on the counts."""
    session = window.session
    session.corpora.current = small_corpus()
    params = MODELS["glove"].params_type.from_mapping(
        {"dim": 2, "epochs": 1, "threads": 1, "window": 7, "min_count": 1}
    )
    first = session.training.start(TrainingSpec("glove", params))
    qtbot.waitUntil(lambda: first.state.over)
    drop(window, folder, qtbot)
    offers: list[tuple[str, str, Callable[[], object], object]] = []
    window.context.bridge.offered.connect(lambda *offer: offers.append(offer))
    again = next(action for action in DOINGS if action.key == "run.again")
    again.run(RunTarget(window, window.context, [first]))
    ((text, button, train, _),) = offers
    assert text.endswith(
        "few is open. Settings fixed by the counts, such as the window, come from the counts."
    )
    assert button == "Train on few"
    train()
    second = session.runs[-1]
    qtbot.waitUntil(lambda: second.state.over)
    assert (second.state, second.parameters["window"], second.parameters["dim"]) == (
        State.DONE,
        3,
        2,
    )
    again.run(RunTarget(window, window.context, [second]))
    third = session.runs[-1]
    qtbot.waitUntil(lambda: third.state.over)
    assert third.parameters == second.parameters
    assert len(offers) == 1


def test_the_foot_and_empty_panels_say_what_can_be_trained(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    drop(window, folder, qtbot)
    able = "SVD, GloVe, Swivel, PMI-MF or SMF"
    qtbot.waitUntil(lambda: window.activity._text.whole == f"few is ready: train {able}")
    map_panel = panel(window, "map")
    assert isinstance(map_panel, Panel)
    assert map_panel._notice._hint.text().startswith(f"Train {able} from the open counts.")
    train = panel(window, "train")
    assert isinstance(train, TrainPanel)
    train.choose("sgns")
    why = {kind.key: train.why_not_with(kind) for kind in MODELS}
    assert "needs the text itself" in why["sgns"]
    assert why["glove"] == ""
    record = window.session.training.start(
        TrainingSpec(
            "svd",
            adapt_values(window.session.corpora.current, MODELS["svd"], {"dim": 2, "threads": 1}),
        )
    )
    qtbot.waitUntil(lambda: record.state.over)
    window.session.active.show(None)
    qtbot.waitUntil(
        lambda: window.activity._text.whole == f"Train {able}, or click a run to show it"
    )


def test_open_counts_are_saved_as_they_are(
    window: Window, folder: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(window, folder, qtbot)
    matrix = panel(window, "matrix")
    assert isinstance(matrix, MatrixPanel)
    dialog = matrix.save_counts()
    assert dialog is not None
    qtbot.addWidget(dialog)
    assert dialog.counting.fixed_values == {
        "window": 3,
        "window_weighting": "harmonic",
        "symmetric": True,
    }
    assert dialog.counting.held.text().startswith(
        "Window, window weighting, symmetric: fixed by the counts few"
    )
    dialog.counting.put(dialog.counting.values(), {"min_count": 1, "max_vocab": 30})
    dialog.save_counts(tmp_path / "counts.npz")
    qtbot.waitUntil(
        lambda: (tmp_path / "counts.npz").exists() and not window.session.jobs.busy("counts.export")
    )
    with np.load(tmp_path / "counts.npz", allow_pickle=False) as arrays:
        saved_matrix = sp.csr_matrix(
            (arrays["data"], arrays["indices"], arrays["indptr"]), shape=arrays["shape"]
        )
    np.testing.assert_array_equal(
        saved_matrix.toarray(), open_counts(folder).shards.to_csr().toarray()[:30, :30]
    )


def test_panels_show_counts_or_say_that_there_is_no_text(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    drop(window, folder, qtbot)
    corpus = panel(window, "corpus")
    assert isinstance(corpus, CorpusPanel)
    assert corpus.state == "body"
    assert "window 3, harmonic" in corpus._facts.text()
    lines = corpus.findChild(QPushButton, "corpus.lens.lines")
    assert lines is not None
    assert not lines.isEnabled()
    assert corpus.lenses.lens == "zipf"
    messages: list[str] = []
    window.session.message.connect(lambda text, hint, error: messages.append(text))
    window.session.requests.lines.emit("the", "")
    assert messages == ["few doesn’t contain any text."]
    for key, kind in (("pair", PairPanel), ("step", StepPanel)):
        empty_panel = panel(window, key)
        assert isinstance(empty_panel, kind)
        assert empty_panel.state == "empty"
        assert empty_panel._notice._title.text() == "Only counts are open"
    matrix = panel(window, "matrix")
    assert isinstance(matrix, MatrixPanel)
    qtbot.waitUntil(lambda: matrix.idle and matrix.view.board is not None)
