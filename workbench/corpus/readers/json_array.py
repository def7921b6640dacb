"""A JSON array of texts, or of objects with a text field, read an element at a time (RFC 8259)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.json_elements import MEND, elements, first_elements
from workbench.corpus.readers.json_fields import (
    choose_field,
    fields,
    joint,
    other_fields,
    preview,
    row_values,
    texts,
    values,
)
from workbench.corpus.readers.records import beginning, blocks


class JsonArray(Reader):
    key = "json"
    title = tr("JSON array")
    ambiguous_suffixes = (".json",)
    columns = True
    marks_rows = True
    # After JSON lines, which may begin like a single object.
    order = 110

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.ambiguous_suffixes and beginning(
            document
        ).lstrip().startswith(("[", "{"))

    @classmethod
    def promising(cls, document: Document) -> bool:
        return any(
            texts(value) or (isinstance(value, dict) and fields(value))
            for value in first_elements(document)
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return blocks(_read_elements(document, _Chosen(document)), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        return preview(_objects(document))


class _Chosen:
    """The field to read, and a message about it. Raises UserError if the objects do not have
    it.
    """

    def __init__(self, document: Document) -> None:
        rows = _objects(document)
        self.path = choose_field(rows, document.options.column, document.shown)
        self.others = other_fields(rows, self.path)
        self.between = joint(rows, self.path, document)
        if rows:
            document.findings.column = self.path

    def texts(self, value: object) -> list[str]:
        """The texts in the chosen field of an object, or a text or list of texts itself."""
        if isinstance(value, dict):
            return values(value, self.path)
        return texts(value)


def _read_elements(document: Document, field: _Chosen) -> Iterator[str | None]:
    seen = missing = 0
    for part in elements(document):
        for value in part:
            seen += 1
            found = field.texts(value)
            missing += not found
            mark = ""
            if found:
                of_row = row_values(value, field.others) if isinstance(value, dict) else {}
                mark = document.begin_row(of_row)
            yield mark + field.between.join(found)
        yield None
    if seen and missing == seen:
        raise UserError(
            tr("{shown} is an array that contains no text.", shown=document.shown), MEND
        )
    if missing:
        document.note(
            tr("Elements without text in this field: {missing:,}.", missing=missing)
            if document.findings.column
            else tr("Elements without text: {missing:,}.", missing=missing)
        )


def _objects(document: Document) -> list[dict[str, Any]]:
    return [value for value in first_elements(document) if isinstance(value, dict)]
