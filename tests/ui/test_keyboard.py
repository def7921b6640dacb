"""Opening a panel gives the keyboard focus to a control that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_corpus, toy_model

from workbench.session.lessons.progress import OWN_LESSONS
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.panels.corpus.panel import CorpusPanel
from workbench.ui.panels.lessons.panel import LessonsPanel
from workbench.ui.panels.train.continuation import TrainOn
from workbench.ui.shell.window import Window

LESSON = """# Looking about
level: beginner
minutes: 1
about: A lesson for a test.
source: Nobody, *nowhere*.

## Elsewhere

Look there.

```do
open town.txt
show matrix
```

```claims
tokens = tokens() > 1
```
"""

QUESTION = """```predict
What comes next?
- the moon
+ something else
```

```reveal
It is not the moon.
```
"""


@pytest.fixture
def window(context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    context.session.corpora.current = toy_corpus()
    new_window = Window(context, remembering=False)
    qtbot.addWidget(new_window)
    new_window.show()
    qtbot.waitActive(new_window)
    yield new_window
    new_window.close()


def focus_widget() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_a_panel_that_is_asked_for_has_the_keyboard_in_a_control(
    window: Window, qtbot: QtBot
) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    for key in sorted(PANELS.keys()):
        window.raise_panel(key)
        widget = focus_widget()
        assert window.panel_of(widget) == key
        panel = window.docks[key].panel
        # An empty panel in a low strip has no button to focus.
        assert widget is not panel or panel.state == "empty"
        assert widget.isVisible()
    window.raise_panel("map")
    assert focus_widget().objectName() == "map.view"


def test_what_has_the_keyboard_in_a_panel_keeps_it(window: Window, qtbot: QtBot) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    window.raise_panel("map")
    search = window.findChild(QWidget, "map.search")
    assert search is not None
    search.setFocus()
    window.raise_panel("map")
    assert focus_widget() is search


def test_an_empty_panel_gives_it_to_the_button_of_what_comes_first(window: Window) -> None:
    window.raise_panel("theory")
    assert focus_widget().objectName() == "theory.notice.action"


def test_after_the_tour_it_is_in_the_last_panel(window: Window, qtbot: QtBot) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    window.raise_panel("map")
    window.guide.start_tour()
    tour = window.guide.tour
    while tour.running:
        tour.next()
    assert window.panel_of(focus_widget()) == "learn"


def test_a_lesson_leaves_it_with_the_reader(window: Window, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "town.txt").write_text("the cat saw the dog\n" * 9, "utf-8")
    path = tmp_path / "looking.md"
    path.write_text(LESSON, "utf-8")
    window.raise_panel("lessons")
    panel = window.docks["lessons"].panel
    assert isinstance(panel, LessonsPanel)
    panel.open_file(path)
    panel.page.act.setFocus()
    panel.page.act.click()
    qtbot.waitUntil(lambda: panel.idle and panel.page.act.text() == "Do it again")
    assert not window.docks["matrix"].visibleRegion().isEmpty()
    # Return continues.
    assert window.focusWidget() is panel.page.onward


@pytest.fixture
def lessons(window: Window, tmp_path: Path) -> LessonsPanel:
    """The panel with the list of lessons, which includes two of the reader's own."""
    (tmp_path / "town.txt").write_text("the cat saw the dog\n" * 9, "utf-8")
    for name, text in {
        "looking": LESSON,
        "asking": LESSON.replace("```do", QUESTION + "\n```do"),
    }.items():
        (tmp_path / f"{name}.md").write_text(text.replace("Looking about", name), "utf-8")
    window.session.settings[OWN_LESSONS] = tuple(
        str(tmp_path / f"{name}.md") for name in ("looking", "asking")
    )
    window.raise_panel("lessons")
    panel = window.docks["lessons"].panel
    assert isinstance(panel, LessonsPanel)
    return panel


