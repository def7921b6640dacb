"""Analogy questions in the format of questions-words.txt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text_files import read_text

# Maximum bytes of a file: twenty-five times questions-words.txt, and some hundred megabytes of
# words in memory.
MOST = 16_000_000


@dataclass(frozen=True)
class Questions:
    """Questions a : b :: c : d.

    words : one tuple (a, b, c, d) per question, as written in the file
    section : for each question, its index in ``sections``
    sections : names in order of the file; those that begin with "gram" are syntactic
    """

    name: str
    words: tuple[tuple[str, str, str, str], ...]
    section: tuple[int, ...]
    sections: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


def load_questions(path: str | Path) -> Questions:
    """Read ``: section`` lines and lines of four words.

    Raises UserError if the file cannot be read, contains no question, or a line doesn't have four
    words.
    """
    path = Path(path)
    text = read_text(path, MOST)
    words: list[tuple[str, str, str, str]] = []
    section: list[int] = []
    sections: dict[str, int] = {}
    here = ""
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if not fields:
            continue
        if fields[0].startswith(":"):
            here = line.strip()[1:].strip()
            continue
        if len(fields) != 4:
            shown = line.strip()[:40]
            raise UserError(
                tr(
                    "{name}, line {number:,}: expected four words, not “{shown}”.",
                    name=path.name,
                    number=number,
                    shown=shown,
                ),
                tr(
                    "Write lines of the form “: section” and lines of four words, as in "
                    "questions-words.txt."
                ),
            )
        a, b, c, d = fields
        words.append((a, b, c, d))
        section.append(sections.setdefault(here or "questions", len(sections)))
    if not words:
        raise UserError(
            tr("{name} contains no questions.", name=path.name),
            tr("Write lines of four words, as in questions-words.txt."),
        )
    return Questions(path.name, tuple(words), tuple(section), tuple(sections))
