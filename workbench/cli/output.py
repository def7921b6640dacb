"""Output of commands: JSON, tables, progress, and checks that files are writable."""

from __future__ import annotations

import json
import math
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar, cast

from workbench.core.atomic import prove_folder, prove_writable, replacing
from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl, Phase
from workbench.core.json_text import json_text
from workbench.core.paths import find_unwritable_folder
from workbench.core.processes.child_process import child_environment, module_command
from workbench.core.processes.interrupts import exit_code
from workbench.core.text.visible import json_escaped, terminal_columns, visible, visible_lines

if TYPE_CHECKING:
    from workbench.session.runs.store import Store

T = TypeVar("T")

_TITLES = {
    Phase.WAITING: "Starting",
    Phase.READING: "Reading",
    Phase.COUNTING: "Counting",
    Phase.COMPILING: "Compiling",
    Phase.TRAINING: "Training",
    Phase.SAVING: "Saving",
}


class _Shown:
    """A stream for the terminal that makes control characters visible instead of passing them
    on.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(visible_lines(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def safe_output() -> Iterator[None]:
    """Make control characters visible in everything printed within the block, on stdout and
    stderr.
    """
    before = sys.stdout, sys.stderr
    # Without a console, as on Windows under pythonw, neither stream exists.
    sys.stdout, sys.stderr = (
        cast(TextIO, _Shown(each)) if each is not None else each for each in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


# Beginning of lines on stderr about plug-ins that were left out.
PLUG_IN = "plug-in: "


def print_line(text: str, *, problem: bool = False) -> None:
    """Print one sentence that may contain names and words from outside the program, on one line; a
    ``problem`` goes to stderr.
    """
    print(visible(text), file=sys.stderr if problem else sys.stdout)


def number(size: int, noun: str) -> str:
    """A number with a noun, "1 run", "1,843 runs", for sentences that are always English."""
    if size == 1:
        return f"{size:,} {noun}"
    return f"{size:,} {noun}s"


def words_and_dimensions(words: int, dim: int) -> str:
    """ "5,000 words, 100 dimensions"."""
    return f"{number(words, 'word')}, {number(dim, 'dimension')}"


def print_json(value: object) -> None:
    """One JSON document on stdout; NaN and infinity, which JSON lacks, are null."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json_escaped(json.dumps(_plain_value(value), ensure_ascii=not unicode, indent=1)))


def write_json(path: Path, value: object) -> None:
    with replacing(path) as part:
        part.write_text(json_text(_plain_value(value), indent=1) + "\n", encoding="utf-8")


def paint_svg(path: Path, drawing: str) -> None:
    """Convert an SVG drawing to pixels with Qt in another process. Raises UserError if that
    fails.
    """
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "drawing.svg"
        file.write_text(drawing, encoding="utf-8")
        command = module_command("workbench.ui.shell.picture_converter", str(file), str(path))
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            env=child_environment(),
        )
    if done.returncode:
        why = done.stderr.strip().rsplit("\n", 1)[-1]
        raise UserError(f"Couldn’t draw the PNG: {why or done.returncode}.", "Use the suffix .svg.")


def write_text(path: Path, text: str) -> None:
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="")


def _plain_value(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _plain_value(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_value(inner) for inner in value]
    return value


# Columns of a terminal; cells that are wider don't widen their column.
_LINE = 80


def format_table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows in aligned columns, each on one line; columns whose numbers are in ``right`` are
    right-aligned. A cell that is wider than a line moves only its own row.
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [
        max((cells for row in rows if (cells := terminal_columns(row[i])) <= _LINE), default=0)
        for i in range(len(rows[0]))
    ]

    def line(row: Sequence[str]) -> str:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - terminal_columns(cell))
            cells.append(blanks + cell if i in right else cell + blanks)
        return "  ".join(cells).rstrip()

    return "\n".join(line(row) for row in rows)


def open_store(what: str, *, needed: bool) -> Store:
    """The store of runs; commands open it only in this way. If it cannot be written, report this
    for ``what`` the command saves or searches there: on stderr, or, if the command has no other
    result (``needed``), as a UserError before any work is done.
    """
    from workbench.session.runs.store import Store

    found = find_unwritable_folder()
    if found is not None:
        folder, reason = found
        problem = UserError(
            f"{what} can’t be saved: {folder} isn’t writable ({error_text(reason)}).",
            "Set WORKBENCH_HOME to a folder that you can write to.",
        )
        if needed:
            raise problem
        print_line(str(problem), problem=True)
    return Store()


