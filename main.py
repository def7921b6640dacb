"""The Embedding Workbench: ``python main.py`` opens the window, ``python main.py --help`` tells the
rest.
"""

# The module signal imports enum, which takes so long that an early Ctrl-C would print a traceback.
import _signal  # type: ignore[import-not-found]
import os
import sys


def exit_silently(number: int, frame: object) -> None:
    """End the process by the convention of shells, as the package does once it is imported."""
    os._exit(128 + number)


def main() -> int:
    """Hand over to the package once Python and the dependencies are known to do."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older Python reads
        print(
            f"The Embedding Workbench needs Python 3.11 or newer, not "
            f"{sys.version_info[0]}.{sys.version_info[1]}. "
            "Install a newer Python and run main.py with it.",
            file=sys.stderr,
        )
        return 2
    from workbench.core.processes import interrupts

    interrupts.exit_on_signal()
    from workbench.launch import missing_dependency

    problem = missing_dependency()
    if problem is not None:
        print(problem, file=sys.stderr)
        return 2
    from workbench.__main__ import main as run

    return run()


if __name__ == "__main__":
    for signal_number in (_signal.SIGINT, _signal.SIGTERM):
        if _signal.getsignal(signal_number) is not _signal.SIG_IGN:
            _signal.signal(signal_number, exit_silently)
    sys.exit(main())
