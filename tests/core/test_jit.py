from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from workbench.core import jit
from workbench.core.jit import kernel

ROOT = Path(__file__).resolve().parents[2]


@kernel
def square(x):
    return x * x


@kernel(fast=True)
def sum_of_squares(values):
    total = 0.0
    for value in values:
        total += square(value)
    return total


@kernel
def ratio(a, b):
    return a / b


def test_a_kernel_calls_a_kernel() -> None:
    assert sum_of_squares(np.array([1.0, 2.0, 3.0])) == 14.0
    assert sum_of_squares.py_func(np.array([1.0, 2.0, 3.0])) == 14.0


def test_what_is_compiled_is_saved_by_one_process_at_a_time(home: Path) -> None:
    run(
        """
        import numpy as np
        from workbench.core import locks, jit
        from workbench.analysis.projection.disc_kernels import warm
        inside, plain = [], jit.exclusive_lock
        def watched(path):
            inside.append(path)
            return plain(path)
        jit.exclusive_lock = watched
        jit.kernel_cache = lambda: __import__("pathlib").Path(__import__("os").environ["EMPTY"])
        warm()
        assert inside and all(path.exists() for path in inside)
        assert len(list(inside[0].parent.glob("*.nbc"))) >= 1
        """,
        EMPTY=str(home / "empty"),
    )


def test_division_by_zero_is_numpys() -> None:
    assert ratio(1.0, 0.0) == float("inf")


def test_a_kernel_is_named_as_its_function() -> None:
    assert square.__name__ == "square"


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_declaring_does_not_import_numba() -> None:
    assert "numba-free" in run(
        """
        import sys
        from workbench.core.jit import kernel
        @kernel
        def twice(x):
            return 2 * x
        print("numba" if "numba" in sys.modules else "numba-free")
        """
    )


def test_without_compilation_kernels_stay_python() -> None:
    output = run(
        """
        from workbench.core.jit import is_jit_disabled, kernel
        @kernel
        def inner(seen):
            seen.append(object)
        @kernel
        def outer(seen):
            inner(seen)
        seen = []
        outer(seen)
        print(is_jit_disabled(), len(seen))
        """,
        NUMBA_DISABLE_JIT="1",
    )
    assert output.split() == ["True", "1"]
    assert not jit.is_jit_disabled()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of two files in place of the workbench, for the cache's key."""
    root = tmp_path / "package"
    (root / "core").mkdir(parents=True)
    (root / "core" / "jit.py").write_text("# the decorator")
    (root / "kernels.py").write_text("from workbench.core.jit import kernel")
    (root / "panel.py").write_text("# no kernels here")
    monkeypatch.setattr(jit, "__file__", str(root / "core" / "jit.py"))
    jit._sources_digest.cache_clear()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    return root


@pytest.mark.parametrize(
    ("name", "changes"), [("kernels.py", True), ("core/jit.py", True), ("panel.py", False)]
)
def test_the_cache_follows_the_sources_that_are_compiled(
    package: Path, name: str, changes: bool
) -> None:
    try:
        before = jit.kernel_cache()
        assert before.is_dir()
        with (package / name).open("a") as file:
            file.write("\n# changed")
        jit._sources_digest.cache_clear()
        assert (jit.kernel_cache() != before) is changes
    finally:
        jit._sources_digest.cache_clear()