def prove_outputs(
    outputs: Sequence[Path],
    inputs: Sequence[str | Path] = (),
    folders: Mapping[Path, Collection[str]] = MappingProxyType({}),
) -> None:
    """Raise UserError unless every output can be written, isn't an input, and is given only once.

    ``folders`` are the files of outputs that are folders, by path.
    """
    taken = {Path(path).absolute() for path in inputs}
    for path in outputs:
        if path.absolute() in taken:
            raise UserError(
                f"{path} is both read and written, or written twice.", "Choose another output."
            )
        taken.add(path.absolute())
        if path in folders:
            prove_folder(path, folders[path])
        else:
            prove_writable(path)


def format_for_output(path: Path, key: str = "") -> str:
    """The format to write, by key or file name. Raises UserError before any work is done."""
    from workbench.vectors.formats import FORMATS, format_to_write

    return FORMATS[key or format_to_write(path)].key


def folder_files(path: Path, key: str) -> dict[Path, frozenset[str]]:
    """The ``folders`` argument of ``prove_outputs`` for vectors written to ``path`` in that
    format.
    """
    from workbench.vectors.formats import FORMATS

    if FORMATS[key].files:
        return {path: FORMATS[key].files}
    return {}


def run_with_progress(work: Callable[[JobControl], T], run: JobControl | None = None) -> T:
    """Run ``work(run)`` in a thread while this one shows its progress and handles Ctrl-C.

    Progress goes to stderr, and only to a terminal. Ctrl-C, or another signal, cancels the work,
    waits until it has ended, and raises KeyboardInterrupt; a second one ends the process at once.
    Warnings about the files of a corpus go to stderr at the end.
    """
    run = run or JobControl()
    results: list[T] = []
    errors: list[BaseException] = []
    # Not Thread.join: before Python 3.13, a Ctrl-C during join makes the thread appear ended, and
    # its output would be cut off. Only the thread itself changes this lock and this list.
    ended: list[bool] = []
    waiting = threading.Lock()
    waiting.acquire()

    def body() -> None:
        try:
            results.append(work(run))
        except BaseException as error:
            errors.append(error)
        finally:
            ended.append(True)
            waiting.release()

    thread = threading.Thread(target=body, name="work")
    show = _Bar() if sys.stderr.isatty() else None
    interrupt: KeyboardInterrupt | None = None
    started = False
    while not ended:
        try:
            if not started:
                started = True
                try:
                    thread.start()
                except RuntimeError as error:
                    # The stack of the thread doesn’t fit into memory.
                    raise MemoryError from error
            if interrupt is not None and run.progress.phase is Phase.COMPILING:
                # The compiler cannot be interrupted, and no file is half written at this point.
                os._exit(exit_code(interrupt))
            waiting.acquire(timeout=0.1)
            if show is not None:
                show.update(run)
        except KeyboardInterrupt as error:
            run.cancel()
            if interrupt is not None:
                os._exit(exit_code(error))
            interrupt = error
            if thread.ident is None and not waiting.acquire(timeout=1.0) and thread.ident is None:
                # The signal came before the thread started.
                break
    try:
        if ended:
            thread.join()
    except KeyboardInterrupt as error:
        # The thread has finished its work.
        interrupt = interrupt or error
    if show is not None:
        show.close()
    if interrupt is not None:
        raise interrupt
    if errors:
        raise errors[0]
    from workbench.corpus.ingest.read_warnings import NOTICED

    for sentence in run.latest(NOTICED) or ():
        print_line(sentence, problem=True)
    return results[0]


class _Bar:
    """A progress bar on the terminal that starts again with every phase."""

    def __init__(self) -> None:
        from tqdm import tqdm

        # tqdm's monitor thread would outlive the bar.
        tqdm.monitor_interval = 0
        self._bar: Any = tqdm(
            desc=_TITLES[Phase.WAITING],
            total=1000,
            file=_plain_stream(sys.stderr),
            leave=False,
            bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}",
        )
        self._phase = Phase.WAITING

    def update(self, run: JobControl) -> None:
        now = run.progress
        if now.phase.over:
            return
        if now.phase is not self._phase:
            self._phase = now.phase
            self._bar.reset()
        self._bar.set_description_str(_TITLES[now.phase], refresh=False)
        if now.rate is not None:
            self._bar.set_postfix_str(
                f"{now.rate:,.0f} {now.unit.removesuffix('/s')}/s{_loss(run)}", refresh=False
            )
        elif now.note:
            self._bar.set_postfix_str(visible(now.note), refresh=False)
        self._bar.n = round(1000 * (now.fraction or 0.0))
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _plain_stream(stream: TextIO) -> TextIO:
    """The stream for the progress bar, with control characters, which move the cursor."""
    if isinstance(stream, _Shown):
        return stream.stream
    return stream


def _loss(run: JobControl) -> str:
    trace = run.trace
    if len(trace):
        return f", loss {trace.loss[-1]:.3f}"
    return ""
