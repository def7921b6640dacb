"""Fields of JSON objects by paths with dots, shared by the readers of JSON lines and JSON
arrays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, TypeGuard

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.annotations.token_table import are_token_lists
from workbench.corpus.readers.base import ColumnPreview, Document
from workbench.corpus.readers.records import is_written, worth

# Number of objects inspected before reading, maximum depth of their fields, and maximum number of
# fields.
ROWS = 200
_DEPTH = 8
_FIELDS = 200

_PARTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}\[\]]', re.DOTALL)
_CUT_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{0,3})?\Z")
_CLOSING = {"{": "}", "[": "]"}
# Number of words in titles, and how many times as many words are in lists with the text.
_TITLE, _MANY = 5.0, 4.0
# Text that may be missing before open brackets can be closed: nothing, a value, a member.
_MISSING = ("", "null", ":null", '"":null')


class Number(str):
    """A number as it was written: it may have more digits than Python converts, and it isn’t read
    as text.
    """


DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number, strict=False)


def load_value(text: str) -> object:
    """A JSON value whose numbers are Numbers; None for text that isn’t JSON."""
    try:
        value: object = DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value


def load_truncated(text: str) -> object:
    """The available part of a truncated value, after closing everything open at its end. None if
    that fails.
    """
    opened: list[str] = []
    for part in _PARTS.finditer(text):
        mark = part[0][0]
        if mark in _CLOSING:
            opened.append(_CLOSING[mark])
        elif mark != '"':
            if not opened or opened.pop() != mark:
                return None
        elif not part[1]:
            text = _CUT_ESCAPE.sub("", text) + '"'
            break
    closing = "".join(reversed(opened))
    return next(
        (
            value
            for missing in _MISSING
            if (value := load_value(text + missing + closing)) is not None
        ),
        None,
    )


def preview(rows: list[dict[str, Any]]) -> ColumnPreview | None:
    """The fields of the first objects as columns, also of numbers; None if they contain no text."""
    texts = [fields(row, numbers=True) for row in rows]
    names = tuple(dict.fromkeys(name for row in texts for name in row))
    readable = {name for row in texts for name, text in row.items() if _is_text(text)}
    if not readable:
        return None
    cells = (tuple(row.get(name, "") for name in names) for row in texts)
    numbers = len(names) - len(readable)
    chosen = guess(rows)
    if chosen not in names:
        cells = ((*row, "\n".join(values(of, chosen))) for row, of in zip(cells, rows, strict=True))
        names = (*names, chosen)
    return ColumnPreview(names, names.index(chosen), tuple(cells), numbers)


def choose_field(rows: list[dict[str, Any]], path: str, shown: str) -> str:
    """The field to read: ``path``, or if that is "", the field that ``guess`` finds.

    Raises UserError if none of the first objects has it.
    """
    if (
        path
        and rows
        and not any(values(row, path) for row in rows)
        and not any(path in fields(row) for row in rows)
    ):
        known = ", ".join(list(dict.fromkeys(name for row in rows for name in fields(row)))[:12])
        if any(path in fields(row, numbers=True) for row in rows):
            raise UserError(
                tr("“{path}” of {shown} contains numbers, not text.", shown=shown, path=path),
                tr("Choose a column with text."),
            )
        raise UserError(
            tr("{shown} has no field “{path}”.", shown=shown, path=path),
            tr("Choose one of: {known}.", known=known or tr("no text")),
        )
    return path or guess(rows)


def fields(
    row: dict[str, Any], numbers: bool = False, depth: int = 0, nested: bool = False
) -> dict[str, str]:
    """The paths of all texts and lists of texts in an object, with their texts; on request also
    those of numbers. If there are no texts, or if ``nested``, those in lists of objects. ``depth``
    of the object.
    """
    found: dict[str, str] = {}
    lists: list[tuple[str, dict[str, Any], int]] = []
    waiting: list[tuple[str, Any, int]] = [("", row, depth)]
    while waiting and len(found) < _FIELDS:
        path, value, level = waiting.pop(0)
        if isinstance(value, dict) and level < _DEPTH:
            waiting += [
                (f"{path}.{name}" if path else str(name), inner, level + 1)
                for name, inner in value.items()
            ]
        elif isinstance(value, Number):
            if numbers:
                found[path] = value
        elif isinstance(value, str):
            found[path] = value
        elif isinstance(value, list) and value and all(map(_is_text, value)):
            found[path] = "\n".join(value)
        elif isinstance(value, list) and (sentences := _inner_texts(value)):
            found[path] = "\n".join(sentences)
        elif isinstance(value, list) and level < _DEPTH:
            lists += [(path, part, level) for part in value[:ROWS] if isinstance(part, dict)]
    if nested or not any(map(_is_text, found.values())):
        inner: dict[str, list[str]] = {}
        for path, part, level in lists:
            for name, text in fields(part, depth=level + 1, nested=nested).items():
                inner.setdefault(f"{path}.{name}", []).append(text)
        found |= {path: "\n".join(parts) for path, parts in inner.items()}
    return found


def other_fields(rows: list[dict[str, Any]], path: str) -> list[str]:
    """The paths of the fields of the first objects, numbers included, apart from the one that is
    read.
    """
    found = dict.fromkeys(name for row in rows for name in fields(row, numbers=True))
    return [name for name in found if name != path]


def row_values(row: dict[str, Any], paths: Iterable[str]) -> dict[str, str]:
    """The texts and numbers of an object at these paths; several of a list in one value."""
    found = {}
    for path in paths:
        value: object = row.get(path)
        if path not in row:
            value = row
            for name in path.split("."):
                value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, list) and all(map(_is_text, value)):
            value = "; ".join(value)
        if isinstance(value, str):
            found[path] = value
    return found


def guess(rows: list[dict[str, Any]]) -> str:
    """The field with the most text; names such as ``text`` count more, those of authors less. If
    the objects themselves have only titles or the like, also those in lists of objects.
    """
    path, words = _most_text(rows, nested=False)
    if words < _TITLE and not is_written(path):
        inner, many = _most_text(rows, nested=True)
        if many >= _MANY * max(words, 1):
            return inner
    return path


def _most_text(rows: list[dict[str, Any]], nested: bool) -> tuple[str, float]:
    columns: dict[str, list[str]] = {}
    for row in rows:
        for path, text in fields(row, nested=nested).items():
            columns.setdefault(path, []).append(text)
    worths = {path: worth(path, texts, len(rows)) for path, texts in columns.items()}
    best = max(worths, key=lambda path: worths[path], default="text")
    return best, worths[best][0] if best in worths else 0.0


def values(row: object, path: str) -> list[str]:
    """The texts at a path with dots; includes all elements of lists along and at the end of it."""
    found: list[object] = [row]
    # A name may itself contain dots.
    if isinstance(row, dict) and path in row:
        found = [row[path]]
    else:
        for name in path.split("."):
            found = [part for value in found for part in _inside(value, name)]
    return [text for value in found for text in texts(value)]


def joint(rows: list[dict[str, Any]], path: str, document: Document) -> str:
    """What to join the texts of a field by: lists of tokens are sentences, which a note says, and
    other texts are lines.
    """
    lists = are_token_lists(values(row, path) for row in rows)
    if lists or any(_has_token_lists(row.get(path)) for row in rows):
        note_token_lists(document)
    return " " if lists else "\n"


def note_token_lists(document: Document) -> None:
    document.note(tr("The texts are lists of tokens; each list was read as a sentence."))


def texts(value: object) -> list[str]:
    """A text, or the texts of a list; a list in a list becomes one, of tokens a sentence."""
    if not isinstance(value, list):
        return [value] if _is_text(value) and value else []
    return _inner_texts(value) or [part for part in value if _is_text(part) and part]


def sentence(tokens: list[str]) -> str:
    """A list of texts as one text: of tokens a sentence, of others lines."""
    return (" " if are_token_lists([tokens]) else "\n").join(filter(None, tokens))


def is_text_list(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _inner_texts(value: list[Any], depth: int = 0) -> list[str]:
    """The texts of the lists in a list; [] if it doesn't consist of lists of texts."""
    found: list[str] = []
    for part in value:
        if is_text_list(part):
            found.append(sentence(part))
        elif isinstance(part, list) and depth < _DEPTH:
            inner = _inner_texts(part, depth + 1)
            if part and not inner:
                return []
            found += inner
        else:
            return []
    return found


def _has_token_lists(value: object) -> bool:
    while isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
        if is_text_list(value) and are_token_lists([value]):
            return True
    return False


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and not isinstance(value, Number)


def _inside(value: object, name: str) -> list[object]:
    if isinstance(value, dict):
        if name in value:
            return [value[name]]
        return []
    if isinstance(value, list):
        if name.isdecimal():
            if len(name) < 10 and int(name) < len(value):
                return [value[int(name)]]
            return []
        return [part[name] for part in value if isinstance(part, dict) and name in part]
    return []
