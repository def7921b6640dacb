"""Words with scores: their format, selecting and activating them, and clipped words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.ui.base.panel import PanelContext
from workbench.ui.widgets.tables.score_list import ScoreFlow, ScoreList, shown_score

WORDS = ("queen", "policewoman", "niece", "heroine")
SCORES = (0.98, 0.84, 0.83, -0.2)


@pytest.fixture
def scores(context: PanelContext, qtbot: QtBot) -> ScoreList:
    new_list = ScoreList(context.theme)
    qtbot.addWidget(new_list)
    new_list.resize(260, 300)
    new_list.set_scores(WORDS, SCORES)
    new_list.show()
    return new_list


def click(qtbot: QtBot, scores: ScoreList, row: int) -> None:
    place = scores.visualRect(scores.model().index(row, 0)).center()
    qtbot.mouseClick(scores.viewport(), Qt.MouseButton.LeftButton, pos=place)


def double_click(qtbot: QtBot, scores: ScoreList, row: int) -> None:
    click(qtbot, scores, row)
    place = scores.visualRect(scores.model().index(row, 0)).center()
    qtbot.mouseDClick(scores.viewport(), Qt.MouseButton.LeftButton, pos=place)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.7134, ".71"),
        (1.0, "1.00"),
        (-0.2, "−.20"),
        (-0.001, ".00"),
        (1.234, "1.23"),
        (-1.5, "−1.50"),
        (0.999, "1.00"),
    ],
)
def test_scores_are_written_with_two_digits(score: float, text: str) -> None:
    assert shown_score(score) == text


def test_a_click_picks_and_a_double_click_activates(scores: ScoreList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(scores.picked) as pick:
        click(qtbot, scores, 2)
    assert pick.args == ["niece"]
    with qtbot.waitSignal(scores.double_clicked) as activation:
        double_click(qtbot, scores, 1)
    assert activation.args == ["policewoman"]


def test_arrows_walk_and_return_opens(scores: ScoreList, qtbot: QtBot) -> None:
    signals: list[str] = []
    scores.picked.connect(signals.append)
    scores.opened.connect(lambda word: signals.append(f"open {word}"))
    scores.setFocus()
    click(qtbot, scores, 0)
    qtbot.keyClick(scores, Qt.Key.Key_Down)
    qtbot.keyClick(scores, Qt.Key.Key_Down)
    qtbot.keyClick(scores, Qt.Key.Key_Up)
    qtbot.keyClick(scores, Qt.Key.Key_Return)
    assert signals == ["queen", "policewoman", "niece", "policewoman", "open policewoman"]


def test_new_scores_keep_the_current_word_without_telling(scores: ScoreList) -> None:
    picks: list[str] = []
    scores.picked.connect(picks.append)
    scores.set_scores(WORDS[::-1], SCORES, "queen")
    assert scores.currentIndex().row() == 3
    scores.set_scores(("other",), (0.5,), "queen")
    assert not scores.currentIndex().isValid()
    assert picks == []


def test_a_flowing_list_shows_whole_words_only(context: PanelContext, qtbot: QtBot) -> None:
    flow = ScoreFlow(context.theme)
    qtbot.addWidget(flow)
    flow.set_scores(WORDS, SCORES)
    flow.resize(1000, 60)
    flow.show()
    assert not any(flow.isColumnHidden(at) for at in range(4))
    wide = sum(flow.columnWidth(at) for at in range(2))
    flow.resize(wide + 10, 60)
    until(qtbot, lambda: [flow.isColumnHidden(at) for at in range(4)] == [False, False, True, True])
    flow.resize(20, 60)
    until(qtbot, lambda: [flow.isColumnHidden(at) for at in range(4)] == [False, True, True, True])
    flow.resize(1000, 60)
    until(qtbot, lambda: not flow.isColumnHidden(3))
