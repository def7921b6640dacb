"""Workspaces: tasks, each with the panels needed for it."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.errors import UserError
from workbench.core.language import tr, trc


class Workspace(NamedTuple):
    """A task. ``purpose``: the question that it answers."""

    key: str
    title: str
    purpose: str


WORKSPACES = (
    Workspace("corpus", tr("Corpus"), tr("What is in the text?")),
    Workspace("train", trc("workspace", "Train"), tr("How does a model learn?")),
    Workspace("explore", tr("Explore"), tr("What does a model know?")),
    Workspace("theory", tr("Theory"), tr("Why does it work?")),
    Workspace("evaluate", tr("Evaluate"), tr("How good is a model?")),
    Workspace("learn", trc("workspace", "Learn"), tr("Which lesson comes next?")),
)
FIRST = "explore"
# Panels that declare this belong to all workspaces.
ANY = "any"


def workspace_of(key: str) -> Workspace:
    """A workspace by its key. Raises UserError that lists the known ones."""
    for workspace in WORKSPACES:
        if workspace.key == key:
            return workspace
    known = ", ".join(workspace.key for workspace in WORKSPACES)
    raise UserError(
        tr("Unknown workspace “{key}”.", key=key), tr("Choose one of: {known}.", known=known)
    )
