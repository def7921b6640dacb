from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from session.fakes import Gate, StepParams, small_corpus, wait_until

from workbench.core import jit
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl, Phase
from workbench.models.base import MODELS
from workbench.session import kernel_compiler
from workbench.session import session as session_module
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec

SLOW = "import sys; sys.stdin.read()"


class Children:
    """Stand-in for the child process: it waits, or exits at once with a code."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[tuple[list[str], int]] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self.code = SLOW
        monkeypatch.setattr(kernel_compiler, "_start", self._start)

    def _start(self, wanted: list[str], nice: int) -> subprocess.Popen[bytes]:
        self.started.append((list(wanted), nice))
        child = subprocess.Popen([sys.executable, "-c", self.code], stdin=subprocess.PIPE)
        self.processes.append(child)
        return child


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch, home: Path) -> Children:
    return Children(monkeypatch)


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty kernel cache."""
    monkeypatch.setattr(jit, "kernel_cache", lambda: tmp_path)
    monkeypatch.setattr(jit, "is_jit_disabled", lambda: False)
    return tmp_path


def test_every_algorithm_and_the_corpus_are_warmed() -> None:
    names = kernel_compiler.names()
    assert names[0] == "corpus"
    late = set(kernel_compiler.LATE)
    assert set(MODELS.keys()) | set(kernel_compiler._SETS) == set(names) | late
    assert not late & set(names)
    assert len(set(names)) == len(names)


