"""Parser of lesson files; errors name their line.

# Title
level: beginner
minutes: 5
about: One sentence.

## Title of a step

Text.

```predict | do | reveal | claims | formula
…
```
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import localised_path, tr
from workbench.core.text.text_files import read_text
from workbench.session.lessons import markdown
from workbench.session.lessons.actions import LessonAction, LinePlace, Open, Train, read_action
from workbench.session.lessons.assertions import Claim, read_claim
from workbench.session.lessons.lesson import LEVELS, Lesson, LessonStep, Prediction, Question
from workbench.session.lessons.markdown import MarkdownBlock

BLOCKS = ("do", "predict", "reveal", "claims", "formula")
# Header fields of a lesson, and whether they are required.
HEAD = {
    "level": True,
    "minutes": True,
    "about": True,
    "order": False,
    "source": False,
    "name": False,
    "objective": False,
    "note": False,
    "open": False,
    "exit": False,
}
_FENCE = re.compile(r"```\s*(\S*)\s*")
_ENTRY = re.compile(r"([a-z]+):\s*(.*)")
_CHOICE = re.compile(r"\s*([-+])\s+(.+)")


class LessonError(UserError):
    """A problem in a lesson, with its file and line."""

    def __init__(self, path: Path, line: int, message: str, hint: str = "") -> None:
        super().__init__(
            tr("{name}, line {line:,}: {message}", name=path.name, line=line, message=message), hint
        )
        self.line = line


@dataclass
class _Step:
    """A step while its lines are collected; blocks with the lines at which they begin."""

    line: int
    title: str
    text: list[MarkdownBlock] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    fenced: dict[str, tuple[int, list[str]]] = field(default_factory=dict)

    def settle(self) -> None:
        """Turn the lines of text so far into paragraphs."""
        self.text += markdown.blocks_of(self.loose)
        self.loose = []


def read_lesson(path: Path) -> Lesson:
    """Read a lesson, in the language of the process if there is a translation in a folder beside it
    (``de/window.md``); files that it names are beside ``path``. Raises LessonError, and UserError
    if the file cannot be read.
    """
    return parse(read_text(localised_path(path)), path)


def read_in(path: Path, name: str) -> Lesson:
    """Read the lesson in another language than that of the process, if there is a translation.
    Raises as ``read_lesson``.
    """
    other = path.parent / name / path.name
    return parse(read_text(other if other.is_file() else path), path)


def parse(text: str, path: Path) -> Lesson:
    """Parse the text of a lesson file. Raises LessonError."""
    lines = text.split("\n")
    title, head, begin = _parse_head(lines, path)
    gathered = _gather_steps(lines, begin, path)
    if not gathered:
        raise LessonError(
            path,
            len(lines),
            tr("The lesson has no steps."),
            tr("Start a step with a line like “## Title”."),
        )
    reader = _Reader(path, head.get("name", ()))
    steps = tuple(reader.step(each) for each in gathered)
    reader.check_names()
    fields = {name: tuple(value for _, value in entries) for name, entries in head.items()}
    return Lesson(
        key=path.stem,
        path=path,
        title=title,
        about=fields["about"][0],
        level=fields["level"][0],
        minutes=int(fields["minutes"][0]),
        order=int(fields["order"][0]) if "order" in fields else 1000,
        sources=fields.get("source", ()),
        objectives=fields.get("objective", ()),
        notes=fields.get("note", ()),
        open_question=" ".join(fields.get("open", ())),
        exit_question=" ".join(fields.get("exit", ())),
        steps=steps,
    )


def _parse_head(lines: list[str], path: Path) -> tuple[str, dict[str, list[tuple[int, str]]], int]:
    """The title, the entries with their lines, and the index of the first step's line."""
    title = ""
    head: dict[str, list[tuple[int, str]]] = {}
    at = 0
    for at, line in enumerate(lines):
        if line.startswith("## "):
            break
        if not line.strip():
            continue
        if not title:
            if not line.startswith("# ") or not line[2:].strip():
                raise LessonError(
                    path,
                    at + 1,
                    tr("The title of the lesson is missing."),
                    tr("Start the file with a line like “# Title”."),
                )
            title = line[2:].strip()
            continue
        entry = _ENTRY.fullmatch(line.strip())
        if entry is None or entry[1] not in HEAD:
            said = entry[1] if entry else line.strip()[:40]
            raise LessonError(
                path,
                at + 1,
                tr("Unknown header field “{field}”.", field=said),
                tr("Choose one of: {names}.", names=", ".join(HEAD)),
            )
        head.setdefault(entry[1], []).append((at + 1, entry[2].strip()))
    else:
        at = len(lines)
    if not title:
        raise LessonError(
            path,
            1,
            tr("The title of the lesson is missing."),
            tr("Start the file with a line like “# Title”."),
        )
    _check_entries(head, path)
    return title, head, at


