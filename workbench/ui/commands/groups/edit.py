"""Undo and redo, the selection, the search for words, the palette, the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.base.action import Action
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
            key="edit.undo",
            text=tr("Undo"),
            description=tr("Undo the last change."),
            run=lambda window: window.session.undo.undo(),
            keys=("Ctrl+Z",),
            menu="Edit",
            place=10,
            why_not=lambda window: "" if window.session.undo.undo_text else tr("Nothing to undo."),
            label=_undo_text,
        ),
        Action(
            key="edit.redo",
            text=tr("Redo"),
            description=tr("Redo the last undone change."),
            run=lambda window: window.session.undo.redo(),
            keys=("Ctrl+Shift+Z", "Ctrl+Y"),
            menu="Edit",
            place=11,
            why_not=lambda window: "" if window.session.undo.redo_text else tr("Nothing to redo."),
            label=_redo_text,
        ),
        Action(
            key="edit.clear_selection",
            text=tr("Clear selection"),
            description=tr("Deselect all words."),
            run=lambda window: window.session.selection.select(()),
            keys=("Esc",),
            menu="Edit",
            place=20,
        ),
        Action(
            key="edit.search",
            text=tr("Search words"),
            description=tr("Find words by their first letters and select them."),
            run=lambda window: window.search_words(),
            keys=("/", "Ctrl+F"),
            icon="search",
            menu="Edit",
            place=30,
        ),
        Action(
            key="edit.palette",
            text=tr("Find an action…"),
            description=tr("Search actions, panels, algorithms, corpora, runs and words."),
            run=lambda window: window.open_palette(),
            keys=("Ctrl+K", "Ctrl+Shift+P"),
            menu="Edit",
            place=31,
        ),
        Action(
            key="edit.preferences",
            text=tr("Preferences…"),
            description=tr(
                "Change appearance, notifications and shortcuts, and see where files are "
                "saved and how much memory is used."
            ),
            run=lambda window: window.open_preferences(),
            keys=("Ctrl+,",),
            icon="sliders",
            menu="Edit",
            place=40,
            synonyms=tr("settings, options, language"),
        ),
    )
