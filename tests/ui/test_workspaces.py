"""Workspaces: their panels, the state that is remembered for each, and ways to reset it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from session.fakes import Gate
from ui.windows import several_windows

from workbench.core.errors import UserError
from workbench.session.session import Session
from workbench.session.settings.session_settings import WINDOW_LAYOUT
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.layouts import NAMED_LAYOUTS
from workbench.ui.shell.window import Window
from workbench.ui.shell.workspaces import ANY, FIRST, WORKSPACES

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
KEYS = [workspace.key for workspace in WORKSPACES]
# Panels of each workspace by area.
PLACES = {
    "corpus": {"centre": {"corpus", "matrix", "pair", "groups", "collocations", "documents"}},
    "train": {"left": {"train"}, "centre": {"loss", "runs", "step"}},
    "explore": {
        "centre": {"map", "time", "relations", "influence", "walk"},
        "right": {"neighbours", "inspector", "teach"},
        "bottom": {"analogy"},
    },
    "theory": {"centre": {"matrix", "theory", "weights", "pair", "shape", "influence", "inside"}},
    "evaluate": {"centre": {"evaluate", "compare", "runs"}},
    "learn": {"centre": {"learn"}},
}

Maker = Callable[..., Window]
W = TypeVar("W", bound=QWidget)


@pytest.fixture
def make(gate: Gate, context: PanelContext, qtbot: QtBot) -> Iterator[Maker]:
    """Windows of a given size that remember nothing unless requested."""
    with several_windows(context, qtbot) as open_window:

        def new(width: int = 1440, height: int = 900, remembering: bool = False) -> Window:
            return open_window(remembering, QSize(width, height))

        yield new
        gate.opened.set()


def open_panels(window: Window) -> set[str]:
    return {key for key, dock in window.docks.items() if not dock.isHidden()}


def fronts(window: Window) -> set[str]:
    return {key for key, dock in window.docks.items() if not dock.visibleRegion().isEmpty()}


def members(workspace: str) -> set[str]:
    return {key for keys in PLACES[workspace].values() for key in keys}


def choose(window: Window, workspace: str, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.top.workspaces.buttons[workspace], LEFT)
    assert window.layouts.workspace == workspace


# -- panels of a workspace


def test_every_panel_serves_a_workspace_that_there_is() -> None:
    assert {key for kind in PANELS for key in kind.workspaces} == {*KEYS, ANY}
    assert set(PLACES) == set(KEYS)


@pytest.mark.parametrize("workspace", KEYS)
def test_a_workspace_shows_exactly_its_panels_and_few_tabs(
    make: Maker, qtbot: QtBot, workspace: str
) -> None:
    window = make()
    choose(window, workspace, qtbot)
    assert open_panels(window) == members(workspace)
    qtbot.waitUntil(lambda: len(fronts(window)) == len(PLACES[workspace]))
    for area, keys in PLACES[workspace].items():
        docks = window.layouts.area(area)
        assert {dock.kind.key for dock in docks if not dock.isHidden()} == keys
        assert 1 <= len(keys) <= 7
        assert docks[0].kind.key in fronts(window)
    assert window.top.workspaces.buttons[workspace].isChecked()


def test_numbers_switch_workspaces(make: Maker, qtbot: QtBot) -> None:
    window = make()
    with qtbot.waitActive(window):
        window.activateWindow()
    for number, workspace in reversed(list(enumerate(KEYS, start=1))):
        qtbot.keyClick(window, getattr(Qt.Key, f"Key_{number}"), CTRL)
        qtbot.waitUntil(lambda workspace=workspace: window.layouts.workspace == workspace)
        assert window.top.workspaces.buttons[workspace].isChecked()
        qtbot.waitUntil(lambda workspace=workspace: fronts(window) <= members(workspace))
    with pytest.raises(UserError, match="nowhere"):
        window.layouts.show_workspace("nowhere")


def test_the_keyboard_goes_to_the_panel_in_front(make: Maker, qtbot: QtBot) -> None:
    """The focus isn't on a button of the header, which would look like a chosen one."""
    window = make()
    window.activateWindow()
    qtbot.waitUntil(lambda: window.panel_of(window.focusWidget()) in fronts(window))
    for key in (*KEYS, FIRST):
        qtbot.mouseClick(window.top.workspaces.buttons[key], LEFT)
        assert window.layouts.workspace == key
        focus = window.panel_of(window.focusWidget())
        assert focus in fronts(window)
        assert focus in PLACES[key]["centre"]


