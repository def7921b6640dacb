"""Floor of a run's loss: computed during the training, stored in provenance, and labelled.

A floor that is cheap compared with its training (``analysis/theory/loss_floor.py``) is computed in
a thread during the training, on at most one core, and published as soon as it is known; any other
only on request.
"""

from __future__ import annotations

import logging
import math
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from workbench.analysis.theory.loss_floor import floor_cost, is_bound, loss_floor
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import LAST_EPOCH, LAST_POINT, FinalLoss, JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import step_back
from workbench.corpus.corpus import Corpus
from workbench.models.base import Model
from workbench.models.params import ModelParams
from workbench.session.kernel_compiler import Compilation
from workbench.session.runs.run_record import RunRecord

# Key in provenance and reports, and of the value that the run publishes.
KEY = "floor"
# States of a floor: its value is known; its algorithm has none; computing it takes longer than a
# training should wait for; the training ended first; or computing it failed.
KNOWN, NONE, COSTLY, ENDED, FAILED = "known", "none", "costly", "ended", "failed"
_STATES = (KNOWN, NONE, COSTLY, ENDED, FAILED)
_WAIT = 0.05
# Number of standard errors by which a loss must be below its floor to need an explanation.
_BELOW = 2.0
_log = logging.getLogger("workbench.floor")


@dataclass(frozen=True)
class Floor:
    """The floor of a run's loss. value : in the unit of the loss, None unless KNOWN; seconds :
    expected cost if COSTLY; reason : a sentence if FAILED; bound : whether the value is only a
    lower bound, which no vectors reach
    """

    value: float | None
    state: str = KNOWN
    seconds: float | None = None
    reason: str = ""
    bound: bool = False

    def gap(self, final: FinalLoss | None) -> float | None:
        """The loss minus the floor, None if either isn't known."""
        if self.value is None or final is None:
            return None
        return final.value - self.value


def declared_floor(kind: type[Model]) -> Floor | None:
    """The floor of an algorithm whose floor needs no counting (no floor, or 0); else None."""
    if not kind.loss_floor.formula:
        return Floor(None, NONE)
    if kind.loss_floor.formula == "zero":
        return Floor(0.0)
    return None


def published_floor(run: JobControl) -> Floor:
    """The floor that a training has published so far."""
    floor = run.latest(KEY)
    if isinstance(floor, Floor):
        return floor
    return Floor(None, ENDED)


def floor_of(record: RunRecord) -> Floor | None:
    """The floor of a run, if known: live during training, then from its provenance.
    None for runs without a computed floor.
    """
    if record.run is not None:
        floor = record.run.latest(KEY)
        if isinstance(floor, Floor):
            return floor
    return read(record.summary)


def compute_floor(
    corpus: Corpus, kind: type[Model], params: ModelParams, run: JobControl, always: bool = True
) -> Floor:
    """Compute the floor now, on one thread; COSTLY if it takes too long, unless ``always`` is set.
    Raises Cancelled.
    """
    if not kind.loss_floor.formula:
        return Floor(None, NONE)
    try:
        cost = floor_cost(corpus, kind, params)
        if not (always or cost.affordable):
            return Floor(None, COSTLY, cost.seconds)
        if cost.seconds:
            with Compilation("floor") as compilation:
                compilation.wait(run)
        value = loss_floor(corpus, kind, params, run)
        return Floor(value, bound=is_bound(kind, params))
    except UserError as error:
        return Floor(None, FAILED, reason=str(error))
    except MemoryError:
        return Floor(None, FAILED, reason=tr("There is not enough memory for the counts."))


class FloorWorker:
    """A thread that computes the floor of a training once the training's counting is over, and
    publishes it. The thread ends with the ``with`` block.

    always : compute the floor whatever it costs
    """

    def __init__(
        self,
        corpus: Corpus,
        kind: type[Model],
        params: ModelParams,
        run: JobControl,
        always: bool = False,
    ) -> None:
        self._task = (corpus, kind, params)
        self._run, self._always = run, always
        self._own = JobControl()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._compute, name="floor of the loss")
        self._floor = declared_floor(kind)

    def __enter__(self) -> FloorWorker:
        if self._floor is not None:
            self._run.publish(KEY, self._floor)
        else:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._own.cancel()
        if self._thread.ident is not None:
            self._thread.join()

    def finish(self) -> None:
        """Wait for the floor; after a stopped training, only if it was requested.
        Raises Cancelled.
        """
        self._over.set()
        if self._run.stopping and not self._always:
            return
        if self._thread.is_alive():
            self._run.enter(Phase.COUNTING, tr("Computing the floor of the loss"))
        while self._thread.is_alive():
            self._run.check()
            self._thread.join(_WAIT)

    def _compute(self) -> None:
        step_back(training=True)
        while not self._over.is_set() and self._run.progress.phase is not Phase.TRAINING:
            self._over.wait(_WAIT)
        try:
            floor = compute_floor(*self._task, self._own, self._always)
        except Cancelled:
            return
        except Exception:
            # A failed floor is no reason to lose the training.
            _log.error("the floor of a loss failed\n%s", traceback.format_exc())
            floor = Floor(None, FAILED, reason=tr("The floor could not be computed."))
        self._run.publish(KEY, floor)


def to_json(floor: Floor, final: FinalLoss | None) -> dict[str, Any]:
    """The floor as JSON for provenance and reports."""
    document: dict[str, Any] = {
        "value": floor.value,
        "gap": floor.gap(final),
        "state": floor.state,
    }
    if floor.bound:
        document["bound"] = True
    if floor.seconds is not None:
        document["seconds"] = floor.seconds
    if floor.reason:
        document["reason"] = floor.reason
    if note := explain_negative_gap(floor, final):
        document["note"] = note
    return document


def read(known: Mapping[str, Any]) -> Floor | None:
    """The floor from the provenance; None if it can’t be parsed."""
    stored = known.get(KEY)
    if not isinstance(stored, Mapping) or stored.get("state") not in _STATES:
        return None
    value, seconds = _number(stored.get("value")), _number(stored.get("seconds"))
    if stored["state"] != KNOWN:
        return Floor(None, str(stored["state"]), seconds, str(stored.get("reason", "")))
    if value is None:
        return None
    return Floor(value, bound=stored.get("bound") is True)


def explain_negative_gap(floor: Floor | None, final: FinalLoss | None) -> str:
    """Why a loss is below its floor by more than two standard errors, as a sentence; "" if it
    isn't.
    """
    if floor is None or final is None or final.kind not in (LAST_EPOCH, LAST_POINT):
        return ""
    gap = floor.gap(final)
    if gap is None or final.error is None or gap >= -_BELOW * final.error:
        return ""
    return tr(
        "The loss is below the floor because it is the mean while learning: vectors that adapt to "
        "a repetitive text predict it better than any fixed vectors."
    )


def _number(value: object) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None


def format_floor(floor: Floor, final: FinalLoss | None, form: str = "#.4g") -> str:
    """ "floor 1.524, gap 0.091" or "bound …", in English; "" if it isn't known."""
    gap = floor.gap(final)
    if floor.value is None or gap is None:
        return ""
    name = "bound" if floor.bound else "floor"
    return f"{name} {format(floor.value, form)}, gap {format(gap, form)}"
