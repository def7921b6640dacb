"""Shell scripts for other programs, with remarks on how their results differ."""

from __future__ import annotations

import shlex
import textwrap
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from workbench.core.job_control import JobControl
from workbench.core.language import source_text, tr
from workbench.models.base import Architecture
from workbench.session.export.base import Share
from workbench.session.export.export_source import NO_RECIPE, ExportSource, Recipe

TEXT = "corpus.txt"
# Counts in the format of GloVe’s programs.
CELLS, CELL_WORDS = "counts.bin", "counts.vocab.txt"
Commands = Sequence[Sequence[str]]


class Program(Share):
    """Another program that trains some of the algorithms, exported as one script of commands.

    program : its name; named : its name at the start of a sentence; trains : a sentence that lists
    the algorithms it trains
    """

    program: ClassVar[str]
    named: ClassVar[str]
    trains: ClassVar[str]

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        recipe = subject.recipe
        if recipe is None:
            return NO_RECIPE
        architecture = recipe.kind.architecture
        if architecture is None or not cls.trains_architecture(architecture):
            return tr(
                "{program} trains only {trains}, not {algorithm}.",
                program=cls.named,
                trains=cls.trains,
                algorithm=recipe.kind.short,
            )
        return cls.misfit(recipe)

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        recipe = subject.recipe
        assert recipe is not None
        commands, remarks = cls.commands(recipe)
        return {
            f"{cls.key}.sh": shell_script(
                subject, cls.program, commands, [*remarks, *common_remarks(subject)]
            )
        }

    @classmethod
    @abstractmethod
    def trains_architecture(cls, architecture: Architecture) -> bool:
        """Whether the program trains algorithms of this architecture."""

    @classmethod
    def misfit(cls, recipe: Recipe) -> str | None:
        """A sentence that names settings which the program lacks; None if it has all that
        matter.
        """
        return None

    @classmethod
    @abstractmethod
    def commands(cls, recipe: Recipe) -> tuple[Commands, list[str]]:
        """Commands, and a sentence about each difference from the run."""


def shell_script(
    subject: ExportSource, program: str, commands: Commands, remarks: Sequence[str]
) -> str:
    """A shell script: its purpose, how to make the text or the cells, the differences, and the
    commands.

    A “<” or “>” as a word of a command isn't quoted, so that the shell redirects.
    """
    recipe = subject.recipe
    assert recipe is not None
    head = [
        f"“{subject.name}” with {program}: {source_text(recipe.kind.title)}, "
        "with the same settings where the program has them.",
        f"{TEXT} is the tokenised text, with one sentence per line and spaces between words. This "
        "command writes the file:"
        if recipe.counts is None
        else f"{CELLS} contains the counts that the run was trained on, and {CELL_WORDS} the "
        "words. This command writes both files:",
    ]
    training_command = text_command(recipe) if recipe.counts is None else cells_command(recipe)
    lines = ["#!/bin/sh", *comment_lines(head), comment_line("  " + shlex.join(training_command))]
    lines += remark_lines(remarks)
    lines += ["set -e", ""]
    lines += [_wrap_command(command) for command in commands]
    return "\n".join(lines) + "\n"


def text_command(recipe: Recipe) -> list[str]:
    """The command that writes the text for other programs."""
    words = ["workbench", "text", *recipe.sources]
    for name, value in recipe.reading.items():
        option = recipe.options.spec(name).option
        if isinstance(value, bool):
            if not value:
                option = "--no-" + option.removeprefix("--")
            words.append(option)
        else:
            words.append(f"{option}={value}")
    return [*words, "--output", TEXT]


def cells_command(recipe: Recipe) -> list[str]:
    """The command that writes a run's counts in the format of GloVe's programs."""
    words = [
        "workbench",
        "counts",
        "--counts",
        recipe.folder,
        "--min-count",
        str(recipe.value("min_count")),
    ]
    if recipe.value("max_vocab"):
        words += ["--max-vocab", str(recipe.value("max_vocab"))]
    return [*words, "--output", CELLS]


def remark_lines(remarks: Sequence[str]) -> list[str]:
    """Comment lines about the differences."""
    if not remarks:
        return []
    return [
        "#",
        "# Differences from the run:",
        *(line for remark in remarks for line in comment_lines([remark], "- ")),
    ]


def comment_lines(sentences: Sequence[str], mark: str = "") -> list[str]:
    """Comment lines of at most 110 characters."""
    lines = []
    for sentence in sentences:
        text = one_line(sentence)
        lines += textwrap.wrap(
            text,
            110,
            initial_indent=f"# {mark}",
            subsequent_indent="# " + " " * len(mark),
            break_on_hyphens=False,
        )
    return lines


def comment_line(text: str) -> str:
    """One comment line, however long: a command to be copied."""
    return "# " + "".join(" " if character.isspace() else character for character in text)


def one_line(text: str) -> str:
    """A text without line breaks and control characters, which would end a comment."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def number(value: float) -> str:
    """A number in the notation of other programs."""
    return f"{value:.10g}"


def common_remarks(subject: ExportSource) -> list[str]:
    """Differences that apply to every other program."""
    recipe = subject.recipe
    assert recipe is not None
    found = []
    if recipe.continued is not None:
        found.append("The run continued an earlier one; the commands train from the start.")
    if not subject.is_complete:
        found.append("The run was stopped early; the commands train to the end.")
    choice = recipe.choice
    if choice is not None or recipe.value("normalise") or recipe.value("all_but_the_top", -1) >= 0:
        found.append(
            "Postprocessing of the trained vectors (sums, removed means, unit length) is left out."
        )
    scale = recipe.value("init_scale", 1.0)
    if recipe.value("start", "random") != "random":
        found.append(
            "The run started from a factorisation of its counts; the commands start from random "
            "numbers and need more epochs for similar vectors."
        )
    elif scale != 1.0:
        found.append(f"Only the run multiplied the initial vectors, by {number(scale)}.")
    found.append(
        "Random numbers differ, so the vectors are similar to those of the run but not equal."
    )
    return found


def window_remarks(recipe: Recipe, drawn: str = "dynamic") -> list[str]:
    """Differences in windows, subsampling and vocabulary from programs that follow word2vec.c."""
    found = []
    weighting = recipe.value("window_weighting")
    if weighting != drawn:
        found.append(
            f"The commands draw the radius of each window from 1 to L; the run’s window weighting "
            f"is “{weighting}”."
        )
    if recipe.value("sample_formula") == "paper":
        found.append(
            "The commands subsample with word2vec.c’s formula, (sqrt(f/t) + 1)·t/f, the run with "
            "that of the paper, sqrt(t/f)."
        )
    return found


def _wrap_command(command: Sequence[str]) -> str:
    """A command with one option per line."""
    parts: list[str] = []
    for word in command:
        shown = word if word in ("<", ">") else shlex.quote(word)
        if parts and word.startswith("-") and not word.lstrip("-")[:1].isdigit():
            parts.append("\\\n    " + shown)
        else:
            parts.append(shown)
    return " ".join(parts)
