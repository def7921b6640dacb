"""Text from a pipe: output of another program, of any length, that can be read once.

The pipe may be a named one (``mkfifo``), ``<(command)`` of a shell, or ``/dev/stdin`` after ``|``.
Such text has no size and can’t be read a second time: progress is in tokens, the corpus can't be
found again by the pipe, and anything that needs a second reading is refused.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.core.operating_system import PIPE_BYTES, system

# Seconds to wait for the writer between checks for pause and cancel.
_WAIT_S = 0.05


class Piped(io.RawIOBase):
    """A pipe opened for reading that waits for its writer, and can be cancelled meanwhile.

    ``tell`` is the number of bytes read. Ends when the last writer has closed the pipe. Raises
    Cancelled and OSError.
    """

    def __init__(self, path: Path, run: JobControl) -> None:
        # Opens at once, with or without a writer.
        self._number = system().open_pipe(path)
        self._run = run
        self._passed = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` bytes (−1: some), b"" at the end."""
        while True:
            self._run.check()
            # Before the first writer, nothing arrives; after the last one, only the end.
            if not system().wait_for_pipe(self._number, _WAIT_S):
                continue
            try:
                data = os.read(self._number, size if size >= 0 else PIPE_BYTES)
            except BlockingIOError:
                continue
            self._passed += len(data)
            return data

    def tell(self) -> int:
        return self._passed

    def close(self) -> None:
        if not self.closed:
            os.close(self._number)
        super().close()
