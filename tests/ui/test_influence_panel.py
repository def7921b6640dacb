"""The panel that ranks lines by their push on a number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.test_teach_panel import TEXT, record_of
from ui.windows import shown_panel

from workbench.analysis.influence.line_influence import influence
from workbench.analysis.influence.quantities import cosine_of
from workbench.analysis.rows.still_model import hold_still
from workbench.core.job_control import JobControl
from workbench.core.paths import settings_folder
from workbench.models.base import MODELS
from workbench.session.session import Session
from workbench.session.training.left_out import LEFT_OUT, train_again
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.influence.figure import MOST
from workbench.ui.panels.influence.panel import InfluencePanel, InfluenceState


@pytest.fixture
def panel(context: PanelContext, session: Session, qtbot: QtBot) -> Iterator[InfluencePanel]:
    session.corpora.current = TEXT
    session.corpora.changed.emit()
    session.active.show(record_of(session, "svd"))
    with shown_panel("influence", context, qtbot) as shown:
        assert isinstance(shown, InfluencePanel)
        yield shown


def asked(panel: InfluencePanel, qtbot: QtBot, text: str) -> None:
    panel.words.setText(text)
    qtbot.keyClick(panel.words, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.idle, timeout=60_000)


def test_lines_are_ranked_and_left_out_as_the_analysis_says(
    panel: InfluencePanel, qtbot: QtBot
) -> None:
    asked(panel, qtbot, "w07 w03")
    model = panel.session.active.trained
    assert model is not None
    expected = influence(hold_still(model, TEXT), cosine_of(model, "w07", "w03"))
    strongest = expected.order[:5]
    assert [row.line for row in panel.lines.rows[:5]] == expected.lines[strongest].tolist()
    assert [row.push for row in panel.lines.rows[:5]] == pytest.approx(
        expected.pushes[strongest].tolist()
    )
    assert panel.why_not_train()
    panel.lines.setFocus()
    panel.lines.pick(0)
    qtbot.keyClick(panel.lines, Qt.Key.Key_Space)
    panel.lines.toggle_row(2)
    qtbot.waitUntil(lambda: panel.idle)
    ticked = sorted(panel.lines.rows[at].line for at in (0, 2))
    assert panel.lines.ticked.tolist() == ticked
    assert panel._predicted == pytest.approx(expected.without(ticked))
    rows = list(csv.DictReader(io.StringIO(panel.table())))
    assert [int(row["line"]) - 1 for row in rows[:5]] == expected.lines[strongest].tolist()
    panel.clear.click()
    assert not len(panel.lines.ticked)
    panel.number.setValue(7)
    panel.sign.setCurrentIndex(1)
    panel.tick.click()
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.lines.ticked.tolist() == sorted(expected.strongest(7, -1).tolist())


@pytest.mark.parametrize("algorithm", ["svd", "sgns"])
def test_training_again_shows_the_true_value_and_makes_a_run(
    panel: InfluencePanel, session: Session, algorithm: str, qtbot: QtBot
) -> None:
    if algorithm == "sgns":
        session.active.show(record_of(session, "sgns", epochs=1, threads=1))
    asked(panel, qtbot, "w07 w03")
    panel.tick.click()
    qtbot.waitUntil(lambda: panel.idle and panel._predicted is not None)
    lines, active = panel.lines.ticked, session.active.run
    assert active is not None
    predicted = panel._predicted
    panel.again.click()
    # Other lines are ticked meanwhile: the result says which lines it is about.
    panel.lines.tick(lines[:1].tolist())
    qtbot.waitUntil(lambda: bool(panel.tests) and panel.idle, timeout=180_000)
    assert panel.prediction.text().startswith("cosine of w07 and w03 without 20 lines, trained")
    test = panel.tests[0]
    assert panel.ranked is not None
    found = panel.ranked.found
    assert predicted is not None
    assert test.predicted == pytest.approx(predicted - found.value)
    params = MODELS[algorithm].params_type.from_mapping(dict(active.parameters))
    again, _ = train_again(
        TEXT, algorithm, params, found.quantity, found.edges, lines, JobControl()
    )
    assert test.true == pytest.approx(again.change, abs=1e-5)
    assert np.isfinite(test.true)
    assert np.isfinite(test.spread) == (algorithm == "sgns")
    assert panel.chart.isVisible()
    # The run is in the list; the one that was asked about stays active.
    assert session.active.run is active
    made = session.runs[-1].embeddings
    assert made is not None
    assert made.metadata[LEFT_OUT]["lines"] == len(lines)
    assert float(panel.tests_table().splitlines()[1].split(",")[4]) == pytest.approx(test.true)
    session.active.show(session.runs[-1])
    assert "wasn’t trained on the whole" in panel.result.notice.title


def test_each_problem_gets_one_sentence(
    panel: InfluencePanel, session: Session, qtbot: QtBot
) -> None:
    assert panel.result.notice.title == "Which number?"
    for text, expected in (
        ("w07", "A number is named by two words, by three, or by four sets of words."),
        ("w07 w07", "The cosine of “w07” with itself is always 1."),
        ("w07 nobody", "“nobody”"),
        ("w01; w02; ; w04", "An association needs words in all four sets"),
    ):
        asked(panel, qtbot, text)
        assert expected in panel.result.notice.title
        assert panel.table() == ""
    panel.unit.setCurrentIndex(1)
    asked(panel, qtbot, "w07 w03")
    assert panel.result.notice.title == f"The files of {TEXT.name} aren’t known."
    session.corpora.current = None
    session.corpora.changed.emit()
    assert panel.result.notice.title == "No counts to compare"


def test_numbers_of_three_words_and_of_four_sets_are_named_by_other_panels(
    panel: InfluencePanel, session: Session, qtbot: QtBot
) -> None:
    model = session.active.trained
    assert model is not None
    # In a text without structure, some vectors are zero.
    a, b, c, d, e, f = [
        word for word, norm in zip(model.words, model.norms, strict=True) if norm > 0
    ][:6]
    for words, start in (
        ((a, b, c), f"{a} − {b} + {c}: margin of"),
        ((f"{a}, {b}", f"{c}, {d}", e, f), "effect size of an association"),
    ):
        panel.rank(words)
        qtbot.waitUntil(lambda: panel.idle, timeout=60_000)
        assert panel.fact.text().startswith(start), panel.result.notice.title
    session.selection.select([a, b])
    panel.rank_selected()
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.fact.text().startswith(f"cosine of {a} and {b}")


def test_the_lines_are_saved_as_a_figure(
    panel: InfluencePanel, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not panel.exporters()
    asked(panel, qtbot, "w07 w03")
    panel.lines_export.save(tmp_path / "lines.svg")
    # A sign that the text's font lacks is a text of its own, in another font.
    texts = ElementTree.parse(tmp_path / "lines.svg").getroot().itertext()
    figure = "".join(text.strip("\n") for text in texts)
    for row in panel.lines.rows[:MOST]:
        assert f"{row.line + 1:,}{row.format_push(row.push)}" in figure
    assert "cosine of w07 and w03" in figure
    panel.lines_export.save(tmp_path / "lines.csv")
    assert len((tmp_path / "lines.csv").read_text("utf-8-sig").splitlines()) > MOST


def test_what_was_typed_is_part_of_the_state(panel: InfluencePanel, qtbot: QtBot) -> None:
    asked(panel, qtbot, "w07 w03")
    panel.number.setValue(7)
    kept = panel.view_state.to_json()
    panel.view_state = InfluenceState()
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.words.text() == ""
    panel.view_state = InfluenceState().with_json(kept)
    qtbot.waitUntil(lambda: panel.idle, timeout=60_000)
    assert (panel.words.text(), panel.number.value()) == ("w07 w03", 7)
    assert panel.fact.text().startswith("cosine of w07 and w03")


def test_each_letter_is_saved_and_return_asks(
    panel: InfluencePanel, context: PanelContext, qtbot: QtBot
) -> None:
    """A crash loses no letters; half a word is no question."""
    qtbot.keyClicks(panel.words, "w07 w0")
    path = settings_folder() / "settings.json"
    qtbot.waitUntil(lambda: path.exists() and '"w07 w0"' in path.read_text("utf-8"))
    assert panel.idle
    assert panel.ranked is None
    assert panel.result.notice.kind != "error"
    with shown_panel("influence", context, qtbot) as again:
        assert isinstance(again, InfluencePanel)
        assert again.words.text() == "w07 w0"
    qtbot.keyClicks(panel.words, "3")
    qtbot.keyClick(panel.words, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.ranked is not None, timeout=60_000)
