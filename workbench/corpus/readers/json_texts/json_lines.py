"""JSON lines: a field of the object in every line (jsonlines.org)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.core.language import tr
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.json_texts.json_fields import (
    ROWS,
    choose_field,
    joint,
    load_truncated,
    load_value,
    other_fields,
    preview,
    row_values,
    texts,
    values,
)
from workbench.corpus.readers.records import beginning, blocks, lines


class JsonLines(Reader):
    key = "jsonl"
    title = tr("JSON lines")
    suffixes = (".jsonl", ".ndjson")
    ambiguous_suffixes = (".json",)
    columns = True
    marks_rows = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.suffix in cls.suffixes:
            return True
        # An array may also have an object per line. Files of any name may contain JSON lines.
        head = beginning(document).lstrip("\ufeff \t\n")
        return head.startswith("{") and len(_whole_objects(document, 2)) == 2

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        rows = first_objects(document)
        path = choose_field(rows, document.options.column, document.shown)
        if document.suffix not in (*cls.suffixes, *cls.ambiguous_suffixes):
            document.note(
                tr("The file contains JSON lines, of which the field “{path}” was read.", path=path)
            )
        document.findings.column = path
        between = joint(rows, path, document)
        return blocks(_read_lines(document, path, other_fields(rows, path), between), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        return preview(first_objects(document))


def _read_lines(document: Document, path: str, others: list[str], between: str) -> Iterator[str]:
    wrong = missing = first = 0
    for number, line in lines(document):
        if not line.strip():
            continue
        row = load_value(line)
        if isinstance(row, dict):
            found = values(row, path)
            missing += not found
            mark = document.begin_row(row_values(row, others)) if found else ""
            yield mark + between.join(found)
        elif alone := texts([row]):
            # Lines without names: a text, or a list of tokens or texts.
            yield document.begin_row({}) + "\n".join(alone)
        else:
            wrong += 1
            first = first or number
            yield ""
    if wrong:
        document.note(
            tr(
                "Lines that aren’t JSON objects, left out: {wrong:,}, the first in line {first:,}.",
                wrong=wrong,
                first=first,
            )
        )
    if missing:
        document.note(tr("Lines without text in this field: {missing:,}.", missing=missing))


def first_objects(document: Document) -> list[dict[str, Any]]:
    """The objects in the first lines of a document; if the first one is longer, its beginning."""
    whole = _whole_objects(document, ROWS)
    if whole:
        return whole
    row = load_truncated(beginning(document).split("\n", 1)[0])
    if isinstance(row, dict):
        return [row]
    return []


def _whole_objects(document: Document, most: int) -> list[dict[str, Any]]:
    rows = (load_value(line) for line in beginning(document).split("\n")[: 2 * most])
    return [row for row in rows if isinstance(row, dict)][:most]
