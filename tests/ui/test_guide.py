"""The first minute: the welcome, the tour, presenting, and the dialogs of Help, with real clicks
and keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QCursor, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.core import logs, version_info
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.help.help_features import Guide, guide_of
from workbench.ui.shell.help.tour import stops
from workbench.ui.shell.help.welcome import is_first_start
from workbench.ui.shell.hidden_controls import controls_of
from workbench.ui.shell.messages.bubble import Bubble, BubbleButton
from workbench.ui.shell.window import Window
from workbench.ui.shell.workspaces import WORKSPACES
from workbench.ui.widgets.tables.data_table import DataTable


@pytest.fixture
def window(window: Window) -> Window:
    """A window in front, large enough for bubbles."""
    window.resize(1280, 800)
    window.activateWindow()
    return window


@pytest.fixture
def guide(window: Window, context: PanelContext) -> Guide:
    return guide_of(window, context)


def child(parent: QWidget, name: str, kind: type[QWidget] = QWidget) -> QWidget:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def click(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def on_window(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def bubble_title(bubble: Bubble) -> str:
    return child(bubble, f"{bubble.objectName()}.title", QLabel).text()  # type: ignore[attr-defined]


def train(window: Window, qtbot: QtBot) -> None:
    """Train the first algorithm on the text that opens by itself."""
    click(qtbot, child(window, "window.train", QPushButton))
    qtbot.waitUntil(lambda: bool(window.session.runs) and window.session.runs[-1].state.over)


def open_text(window: Window) -> None:
    window.session.corpora.current = small_corpus(
        text="the cat saw the dog and the dog saw the cat " * 20
    )
    window.session.corpora.changed.emit()


# -- the welcome


def test_the_welcome_points_at_train_until_it_was_pressed_and_then_offers_the_tour(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    assert is_first_start(window.session)
    before = window.panel_of(QApplication.focusWidget())
    guide.welcome_first()
    assert guide.welcome is not None
    bubble, button = guide.welcome.bubble, child(window, "window.train", QPushButton)
    qtbot.waitUntil(bubble.isVisible)
    assert bubble_title(bubble) == "In a moment: press Train"
    # If the window is closed now, the next start welcomes again.
    assert is_first_start(window.session)
    open_text(window)
    qtbot.waitUntil(lambda: bubble_title(bubble) == "Press Train")
    assert bubble.target is button
    assert on_window(bubble.ring, window).contains(on_window(button, window))
    assert not on_window(bubble, window).intersects(on_window(button, window))
    # The bubble is below the header and covers no workspace button.
    evaluate = child(window, "window.workspace.evaluate")
    assert not on_window(bubble, window).intersects(on_window(evaluate, window))
    # The bubble takes neither the focus nor clicks on other widgets, and appears only once.
    assert before
    assert window.panel_of(QApplication.focusWidget()) == before
    # While the settings are visible, the bubble points at the button below them.
    click(qtbot, child(window, "window.workspace.train"))
    qtbot.waitUntil(lambda: bubble.target is window.findChild(QPushButton, "train.start"))
    click(qtbot, child(window, "window.workspace.explore"))
    qtbot.waitUntil(lambda: bubble.target is button)
    assert not is_first_start(window.session)
    # The bubble mentions the open text.
    texts = " ".join(label.text() for label in bubble.findChildren(QLabel))
    assert window.session.corpora.current is not None
    assert window.session.corpora.current.name in texts
    assert "king" not in texts
    click(qtbot, button)
    qtbot.waitUntil(lambda: not bubble.isVisible())
    message = window.activity.message
    qtbot.waitUntil(lambda: "short tour" in message.text)
    click(qtbot, child(window, "activity.message.action", QPushButton))
    assert guide.tour.running
    guide.tour.end()


def test_the_tour_is_offered_until_another_panel_is_in_front(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    """Otherwise, the offer would cover a corner of each panel."""
    guide.welcome_first()
    assert guide.welcome is not None
    bubble = guide.welcome.bubble
    open_text(window)
    qtbot.waitUntil(lambda: bubble.target is not None and bubble_title(bubble) == "Press Train")
    click(qtbot, child(window, "window.train", QPushButton))
    message = window.activity.message
    qtbot.waitUntil(lambda: message.isVisible() and "short tour" in message.text)
    window.context.bridge.pump()
    assert message.isVisible()
    click(qtbot, child(window, "window.workspace.train"))
    qtbot.waitUntil(message.isHidden)


def test_the_welcome_promises_nothing_where_no_text_could_be_opened(
    window: Window, guide: Guide, qtbot: QtBot, tmp_path: Path
) -> None:
    guide.welcome_first()
    assert guide.welcome is not None
    bubble = guide.welcome.bubble
    qtbot.waitUntil(bubble.isVisible)
    window.session.corpora.open([tmp_path / "missing.txt"])
    window.context.bridge.pump()
    qtbot.waitUntil(lambda: window.session.corpora.opening is None)
    qtbot.waitUntil(lambda: not bubble.isVisible())
    open_text(window)
    qtbot.waitUntil(lambda: bubble.isVisible() and bubble_title(bubble) == "Press Train")


def test_the_welcome_goes_when_it_is_closed(window: Window, guide: Guide, qtbot: QtBot) -> None:
    guide.welcome_first()
    assert guide.welcome is not None
    bubble = guide.welcome.bubble
    qtbot.waitUntil(bubble.isVisible)
    click(qtbot, child(bubble, "welcome.close"))
    assert not bubble.isVisible()
    assert not is_first_start(window.session)
    open_text(window)
    window.context.bridge.pump()
    assert not bubble.isVisible()


# -- the tour


def test_the_file_of_the_tour_names_panels_and_widgets_that_are_there(window: Window) -> None:
    assert 5 <= len(stops()) <= 8
    for stop in stops():
        assert stop.panel in ("", *PANELS.keys())
        assert stop.title
        assert 40 < len(stop.text) < 260
        window.panels  # noqa: B018 - makes them
        assert any(window.findChild(QWidget, name) is not None for name in stop.widgets), (
            stop.widgets
        )


def test_the_tour_walks_by_keys_through_all_stops_and_back(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    open_text(window)
    guide.start_tour()
    bubble = guide.tour.bubble
    for number, stop in enumerate(stops(), 1):
        assert bubble_title(bubble) == stop.title
        assert child(bubble, "tour.count", QLabel).text().startswith(f"{number} of {len(stops())} ")  # type: ignore[attr-defined]
        assert bubble.isVisible()
        target = bubble.target
        assert target is not None
        assert target.objectName() in stop.widgets
        assert target.isVisible()
        assert window.rect().contains(on_window(bubble, window)), stop.title
        focus = QApplication.focusWidget()
        assert focus is not None
        assert focus.objectName() == "tour.next"
        # The text is read aloud.
        interface = QAccessible.queryAccessibleInterface(focus)
        assert stop.text in interface.text(QAccessible.Text.Description)
        if number == 3:
            qtbot.keyClick(focus, Qt.Key.Key_Left)
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
            assert bubble_title(bubble) == stops()[1].title
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert not guide.tour.running
    assert not bubble.isVisible()


def test_escape_and_a_click_elsewhere_leave_the_tour(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    open_text(window)
    search = child(window, "window.search")
    search.setFocus()
    window.session.selection.select(["cat"])
    guide.start_tour()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not guide.tour.running
    assert QApplication.focusWidget() is search
    # Esc only ended the tour.
    assert window.session.selection.words == ("cat",)
    guide.start_tour()
    click(qtbot, child(window, "panel.map"))
    assert not guide.tour.running
    assert not guide.tour.bubble.isVisible()
    assert not guide.tour.bubble.ring.isVisible()


def test_no_panel_covers_a_bubble(window: Window, context: PanelContext, qtbot: QtBot) -> None:
    """Also panels that are first seen after it."""
    bubble = Bubble("welcome", context.theme)
    bubble.show_text("Press Train", "Text", [BubbleButton("tour", "Tour", lambda: None)])
    bubble.point_at(child(window, "window.train"), focus=False)
    for workspace in ("corpus", "theory", "learn", "corpus"):
        click(qtbot, window.top.workspaces.buttons[workspace])
        middle = on_window(bubble, window).center()

        def is_in_front(middle: QPoint = middle) -> bool:
            top = window.childAt(middle)
            return top is bubble or bubble.isAncestorOf(top)

        qtbot.waitUntil(is_in_front)
    bubble.leave()


def test_a_bubble_is_as_wide_as_the_row_of_its_buttons(
    window: Window, context: PanelContext
) -> None:
    bubble = Bubble("welcome", context.theme)
    choices = [
        BubbleButton(name, "Kurzen Rundgang beginnen", lambda: None, "link") for name in ("a", "b")
    ]
    bubble.show_text("Titel", "Text", choices, "Oder Strg+Eingabe")
    bubble.point_at(child(window, "window.train"), focus=False)
    for name in ("welcome.a", "welcome.b", "welcome.count"):
        part = child(bubble, name)
        assert part.width() >= part.sizeHint().width()
    assert window.rect().contains(on_window(bubble, window))
    bubble.leave()


def test_the_bubble_follows_the_window_and_the_theme(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    open_text(window)
    guide.start_tour()
    guide.tour.next()
    guide.tour.next()
    bubble = guide.tour.bubble
    for size in ((1440, 900), (1000, 640)):
        window.resize(*size)
        qtbot.waitUntil(
            lambda: (
                bubble.target is not None
                and on_window(bubble.ring, window).contains(
                    on_window(bubble.target, window) & window.rect()
                )
            )
        )
        assert window.rect().contains(on_window(bubble, window))
    light = bubble.grab().toImage().pixelColor(bubble.width() // 2, 20)
    window.context.theme.choose("dark")
    dark = bubble.grab().toImage().pixelColor(bubble.width() // 2, 20)
    assert light.lightness() > 200 > 80 > dark.lightness()
    guide.tour.end()


def test_a_click_on_what_is_pointed_at_does_it_and_the_tour_goes_on(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    open_text(window)
    guide.start_tour()
    guide.tour.next()
    guide.tour.next()
    target = guide.tour.bubble.target
    assert target is not None
    assert target.objectName() == "train.start"
    click(qtbot, target)
    qtbot.waitUntil(lambda: bool(window.session.runs) and window.session.runs[-1].state.over)
    assert guide.tour.running
    guide.tour.end()


# -- presenting


@pytest.fixture
def presenting(window: Window, guide: Guide, qtbot: QtBot) -> Iterator[Callable[[], None]]:
    open_text(window)
    qtbot.waitUntil(lambda: window.isActiveWindow())
    yield guide.toggle_presentation
    guide.presentation.end()


def places(window: Window) -> dict[str, QRect]:
    """Geometry of each dock that is in front."""
    return {
        key: dock.geometry()
        for key, dock in window.docks.items()
        if not dock.visibleRegion().isEmpty()
    }


def alike(now: dict[str, QRect], before: dict[str, QRect]) -> bool:
    """Whether the docks are where they were, except for Qt’s rounding when it restores a layout."""
    edges = (
        abs(a - b)
        for key in now.keys() & before.keys()
        for a, b in zip(now[key].getCoords(), before[key].getCoords(), strict=True)
    )
    return now.keys() == before.keys() and max(edges) <= 16


def test_messages_from_before_are_not_presented(
    window: Window, presenting: Callable[[], None]
) -> None:
    window.session.message.emit("Couldn’t open the lesson.", "", True)
    assert window.activity.message.isVisible()
    presenting()
    assert not window.activity.message.isVisible()
    window.session.message.emit("Couldn’t save the run.", "", True)
    assert window.activity.message.isVisible()


def test_one_panel_is_presented_alone_and_large_and_escape_puts_all_back(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    theme = window.context.theme
    window.raise_panel("matrix")
    qtbot.waitUntil(lambda: not window.docks["matrix"].visibleRegion().isEmpty())
    before, size, surface = places(window), window.size(), theme.palette.surface
    status = window.statusBar().isVisible()
    presenting()
    presentation = guide.presentation
    assert presentation.front == "matrix"
    assert window.isFullScreen()
    assert [key for key, dock in window.docks.items() if not dock.isHidden()] == ["matrix"]
    assert not window.top.isVisible()
    assert not window.statusBar().isVisible()
    assert theme.text_size >= 125
    assert theme.palette.text == "#000000"
    qtbot.keyClick(window.docks["matrix"].panel, Qt.Key.Key_Escape)
    assert not presentation.running
    assert not window.isFullScreen()
    assert window.top.isVisible()
    assert window.statusBar().isVisible() == status
    assert theme.text_size == 100
    assert theme.palette.surface == surface
    qtbot.waitUntil(lambda: window.size() == size)
    # Lessons can't be read without the real algorithms; by now, the window may show a message about
    # that.
    close = window.findChild(QToolButton, "activity.message.close")

    def as_before() -> bool:
        if close.isVisible():
            click(qtbot, close)
        return alike(places(window), before)

    qtbot.waitUntil(as_before)


def test_arrows_and_the_keys_of_a_presenter_walk_through_the_panels_chosen(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    train(window, qtbot)
    window.session.settings.put({"present.panels": ["map", "matrix", "loss"]})
    for key in ("loss", "matrix", "map"):
        window.raise_panel(key)
        qtbot.waitUntil(lambda: window.idle)
    presenting()
    presentation = guide.presentation
    fronts = [presentation.front]
    keys = (
        Qt.Key.Key_Right,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Right,
        Qt.Key.Key_Left,
        Qt.Key.Key_PageUp,
    )
    for key in keys:
        qtbot.keyClick(window.docks[presentation.front].panel, key)
        fronts.append(presentation.front)
        assert [name for name, dock in window.docks.items() if not dock.isHidden()] == [
            presentation.front
        ]
    order = presentation.panel_keys
    first = order.index("map")
    assert fronts == [order[(first + at) % 3] for at in (0, 1, 2, 3, 2, 1)]


def test_the_strip_walks_chooses_and_ends_by_the_mouse(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    train(window, qtbot)
    window.raise_panel("map")
    qtbot.waitUntil(lambda: window.idle)
    presenting()
    strip, presentation = guide.presentation.strip, guide.presentation
    assert strip.isVisible()
    first = presentation.front
    click(qtbot, strip.on)
    assert presentation.front != first
    click(qtbot, strip.back)
    assert presentation.front == first
    click(qtbot, strip.pointer)
    assert guide.presentation.halo.isVisible()
    strip.menu.aboutToShow.emit()
    entries = {action.text(): action for action in strip.menu.actions()}
    assert set(entries) == {dock.kind.title for dock in window.docks.values()}
    assert entries["Map"].isChecked()
    entries["Map"].trigger()
    assert "map" not in presentation.panel_keys
    click(qtbot, strip.end)
    assert not presentation.running
    assert not guide.presentation.halo.isVisible()
    assert not strip.isVisible()


def test_only_panels_with_content_are_slides_and_have_the_whole_screen(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    train(window, qtbot)
    keys = ["neighbours", "map", "time", "loss", "matrix"]
    window.session.settings.put({"present.panels": keys})
    window.raise_panel("map")
    qtbot.waitUntil(lambda: window.idle)
    presenting()
    presentation = guide.presentation
    seen = [presentation.front]
    for _ in keys:
        presentation.walk(1)
        qtbot.waitUntil(lambda: window.idle)
        panel = window.docks[presentation.front].panel
        assert panel.lack == ""
        seen.append(panel.key)
        # Nothing below the slide is kept free for the strip.
        dock = window.docks[panel.key]
        assert window.height() - dock.geometry().bottom() <= 8
        title = dock.titleBarWidget().findChild(QLabel, "present.title")
        assert (title.text(), title.isVisible()) == (panel.title, True)
        # What the panel says below its figure stays readable while the mouse moves.
        assert presentation.strip.geometry().bottom() < window.height() / 5
        assert title.font().pixelSize() > panel.font().pixelSize() or title.height() > 30
    # No word is selected, so there are no neighbours.
    assert "neighbours" not in seen
    assert {"map", "loss", "matrix"} <= set(seen)
    while presentation.front != "matrix":
        presentation.walk(1)
    matrix = window.docks["matrix"].panel
    qtbot.waitUntil(lambda: window.idle and bool(matrix.view.titles))
    assert not any(head.isVisible() for head in matrix.heads.all)
    assert matrix.view.titles == matrix.heads.titles(matrix.view.board)
    readout = child(matrix, "matrix.readout")
    hint = "Point at a cell"
    assert readout.whole
    assert hint not in readout.whole
    presentation.end()
    assert hint in readout.whole
    assert matrix.view.titles == ()
    assert not matrix.heads.all[0].isHidden()


def wait_until_steady(panel: QWidget, qtbot: QtBot) -> None:
    """Wait until the controls of a panel stay in place for several checks."""
    places: list[list[QRect]] = []

    def is_steady() -> bool:
        places.append([one.geometry() for one in controls_of(panel)])
        return len(places) > 3 and all(earlier == places[-1] for earlier in places[-4:])

    qtbot.waitUntil(is_steady)


def test_controls_of_a_presented_panel_are_hidden_until_somebody_uses_them(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    train(window, qtbot)
    presentation = guide.presentation
    keys = [key for key, dock in window.docks.items() if dock.kind.area != "left"]
    window.session.settings.put({"present.panels": keys})
    window.raise_panel("map")
    presenting()
    seen = set()
    # A control below the pointer is in use and would stay visible.
    QCursor.setPos(window.mapToGlobal(window.rect().bottomLeft()))
    for _ in keys:
        presentation.walk(1)
        panel = window.docks[presentation.front].panel
        qtbot.waitUntil(lambda: window.idle)
        if panel.state != "body":
            continue
        qtbot.keyClick(panel, Qt.Key.Key_Shift)
        wait_until_steady(panel, qtbot)
        controls = [one for one in controls_of(panel) if not one.visibleRegion().isEmpty()]
        places = [one.geometry() for one in controls]
        presentation.rest()
        qtbot.waitUntil(
            lambda controls=controls: all(one.visibleRegion().isEmpty() for one in controls)
        )
        assert not presentation.strip.isVisible()
        # Focusing a control with Tab brings it back together with the others.
        by_tab = next(
            (one for one in controls if one.focusPolicy() & Qt.FocusPolicy.TabFocus), None
        )
        if by_tab is None:
            continue
        by_tab.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(
            lambda controls=controls, places=places: [one.geometry() for one in controls] == places
        )
        presentation.rest()
        assert not by_tab.visibleRegion().isEmpty()
        seen.add(panel.key)
        panel.setFocus(Qt.FocusReason.MouseFocusReason)
    assert {"map", "corpus", "matrix", "loss", "weights"} <= seen
    presentation.end()


def test_the_picture_takes_the_place_of_hidden_controls_and_stays_while_one_points_at_it(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    train(window, qtbot)
    window.raise_panel("map")
    QCursor.setPos(window.mapToGlobal(window.rect().bottomLeft()))
    presenting()
    presentation, panel = guide.presentation, window.docks["map"].panel
    qtbot.waitUntil(lambda: window.idle)
    wait_until_steady(panel, qtbot)
    height, bar = panel.view.height(), panel.bar.height()
    assert bar > 20
    presentation.rest()
    qtbot.waitUntil(lambda: panel.view.height() >= height + bar)
    tall = panel.view.height()
    QCursor.setPos(panel.view.mapToGlobal(panel.view.rect().center()))
    qtbot.waitUntil(lambda: presentation.strip.isVisible())
    assert panel.view.height() == tall
    QCursor.setPos(panel.mapToGlobal(QPoint(40, -4)))
    qtbot.waitUntil(lambda: panel.view.height() == height)
    assert panel.bar.method.isVisible()


def groups_of_tabs(window: Window) -> list[list[str]]:
    """Titles of the tabs in each visible row of docks."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    visible_bars = [
        bar for bar in bars if bar.isVisible() and bar.geometry().intersects(window.rect())
    ]
    return sorted([bar.tabText(at) for at in range(bar.count())] for bar in visible_bars)


