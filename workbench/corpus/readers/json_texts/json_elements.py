"""The elements of JSON arrays, read one at a time (RFC 8259)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.json_texts.json_fields import DECODER, ROWS, load_truncated
from workbench.corpus.readers.records import LONGEST, beginning

_BLANK = re.compile(r"[ \t\r\n\ufeff]*")
# An error this close to the end may be due to the cut alone: to half an escape, a number, or a
# word such as null.
_NEAR = 16
# Characters between a name and its array that may be cut.
_KEPT = 100
# A name of an array that a script assigns to a variable, as in archives of Twitter.
ASSIGNED = "="
MEND = tr("Open an array of texts or of objects, or a file with one object per line (JSON lines).")


def first_elements(document: Document, name: str = "") -> list[object]:
    """The first elements of an array, from its head; if the first one is longer, its beginning.
    ``name`` as for ``elements``.
    """
    array = _Array(document.shown, name)
    try:
        found, at = array.feed(text := beginning(document), last=False)
    except UserError:
        return array.found[:ROWS]
    if not found and array.open:
        value = load_truncated(text[at:])
        if value is None:
            return []
        return [value]
    return found[:ROWS]


def elements(document: Document, name: str = "") -> Iterator[list[object]]:
    """Yield, for every piece of a document, the elements that end in it.

    ``name``: the arrays are the values of members with this name, anywhere in the document; ""
    means that the document is an array, and ASSIGNED that a script assigns the array.

    Holds at most LONGEST characters and a piece in memory. Raises UserError for content that isn’t
    an array, or is damaged.
    """
    array = _Array(document.shown, name)
    held: list[str] = []
    size = wanted = 0
    for piece in document.characters():
        held.append(piece)
        size += len(piece)
        # Parse incomplete data again only when its length has doubled, so that long values don’t
        # take quadratic time.
        if size < wanted:
            yield []
            continue
        text = "".join(held)
        found, at = array.feed(text, last=False)
        yield found
        held = [text[at:]]
        size = len(held[0])
        wanted = min(2 * size, LONGEST + 1)
        if size > LONGEST:
            raise UserError(
                tr(
                    "The element in line {line:,} of {shown} is longer than {longest:,} "
                    "characters.",
                    line=array.line,
                    shown=document.shown,
                    longest=LONGEST,
                ),
                tr("Check the quotation marks, or split the text into smaller parts."),
            )
    found, _ = array.feed("".join(held), last=True)
    yield found
    if array.open:
        document.note(tr("The file is truncated; all complete elements were read."))


class _Array:
    """State of reading an array.

    line : line of the first unread character, from 1
    open : the array has begun and not ended
    found : the elements that the last call of ``feed`` found, even if it failed
    """

    def __init__(self, shown: str, name: str) -> None:
        self._shown = shown
        begins = rf'"{re.escape(name)}"\s*:\s*\['
        if name == ASSIGNED:
            begins = r"=\s*\["
        self._name = re.compile(begins) if name else None
        self.line = 1
        self.open = False
        self.found: list[object] = []
        self._begun = False
        # Expect an element next, not a comma.
        self._value = True

    def feed(self, text: str, last: bool) -> tuple[list[object], int]:
        """The complete elements in ``text``, and their length; pass the rest again, with more
        text.

        Raises UserError for content that isn’t an array, or is damaged.
        """
        at = 0
        self.found = found = []
        while (at := _skip(text, at)) < len(text):
            mark = text[at]
            if not self.open and self._name is not None:
                begins = self._name.search(text, at)
                if begins is None:
                    at = max(at, len(text) - _KEPT)
                    break
                self.open = self._value = True
                at = begins.end()
            elif not self.open:
                if self._begun or mark != "[":
                    raise self._wrong(text, at)
                self.open = self._begun = True
                at += 1
            elif mark == "]":
                self.open = False
                at += 1
            elif not self._value:
                if mark != ",":
                    raise self._wrong(text, at)
                self._value = True
                at += 1
            else:
                try:
                    value, end = DECODER.raw_decode(text, at)
                except json.JSONDecodeError as error:
                    if error.pos >= len(text) - _NEAR or error.msg.startswith(
                        "Unterminated string"
                    ):
                        break
                    raise self._wrong(text, error.pos) from error
                except RecursionError as error:
                    raise self._wrong(text, at) from error
                if not last and mark not in '{["' and end >= len(text) - _NEAR:
                    break  # a number may continue
                found.append(value)
                self._value = False
                at = end
        self.line += text.count("\n", 0, at)
        return found, at

    def _wrong(self, text: str, at: int) -> UserError:
        line = self.line + text.count("\n", 0, at)
        if not self._begun:
            return UserError(tr("{shown} isn’t a JSON array.", shown=self._shown), MEND)
        if not self.open:
            return UserError(
                tr(
                    "{shown} has content after the end of its array, in line {line:,}.",
                    shown=self._shown,
                    line=line,
                ),
                MEND,
            )
        return UserError(
            tr(
                "Line {line:,} of {shown} isn’t valid JSON, or is nested too deeply.",
                line=line,
                shown=self._shown,
            ),
            tr("Correct the file, or export it again."),
        )


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    if found is None:
        return at
    return found.end()
