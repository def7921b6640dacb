"""Pages of panels, opened by name, and the keyboard focus afterwards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.ui.base.action import Choices
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.window import Window


def front_titles(panel: QWidget) -> set[str]:
    """Texts of the checked buttons and of the current tabs in a panel."""
    buttons = {
        one.text()
        for one in panel.findChildren(QAbstractButton)
        if one.isCheckable() and one.isChecked()
    }
    return buttons | {bar.tabText(bar.currentIndex()) for bar in panel.findChildren(QTabBar)}


def test_every_page_is_brought_to_the_front(window: Window) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()
    for key in [kind.key for kind in PANELS]:
        panel = window.docks[key].panel
        pages = panel.offered_pages()
        titles = {page.title for page in pages}
        assert len({page.key for page in pages}) == len(titles) == len(pages), key
        for page in [*pages, *pages[:1]]:
            window.raise_page(key, page.key)
            assert not window.docks[key].visibleRegion().isEmpty(), page
            assert page.title in front_titles(panel), page
            assert not (titles - {page.title}) & front_titles(panel), page


def test_rows_of_pages_offer_them(window: Window, qtbot: QtBot) -> None:
    with_pages = {key for key, dock in window.docks.items() if dock.panel.offered_pages()}
    assert {"evaluate", "theory", "weights", "inside", "compare", "runs", "relations"} <= with_pages


def test_a_page_is_found_in_the_palette(window: Window, qtbot: QtBot) -> None:
    window.open_palette("odd one")
    # The panel hasn't been shown yet, and searching for a page doesn’t build it.
    assert not window.docks["evaluate"].is_made
    current = window.palette_box.current
    assert current is not None
    assert current.text == "Go to Evaluate: Odd one out"
    qtbot.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    panel = window.docks["evaluate"].panel
    assert "Odd one out" in front_titles(panel)
    assert panel.isAncestorOf(QApplication.focusWidget() or window)


def test_pages_stand_in_the_menu(window: Window, qtbot: QtBot) -> None:
    declaration = window.commands.declaration("view.page")
    assert isinstance(declaration, Choices)
    texts = [entry.text for entry in window.commands.entries("view.page")]
    assert "Theory: By dimension" in texts
    assert "Runs: Queue" in texts


def test_the_page_in_front_has_the_keyboard_not_the_first(window: Window, qtbot: QtBot) -> None:
    window.top.search.setFocus()
    window.raise_page("runs", "queue")
    focus = QApplication.focusWidget()
    assert isinstance(focus, QAbstractButton)
    assert focus.text() == "Queue"


@pytest.mark.parametrize("command", ["runs.plan", "runs.queue"])
def test_an_action_whose_panel_covers_the_focus_takes_it(
    command: str, window: Window, qtbot: QtBot
) -> None:
    window.raise_panel("corpus")
    assert window.panel_of(QApplication.focusWidget()) == "corpus"
    window.commands.run(command)
    assert window.panel_of(QApplication.focusWidget()) == "runs"


def test_an_action_leaves_the_focus_that_stays_in_sight(window: Window, qtbot: QtBot) -> None:
    window.top.search.setFocus()
    window.commands.run("runs.queue")
    assert QApplication.focusWidget() is window.top.search
