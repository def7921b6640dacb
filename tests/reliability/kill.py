"""Kill training processes at random moments: ``python tests/reliability/kill.py [--kills 200]``.

    python tests/reliability/kill.py [--kills 200] [--seed 1] [--home FOLDER] [--json FILE]
        [--pause-while FILE]

A child process reads texts, counts, trains and saves, one run after the other, as the window does,
all in the same store; states of a training are kept after 0.2 s instead of 20. It is killed by
SIGKILL at a random moment; the script counts in which phase. After each kill, the store is opened
as at the next start of the program, and must contain:

- every run that the child had reported as saved: readable, with the reported vectors (by checksum)
- no damaged run, and nothing but runs
- the active training as interrupted, if the child had reported a saved state; every fifth one is
  continued to its end, the others are discarded or kept in turn

Prints a table of the phases and exits with 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from holding import wait_while

from workbench.session.training.request import TrainingSpec

_ROOT = Path(__file__).resolve().parents[2]
_WORDS = 3000
_PLANS = (
    ("sgns", {"dim": 32, "epochs": 12, "min_count": 1, "threads": 1}),
    ("glove", {"dim": 24, "epochs": 30, "min_count": 1, "threads": 1}),
    ("ppmi", {"min_count": 1}),
    ("fasttext", {"dim": 16, "epochs": 6, "min_count": 1, "buckets": 5000, "threads": 1}),
)

# Maximum delay of the signal after the start of a phase, in seconds.
_SPANS = {"reading": 1.5, "counting": 0.1, "training": 2.5, "saving": 0.03}
_PATIENCE = 60.0


def _write_text(path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ids = np.minimum(rng.zipf(1.3, size=60_000), _WORDS)
    lines = [" ".join(f"w{word}" for word in ids[at : at + 20]) for at in range(0, len(ids), 20)]
    path.write_text("\n".join(lines), encoding="utf-8")


def checksum(vectors: Any) -> int:
    return zlib.crc32(
        np.ascontiguousarray(vectors if isinstance(vectors, np.ndarray) else vectors.data).tobytes()
    )


def child(seed: int) -> None:
    """Work until killed; prints the current activity and what is safe."""
    from workbench.session.session import Session
    from workbench.session.training import autosave

    autosave.FIRST, autosave.BETWEEN, autosave.SHARE, autosave.LOOK = 0.2, 0.1, 0.5, 0.05

    def say(*what: object) -> None:
        print(json.dumps(what), flush=True)

    folder = Path(os.environ["WORKBENCH_HOME"])
    session = Session()
    number = seed
    while True:
        text = folder / f"{number}.txt"
        _write_text(text, number)
        say("phase", "reading")
        session.corpora.open([text])
        while session.corpora.opening is not None:
            session.pump()
            time.sleep(0.002)
        key, values = _PLANS[number % len(_PLANS)]
        from workbench.models.base import MODELS

        record = session.training.start(
            TrainingSpec(key, MODELS[key].params_type.from_mapping(values))
        )
        state = session.store.journal.path(record.identifier)
        phase, is_kept = "", False
        while not record.state.over:
            session.pump()
            run = record.run
            if run is not None and run.progress.phase.value != phase:
                phase = run.progress.phase.value
                say("phase", phase)
            if not is_kept and state.exists():
                is_kept = True
                say("kept", record.identifier)
            time.sleep(0.001)
        if record.error is not None:
            say("failed", str(record.error))
        assert record.embeddings is not None
        say("saved", record.identifier, checksum(record.embeddings.vectors))
        # Drop the runs from memory; only the store is examined.
        session.runs.records.clear()
        session.active.show(None)
        number += 1


def look(home: Path, checksums: dict[str, int], kept_run: str, what: str) -> list[str]:
    """Open the store like the next start and return its problems. ``what``: the action for an
    interrupted training.
    """
    from workbench.session.session import Session

    wrong: list[str] = []
    session = Session()
    problems = [problem.message for problem in session._problems]
    wrong += [f"damaged: {problem}" for problem in problems]
    records = {record.identifier: record for record in session.runs}
    for identifier, expected in checksums.items():
        if identifier not in records:
            wrong.append(f"{identifier} is lost")
            continue
        vectors = session.store.vectors(identifier)
        if checksum(vectors.vectors) != expected:
            wrong.append(f"{identifier} has other vectors")
    entries = {entry.identifier: entry for entry in session.recovery.interrupted}
    if kept_run and kept_run not in entries and kept_run not in records:
        wrong.append(f"{kept_run} was kept but is not offered")
    for identifier, entry in entries.items():
        if what == "discard" and identifier != kept_run:
            continue
        if what == "discard":
            session.recovery.discard(entry)
            continue
        (session.recovery.go_on if what == "continue" else session.recovery.keep)(entry)
        wanted = len(records) + (2 if what == "continue" else 1)
        limit = time.monotonic() + 120
        while len(session.runs) < wanted or any(not record.state.over for record in session.runs):
            if time.monotonic() > limit:
                wrong.append(f"{identifier}: {what} did not come to its end")
                break
            session.pump()
            time.sleep(0.005)
        for record in session.runs:
            if record.identifier not in records:
                records[record.identifier] = record
                if record.error is not None or not record.has_vectors or record.embeddings is None:
                    wrong.append(f"{record.name}: {record.state} {record.error}")
                else:
                    checksums[record.identifier] = checksum(record.embeddings.vectors)
    session.close()
    return wrong


def kill_once(
    home: Path, rng: random.Random, number: int, checksums: dict[str, int]
) -> tuple[str, str]:
    """Start a child and kill it; returns its phase, and the active run if a state of it was
    kept.
    """
    process = subprocess.Popen(
        [sys.executable, __file__, "--child", str(1000 * number)], stdout=subprocess.PIPE, bufsize=0
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    phase, kept_run = json.loads(first)[1], ""
    # Training takes longest, so a purely random moment would hardly ever hit the short phases.
    aim = rng.choice(("reading", "training", "training", "training", "saving", "counting"))
    hit = aim == phase
    os.set_blocking(process.stdout.fileno(), False)
    rest = b""
    deadline = time.monotonic() + _PATIENCE
    while not hit and time.monotonic() < deadline:
        *lines, rest = (rest + (process.stdout.read() or b"")).split(b"\n")
        for line in lines:
            phase, kept_run, hit = _take_message(
                json.loads(line), phase, kept_run, checksums, aim, hit
            )
        time.sleep(0.0005)
    time.sleep(rng.uniform(0, _SPANS[aim]))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for line in (rest + (process.stdout.read() or b"")).split(b"\n")[:-1]:
        phase, kept_run, hit = _take_message(json.loads(line), phase, kept_run, checksums, "", hit)
    process.stdout.close()
    return phase, kept_run


def _take_message(
    message: list[Any], phase: str, kept_run: str, checksums: dict[str, int], target: str, hit: bool
) -> tuple[str, str, bool]:
    if message[0] == "phase":
        phase = message[1]
        hit = hit or (bool(target) and phase == target)
    elif message[0] == "kept":
        kept_run = message[1]
    elif message[0] == "saved":
        checksums[message[1]] = message[2]
        kept_run = ""
    elif message[0] == "failed":
        raise RuntimeError(f"the child failed: {message[1]}")
    return phase, kept_run, hit


def _compile_all() -> None:
    """Compile everything the children will load once, as the first start of the program does."""
    from workbench.session.kernel_compiler import compile_here

    for name in ("corpus", "floor", "counts", "map", "analysis", *(key for key, _ in _PLANS)):
        compile_here(name)


def main() -> int:
    parser = argparse.ArgumentParser(description="SIGKILL at random moments.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--pause-while", type=Path, help="wait between kills while this file exists"
    )
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(_ROOT))
    if options.child is not None:
        child(options.child)
        return 0
    with tempfile.TemporaryDirectory(prefix="kill-") as name:
        home = options.home or Path(name)
        os.environ["WORKBENCH_HOME"] = str(home)
        _compile_all()
        rng = random.Random(options.seed)
        checksums: dict[str, int] = {}
        moments: Counter[str] = Counter()
        doings: Counter[str] = Counter()
        wrong: list[str] = []
        for number in range(options.kills):
            wait_while(options.pause_while)
            phase, kept_run = kill_once(home, rng, number, checksums)
            moments[phase] += 1
            what = "continue" if number % 5 == 0 else "keep" if number % 5 == 1 else "discard"
            if kept_run:
                doings[what] += 1
            wrong += [
                f"kill {number} while {phase}: {one}"
                for one in look(home, checksums, kept_run, what)
            ]
            for text in home.glob("*.txt"):
                text.unlink()
        report = {
            "kills": options.kills,
            "moments": dict(moments),
            "interrupted": dict(doings),
            "runs_saved": len(checksums),
            "wrong": wrong,
        }
        print(json.dumps(report, indent=1))
        if options.json:
            options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
