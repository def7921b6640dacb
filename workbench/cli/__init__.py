"""Command line: one function for each verb, here or in a module of this package."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core import interrupts
from workbench.core.errors import Cancelled, UserError, as_user_error
from workbench.core.param_labels import By, name_params_by


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
    "grid": Verb(
        "grid", "Train every combination of several values of hyperparameters, one run each."
    ),
    "runs": Verb(
        "runs", "List the runs of the store; give one a star, a note or another name, or delete it."
    ),
    "evaluate": Verb("evaluate", "Score vectors on analogy questions and word similarities."),
    "neighbours": Verb("query", "Find the nearest words of a word, by cosine."),
    "analogy": Verb("query", "Answer a − b + c, as in king − man + woman."),
    "counts": Verb("counts", "Count which words stand together."),
    "cost": Verb(
        "cost",
        "Tell what counting and training would cost on far more text, from beginnings of one.",
    ),
    "count-cluster": Verb(
        "count_cluster",
        "Count on a Dask cluster, or on several processes, into a folder of shards.",
    ),
    "project": Verb("project", "Lay vectors out in the plane, in space, or along word axes."),
    "convert": Verb("convert", "Write vectors in another format."),
    "session": Verb("session", "Save runs, texts and choices as one file, or open one."),
    "interrupted": Verb(
        "interrupted", "Go on with a training whose process ended, or keep it as far as it was."
    ),
    "lesson": Verb(
        "lesson", "List, play or check guided lessons, and write what they measured as a page."
    ),
    "share": Verb("share", "Write a script, commands, a methods paragraph and a report of a run."),
    "text": Verb("share", "Write a corpus as it was read, for other programs."),
    "corpora": Verb(
        "corpora", "List the corpora that come along or can be downloaded, and download one."
    ),
    "list": Verb(
        "list_command", "List the algorithms with their parameters, the formats and the presets."
    ),
    "self-check": Verb("self_check", "Check this installation: corpus, training, formats, window."),
    "install-desktop": Verb(
        "desktop", "Put an entry with an icon into the menu of a Linux desktop, or take it away."
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run a verb with its arguments.

    Returns the exit code: 0; 2 with one line on stderr for what the user can mend; 130 on Ctrl-C.
    """
    with name_params_by(By.OPTION):
        return run_guarded(lambda: _run(arguments[0], arguments[1:]))


def run_guarded(work: Callable[[], int]) -> int:
    """The exit code of ``work``, whatever it raises that is no defect. Never a traceback on Ctrl-C,
    and nothing that a terminal obeys.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A word that the terminal cannot show is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")
    with output.safe_output():
        return _exit_code(work)


def _exit_code(work: Callable[[], int]) -> int:
    try:
        with interrupts.raise_on_signal():
            code = work()
        # Here, so that a reader who is gone is noticed here.
        sys.stdout.flush()
    except UserError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except MemoryError:
        print(
            "There is not enough memory for this. Choose a smaller vocabulary or dimension.",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt as interrupt:
        return interrupts.exit_code(interrupt)
    except Cancelled:
        return 130
    except BrokenPipeError:
        # The reader has seen enough, as in “workbench list | head”. What Python still writes at
        # exit goes nowhere.
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
        return 0
    except OSError as error:
        if (told := as_user_error(error)) is None:
            raise
        print(told, file=sys.stderr)
        return 2
    return code


def _run(name: str, arguments: Sequence[str]) -> int:
    verb = VERBS[name]
    module = import_module(f"workbench.cli.{verb.module}")
    execute: Callable[[Parser, Sequence[str]], int] = getattr(
        module, f"{name.replace('-', '_')}_command"
    )
    return execute(Parser(prog=f"workbench {name}", description=verb.summary), arguments)
