"""Compare opening files of vectors with gensim: a text of 100,000 × 300 numbers, and word2vec’s
binary format with 400,000 × 300, both written by gensim; and lists of ten neighbours.

    python tests/benchmarks/opening_vectors.py [--turns 5] [--gensim PYTHON] [--files NAME,NAME]
        [--folder FOLDER] [--json FILE]

Needs the group ``bench``, or with ``--gensim`` another Python that has gensim; Linux only, and a
gigabyte in the temporary folder. A name such as ``3000000x300.bin`` is a file of that size, here
that of the vectors of Google News with 3.6 GB, and ``3000000x300.bin:200000`` its first 200,000
words. With ``--folder``, files that are there are used, and are kept. The sides take turns, each
time in a process of its own; the first turn isn’t counted, and reads the files into the system’s
cache. Both sides must find the same words, the same bits and the same lists. Between them, the
bytes of a binary file are read into a new array: the least that any program has to do.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from results import keep, machine, table

from workbench.vectors import codes
from workbench.vectors.formats import binary_kernel, row_kernel

_SIDE = Path(__file__).with_name("opening_side.py")
_ROOT = _SIDE.parents[2]
FILES = ("100000x300.vec", "400000x300.bin")
# What is compared: seconds to open, and of lists.
_OPENING = ("seconds", "processor")
_LISTS = ("first", "list")
_TITLES = {
    "seconds": "seconds",
    "processor": "processor",
    "first": "first list, seconds",
    "list": "further lists, seconds",
}


def run(python: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    command = [python, str(_SIDE), *arguments]
    process = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return process.stdout


def markdown(results: dict[str, Any]) -> str:
    """The table of opening, and that of lists."""
    return f"{_figures(results, _OPENING, '.2f')}\n\n{_figures(results, _LISTS, '.3f')}"


def _figures(results: dict[str, Any], keys: tuple[str, ...], number: str) -> str:
    """A table of the medians of some figures, with the ratios of their medians and of turns."""
    rows = []
    for name, sides in results["files"].items():
        ours = sides["workbench"]
        for side, turns in sides.items():
            if keys[0] not in turns[0]:
                continue
            cells = [name, side]
            # Earlier measurements may lack some figures.
            for key in keys:
                if key not in turns[0] or key not in ours[0]:
                    cells += ["", "", ""]
                    continue
                seconds = [one[key] for one in turns]
                ratios = [one / mine[key] for one, mine in zip(seconds, ours, strict=False)]
                ratio = statistics.median(seconds) / statistics.median(mine[key] for mine in ours)
                cells.append(format(statistics.median(seconds), number))
                if side == "workbench":
                    cells += ["", ""]
                else:
                    cells += [f"**{ratio:.1f}**", f"{min(ratios):.1f} to {max(ratios):.1f}"]
            memory = "memory" if keys == _OPENING else "whole_memory"
            rows.append((*cells, f"{statistics.median(one[memory] for one in turns):.2f}"))
    titles: list[str] = []
    for key in keys:
        titles += [f"{_TITLES[key]}, median", "times ours", "minimum to maximum"]
    return table(("file", "by", *titles, "memory / table"), rows)


def measure(name: str, folder: Path, turns: int, gensim: str) -> dict[str, list[dict[str, Any]]]:
    """The figures of both sides for a file or its first words."""
    file, _, limit = name.partition(":")
    path = folder / file
    if not path.exists():
        run(gensim, "write", str(path))
    pythons = {"workbench": sys.executable, "gensim": gensim}
    if name.endswith(".bin"):
        pythons["bytes"] = sys.executable
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in pythons}
    for number in range(turns + 1):
        for side, python in pythons.items():
            result = json.loads(run(python, side, str(path), limit or "0"))
            print(f"{name}, {side}: {result}", file=sys.stderr, flush=True)
            if number:
                found[side].append(result)
    for key in ("checksum", "lists"):
        different = {one[key] for side in ("workbench", "gensim") for one in found[side]}
        assert len(different) == 1, f"the sides found different {key} in {name}"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Opening files of vectors, and gensim.")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--gensim", default=sys.executable, help="a Python with gensim")
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--folder", type=Path, help="where files are kept")
    parser.add_argument("--json")
    options = parser.parse_args()
    # Other files keep their earlier measurements.
    figures: dict[str, dict[str, list[dict[str, Any]]]] = {}
    if options.json and Path(options.json).exists():
        figures = json.loads(Path(options.json).read_text())["files"]
    with tempfile.TemporaryDirectory() as temporary:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(temporary) / "home"))
        for kernels in (row_kernel, binary_kernel, codes):
            kernels.warm()
        folder = options.folder or Path(temporary)
        for name in options.files.split(","):
            figures[name] = measure(name, folder, options.turns, options.gensim)
    results = keep(options.json, {"files": figures})
    print(f"{machine()}; {options.turns} turns after one to warm up\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
