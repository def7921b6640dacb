"""Pairs of words of Small World, graded by their distance in its tables, without human raters.

The tables are a taxonomy: a table contains rows, a row belongs to a setting, a column gives the
role of a word in its row. The grade measures what two words share, from two forms of one row down
to nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.corpus.samples import small_world

SEED = 2013
# Number of pairs of each grade.
PAIRS = 40

_TABLES = {
    "people": ("male", "female"),
    "countries": ("country", "capital", "nationality", "city", "region", "river", "mountain"),
    "nouns": ("singular", "plural"),
    "verbs": ("base", "third", "participle", "past"),
    "degrees": ("positive", "comparative", "superlative"),
    "opposites": ("plain", "opposite"),
    "manners": ("adjective", "adverb"),
}
_METHOD = """\
# Small World: pairs of words graded by the tables from which its text is made; no person was asked.
# 4: two columns of one row (king queen)          3: one column of one table (king duke)
# 2: two columns and rows of one table (king duchess)
# 1: two tables, one setting (king jewels)        0: two tables, two settings (king goats)
word1\tword2\tgrade
"""


class WordPlace(NamedTuple):
    """A word's place in the tables."""

    word: str
    table: str
    column: str
    row: int
    setting: str


def entries() -> list[WordPlace]:
    """Every word that occurs in only one place, in order of the tables."""
    found = []
    for table, columns in _TABLES.items():
        header, *lines = (
            (small_world.folder() / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
        )
        names = header.split("\t")
        for number, line in enumerate(lines):
            row = dict(zip(names, line.split("\t"), strict=True))
            found += [
                WordPlace(row[column], table, column, number, row["setting"]) for column in columns
            ]
    places = Counter(entry.word for entry in found)
    return [entry for entry in found if places[entry.word] == 1]


def grade(a: WordPlace, b: WordPlace) -> int:
    """Similarity of two words by construction, 4 (two forms of one row) to 0 (neither table nor
    setting).
    """
    if a.table == b.table:
        if a.row == b.row:
            return 4
        if a.column == b.column:
            return 3
        return 2
    if a.setting == b.setting:
        return 1
    return 0


def similarity() -> str:
    """The file of pairs, tab-separated, with equal numbers of each grade; the same on every
    machine.
    """
    words = entries()
    draw = random.Random(SEED).random
    lines = []
    for wanted in (4, 3, 2, 1, 0):
        taken: set[frozenset[str]] = set()
        while len(taken) < PAIRS:
            a = _draw_word(words, draw)
            b = _draw_word(
                [other for other in words if other is not a and grade(a, other) == wanted], draw
            )
            pair = frozenset((a.word, b.word))
            if pair not in taken:
                taken.add(pair)
                lines.append(f"{a.word}\t{b.word}\t{wanted}")
    return _METHOD + "\n".join(lines) + "\n"


def _draw_word(words: Sequence[WordPlace], draw: Callable[[], float]) -> WordPlace:
    """Draw a table first, so that large ones don't dominate, then a word of it."""
    tables = list(dict.fromkeys(word.table for word in words))
    table = tables[int(draw() * len(tables))]
    own = [word for word in words if word.table == table]
    return own[int(draw() * len(own))]
