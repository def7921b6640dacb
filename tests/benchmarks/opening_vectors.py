"""Compare opening files of vectors with gensim: a text of 100,000 × 300 numbers, and word2vec’s
binary format with 400,000 × 300, both written by gensim.

    python tests/benchmarks/opening_vectors.py [--turns 5] [--gensim PYTHON] [--files NAME,NAME]
        [--json FILE]

Needs the group ``bench``, or with ``--gensim`` another Python that has gensim; Linux only, and a
gigabyte in the temporary folder. The sides take turns, each time in a process of its own; the first
turn isn’t counted, and reads the files into the system’s cache. Both sides must find the same words
and the same bits. Between them, the bytes of a binary file are read into a new array: the least
that any program has to do.
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

from workbench.vectors.formats import row_kernel

_SIDE = Path(__file__).with_name("opening_side.py")
_ROOT = _SIDE.parents[2]
FILES = ("100000x300.vec", "400000x300.bin")


def run(python: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    command = [python, str(_SIDE), *arguments]
    process = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return process.stdout


def markdown(results: dict[str, Any]) -> str:
    rows = []
    for name, sides in results["files"].items():
        ours = sides["workbench"]
        for side, turns in sides.items():
            cells = [name, side]
            # Earlier measurements may lack the processor's time.
            for key in ("seconds", "processor"):
                if key not in turns[0] or key not in ours[0]:
                    cells += ["", "", ""]
                    continue
                seconds = [one[key] for one in turns]
                ratios = [one / mine[key] for one, mine in zip(seconds, ours, strict=False)]
                ratio = statistics.median(seconds) / statistics.median(mine[key] for mine in ours)
                cells.append(f"{statistics.median(seconds):.2f}")
                if side == "workbench":
                    cells += ["", ""]
                else:
                    cells += [f"**{ratio:.1f}**", f"{min(ratios):.1f} to {max(ratios):.1f}"]
            rows.append((*cells, f"{statistics.median(one['memory'] for one in turns):.2f}"))
    ratio_titles = ("times ours", "minimum to maximum")
    head = ("file", "by", "seconds, median", *ratio_titles, "processor, median", *ratio_titles)
    return table((*head, "memory / table"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="Opening files of vectors, and gensim.")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--gensim", default=sys.executable, help="a Python with gensim")
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--json")
    options = parser.parse_args()
    # Other files keep their earlier measurements.
    figures: dict[str, dict[str, list[dict[str, Any]]]] = {}
    if options.json and Path(options.json).exists():
        figures = json.loads(Path(options.json).read_text())["files"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("WORKBENCH_HOME", str(Path(folder) / "home"))
        row_kernel.warm()
        for name in options.files.split(","):
            path = str(Path(folder) / name)
            run(options.gensim, "write", path)
            pythons = {"workbench": sys.executable, "gensim": options.gensim}
            if name.endswith(".bin"):
                pythons["bytes"] = sys.executable
            figures[name] = {side: [] for side in pythons}
            for number in range(options.turns + 1):
                for side, python in pythons.items():
                    result = json.loads(run(python, side, path))
                    print(f"{name}, {side}: {result}", file=sys.stderr, flush=True)
                    if number:
                        figures[name][side].append(result)
            checksums = {
                one["checksum"] for side in ("workbench", "gensim") for one in figures[name][side]
            }
            assert len(checksums) == 1, f"the sides read different numbers from {name}"
            os.remove(path)
    results = keep(options.json, {"files": figures})
    print(f"{machine()}; {options.turns} turns after one to warm up\n\n{markdown(results)}")


if __name__ == "__main__":
    main()
