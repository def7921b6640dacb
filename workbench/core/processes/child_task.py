"""Tasks in a child process, for work that would load the compiler into the window’s process.

Both sides write lines of JSON (``task_server.py`` is the child’s side). The child gets a request,
and then “pause” and “resume”; the end of its input cancels it, however the parent ends. The parent
gets progress, and finally the answer or an error. After its answer, a child waits a minute for the
next request, because starting it takes longer than most tasks.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from workbench.core import jit
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import language, tr
from workbench.core.operating_system import system
from workbench.core.processes.child_process import child_environment, module_command

PAUSE, RESUME = "pause", "resume"
# Seconds between checks of active work.
LOOK = 0.05
# Seconds that a cancelled task has for cleaning up.
PATIENCE = 1.0

_avoided = False
_LOCK = threading.Lock()
# Children that wait for a request: at most one.
_waiting: list[_Child] = []


def avoid_compiler() -> None:
    """Read texts and count pairs in child processes, unless something else has loaded the compiler
    in this process, where it would take 120 MB.
    """
    global _avoided
    _avoided = True


def avoids_compiler() -> bool:
    """Whether work that calls kernels should run as a task in a child process."""
    return _avoided and "numba" not in sys.modules and not jit.is_jit_disabled()


class TaskFailed(Exception):
    """A bug in a task; the child's traceback is a note of this exception."""


def run_task(module: str, request: object, run: JobControl) -> Any:
    """The answer of the function ``task(request, run)`` of a module, in a child process. Request
    and answer are JSON.

    Its phases and progress become those of ``run``, whose pauses and cancellation apply to the
    task. Raises UserError, Cancelled and MemoryError like the task, or else TaskFailed.
    """
    run.check()
    message = {"module": module, "request": request}
    child = _take_waiting()
    if child is not None:
        # The child may just have stopped waiting.
        with suppress(_Ended):
            return _ask(child, message, run)
    try:
        return _ask(_Child(), message, run)
    except _Ended:
        raise UserError(
            tr("Couldn’t finish “{task}”: its process ended.", task=run.progress.note),
            tr("Close other programs if memory is low, and try again."),
        ) from None


def prepare(module: str) -> None:
    """Let a child import a module whose task will probably be asked for soon. Returns at once. Does
    nothing where no window is open.

    If the module has a function ``prepare``, the child calls it.
    """
    if not _avoided:
        return
    child = _take_waiting()
    if child is None or child.process.poll() is not None:
        child = _Child()
    child.send({"prepare": module})
    _keep_waiting(child)


def end_waiting() -> None:
    """End the child that waits for a request, if there is one."""
    child = _take_waiting()
    if child is not None:
        child.end()


class _Ended(Exception):
    """A child has ended without an answer."""


class _Child:
    def __init__(self) -> None:
        self.process = subprocess.Popen(
            module_command("workbench.core.processes.task_server"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**child_environment(), "WORKBENCH_LANGUAGE": language()},
            # Ctrl-C goes only to this process, which then ends the child.
            **system().child_options(own_session=True),
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read_lines, daemon=True)
        self._reader.start()

    def _read_lines(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")
        # A child that has waited long enough ends by itself; without this, its entry would remain
        # in the system's table of processes.
        self.process.wait()

    def send(self, message: object) -> None:
        assert self.process.stdin is not None
        # The end of its output shows that a child has ended.
        with suppress(OSError):
            self.process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            self.process.stdin.flush()

    def receive(self, seconds: float) -> Any:
        """The next message, None if none arrives in time. Raises _Ended."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if not line:
            raise _Ended
        return json.loads(line)

    def end(self) -> None:
        """End the process; an active task may clean up first."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        self.process.stdout.close()


def _take_waiting() -> _Child | None:
    with _LOCK:
        return _waiting.pop() if _waiting else None


def _ask(child: _Child, message: object, run: JobControl) -> Any:
    try:
        child.send(message)
        answer = _follow(child, run)
    except BaseException:
        child.end()
        raise
    _keep_waiting(child)
    return answer


def _keep_waiting(child: _Child) -> None:
    """Keep a child for the next request, unless another one waits already."""
    with _LOCK:
        if not _waiting:
            _waiting.append(child)
            return
    child.end()


def _follow(child: _Child, run: JobControl) -> Any:
    """Pass on progress to ``run``, and pauses and cancellation to the child, until the answer
    arrives.
    """
    while True:
        if run.is_paused:
            child.send(PAUSE)
            run.check()
            child.send(RESUME)
        run.check()
        message = child.receive(LOOK)
        if message is None:
            continue
        if "progress" not in message:
            return _answer(message)
        _pass_on(message["progress"], run)


def _pass_on(progress: dict[str, Any], run: JobControl) -> None:
    phase = Phase(progress["phase"])
    if phase != run.progress.phase:
        run.enter(phase, progress["note"])
    run.advance(
        progress["fraction"],
        progress["note"],
        rate=progress["rate"],
        unit=progress["unit"],
        **progress["details"],
    )


def _answer(message: dict[str, Any]) -> Any:
    if "problem" in message:
        raise UserError(*message["problem"])
    if "cancelled" in message:
        raise Cancelled
    if "memory" in message:
        raise MemoryError
    if "bug" in message:
        failed = TaskFailed(message["bug"])
        failed.add_note(message["traceback"])
        raise failed
    return message["answer"]
