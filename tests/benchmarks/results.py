"""Storage and output that benchmarks share: results as JSON with the machine, tables as
Markdown.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import psutil

from workbench import __version__


def machine() -> str:
    """The processor, the number of processors, the memory, the system and Python."""
    name = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        models = [
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ]
        name = models[0] if models else name
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{name}, {os.cpu_count()} processors, {memory:.0f} GiB, {system}"


def keep(path: str | None, results: dict[str, Any]) -> dict[str, Any]:
    """Add machine, version and day to the results; written to ``path``, if given, by renaming."""
    document = {
        "machine": machine(),
        "workbench": __version__,
        "day": datetime.date.today().isoformat(),
        **results,
    }
    if path:
        beside = Path(path).with_name(Path(path).name + ".part")
        beside.write_text(json.dumps(document, indent=1) + "\n")
        beside.replace(path)
    return document


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