def test_a_mark_says_what_is_compiled(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setitem(kernel_compiler._SETS, "corpus", lambda: calls.append("corpus"))
    assert not kernel_compiler.is_compiled("corpus")
    kernel_compiler.compile_here("corpus")
    assert kernel_compiler.is_compiled("corpus")
    assert not kernel_compiler.is_compiled("counts")
    assert calls == ["corpus"]


def test_what_another_process_compiles_is_left_to_it(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    for name in ("corpus", "counts"):
        monkeypatch.setitem(kernel_compiler._SETS, name, partial(calls.append, name))
    ready, mark_written = threading.Event(), threading.Event()

    def compile_corpus() -> None:
        with jit.compile_lock("corpus"):
            ready.set()
            assert mark_written.wait(60)
            kernel_compiler._mark("corpus").touch()

    other = threading.Thread(target=compile_corpus)
    other.start()
    assert ready.wait(60)
    assert jit.is_compiling("corpus")
    assert not jit.is_compiling("counts")
    monkeypatch.setitem(
        kernel_compiler._SETS, "counts", lambda: (calls.append("counts"), mark_written.set())
    )
    kernel_compiler.compile_missing(["corpus", "counts"])
    other.join()
    assert calls == ["counts"]
    assert all(kernel_compiler.is_compiled(name) for name in ("corpus", "counts"))


def test_the_very_first_start_compiles_before_there_is_a_window(
    empty_cache: Path, children: Children, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_compiler, "usable_threads", lambda: 4)
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    monkeypatch.setattr(kernel_compiler, "cache_folder", lambda _: kernels)
    kernel_compiler.begin_first_start()
    # Each child begins with another set.
    first, *others = kernel_compiler.names()
    assert [wanted for wanted, _ in children.started] == [[first, *others], [*others, first]]
    warmer, another = kernel_compiler.Warmer(), kernel_compiler.Warmer()
    assert warmer.running
    assert not another.running
    warmer.interrupt()
    assert all(child.poll() is not None for child in children.processes)
    (kernels / "0123").mkdir()
    kernel_compiler.begin_first_start()
    assert len(children.started) == 2


def test_what_came_with_the_program_is_compiled(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "shipped_kernels", lambda: tmp_path)
    assert all(kernel_compiler.is_compiled(name) for name in kernel_compiler.names())


def test_without_compilation_nothing_has_to_be_compiled(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "is_jit_disabled", lambda: True)
    assert kernel_compiler.is_compiled("corpus")


def test_the_child_compiles_and_ends(home: Path) -> None:
    child = kernel_compiler._start(["analysis"], nice=5)
    try:
        assert child.wait(200) == 0
    finally:
        kernel_compiler._end(child)
    assert list(home.joinpath("cache", "kernels").glob("*/compiled-analysis-*"))


def test_the_child_ends_with_its_parent(home: Path) -> None:
    never = (
        "w.compiled = lambda name: False; w.compile_here = lambda name: threading.Event().wait()"
    )
    load = "import threading; import workbench.session.kernel_compiler as w"
    script = f"{load}; {never}; print(flush=True); w.main(['corpus'])"
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    with child.stdout as output:
        assert output.readline()
        assert child.poll() is None
        child.stdin.close()
        assert child.wait(60) == 1


def test_waiting_for_a_child_is_a_phase_that_can_be_cancelled(
    empty_cache: Path, children: Children
) -> None:
    run = JobControl()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with kernel_compiler.Compilation("corpus") as compilation:
                compilation.wait(run)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(Idle(), lambda: run.progress.phase is Phase.COMPILING)
    assert run.progress.note == kernel_compiler.COMPILING
    run.cancel()
    thread.join()
    assert isinstance(failures[0], Cancelled)
    assert children.started == [(["corpus"], 0)]
    assert children.processes[0].poll() is not None


def test_two_children_share_the_sets_and_may_fail(
    empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_compiler, "usable_threads", lambda: 2)
    children.code = "raise SystemExit(3)"
    with kernel_compiler.Compilation("corpus", "counts") as compilation:
        compilation.wait(JobControl())
    assert children.started == [(["corpus", "counts"], 0), (["counts", "corpus"], 0)]


def test_one_processor_has_one_child(
    empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_compiler, "usable_threads", lambda: 1)
    children.code = "pass"
    with kernel_compiler.Compilation("corpus", "counts") as compilation:
        compilation.wait(JobControl())
    assert children.started == [(["corpus", "counts"], 0)]


def test_nothing_is_started_for_what_is_compiled(empty_cache: Path, children: Children) -> None:
    kernel_compiler._mark("corpus").touch()
    with kernel_compiler.Compilation("corpus") as compilation:
        compilation.wait(JobControl())
    assert children.started == []


def test_the_warmer_compiles_what_is_missing_once(empty_cache: Path, children: Children) -> None:
    warmer = kernel_compiler.Warmer()
    kernel_compiler._mark("corpus").touch()
    warmer.poll()
    assert warmer.running
    ((wanted, nice),) = children.started
    assert "corpus" not in wanted
    assert "counts" in wanted
    assert nice > 0
    warmer.interrupt()
    assert not warmer.running
    assert children.processes[0].poll() is not None
    children.code = "pass"
    warmer.poll()
    wait_until(Idle(), lambda: warmer.poll() or warmer.finished)
    # The second child compiled nothing, so there is no third.
    assert len(children.started) == 2
    warmer.poll()
    assert not warmer.running


def test_late_sets_follow_children_that_still_compile_the_others(
    empty_cache: Path, children: Children
) -> None:
    warmer = kernel_compiler.Warmer()
    warmer.poll()
    warmer.add_late_sets()
    warmer.poll()
    assert len(children.started) == 1
    for name in kernel_compiler.names():
        kernel_compiler._mark(name).touch()
    children.processes[0].kill()
    children.code = "pass"
    wait_until(Idle(), lambda: warmer.poll() or warmer.finished)
    assert [wanted for wanted, _ in children.started[1:]] == [list(kernel_compiler.LATE)]


def test_the_warmer_is_done_at_once_where_everything_is_compiled(
    empty_cache: Path, children: Children
) -> None:
    for name in kernel_compiler.names():
        kernel_compiler._mark(name).touch()
    warmer = kernel_compiler.Warmer()
    warmer.poll()
    assert warmer.finished
    assert children.started == []


def test_training_ends_the_warming_and_it_goes_on_afterwards(
    gate: Gate, empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = {"step", *kernel_compiler._first_needed()}
    monkeypatch.setattr(kernel_compiler, "is_compiled", lambda name: name in ready)
    session = Session()
    try:
        session.corpora.current = small_corpus()
        session.pump()
        assert children.started == []
        session.warm()
        session.pump()
        assert len(children.started) == 1
        gate.opened.clear()
        record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
        wait_until(session, lambda: children.processes[0].poll() is not None)
        session.pump()
        assert len(children.started) == 1
        gate.opened.set()
        wait_until(session, lambda: record.state.over)
        wait_until(session, lambda: len(children.started) == 2)
        monkeypatch.setattr(kernel_compiler, "is_compiled", lambda name: True)
        children.processes[1].kill()
        wait_until(session, lambda: session.training.warmer.finished)
    finally:
        session.close()
    assert all(child.poll() is not None for child in children.processes)


def test_late_sets_are_compiled_after_the_first_map(
    empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = set(kernel_compiler.names())
    monkeypatch.setattr(kernel_compiler, "is_compiled", lambda name: name in ready)
    monkeypatch.setattr(session_module, "_LATE_S", 0.0)
    session = Session()
    try:
        session.warm_late()
        session.pump()
        # Without a window, nothing is compiled ahead.
        assert not children.started
        session.warm()
        session.pump()
        assert not children.started
        session.warm_late()
        session.pump()
        assert [wanted for wanted, _ in children.started] == [list(kernel_compiler.LATE)]
        session.warm_late()
        session.pump()
        assert len(children.started) == 1
    finally:
        session.close()


def test_closing_ends_the_warming(
    gate: Gate, empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_compiler, "is_compiled", lambda name: False)
    session = Session()
    session.warm()
    session.pump()
    session.close()
    assert children.processes[0].poll() is not None


class Idle:
    """A pumped object for tests without a session."""

    def pump(self) -> None:
        pass


def test_what_a_first_start_needs_is_compiled_beside_its_training(
    gate: Gate, empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = {"step"}
    monkeypatch.setattr(kernel_compiler, "is_compiled", lambda name: name in ready)
    session = Session()
    try:
        session.corpora.current = small_corpus()
        session.warm()
        session.pump()
        gate.opened.clear()
        record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
        wait_until(session, lambda: record.run.progress.phase is Phase.TRAINING)
        session.pump()
        assert children.processes[0].poll() is None
        ready.update(kernel_compiler._first_needed())
        session.pump()
        assert children.processes[0].poll() is not None
        gate.opened.set()
        wait_until(session, lambda: record.state.over)
    finally:
        session.close()


def test_what_another_process_compiles_is_awaited(
    empty_cache: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "workbench.session.kernel_compiler.jit.is_compiling", lambda name: name == "corpus"
    )
    run = JobControl()
    with kernel_compiler.Compilation("corpus") as compilation:
        thread = threading.Thread(target=compilation.wait, args=(run,))
        thread.start()
        wait_until(Idle(), lambda: run.progress.phase is Phase.COMPILING)
        kernel_compiler._mark("corpus").touch()
        thread.join()
    assert children.started == []


def test_a_training_waits_only_for_its_own_sets(empty_cache: Path, children: Children) -> None:
    with kernel_compiler.Compilation("corpus", "floor") as compilation:
        kernel_compiler._mark("corpus").touch()
        compilation.wait(JobControl(), "corpus")
        assert children.processes[0].poll() is None
    assert children.started[0] == (["corpus", "floor"], 0)
