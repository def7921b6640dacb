"""Markdown pages with parts that are generated from declarations: ``<!-- name -->``, the part,
``<!-- end -->``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

BEGIN, END = "<!-- {} -->", "<!-- end -->"


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; characters that would end a cell are escaped."""
    lines = [
        _format_row(head),
        _format_row(["---"] * len(head)),
        *(_format_row([_escape_cell(cell) for cell in row]) for row in rows),
    ]
    return "\n".join(lines)


def escape_text(text: str) -> str:
    """Escape plain text, so that it has no emphasis, tags or code."""
    return re.sub(r"([\\*<`])", r"\\\1", text)


def fill_parts(page: str, parts: Mapping[str, str]) -> str:
    """The page with the current content of the parts that it has marks for."""
    for name, part in parts.items():
        begin = BEGIN.format(name)
        before, found, rest = page.partition(begin)
        if found:
            page = f"{before}{begin}\n\n{part}\n\n{END}{rest.partition(END)[2]}"
    return page


def part_names(page: str) -> list[str]:
    """The names of the parts that a page has marks for."""
    return [
        name for name in re.findall(r"^<!-- ([\w-]+) -->$", page, re.MULTILINE) if name != "end"
    ]


def _format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()
