"""Train every algorithm in the window: ``python tests/benchmarks/window_algorithms.py CORPUS``.

Opens the real window (needs a display), chooses each registered algorithm in turn in the Train
panel, clicks Train, waits for the end (or clicks Stop after ``--seconds``), and then checks the
window: the state of the run, its loss, its map. Prints a line of JSON for each algorithm; fails if
any of them fails. With ``--pictures FOLDER``, saves a picture of the window after each.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Every algorithm in the window.")
    parser.add_argument("corpus")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="after which an iterative training is stopped"
    )
    parser.add_argument("--preset", default="classroom")
    parser.add_argument("--only", default="")
    parser.add_argument("--pictures")
    return parser.parse_args()


def _result(
    record: Any, seconds: float, gaps: npt.NDArray[np.float64], state: str, errors: list[str]
) -> dict[str, Any]:
    loss = record.trace.loss
    return {
        "algorithm": record.algorithm,
        "state": record.state.value,
        "seconds": round(seconds, 1),
        "points": len(loss),
        "first": round(float(loss[0]), 4) if len(loss) else None,
        "last": round(float(loss[-1]), 4) if len(loss) else None,
        "frames_p99_ms": round(float(np.percentile(gaps, 99)), 1) if len(gaps) > 50 else None,
        "map": state,
        "errors": list(errors),
    }


def main() -> int:
    options = _options()
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-window-"))

    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtTest import QTest
    from window_steps import OpenWindow, follow_steps

    from workbench.models.base import MODELS

    opened = OpenWindow(options.corpus)
    session, window = opened.session, opened.window
    train = window.docks["train"].panel
    keys = options.only.split(",") if options.only else [kind.key for kind in MODELS]
    errors: list[str] = []
    session.message.connect(
        lambda text, hint, is_error: errors.append(f"{text} {hint}") if is_error else None
    )
    beats: list[float] = []
    bad: list[str] = []

    def steps() -> Iterator[Callable[[], bool]]:
        """Go through all algorithms; yields the conditions to wait for."""
        yield opened.has_corpus
        for key in keys:
            train.choose(key, options.preset)  # type: ignore[attr-defined]
            yield lambda: train.start.isEnabled()  # type: ignore[attr-defined]
            before, start = len(session.runs), time.perf_counter()
            QTest.mouseClick(train.start, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
            yield lambda before=before: len(session.runs) > before  # type: ignore[misc]
            record = session.runs[-1]
            beats.clear()
            limit = start + options.seconds
            yield (
                lambda limit=limit, record=record: (
                    record.state.over
                    or (  # type: ignore[misc]
                        time.perf_counter() > limit
                        and bool(MODELS[record.algorithm].loss_label)
                        and len(record.trace) > 1
                    )
                )
            )
            timed_out = not record.state.over
            if timed_out:
                QTest.mouseClick(train.stop, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
            gaps = 1000 * np.diff(beats)
            yield lambda record=record: record.state.over  # type: ignore[misc]
            seconds = time.perf_counter() - start
            yield lambda: window.idle
            result = _result(record, seconds, gaps, window.docks["map"].panel.state, errors)
            print(json.dumps(result), flush=True)
            if (
                not record.has_vectors
                or errors
                or result["map"] != "body"
                or not np.isfinite(record.trace.loss).all()
            ):
                bad.append(key)
            errors.clear()
            if options.pictures:
                Path(options.pictures).mkdir(parents=True, exist_ok=True)
                window.grab().save(str(Path(options.pictures) / f"{key}.png"))

    beat = QTimer()
    beat.setTimerType(Qt.TimerType.PreciseTimer)
    beat.setInterval(16)
    beat.timeout.connect(lambda: beats.append(time.perf_counter()))
    beat.start()
    timer = follow_steps(steps(), window)
    opened.run()
    timer.stop()
    if bad:
        print(f"Not as it should be: {', '.join(bad)}.", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
