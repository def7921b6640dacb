"""Where the keyboard is: in a control that shows it, whenever a panel was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from ui.fakes import without_umap
from ui.toy import look_at, toy_corpus, toy_model

from workbench.ui.panel import PANELS, PanelContext
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


@pytest.fixture
def window(context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    without_umap(context.session)
    context.session.corpus = toy_corpus()
    made = Window(context, remembering=False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitActive(made)
    yield made
    made.close()


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_a_panel_that_is_asked_for_has_the_keyboard_in_a_control(window: Window, qtbot: QtBot) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    for key in sorted(PANELS.keys()):
        window.raise_panel(key)
        found = focused()
        assert window.panel_of(found) == key
        panel = window.docks[key].panel
        # A low strip that is empty has nothing to press.
        assert found is not panel or panel.state == "empty"
        assert found.isVisible()
    window.raise_panel("map")
    assert focused().objectName() == "map.view"


def test_what_has_the_keyboard_in_a_panel_keeps_it(window: Window, qtbot: QtBot) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    window.raise_panel("map")
    search = window.findChild(QWidget, "map.search")
    assert search is not None
    search.setFocus()
    window.raise_panel("map")
    assert focused() is search


def test_an_empty_panel_gives_it_to_the_button_of_what_comes_first(window: Window) -> None:
    window.raise_panel("theory")
    assert focused().objectName() == "theory.notice.action"


def test_after_the_tour_it_is_in_the_last_panel(window: Window, qtbot: QtBot) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    window.raise_panel("map")
    window.guide.start_tour()
    tour = window.guide.tour
    while tour.running:
        tour.next()
    assert window.panel_of(focused()) == "theory"


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
    # Return goes on.
    assert window.focusWidget() is panel.page.onward


@pytest.mark.parametrize("name", ["runs.table.filter", "corpus.filter"])
def test_escape_clears_a_filter_before_the_selection(window: Window, qtbot: QtBot, name: str) -> None:
    look_at(window.session, toy_model())
    qtbot.waitUntil(lambda: window.idle)
    window.raise_panel(name.partition(".")[0])
    window.session.select(["king"])
    field = window.findChild(QLineEdit, name)
    assert field is not None
    qtbot.waitUntil(field.isVisible)
    field.setFocus()
    qtbot.keyClicks(field, "kin")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert window.session.selection == ("king",)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.session.selection == ()


def test_escape_leaves_training_on_before_the_selection(window: Window, qtbot: QtBot) -> None:
    window.session.select(["king"])
    on = TrainOn(window.context.theme, window)
    field = QLineEdit(on)
    on.show()
    field.show()
    field.setFocus()
    with qtbot.waitSignal(on.left):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.session.selection == ("king",)