def _check_entries(head: Mapping[str, list[tuple[int, str]]], path: Path) -> None:
    """Raise LessonError for a missing entry or a wrong value."""
    for name, needed in HEAD.items():
        if needed and (name not in head or not head[name][0][1]):
            raise LessonError(
                path,
                1,
                tr("The header field “{name}” is missing.", name=name),
                tr("Add a line “{name}: …” below the title.", name=name),
            )
    place, level = head["level"][0]
    if level not in LEVELS:
        raise LessonError(
            path,
            place,
            tr("Unknown level “{level}”.", level=level),
            tr("Choose one of: {names}.", names=", ".join(LEVELS)),
        )
    for name in ("minutes", "order"):
        for place, value in head.get(name, ())[:1]:
            if not value.isascii() or not value.isdigit() or len(value) > 6:
                raise LessonError(
                    path,
                    place,
                    tr("“{name}” must be a whole number, not “{value}”.", name=name, value=value),
                    tr("Use digits only."),
                )


def _gather_steps(lines: list[str], begin: int, path: Path) -> list[_Step]:
    steps: list[_Step] = []
    fence: tuple[str, int, list[str]] | None = None
    for number, line in enumerate(lines[begin:], begin + 1):
        mark = _FENCE.fullmatch(line.strip())
        if fence is not None:
            if line.strip() == "```":
                _close_block(steps[-1], *fence, path)
                fence = None
            elif mark:
                raise LessonError(
                    path,
                    fence[1],
                    tr("The end of a block is missing."),
                    tr("End the block with a line of three backticks."),
                )
            else:
                fence[2].append(line)
        elif mark:
            if mark[1] not in BLOCKS:
                meant = difflib.get_close_matches(mark[1], BLOCKS, 1)
                if meant:
                    hint = tr("Did you mean {meant}?", meant=meant[0])
                else:
                    hint = tr("Choose one of: {names}.", names=", ".join(BLOCKS))
                raise LessonError(path, number, tr("Unknown block “{mark}”.", mark=mark[1]), hint)
            fence = (mark[1], number, [])
        elif line.startswith("## "):
            steps.append(_Step(number, line[3:].strip()))
        elif line.startswith("#"):
            raise LessonError(
                path,
                number,
                tr("A lesson can have only one title."),
                tr("Start a step with a line like “## Title”."),
            )
        else:
            steps[-1].loose.append(line)
    if fence is not None:
        raise LessonError(
            path,
            fence[1],
            tr("The end of a block is missing."),
            tr("End the block with a line of three backticks."),
        )
    for step in steps:
        step.settle()
    return steps


def _close_block(step: _Step, kind: str, begin: int, lines: list[str], path: Path) -> None:
    if kind == "formula":
        step.settle()
        step.text.append(
            MarkdownBlock("formula", "\n".join(line.strip() for line in lines if line.strip()))
        )
        return
    if kind in step.fenced:
        raise LessonError(
            path,
            begin,
            tr("This step has two “{kind}” blocks.", kind=kind),
            tr("Merge the blocks, or start another step."),
        )
    step.fenced[kind] = (begin, lines)


