"""Text out of a pipe: what another program writes while it is read, of any length, once.

A pipe with a name (``mkfifo``), what a shell makes of ``<(command)``, and ``/dev/stdin`` behind
``|``. Such text has no size and can’t be read a second time: progress is in tokens, nothing leads
from the pipe to its corpus, and anything that needs a second reading is refused.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.core.operating_system import PIPE_BYTES, system

# Seconds to wait for the writer before looking whether to pause or cancel.
_WAIT_S = 0.05


class Piped(io.RawIOBase):
    """A pipe opened for reading that waits for its writer without keeping anybody from cancelling.

    ``tell`` says how many bytes have come. Ends when the last writer has closed it. Raises
    Cancelled and OSError.
    """

    def __init__(self, path: Path, run: JobControl) -> None:
        # Opened at once, whether or not there is a writer yet.
        self._number = system().open_pipe(path)
        self._run = run
        self._passed = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` bytes (−1: some), b"" at the end."""
        while True:
            self._run.check()
            # Before the first writer nothing arrives; after the last one only its end.
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
