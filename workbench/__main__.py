"""``workbench`` and ``python -m workbench``. Imports hardly anything before it handles Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from workbench.core.errors import UserError
from workbench.core.machine.memory import prove_room
from workbench.core.processes import interrupts
from workbench.core.processes.child_process import restore_environment, run_module

_LEAST = 192 << 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code: 0; 2 for problems that the user can fix; 130 on Ctrl-C, 143 on a
    request to terminate.

    arguments : the words after the command; None: those of this process, and its signals are
    handled
    """
    if arguments is None:
        _provide_streams()
        restore_environment()
        if run_module(sys.argv[1:]):
            return 0
        interrupts.exit_on_signal()
    try:
        # Array libraries end the process if this much memory isn’t free.
        prove_room(_LEAST)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    from workbench.program import run

    try:
        return run(list(sys.argv[1:] if arguments is None else arguments))
    finally:
        if arguments is None:
            interrupts.exit_on_signal()


def _provide_streams() -> None:
    """Discard output where the program has no console to write to, as on Windows."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
