"""Command line: one function for each verb, in a module of this package."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core import plug_ins
from workbench.core.errors import Cancelled, UserError, as_user_error
from workbench.core.language import decimal_points
from workbench.core.machine.memory import own_limit
from workbench.core.param_labels import By, name_params_by
from workbench.core.processes import interrupts


@dataclass(frozen=True)
class Verb:
    """A verb of the command line.

    module : module of ``workbench.cli`` with a function ``<verb>_command``, “_” for “-” in the
    verb, that is called with a Parser and the arguments after the verb
    """

    module: str
    summary: str


VERBS = {
    "train": Verb("train", "Train word vectors on a corpus."),
    "grid": Verb("grid", "Train one run for each combination of hyperparameter values."),
    "runs": Verb("runs", "List saved runs; star, annotate, rename or delete one."),
    "evaluate": Verb("evaluate", "Score vectors on analogies, similarity and associations."),
    "neighbours": Verb("query", "List the nearest words of a word by cosine."),
    "analogy": Verb("query", "Solve the analogy a − b + c, for example king − man + woman."),
    "teach": Verb("lines.teach", "Learn a word from a few lines of text, without training."),
    "influence": Verb("lines.influence", "Rank the lines of a text that a number comes from."),
    "relation": Verb("lines.relation", "Show where in the counts an analogy comes from."),
    "groups": Verb(
        "texts.groups", "Compare words between the groups of a corpus, such as years or authors."
    ),
    "shape": Verb("analyses.shape", "Describe lengths, directions and hubs of vectors."),
    "collocations": Verb(
        "analyses.collocations", "List and draw the words that occur near a word."
    ),
    "documents": Verb(
        "analyses.documents", "Search the documents of LSA by words, or write their vectors."
    ),
    "lines": Verb("analyses.lines", "List lines of a corpus that contain a word or a pattern."),
    "counts": Verb("counts", "Count which words co-occur."),
    "cost": Verb(
        "cost",
        "Estimate the cost of a much larger corpus from a sample.",
    ),
    "count-cluster": Verb(
        "count_cluster",
        "Count co-occurrences on a Dask cluster or in several processes.",
    ),
    "project": Verb("project", "Project vectors to two or three dimensions or onto word axes."),
    "convert": Verb("convert", "Convert vectors to another format."),
    "session": Verb(
        "session", "Save runs, settings and selection in one file, or open such a file."
    ),
    "picture": Verb("picture", "Write a corpus whose PMI is a picture."),
    "picture-figure": Verb(
        "picture_figure", "Draw what several models keep of a picture, as small multiples."
    ),
    "interrupted": Verb("interrupted", "List, continue, keep or discard interrupted trainings."),
    "lesson": Verb("lesson", "List, run or check lessons, and write a report of the measurements."),
    "class": Verb("texts.class_results", "Show what a class handed in after a lesson."),
    "share": Verb("share", "Export a script, commands, a methods paragraph and a report of a run."),
    "text": Verb("share", "Export the tokenised corpus as text for other programs."),
    "corpora": Verb(
        "corpora", "List bundled corpora, and known texts, vectors and test sets; download them."
    ),
    "list": Verb("list_command", "List algorithms with their parameters, formats and presets."),
    "self-check": Verb(
        "self_check", "Check this installation: corpus, training, formats and window."
    ),
    "install-desktop": Verb(
        "desktop", "Add an entry with an icon to the menu of a Linux desktop, or remove it."
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run a verb with its arguments.

    Returns the exit code: 0; 2 with one line on stderr for errors that the user can fix; 130 on
    Ctrl-C.
    """
    with name_params_by(By.OPTION), decimal_points():
        return run_guarded(lambda: _run(arguments[0], arguments[1:]))


def run_guarded(work: Callable[[], int]) -> int:
    """The exit code of ``work``, also if it raises an error that isn’t a bug. Prints no traceback
    on Ctrl-C and no control characters, and on stderr what plug-ins were left out.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A word that the terminal can’t show shouldn’t stop the command.
        sys.stdout.reconfigure(errors="backslashreplace")
    with output.safe_output():
        code = _exit_code(work)
        for problem in plug_ins.problems():
            print(output.PLUG_IN + problem, file=sys.stderr)
        return code


def _exit_code(work: Callable[[], int]) -> int:
    try:
        with interrupts.raise_on_signal():
            code = work()
        # Flush here to detect a closed pipe here.
        sys.stdout.flush()
    except UserError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except MemoryError:
        if own_limit() is None:
            remedy = "Choose"
        else:
            remedy = "Raise the limit of this process (ulimit -v), or choose"
        print(
            f"Not enough memory. {remedy} a smaller vocabulary or fewer dimensions.",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt as interrupt:
        return interrupts.exit_code(interrupt)
    except Cancelled:
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe, as in “workbench list | head”. Anything that Python still
        # writes at exit is discarded.
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
        return 0
    except OSError as error:
        if (problem := as_user_error(error)) is None:
            raise
        print(problem, file=sys.stderr)
        return 2
    return code


def _run(name: str, arguments: Sequence[str]) -> int:
    verb = VERBS[name]
    module = import_module(f"workbench.cli.{verb.module}")
    execute: Callable[[Parser, Sequence[str]], int] = getattr(
        module, f"{name.replace('-', '_')}_command"
    )
    return execute(Parser(prog=f"workbench {name}", description=verb.summary), arguments)
