"""Compilation of kernels in a child process, so that neither the window nor a training waits.

    python -m workbench.session.kernel_compiler [--nice N] [NAME ...]

compiles the named sets of kernels ("corpus", "counts", "floor", "start", "cell-start", "analysis",
"map", "drawing", "vectors", an algorithm's key, "umap-learn"; all of them without a name) into the
cache on disk and marks each finished set there. Several such processes share the work: no two
compile the same set. The process ends when its standard input is closed, which happens however the
parent ends.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from workbench.core import jit, plug_ins
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import run_after, usable_threads
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder
from workbench.core.processes.child_process import child_environment, module_command
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.models.params import ModelParams
from workbench.models.start_from_counts import COUNTS, RANDOM

COMPILING = tr("Compiling for this computer (only the first time)")

_NICE = 15
# Sets that few users need, and that take longest: compiled only after the first map.
LATE = ("umap-learn",)
# Children of the very first start, until a Warmer takes them over.
_FIRST: list[subprocess.Popen[bytes]] = []


def names() -> tuple[str, ...]:
    """Every set of kernels but the late ones, in the order in which a first start needs them."""
    needed = _first_needed()
    others = [name for name in (*_SETS, *MODELS.keys()) if name not in (*needed, *LATE)]
    return (*needed, *others)


def kernels_of(algorithm: str, params: ModelParams) -> tuple[str, ...]:
    """The sets of kernels that a training calls before its first step."""
    if getattr(params, "start", RANDOM) == COUNTS:
        return (algorithm, "cell-start" if MODELS[algorithm].from_counts else "start")
    return (algorithm,)


def is_compiled(name: str) -> bool:
    """Whether this set of kernels came with the program or is in this computer's cache."""
    ready = jit.is_jit_disabled() or jit.shipped_kernels() is not None
    return ready or _mark(name).exists()


def compile_here(name: str) -> None:
    """Compile a set of kernels, or load it from the cache, in this process; waits while another
    process compiles it.
    """
    with jit.compile_lock(name):
        _compile(name)


def compile_missing(wanted: Sequence[str]) -> None:
    """Compile the sets that aren’t compiled, last those that other processes are compiling."""
    later = []
    for name in wanted:
        if jit.is_compiling(name):
            later.append(name)
        elif not is_compiled(name):
            compile_here(name)
    for name in later:
        with jit.compile_lock(name):
            if not is_compiled(name):
                _compile(name)


def begin_first_start() -> None:
    """Start compiling at the very first start, while the window is built: in at most two processes,
    depending on the number of processors, which the first Warmer takes over.
    """
    if _FIRST or jit.is_jit_disabled() or jit.shipped_kernels() is not None:
        return
    if any(cache_folder("kernels").iterdir()):
        return
    _FIRST.extend(_start_sharing(names(), nice=_NICE))


class Compilation:
    """At most two child processes that share the compilation of some sets of kernels, while this
    process continues.

    Compiling holds the GIL for tenths of a second; in a thread it would block the window. If the
    children fail, the kernels are compiled at their first call. Use it as a context manager: the
    children end with the block.
    """

    def __init__(self, *wanted: str) -> None:
        self._missing = [name for name in wanted if not is_compiled(name)]
        self._children: list[subprocess.Popen[bytes]] = []
        if not all(map(jit.is_compiling, self._missing)):
            self._children = _start_sharing(self._missing, nice=0)

    def wait(self, run: JobControl, *names: str) -> None:
        """Wait, as a phase of ``run``, until everything, or these sets, are compiled, here or by
        another process. Raises Cancelled.
        """
        wanted = set(names or self._missing)
        if not self._unfinished(wanted):
            return
        run.enter(Phase.COMPILING, COMPILING)
        while self._unfinished(wanted):
            run.check()
            time.sleep(0.03)

    def _unfinished(self, wanted: set[str]) -> bool:
        left = [name for name in self._missing if name in wanted and not is_compiled(name)]
        if self._children:
            return bool(left) and any(child.poll() is None for child in self._children)
        return any(map(jit.is_compiling, left))

    def __enter__(self) -> Compilation:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            _end(child)


def compile_sets(wanted: Sequence[str], run: JobControl) -> None:
    """Wait, as a phase of ``run``, until these sets of kernels are compiled. Raises Cancelled."""
    with Compilation(*wanted) as compilation:
        compilation.wait(run)


class Warmer:
    """The low-priority child process that compiles all kernels that are not compiled yet; at the
    very first start there are two.

    Belongs to one thread. ``poll`` starts the process if kernels are missing.
    """

    def __init__(self) -> None:
        self._children, _FIRST[:] = list(_FIRST), []
        self._asked: tuple[str, ...] = names() if self._children else ()
        # Sets that a child could not compile, which will be compiled at their first call.
        self._tried: set[str] = set()
        self._late = False
        self.finished = False

    def add_late_sets(self) -> None:
        """From now on, compile also the late sets."""
        if not self._late:
            self._late, self.finished = True, False

    @property
    def running(self) -> bool:
        return bool(self._children)

    def poll(self) -> None:
        """Start a child if needed, or notice that all have ended."""
        if self.finished:
            return
        if not self._children:
            wanted = (*names(), *LATE) if self._late else names()
            left = tuple(n for n in wanted if n not in self._tried and not is_compiled(n))
            if not left:
                self.finished = True
                return
            self._asked = left
            self._children = [_start(left, nice=_NICE)]
        elif all(child.poll() is not None for child in self._children):
            self._tried.update(self._asked)
            self.interrupt()

    def make_way(self) -> None:
        """Make way for a training: end the children, unless they compile kernels that a first start
        needs, such as those that show its result. Cheap.
        """
        if self._children and all(is_compiled(name) for name in _first_needed()):
            self.interrupt()

    def interrupt(self) -> None:
        """End the children now; a later ``poll`` compiles the remaining sets."""
        for child in self._children:
            _end(child)
        self._children = []


