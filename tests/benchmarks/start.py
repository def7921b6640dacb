"""How soon the window is there: ``python tests/benchmarks/start.py [CORPUS] [--repeats 5]``.

Starts ``main.py`` (needs a display) and measures from the start of the process until the window is
painted, until it answers (a timer of its event loop fires), and until the corpus is open. The first
start, which fills the caches, is not counted. Prints medians in seconds and which modules took
longest to import.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from results import keep, table

_ROOT = Path(__file__).resolve().parents[2]
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")


def inside(began: float, arguments: list[str]) -> None:
    """In the child: the workbench's own main, with marks."""
    sys.path.insert(0, str(_ROOT))
    from PySide6.QtCore import QEvent, QObject, QTimer

    from workbench.__main__ import main
    from workbench.ui.shell.window import Window

    marks: dict[str, float] = {}

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and "painted" not in marks:
                marks["painted"] = time.time() - began
                QTimer.singleShot(0, lambda: marks.setdefault("answers", time.time() - began))
            return False

    shown = Window.showEvent

    def show(window: Window, event: object) -> None:
        shown(window, event)  # type: ignore[arg-type]
        if not hasattr(window, "watched"):
            window.watched = Painted()  # type: ignore[attr-defined]
            window.installEventFilter(window.watched)  # type: ignore[attr-defined]
            beat = QTimer(window)

            def look() -> None:
                if (
                    window.session.corpora.current is not None
                    and window.session.corpora.opening is None
                    and "answers" in marks
                ):
                    marks["opened"] = time.time() - began
                    beat.stop()
                    window.close()

            beat.timeout.connect(look)
            beat.start(5)

    Window.showEvent = show  # type: ignore[method-assign, assignment]
    main(arguments)
    print(json.dumps(marks))


def slowest(stderr: str, most: int = 8) -> dict[str, float]:
    """Modules by the milliseconds of their own import, without those they import."""
    own = {name: int(alone) / 1000 for alone, _, _, name in _IMPORT.findall(stderr)}
    return dict(sorted(own.items(), key=lambda item: -item[1])[:most])


def markdown(results: dict[str, Any]) -> str:
    names = {"painted": "painted", "answers": "answers", "opened": "the corpus is open"}
    rows = [
        (
            name,
            f"{results[f'{key}_s']:.2f} s",
            ", ".join(f"{turn[key]:.2f}" for turn in results["turns"]),
        )
        for key, name in names.items()
    ]
    imports = ", ".join(
        f"`{name}` {took:.0f}" for name, took in results["slowest_imports_ms"].items()
    )
    return (
        f"{table(('until the window …', 'median', 'start by start'), rows)}\n\nSlowest imports, "
        f"in ms: {imports}."
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description="From the start of the process to a window that answers."
    )
    parser.add_argument("corpus", nargs="?", default="small-world")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--inside", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside is not None:
        inside(options.inside, [options.corpus])
        return 0
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-start-"))
    turns: list[dict[str, float]] = []
    stderr = ""
    for number in range(options.repeats + 2):
        # The last turn only tells the imports: measuring them takes time itself.
        traced = number == options.repeats + 1
        command = [
            sys.executable,
            *(["-X", "importtime"] if traced else []),
            __file__,
            options.corpus,
        ]
        done = subprocess.run(
            [*command, "--inside", str(time.time())], check=True, capture_output=True, text=True
        )
        stderr = done.stderr
        if 0 < number <= options.repeats:
            turns.append(json.loads(done.stdout.splitlines()[-1]))
    medians = {
        f"{name}_s": round(statistics.median(turn[name] for turn in turns), 3) for name in turns[0]
    }
    told = {"turns": turns, **medians, "slowest_imports_ms": slowest(stderr)}
    print(markdown(keep(options.json, told)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