def test_the_areas_lie_as_they_are_named(make: Maker, qtbot: QtBot) -> None:
    window = make()

    def lies(one: str, other: str, edge: str) -> bool:
        first, second = (window.docks[key].geometry() for key in (one, other))
        if edge == "left":
            return first.right() < second.left()
        return first.bottom() < second.top()

    qtbot.waitUntil(lambda: lies("map", "neighbours", "left"))
    qtbot.waitUntil(lambda: lies("map", "analogy", "top"))
    choose(window, "train", qtbot)
    qtbot.waitUntil(lambda: lies("train", "loss", "left"))


# -- panels of other workspaces


def test_a_panel_of_another_workspace_takes_the_window_there(make: Maker, qtbot: QtBot) -> None:
    window = make()
    window.raise_panel("theory")
    assert window.layouts.workspace == "theory"
    qtbot.waitUntil(lambda: "theory" in fronts(window))


@pytest.mark.parametrize(("key", "workspace"), [("matrix", "corpus"), ("runs", "evaluate")])
def test_a_panel_of_the_current_workspace_leaves_it(
    make: Maker, qtbot: QtBot, key: str, workspace: str
) -> None:
    """The current workspace is kept, although the panel belongs to an earlier one, too."""
    window = make()
    choose(window, workspace, qtbot)
    window.raise_panel(key)
    assert window.layouts.workspace == workspace
    qtbot.waitUntil(lambda: key in fronts(window))


def test_lessons_stay_beside_any_workspace(make: Maker, qtbot: QtBot) -> None:
    window = make()
    assert window.docks["lessons"].isHidden()
    window.raise_panel("lessons")
    assert window.layouts.workspace == FIRST
    for workspace in (*KEYS, FIRST):
        window.layouts.show_workspace(workspace)
        assert open_panels(window) == members(workspace) | {"lessons"}
    window.reset_layout()
    assert not window.docks["lessons"].isHidden()
    window.docks["lessons"].close()
    window.layouts.show_workspace("theory")
    assert window.docks["lessons"].isHidden()


# -- workspaces as they were left


def test_a_workspace_comes_back_as_it_was_left(make: Maker, qtbot: QtBot) -> None:
    window = make()
    window.raise_panel("time")
    window.raise_panel("inspector")
    window.docks["relations"].close()
    window.docks["analogy"].setFloating(True)
    qtbot.waitUntil(lambda: {"time", "inspector"} <= fronts(window))
    choose(window, "evaluate", qtbot)
    assert open_panels(window) == members("evaluate")
    choose(window, "explore", qtbot)
    assert open_panels(window) == members("explore") - {"relations"}
    assert window.docks["analogy"].isFloating()
    qtbot.waitUntil(lambda: {"time", "inspector"} <= fronts(window))


def test_a_workspace_keeps_the_sizes_of_its_docks(
    make: Maker, context: PanelContext, qtbot: QtBot
) -> None:
    window = make()
    right, bar = window.docks["neighbours"], window.docks["analogy"]
    width, height = widen(window, qtbot), bar.height()
    for workspace in ("train", "theory", "explore"):
        choose(window, workspace, qtbot)
    qtbot.waitUntil(lambda: abs(right.width() - width) < 8 and abs(bar.height() - height) < 8)
    choose(window, "train", qtbot)
    context.theme.choose_text_size(125)
    context.theme.choose_text_size(100)
    choose(window, "explore", qtbot)
    qtbot.waitUntil(lambda: right.width() < width - 40)


@pytest.mark.parametrize(
    ("width", "height", "text"),
    [(1280, 720, 100), (1280, 720, 150), (1440, 900, 100), (1280, 800, 200), (1100, 650, 100)],
)
@pytest.mark.parametrize("dragged", [False, True])
def test_changes_of_workspaces_leave_the_sizes_of_docks(
    make: Maker,
    context: PanelContext,
    qtbot: QtBot,
    width: int,
    height: int,
    text: int,
    dragged: bool,
) -> None:
    """Neither the sizes that the program chooses drift nor those that a user has chosen."""
    context.theme.choose_text_size(text)
    window = make(width, height)
    qtbot.waitUntil(lambda: len(fronts(window)) == (2 if window.layouts.is_narrow else 3))
    # Until the window has set the sizes of its docks after it is shown.
    qtbot.wait(1)
    if dragged:
        bar = window.docks["analogy"]
        window.resizeDocks([bar], [bar.height() + 40], Qt.Orientation.Vertical)
        right = window.docks["neighbours"]
        window.resizeDocks([right], [right.width() + 33], Qt.Orientation.Horizontal)
    QApplication.processEvents()

    def sizes() -> dict[str, QSize]:
        return {key: window.docks[key].size() for key in fronts(window)}

    choose(window, "theory", qtbot)
    choose(window, "explore", qtbot)
    before = sizes()
    for other in ("theory", "train", "learn", "corpus", "theory"):
        choose(window, other, qtbot)
        QApplication.processEvents()
        choose(window, "explore", qtbot)
        qtbot.waitUntil(lambda: sizes() == before)


