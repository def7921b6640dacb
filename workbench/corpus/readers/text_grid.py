"""Praat’s TextGrid: the labels of one tier, in order of time (praat.org, “TextGrid file formats”).

Both formats contain the same values: strings in quotation marks and free-standing numbers. A label
of one word continues the line; a longer one is a line of its own. A second without a label ends the
paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.records import LONGEST, beginning, blocks, too_long, worth

_VALUE = re.compile(r'"((?:[^"]|"")*)"|(?<!\S)(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?!\S)')
_PAUSE = 1.0
_ROWS = 200
_Label = tuple[float, float, str]


class TextGrid(Reader):
    key = "textgrid"
    title = tr("Praat TextGrid")
    suffixes = (".textgrid",)
    columns = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        head = beginning(document)[:400]
        return '"ooTextFile' in head and '"TextGrid"' in head

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = []
        size = 0
        for part in document.characters():
            text.append(part)
            size += len(part)
            if size > LONGEST:
                raise too_long(document.shown, 1)
            yield b""
        found = _tiers("".join(text), document)
        if not found:
            raise _invalid(document)
        wanted = document.options.column.strip()
        name = wanted or _guess(found)
        if name not in found:
            raise UserError(
                tr("{shown} has no tier “{wanted}”.", shown=document.shown, wanted=wanted),
                tr("Choose one of: {few}.", few=", ".join(found)),
            )
        document.findings.column = name
        yield from blocks(_paragraphs(found[name]))

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        with suppress(UserError):
            found = _tiers(beginning(document), document)
            return _preview(found) if found else None
        return None


def _preview(found: dict[str, list[_Label]]) -> ColumnPreview:
    rows = min(max(map(len, found.values())), _ROWS)
    cells = [
        tuple(labels[at][2] if at < len(labels) else "" for labels in found.values())
        for at in range(rows)
    ]
    return ColumnPreview(tuple(found), list(found).index(_guess(found)), tuple(cells))


def _tiers(text: str, document: Document) -> dict[str, list[_Label]]:
    """The labels of each tier by name, as far as the text goes. Tiers of equal name are one."""
    values = iter(found[1] if found[2] is None else found[2] for found in _VALUE.finditer(text))
    found: dict[str, list[_Label]] = {}
    try:
        for kind in values:
            if kind not in ("IntervalTier", "TextTier"):
                continue
            labels = found.setdefault(next(values), [])
            _, _, number = next(values), next(values), int(float(next(values)))
            for _ in range(number):
                begin = float(next(values))
                end = float(next(values)) if kind == "IntervalTier" else begin
                labels.append((begin, end, " ".join(next(values).replace('""', '"').split())))
    except (StopIteration, RuntimeError):
        pass  # the end of the head, or of a truncated file
    except (ValueError, OverflowError) as error:
        raise _invalid(document) from error
    return found


def _invalid(document: Document) -> UserError:
    return UserError(
        tr("{shown} isn’t a valid TextGrid.", shown=document.shown),
        tr("Save the file again with Praat."),
    )


def _guess(found: dict[str, list[_Label]]) -> str:
    """The tier with the most text; of equal ones, the first."""
    return max(
        found,
        key=lambda name: worth(name, [label for _, _, label in found[name] if label]),
        default="",
    )


def _paragraphs(labels: list[_Label]) -> Iterator[str]:
    lines: list[str] = []
    words: list[str] = []
    spoken = 0.0
    for begin, end, label in sorted(labels, key=lambda label: label[0]):
        if not label:
            continue
        if (words or lines) and begin - spoken >= _PAUSE:
            yield "\n".join([*lines, " ".join(words)])
            lines, words = [], []
        spoken = end
        if " " in label:
            lines += [" ".join(words), label] if words else [label]
            words = []
        else:
            words.append(label)
    yield "\n".join([*lines, " ".join(words)]).strip()