@pytest.mark.parametrize("workspace", [workspace.key for workspace in WORKSPACES])
def test_presenting_puts_every_workspace_back(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot, workspace: str
) -> None:
    window.layouts.show_workspace(workspace)
    QApplication.processEvents()
    before, tabs = places(window), groups_of_tabs(window)
    presenting()
    for _ in guide.presentation.panel_keys:
        guide.presentation.walk(1)
        assert groups_of_tabs(window) == []
    presenting()
    # No tab is there twice, not even for one event.
    for _ in range(10):
        assert groups_of_tabs(window) == tabs
        QApplication.processEvents()
    qtbot.waitUntil(lambda: alike(places(window), before))
    assert window.layouts.workspace == workspace
    # Nothing is left over after the next switch, either.
    other = next(each.key for each in WORKSPACES if each.key != workspace)
    window.layouts.show_workspace(other)
    window.layouts.show_workspace(workspace)
    QApplication.processEvents()
    assert groups_of_tabs(window) == tabs


def test_a_lesson_stays_in_sight_beside(
    window: Window, guide: Guide, presenting: Callable[[], None], qtbot: QtBot
) -> None:
    window.raise_panel("map")
    window.show_panel("lessons")
    qtbot.waitUntil(lambda: not window.docks["lessons"].visibleRegion().isEmpty())
    presenting()
    for _ in range(2):
        geometries = {
            name: dock.geometry() for name, dock in window.docks.items() if not dock.isHidden()
        }
        assert set(geometries) == {guide.presentation.front, "lessons"}
        assert geometries["lessons"].right() < geometries[guide.presentation.front].left()
        assert geometries["lessons"].width() < geometries[guide.presentation.front].width()
        guide.presentation.walk(1)
        QApplication.processEvents()


