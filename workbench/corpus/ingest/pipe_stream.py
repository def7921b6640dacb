"""Text out of a pipe: what another program writes while it is read, of any length, once.

A pipe with a name (``mkfifo``), what a shell makes of ``<(command)``, and ``/dev/stdin`` behind
``|``. Such text has no size and can’t be read a second time: progress is in tokens, nothing leads
from the pipe to its corpus, and anything that needs a second reading is refused.
"""

from __future__ import annotations

import io
import os
import select
import sys
from pathlib import Path

from workbench.core.job_control import JobControl

# How long to wait for the writer before looking whether to pause or cancel, in milliseconds.
_WAIT = 50
# Linux gives a pipe that much on request; every byte passes by fewer turns of writer and reader
# then.
_ROOM = 1 << 20


class Piped(io.RawIOBase):
    """A pipe opened for reading that waits for its writer without keeping anybody from cancelling.

    ``tell`` says how many bytes have come. Ends when the last writer has closed it. Raises
    Cancelled and OSError.
    """

    def __init__(self, path: Path, run: JobControl) -> None:
        # Opened at once, whether or not there is a writer yet.
        self._number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._run = run
        self._passed = 0
        _widen(self._number)
        self._poll = select.poll()
        self._poll.register(self._number, select.POLLIN)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` bytes (−1: some), b"" at the end."""
        while True:
            self._run.check()
            events = self._poll.poll(_WAIT)
            # Before the first writer nothing is reported; after the last one only that it hung up.
            if not events:
                continue
            try:
                data = os.read(self._number, size if size >= 0 else _ROOM)
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


def _widen(number: int) -> None:
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, _ROOM)
        except OSError:
            # More than this user may take of it: slower, and otherwise the same.
            return
