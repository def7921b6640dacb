"""Compare estimated memory with memory used: ``python tests/reliability/estimates.py [TEXT ...]``.

    python tests/reliability/estimates.py [small-world TEXT ...] [--algorithms sgns,glove]
    [--seconds 8] [--json FILE]

Each algorithm trains with its defaults on each text in a separate process, as in the window:
recorded, and with its states kept. A training that takes longer than ``--seconds`` is stopped; by
then, it has allocated everything except the states still to be recorded, which are subtracted from
the estimate. The script measures the peak of the process’s own memory, relative to the memory in
use when the corpus was open and the kernels loaded. Pages of files don’t count, because the system
can take them back. Prints a table; exits with 1 if a training needs over a fifth, and over 16 MB,
more than estimated.
"""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_MB = 1e6
# Smaller shortfalls don’t matter when deciding whether a training fits.
_SMALL = 16 * _MB
_SHORT = 1.2


def memory() -> dict[str, int]:
    """Resident bytes now, at the peak since the last ``forget_peak``, and in pages of files."""
    names = {"VmRSS": "now", "VmHWM": "peak", "RssFile": "files"}
    lines = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
    return {
        names[words[0][:-1]]: int(words[1]) * 1024
        for words in lines
        if words and words[0][:-1] in names
    }


def forget_peak() -> None:
    """Reset the peak, and return freed memory to the system: reusing it would not count as
    growth.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")


def stop_after(run: Any, seconds: float, over: threading.Event) -> None:
    """Stop a training after ``seconds`` of training, not counting the time for counting and
    compiling.
    """
    from workbench.core.job_control import Phase

    while not over.wait(0.1):
        if run.progress.phase is Phase.TRAINING and run.phase_seconds() > seconds:
            run.stop()
            return


def measure(key: str, text: str, seconds: float) -> dict[str, Any]:
    """Train once in this process."""
    from workbench.models.base import MODELS
    from workbench.session.corpus.reading import read_corpus
    from workbench.session.runs.history import RecordedRun, TrainingHistory, states_bytes
    from workbench.session.runs.run_record import RunRecord, new_identifier, now
    from workbench.session.runs.store import Store
    from workbench.session.training.job import train_and_keep
    from workbench.session.training.memory_check import cost
    from workbench.session.training.request import TrainingRequest, TrainingSpec

    kind = MODELS[key]
    params = kind.params_type()
    # Without a folder, counts of an earlier training can’t be found.
    corpus = dataclasses.replace(read_corpus([text]), folder=None)
    kind.warm()
    estimate = cost(kind, params, corpus, recorded=True)
    history = TrainingHistory()
    record = RunRecord(
        new_identifier(),
        key,
        key,
        params.to_dict(),
        corpus.name,
        corpus.digest,
        now(),
        history=history,
    )
    run = RecordedRun(history)
    record.run = run
    store = Store()
    forget_peak()
    before = memory()
    over = threading.Event()
    threading.Thread(target=stop_after, args=(run, seconds, over), daemon=True).start()
    spec = TrainingSpec(record.algorithm, params, anyway=True)
    outcome = train_and_keep(TrainingRequest(record, corpus, spec), store, run)
    over.set()
    after = memory()
    pages = max(after["files"] - before["files"], 0)
    # A stopped training didn’t record all of its states.
    missing = (
        max(states_bytes(params, estimate.vocabulary) - history.bytes, 0) if run.stopping else 0
    )
    return {
        "algorithm": key,
        "corpus": corpus.name,
        "vocabulary": len(outcome.embeddings),
        "announced": estimate.memory_bytes - missing,
        "measured": max(after["peak"] - before["now"] - pages, 0),
        "recorded": history.bytes,
        "stopped": run.stopping,
    }


def apart(key: str, text: str, seconds: float) -> dict[str, Any]:
    """Measure in a separate process. Raises CalledProcessError."""
    command = [sys.executable, __file__, text, "--one", key, "--seconds", str(seconds)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(_ROOT), str(Path(__file__).parent)]),
    }
    process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    figures: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return figures


def line(figures: dict[str, Any]) -> str:
    estimate, peak = figures["announced"], figures["measured"]
    return (
        f"| {figures['algorithm']} | {figures['corpus']} | {figures['vocabulary']:,} "
        f"| {estimate / _MB:,.0f} | {peak / _MB:,.0f} | {estimate / max(peak, 1):.2f} |"
    )


def short(figures: dict[str, Any]) -> bool:
    """Whether a training needed more than estimated, beyond the tolerance."""
    missing = figures["measured"] - figures["announced"]
    return bool(missing > _SMALL and figures["measured"] > _SHORT * figures["announced"])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", nargs="*", default=["small-world"])
    parser.add_argument(
        "--algorithms", default="", help="keys with commas between them; all of them without"
    )
    parser.add_argument("--seconds", type=float, default=8.0, help="when a training is stopped")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(measure(options.one, options.texts[0], options.seconds)))
        return 0
    from workbench.models.base import MODELS

    keys = options.algorithms.split(",") if options.algorithms else list(MODELS.keys())
    print("| algorithm | corpus | words | announced, MB | measured, MB | announced / measured |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    results = []
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("WORKBENCH_HOME", home)
        for text in options.texts:
            for key in keys:
                results.append(apart(key, text, options.seconds))
                print(line(results[-1]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 1 if any(map(short, results)) else 0


if __name__ == "__main__":
    sys.path.insert(0, str(_ROOT))
    sys.exit(main())
