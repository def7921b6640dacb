"""Small World: a synthetic corpus of plain sentences about an invented little world.

Tables of facts and sentence templates are in ``resources/small_world``. Templates are drawn, each
with a row of its table, until the text is long enough. No sentence uses two rows of one table, so
none contains two pairs of one relation: an algorithm must combine separate sentences to answer an
analogy.

Analogies work because meaning is crossed with form, as in any language. Each row belongs to a
setting (the court, the sea, the school) whose places and things occur with all its words, and each
column has its own sentences: "king" and "queen" share the throne, "king" and "wizard" share "he",
"his" and the beard.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from workbench.core.atomic import replacing
from workbench.core.folders import resources
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr

SEED = 2013
TOKENS = 1_000_000

Row = Mapping[str, tuple[str, ...]]

_SLOT = re.compile(r"\{(a )?(?:(\w+)\.)?(\w+)\}")
_SAID_WITH_A = ("eu", "ukr", "uku", "unic", "unif", "univ", "usu", "one")
_SAID_WITH_AN = ("honest", "hour", "heir")

# The relations of questions-words: table and the two columns of each pair.
_RELATIONS = {
    "capital-common-countries": ("countries", "capital", "country"),
    "capital-world": ("countries", "capital", "country"),
    "currency": ("countries", "country", "currency"),
    "city-in-state": ("countries", "city", "region"),
    "family": ("people", "male", "female"),
    "gram1-adjective-to-adverb": ("manners", "adjective", "adverb"),
    "gram2-opposite": ("opposites", "plain", "opposite"),
    "gram3-comparative": ("degrees", "positive", "comparative"),
    "gram4-superlative": ("degrees", "positive", "superlative"),
    "gram5-present-participle": ("verbs", "base", "participle"),
    "gram6-nationality-adjective": ("countries", "country", "nationality"),
    "gram7-past-tense": ("verbs", "participle", "past"),
    "gram8-plural": ("nouns", "singular", "plural"),
    "gram9-plural-verbs": ("verbs", "base", "third"),
}


class Pattern(NamedTuple):
    """A template with its row filled in: ``text`` has a %s for each of ``choices``."""

    template: int
    text: str
    choices: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PatternGroup:
    """Patterns for one kind of statement, and their relative frequency."""

    share: float
    patterns: Sequence[Pattern]


def folder() -> Path:
    """Folder of the tables, the templates and the question file."""
    return resources() / "small_world"


def generate(
    seed: int = SEED, tokens: int = TOKENS, where: Path | None = None
) -> Iterator[tuple[int, str]]:
    """Sentences of the world in ``where`` (None: Small World) with at least ``tokens`` words in
    total, each with the number of its template.

    A sentence consists of lowercase words with single spaces and no punctuation, so that all
    tokenisers give the same result. Equal seeds give equal sentences on every machine: only
    ``Random.random`` is used, whose sequence Python guarantees.
    """
    draw = random.Random(seed).random
    groups = _groups(where or folder())
    shares = list(itertools.accumulate(group.share for group in groups))
    decks = [_dealt(group.patterns, draw) for group in groups]
    written = 0
    while written < tokens:
        at = draw() * shares[-1]
        template, text, choices = next(
            decks[next(i for i, share in enumerate(shares) if at < share)]
        )
        drawn = [words[int(draw() * len(words))] for words in choices]
        while len(set(drawn)) < len(drawn):  # no word twice
            drawn = [words[int(draw() * len(words))] for words in choices]
        sentence = text % tuple(drawn)
        written += sentence.count(" ") + 1
        yield template, sentence


def write(path: Path, run: JobControl | None = None) -> None:
    """Write the corpus to ``path``, one sentence per line, completely or not at all."""
    write_world(path, folder(), tr("Writing {title}", title="Small World"), run)


def write_world(path: Path, where: Path, title: str, run: JobControl | None = None) -> None:
    """Write the corpus of the tables and templates in ``where``, completely or not at all."""
    run = run or JobControl()
    run.enter(Phase.READING, title)
    sentences = generate(where=where)
    written = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        while batch := [sentence for _, sentence in itertools.islice(sentences, 2000)]:
            run.check()
            text = "\n".join(batch) + "\n"
            file.write(text)
            written += len(text.split())
            run.advance(written / TOKENS)


def digest(where: Path | None = None) -> str:
    """A hash of everything that determines the text: this file, the tables and the templates."""
    where = where or folder()
    made_from = [Path(__file__), *sorted(where.glob("*.tsv")), where / "templates.toml"]
    hashed = hashlib.blake2b(digest_size=8)
    for path in made_from:
        hashed.update(path.name.encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()


def relations() -> dict[str, list[tuple[str, str]]]:
    """The pairs of each of the 14 relations, without pairs whose second word belongs to several
    pairs.
    """
    return pairs_of(_RELATIONS, folder())


def pairs_of(
    chosen: Mapping[str, tuple[str, str, str]], where: Path
) -> dict[str, list[tuple[str, str]]]:
    """The pairs of relations, each with its table and two columns, as in ``relations``."""
    found = {}
    for name, (table, first, second) in chosen.items():
        rows = [
            row
            for row in _table(table, where)
            if name != "capital-common-countries" or row["common"] == ("yes",)
        ]
        shared = Counter(row[second][0] for row in rows)
        found[name] = [
            (row[first][0], row[second][0]) for row in rows if shared[row[second][0]] == 1
        ]
    return found


def questions() -> str:
    """The question file: in each section, every pair combined with every other, "a b c d" for a is
    to b as c is to d.
    """
    return questions_of(relations(), {"family": "man king woman queen"})


def questions_of(chosen: Mapping[str, list[tuple[str, str]]], first: Mapping[str, str]) -> str:
    """The question file of these pairs; ``first``: a further question of a section."""
    lines = []
    for name, pairs in chosen.items():
        lines.append(f": {name}")
        if name in first:
            lines.append(first[name])
        lines += [f"{a} {b} {c} {d}" for (a, b), (c, d) in itertools.permutations(pairs, 2)]
    return "\n".join(lines) + "\n"


def _table(name: str, where: Path) -> list[Row]:
    """The rows of a table, each column with its possible values, including those of the row's
    setting.
    """
    header, *lines = (where / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    columns = header.split("\t")
    rows: list[Row] = [
        {c: tuple(v.split("|")) for c, v in zip(columns, line.split("\t"), strict=True)}
        for line in lines
    ]
    if name == "settings" or "setting" not in columns:
        return rows
    settings = {row["setting"]: row for row in _table("settings", where)}
    return [{**settings[row["setting"]], **row} for row in rows]


def _tables(where: Path) -> dict[str, list[Row]]:
    """All tables. People have a row for the man and one for the woman, with the words of their
    gender.
    """
    tables = {path.stem: _table(path.stem, where) for path in sorted(where.glob("*.tsv"))}
    tables["gender"] = tables["genders"]
    tables["people"] = [
        {**row, **gender, "person": row[gender["gender"][0]]}
        for row in tables["people"]
        for gender in tables["gender"]
    ]
    return tables


def _groups(where: Path) -> list[PatternGroup]:
    tables = _tables(where)
    fillers = {row["filler"][0]: row["words"] for row in tables["fillers"]}
    source = tomllib.loads((where / "templates.toml").read_text(encoding="utf-8"))
    number = itertools.count()
    return [
        PatternGroup(
            group["share"],
            [
                pattern
                for sentence in group["sentences"]
                for pattern in _patterns(next(number), sentence, group["table"], tables, fillers)
            ],
        )
        for group in source["group"]
    ]


def _patterns(
    template: int, sentence: str, table: str, tables: Mapping[str, list[Row]], fillers: Row
) -> Iterator[Pattern]:
    """The template with every row of its table, and of other tables that it names."""
    named = list(dict.fromkeys([table, *(slot[1] for slot in _SLOT.findall(sentence) if slot[1])]))
    for rows in itertools.product(*(tables[name] for name in named)):
        row = dict(zip(named, rows, strict=True))
        choices: list[tuple[str, ...]] = []

        def fill(
            slot: re.Match[str],
            row: Mapping[str, Row] = row,
            choices: list[tuple[str, ...]] = choices,
        ) -> str:
            article, other, column = slot.groups()
            known = row[other or table]
            words = known[column] if other or column in known else fillers[column]
            if article:
                words = tuple(with_article(word) for word in words)
            if len(words) == 1:
                return words[0]
            choices.append(words)
            return "%s"

        yield Pattern(template, _SLOT.sub(fill, sentence), tuple(choices))


def with_article(word: str) -> str:
    """The word after "a" or "an", by its pronunciation."""
    vowel = word.startswith(_SAID_WITH_AN) or (
        word[0] in "aeiou" and not word.startswith(_SAID_WITH_A)
    )
    return f"{'an' if vowel else 'a'} {word}"


def _dealt(patterns: Sequence[Pattern], draw: Callable[[], float]) -> Iterator[Pattern]:
    """The patterns in an endless sequence, each once before any repeats, in a new order every
    time.
    """
    while True:
        yield from sorted(patterns, key=lambda _: draw())