def test_closing_while_presenting_keeps_the_layout_of_before(
    window: Window, guide: Guide, presenting: Callable[[], None]
) -> None:
    presenting()
    window.close()
    assert not guide.presentation.running
    assert window.context.theme.text_size == 100


# -- Help


def test_about_tells_versions_and_copies_each_page(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    guide.show_about()
    guide.show_about()
    (dialog,) = [
        widget for widget in QApplication.topLevelWidgets() if widget.objectName() == "about"
    ]
    assert not dialog.isModal()
    table = child(dialog, "about.libraries", DataTable)
    assert isinstance(table, DataTable)
    names = [texts[0] for texts in table.texts()]
    assert names == [library.name for library in version_info.installed_libraries()]
    copy = child(dialog, "about.copy", QPushButton)
    click(qtbot, copy)
    assert version_info.installed_libraries()[0].licence in QGuiApplication.clipboard().text()
    dialog.pages.setCurrentIndex(2)  # type: ignore[attr-defined]
    click(qtbot, copy)
    assert QGuiApplication.clipboard().text() == version_info.bibtex()
    click(qtbot, child(dialog, "about.close", QPushButton))
    assert not dialog.isVisible()


def test_the_log_is_filtered_by_level_and_text_and_follows_the_file(
    window: Window, guide: Guide, qtbot: QtBot
) -> None:
    with logs.logging_to_files():
        logs.LOG.info("corpus open")
        logs.LOG.warning("something odd")
        guide.show_log()
        dialog = next(
            widget for widget in QApplication.topLevelWidgets() if widget.objectName() == "log"
        )
        box = child(dialog, "log.entries", QPlainTextEdit)
        assert isinstance(box, QPlainTextEdit)
        lines = lambda: box.toPlainText().splitlines()  # noqa: E731
        assert [line.split(": ")[1] for line in lines()] == ["corpus open", "something odd"]
        logs.LOG.error("it failed\nbecause")
        qtbot.waitUntil(lambda: len(lines()) == 4)
        level = child(dialog, "log.level")
        level.setFocus()
        qtbot.keyClick(level, Qt.Key.Key_Down)
        assert lines()[0].endswith("something odd")
        field = child(dialog, "log.filter")
        click(qtbot, field)
        qtbot.keyClicks(field, "FAILED")
        assert [line.split(": ")[-1] for line in lines()] == ["it failed", "    because"]
        assert child(dialog, "log.count", QLabel).text() == "1 entry"  # type: ignore[attr-defined]
        click(qtbot, child(dialog, "log.copy", QPushButton))
        assert "because" in QGuiApplication.clipboard().text()
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
