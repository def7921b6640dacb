"""Tests of associations: two sets of target words and two sets of attribute words each, typed, or
from a file in TOML.

A file contains named sets, and tests that refer to them:

    title = "Jobs"                       # optional, as is source
    source = "Author 2020, Title"

    [sets]
    trades = ["engineer", "pilot"]
    care = ["nurse", "teacher"]
    men = ["he", "him"]
    women = ["she", "her"]

    [tests.jobs]
    targets = ["trades", "care"]
    attributes = ["men", "women"]
    pairs = true                         # optional: he and she, him and her belong together
    title = "Trades and care"            # optional, as is source
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.core.errors import UserError, quoted_words
from workbench.core.folders import resources
from workbench.core.language import tr
from workbench.core.text.text_files import read_text

# Published sets and sets of the bundled corpora. The top of each file names its source.
BUNDLED: Mapping[str, str] = MappingProxyType(
    {
        "caliskan-2017": tr("WEAT 1 to 10 (Caliskan, Bryson & Narayanan 2017)"),
        "small-world": tr("Small World’s people"),
    }
)
# Maximum bytes of a file and number of words of a set: far above those of published sets.
MOST_BYTES, MOST_WORDS = 1_000_000, 2_000

_FILE_KEYS = ("title", "source", "sets", "tests")
_TEST_KEYS = ("title", "source", "targets", "attributes", "pairs")


@dataclass(frozen=True)
class WordSet:
    """A named set of different words, in the order of its file."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class AssociationTest:
    """Are the words of x closer to a, and those of y closer to b?

    x, y : target words; a, b : attribute words. No word is in two of these sets
    paired : whether the attribute words in the same place belong together, such as he and she
    """

    key: str
    x: WordSet
    y: WordSet
    a: WordSet
    b: WordSet
    paired: bool = False
    title: str = ""
    source: str = ""

    @property
    def sets(self) -> tuple[WordSet, WordSet, WordSet, WordSet]:
        """x, y, a and b."""
        return self.x, self.y, self.a, self.b


@dataclass(frozen=True)
class AssociationTests:
    """The tests of a file, in its order."""

    name: str
    tests: tuple[AssociationTest, ...]
    title: str = ""
    source: str = ""


def bundled_path(key: str) -> Path:
    """The file of bundled tests by their key in BUNDLED."""
    return resources() / "associations" / f"{key}.toml"


def load_tests(path: str | Path) -> AssociationTests:
    """The tests of a file. Raises UserError naming the set or test that is wrong."""
    path = Path(path)
    try:
        content = tomllib.loads(read_text(path, MOST_BYTES))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(
            tr("{name} isn’t valid TOML ({reason}).", name=path.name, reason=str(error)),
            tr("Write sets under [sets] and each test under [tests.name]."),
        ) from error
    reader = _Reader(path.name)
    reader.refuse_others(content, _FILE_KEYS, tr("the file"))
    sets = reader.sets(content.get("sets"))
    entries = content.get("tests")
    if not isinstance(entries, dict) or not entries:
        raise reader.wrong(tr("it has no tests"), tr("Add a test under [tests.name]."))
    source = reader.text(content, "source", tr("the file"))
    tests = tuple(reader.test(str(key), entry, sets, source) for key, entry in entries.items())
    return AssociationTests(path.name, tests, reader.text(content, "title", tr("the file")), source)


def typed_test(
    targets: Sequence[Sequence[str]], attributes: Sequence[Sequence[str]], paired: bool = False
) -> AssociationTests:
    """A single test of typed words. Raises UserError."""
    reader = _Reader(tr("The typed test"))
    x, y, a, b = (
        WordSet(name, reader.words(name, list(words)))
        for name, words in zip("XYAB", (*targets, *attributes), strict=True)
    )
    test = AssociationTest("typed", x, y, a, b, paired)
    reader.check(test)
    return AssociationTests("", (test,))


