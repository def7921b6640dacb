"""Tables in a single JSON object, as pandas and R write them: an object for each column, an object
for each row, or the names of the columns beside lists of cells.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from workbench.corpus.readers.records import is_column_name

# Minimum number of rows, and share of them that have the same fields.
_FEWEST, _ALIKE = 2, 0.8


def records(value: object) -> list[dict[str, Any]]:
    """The rows of a table; none for another value.

    In pandas’ orientations: "columns" (the default), "index" and "split". An object of rows may
    have any names, such as the identifiers of texts.
    """
    if not isinstance(value, dict):
        return []
    names, data = value.get("columns"), value.get("data")
    if _is_list_of_texts(names) and isinstance(data, list) and data:
        if all(isinstance(row, list) and len(row) == len(names) for row in data):
            return [dict(zip(names, row, strict=True)) for row in data]
        return []
    inner = [each for each in value.values() if isinstance(each, dict) and each]
    if not inner or len(inner) != len(value):
        return []
    if any(isinstance(cell, dict) for row in inner for cell in row.values()):
        return []
    fields = set(inner[0])
    if len(fields) >= _FEWEST and all(each.keys() == fields for each in inner):
        numbered = all(map(str.isdecimal, fields))
        usual = sum(map(is_column_name, value)), sum(map(is_column_name, fields))
        if numbered or (not all(map(str.isdecimal, value)) and usual[0] > usual[1]):
            return [{name: value[name][key] for name in value} for key in inner[0]]
    common = sum(bool(fields & set(each)) for each in inner)
    if len(inner) >= _FEWEST and common >= _ALIKE * len(inner) and _has_rows(value, fields):
        return inner
    return []


def _has_rows(value: dict[str, Any], fields: set[str]) -> bool:
    """Whether the names of an object identify rows instead of naming parts of one text."""
    return not any(map(is_column_name, value)) and not all(map(str.isdecimal, fields))


def _is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)