def test_a_changed_room_leaves_the_sizes_of_docks(make: Maker, qtbot: QtBot) -> None:
    """Docks that share more room when the window grows give it back, also if the workspace was
    left in between.
    """
    window = make(1280, 720)
    widen(window, qtbot)
    bar = window.docks["analogy"]
    window.resizeDocks([window.docks["map"], bar], [450, 120], Qt.Orientation.Vertical)

    def sizes() -> tuple[int, int]:
        return bar.height(), window.docks["neighbours"].width()

    qtbot.waitUntil(lambda: bar.height() > 80)
    before = sizes()
    for _ in range(6):
        choose(window, "theory", qtbot)
        window.resize(1380, 820)
        QApplication.processEvents()
        choose(window, "explore", qtbot)
        window.resize(1280, 720)
        qtbot.waitUntil(lambda: all(abs(a - b) <= 2 for a, b in zip(sizes(), before, strict=True)))


def press_close(window: Window, key: str, qtbot: QtBot) -> None:
    button = window.docks[key].titleBarWidget().findChild(QToolButton, f"dock.{key}.close")
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, LEFT)
    assert window.docks[key].isHidden()


@pytest.mark.parametrize("away", [False, True])
def test_a_workspace_without_panels_opens_them_again(make: Maker, qtbot: QtBot, away: bool) -> None:
    window = make()
    choose(window, "learn", qtbot)
    press_close(window, "learn", qtbot)
    if away:
        choose(window, "explore", qtbot)
    choose(window, "learn", qtbot)
    assert open_panels(window) == members("learn")
    qtbot.waitUntil(lambda: fronts(window) == members("learn"))


def test_lessons_beside_an_empty_workspace_stay(make: Maker, qtbot: QtBot) -> None:
    window = make()
    window.raise_panel("lessons")
    choose(window, "evaluate", qtbot)
    for key in members("evaluate"):
        window.docks[key].close()
    choose(window, "evaluate", qtbot)
    assert open_panels(window) == members("evaluate") | {"lessons"}


def test_a_workspace_without_panels_says_how_to_open_them(make: Maker, qtbot: QtBot) -> None:
    window = make()
    choose(window, "learn", qtbot)
    close = window.docks["learn"].findChild(QToolButton, "dock.learn.close")
    qtbot.mouseClick(close, LEFT)
    qtbot.waitUntil(lambda: shown(window, QPushButton, "window.notice.action") is not None)
    assert open_panels(window) == set()
    window.resize(1000, 700)
    notice = shown(window, QLabel, "window.notice")
    assert notice is not None
    assert notice.text() == "No panel is open"
    assert abs(notice.mapTo(window, notice.rect().center()).x() - 500) < 8
    qtbot.mouseClick(shown(window, QPushButton, "window.notice.action"), LEFT)
    assert open_panels(window) == members("learn")
    qtbot.waitUntil(lambda: shown(window, QPushButton, "window.notice.action") is None)
    # With one panel open, or after another workspace is chosen, the window isn't blank.
    window.docks["learn"].close()
    qtbot.waitUntil(lambda: shown(window, QPushButton, "window.notice.action") is not None)
    choose(window, "theory", qtbot)
    qtbot.waitUntil(lambda: shown(window, QPushButton, "window.notice.action") is None)


def shown(window: Window, kind: type[W], name: str) -> W | None:
    found = window.findChild(kind, name)
    return found if found is not None and found.isVisible() else None


def test_a_panel_that_is_closed_in_one_workspace_stays_in_another(
    make: Maker, qtbot: QtBot
) -> None:
    window = make()
    choose(window, "evaluate", qtbot)
    window.docks["runs"].close()
    choose(window, "train", qtbot)
    assert not window.docks["runs"].isHidden()
    choose(window, "evaluate", qtbot)
    assert window.docks["runs"].isHidden()


