"""How evenly the window runs while two threads train: ``python tests/benchmarks/frames.py CORPUS``.

Opens the real window on the corpus (needs a display) and trains skip-gram with negative sampling at
its defaults on two threads. Once all panels have been built, measures the gaps between beats of a
16 ms timer in the window’s thread, while the loss, the map (or another panel of ``--panels``) and
the activity bar are updated. Also measures the time from Start to the first point of the loss, and
from Stop to the last step and until the run is saved. Prints a table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np
from results import keep, table

from workbench.session.training.request import TrainingSpec


def _figures(beats: list[float], marks: dict[str, float]) -> dict[str, float]:
    gaps = np.diff(beats) * 1000
    return {
        "frames": len(gaps),
        "median_ms": round(float(np.median(gaps)), 1),
        "p99_ms": round(float(np.percentile(gaps, 99)), 1),
        "max_ms": round(float(gaps.max()), 1),
        "start_to_first_loss_s": round(marks["first"] - marks["start"], 3),
        "stop_to_halt_s": round(marks["halted"] - marks["stop"], 3),
        "stop_to_end_s": round(marks["end"] - marks["stop"], 3),
    }


def inside(corpus: str, seconds: float, panel: str) -> int:
    from PySide6.QtCore import Qt, QTimer
    from window_steps import OpenWindow

    from workbench.core.job_control import Phase
    from workbench.models.base import MODELS

    kind = MODELS["sgns"]
    kind.warm()
    opened = OpenWindow(corpus)
    session, window = opened.session, opened.window
    window.raise_panel(panel)
    beats: list[float] = []
    marks: dict[str, float] = {}
    beat = QTimer()
    beat.setTimerType(Qt.TimerType.PreciseTimer)
    beat.setInterval(16)

    def tick() -> None:
        now = time.perf_counter()
        if not opened.has_corpus():
            return
        if "start" not in marks and not window.idle:
            return
        if "start" not in marks:
            marks["start"] = time.perf_counter()
            session.training.start(
                TrainingSpec("sgns", kind.params_type.from_mapping({"threads": 2, "epochs": 1000}))
            )
            return
        record = session.training.current
        if record is not None and "first" not in marks and len(record.trace):
            marks["first"] = now
        if "first" in marks and "stop" not in marks:
            beats.append(now)
            if record is not None and now - marks["first"] > seconds:
                marks["stop"] = time.perf_counter()
                session.training.stop(record)
        elif (
            "stop" in marks
            and "halted" not in marks
            and (
                record is None
                or record.run is None
                or record.run.progress.phase is not Phase.TRAINING
            )
        ):
            marks["halted"] = now
        elif "halted" in marks and record is None:
            marks["end"] = now
            window.close()

    beat.timeout.connect(tick)
    beat.start()
    opened.run()
    print(json.dumps(_figures(beats, marks)))
    return 0


def markdown(results: dict[str, Any]) -> str:
    head = (
        "panel in front",
        "frames",
        "median",
        "99th percentile",
        "longest",
        "start to first loss",
        "stop to last step",
        "stop to saved",
    )
    return table(
        head,
        (
            (
                row["panel"],
                row["frames"],
                f"{row['median_ms']} ms",
                f"{row['p99_ms']} ms",
                f"{row['max_ms']} ms",
                f"{row['start_to_first_loss_s']:.2f} s",
                f"{row['stop_to_halt_s']:.2f} s",
                f"{row['stop_to_end_s']:.2f} s",
            )
            for row in results["rows"]
        ),
    )


def main() -> int:
    """Measure each panel in a separate window and process."""
    parser = argparse.ArgumentParser(description="Frames of the window while it trains.")
    parser.add_argument("corpus")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument(
        "--panels",
        default="map,map,theory,matrix,compare,relations,time,runs",
        help="in front, in turn",
    )
    parser.add_argument("--json")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return inside(options.corpus, options.seconds, options.inside)
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-frames-"))
    rows: list[dict[str, Any]] = []
    results: dict[str, Any] = {"rows": rows}
    # The first one only fills the caches.
    for number, panel in enumerate(("map", *options.panels.split(","))):
        seconds = options.seconds if number else 1.0
        command = [
            sys.executable,
            __file__,
            options.corpus,
            "--seconds",
            str(seconds),
            "--inside",
            panel,
        ]
        process = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        if number:
            rows.append({"panel": panel, **json.loads(process.stdout.splitlines()[-1])})
            results = keep(options.json, {"rows": rows})
    print(markdown(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
