"""Analogy questions in the format of questions-words.txt, or made from pairs such as BATS."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.text_files import cannot_read, read_text

# Maximum bytes of a file or folder: twenty-five times questions-words.txt, and some hundred
# megabytes of words in memory.
MOST = 16_000_000
# Maximum number of questions made from pairs: five times those of BATS.
MOST_FROM_PAIRS = 500_000
# Maximum number of entries of a folder, and of folders within folders.
_MOST_ENTRIES, _DEEPEST = 2_000, 3
_SUFFIXES = (".txt", ".tsv", ".csv")
_SEPARATORS = ("\t", ",", ";", "|", None)
# Titles of columns: of words, of sections, and of numbers of rows.
_WORD_TITLES = re.compile(
    r"[a-d][12*]?|(word|wort|w|term|item|source|base|query|question|answer|target|expected|stem"
    r"|inflected|derived|form)[\s_-]?[1-4a-d]?"
    # Terms of grammar and of geography, which aren't examples of a relation themselves.
    r"|singular|plural|infinitive|present|past|participle|gerund|positive|comparative|superlative"
    r"|adjective|adverb|noun|verb|lemma|hypernym|hyponym|synonym|antonym|meronym|holonym"
    r"|country|capital|currency|nationality"
)
_SECTION_TITLES = re.compile(r"(sub)?(category|section|relation|type|kind|group)")
_ROW_TITLES = re.compile(r"|id|index|nr|no|row|#")
# Notations with colons: a : b :: c : d, and SemEval's pairs.
_COLONS = re.compile(r"\s*([^:]+?)\s*:\s*([^:]+?)\s*::\s*([^:]+?)\s*:\s*([^:]+?)\s*")
_COLON_PAIRS = re.compile(r'[-\d.\s]*"?[^\s":]+:[^\s":]+"?(?:\s*[,\t]\s*"?[^\s":]+:[^\s":]+"?)*')
# Maximum number of words of a phrase between commas.
_MOST_WORDS = 3
# Google's names of sections, and BATS’s, such as “I01 [noun - plural_reg]” and “D03 [adj+ly_reg]”.
_SYNTACTIC = re.compile(r"gram|[ID]\d\d\b")
# Names of relations in place of answers, as in Microsoft's syntactic questions: JJ_JJR, NN_NNPOS.
_RELATION = re.compile(r"[A-Z]{2,6}_[A-Z]{2,6}")

Place = tuple[str, int]


@dataclass(frozen=True)
class Questions:
    """Questions a : b :: c : d.

    words : one tuple (a, b, c, d) per question, as written in the file
    section : for each question, its index in ``sections``
    sections : names in order of the file; see ``is_syntactic``
    alternatives : for each question, the right answers besides d; empty if all have a single one
    seconds : for each question, the words that stand for b if b is unknown; empty if there are none
    left_out : file name and number (from 1) of each line that isn't a question or a pair
    """

    name: str
    words: tuple[tuple[str, str, str, str], ...]
    section: tuple[int, ...]
    sections: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...] = ()
    left_out: tuple[Place, ...] = ()
    seconds: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.words)

    def answers(self, at: int) -> tuple[str, ...]:
        """All right answers to a question, d first."""
        return (self.words[at][3], *(self.alternatives[at] if self.alternatives else ()))


def is_syntactic(section: str) -> bool:
    """Whether a section counts as syntactic, by the names in questions-words.txt and in BATS."""
    return _SYNTACTIC.match(section) is not None


class _Pair(NamedTuple):
    word: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class _Content:
    """Items of one file with the names of their sections, and the lines that are left out."""

    questions: list[tuple[str, tuple[str, str, str, str]]]
    pairs: list[tuple[str, _Pair]]
    left_out: list[tuple[int, str]]

    @property
    def size(self) -> int:
        return len(self.questions) + len(self.pairs)


def load_questions(path: str | Path) -> Questions:
    """Read ``: section`` lines and lines of four words, or pairs; from a file, or from the text
    files of a folder.

    Lines of pairs contain a word and its answer, or answers separated by “/”, as in BATS (Gladkova,
    Drozd and Matsuoka 2016). The first known answer is b; any is right as d. Every two pairs of a
    section make two questions; of more than MOST_FROM_PAIRS, each pair is only combined with the
    next ones. A first line of titles is recognised, as are sections in a column. Sections without
    a name are named after their file. Other lines are left out and
    counted.
    Raises UserError if a file can't be read, contains no question, or has more other lines than
    questions.
    """
    path = Path(path)
    files = question_files(path)
    contents: list[tuple[Path, _Content]] = []
    rest = MOST
    for file in files:
        text = read_text(file, rest)
        rest -= len(text)
        contents.append((file, _parse(text, file.stem, alone=len(files) == 1)))
    usable = [one for one in contents if one[1].size >= len(one[1].left_out) and one[1].size]
    if not usable:
        for file, content in contents:
            if content.left_out:
                raise _not_questions(file, *content.left_out[0])
    questions = [item for _, content in usable for item in content.questions]
    pairs = [item for _, content in usable for item in content.pairs]
    alternatives: list[tuple[str, ...]] = [()] * len(questions)
    seconds = alternatives.copy()
    for section, words, others, further in _questions_of(pairs):
        questions.append((section, words))
        alternatives.append(others)
        seconds.append(further)
    if not questions:
        raise UserError(
            tr("{name} contains no questions.", name=path.name),
            tr(
                "Write lines of four words, as in questions-words.txt, or at least two pairs, as "
                "in BATS."
            ),
        )
    if all(_RELATION.fullmatch(words[3]) for _, words in questions):
        raise UserError(
            tr(
                "{name} contains no answers: “{relation}” is the name of a relation.",
                name=path.name,
                relation=questions[0][1][3],
            ),
            tr("Replace the last word of each line by its answer, which is in another file."),
        )
    sections: dict[str, int] = {}
    section_of = tuple(sections.setdefault(section, len(sections)) for section, _ in questions)
    return Questions(
        path.name,
        tuple(words for _, words in questions),
        section_of,
        tuple(sections),
        tuple(alternatives) if any(alternatives) else (),
        tuple((file.name, number) for file, content in contents for number, _ in content.left_out),
        tuple(seconds) if any(seconds) else (),
    )


def question_files(path: Path) -> list[Path]:
    """The files of a set of questions: the path itself, or the text files of a folder, by name.

    Raises UserError for a folder that can't be read or contains too many files.
    """
    if not path.is_dir():
        return [path]
    try:
        entries = list(_entries(path, _DEEPEST))
    except OSError as error:
        raise cannot_read(path, error) from error
    if len(entries) > _MOST_ENTRIES:
        raise UserError(
            tr("{name} contains too many files.", name=path.name),
            tr("Choose a folder that only contains questions."),
        )
    files = sorted(one for one in entries if one.suffix.lower() in _SUFFIXES and one.is_file())
    if not files:
        raise UserError(
            tr("{name} contains no questions.", name=path.name),
            tr("Choose a folder of text files, such as BATS."),
        )
    return files


def _entries(folder: Path, depth: int) -> Iterator[Path]:
    """Entries of a folder and of folders in it, hidden ones left out; a few more than the
    maximum.
    """
    found = 0
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        found += 1
        if found > _MOST_ENTRIES + 1:
            return
        yield entry
        if depth > 1 and entry.is_dir() and not entry.is_symlink():
            for inner in _entries(entry, depth - 1):
                found += 1
                yield inner


def _not_questions(file: Path, number: int, line: str) -> UserError:
    return UserError(
        tr(
            "{name}, line {number:,}: expected four words or a pair, not “{shown}”.",
            name=file.name,
            number=number,
            shown=line[:40],
        ),
        tr(
            "Write lines of the form “: section” and lines of four words, as in "
            "questions-words.txt, or pairs, as in BATS."
        ),
    )


def _parse(text: str, stem: str, *, alone: bool) -> _Content:
    lines = [
        (number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()
    ]
    colons = [_COLONS.fullmatch(line) for _, line in lines]
    if any(colons):
        lines = [
            (number, "\t".join(words.groups()) if words else line)
            for (number, line), words in zip(lines, colons, strict=True)
        ]
    pairs = sum(_COLON_PAIRS.fullmatch(line) is not None for _, line in lines)
    if 2 * pairs > len(lines):
        raise UserError(
            tr(
                "{stem} contains pairs with colons, as in SemEval-2012 task 2, which rates how "
                "typical pairs are of a relation.",
                stem=stem,
            ),
            tr("Write the two words of each pair on a line, separated by a space."),
        )
    titled = _titled(lines, stem)
    if titled is not None:
        return titled
    split, width = _layout([line for _, line in lines if not line.startswith(":")])
    content = _Content([], [], [])
    section = stem if width == 2 or not alone else "questions"
    for number, line in lines:
        if line.startswith(":"):
            section = line[1:].strip() or section
            continue
        fields = _fields(line, split)
        _add(content, section, fields if len(fields) == width else [], number, line)
    return content


def _add(content: _Content, section: str, words: Sequence[str], number: int, line: str) -> None:
    """Add a question of four words, a pair, or, if it is neither, a line that is left out."""
    if len(words) == 4:
        a, b, c, d = words
        content.questions.append((section, (a, b, c, d)))
        return
    answers: tuple[str, ...] = ()
    if len(words) == 2:
        answers = tuple(dict.fromkeys(filter(None, map(str.strip, words[1].split("/")))))
    if answers:
        content.pairs.append((section, _Pair(words[0], answers)))
    else:
        content.left_out.append((number, line))


def _titled(lines: Sequence[tuple[int, str]], stem: str) -> _Content | None:
    """The content of a table whose first line contains the titles of two or four columns of words,
    perhaps beside sections and numbers of rows; None for anything else.
    """
    for separator in filter(None, _SEPARATORS):
        if len(lines) < 2 or separator not in lines[0][1]:
            continue
        titles = [title.casefold() for title in _cells(lines[0][1], separator)]
        words = [at for at, title in enumerate(titles) if _WORD_TITLES.fullmatch(title)]
        sections = [at for at, title in enumerate(titles) if _SECTION_TITLES.fullmatch(title)]
        others = [at for at, title in enumerate(titles) if _ROW_TITLES.fullmatch(title)]
        if len(words) not in (2, 4) or len(words + sections + others) < len(titles):
            continue
        content = _Content([], [], [])
        for number, line in lines[1:]:
            cells = _cells(line, separator)
            whole = len(cells) == len(titles) and all(cells[at] for at in words)
            section = (whole and sections and cells[sections[0]]) or stem
            _add(content, section, [cells[at] for at in words] if whole else [], number, line)
        if 2 * content.size >= len(lines) - 1:
            return content
    return None


def _cells(line: str, separator: str) -> list[str]:
    if '"' in line:
        with suppress(csv.Error):
            cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
            return [cell.strip() for cell in cells]
    return [cell.strip() for cell in (line.split() if separator == " " else line.split(separator))]


def _fields(line: str, separator: str | None) -> list[str]:
    if line.startswith(("# ", "{", "[")):
        return []
    fields = list(filter(None, _cells(line, separator or " ")))
    if separator in (",", ";") and any(field.count(" ") >= _MOST_WORDS for field in fields):
        # A sentence with a comma.
        return []
    return fields


def _layout(lines: Sequence[str]) -> tuple[str | None, int]:
    """The separator (None: spaces) and number of words that most lines have."""
    found: list[tuple[int, str | None, int]] = []
    for separator in _SEPARATORS:
        sizes = [len(_fields(line, separator)) for line in lines]
        found += [(sizes.count(width), separator, width) for width in (4, 2)]
    best, separator, width = max(found, key=lambda one: one[0])
    return (separator, width) if best else (None, 4)


def _questions_of(
    pairs: Sequence[tuple[str, _Pair]],
) -> Iterator[tuple[str, tuple[str, str, str, str], tuple[str, ...], tuple[str, ...]]]:
    """Section, words, further answers and further words for b of the questions that the pairs of
    each section make.

    Left out are those without an answer besides a, b and c, which can't be answers.
    """
    sections: dict[str, dict[_Pair, None]] = {}
    for section, pair in pairs:
        sections.setdefault(section, {})[pair] = None
    most = max(1, MOST_FROM_PAIRS // max(1, len(pairs)))
    for section, unique in sections.items():
        listed = list(unique)
        size = len(listed)
        for at, (a, (b, *further)) in enumerate(listed):
            followers = range(at + 1, at + 1 + min(most, size - 1))
            for other in sorted(place % size for place in followers):
                c, answers = listed[other]
                right = tuple(word for word in answers if word not in (a, b, c))
                if a != c and right:
                    yield section, (a, b, c, right[0]), right[1:], tuple(further)
