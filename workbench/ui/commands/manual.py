"""The page of the guide on all actions, from their declarations: ``python -m
workbench.ui.commands.manual``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from workbench.ui.base.action import Action, Choices
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.commands.registry import GROUPS, Known, declared_actions

_HEAD = """# Actions

All actions of the window. Press Ctrl+K to find any of them by a few letters of its name. To change
keys, choose **Edit ▸ Preferences…**, *Shortcuts*. Keys marked with ° work while their panel has the
focus; those of runs work in lists of runs.
"""

# Fixed keys of views, which move the contents of the view.
_IN_VIEWS = (
    ("Map", "Arrows", "pan, or turn in three dimensions"),
    ("Map", "+, −, 0", "zoom in and out, show all"),
    ("Map", "L, Shift+arrows", "start the lasso, go from word to word"),
    ("Matrix", "Arrows, Return", "go from cell to cell, select the words of the cell"),
    ("Map, Loss", "Space", "pause or resume the training"),
    ("Charts", "Arrows, Shift+F10", "go from point to point, open the menu"),
    ("Lists and tables", "Arrows, Return, Shift+F10", "go from row to row, choose, open the menu"),
    ("Everywhere", "Tab, Shift+Tab", "go to the next or previous control"),
)


def manual() -> str:
    """The page in Markdown."""
    every = tuple(declared_actions(PANELS))
    parts = [_HEAD]
    for home in (*GROUPS, *PANELS):
        of_home = [each for each in every if each.home is home]
        if of_home:
            where = "Panel: " if of_home[0].panel is not None else ""
            parts.append(
                f"## {where}{home.title}\n\n| Action | Keys | Menu | What it does "
                f"|\n|---|---|---|---|"
            )
            parts.append("\n".join(_rows(of_home)) + "\n")
    parts.append("## Keys in views\n\n| Where | Keys | What they do |\n|---|---|---|")
    parts.append(
        "\n".join(f"| {where} | {keys} | {does} |" for where, keys, does in _IN_VIEWS) + "\n"
    )
    return "\n".join(parts)


def _rows(found: list[Known]) -> Iterator[str]:
    for each in sorted(found, key=lambda each: each.action.place):
        action = each.action
        cells = [
            f"{action.text} ▸" if isinstance(action, Choices) else action.text,
            _keys(each),
            _menu(each),
        ]
        yield f"| {' | '.join(_cell(cell) for cell in (*cells, action.description))} |"


def _keys(each: Known) -> str:
    action = each.action
    if not isinstance(action, Action) or not action.keys:
        return ""
    portable = QKeySequence.SequenceFormat.PortableText
    keys = ", ".join(QKeySequence(keys).toString(portable) for keys in action.keys)
    if action.local:
        return f"{keys} °"
    return keys


def _menu(each: Known) -> str:
    if each.action.menu:
        return each.action.menu.replace("/", " ▸ ")
    if each.panel is not None:
        return "View ▸ Panel actions"
    if each.subject == "run":
        return "menu of a run"
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    sys.stdout.write(manual())
