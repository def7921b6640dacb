"""Labels of the states and phases of runs."""

from __future__ import annotations

from workbench.core.language import tr

# By values of ``State`` and ``Phase``, and "diverged".
DOINGS = {
    "waiting": tr("waiting"),
    "reading": tr("reading"),
    "counting": tr("counting"),
    "compiling": tr("compiling"),
    "training": tr("training"),
    "saving": tr("saving"),
    "paused": tr("paused"),
    "done": tr("done"),
    "stopped": tr("stopped"),
    "cancelled": tr("cancelled"),
    "failed": tr("failed"),
    "diverged": tr("diverged"),
}
