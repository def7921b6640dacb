"""Helper processes that run a module of this program, however it is installed."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from workbench.core.operating_system import system

# First argument with which a bundled program, which has no ``-m``, runs one of its modules.
RUN_MODULE = "--run-module"
_PACKAGE = "workbench"


def is_bundled() -> bool:
    """Whether this is a program with its own interpreter, as ``tests/tools/bundle.py`` builds
    it.
    """
    return bool(getattr(sys, "frozen", False))


def restore_environment() -> None:
    """Restore the environment in which a bundled program was started, for the programs that it
    starts: a browser with this program’s libraries wouldn’t work.

    PyInstaller sets the variables, saves an old value in ``…_ORIG``, and marks child processes by
    ``_PYI_…``; those without the mark set their own variables. The linker has read the paths of
    this process already.
    """
    if not is_bundled():
        return
    for name in system().bundle_variables:
        os.environ.pop(name, None)
        original = os.environ.pop(f"{name}_ORIG", None)
        if original is not None:
            os.environ[name] = original
    for name in list(os.environ):
        if name.startswith("_PYI_"):
            del os.environ[name]


def module_command(module: str, *arguments: str) -> list[str]:
    """Words of a command that runs ``module``; run it with :func:`child_environment`."""
    if is_bundled():
        return [sys.executable, RUN_MODULE, module, *arguments]
    return [sys.executable, "-P", "-m", module, *arguments]


def program_command(*arguments: str) -> list[str]:
    """Words of a command that starts the program again; run it with :func:`child_environment`."""
    if is_bundled():
        return [sys.executable, *arguments]
    return module_command(_PACKAGE, *arguments)


def child_environment() -> dict[str, str]:
    """The environment in which a child process imports the same workbench, wherever it is
    started.
    """
    root = str(Path(__file__).resolve().parents[3])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def run_module(words: Sequence[str]) -> bool:
    """Run a module as a bundled program’s helper process, if ``words`` request it.

    Returns whether they did. Modules of other packages are refused with SystemExit.
    """
    if not words or words[0] != RUN_MODULE or not is_bundled():
        return False
    module = words[1] if len(words) > 1 else ""
    if module.partition(".")[0] != _PACKAGE:
        raise SystemExit(f"{RUN_MODULE} runs modules of {_PACKAGE} only.")
    sys.argv = [module, *words[2:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return True
