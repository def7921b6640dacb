"""Undo and redo, the selection, the search for words, the palette, the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.registry import ActionGroup

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _undo_text(window: Window) -> str:
    what = window.session.undo.undo_text
    if what:
        return tr("Undo {what}", what=what)
    return tr("Undo")


def _redo_text(window: Window) -> str:
    what = window.session.undo.redo_text
    if what:
        return tr("Redo {what}", what=what)
    return tr("Redo")


class EditActions(ActionGroup):
    key = "edit"
    title = tr("Edit")
    order = 20
    actions = (
        Action(
            "edit.undo",
            tr("Undo"),
            tr("Undo the last change."),
            lambda window: window.session.undo.undo(),
            ("Ctrl+Z",),
            "",
            "Edit",
            10,
            lambda window: "" if window.session.undo.undo_text else tr("Nothing to undo."),
            label=_undo_text,
        ),
        Action(
            "edit.redo",
            tr("Redo"),
            tr("Redo the last undone change."),
            lambda window: window.session.undo.redo(),
            ("Ctrl+Shift+Z", "Ctrl+Y"),
            "",
            "Edit",
            11,
            lambda window: "" if window.session.undo.redo_text else tr("Nothing to redo."),
            label=_redo_text,
        ),
        Action(
            "edit.clear_selection",
            tr("Clear selection"),
            tr("Deselect all words."),
            lambda window: window.session.selection.select(()),
            ("Esc",),
            "",
            "Edit",
            20,
        ),
        Action(
            "edit.search",
            tr("Search words"),
            tr("Find words by their first letters and select them."),
            lambda window: window.search_words(),
            ("/", "Ctrl+F"),
            "search",
            "Edit",
            30,
        ),
        Action(
            "edit.palette",
            tr("Find an action…"),
            tr("Search actions, panels, algorithms, corpora, runs and words."),
            lambda window: window.open_palette(),
            ("Ctrl+K", "Ctrl+Shift+P"),
            "",
            "Edit",
            31,
        ),
        Action(
            "edit.preferences",
            tr("Preferences…"),
            tr(
                "Change appearance, notifications and shortcuts, and see where files are "
                "saved and how much memory is used."
            ),
            lambda window: window.open_preferences(),
            ("Ctrl+,",),
            "sliders",
            "Edit",
            40,
            synonyms=tr("settings, options, language"),
        ),
    )
