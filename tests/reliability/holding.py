"""Resources of a process, as numbers to compare over time, and trend lines through them."""

from __future__ import annotations

import ast
import contextlib
import ctypes
import gc
import importlib
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil

_FIELDS = [
    "arena",
    "ordblks",
    "smblks",
    "hblks",
    "hblkhd",
    "usmblks",
    "fsmblks",
    "uordblks",
    "fordblks",
    "keepcost",
]


class _Mallinfo(ctypes.Structure):
    """glibc's ``struct mallinfo2``."""

    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS]


def heap() -> dict[str, int]:
    """Bytes allocated by C code ("used"), and bytes that malloc keeps for later ("kept").

    "mapped": the part of "used" in large blocks with their own mappings. Empty without glibc.
    """
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return {}
    mallinfo.restype = _Mallinfo
    info = mallinfo()
    return {"used": info.uordblks + info.hblkhd, "mapped": info.hblkhd, "kept": info.fordblks}


def held_memory() -> dict[str, Any]:
    """Memory, threads, open files and child processes of this process, and Python’s allocations.

    Objects don’t include Python’s wrappers of Qt objects, because iterating over Qt’s objects
    creates them.
    """
    gc.collect()
    own = psutil.Process()
    children = own.children(recursive=True)
    return {
        "rss": own.memory_info().rss,
        "anonymous": _anonymous(),
        **heap(),
        "blocks": sys.getallocatedblocks(),
        "objects": sum(
            1 for one in gc.get_objects() if not type(one).__module__.startswith("PySide6.")
        ),
        "threads": own.num_threads(),
        "handles": own.num_fds(),
        "children": len(children),
        "commands": sorted(_command(child) for child in children),
    }


def _anonymous() -> int:
    """Bytes in memory that aren’t pages of a file: the system takes those of files, such as corpora
    and libraries, away when it needs them. 0 where the system doesn’t say.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"^RssAnon:\s*(\d+) kB", status, re.MULTILINE)
    return 1024 * int(found[1]) if found else 0


def _command(child: psutil.Process) -> str:
    """What a child process runs, "" if it has just ended."""
    with contextlib.suppress(psutil.Error):
        return " ".join(child.cmdline()[1:4])[:80]
    return ""


def load_all(package: Path) -> None:
    """Import all modules that a package imports anywhere, because code that is loaded once isn’t
    growth.

    The cluster engine is left out, because other processes import it.
    """
    names = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
            elif isinstance(node, ast.Import):
                names.update(one.name for one in node.names)
    for name in sorted(names):
        if name.partition(".")[0] not in (
            "dask",
            "distributed",
            "bokeh",
        ):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)


def files(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


def slope(notes: Sequence[dict[str, Any]], over: str, name: str) -> float:
    """Growth of ``name`` per unit of ``over``, from a straight line through the notes."""
    if len(notes) < 2:
        return 0.0
    return float(np.polyfit([one[over] for one in notes], [one[name] for one in notes], 1)[0])


def wait_while(path: Path | None) -> float:
    """Sleep while a file exists, so that a long test makes room for others. Seconds slept."""
    start = time.monotonic()
    while path is not None and path.exists():
        time.sleep(0.5)
    return time.monotonic() - start