def _first_needed() -> tuple[str, ...]:
    """Sets of kernels for a first start, which reads a text, trains the first algorithm, compares
    its loss with the floor, and lays out its words.
    """
    return ("corpus", MODELS.keys()[0], "floor", "map", "analysis")


def _compile(name: str) -> None:
    if name in _SETS:
        _SETS[name]()
    else:
        MODELS[name].warm()
    if not jit.is_jit_disabled():
        _mark(name).touch()


def _warm_corpus() -> None:
    from workbench.corpus.tokenise import kernel_tokeniser

    kernel_tokeniser.warm()


def _warm_counts() -> None:
    from workbench.counts.cooccurrence import cooccurrence

    corpus = _small_corpus()
    for weighting in ("dynamic", "fixed"):
        cooccurrence(corpus, corpus.vocabulary(), 1, weighting, threads=1)


def _small_corpus() -> Corpus:
    ids, sentences = np.array([0, 1, 0, 1], dtype=np.int32), np.array([0, 4])
    for part in (ids, sentences):
        # Kernels are compiled separately for read-only arrays, such as those of a corpus.
        part.flags.writeable = False
    return Corpus("warm", ids, sentences, ("a", "b"), np.array([2, 2]), "warm")


def _warm_analysis() -> None:
    from workbench.analysis import compile_kernels

    compile_kernels.warm()


def _warm_map() -> None:
    from workbench.analysis import compile_kernels

    compile_kernels.warm_map()


def _warm_floor() -> None:
    from workbench.analysis.theory import loss_floor
    from workbench.counts.expected_counts import SampledWindow, effective_counts

    corpus = _small_corpus()
    for weighting in ("dynamic", "fixed"):
        effective_counts(corpus, corpus.vocabulary(), SampledWindow(1, weighting), threads=1)
    loss_floor.warm()


def _warm_start() -> None:
    from workbench.models import start_from_counts

    start_from_counts.warm_start()


def _warm_cell_start() -> None:
    from workbench.models.count import glove_start, pmi_start

    pmi_start.warm_start()
    glove_start.warm_biases()


def _warm_umap_learn() -> None:
    from workbench.analysis.projection import umap_learn_task

    umap_learn_task.warm()


def _warm_drawing() -> None:
    from workbench.analysis.projection import disc_kernels

    disc_kernels.warm()


def _warm_vectors() -> None:
    from workbench.vectors import codes
    from workbench.vectors.formats import binary_kernel, row_kernel

    row_kernel.warm()
    binary_kernel.warm()
    codes.warm()


# Functions that are compiled besides the algorithms' own kernels.
_SETS: dict[str, Callable[[], None]] = {
    "corpus": _warm_corpus,
    "counts": _warm_counts,
    "floor": _warm_floor,
    "start": _warm_start,
    "cell-start": _warm_cell_start,
    "analysis": _warm_analysis,
    "map": _warm_map,
    "drawing": _warm_drawing,
    "umap-learn": _warm_umap_learn,
    "vectors": _warm_vectors,
}


def _mark(name: str) -> Path:
    # Kernels are compiled for one processor, and several computers may share a home folder.
    computer = re.sub(r"\W+", "-", platform.node())
    # The cache's folder is the same for all states of a plug-in.
    added = name in MODELS and plug_ins.is_plug_in(MODELS[name].__module__)
    state = f"-{plug_ins.sources_digest()}" if added else ""
    return jit.kernel_cache() / f"compiled-{name}{state}-{computer}"


def _start_sharing(wanted: Sequence[str], nice: int) -> list[subprocess.Popen[bytes]]:
    """Start at most two processes that compile these sets, one for each processor and set.

    Each begins with another set: both would wait for the first one otherwise.
    """
    children = range(min(usable_threads(), len(wanted), 2))
    return [_start([*wanted[first:], *wanted[:first]], nice) for first in children]


def _start(wanted: Sequence[str], nice: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        module_command("workbench.session.kernel_compiler", "--nice", str(nice), *wanted),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=child_environment(),
        **system().child_options(),
    )


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    if child.stdin is not None:
        child.stdin.close()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def main(arguments: Sequence[str]) -> int:
    rest = list(arguments)
    if rest[:1] == ["--nice"]:
        run_after(int(rest[1]))
        rest = rest[2:]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    compile_missing(rest or (*names(), *LATE))
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    # The thread that waits for the parent must not keep the interpreter from ending.
    os._exit(code)
