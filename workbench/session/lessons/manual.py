"""Tables of the page “Write a lesson”, made from the declarations of directives and measures."""

from __future__ import annotations

from workbench.core.text import markdown
from workbench.session.lessons import bundled_lessons
from workbench.session.lessons.actions import DIRECTIVES, FigureAction, Highlight, Press, Put
from workbench.session.lessons.measures import measures

_GROUPS = {
    "text": "Of the text",
    "vectors": "Of vectors",
    "analogies": "Of analogies",
    "associations": "Of associations",
    "lines": "Of lines",
    "documents": "Of documents and groups",
    "shape": "Of the shape of the space",
    "theory": "Against theory",
    "maps": "Of maps",
}


def directives_table() -> str:
    """Markdown table with a row for each directive."""
    rows = [f"| `{each.form}` | {each.doc} | `{each.example}` |" for each in DIRECTIVES.values()]
    return "\n".join(["| directive | what it does | example |", "| --- | --- | --- |", *rows])


def measures_table() -> str:
    """Markdown with a table for each group of measures."""
    parts = []
    for group, title in _GROUPS.items():
        rows = [
            f"| `{each.signature}` | {_emphasise(each.what)} "
            f"| {_describe_result(each.gives, each.percent)} |"
            for each in measures().values()
            if each.group == group
        ]
        parts.append(
            "\n".join(
                [
                    f"**{title}**",
                    "",
                    "| measure | what it is | shown as |",
                    "| --- | --- | --- |",
                    *rows,
                ]
            )
        )
    return "\n\n".join(parts)


def controls() -> dict[str, str]:
    """The controls that the included lessons use, each with an example directive: by name, in
    alphabetical order.
    """
    found: dict[str, str] = {}
    for lesson in bundled_lessons():
        for action in (action for step in lesson.steps for action in step.actions):
            match action:
                case Put():
                    found[action.widget] = f"set {action.widget} {action.value}"
                case Press():
                    found[action.widget] = f"press {action.widget}"
                case Highlight() | FigureAction() if "." in action.widget:
                    found.setdefault(action.widget, f"highlight {action.widget}")
    return dict(sorted(found.items()))


def controls_table() -> str:
    """Markdown table with an example for each control."""
    rows = [f"| `{name}` | `{example}` |" for name, example in controls().items()]
    return "\n".join(["| control | as in |", "| --- | --- |", *rows])


def fill_tables(page: str) -> str:
    """The page with its tables filled from the declarations."""
    tables = {
        "directives": directives_table(),
        "controls": controls_table(),
        "measures": measures_table(),
    }
    return markdown.fill_parts(page, tables)


def _describe_result(kind: str, percent: bool) -> str:
    if kind == "words":
        return "words"
    if percent:
        return "per cent"
    return "number"


def _emphasise(what: str) -> str:
    """Replace braces around arguments by emphasis."""
    return what.replace("{", "*").replace("}", "*")
