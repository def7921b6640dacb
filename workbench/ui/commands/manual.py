"""The page of the manual on all actions, made from their declarations: ``python -m
workbench.ui.commands.manual``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from workbench.ui.action import Action, Choices
from workbench.ui.commands.registry import GROUPS, Known, declared_actions
from workbench.ui.panel import PANELS

_HEAD = """# Actions

Everything that can be done, made from the declarations by

    python -m workbench.ui.commands.manual > docs/actions.md

Ctrl+K opens the palette, which finds all of it by a few letters. Keys are changed under Edit,
Preferences, Shortcuts.
Keys of a panel marked with ° hold while the panel has the focus; those of runs hold in lists of
runs.
"""

# Keys that views handle by themselves: they move the drawing, and can’t be changed.
_IN_VIEWS = (
    ("Map", "Arrows", "pan, or turn in three dimensions"),
    ("Map", "+, −, 0", "zoom in and out, show all"),
    ("Map", "L, Shift+arrows", "lasso, walk from word to word"),
    ("Matrix", "Arrows, Return", "walk over cells, select their words"),
    ("Map, Loss", "Space", "pause the training, or let it go on"),
    ("Charts", "Arrows, Shift+F10", "walk over points, open the menu"),
    ("Lists and tables", "Arrows, Return, Shift+F10", "walk, choose, open the menu"),
    ("Everywhere", "Tab, Shift+Tab", "to the next and the previous control"),
)


def manual() -> str:
    """The page in Markdown."""
    every = tuple(declared_actions(PANELS))
    parts = [_HEAD]
    for home in (*GROUPS, *PANELS):
        of_home = [each for each in every if each.home is home]
        if of_home:
            where = ""
            if of_home[0].panel is not None:
                where = "Panel: "
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
        return "of a run"
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    sys.stdout.write(manual())
