"""How to install Python packages that are missing, with or without an installed Python."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Sequence

from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.core.processes.child_process import is_bundled


def install_advice(packages: Sequence[str]) -> str:
    """The sentences that tell how to get packages, by project name."""
    names = join_names(packages)
    if is_bundled():
        return tr(
            "The program that needs no Python doesn’t contain {names}. Install Embedding Workbench "
            "with Python to use {names}.",
            names=names,
        )
    return tr("To install {names}, run: {command}", names=names, command=install_command(packages))


def install_command(packages: Sequence[str]) -> str:
    """The command for a terminal; an environment without pip uses the pip of its base. "" in a
    bundled program, which can’t add packages.
    """
    if is_bundled():
        return ""
    if importlib.util.find_spec("pip"):
        words = [sys.executable, "-m", "pip", "install", *packages]
    else:
        base = getattr(sys, "_base_executable", sys.executable)
        words = [base, "-m", "pip", "--python", sys.executable, "install", *packages]
    return system().join_command(words)


def join_names(names: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *head, last = names
    return tr("{names} and {last}", names=", ".join(head), last=last) if head else last
