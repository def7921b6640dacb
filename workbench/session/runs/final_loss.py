"""Final loss of a training: its computation, its form in provenance and its label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.job_control import (
    LAST_EPOCH,
    LAST_POINT,
    LAST_STEP,
    OBJECTIVE,
    FinalLoss,
    JobControl,
    Trace,
)
from workbench.core.language import tr
from workbench.models.base import Model
from workbench.models.params import ModelParams

KEY = "final_loss"
_TITLES = {
    OBJECTIVE: tr("objective of the final model"),
    LAST_EPOCH: tr("mean over the last epoch"),
    LAST_STEP: tr("before the last step"),
    LAST_POINT: tr("last point of the curve"),
}


def compute_final_loss(
    run: JobControl, kind: type[Model], params: ModelParams, progress: float | None = None
) -> FinalLoss | None:
    """The final loss of a training; None for an algorithm without a loss.

    progress : progress of the saved state, None for its end
    """
    if progress is None and run.final is not None:
        return run.final
    trace = run.trace
    behind = trace.progress <= (progress if progress is not None else 1.0) + 1e-9
    if not behind.any():
        return None
    if kind.passes != "epochs":
        return FinalLoss(float(trace.loss[behind][-1]), LAST_STEP, float(trace.error[behind][-1]))
    passes = float(getattr(params, kind.passes, 1))
    return _last_epoch(trace.progress[behind], trace.loss[behind], trace.error[behind], passes)


def _last_epoch(progress: Doubles, loss: Doubles, error: Doubles, passes: float) -> FinalLoss:
    """The mean over the last epoch, each point weighted by the share of training it covers."""
    widths = np.diff(progress, prepend=0.0)
    last = progress > progress[-1] - 1 / max(passes, 1.0) + 1e-9
    share = widths[last] / max(widths[last].sum(), 1e-300)
    return FinalLoss(
        float(share @ loss[last]),
        LAST_EPOCH,
        float(np.sqrt(np.square(share * error[last]).sum())),
        float(min(widths[last].sum() * max(passes, 1.0), 1.0)),
    )


def to_json(final: FinalLoss | None) -> dict[str, Any] | None:
    """The final loss as JSON for provenance and reports."""
    if final is None:
        return None
    return {"value": final.value, "kind": final.kind, "error": final.error, "epochs": final.epochs}


def read(known: Mapping[str, Any]) -> FinalLoss | None:
    """The loss from the provenance; None if it can’t be parsed."""
    stored = known.get(KEY)
    if not isinstance(stored, Mapping) or stored.get("kind") not in _TITLES:
        return None
    value, error, epochs = (_number(stored.get(name)) for name in ("value", "error", "epochs"))
    if value is None:
        return None
    return FinalLoss(value, str(stored["kind"]), error, 1.0 if epochs is None else epochs)


def known_loss(known: Mapping[str, Any], run: JobControl | None, trace: Trace) -> FinalLoss | None:
    """The loss of a run from its provenance; the last point of the trace if the run is still
    training, or was saved without a final loss.
    """
    found = read(known)
    if found is not None:
        return found
    if run is not None and run.final is not None:
        return run.final
    if len(trace):
        return FinalLoss(float(trace.loss[-1]), LAST_POINT, float(trace.error[-1]))
    return None


def title(final: FinalLoss) -> str:
    """Name of the number, in the language of the program."""
    if final.kind == LAST_EPOCH and final.epochs < 0.995:
        return tr("mean over the last {epochs:.2g} epochs", epochs=final.epochs)
    return _TITLES[final.kind]


def format_loss(final: FinalLoss, form: str = "#.4g") -> str:
    """The number with its standard error, if known and not 0: "2.523 ± 0.0012"."""
    if not final.error:
        return format(final.value, form)
    return f"{format(final.value, form)} ± {final.error:.2g}"


def _number(value: object) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None
