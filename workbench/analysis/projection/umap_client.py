"""Client of the UMAP process: start, warm-up, requests, cancellation, stop."""

from __future__ import annotations

import itertools
import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.ipc import Message, receive, send
from workbench.core.child_process import child_environment, module_command
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder

_POLL_SECONDS = 0.04
_Handler = Callable[[Message | None], None]


class UmapWorker:
    """One child process that computes layouts one after another; started when first needed.

    Safe to use from several threads. After ``close`` it answers no more.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._child: _Child | None = None
        self._keys = itertools.count(1)
        self._ready = threading.Event()
        self._closed = False

    @property
    def ready(self) -> bool:
        """Whether umap is imported and compiled, so that a layout starts at once."""
        return self._ready.is_set()

    @property
    def pid(self) -> int | None:
        """Number of the child process, or None while there is none."""
        child = self._child
        if child is None:
            return None
        return child.process.pid

    def warm(self, ready: Callable[[], None] | None = None) -> None:
        """Start the process and have it import and compile everything; returns at once.

        ``ready`` is called from another thread once that is done (never if it fails). The first
        time ever it takes tens of seconds, later a few.
        """

        def on_warm_reply(message: Message | None) -> None:
            if message is not None and message.header["type"] == "done":
                self._ready.set()
                if ready is not None:
                    ready()

        child, key = self._begin_request(on_warm_reply)
        self._send(child, {"type": "warm", "id": key})

    def layouts(
        self, header: Mapping[str, Any], arrays: Sequence[npt.NDArray[Any]], run: JobControl
    ) -> Iterator[tuple[int, int, npt.NDArray[np.float32]]]:
        """Ask for a layout and yield (epoch, epochs, positions float32[V, 2]) as it moves.

        The last one is the result. Leaving the iteration early, or ``run.cancel``, abandons the
        layout within a twentieth of a second. Raises UserError if the process fails or dies.
        """
        replies: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        child, key = self._begin_request(replies.put)
        over = False
        try:
            self._send(child, {"type": "layout", "id": key, **header}, arrays)
            while not over:
                run.check()
                try:
                    message = replies.get(timeout=_POLL_SECONDS)
                except queue.Empty:
                    continue
                if message is None:
                    over = True
                    raise self._death_error(child)
                kind = message.header["type"]
                if kind == "frame":
                    self._ready.set()
                    yield message.header["epoch"], message.header["epochs"], message.arrays[0]
                    continue
                over = True
                if kind == "failed":
                    raise UserError(
                        tr("UMAP failed: {why}.", why=message.header["message"]),
                        tr("Try other settings or fewer words."),
                    )
        finally:
            child.handlers.pop(key, None)
            if not over:
                self._send(child, {"type": "cancel", "id": key})

    def close(self) -> None:
        """End the process and join the thread that listens to it. Layouts under way are
        cancelled.
        """
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.end()

    def _begin_request(self, handler: _Handler) -> tuple[_Child, int]:
        """A living child, and a number under which ``handler`` gets its replies (None: it died)."""
        with self._lock:
            if self._closed:
                raise Cancelled
            if self._child is not None and self._child.over:
                self._child.end()
                self._child = None
            if self._child is None:
                self._ready.clear()
                self._child = _Child()
            key = next(self._keys)
            self._child.handlers[key] = handler
            return self._child, key

    def _send(
        self, child: _Child, header: Mapping[str, Any], arrays: Sequence[npt.NDArray[Any]] = ()
    ) -> None:
        try:
            with self._writing:
                send(child.stdin, header, arrays)
        except (OSError, ValueError):
            # A child that is gone is reported by the thread that listens to it.
            return

    def _death_error(self, child: _Child) -> Exception:
        if self._closed:
            return Cancelled()
        return UserError(
            tr(
                "The UMAP process stopped unexpectedly ({last_words}).",
                last_words=child.last_words(),
            ),
            tr("Try again. If it stops again, choose fewer words."),
        )


class _Child:
    """The process, its pipes, and the thread that hands its messages to whoever waits for them."""

    def __init__(self) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 – closed in ``end``
        self.process = subprocess.Popen(
            module_command("workbench.analysis.projection.umap_worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=_environment(),
            **system().child_options(),
        )
        self.stdin = cast(BinaryIO, self.process.stdin)
        self._stdout = cast(BinaryIO, self.process.stdout)
        self.handlers: dict[int, _Handler] = {}
        self.over = False
        self._thread = threading.Thread(target=self._listen, name="umap replies", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Kill the process if it lives; it holds nothing that could be lost."""
        self.process.kill()
        self.process.wait()
        self._thread.join()
        for stream in (self.stdin, self._stdout, self._stderr):
            try:
                stream.close()
            except OSError:
                # Closing flushes what a dead process will not read.
                continue

    def last_words(self) -> str:
        """The last line the process wrote to stderr, or how it ended."""
        self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(self._stderr.tell() - 4096, 0))
        lines = self._stderr.read().decode("utf-8", "replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        if said:
            return said[-1]
        return tr("exit status {status}", status=self.process.wait())

    def _listen(self) -> None:
        try:
            while (message := receive(self._stdout)) is not None:
                handler = self.handlers.get(message.header["id"])
                if handler is not None:
                    handler(message)
        except (OSError, ValueError, KeyError):
            # Anything but a message ends the conversation as the end of the process would.
            self.process.kill()
        self.over = True
        for handler in list(self.handlers.values()):
            handler(None)


def _environment() -> dict[str, str]:
    """The child finds this very package, keeps its kernels apart, and leaves cores to the
    training.
    """
    environment = child_environment()
    environment.pop("NUMBA_DISABLE_JIT", None)
    environment["NUMBA_CACHE_DIR"] = str(cache_folder("umap"))
    environment["NUMBA_NUM_THREADS"] = environment["OMP_NUM_THREADS"] = environment[
        "OPENBLAS_NUM_THREADS"
    ] = "1"
    return environment
