"""Rules for every declared action, which include all entries of menus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from ui.windows import shown_window

from workbench.session.session import Session
from workbench.ui.base.action import Action, Choices, Declared, action_key, submenu
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.commands.manual import manual
from workbench.ui.commands.palette_entries import window_offers
from workbench.ui.commands.registry import by_key
from workbench.ui.commands.shortcuts import Shortcuts
from workbench.ui.shell.window import Window

ROOT = Path(__file__).resolve().parents[2]
# Names of the icons.
ICONS = {path.stem for path in (ROOT / "resources" / "icons").glob("*.svg")}


@pytest.fixture(scope="module")
def every() -> dict[str, Declared]:
    return {key: known.action for key, known in by_key(PANELS).items()}


def test_keys_are_unique_and_begin_with_their_group() -> None:
    assert len(by_key(PANELS)) > 100


def test_each_says_what_it_is_and_what_it_does(every: dict[str, Declared]) -> None:
    for key, action in every.items():
        assert action.text.strip(), key
        assert action.text[0].isupper(), key
        assert not action.text.endswith((".", " …", "...")), key
        assert action.description.endswith("."), key
        assert "\n" not in action.description, key
        assert len(action.description.split()) > 2, key
        assert not action.icon or action.icon in ICONS, key


def test_no_two_have_one_text_in_one_place(every: dict[str, Declared]) -> None:
    known = by_key(PANELS)
    places = [(known[key].home.key, action.text) for key, action in every.items()]
    assert sorted(places) == sorted(set(places))


def test_no_two_have_the_same_keys_where_both_hold(home: Path) -> None:
    shortcuts = Shortcuts(Session().settings, PANELS)
    owners: dict[tuple[str, str], str] = {}
    for key, sequences in shortcuts.all().items():
        for keys in sequences:
            assert not QKeySequence(keys).isEmpty(), key
            where = (shortcuts.scope(key), keys)
            assert where not in owners, f"{key} and {owners.get(where)} have {keys}"
            owners[where] = key


def test_the_manual_is_up_to_date() -> None:
    document = (ROOT / "docs" / "actions.md").read_text("utf-8")
    assert document == manual(), "run: python -m workbench.ui.commands.manual > docs/actions.md"


@pytest.fixture
def window(context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    """A window with every panel created."""
    with shown_window(context, qtbot) as new_window:
        _ = new_window.panels
        yield new_window


def leaves(menu: QMenu, above: str = "") -> Iterator[tuple[QAction, str]]:
    """Entries without a submenu, each with its own declared action or that of a menu above it."""
    key = action_key(menu) or above
    menu.aboutToShow.emit()
    for action in menu.actions():
        below = submenu(action)
        if below is not None:
            yield from leaves(below, key)
        elif not action.isSeparator() and action.text():
            yield action, action_key(action) or key
    menu.aboutToHide.emit()


def test_every_entry_of_every_menu_is_declared(window: Window, every: dict[str, Declared]) -> None:
    menus = [menu for menu in window.findChildren(QMenu) if not menu.objectName().startswith("qt_")]
    assert len(menus) > 15
    unknown = set()
    for menu in menus:
        above, parent = "", menu.parent()
        while isinstance(parent, QMenu):
            above, parent = above or action_key(parent), parent.parent()
        for action, key in leaves(menu, above):
            if key not in every:
                panel = window.panel_of(menu.parentWidget()) if menu.parentWidget() else ""
                unknown.add(f"“{action.text()}” of {panel or 'the window'}")
            assert action.text(), key
    assert sorted(unknown) == []


def test_every_action_is_in_the_palette_with_a_sentence(
    window: Window, every: dict[str, Declared]
) -> None:
    found = window_offers(window.commands)
    keys = {offer.key for offer in found}
    families = {key.partition(":")[0] for key in keys if ":" in key}
    for key, action in every.items():
        if isinstance(action, Action) and key != "edit.palette":
            assert key in keys, key
        if isinstance(action, Choices) and window.commands.entries(key):
            assert key in families, key
    for offer in found:
        assert offer.text.strip(), offer.key
        assert offer.description.strip(), offer.key
    assert len(keys) == len(found)


# Groups of actions that open files, folders, other windows or the presentation.
_LEAVE_THE_WINDOW = ("file", "window", "help", "welcome", "present", "export")


def test_every_action_can_be_chosen_without_a_corpus(
    window: Window, every: dict[str, Declared], qtbot: QtBot
) -> None:
    """Each does its work or says why it can’t; none raises an error or stops the window."""
    messages: list[str] = []
    window.session.message.connect(lambda text, *_: messages.append(text))
    for key, action in every.items():
        outside = action.text.endswith("…") or action.group in _LEAVE_THE_WINDOW
        if not isinstance(action, Action) or outside or "tour" in key or "present" in key:
            continue
        reason = window.commands.why_not(key)
        messages.clear()
        window.commands.run(key)
        qtbot.wait(0)
        assert QApplication.activeModalWidget() is None, key
        assert bool(reason) <= bool(messages), key
