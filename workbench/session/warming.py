"""Compiling the kernels in a child process, so that neither the window nor a training waits.

    python -m workbench.session.warming [--nice N] [NAME ...]

compiles the named sets of kernels ("corpus", "counts", "analysis", an algorithm's key; all of them
without a name) into the cache on disk and leaves a mark there for each set that is done. It ends
when its standard input is closed, which happens however the parent ends.
"""

from __future__ import annotations

import importlib
import os
import platform
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from workbench.core import jit
from workbench.core.run import Phase, Run
from workbench.models.base import MODELS

COMPILING = "Compiling for this computer; only the first time."

# Sets of kernels beside the algorithms' own, and the module whose ``warm`` compiles them.
_MODULES = {"corpus": "workbench.corpus.tokenise"}

_NICE = 15


def names() -> tuple[str, ...]:
    """Every set of kernels, in the order in which a first start needs them."""
    return (*_MODULES, *MODELS.keys())


def compiled(name: str) -> bool:
    """Whether this set of kernels is in the cache of this computer."""
    return jit.disabled() or _mark(name).exists()


def compile_here(name: str) -> None:
    """Compile a set of kernels, or load it from the cache, in this process."""
    if name in _MODULES:
        importlib.import_module(_MODULES[name]).warm()
    else:
        MODELS[name].warm()
    if not jit.disabled():
        _mark(name).touch()


def ensure_compiled(name: str, run: Run) -> None:
    """Wait, as a phase of ``run``, until a child process has compiled a set of kernels.

    Compiling holds Python's lock for whole seconds; in a thread it would freeze the window. If the
    child fails, the kernels are compiled where they are first called. Raises Cancelled.
    """
    if compiled(name):
        return
    run.enter(Phase.COMPILING, COMPILING)
    with _start([name], nice=0) as child:
        try:
            while child.poll() is None:
                run.check()
                try:
                    child.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
        finally:
            child.kill()


class Warmer:
    """The child process of low priority that compiles whatever is not compiled yet.

    Belongs to one thread. ``poll`` starts it if there is something left to do.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._tried = False
        self.finished = False

    @property
    def running(self) -> bool:
        return self._child is not None

    def poll(self) -> None:
        """Start the child, or notice that it has ended."""
        if self.finished:
            return
        if self._child is None:
            missing = [name for name in names() if not compiled(name)]
            # A set that a child could not compile will be compiled where it is first called.
            if not missing or self._tried:
                self.finished = True
                return
            self._child = _start(missing, nice=_NICE)
        elif self._child.poll() is not None:
            self._tried = True
            self._end()

    def interrupt(self) -> None:
        """End the child now; a later ``poll`` goes on with what is left."""
        if self._child is not None:
            self._child.kill()
            self._end()

    def _end(self) -> None:
        if self._child is not None:
            self._child.wait()
            if self._child.stdin is not None:
                self._child.stdin.close()
            self._child = None


def _mark(name: str) -> Path:
    # Kernels are compiled for one processor, and a home folder may serve several computers.
    computer = re.sub(r"\W+", "-", platform.node())
    return jit.kernel_cache() / f"compiled-{name}-{computer}"


def _start(wanted: Sequence[str], nice: int) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return subprocess.Popen(
        [sys.executable, "-m", "workbench.session.warming", "--nice", str(nice), *wanted],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def main(arguments: Sequence[str]) -> int:
    rest = list(arguments)
    if rest[:1] == ["--nice"]:
        if hasattr(os, "nice"):
            os.nice(int(rest[1]))
        rest = rest[2:]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for name in rest or names():
        if not compiled(name):
            compile_here(name)
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    # The thread that waits for the parent must not keep the interpreter from ending.
    os._exit(code)
