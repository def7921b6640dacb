"""Word attributes read from the user's table: numbers or categories by word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.text_files import read_text

# Maximum bytes of a file: more than a million words with a number each.
_MOST = 32_000_000
_HINT = tr("Write one word per line: the word, a tab, and a number or a category.")


@dataclass(frozen=True)
class WordAttribute:
    """Values by word.

    name : name of the column in the header, or else of the file
    numbers : by word, where all values are numbers; empty for categories
    categories : by word, where at least one value isn’t a number; empty for numbers
    """

    name: str
    numbers: Mapping[str, float]
    categories: Mapping[str, str]

    @property
    def numeric(self) -> bool:
        return bool(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers) or len(self.categories)


def load_column(path: str | Path) -> WordAttribute:
    """Read a TSV file of word and value; ignore further columns and empty values.

    A first line is a header if its value isn’t a number but all values below are, or if it starts
    with "word". If a word occurs twice, its last line counts. Raises UserError if the file couldn’t
    be read, isn’t such a table, or contains a number that isn’t finite.
    """
    path = Path(path)
    text = read_text(path, _MOST)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    pairs: list[tuple[int, str, str]] = []
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) < 2:
            raise UserError(
                tr(
                    "{name}, line {number:,}: no tab in “{line}”.",
                    name=path.name,
                    number=number,
                    line=line.strip()[:40],
                ),
                _HINT,
            )
        pairs.append((number, fields[0].strip(), fields[1].strip()))
    name = path.stem
    rest = [value for _, _, value in pairs[1:] if value]
    if pairs:
        named = pairs[0][1].casefold() == "word"
        if named or (
            rest
            and _number(pairs[0][2]) is None
            and all(_number(value) is not None for value in rest)
        ):
            name = pairs[0][2] or name
            pairs = pairs[1:]
    pairs = [pair for pair in pairs if pair[1] and pair[2]]
    if not pairs:
        raise UserError(tr("{name} contains no words with values.", name=path.name), _HINT)
    values = [_number(value) for _, _, value in pairs]
    if any(value is None for value in values):
        return WordAttribute(name, {}, {word: value for _, word, value in pairs})
    numbers: dict[str, float] = {}
    for (number, word, written), value in zip(pairs, values, strict=True):
        assert value is not None
        if not math.isfinite(value):
            raise UserError(
                tr(
                    "{name}, line {number:,}: “{written}” isn’t a finite number.",
                    name=path.name,
                    number=number,
                    written=written,
                ),
                tr("Leave out words without a value."),
            )
        numbers[word] = value
    return WordAttribute(name, numbers, {})


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