class _Reader:
    """Reads steps in order; later steps may refer to the declarations of earlier ones."""

    def __init__(self, path: Path, names: Iterable[tuple[int, str]]) -> None:
        """names : names of runs in the header, with their lines: “near A small window”"""
        self._path = path
        self._corpus = False
        self._names: dict[str, tuple[int, str]] = {}
        for line, entry in names:
            label, _, said = entry.partition(" ")
            if not said.strip():
                raise LessonError(
                    path,
                    line,
                    tr("“name” needs the label and the name of a run."),
                    tr("Write, for example: name: near A small window"),
                )
            self._names[label] = line, said.strip()
        self._labels: dict[str, int] = {}
        self._values: dict[str, str] = {}

    def check_names(self) -> None:
        """Check, after all steps, that names in the header are names of runs. Raises
        LessonError.
        """
        for label, (line, _) in self._names.items():
            self._check_label(label, line)

    def step(self, raw: _Step) -> LessonStep:
        if not raw.title:
            raise LessonError(
                self._path, raw.line, tr("A step has no title."), tr("Write the title after “## ”.")
            )
        actions = self._actions(*raw.fenced.get("do", (0, [])))
        claims = self._claims(*raw.fenced.get("claims", (0, [])))
        question = self._question(*raw.fenced["predict"]) if "predict" in raw.fenced else None
        begin, lines = raw.fenced.get("reveal", (0, []))
        reveal = markdown.blocks_of(lines)
        if question is not None and not reveal:
            raise LessonError(
                self._path,
                raw.line,
                tr("A question has no answer."),
                tr("Add a “reveal” block to the step."),
            )
        if reveal and question is None:
            raise LessonError(
                self._path,
                begin,
                tr("There is nothing to reveal."),
                tr("Add a “predict” block to the step."),
            )
        text = tuple(raw.text)
        if not text:
            raise LessonError(
                self._path, raw.line, tr("A step has no text."), tr("Write at least one sentence.")
            )
        for blocks, line in ((text, raw.line), (reveal, begin)):
            for name in markdown.placeholders(blocks):
                if name not in self._values and name not in self._labels:
                    raise LessonError(
                        self._path,
                        line,
                        tr("Unknown claim “{name}”.", name=name),
                        tr("Define the claim in a “claims” block first."),
                    )
        return LessonStep(raw.line, raw.title, text, question, actions, reveal, claims)

    def _actions(self, begin: int, lines: list[str]) -> tuple[LessonAction, ...]:
        found: list[LessonAction] = []
        for number, line in _content_lines(begin, lines):
            try:
                action = read_action(line, LinePlace(number, self._path.parent))
            except UserError as error:
                raise LessonError(self._path, number, error.message, error.hint) from error
            found.append(self._check_action(action))
        return tuple(found)

    def _check_action(self, action: LessonAction) -> LessonAction:
        if isinstance(action, Open):
            self._corpus = True
        elif isinstance(action, Train):
            if not self._corpus:
                raise LessonError(
                    self._path,
                    action.line,
                    tr("No corpus is open yet."),
                    tr("Write “open small-world” first."),
                )
            if action.label in self._labels:
                raise LessonError(
                    self._path,
                    action.line,
                    tr("The run label “{label}” is already in use.", label=action.label),
                    tr("Choose another label."),
                )
            self._labels[action.label] = action.line
            said = self._names.pop(action.label, None)
            if said is None:
                return action
            return dataclasses.replace(action, named=said[1])
        else:
            for label in action.labels:
                self._check_label(label, action.line)
        return action

    def _check_label(self, label: str, line: int) -> None:
        if label not in self._labels:
            known = ", ".join(self._labels) or "none"
            raise LessonError(
                self._path,
                line,
                tr("Unknown run “{label}”.", label=label),
                tr("Train the run first. Runs so far: {known}.", known=known),
            )

    def _claims(self, begin: int, lines: list[str]) -> tuple[Claim, ...]:
        found: list[Claim] = []
        for number, line in _content_lines(begin, lines):
            try:
                claim = read_claim(line, number, self._values)
            except UserError as error:
                raise LessonError(self._path, number, error.message, error.hint) from error
            for call in claim.calls:
                for label in call.runs:
                    self._check_label(label, number)
                if not call.runs and not self._corpus:
                    raise LessonError(
                        self._path,
                        number,
                        tr("No corpus is open yet."),
                        tr("Write “open small-world” first."),
                    )
            if claim.name:
                if claim.name in self._labels or claim.name in self._values:
                    raise LessonError(
                        self._path,
                        number,
                        tr("The name “{name}” is already in use.", name=claim.name),
                        tr("Choose another name."),
                    )
                self._values[claim.name] = claim.call.measure.gives
            found.append(claim)
        return tuple(found)

    def _question(self, begin: int, lines: list[str]) -> Question:
        choices: list[Prediction] = []
        question_lines: list[str] = []
        for line in lines:
            choice = _CHOICE.fullmatch(line)
            if choice:
                choices.append(Prediction(choice[2].strip(), choice[1] == "+"))
            elif choices and line.strip():
                last = choices[-1]
                choices[-1] = Prediction(f"{last.text} {line.strip()}", last.right)
            else:
                question_lines.append(line)
        blocks = markdown.blocks_of(question_lines)
        if not blocks:
            raise LessonError(
                self._path,
                begin,
                tr("The question is missing."),
                tr("Start the block with a question."),
            )
        if len(choices) < 2:
            raise LessonError(
                self._path,
                begin,
                tr("A question needs at least two answers."),
                tr("Start each answer with “- ” or “+ ”."),
            )
        if sum(choice.right for choice in choices) != 1:
            raise LessonError(
                self._path,
                begin,
                tr("Exactly one answer must be correct."),
                tr("Start the correct answer with “+ ” and the others with “- ”."),
            )
        return Question(blocks, tuple(choices))


def _content_lines(begin: int, lines: list[str]) -> Iterable[tuple[int, str]]:
    """Non-empty lines with their numbers, without comments, which begin with #."""
    for number, line in enumerate(lines, begin + 1):
        if line.strip() and not line.strip().startswith("#"):
            yield number, line
