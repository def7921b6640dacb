from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import threadpoolctl

from workbench.core.machine.threads import BLAS_ALONE


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there is no niceness here")
@pytest.mark.parametrize("more", [0, 7, 12])
def test_a_process_gets_its_niceness_once_whatever_it_inherits(more: int) -> None:
    code = (
        "import os; from workbench.core.machine.threads import run_after; "
        f"os.nice({more}); run_after(10)"
    )
    process = subprocess.run(
        [sys.executable, "-c", f"{code}; print(os.nice(0))"],
        capture_output=True,
        text=True,
        check=True,
    )
    niceness = min(os.nice(0) + more, 19)
    assert int(process.stdout) == max(10, niceness)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads have no niceness here")
@pytest.mark.parametrize("more", [0, 12, 19])
def test_a_thread_keeps_a_higher_niceness_that_it_inherits(more: int) -> None:
    code = (
        "import os; from workbench.core.machine.threads import step_back; "
        f"os.nice({more}); step_back();"
        "print(os.getpriority(os.PRIO_PROCESS, 0))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert int(process.stdout) == max(10, min(os.nice(0) + more, 19))


def _blas_threads() -> set[int]:
    libraries = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    return {library["num_threads"] for library in libraries}


def test_blas_has_one_thread_while_anybody_is_inside() -> None:
    with threadpoolctl.threadpool_limits(limits=2, user_api="blas"):
        with BLAS_ALONE:
            assert _blas_threads() == {1}
            # As if another BLAS were loaded meanwhile.
            threadpoolctl.threadpool_limits(limits=2, user_api="blas")
            with BLAS_ALONE:
                assert _blas_threads() == {1}
            assert _blas_threads() == {1}
        assert _blas_threads() == {2}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="copies a library of Linux")
@pytest.mark.timeout(120)
def test_blas_is_found_while_another_thread_loads_libraries(tmp_path: Path) -> None:
    code = """
        import _ctypes, pathlib, shutil, sys, threading, time
        import numpy
        from psutil import _psutil_linux
        from workbench.core.machine.threads import BLAS_ALONE

        folder = pathlib.Path(sys.argv[1])
        # The loader only takes its lock for a file that it hasn’t loaded before.
        libraries = [shutil.copy(_psutil_linux.__file__, folder / f"{n}.so") for n in range(100)]
        loaded = threading.Event()

        def enter():
            while not loaded.is_set():
                with BLAS_ALONE:
                    pass

        thread = threading.Thread(target=enter)
        thread.start()
        for library in libraries:
            # As an import does, with Python’s lock held.
            _ctypes.dlopen(str(library))
            time.sleep(0.0001)
        loaded.set()
        thread.join()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(tmp_path)], check=True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks for a thread’s priority")
def test_threads_step_back_and_their_process_does_not() -> None:
    code = """
        import os, threading
        from workbench.core.machine.threads import step_back

        def step(training):
            step_back(training=training)
            print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

        for training in (False, True):
            thread = threading.Thread(target=step, args=[training])
            thread.start()
            thread.join()
        print(os.getpriority(os.PRIO_PROCESS, os.getpid()))
    """
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    own = os.nice(0)
    assert [int(line) for line in process.stdout.split()] == [max(10, own), max(15, own), own]
