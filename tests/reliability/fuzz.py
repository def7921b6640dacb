"""Damaged files for every reader: ``python tests/reliability/fuzz.py [TARGET ...]
[--inputs 20000]``.

    python tests/reliability/fuzz.py [TARGET ...] [--inputs 20000] [--seed 1] [--seconds 20]
    [--memory 512]
        [--only NUMBER] [--findings FOLDER] [--json FILE] [--add FILE] [--for SECONDS]

A child process reads the inputs of each target. Its address space may grow by ``--memory`` MB, and
it ends with a traceback if an input takes longer than ``--seconds``. A finding is any outcome other
than valid data or a UserError: its input is saved in ``--findings``, and the test continues with
the next input. ``--only`` repeats one input, by its number, in this process. Prints a line per
target, and exits with 1 if there are findings.

A long test can run in parts: with ``--add``, a file contains the totals, and each call continues
where the last one stopped, for at most ``--for`` seconds. Each call first repeats earlier findings,
so that the totals describe the current program.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import math
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
# Cached corpora accumulate, and every reading searches them all.
_TIDY = 40
_MOST_FINDINGS = 20


@dataclass
class Tally:
    """Outcome of the inputs of one target. ``findings``: (number, what happened)."""

    target: str
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    findings: list[tuple[int, str]] = field(default_factory=list)

    def take(self, number: int, outcome: str, seconds: float, message: str) -> None:
        self.inputs += 1
        self.slowest = max(self.slowest, seconds)
        self.accepted += outcome == "accepted"
        self.refused += outcome == "refused"
        if outcome == "finding":
            self.findings.append((number, message))

    @property
    def line(self) -> str:
        return (
            f"{self.target:24} {self.inputs:7,} inputs  {self.accepted:7,} accepted  "
            f"{self.refused:7,} refused  "
            f"{len(self.findings):3} findings  slowest {self.slowest:6.2f} s  {self.seconds:7.0f} s"
        )


@dataclass(frozen=True)
class Bounds:
    """Limits of one input (seconds, MB) and of the whole test (``deadline`` on the monotonic clock,
    which processes share).
    """

    seconds: float = 20.0
    megabytes: int = 512
    deadline: float = math.inf


def lay(
    seed_files: list[tuple[str, dict[str, bytes]]], number: int, seed: int, key: str, folder: Path
) -> Path:
    """Write input ``number`` of a target into an empty folder; returns the path to open."""
    from mutate import mutate

    rng = random.Random(f"{key}/{seed}/{number}")
    main, files = rng.choice(seed_files)
    target = rng.choice(sorted(files))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(mutate(content, rng) if name == target else content)
    return folder / main if main else folder


def _limit(megabytes: int) -> None:
    """Let the address space grow by at most this much from now on."""
    resident = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = resident + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def child(key: str, first: int, last: int, seed: int, bounds: Bounds) -> None:
    """Feed inputs ``first`` to ``last`` − 1; writes a line to stdout before and after each."""
    sys.path[:0] = [str(_ROOT), str(_HERE)]
    from targets import targets

    from workbench.core.errors import UserError

    target = targets()[key]
    seeds = [(seed_files.main, dict(seed_files.files)) for seed_files in target.seeds()]
    out = os.fdopen(os.dup(1), "w", buffering=1)
    home = Path(os.environ["WORKBENCH_HOME"])
    faulthandler.enable()
    # Code that is loaded or compiled once doesn’t count as memory of an input.
    for main, files in seeds:
        place = Path(tempfile.mkdtemp(dir=home))
        for name, content in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
        target.feed(place / main if main else place)
    target.tidy()
    if bounds.megabytes:
        _limit(bounds.megabytes)
    for number in range(first, last):
        if time.monotonic() > bounds.deadline:
            break
        folder = Path(tempfile.mkdtemp(dir=home))
        path = lay(seeds, number, seed, key, folder)
        print(json.dumps([number, "begun", 0.0, ""]), file=out)
        faulthandler.dump_traceback_later(bounds.seconds, exit=True)
        start = time.perf_counter()
        outcome, message = "accepted", ""
        try:
            target.feed(path)
        except UserError as error:
            outcome = "refused"
            if not str(error).strip() or "\n" in error.message or len(error.message) > 1000:
                outcome, message = "finding", f"no clear sentence: {str(error)[:300]!r}"
        except BaseException:
            outcome, message = "finding", traceback.format_exc()[-1800:]
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps([number, outcome, time.perf_counter() - start, message]), file=out)
        shutil.rmtree(folder, ignore_errors=True)
        if number % _TIDY == 0:
            target.tidy()


def fuzz(tally: Tally, inputs: int, seed: int, bounds: Bounds) -> None:
    """Feed the remaining ``inputs`` damaged files to a target, in child processes."""
    start = time.monotonic()
    number = tally.inputs
    again, tally.findings = tally.findings, []
    for finding, _ in again:
        tally.inputs -= 1
        _stretch(tally, finding, finding + 1, seed, Bounds(bounds.seconds, bounds.megabytes))
    while (
        number < inputs
        and len(tally.findings) < _MOST_FINDINGS
        and time.monotonic() < bounds.deadline
    ):
        number = _stretch(tally, number, inputs, seed, bounds)
    tally.seconds += time.monotonic() - start


def _share_kernels(home: str) -> None:
    """Link compiled kernels into the child’s own folder, where its corpora are."""
    cache = os.environ.get("WORKBENCH_TEST_CACHE")
    if cache:
        Path(cache).mkdir(parents=True, exist_ok=True)
        Path(home, "cache").mkdir()
        for part in Path(cache).iterdir():
            if part.name != "corpora":
                Path(home, "cache", part.name).symlink_to(part.resolve(), target_is_directory=True)


def _stretch(tally: Tally, first: int, last: int, seed: int, bounds: Bounds) -> int:
    """Feed inputs to one child process until it ends. Returns the number of the next input."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as home,
        tempfile.TemporaryFile("w+") as errors,
    ):
        variables = {name: value for name, value in os.environ.items() if name != "WORKBENCH_HOME"}
        _share_kernels(home)
        command = [
            sys.executable,
            str(_HERE / "fuzz.py"),
            "--child",
            tally.target,
            "--from",
            str(first),
            "--inputs",
            str(last),
            "--seed",
            str(seed),
            "--seconds",
            str(bounds.seconds),
            "--memory",
            str(bounds.megabytes),
            "--deadline",
            str(bounds.deadline),
        ]
        process = subprocess.Popen(
            command,
            env={**variables, "WORKBENCH_HOME": home},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        coming, has_begun = first, False
        for line in process.stdout:
            number, outcome, seconds, message = json.loads(line)
            has_begun = outcome == "begun"
            if has_begun:
                continue
            coming = number + 1
            tally.take(number, outcome, seconds, message)
            if len(tally.findings) >= _MOST_FINDINGS:
                process.terminate()
                break
        code = process.wait()
        process.stdout.close()
        errors.seek(0)
        if has_begun:
            tally.take(coming, "finding", 0.0, f"ended with {code}: {errors.read()[-1800:]}")
            coming += 1
        elif code and len(tally.findings) < _MOST_FINDINGS:
            raise RuntimeError(
                f"{tally.target}: the child ended between inputs: {errors.read()[-2000:]}"
            )
        return coming


def keep(tally: Tally, seed: int, folder: Path) -> None:
    """Save the inputs of all findings."""
    sys.path[:0] = [str(_ROOT), str(_HERE)]
    from targets import targets

    seeds = [
        (seed_files.main, dict(seed_files.files)) for seed_files in targets()[tally.target].seeds()
    ]
    for number, message in tally.findings:
        place = folder / tally.target.replace(":", "-") / str(number)
        place.mkdir(parents=True, exist_ok=True)
        lay(seeds, number, seed, tally.target, place)
        (place / "what-happened.txt").write_text(message, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Spoiled files for everything that reads.")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, help="for one input")
    parser.add_argument("--memory", type=int, default=512, help="MB for one input; 0 for no bound")
    parser.add_argument("--only", type=int, help="repeat this input")
    parser.add_argument(
        "--findings", type=Path, default=Path(tempfile.gettempdir(), "workbench-findings")
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--add", type=Path, help="go on from the tallies in this file, and keep them there"
    )
    parser.add_argument(
        "--for", dest="length", type=float, default=math.inf, help="seconds, for this call"
    )
    parser.add_argument("--from", dest="first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--deadline", type=float, default=math.inf, help=argparse.SUPPRESS)
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        bounds = Bounds(options.seconds, options.memory, options.deadline)
        child(options.child, options.first, options.inputs, options.seed, bounds)
        return 0
    with tempfile.TemporaryDirectory(prefix="fuzz-") as home:
        os.environ.setdefault("WORKBENCH_HOME", home)
        sys.path[:0] = [str(_ROOT), str(_HERE)]
        from targets import targets

        if options.only is not None:
            for key in options.targets:
                child(key, options.only, options.only + 1, options.seed, Bounds(options.seconds, 0))
            return 0
        tallies = _before(options.add)
        bounds = Bounds(options.seconds, options.memory, time.monotonic() + options.length)
        results = []
        for key in options.targets or list(targets()):
            tally = tallies.setdefault(key, Tally(key))
            if time.monotonic() < bounds.deadline and (
                tally.inputs < options.inputs or tally.findings
            ):
                fuzz(tally, options.inputs, options.seed, bounds)
                keep(tally, options.seed, options.findings)
            results.append(tally)
            print(tally.line, flush=True)
            if options.add:
                options.add.write_text(
                    json.dumps([vars(one) for one in tallies.values()], indent=1), encoding="utf-8"
                )
        if options.json:
            options.json.write_text(
                json.dumps([vars(tally) for tally in results], indent=1), encoding="utf-8"
            )
        count = sum(len(tally.findings) for tally in results)
        if count:
            print(f"{count} findings are in {options.findings}", flush=True)
    return 1 if count else 0


def _before(path: Path | None) -> dict[str, Tally]:
    """Tallies of earlier calls, by target."""
    if path is None or not path.exists():
        return {}
    return {
        values["target"]: Tally(**values) for values in json.loads(path.read_text(encoding="utf-8"))
    }


if __name__ == "__main__":
    sys.exit(main())
