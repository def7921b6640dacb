"""A JSON array of texts, or of objects with a text field, read an element at a time (RFC 8259);
also one in an object or a script, and an object that is itself a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.annotations.token_table import are_token_lists
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.json_texts.json_elements import (
    ASSIGNED,
    MEND,
    elements,
    first_elements,
)
from workbench.corpus.readers.json_texts.json_fields import (
    ROWS,
    choose_field,
    fields,
    guess,
    is_text_list,
    joint,
    load_truncated,
    load_value,
    note_token_lists,
    other_fields,
    preview,
    row_values,
    texts,
    values,
)
from workbench.corpus.readers.json_texts.json_tables import records
from workbench.corpus.readers.records import (
    LONGEST,
    beginning,
    blocks,
    too_long,
    worth,
)

# A script that assigns an array of objects to a variable.
_ASSIGNMENT = re.compile(r"(?:(?:var|let|const)\s+)?[A-Za-z_$][\w.$]{0,200}\s*=\s*\[\s*\{\s*\"")
# Maximum depth of a list in an object.
_DEPTH = 3


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
        head = beginning(document).lstrip("\ufeff \t\n")
        if _ASSIGNMENT.match(head):
            return True
        if not head.startswith(("[", "{")):
            return False
        if document.suffix in cls.ambiguous_suffixes:
            return True
        # Prose may begin with a bracket.
        value = load_truncated(head)
        return bool(value) and isinstance(value[0] if isinstance(value, list) else value, dict)

    @classmethod
    def promising(cls, document: Document) -> bool:
        return any(
            texts(value) or (isinstance(value, dict) and fields(value))
            for value in first_elements(document)
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        name = array_name(document)
        if name is None:
            return blocks(_read_object(document), document)
        if name:
            document.note(
                tr("Read from the list “{name}” of the JSON object.", name=name)
                if name != ASSIGNED
                else tr("Read from the list in this script.")
            )
        elif document.suffix not in cls.ambiguous_suffixes:
            document.note(tr("The file contains a JSON array."))
        return blocks(_read_elements(document, _Chosen(document, name), name), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        name = array_name(document)
        if name is None:
            value = load_truncated(beginning(document))
            single = [value] if isinstance(value, dict) else []
            return preview(records(value)[:ROWS] or single)
        return preview(_objects(document, name))


def array_name(document: Document) -> str | None:
    """The name of the array of a document with its texts: "" if the document is one, None if it is
    an object that contains its text itself. Raises UserError for a notebook, which has programs.
    """
    head = beginning(document).lstrip("\ufeff \t\n")
    if _ASSIGNMENT.match(head):
        return ASSIGNED
    value = load_truncated(head) if head.startswith("{") else None
    if not isinstance(value, dict):
        return ""
    if "nbformat" in value or document.suffix == ".ipynb":
        raise UserError(
            tr("{shown} is a notebook, whose programs would become words.", shown=document.shown),
            tr("Convert the notebook with “jupyter nbconvert --to markdown --no-input” first."),
        )
    if records(value):
        return None
    wanted = document.options.column
    if wanted and values(value, wanted) and not isinstance(value.get(wanted), list):
        return None
    lists = {
        name: _amount(name, items)
        for name, items in _lists(value)
        if not wanted or wanted == name or any(values(item, wanted) for item in items)
    }
    own = {name: text for name, text in fields(value).items() if "\n" not in text}
    name = max(lists, key=lambda each: lists[each], default=None)
    if name is None or any(_amount(each, [own[each]]) > lists[name] for each in own):
        return None
    return name


def _lists(value: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """The lists in an object and in the objects in it, by their names."""
    waiting: list[tuple[dict[str, Any], int]] = [(value, 0)]
    while waiting:
        inner, depth = waiting.pop(0)
        for name, item in inner.items():
            if isinstance(item, dict) and depth < _DEPTH:
                waiting.append((item, depth + 1))
            elif isinstance(item, list) and item:
                yield name, item[:ROWS]


def _amount(name: str, items: list[Any]) -> float:
    """Amount of text in a list of texts, or of objects with a text."""
    rows = [item for item in items if isinstance(item, dict)]
    path = guess(rows) if rows else name
    cells = [text for item in items for text in (values(item, path) if rows else texts(item))]
    return worth(path, cells)[0] * len(cells)


def _read_object(document: Document) -> Iterator[str]:
    """The text of a single object."""
    held: list[str] = []
    size = 0
    for piece in document.characters():
        held.append(piece)
        size += len(piece)
        if size > LONGEST:
            raise too_long(document.shown, 1)
        yield ""
    row = load_value("".join(held).lstrip("\ufeff"))
    if not isinstance(row, dict):
        raise UserError(
            tr("{shown} isn’t valid JSON, or is truncated.", shown=document.shown),
            tr("Correct the file, or export it again."),
        )
    table = records(row)
    rows = table or [row]
    path = choose_field(rows[:ROWS], document.options.column, document.shown)
    if not any(values(each, path) for each in rows):
        raise UserError(
            tr("{shown} is a JSON object that contains no text.", shown=document.shown), MEND
        )
    document.findings.column = path
    if table:
        document.note(
            tr("The JSON object is a table, of which the column “{path}” was read.", path=path)
        )
    else:
        document.note(tr("The file is one JSON object; its field “{path}” was read.", path=path))
    others = other_fields(rows[:ROWS], path)
    between = joint(rows[:ROWS], path, document)
    missing = 0
    for each in rows:
        found = values(each, path)
        missing += not found
        mark = document.begin_row(row_values(each, others)) if found else ""
        yield mark + between.join(found)
    if missing:
        document.note(tr("Elements without text in this field: {missing:,}.", missing=missing))


class _Chosen:
    """The field to read, and a message about it. Raises UserError if the objects do not have
    it.
    """

    def __init__(self, document: Document, name: str) -> None:
        rows = _objects(document, name)
        self.path = choose_field(rows, document.options.column, document.shown)
        self.others = other_fields(rows, self.path)
        self.between = joint(rows, self.path, document)
        if not rows and are_token_lists(filter(is_text_list, first_elements(document, name))):
            note_token_lists(document)
        if rows:
            document.findings.column = self.path

    def texts(self, value: object) -> list[str]:
        """The texts in the chosen field of an object, or a text or list of texts itself."""
        if isinstance(value, dict):
            return values(value, self.path)
        # A list of tokens is a sentence; of other lists, the texts are read.
        return (isinstance(value, list) and texts([value])) or texts(value)


def _read_elements(document: Document, field: _Chosen, name: str) -> Iterator[str | None]:
    seen = missing = 0
    for part in elements(document, name):
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


def _objects(document: Document, name: str) -> list[dict[str, Any]]:
    return [value for value in first_elements(document, name) if isinstance(value, dict)]
