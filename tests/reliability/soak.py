"""Measure growth over many cycles: ``python tests/reliability/soak.py [--cycles 1000]``.

    python tests/reliability/soak.py [--cycles 1000] [--every 50] [--json FILE] [--pause-while FILE]

Trains and cancels at a random moment, stops, finishes, deletes and restores runs, uses vectors, and
saves and opens session files, with the algorithms in turn, in one session as in the window. After
every ``--every`` cycles, the memory of the process, its threads, open files and child processes,
and the files in the store are recorded. The first fifth of the records is ignored, because code
that is loaded or compiled once isn’t growth. Prints the records, and the growth per thousand cycles
from a straight line through the rest; exits with 1 if threads, handles or child processes grew, or
memory by more than 64 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from holding import files, held_memory, slope, wait_while

from workbench.session.training.request import TrainingSpec

_ROOT = Path(__file__).resolve().parents[2]
_MOST = 64 << 20
_PLANS = (
    ("sgns", {"dim": 24, "epochs": 400, "min_count": 1, "threads": 2}),
    ("ppmi", {"min_count": 1}),
    ("glove", {"dim": 16, "epochs": 2000, "min_count": 1, "threads": 2}),
    ("cbow", {"dim": 24, "epochs": 400, "min_count": 1, "threads": 2}),
    ("fasttext", {"dim": 16, "epochs": 200, "min_count": 1, "buckets": 3000, "threads": 2}),
    ("svd", {"dim": 16, "min_count": 1}),
)


def note(home: Path) -> dict[str, Any]:
    """Current resources of the process."""
    return {**held_memory(), "files": files(home / "store")}


def cycle(session: Any, rng: random.Random, number: int, folder: Path) -> None:
    """Train until one of several ends, then use the result, if there is one."""
    from workbench.models.base import MODELS

    key, values = _PLANS[number % len(_PLANS)]
    record = session.training.start(TrainingSpec(key, MODELS[key].params_type.from_mapping(values)))
    # Half of the trainings end at any moment, half only once training steps have started.
    has_aim = rng.random() < 0.5
    while has_aim and not record.state.over and record.run.progress.phase.value != "training":
        _pump(session)
    end = rng.choice(("cancel", "cancel", "cancel", "stop", "pause"))
    until = time.monotonic() + rng.uniform(0, 0.25)
    while time.monotonic() < until:
        _pump(session)
    if end == "pause":
        session.training.pause(record)
        _pump(session)
        session.training.resume(record)
    (session.training.stop if end == "stop" else session.training.cancel)(record)
    while not record.state.over:
        _pump(session)
    if record.has_vectors:
        session.active.show(record)
        session.selection.select([record.embeddings.words[0], record.embeddings.words[1]])
        record.embeddings.unit  # noqa: B018 - what every panel asks for
    if number % 25 == 0 and any(run.has_vectors for run in session.runs):
        path = folder / "soak.workbench"
        session.files.save(path)
        _settle(session)
        session.corpora.open([path])
        _settle(session)
    # Keep about as many runs as a user has in the list.
    while len(session.runs) > 5:
        session.runs.delete(session.runs[0])
        if rng.random() < 0.1:
            session.runs.undelete()
            session.runs.delete(session.runs[0])
    _settle(session)


def _pump(session: Any) -> None:
    session.pump()
    time.sleep(0.002)


def _settle(session: Any) -> None:
    while session.jobs.active:
        _pump(session)


def soak(cycles: int, every: int, home: Path, pause: Path | None = None) -> list[dict[str, Any]]:
    """Records of resources, the first from before the first cycle."""
    from workbench.session.kernel_compiler import compile_here
    from workbench.session.session import Session

    for name in ("corpus", "floor", "counts", "map", "analysis", *(key for key, _ in _PLANS)):
        compile_here(name)
    text = home / "soak.txt"
    rng = np.random.default_rng(1)
    ids = np.minimum(rng.zipf(1.3, size=20_000), 800)
    text.write_text(
        "\n".join(
            " ".join(f"w{word}" for word in ids[at : at + 20]) for at in range(0, len(ids), 20)
        )
    )
    session = Session()
    session.corpora.open([text])
    _settle(session)
    chance = random.Random(1)
    notes = [{"cycle": 0, **note(home)}]
    for number in range(1, cycles + 1):
        wait_while(pause)
        cycle(session, chance, number, home)
        if number % every == 0:
            notes.append({"cycle": number, **note(home)})
            print(json.dumps(notes[-1]), flush=True)
    session.close()
    notes.append({"cycle": cycles, "closed": True, **note(home)})
    return notes


def growth(notes: list[dict[str, Any]]) -> dict[str, float]:
    """Growth of each quantity per thousand cycles, from a line through all but the first fifth."""
    rest = [one for one in notes if not one.get("closed")]
    rest = rest[len(rest) // 5 :]
    return {
        name: 1000 * slope(rest, "cycle", name)
        for name in ("rss", "threads", "handles", "children")
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Growth over many cycles.")
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--pause-while", type=Path, help="wait between cycles while this file exists"
    )
    options = parser.parse_args()
    sys.path.insert(0, str(_ROOT))
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        home = Path(os.environ.setdefault("WORKBENCH_HOME", name))
        home.mkdir(parents=True, exist_ok=True)
        notes = soak(options.cycles, options.every, home, options.pause_while)
    growths = growth(notes)
    first, last = notes[len(notes) // 5], notes[-2]
    steady = all(last[name] <= first[name] + 2 for name in ("threads", "handles", "children"))
    fine = steady and (last["rss"] - first["rss"] <= _MOST)
    print(
        json.dumps(
            {"growth_per_1000_cycles": growths, "first": first, "last": last, "fine": fine},
            indent=1,
        )
    )
    if options.json:
        options.json.write_text(
            json.dumps({"notes": notes, "growth": growths, "fine": fine}, indent=1),
            encoding="utf-8",
        )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
