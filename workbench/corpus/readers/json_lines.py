"""JSON lines: a field of the object in every line (jsonlines.org)."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from workbench.core.errors import UserError
from workbench.corpus.readers.base import Document, Preview, Reader
from workbench.corpus.readers.records import blocks, lines, worth

_ROWS = 200
_DEPTH = 8
_FIELDS = 200


class JsonLines(Reader):
    key = "jsonl"
    title = "JSON lines"
    suffixes = (".jsonl", ".ndjson")
    ambiguous_suffixes = (".json",)
    columns = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.suffix in cls.suffixes:
            return True
        return document.suffix in cls.ambiguous_suffixes and len(first_objects(document, 2)) == 2

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        rows = first_objects(document, _ROWS)
        path = document.options.column
        if path and rows and not any(values(row, path) for row in rows) and not any(path in fields(r) for r in rows):
            known = ", ".join(list(dict.fromkeys(name for row in rows for name in fields(row)))[:12])
            raise UserError(f"{document.shown} has no field “{path}”.", f"It has {known or 'no text'}.")
        path = path or guess(rows)
        document.findings.column = path
        return blocks(_found(document, path))

    @classmethod
    def preview(cls, document: Document) -> Preview | None:
        rows = first_objects(document, _ROWS)
        texts = [fields(row) for row in rows]
        names = tuple(dict.fromkeys(name for row in texts for name in row))
        if not names:
            return None
        cells = (tuple(row.get(name, "") for name in names) for row in texts)
        return Preview(names, names.index(guess(rows)), tuple(cells))


def _found(document: Document, path: str) -> Iterator[str]:
    wrong = missing = first = 0
    for number, line in lines(document):
        if not line.strip():
            continue
        row = _object(line)
        if row is None:
            wrong += 1
            first = first or number
            yield ""
            continue
        found = values(row, path)
        missing += not found
        yield "\n".join(found)
    if wrong:
        document.note(f"Lines that are no JSON objects, left out: {wrong:,}, the first of them line {first:,}.")
    if missing:
        document.note(f"Lines without text in this field: {missing:,}.")


def first_objects(document: Document, most: int) -> list[dict[str, Any]]:
    """The objects in the first lines of a document, those that are cut off or damaged left out."""
    decided = document.decide()
    text = codecs.getincrementaldecoder(decided.codec)("replace").decode(document.head[decided.mark :])
    rows = (_object(line) for line in text.split("\n")[: 2 * most])
    return [row for row in rows if row is not None][:most]


def fields(row: dict[str, Any]) -> dict[str, str]:
    """The paths of everything in an object that is text or a list of texts, with that text."""
    found: dict[str, str] = {}
    waiting: list[tuple[str, Any, int]] = [("", row, 0)]
    while waiting and len(found) < _FIELDS:
        path, value, depth = waiting.pop(0)
        if isinstance(value, dict) and depth < _DEPTH:
            waiting += [(f"{path}.{name}" if path else str(name), inner, depth + 1) for name, inner in value.items()]
        elif isinstance(value, str):
            found[path] = value
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            found[path] = "\n".join(value)
    return found


def guess(rows: list[dict[str, Any]]) -> str:
    """The field with the longest text."""
    columns: dict[str, list[str]] = {}
    for row in rows:
        for path, text in fields(row).items():
            columns.setdefault(path, []).append(text)
    return max(columns, key=lambda path: worth(columns[path]), default="text")


def values(row: object, path: str) -> list[str]:
    """The texts at a path with dots; on the way, and at its end, lists are gone through."""
    found: list[object] = [row]
    # A name may hold dots itself.
    if isinstance(row, dict) and path in row:
        found = [row[path]]
    else:
        for name in path.split("."):
            found = [part for value in found for part in _inside(value, name)]
    texts: list[str] = []
    for value in found:
        texts += [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str) and part]
    return texts


def _inside(value: object, name: str) -> list[object]:
    if isinstance(value, dict):
        return [value[name]] if name in value else []
    if isinstance(value, list):
        if name.isdecimal():
            return [value[int(name)]] if len(name) < 10 and int(name) < len(value) else []
        return [part[name] for part in value if isinstance(part, dict) and name in part]
    return []


def _object(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
