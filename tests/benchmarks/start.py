"""Measure the first minute: ``python tests/benchmarks/start.py [CORPUS] [--repeats 5] [--cold 3]
[--program FILE]``.

Starts ``main.py`` (needs a display) and measures the time from the start of the process until the
window is painted, until it responds (a timer of its event loop fires) and until the corpus is open.
Then it clicks Train, and measures until the run is trained, until king − man + woman is answered
with queen, and until the map is laid out and its regions are named.

Cold starts find nothing left by an earlier start: they use a copy of the sources without bytecode,
and an empty home folder. Warm starts share a home and the bytecode; the first of them, which fills
the caches, isn’t counted, and the others start after all kernels have been compiled, which in a
window that stays open takes a minute or two. One more start is left idle. Prints medians in
seconds, the memory of the idle window and of a window with a run and its map, and the slowest
module imports.

With ``--program``, for example ``build/workbench/workbench`` or ``build/workbench.run``, a program
whose inside can’t be accessed is measured from outside, to a twentieth of a second: the window by
xdotool, which presses Train’s key as soon as the title names the corpus; the run and the map by the
files they are saved in; names on the map aren’t waited for. ``--program main.py`` measures the
sources in the same way. Needs xdotool and a window manager. Later starts lay out the map again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")
_NAMES = {
    "painted": "the window is painted",
    "answers": "it answers",
    "opened": "the corpus is open",
    "trained": "the run is trained",
    "queen": "king − man + woman = queen",
    "mapped": "the map is laid out and named",
}
_PATIENCE = 300.0
_LOOK = 0.05
_IDLE = 8.0


def inside(root: Path, start_time: float, idle: bool, arguments: list[str]) -> None:
    """Run the workbench’s own main in the child and record the times; nothing is clicked if
    ``idle``.
    """
    sys.path.insert(0, str(root))
    # First, as in main.py, because it sets how Qt is imported.
    import workbench.ui  # isort: skip
    import psutil
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QPushButton

    import workbench
    from workbench.__main__ import main
    from workbench.ui.panels.map.layout import PLANE
    from workbench.ui.shell.window import Window

    assert Path(workbench.__file__).is_relative_to(root), (
        "another copy of the workbench is imported"
    )
    marks: dict[str, float] = {}
    earlier: set[str] = set()

    def mark(name: str) -> None:
        marks.setdefault(name, time.time() - start_time)

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and "painted" not in marks:
                mark("painted")
                QTimer.singleShot(0, lambda: mark("answers"))
            return False

    show_event = Window.showEvent

    def show(window: Window, event: object) -> None:
        show_event(window, event)  # type: ignore[arg-type]
        if hasattr(window, "watched"):
            return
        window.watched = Painted()  # type: ignore[attr-defined]
        window.installEventFilter(window.watched)  # type: ignore[attr-defined]
        beat = QTimer(window)

        def look() -> None:
            session = window.session
            if "answers" not in marks or time.time() - start_time > _PATIENCE:
                if time.time() - start_time > _PATIENCE:
                    window.close()
                return
            if session.corpora.current is None or session.corpora.opening is not None:
                return
            if idle:
                mark("opened")
                if time.time() - start_time > marks["opened"] + _IDLE:
                    marks["resident_mb"] = psutil.Process().memory_info().rss / 2**20
                    beat.stop()
                    window.close()
                return
            if "opened" not in marks:
                mark("opened")
                earlier.update(record.identifier for record in session.runs)
                # Later starts restore the answer of an earlier run.
                session.selection.show_analogy(None)
                window.findChild(QPushButton, "window.train").click()
                return
            shown_run = session.active.run
            if shown_run is None or shown_run.identifier in earlier:
                return
            if not (shown_run.state.over and shown_run.has_vectors):
                return
            if "trained" not in marks:
                mark("trained")
                window.layouts.show_workspace("explore")
            if getattr(session.selection.analogy, "answer", "") == "queen":
                mark("queen")
            panel = window.docks["map"].panel
            if "queen" not in marks or panel is None:
                return
            # The answer is shown in its plane first, while the map is laid out in the background.
            if panel.choices.method == PLANE:
                panel._show_plane(False)
            elif panel.idle and panel.view._regions is not None:
                mark("mapped")
            if "queen" in marks and "mapped" in marks:
                marks["resident_mb"] = psutil.Process().memory_info().rss / 2**20
                beat.stop()
                window.close()

        beat.timeout.connect(look)
        beat.start(5)

    Window.showEvent = show  # type: ignore[method-assign, assignment]
    main(arguments)
    print(json.dumps(marks))


def environment_of(home: Path) -> dict[str, str]:
    environment = {
        **os.environ,
        "HOME": str(home),
        "WORKBENCH_HOME": str(home / "workbench"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def start(
    corpus: str, home: Path, root: Path = _ROOT, *options: str, idle: bool = False
) -> tuple[dict[str, Any], str]:
    """Times of one start in a home folder, and its output on stderr."""
    command = [sys.executable, *options, __file__, corpus, "--root", str(root)]
    if idle:
        command.append("--idle")
    process = subprocess.run(
        [*command, "--inside", str(time.time())],
        check=False,
        capture_output=True,
        text=True,
        env=environment_of(home),
        timeout=2 * _PATIENCE,
    )
    if process.returncode:
        raise SystemExit(f"A start ended with exit code {process.returncode}:\n{process.stderr}")
    return json.loads(process.stdout.splitlines()[-1]), process.stderr


def compile_rest(home: Path) -> None:
    """Compile everything that the window would compile in the background."""
    code = (
        "from workbench.session import kernel_compiler as compiler; "
        "compiler.compile_missing(compiler.names())"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=_ROOT, env=environment_of(home))


def cold_start(corpus: str) -> dict[str, Any]:
    """Times of a start without any cache."""
    with tempfile.TemporaryDirectory(prefix="workbench-cold-") as folder:
        home, root = Path(folder) / "home", Path(folder) / "program"
        home.mkdir()
        for part in ("workbench", "resources", "docs"):
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(_ROOT / part, root / part, ignore=ignore)
        return start(corpus, home, root)[0]


def start_program(program: Path, corpus: str, home: Path) -> dict[str, Any]:
    """Times of one start of a program in a home folder, measured from outside."""
    layouts = home / "workbench" / "cache" / "layouts"
    shutil.rmtree(layouts, ignore_errors=True)
    runs = home / "workbench" / "store" / "runs"
    earlier = set(runs.glob("*/run.json"))
    python = [sys.executable] if program.suffix == ".py" else []
    start_time = time.time()
    child = subprocess.Popen(
        [*python, str(program.resolve()), corpus],
        env=environment_of(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def wait_until(condition: Callable[[], object]) -> float:
        while not condition():
            if child.poll() is not None or time.time() - start_time > _PATIENCE:
                raise SystemExit(f"{program} ended, or took longer than {_PATIENCE:.0f} s.")
            time.sleep(_LOOK)
        return time.time() - start_time

    def xdotool(*words: str) -> None:
        subprocess.run(
            ["xdotool", *words], stdout=subprocess.DEVNULL, check=True, timeout=_PATIENCE
        )

    marks: dict[str, Any] = {}
    try:
        search = ("search", "--sync", "--all", "--onlyvisible", "--pid", str(child.pid), "--name")
        xdotool(*search, "Workbench")
        marks["painted"] = time.time() - start_time
        xdotool(*search, " — .*Workbench", "key", "ctrl+Return")
        marks["opened"] = time.time() - start_time
        marks["trained"] = wait_until(lambda: set(runs.glob("*/run.json")) - earlier)
        marks["mapped"] = wait_until(lambda: list(layouts.glob("*.npy")))
    finally:
        child.terminate()
        child.wait()
    return marks


def measure_program(program: Path, corpus: str, cold: int, repeats: int) -> dict[str, Any]:
    """Times of a program’s starts: cold ones each in an empty home, warm ones in a shared one."""
    turns = []
    for _ in range(cold):
        with tempfile.TemporaryDirectory(prefix="workbench-cold-") as folder:
            turns.append(start_program(program, corpus, Path(folder)))
    with tempfile.TemporaryDirectory(prefix="workbench-start-") as folder:
        home = Path(folder)
        warm = [start_program(program, corpus, home) for _ in range(repeats + bool(repeats))][1:]
    return {"program": program.name, "cold": turns, "warm": warm}


def slowest(stderr: str, most: int = 8) -> dict[str, float]:
    """The slowest imports: milliseconds by module, without the modules it imports."""
    own = {name: int(alone) / 1000 for alone, _, _, name in _IMPORT.findall(stderr)}
    return dict(sorted(own.items(), key=lambda item: -item[1])[:most])


def _medians(turns: list[dict[str, Any]]) -> dict[str, float]:
    return {
        name: round(statistics.median(turn[name] for turn in turns), 3)
        for name in _NAMES
        if turns and all(name in turn for turn in turns)
    }


def _medians_by_kind(cold: list[dict[str, Any]], warm: list[dict[str, Any]]) -> dict[str, float]:
    return {
        f"{kind}_{name}_s": value
        for kind, turns in (("cold", cold), ("warm", warm))
        for name, value in _medians(turns).items()
    }


def markdown(results: dict[str, Any]) -> str:
    # Not at the top: it imports the workbench, but the child imports another copy of it.
    from results import table

    rows = []
    for key, name in _NAMES.items():
        row = [name]
        for kind in ("cold", "warm"):
            turns = [turn for turn in results[kind] if key in turn]
            row.append(f"{_medians(turns)[key]:.2f} s" if turns else "")
            row.append(", ".join(f"{turn[key]:.2f}" for turn in turns))
        # Some times can’t be measured from outside.
        if any(row[1:]):
            rows.append(row)
    head = ("until …", "very first start", "start by start", "later ones", "start by start")
    parts = [table(head, rows)]
    # Older results don’t contain memory.
    if "idle_mb" in results:
        parts.append(
            f"Memory of the idle window, with the corpus open: {results['idle_mb']:.0f} MB; "
            f"with the run and its map: {results['mapped_mb']:.0f} MB."
        )
    if "slowest_imports_ms" in results:
        imports = ", ".join(
            f"`{name}` {milliseconds:.0f}"
            for name, milliseconds in results["slowest_imports_ms"].items()
        )
        parts.append(
            f"Slowest imports from the start to the named map, in ms, in one start that measured "
            f"them: {imports}."
        )
    return "\n\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description="From the start of the process to a named map.")
    parser.add_argument("corpus", nargs="?", default="small-world")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cold", type=int, default=3)
    parser.add_argument(
        "--program", type=Path, help="measure this program from outside, such as a bundle"
    )
    parser.add_argument("--json")
    parser.add_argument("--inside", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, default=_ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside is not None:
        inside(options.root, options.inside, options.idle, [options.corpus])
        return 0
    from results import keep

    if options.program is not None:
        results = measure_program(options.program, options.corpus, options.cold, options.repeats)
        results |= _medians_by_kind(results["cold"], results["warm"])
        print(markdown(keep(options.json, results)))
        return 0
    cold = [cold_start(options.corpus) for _ in range(options.cold)]
    with tempfile.TemporaryDirectory(prefix="workbench-start-") as folder:
        home = Path(folder)
        start(options.corpus, home)
        compile_rest(home)
        warm = [start(options.corpus, home)[0] for _ in range(options.repeats)]
        quiet = start(options.corpus, home, idle=True)[0]
        # Measuring imports takes time itself.
        stderr = start(options.corpus, home, _ROOT, "-X", "importtime")[1]
    memory = {
        "idle_mb": round(quiet["resident_mb"]),
        "mapped_mb": round(statistics.median(turn["resident_mb"] for turn in warm)),
    }
    imports = slowest(stderr)
    results = {"cold": cold, "warm": warm, **_medians_by_kind(cold, warm), **memory}
    results["slowest_imports_ms"] = imports
    print(markdown(keep(options.json, results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
