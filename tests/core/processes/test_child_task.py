from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.processes import child_task
from workbench.core.processes.child_task import (
    TaskFailed,
    avoid_compiler,
    avoids_compiler,
    run_task,
)

TASKS = """
import os
from pathlib import Path
from workbench.core.errors import UserError
from workbench.core.job_control import Phase
from workbench.core.language import language
from workbench.core.param_labels import quoted_param


def task(request, run):
    return globals()[request["call"]](request, run)


ready = []


def prepare():
    ready.append(True)


def prepared(request, run):
    return [bool(ready), os.getpid()]


def echo(request, run):
    print("noise")
    return [request, os.getpid(), language(), quoted_param("min_count")]


def tell(request, run):
    run.enter(Phase.COUNTING, "Counting")
    run.advance(0.25, rate=3.0, unit="tokens", types=7)
    wait_for_file(request, run)


def wait_for_file(request, run):
    done = Path(request["file"])
    begun = done.with_suffix(".begun")
    begun.touch()
    try:
        while not done.exists():
            run.check()
    finally:
        begun.unlink()


def problem(request, run):
    raise UserError("Couldn’t read x.", "Try y.")


def full(request, run):
    raise OSError(28, "No space left on device")


def memory(request, run):
    raise MemoryError


def bug(request, run):
    return 1 // 0


def die(request, run):
    os._exit(9)
"""


@pytest.fixture(autouse=True)
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "tasks_of_a_test.py").write_text(TASKS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    child_task.end_waiting()
    yield
    child_task.end_waiting()


def ask(call: str, run: JobControl | None = None, **request: Any) -> Any:
    return run_task("tasks_of_a_test", {"call": call, **request}, run or JobControl())


def wait_until(condition: Callable[[], object]) -> None:
    pause = threading.Event()
    while not condition():
        pause.wait(0.005)


class InThread:
    """A task in another thread, which can be waited for."""

    def __init__(self, call: str, **request: Any) -> None:
        self.run = JobControl()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._ask, args=(call, request))
        self._thread.start()

    def _ask(self, call: str, request: dict[str, Any]) -> None:
        try:
            ask(call, self.run, **request)
        except Cancelled as error:
            self.error = error

    def join(self) -> None:
        self._thread.join()


def test_a_task_gets_its_request_and_speaks_the_language_of_the_window() -> None:
    request, _, language, label = ask("echo", text="é\udcff", number=1.5)
    assert request == {"call": "echo", "text": "é\udcff", "number": 1.5}
    assert language == "en"
    assert label == "“Min count”"


def test_the_next_task_finds_the_process_waiting() -> None:
    first = ask("echo")[1]
    assert ask("echo")[1] == first
    child_task.end_waiting()
    assert ask("echo")[1] != first


def test_a_process_that_stopped_waiting_is_replaced() -> None:
    first = ask("echo")[1]
    child_task._waiting[0].process.kill()
    child_task._waiting[0].process.wait()
    assert ask("echo")[1] != first


def test_a_process_that_ended_by_itself_is_reaped() -> None:
    ask("echo")
    process = child_task._waiting[0].process
    process.kill()
    # Nothing asks for its state here, as while a window is idle.
    wait_until(lambda: process.returncode is not None)


def test_progress_is_passed_on_and_a_pause_holds_the_task(tmp_path: Path) -> None:
    end_file = tmp_path / "done"
    waiting = InThread("tell", file=str(end_file))
    run = waiting.run
    wait_until(lambda: run.progress.fraction == 0.25)
    progress = run.progress
    assert (progress.phase, progress.note) == (Phase.COUNTING, "Counting")
    assert (progress.rate, progress.unit, dict(progress.details)) == (3.0, "tokens", {"types": 7.0})
    run.pause()
    wait_until(lambda: run.is_paused)
    run.resume()
    end_file.touch()
    waiting.join()
    assert waiting.error is None


def test_a_cancelled_task_cleans_up_after_itself(tmp_path: Path) -> None:
    start_file = tmp_path / "never.begun"
    waiting = InThread("wait_for_file", file=str(tmp_path / "never"))
    wait_until(start_file.exists)
    waiting.run.cancel()
    waiting.join()
    assert isinstance(waiting.error, Cancelled)
    assert not start_file.exists()


def test_a_task_that_is_paused_can_be_cancelled(tmp_path: Path) -> None:
    start_file = tmp_path / "never.begun"
    waiting = InThread("wait_for_file", file=str(tmp_path / "never"))
    wait_until(start_file.exists)
    waiting.run.pause()
    waiting.run.cancel()
    waiting.join()
    assert isinstance(waiting.error, Cancelled)
    assert not start_file.exists()


def test_problems_of_a_task_are_raised_here() -> None:
    with pytest.raises(UserError) as error:
        ask("problem")
    assert (error.value.message, error.value.hint) == ("Couldn’t read x.", "Try y.")
    with pytest.raises(UserError, match="The disk is full"):
        ask("full")
    with pytest.raises(MemoryError):
        ask("memory")


def test_a_bug_comes_with_its_traceback() -> None:
    with pytest.raises(TaskFailed, match="ZeroDivisionError") as error:
        ask("bug")
    assert "return 1 // 0" in error.value.__notes__[0]


def test_a_process_that_was_killed_is_a_problem_that_is_explained() -> None:
    run = JobControl()
    run.enter(Phase.READING, "Reading x")
    with pytest.raises(UserError, match="Couldn’t finish “Reading x”: its process ended."):
        ask("die", run)


def test_tasks_at_the_same_time_have_processes_of_their_own(tmp_path: Path) -> None:
    end_file = tmp_path / "done"
    waiting = InThread("wait_for_file", file=str(end_file))
    wait_until((tmp_path / "done.begun").exists)
    ask("echo")
    end_file.touch()
    waiting.join()
    assert len(child_task._waiting) == 1


def test_only_a_process_without_the_compiler_avoids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_task, "_avoided", False)
    monkeypatch.setattr("workbench.core.processes.child_task.jit.is_jit_disabled", lambda: False)
    modules: dict[str, object] = {}
    monkeypatch.setattr("workbench.core.processes.child_task.sys.modules", modules)
    assert not avoids_compiler()
    avoid_compiler()
    assert avoids_compiler()
    modules["numba"] = object()
    assert not avoids_compiler()


def test_a_prepared_child_carries_out_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_task, "_avoided", True)
    child_task.prepare("tasks_of_a_test")
    (child,) = child_task._waiting
    child_task.prepare("tasks_of_a_test")
    assert child_task._waiting == [child]
    assert ask("prepared") == [True, child.process.pid]


def test_a_module_that_fails_while_it_is_prepared_fails_at_the_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child_task, "_avoided", True)
    child_task.prepare("no_such_module")
    with pytest.raises(TaskFailed, match="no_such_module"):
        run_task("no_such_module", {}, JobControl())
    assert ask("prepared")[0] is False


def test_nothing_is_prepared_without_a_window() -> None:
    child_task.prepare("tasks_of_a_test")
    assert child_task._waiting == []


def test_a_child_ends_while_it_prepares_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_task, "_avoided", True)
    loading = tmp_path / "loading"
    (tmp_path / "endless.py").write_text(
        f"from pathlib import Path\nPath({str(loading)!r}).touch()\nwhile True:\n    pass\n",
        encoding="utf-8",
    )
    child_task.prepare("endless")
    (child,) = child_task._waiting
    wait_until(loading.exists)
    child_task.end_waiting()
    assert child.process.poll() is not None
