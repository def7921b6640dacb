"""The order of tests in several processes, from the durations of their modules.

pytest-xdist gives each worker an equal number of consecutive tests, and lets a worker that has
finished take half of another’s remaining ones. So each worker’s share begins with its part of the
long modules, and all end at about the same time. ``pytest --record-durations`` updates
``durations.json``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "durations.json"
# Seconds in which all tests of a module run; shorter modules aren’t recorded.
_LONG = 5


def load() -> dict[str, int]:
    """Seconds that each long module takes, by its path in the project."""
    return {name: int(seconds) for name, seconds in json.loads(FILE.read_text("utf-8")).items()}


def arrange(modules: Sequence[str], seconds: Mapping[str, float], workers: int) -> list[int]:
    """Order of tests, as indices.

    modules : the module of each test
    seconds : duration of long modules; 0 for others
    """
    tests: dict[str, list[int]] = {}
    for index, module in enumerate(modules):
        tests.setdefault(module, []).append(index)
    long = sorted((name for name in tests if seconds.get(name)), key=lambda name: -seconds[name])
    shares: list[list[int]] = [[] for _ in range(max(workers, 1))]
    totals = [0.0] * len(shares)
    for name in long:
        least = totals.index(min(totals))
        shares[least] += tests[name]
        totals[least] += seconds[name]
    rest = [index for name, group in tests.items() if name not in long for index in group]
    # A share that is longer than a worker’s moves into the next one, which only costs some time.
    order: list[int] = []
    for number, share in enumerate(shares):
        size = (len(modules) - len(order)) // (len(shares) - number)
        missing = max(size - len(share), 0)
        order += share + rest[:missing]
        rest = rest[missing:]
    return order + rest


class Recorder:
    """Plugin that saves how long the tests of each module took."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        found = load() | {name: round(spent) for name, spent in self._seconds.items()}
        long = {name: found[name] for name in sorted(found) if found[name] >= _LONG}
        FILE.write_text(json.dumps(long, indent=4) + "\n", "utf-8")
