"""Undo and redo, the selection, the search for words, the palette, the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.action import Action
from workbench.ui.commands.registry import Group

if TYPE_CHECKING:
    from workbench.ui.window import Window


def _undo_text(window: Window) -> str:
    return f"Undo {window.session.undo.undo_text}".strip()


def _redo_text(window: Window) -> str:
    return f"Redo {window.session.undo.redo_text}".strip()


class EditActions(Group):
    key = "edit"
    title = "Edit"
    order = 20
    actions = (
        Action(
            "edit.undo", "Undo",
            "Take back what was done last: a name, a deletion, a setting, a selection, a choice of text.",
            lambda window: window.session.undo.undo(), ("Ctrl+Z",), "", "Edit", 10,
            lambda window: "" if window.session.undo.undo_text else "There is nothing to undo.", label=_undo_text,
        ),
        Action(
            "edit.redo", "Redo", "Do again what was taken back last.",
            lambda window: window.session.undo.redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "", "Edit", 11,
            lambda window: "" if window.session.undo.redo_text else "There is nothing to redo.", label=_redo_text,
        ),
        Action(
            "edit.clear_selection", "Clear the selection", "Select no word any more.",
            lambda window: window.session.select(()), ("Esc",), "", "Edit", 20,
        ),
        Action(
            "edit.search", "Search words", "Go to the field that finds words by their first letters and selects them.",
            lambda window: window.search_words(), ("/", "Ctrl+F"), "search", "Edit", 30,
        ),
        Action(
            "edit.palette", "Find an action…",
            "Find by its name whatever can be done: actions, panels, algorithms, corpora, runs, words.",
            lambda window: window.open_palette(), ("Ctrl+K", "Ctrl+Shift+P"), "", "Edit", 31,
        ),
        Action(
            "edit.preferences", "Preferences…",
            "Set appearance, notifications and shortcuts, and see where files lie and what memory is used.",
            lambda window: window.open_preferences(), ("Ctrl+,",), "sliders", "Edit", 40,
        ),
    )  # fmt: skip