def test_a_reset_puts_this_workspace_back_and_no_other(make: Maker, qtbot: QtBot) -> None:
    window = make()
    window.docks["relations"].close()
    window.docks["neighbours"].setFloating(True)
    choose(window, "theory", qtbot)
    window.docks["pair"].close()
    window.docks["weights"].setFloating(True)
    window.reset_layout()
    assert window.layouts.workspace == "theory"
    assert open_panels(window) == members("theory")
    assert not window.docks["weights"].isFloating()
    choose(window, "explore", qtbot)
    assert open_panels(window) == members("explore") - {"relations"}
    assert window.docks["neighbours"].isFloating()
    window.commands.run("window.reset_layout")
    assert open_panels(window) == members("explore")
    assert not window.docks["neighbours"].isFloating()
    qtbot.waitUntil(
        lambda: (
            window.docks["neighbours"].geometry().left() > window.docks["map"].geometry().right()
        )
    )
    qtbot.waitUntil(lambda: fronts(window) == {"map", "neighbours", "analogy"})


# -- over a restart


def widen(window: Window, qtbot: QtBot) -> int:
    """Widen the column at the right, as dragging its edge does."""
    right = window.docks["neighbours"]
    qtbot.waitUntil(lambda: 200 < right.width() < 320)
    before = right.width()
    # Wait until the window has set the sizes of its docks after it is shown.
    qtbot.wait(1)
    window.resizeDocks([right], [before + 120], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: right.width() > before + 80)
    return right.width()


def leave(window: Window, qtbot: QtBot) -> int:
    """Change two workspaces and stay in the second; return the width of a dock in the first."""
    width = widen(window, qtbot)
    window.docks["relations"].close()
    window.raise_panel("time")
    qtbot.waitUntil(lambda: "time" in fronts(window))
    choose(window, "theory", qtbot)
    window.docks["inside"].close()
    window.raise_panel("pair")
    qtbot.waitUntil(lambda: "pair" in fronts(window))
    return width


def assert_left(window: Window, qtbot: QtBot) -> None:
    assert window.layouts.workspace == "theory"
    assert window.top.workspaces.buttons["theory"].isChecked()
    assert open_panels(window) == members("theory") - {"inside"}
    qtbot.waitUntil(lambda: fronts(window) == {"pair"})
    choose(window, "explore", qtbot)
    assert open_panels(window) == members("explore") - {"relations"}
    qtbot.waitUntil(lambda: "time" in fronts(window))


def test_workspaces_are_remembered_over_a_restart(make: Maker, qtbot: QtBot) -> None:
    first = make(800, 700, remembering=True)
    leave(first, qtbot)
    first.close()
    second = make(remembering=True)
    assert (second.width(), second.height()) == (800, 700)
    assert_left(second, qtbot)
    second.reset_layout()
    assert open_panels(second) == members("explore")


def test_the_sizes_of_docks_are_remembered_over_a_restart(make: Maker, qtbot: QtBot) -> None:
    # Not wider than the screen of the tests.
    first = make(800, 700, remembering=True)
    width = widen(first, qtbot)
    first.close()
    second = make(remembering=True)
    qtbot.waitUntil(lambda: abs(second.docks["neighbours"].width() - width) < 8)


def test_a_session_file_brings_its_workspaces_back(
    make: Maker, qtbot: QtBot, tmp_path: Path
) -> None:
    window = make(800, 700, remembering=True)
    width = leave(window, qtbot)
    path = tmp_path / "mine.workbench"
    window.save_session(path)
    qtbot.waitUntil(lambda: path.exists() and not window.session.jobs.active)
    choose(window, "explore", qtbot)
    window.reset_layout()
    window.session.files.open(path)
    qtbot.waitUntil(lambda: window.layouts.workspace == "theory")
    assert_left(window, qtbot)
    qtbot.waitUntil(lambda: abs(window.docks["neighbours"].width() - width) < 8)


# -- layouts that cannot be used


def state_of(window: Window) -> str:
    return str(window.saveState().toBase64().toStdString())


NONSENSE = [
    {"workspace": []},
    {"workspace": {}},
    {"workspace": "nowhere"},
    {"workspace": None},
    {"state": 3},
    {"state": "AAAA"},
    {"docks": 3},
    {"geometry": None},
]


@pytest.mark.parametrize("wrong", NONSENSE, ids=str)
def test_nonsense_in_the_settings_is_ignored(
    make: Maker, session: Session, wrong: dict[str, object]
) -> None:
    first = make(remembering=True)
    first.layouts.show_workspace("theory")
    first.close()
    session.settings[WINDOW_LAYOUT] = {**session.settings[WINDOW_LAYOUT], **wrong}
    second = make(remembering=True)
    assert second.layouts.workspace == FIRST
    assert open_panels(second) == members(FIRST)


