"""Training times on this machine: finished trainings correct the estimates of algorithms.

An algorithm's estimate goes by how fast one thread of a machine of the developers is; another
machine, and what else runs on it, make it several times too low. So every finished training leaves
what was estimated and what it took, and the next estimate is multiplied by the median ratio of
those that were nearest to it in length.
"""

from __future__ import annotations

import json
import math
import os
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import Phase
from workbench.core.paths import cache_folder
from workbench.models.base import Estimate
from workbench.session.training.kernel_compiler import is_compiled

# Seconds that a training takes whatever its length: threads, first touches of memory, the files of
# the run.
_START = 0.5
# Seconds that compiling an algorithm's kernels for the first time was seen to take, and at most.
_COMPILING = (15.0, 60.0)
# What a machine may be slower than the estimate says, before anything is known of it.
_UNKNOWN = (1.5, 5.0)
# Trainings that are remembered of each algorithm, and how many of them, the nearest in length,
# speak for the next.
_KEPT, _NEAREST = 24, 7
# One training says little of how much the next may differ; so much wider is the range then.
_FEW = 2.0


@dataclass(frozen=True)
class TimeSpan:
    """Seconds that are likely, and seconds that it is unlikely to exceed."""

    likely: float
    most: float


class Paces:
    """What trainings took, by algorithm. A damaged file starts anew; one that cannot be written is
    not missed.
    """

    def __init__(self) -> None:
        self._path = cache_folder() / "paces.json"

    def learn(self, algorithm: str, estimated: float | None, seconds: Mapping[str, float]) -> None:
        """A training has come to its end. seconds : by phase, without pauses."""
        took = sum(
            seconds.get(phase.value, 0.0)
            for phase in (Phase.COUNTING, Phase.TRAINING, Phase.SAVING)
        )
        if estimated is None or not (math.isfinite(estimated) and estimated >= 0 and took > 0):
            return
        known = self._read()
        known[algorithm] = [*known.get(algorithm, []), (float(estimated), float(took))][-_KEPT:]
        try:
            with replacing(self._path) as part:
                part.write_text(json.dumps(known), encoding="utf-8")
        except (UserError, OSError):
            return

    def expect(self, algorithm: str, estimated: float) -> TimeSpan:
        """What a training takes that is estimated at so many seconds, once its kernels are
        there.
        """
        known = self._read()
        base = _START + estimated
        own = known.get(algorithm, [])
        # What is known of other algorithms is known of the machine.
        seen = own or [pair for pairs in known.values() for pair in pairs]
        if not seen:
            return TimeSpan(_UNKNOWN[0] * base, _UNKNOWN[1] * base)
        nearest = sorted(seen, key=lambda pair: abs(math.log((_START + pair[0]) / base)))[:_NEAREST]
        ratios = sorted(took / (_START + asked) for asked, took in nearest)
        middle = statistics.median(ratios)
        if len(ratios) < 5:
            widest = ratios[-1]
        else:
            widest = ratios[-2]
        return TimeSpan(
            middle * base,
            base * (max(widest, 1.25 * middle) if len(own) > 2 else _FEW * max(widest, middle)),
        )

    def _read(self) -> dict[str, list[tuple[float, float]]]:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
            return {
                str(name): [
                    (float(asked), float(took)) for asked, took in pairs if asked >= 0 and took > 0
                ]
                for name, pairs in values.items()
            }
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}


def calibrate(
    estimate: Estimate, algorithm: str, load: float | None = None, compiling: bool = True
) -> Estimate:
    """An estimate in the seconds of this machine, with what compiling takes where that is still to
    come.

    load : processes that compete for each core, None: as the system says
    compiling : the kernels are compiled for it where they are not there yet
    """
    if estimate.seconds is None:
        return estimate
    span = Paces().expect(algorithm, estimate.seconds)
    busy = max(_machine_load() if load is None else load, 1.0)
    likely, most = span.likely, span.most * busy
    if compiling and not is_compiled(algorithm):
        likely, most = likely + _COMPILING[0], most + _COMPILING[1]
    return replace(estimate, seconds=likely, most_seconds=most)


def _machine_load() -> float:
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except (AttributeError, OSError):
        return 1.0