class _Reader:
    """Checks the parts of a file, whose ``name`` its errors begin with."""

    def __init__(self, name: str) -> None:
        self.name = name

    def wrong(self, reason: str, hint: str) -> UserError:
        return UserError(
            tr("{name} can’t be used as sets of words: {reason}.", name=self.name, reason=reason),
            hint,
        )

    def refuse_others(self, entry: Mapping[str, Any], known: Sequence[str], place: str) -> None:
        """Raise UserError for keys that are not in the schema: a misspelt key would be ignored."""
        others = [str(key) for key in entry if key not in known]
        if others:
            raise self.wrong(
                tr("{place} has unknown keys: {keys}", place=place, keys=quoted_words(others)),
                tr("Choose from: {known}.", known=", ".join(known)),
            )

    def text(self, entry: Mapping[str, Any], key: str, place: str) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str):
            raise self.wrong(
                tr("{place}: {key} isn’t text", key=key, place=place),
                tr("Put the text between quotation marks."),
            )
        return " ".join(value.split())

    def sets(self, entries: object) -> dict[str, WordSet]:
        if not isinstance(entries, dict) or not entries:
            raise self.wrong(
                tr("it has no sets"), tr('Add sets under [sets], such as men = ["he", "him"].')
            )
        return {
            str(name): WordSet(str(name), self.words(name, each)) for name, each in entries.items()
        }

    def words(self, name: str, entry: object) -> tuple[str, ...]:
        """The different words of a set. Raises UserError."""
        if not isinstance(entry, list) or not all(
            isinstance(word, str) and word.strip() for word in entry
        ):
            raise self.wrong(
                tr("the set “{set}” isn’t a list of words", set=name),
                tr('Write a set as men = ["he", "him"].'),
            )
        words = tuple(dict.fromkeys(word.strip() for word in entry))
        if not words:
            raise self.wrong(
                tr("the set “{set}” has no words", set=name), tr("Name at least one word.")
            )
        if len(words) > MOST_WORDS:
            raise self.wrong(
                tr("the set “{set}” has more than {most:,} words", set=name, most=MOST_WORDS),
                tr("Remove words."),
            )
        return words

    def test(
        self, key: str, entry: object, sets: Mapping[str, WordSet], source: str
    ) -> AssociationTest:
        if not isinstance(entry, dict):
            raise self.wrong(
                tr("the test “{test}” isn’t a table", test=key),
                tr("Write each test under [tests.name]."),
            )
        place = tr("the test “{test}”", test=key)
        self.refuse_others(entry, _TEST_KEYS, place)
        paired = entry.get("pairs", False)
        if not isinstance(paired, bool):
            raise self.wrong(
                tr("{place}: pairs is neither true nor false", place=place),
                tr("Write pairs = true."),
            )
        x, y = self._two(entry, "targets", place, sets)
        a, b = self._two(entry, "attributes", place, sets)
        test = AssociationTest(
            key,
            x,
            y,
            a,
            b,
            paired,
            self.text(entry, "title", place),
            self.text(entry, "source", place) or source,
        )
        self.check(test)
        return test

    def _two(
        self, entry: Mapping[str, Any], key: str, place: str, sets: Mapping[str, WordSet]
    ) -> tuple[WordSet, WordSet]:
        names = entry.get(key)
        if (
            not isinstance(names, list)
            or len(names) != 2
            or not all(isinstance(name, str) and name in sets for name in names)
        ):
            raise self.wrong(
                tr("{place}: {key} aren’t the names of two sets", key=key, place=place),
                tr("Choose two of: {known}.", known=", ".join(list(sets)[:20])),
            )
        return sets[names[0]], sets[names[1]]

    def check(self, test: AssociationTest) -> None:
        """Raise UserError if a word is in two sets, or pairs have no partners."""
        for one, other in combinations(test.sets, 2):
            shared = [word for word in one.words if word in other.words]
            if shared:
                raise self.wrong(
                    tr(
                        "{words} of the test “{test}” are in both “{one}” and “{other}”",
                        words=quoted_words(shared),
                        test=test.key,
                        one=one.name,
                        other=other.name,
                    ),
                    tr("Remove these words from one of the sets."),
                )
        if test.paired and len(test.a.words) != len(test.b.words):
            raise self.wrong(
                tr("the attribute sets of the test “{test}” aren’t equally long", test=test.key),
                tr("Pairs need a partner for each word: write both sets in the same order."),
            )
