"""Words with scores: their format, selecting and activating them, and clipped words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.ui.panel import PanelContext
from workbench.ui.widgets.tables.score_list import ScoreFlow, ScoreList, shown_score

WORDS = ("queen", "policewoman", "niece", "heroine")
SCORES = (0.98, 0.84, 0.83, -0.2)


@pytest.fixture
def made(context: PanelContext, qtbot: QtBot) -> ScoreList:
    made = ScoreList(context.theme)
    qtbot.addWidget(made)
    made.resize(260, 300)
    made.set_scores(WORDS, SCORES)
    made.show()
    return made


def click(qtbot: QtBot, made: ScoreList, row: int) -> None:
    place = made.visualRect(made.model().index(row, 0)).center()
    qtbot.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, pos=place)


def double_click(qtbot: QtBot, made: ScoreList, row: int) -> None:
    click(qtbot, made, row)
    place = made.visualRect(made.model().index(row, 0)).center()
    qtbot.mouseDClick(made.viewport(), Qt.MouseButton.LeftButton, pos=place)


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


def test_a_click_picks_and_a_double_click_activates(made: ScoreList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(made.picked) as picked:
        click(qtbot, made, 2)
    assert picked.args == ["niece"]
    with qtbot.waitSignal(made.double_clicked) as activated:
        double_click(qtbot, made, 1)
    assert activated.args == ["policewoman"]


def test_arrows_walk_and_return_opens(made: ScoreList, qtbot: QtBot) -> None:
    heard: list[str] = []
    made.picked.connect(heard.append)
    made.opened.connect(lambda word: heard.append(f"open {word}"))
    made.setFocus()
    click(qtbot, made, 0)
    qtbot.keyClick(made, Qt.Key.Key_Down)
    qtbot.keyClick(made, Qt.Key.Key_Down)
    qtbot.keyClick(made, Qt.Key.Key_Up)
    qtbot.keyClick(made, Qt.Key.Key_Return)
    assert heard == ["queen", "policewoman", "niece", "policewoman", "open policewoman"]


def test_new_scores_keep_the_current_word_without_telling(made: ScoreList) -> None:
    heard: list[str] = []
    made.picked.connect(heard.append)
    made.set_scores(WORDS[::-1], SCORES, "queen")
    assert made.currentIndex().row() == 3
    made.set_scores(("other",), (0.5,), "queen")
    assert not made.currentIndex().isValid()
    assert heard == []


def test_a_flowing_list_shows_whole_words_only(context: PanelContext, qtbot: QtBot) -> None:
    made = ScoreFlow(context.theme)
    qtbot.addWidget(made)
    made.set_scores(WORDS, SCORES)
    made.resize(1000, 60)
    made.show()
    assert not any(made.isColumnHidden(at) for at in range(4))
    wide = sum(made.columnWidth(at) for at in range(2))
    made.resize(wide + 10, 60)
    until(qtbot, lambda: [made.isColumnHidden(at) for at in range(4)] == [False, False, True, True])
    made.resize(20, 60)
    until(qtbot, lambda: [made.isColumnHidden(at) for at in range(4)] == [False, True, True, True])
    made.resize(1000, 60)
    until(qtbot, lambda: not made.isColumnHidden(3))
