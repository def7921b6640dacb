"""The Learn panel with real clicks and keys: cards, progress, own lessons, the checklist."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot
from ui.windows import several_windows

from workbench.session.lessons import bundled_lessons, read_lesson
from workbench.session.lessons.progress import OWN_LESSONS, Course, Standing
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.commands.registry import by_key
from workbench.ui.panels.learn.lesson_card import LessonCard
from workbench.ui.panels.learn.panel import LearnPanel
from workbench.ui.panels.learn.teaching_page import PREPARED
from workbench.ui.panels.lessons.panel import LessonsPanel
from workbench.ui.shell.window import Window

LEFT = Qt.MouseButton.LeftButton
OWN = """# My lesson
level: beginner
minutes: 2
about: A lesson for a test.

## A step

Look.
"""


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[LearnPanel]:
    new_panel = LearnPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1100, 700)
    new_panel.show()
    new_panel.activateWindow()
    context.bridge.tick.emit()
    yield new_panel
    new_panel.release()


def card(panel: LearnPanel, key: str) -> LessonCard:
    return next(one for one in panel.lessons.cards if one.lesson.key == key)


def test_every_lesson_is_a_card_with_its_length_and_progress(
    panel: LearnPanel, context: PanelContext
) -> None:
    lessons, course = bundled_lessons(), Course(panel.session.settings)
    assert {one.lesson.key for one in panel.lessons.cards} == {one.key for one in lessons}
    first, second = lessons[:2]
    assert card(panel, first.key).progress == ""
    assert panel.lessons.resume.text() == f"Start: {first.title}"
    for at, step in enumerate(first.steps):
        if step.question is not None:
            course.predict(first, at, step.question.right)
    course.finish(first)
    course.go(second, 3)
    context.bridge.tick.emit()
    assert card(panel, first.key).progress == "✓ Done"
    assert card(panel, second.key).progress == f"Step 4 of {len(second.steps)}"
    assert panel.lessons.resume.text() == f"Continue: {second.title}"
    assert panel.lessons._summary.text().startswith(f"1 of {len(lessons)} lessons done")
    # A lesson that was done before and was started again is in progress.
    course.go(first, 1)
    context.bridge.tick.emit()
    assert card(panel, first.key).progress == f"Step 2 of {len(first.steps)}"
    assert first.title in card(panel, first.key).accessibleName()
    assert "Step 2" in card(panel, first.key).accessibleDescription()


def test_a_card_opens_its_lesson_and_the_lesson_goes_beside_the_cards(
    context: PanelContext, qtbot: QtBot
) -> None:
    with several_windows(context, qtbot) as open_window:
        window = open_window(False, QSize(1440, 900))
        assert by_key(PANELS)["view.workspace.learn"].action.keys == ("Ctrl+6",)
        qtbot.mouseClick(window.top.workspaces.buttons["learn"], LEFT)
        assert window.layouts.workspace == "learn"
        learn = window.docks["learn"].panel
        assert isinstance(learn, LearnPanel)
        qtbot.waitUntil(lambda: bool(learn.lessons.cards))
        assert not window.docks["lessons"].is_made
        qtbot.mouseClick(card(learn, "window"), LEFT)
        lessons = window.docks["lessons"].panel
        assert isinstance(lessons, LessonsPanel)
        assert lessons.lesson is not None
        assert lessons.lesson.key == "window"
        assert lessons.isVisible()
        assert learn.isVisible()
        # A second one takes its place.
        qtbot.mouseClick(card(learn, "bias"), LEFT)
        assert lessons.lesson.key == "bias"


def test_arrow_keys_walk_over_the_cards(panel: LearnPanel, qtbot: QtBot) -> None:
    opened: list[str] = []
    panel.session.requests.lesson.connect(opened.append)
    cards = panel.lessons.cards
    cards[0].setFocus()
    for key, to in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_Left, 0),
    ):
        qtbot.keyClick(QApplication.focusWidget(), key)
        assert cards[to].hasFocus()
    qtbot.keyClick(cards[0], Qt.Key.Key_Down)
    below = QApplication.focusWidget()
    assert isinstance(below, LessonCard)
    assert below.geometry().left() == cards[0].geometry().left()
    assert below is not cards[0]
    qtbot.keyClick(below, Qt.Key.Key_Up)
    assert cards[0].hasFocus()
    qtbot.keyClick(cards[0], Qt.Key.Key_Return)
    assert opened == [str(cards[0].lesson.path)]


def test_cards_fill_the_width_and_none_is_cut(panel: LearnPanel, context: PanelContext) -> None:
    for width, text in ((1100, 100), (600, 100), (320, 100), (1000, 150)):
        context.theme.choose_text_size(text)
        panel.resize(width, 700)
        QApplication.processEvents()
        for _, grid in panel.lessons._groups.values():
            assert all(one.geometry().right() <= grid.width() for one in grid.cards)
            for one in grid.cards:
                assert one.height() >= one.height_at(one.width())
            if len(grid.cards) > 1 and width > 900:
                assert grid.cards[1].y() == grid.cards[0].y()
            for one in grid.cards:
                overlap = [o for o in grid.cards if o is not one and o.geometry() & one.geometry()]
                assert not any((o.geometry() & one.geometry()).isValid() for o in overlap)
        assert panel.lessons.scrolled.horizontalScrollBar().maximum() == 0
    context.theme.choose_text_size(100)


def test_a_title_too_long_for_its_card_ends_in_an_ellipsis(
    panel: LearnPanel, context: PanelContext, tmp_path: Path
) -> None:
    title = "A long title of a lesson with very many words that never fit into a narrow card"
    path = tmp_path / "long.md"
    path.write_text(OWN.replace("My lesson", title), "utf-8")
    own = LessonCard(
        context.theme, read_lesson(path), Standing(done=False, started=False, step=1), "long"
    )
    shown = own._boxes(150).title.text
    assert shown.count("\n") == 2
    assert shown.endswith("…")
    assert own._boxes(2000).title.text == title


def test_own_lessons_come_first_and_wrong_ones_are_named_with_their_line(
    panel: LearnPanel, context: PanelContext, qtbot: QtBot, tmp_path: Path
) -> None:
    right, wrong = tmp_path / "mine.md", tmp_path / "wrong.md"
    right.write_text(OWN, "utf-8")
    wrong.write_text(OWN.replace("minutes: 2", "minutes: many"), "utf-8")
    panel.session.settings[OWN_LESSONS] = (str(right), str(wrong))
    context.bridge.tick.emit()
    assert panel.lessons.cards[0].lesson.title == "My lesson"

    def errors() -> list[str]:
        QApplication.processEvents()
        labels = panel.findChildren(QLabel)
        return [
            label.text()
            for label in labels
            if label.property("role") == "error" and label.isVisible()
        ]

    assert len(errors()) == 1
    assert "wrong.md, line 3" in errors()[0]
    # It is read again after it was corrected,
    wrong.write_text(OWN.replace("My lesson", "Another"), "utf-8")
    again = panel.findChild(QPushButton, "learn.lessons.again.0")
    assert again is not None
    qtbot.mouseClick(again, LEFT)
    assert errors() == []
    assert [one.lesson.title for one in panel.lessons.cards[:2]] == ["My lesson", "Another"]
    # or it is removed from the list, which can be undone.
    wrong.unlink()
    panel.lessons.refresh()
    assert len(errors()) == 1
    remove = [
        button
        for button in panel.findChildren(QPushButton, "learn.lessons.remove.0")
        if button.isVisible()
    ]
    qtbot.mouseClick(remove[0], LEFT)
    context.bridge.tick.emit()
    assert errors() == []
    assert panel.session.settings[OWN_LESSONS] == (str(right),)
    panel.session.undo.undo()
    assert panel.session.settings[OWN_LESSONS] == (str(right), str(wrong))


def test_the_checklist_is_kept(panel: LearnPanel, context: PanelContext, qtbot: QtBot) -> None:
    panel.show_page("teach")
    boxes = panel.teaching.boxes
    for key in ("session", "slides"):
        qtbot.mouseClick(boxes[key], LEFT, pos=boxes[key].rect().center())
    assert panel.session.settings[PREPARED] == ("session", "slides")
    assert panel.teaching._progress.text() == f"2 of {len(boxes)} done"
    another = LearnPanel(context)
    qtbot.addWidget(another)
    another.show_page("teach")
    assert [key for key, box in another.teaching.boxes.items() if box.isChecked()] == [
        "session",
        "slides",
    ]
    another.release()
    qtbot.mouseClick(panel.teaching.clear, LEFT)
    assert panel.session.settings[PREPARED] == ()
    assert not any(box.isChecked() for box in boxes.values())
    assert panel.teaching.clear.isHidden()


def test_every_button_for_teachers_runs_an_action_of_the_window(
    context: PanelContext, qtbot: QtBot
) -> None:
    window = Window(context, remembering=False)
    panel = window.docks["learn"].panel
    asked: list[str] = []
    context.bridge.action_requested.disconnect(window.commands.run)
    context.bridge.action_requested.connect(asked.append)
    for button in panel.findChildren(QPushButton):
        if button.objectName().startswith("learn.teach.do."):
            button.click()
    assert len(asked) >= 8
    assert set(asked) <= set(by_key(PANELS))
    context.bridge.action_requested.disconnect(asked.append)
    context.bridge.action_requested.connect(window.commands.run)
    window.close()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lesson", "Lessons"),
        ("tutorial", "Lessons"),
        ("worksheet", "Prepare a class"),
        ("handout", "Prepare a class"),
        ("class", "Prepare a class"),
    ],
)
def test_the_palette_finds_lessons_by_other_names(
    window: Window, qtbot: QtBot, typed: str, found: str
) -> None:
    window.open_palette()
    qtbot.keyClicks(window.palette_box.field, typed)
    model = window.palette_box.list.model()
    texts = [str(model.index(row, 0).data()) for row in range(min(model.rowCount(), 6))]
    assert any(found in text for text in texts), texts
    window.palette_box.close()


def test_the_menu_help_leads_to_both_pages(window: Window) -> None:
    for key, page in (("help.lessons", "lessons"), ("help.teaching", "teach")):
        window.layouts.show_workspace("explore")
        window.commands.run(key)
        assert window.layouts.workspace == "learn"
        learn = window.docks["learn"].panel
        assert isinstance(learn, LearnPanel)
        assert learn.instruments.current.local == page
