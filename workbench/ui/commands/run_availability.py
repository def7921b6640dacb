"""Reasons why an action on runs isn't available, "" if it is."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.ui.commands.run_targets import RunTarget

_NO_RUN = tr("No run is selected.")


def needs_runs(target: RunTarget) -> str:
    if target.records:
        return ""
    return _NO_RUN


def needs_one_run(target: RunTarget) -> str:
    if target.one is not None:
        return ""
    return needs_runs(target) or tr("Select one run.")


def needs_vectors(target: RunTarget) -> str:
    """For actions that use the vectors of a single run."""
    if target.one is None:
        return needs_one_run(target)
    if target.one.has_vectors:
        return ""
    return tr("“{name}” has no vectors.", name=target.one.name)


def needs_two_with_vectors(target: RunTarget) -> str:
    if len(target.records) < 2:
        return tr("Select two or more runs.")
    bare = next((record for record in target.records if not record.has_vectors), None)
    if bare is None:
        return ""
    return tr("“{name}” has no vectors.", name=bare.name)


def needs_trained_here(target: RunTarget) -> str:
    """For actions that train runs again, whose vectors may be from a file."""
    other = next((record for record in target.records if record.algorithm not in MODELS), None)
    if other is None:
        return needs_runs(target)
    return tr("“{name}” wasn’t trained in this program.", name=other.name)


def needs_one_trained_here(target: RunTarget) -> str:
    return needs_one_run(target) or needs_trained_here(target)


def needs_grid(target: RunTarget) -> str:
    if target.one is None:
        return needs_one_run(target)
    if target.one.group:
        return ""
    return tr("“{name}” doesn’t belong to a grid.", name=target.one.name)


def needs_finished(target: RunTarget) -> str:
    going = next((record for record in target.records if not record.state.over), None)
    if going is None:
        return needs_runs(target)
    return tr("“{name}” is still in progress. Cancel it first.", name=going.name)


def needs_running(target: RunTarget) -> str:
    if any(not record.state.over for record in target.records):
        return ""
    return needs_runs(target) or tr("This run isn’t in progress.")