@pytest.mark.parametrize(("at", "name"), [(0, "lessons.do"), (1, "lessons.answer.0")])
def test_a_lesson_that_is_clicked_begins_at_what_is_to_be_done(
    lessons: LessonsPanel, qtbot: QtBot, at: int, name: str
) -> None:
    rows = lessons.findChild(QTableView, "lessons.list.yours")
    assert rows is not None
    assert rows.model().rowCount() == 2
    place = rows.visualRect(rows.model().index(at, 0)).center()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert lessons.lesson is not None
    assert focus_widget().objectName() == name


def test_a_lesson_that_is_opened_from_elsewhere_leaves_the_keyboard_there(
    lessons: LessonsPanel, window: Window, tmp_path: Path
) -> None:
    window.raise_panel("map")
    before = focus_widget()
    lessons.open_file(tmp_path / "looking.md")
    assert lessons.lesson is not None
    assert focus_widget() is before


def test_a_lesson_that_is_left_leaves_the_keyboard_in_the_panel(
    lessons: LessonsPanel, window: Window, tmp_path: Path, qtbot: QtBot
) -> None:
    lessons.open_file(tmp_path / "looking.md")
    qtbot.keyClick(lessons.page.all, Qt.Key.Key_Space)
    assert lessons.lesson is None
    assert window.panel_of(focus_widget()) == "lessons"
    assert focus_widget().isVisible()


def test_reading_a_text_again_keeps_the_keyboard_in_the_panel(
    window: Window, tmp_path: Path, qtbot: QtBot
) -> None:
    def keeps_focus() -> bool:
        # The focus of the window, which needn't be in front while a text is read.
        widget = window.focusWidget()
        return (
            window.panel_of(widget) == "corpus"
            and widget.isVisible()
            and not isinstance(widget, CorpusPanel)
        )

    path = tmp_path / "animals.txt"
    path.write_text("The cat saw the dog.\nThe dog saw the Cat.\n", "utf-8")
    window.raise_panel("corpus")
    window.session.corpora.open([path])
    assert keeps_focus()
    qtbot.waitUntil(lambda: window.session.corpora.opening is None)
    assert keeps_focus()
    tokeniser = window.findChild(QComboBox, "corpus.option.tokeniser")
    again = window.findChild(QPushButton, "corpus.again")
    assert tokeniser is not None
    assert again is not None
    tokeniser.setCurrentText("whitespace")
    again.setFocus()
    qtbot.keyClick(again, Qt.Key.Key_Space)
    assert keeps_focus()
    qtbot.waitUntil(lambda: window.session.corpora.opening is None)
    assert not again.isVisible()
    assert keeps_focus()


@pytest.mark.parametrize("way", ["hidden", "disabled"])
def test_a_control_that_goes_leaves_the_keyboard_in_its_panel(
    window: Window, qtbot: QtBot, way: str
) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    for key in sorted(PANELS.keys()):
        window.raise_panel(key)
        # Include the last control of the panel, after which Qt continues in another panel.
        for control in window.docks[key].panel.findChildren(QPushButton):
            if control.isVisible() and control.isEnabled():
                control.setFocus()
                if control.hasFocus():
                    control.setVisible(way != "hidden")
                    control.setEnabled(way != "disabled")
                    assert window.panel_of(focus_widget()) == key, control.objectName()
                    control.setVisible(True)
                    control.setEnabled(True)


@pytest.mark.parametrize("name", ["runs.table.filter", "corpus.filter"])
def test_escape_clears_a_filter_before_the_selection(
    window: Window, qtbot: QtBot, name: str
) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    window.raise_panel(name.partition(".")[0])
    window.session.selection.select(["king"])
    field = window.findChild(QLineEdit, name)
    assert field is not None
    qtbot.waitUntil(field.isVisible)
    field.setFocus()
    qtbot.keyClicks(field, "kin")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert window.session.selection.words == ("king",)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.session.selection.words == ()


def test_escape_leaves_training_on_before_the_selection(window: Window, qtbot: QtBot) -> None:
    window.session.selection.select(["king"])
    on = TrainOn(window.context.theme, window)
    field = QLineEdit(on)
    on.show()
    field.show()
    field.setFocus()
    with qtbot.waitSignal(on.left):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.session.selection.words == ("king",)