@pytest.mark.parametrize(
    "wrong",
    [3, [], {"explore": 3}, {"explore": {"closed": 3, "sizes": {"right": "x"}}}, {"nowhere": {}}],
    ids=str,
)
def test_nonsense_about_other_workspaces_is_ignored(
    make: Maker, session: Session, wrong: object
) -> None:
    first = make(remembering=True)
    first.docks["relations"].close()
    first.layouts.show_workspace("theory")
    first.close()
    session.settings[WINDOW_LAYOUT] = {**session.settings[WINDOW_LAYOUT], "workspaces": wrong}
    second = make(remembering=True)
    assert second.layouts.workspace == "theory"
    second.layouts.show_workspace("explore")
    assert open_panels(second) == members("explore")


def test_a_layout_of_a_version_without_workspaces_is_ignored(make: Maker, session: Session) -> None:
    first = make(remembering=True)
    for dock in first.docks.values():
        dock.show()
    first.layouts.save_last()
    kept = dict(session.settings[WINDOW_LAYOUT])
    first.close()
    for key in ("workspace", "workspaces"):
        del kept[key]
    session.settings[WINDOW_LAYOUT] = kept
    session.settings[NAMED_LAYOUTS] = {"Old": kept}
    second = make(remembering=True)
    assert open_panels(second) == members(FIRST)
    with pytest.raises(UserError, match="Couldn’t apply the layout"):
        second.layouts.choose("Old")
    assert open_panels(second) == members(FIRST)


# -- the size of the window and of its text


def test_docks_have_their_sizes_again_after_larger_text(
    make: Maker, context: PanelContext, qtbot: QtBot
) -> None:
    window = make(1440, 800)
    choose(window, "train", qtbot)
    form = window.docks["train"]
    qtbot.waitUntil(lambda: fronts(window) == {"train", "loss"})
    before = 324
    qtbot.waitUntil(lambda: abs(form.width() - before) <= 40)
    for size in (150, 200, 100):
        context.theme.choose_text_size(size)
        if window.layouts.is_narrow:
            assert size > 100
            qtbot.waitUntil(lambda: window.docks["loss"] in window.tabifiedDockWidgets(form))
        else:
            assert size == 100
            qtbot.waitUntil(lambda: abs(form.width() - before) <= 48)
        assert open_panels(window) == members("train")


@pytest.mark.parametrize("size", [100, 150, 200])
def test_in_a_narrow_window_the_columns_at_the_sides_join_the_tabs(
    make: Maker, context: PanelContext, qtbot: QtBot, size: int
) -> None:
    context.theme.choose_text_size(size)
    window = make(1280, 800)
    centre, right = window.docks["map"], window.docks["neighbours"]
    assert window.layouts.is_narrow == (size > 100)
    assert (right in window.tabifiedDockWidgets(centre)) == window.layouts.is_narrow
    form, loss = window.docks["train"], window.docks["loss"]
    for workspace in KEYS:
        window.layouts.show_workspace(workspace)
        assert open_panels(window) == members(workspace)
        if workspace == "train":
            assert (form in window.tabifiedDockWidgets(loss)) == window.layouts.is_narrow
    window.layouts.show_workspace("explore")
    window.raise_panel("inspector")
    qtbot.waitUntil(lambda: "inspector" in fronts(window))
    context.theme.choose_text_size(100)
    qtbot.waitUntil(lambda: right not in window.tabifiedDockWidgets(centre))
    assert open_panels(window) == members("explore")


@pytest.mark.parametrize(("theirs", "ours"), [(200, 100), (100, 200), (150, 100)])
def test_a_layout_of_another_size_of_text_has_the_sizes_of_this_one(
    make: Maker, context: PanelContext, qtbot: QtBot, theirs: int, ours: int
) -> None:
    """A layout saved with another text size gets the widths for this one."""
    context.theme.choose_text_size(theirs)
    first = make(1500, 960)
    choose(first, "train", qtbot)
    first.layouts.save("Mine")
    first.close()
    context.theme.choose_text_size(ours)
    second = make(1500, 960)
    second.layouts.choose("Mine")
    assert second.layouts.workspace == "train"
    assert second.layouts.fits
    form = second.docks["train"]
    if ours == 100:
        qtbot.waitUntil(lambda: abs(form.width() - 324) <= 40)
    else:
        qtbot.waitUntil(lambda: second.docks["loss"] in second.tabifiedDockWidgets(form))
    assert open_panels(second) == members("train")
