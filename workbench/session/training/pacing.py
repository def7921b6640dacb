"""Training times on this machine: finished trainings correct the estimates of algorithms.

An algorithm's estimate assumes the speed of one developer's machine and words at random positions.
So the program records of every finished training its estimate, the seconds of its counting and
training, its corpus and the load. The next estimate is multiplied by the load and by the median
ratio of the latest trainings of similar length: on the same corpus if there are any, else of the
same algorithm, else of all. Costs that don't depend on the length, saving and compiling, are
measured separately and added.
"""

from __future__ import annotations

import json
import math
import os
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import Phase
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder
from workbench.models.base import Estimate
from workbench.session.kernel_compiler import is_compiled

# Default seconds of a training outside counting and training, such as saving, and seconds until it
# starts and is announced.
_REST, _DELIVERY = 0.4, 0.1
# Seconds added to every estimate, so that very short trainings hardly differ in length.
_SHORTEST = 0.05
# Default seconds of compiling an algorithm's kernels: likely, and at most. Loading compiled kernels
# takes less than the last.
_COMPILING, _LOADING = (15.0, 60.0), 1.0
# Default ratios to the estimate on an unknown machine: likely, and at most.
_UNKNOWN = (1.5, 5.0)
# Number of trainings kept for each algorithm, of those nearest in length that are considered, and
# of the latest of these that decide, so that estimates soon follow a change of the load.
_KEPT, _NEAREST, _LATEST = 24, 5, 3
# Upper bound as a multiple of the likely time: on the same corpus, and otherwise.
_SAME, _OTHER = 1.5, 3.0
# Largest multiple for paces that differ, and for a load; beyond it, a load says little.
_WIDEST, _BUSIEST = 4.0, 8.0


@dataclass(frozen=True)
class TimeSpan:
    """A likely duration and an upper bound that is unlikely to be exceeded, in seconds."""

    likely: float
    most: float


class Pace(NamedTuple):
    """A finished training: its estimate and its counting and training, in seconds; the digest of
    its corpus; the processes that competed for each core.
    """

    estimated: float
    took: float
    corpus: str
    load: float

    @property
    def ratio(self) -> float:
        """Seconds per estimated second, on a core without other processes."""
        return self.took / ((_SHORTEST + self.estimated) * self.load)


@dataclass
class _Known:
    """Content of the file. ``rest``, ``compiling`` : seconds, the latest last."""

    trainings: dict[str, list[Pace]]
    rest: list[float]
    compiling: list[float]


class Paces:
    """Durations of trainings by algorithm, in a file. A damaged file counts as empty, and a file
    that can't be written stays unchanged.
    """

    def __init__(self) -> None:
        self._path = cache_folder() / "paces.json"

    def learn(
        self,
        algorithm: str,
        estimated: float | None,
        seconds: Mapping[str, float],
        corpus: str = "",
        load: float | None = None,
    ) -> None:
        """Record a finished training. seconds : by phase, without pauses; load : None for the load
        that the system reports
        """
        took = sum(seconds.get(phase.value, 0.0) for phase in (Phase.COUNTING, Phase.TRAINING))
        if estimated is None or not (math.isfinite(estimated) and estimated >= 0 and took > 0):
            return
        known = self._read()
        pace = Pace(float(estimated), float(took), corpus, _busy(load))
        known.trainings[algorithm] = [*known.trainings.get(algorithm, []), pace][-_KEPT:]
        compiling = seconds.get(Phase.COMPILING.value, 0.0)
        if compiling > _LOADING:
            known.compiling = [*known.compiling, compiling][-_KEPT:]
        self._write(known)

    def learn_rest(self, seconds: Mapping[str, float]) -> None:
        """Record the other seconds of a training: reading, loading kernels and saving."""
        rest = seconds.get(Phase.READING.value, 0.0) + seconds.get(Phase.SAVING.value, 0.0)
        loading = seconds.get(Phase.COMPILING.value, 0.0)
        if loading <= _LOADING:
            rest += loading
        known = self._read()
        known.rest = [*known.rest, rest][-_NEAREST:]
        self._write(known)

    def expect(
        self, algorithm: str, estimated: float, corpus: str = "", load: float | None = None
    ) -> TimeSpan:
        """Duration of a training with this estimate whose kernels are compiled."""
        known = self._read()
        base = _SHORTEST + estimated
        rest = _DELIVERY + statistics.median(known.rest or [_REST])
        own = known.trainings.get(algorithm, [])
        same = [pace for pace in own if pace.corpus == corpus]
        # Trainings of other algorithms also say something about the machine.
        candidates = same or own or [pace for paces in known.trainings.values() for pace in paces]
        if not candidates:
            base *= _busy(load)
            return TimeSpan(rest + _UNKNOWN[0] * base, rest + _UNKNOWN[1] * base)

        def distance(place: int) -> float:
            return abs(math.log((_SHORTEST + candidates[place].estimated) / base))

        # Of equally near trainings, the latest comes first.
        places = range(len(candidates) - 1, -1, -1)
        nearest = sorted(places, key=distance)[:_NEAREST]
        latest = [candidates[place] for place in sorted(nearest)[-_LATEST:]]
        middle = statistics.median(pace.ratio for pace in latest)
        widest = max(pace.ratio for pace in latest) / middle
        margin = _SAME if same else _OTHER
        likely = rest + middle * base * _busy(load)
        return TimeSpan(likely, likely * max(margin, min(widest, _WIDEST)))

    def compiling(self) -> TimeSpan:
        """Duration of compiling the kernels of an algorithm."""
        known = self._read().compiling
        if not known:
            return TimeSpan(*_COMPILING)
        return TimeSpan(statistics.median(known), 2 * max(known))

    def _read(self) -> _Known:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
            return _Known(
                {
                    str(name): [_pace_of(row) for row in rows]
                    for name, rows in values["trainings"].items()
                },
                [_positive(value) for value in values["rest"]],
                [_positive(value) for value in values["compiling"]],
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _Known({}, [], [])

    def _write(self, known: _Known) -> None:
        try:
            with replacing(self._path) as part:
                part.write_text(json.dumps(vars(known)), encoding="utf-8")
        except (UserError, OSError):
            return


def calibrate(
    estimate: Estimate,
    algorithm: str,
    corpus: str = "",
    load: float | None = None,
    compiling: bool = True,
) -> Estimate:
    """Convert an estimate to seconds on this machine, including compilation if it is still needed.

    corpus : digest of the corpus
    load : processes that compete for each core, None: the load that the system reports
    compiling : the training compiles its kernels if they aren't compiled yet
    """
    if estimate.seconds is None:
        return estimate
    paces = Paces()
    span = paces.expect(algorithm, estimate.seconds, corpus, load)
    likely, most = span.likely, span.most
    if compiling and not is_compiled(algorithm):
        more = paces.compiling()
        likely, most = likely + more.likely, most + more.most
    return replace(estimate, seconds=likely, most_seconds=most)


def _pace_of(row: Sequence[Any]) -> Pace:
    estimated, took, corpus, load = row
    if not took > 0:
        raise ValueError("a training takes time")
    return Pace(_positive(estimated), _positive(took), str(corpus), _busy(_positive(load)))


def _positive(value: Any) -> float:
    number = float(value)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError("seconds are at least 0")
    return number


def _busy(load: float | None) -> float:
    """Number of processes per core, at least 1: a training alone uses all cores."""
    if load is None:
        average = system().load_average()
        load = 1.0 if average is None else average / (os.cpu_count() or 1)
    return min(max(load, 1.0), _BUSIEST)
