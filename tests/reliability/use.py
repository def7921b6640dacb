"""Test hours of use of the window: ``python tests/reliability/use.py [--hours 8]``.

    python tests/reliability/use.py [--hours 8] [--actions N] [--every 200] [--seed 1] [--json FILE]
    [--types]
        [--pause-while FILE] [--log FILE] [--patient]

Runs the program’s own ``run_window``, on Qt’s offscreen platform unless QT_QPA_PLATFORM says
otherwise, with a seeded random user (``hands.py``, ``person.py``). The user clicks, chooses and
types into everything that is visible, opens corpora (the bundled one and three small texts),
trains, pauses, stops and cancels models of every algorithm, deletes and restores runs, searches for
words, solves analogies, saves and opens sessions, exports everything into a folder, changes panels,
menus and themes, and resizes the window. Nine times in ten, the user doesn’t wait for long tasks. A
person acts about every six seconds, which makes 600 actions per hour; here the next action follows
as soon as the window responds. Left out: the network, Python’s documentation as a corpus, and
everything that ends the program.

First, the test shows every panel and the preferences once, because what is built once isn’t growth.
After every ``--every`` actions, it closes everything, waits for computations, and records what the
process uses. Memory is the part that isn’t pages of files: the system takes those of corpora and
libraries away when it needs them. The test fits a line to the second half of these records. Exits
with 1 if the line rises in eight hours by more than ``BOUNDS`` allows, if Python’s or Qt’s hooks
got an unexpected error, or if a signal ended the process, as in a crash, which is reported from the
file that the program leaves. If the window doesn’t respond for a second, the action and the place
in the program are reported; this isn’t a failure, because another program may be the cause.
WORKBENCH_TEST_CACHE names a folder that keeps compiled kernels between runs.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from holding import load_all, slope

if TYPE_CHECKING:
    from person import Person

_ROOT = Path(__file__).resolve().parents[2]
PER_HOUR = 600
_FEWEST = 6
# Environment variable that gives the window’s process its folder.
_WITHIN = "WORKBENCH_USED_WITHIN"
# Maximum rise in eight hours of a line through the second half of the records: bytes, or items.
BOUNDS = {
    "anonymous": 64 << 20,
    "objects": 20_000,
    "threads": 2,
    "handles": 4,
    "children": 1,
    "widgets": 60,
    "qobjects": 400,
    "temporary": 4,
}
_COLUMNS = (
    "rss",
    "anonymous",
    "used",
    "kept",
    "objects",
    "widgets",
    "qobjects",
    "threads",
    "handles",
    "children",
    "files",
    "trash",
)


def keep_kernels(home: Path) -> None:
    """Use the compiled kernels in the folder that WORKBENCH_TEST_CACHE names, as all tests do."""
    shared = os.environ.get("WORKBENCH_TEST_CACHE")
    if shared:
        kernels = Path(shared).resolve() / "kernels"
        kernels.mkdir(parents=True, exist_ok=True)
        (home / "cache").mkdir()
        (home / "cache" / "kernels").symlink_to(kernels, target_is_directory=True)


def texts(folder: Path) -> list[Path]:
    """Write three small corpora: two texts of words by Zipf’s law, and a table."""
    paths = []
    for seed, name in enumerate(("one.txt", "two.txt", "three.csv")):
        rng = np.random.default_rng(seed)
        ids = np.minimum(rng.zipf(1.3, size=12_000 + 4000 * seed), 500 + 200 * seed)
        lines = [
            " ".join(f"w{word}" for word in ids[at : at + 15]) for at in range(0, len(ids), 15)
        ]
        if name.endswith("csv"):
            lines = ["number,text", *(f"{number},{line}" for number, line in enumerate(lines))]
        path = folder / name
        path.write_text("\n".join(lines), encoding="utf-8")
        paths.append(path)
    return paths


def main() -> int:
    parser = argparse.ArgumentParser(description="Hours of use of the window.")
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--actions", type=int, help="in the place of hours")
    parser.add_argument("--every", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--log", type=Path, help="every action, on a line")
    parser.add_argument(
        "--types",
        action="store_true",
        help="tell which Python types became more in the second half",
    )
    parser.add_argument(
        "--patient",
        action="store_true",
        help="begin nothing before all is done; then a seed says all",
    )
    parser.add_argument(
        "--pause-while", type=Path, help="wait between actions while this file exists"
    )
    options = parser.parse_args()
    folder = os.environ.get(_WITHIN)
    if folder is not None:
        return use(Path(folder), options)
    with tempfile.TemporaryDirectory(prefix="use-") as name:
        # A folder of its own, because the random user deletes runs and changes settings.
        home = Path(name, "home")
        home.mkdir()
        keep_kernels(home)
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
        environment |= {"WORKBENCH_HOME": str(home), _WITHIN: name}
        if (options.actions or options.hours * PER_HOUR) >= PER_HOUR:
            # In the window, compiling in the background continues between trainings, but here one
            # follows the other, and compiling would never finish.
            compiling = [sys.executable, "-m", "workbench.session.kernel_compiler"]
            # The compiler stops when its standard input is closed.
            with subprocess.Popen(
                compiling, env=environment, cwd=_ROOT, stdin=subprocess.PIPE
            ) as child:
                child.wait()
        # In a separate process, so that this one can report how it ended.
        code = subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode
        return code if code >= 0 else report_crash(-code, home)


def use(folder: Path, options: argparse.Namespace) -> int:
    """Run the window with the random user; all files are in ``folder``."""
    faulthandler.enable()
    sys.path.insert(0, str(_ROOT))
    # The program’s temporary files are counted, too.
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder / "temporary")
    Path(tempfile.tempdir).mkdir()
    load_all(_ROOT / "workbench")
    from person import Person

    actions = options.actions or round(options.hours * PER_HOUR)
    print("actions  hours " + " ".join(f"{name:>9}" for name in _COLUMNS), flush=True)
    with (
        contextlib.nullcontext()
        if options.log is None
        else options.log.open("w", buffering=1) as log
    ):
        person = Person(
            options.seed,
            folder,
            Path(os.environ["WORKBENCH_HOME"]),
            texts(folder),
            actions,
            options.every,
            tell,
            options.pause_while,
            log,
            patient=options.patient,
        )
        person.begin()
        from workbench.ui.shell.application import run_window

        code = run_window([])
    return report(person, options) if code == 0 else code


def report_crash(number: int, home: Path) -> int:
    """Report a process that was ended by a signal; returns 1."""
    for path in sorted(home.rglob("crash-*.txt")):
        print(f"{path.name}:\n{path.read_text(encoding='utf-8', errors='replace')}")
    print(f"not fine: the window's process was ended by {signal.Signals(number).name}", flush=True)
    return 1


def tell(note: Mapping[str, Any]) -> None:
    """Print one line of the table."""
    hours = note["actions"] / PER_HOUR
    print(
        f"{note['actions']:7,} {hours:6.2f} "
        + " ".join(f"{_to_text(n, note[n]):>9}" for n in _COLUMNS),
        flush=True,
    )


def report(person: Person, options: argparse.Namespace) -> int:
    """Print the outcome; returns 1 if something grew or failed."""
    half = person.notes[len(person.notes) // 2 :]
    growths = {name: 8 * PER_HOUR * slope(half, "actions", name) for name in BOUNDS}
    # Fewer records are too few for a forecast of eight hours.
    over = (
        [name for name, value in growths.items() if value > BOUNDS[name]]
        if len(half) >= _FEWEST
        else []
    )
    print(
        "growth in 8 hours: "
        + ", ".join(f"{name} {_to_text(name, value)}" for name, value in growths.items())
    )
    if options.types:
        for name, number in (person.types[-1] - person.types[len(person.types) // 2]).most_common(
            25
        ):
            print(f"  {number:7,} more of {name}")
    for command in half[-1]["commands"]:
        print(f"  child at the end: {command}")
    print(
        "done: "
        + ", ".join(f"{number} {name}" for name, number in person.action_counts.most_common())
    )
    for one in person.watch.blocked:
        busy = f", {one['processor']:.1f} s of it with a processor" if "processor" in one else ""
        print(
            f"no answer for {one['seconds']:.1f} s{busy}: {one['doing']}: {' > '.join(one['at'])}"
        )
    for text, number in person.errors.found.most_common():
        print(f"unexpected, {number} times: {text}")
    fine = not over and not person.errors.found
    print("fine" if fine else f"not fine: {', '.join(over) or 'errors'}", flush=True)
    if options.json:
        document = {
            "notes": person.notes,
            "growth": growths,
            "blocked": person.watch.blocked,
            "errors": person.errors.found,
        }
        options.json.write_text(
            json.dumps({**document, "done": person.action_counts, "fine": fine}, indent=1),
            encoding="utf-8",
        )
    return 0 if fine else 1


def _to_text(name: str, value: float) -> str:
    return (
        f"{value / 2**20:,.0f} MB"
        if name in ("rss", "anonymous", "used", "kept")
        else f"{value:,.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
