"""The child process of ``child_task.py``: ``python -m workbench.core.processes.task_server``."""

from __future__ import annotations

import importlib
import json
import os
import queue
import sys
import threading
import traceback
from contextlib import suppress
from typing import IO, Any

from workbench.core.errors import Cancelled, UserError, as_user_error
from workbench.core.job_control import JobControl, Progress
from workbench.core.machine.threads import step_back
from workbench.core.param_labels import By, name_params_by
from workbench.core.processes import plain_scipy  # noqa: F401 - before all that imports scipy
from workbench.core.processes.child_task import LOOK, PATIENCE, RESUME

# Seconds for which a process waits for another request.
_WAIT = 60.0


def main() -> None:
    """Process one request after another, until the parent sends none for a while or ends."""
    step_back()
    output = sys.stdout.buffer
    # Output of libraries must not get between the messages.
    sys.stdout = sys.stderr
    requests: queue.SimpleQueue[tuple[dict[str, Any], JobControl]] = queue.SimpleQueue()
    resting = threading.Event()
    resting.set()
    threading.Thread(target=_listen, args=(requests, resting), daemon=True).start()
    with name_params_by(By.LABEL):
        while True:
            try:
                message, run = requests.get(timeout=_WAIT)
            except queue.Empty:
                break
            if "prepare" in message:
                _prepare(message["prepare"])
                continue
            over = threading.Event()
            reporter = threading.Thread(
                target=_report_progress, args=(output, run, over), daemon=True
            )
            reporter.start()
            answer = _work(message, run)
            over.set()
            reporter.join()
            _send(output, answer)
            resting.set()
    # The thread that waits for the parent must not keep the interpreter from ending.
    os._exit(0)


def _prepare(name: str) -> None:
    """Import a module for a later request, which reports what fails."""
    with suppress(Exception):
        module = importlib.import_module(name)
        getattr(module, "prepare", lambda: None)()


def _work(message: dict[str, Any], run: JobControl) -> dict[str, Any]:
    try:
        task = importlib.import_module(message["module"]).task
        return {"answer": task(message["request"], run)}
    except UserError as error:
        return {"problem": [error.message, error.hint]}
    except Cancelled:
        return {"cancelled": True}
    except MemoryError:
        return {"memory": True}
    except Exception as error:
        if (problem := as_user_error(error)) is not None:
            return {"problem": [problem.message, problem.hint]}
        bug = f"{type(error).__name__}: {error}"
        return {"bug": bug, "traceback": traceback.format_exc()}


def _listen(
    requests: queue.SimpleQueue[tuple[dict[str, Any], JobControl]], resting: threading.Event
) -> None:
    """Pass on requests, pause and resume the last one, and cancel it and end this process when the
    parent ends or closes the input.
    """
    run = JobControl()
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if isinstance(message, dict):
            run = JobControl()
            if "prepare" not in message:
                resting.clear()
            requests.put((message, run))
        elif message == RESUME:
            run.resume()
        else:
            run.pause()
    run.cancel()
    resting.wait(PATIENCE)
    os._exit(0)


def _report_progress(output: IO[bytes], run: JobControl, over: threading.Event) -> None:
    reported = run.progress
    while not over.wait(LOOK):
        if run.progress is not reported:
            reported = run.progress
            _send(output, {"progress": _as_json(reported)})


def _send(output: IO[bytes], message: dict[str, Any]) -> None:
    output.write(json.dumps(message).encode("ascii") + b"\n")
    output.flush()


def _as_json(progress: Progress) -> dict[str, Any]:
    return {
        "phase": progress.phase.value,
        "fraction": progress.fraction,
        "note": progress.note,
        "rate": progress.rate,
        "unit": progress.unit,
        "details": {name: float(value) for name, value in progress.details.items()},
    }


if __name__ == "__main__":
    main()
