from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import pytest

import workbench
from workbench.core import jit
from workbench.core.jit import kernel
from workbench.core.machine.processor import supported_levels
from workbench.core.processes.child_process import child_environment

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


def test_one_process_at_a_time_saves_compiled_code(home: Path) -> None:
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


def test_kernels_that_cannot_be_saved_still_run_and_this_is_reported_once(home: Path) -> None:
    """The disk is full, for example."""
    run(
        """
        import errno, logging, os
        from numba.core import caching
        from workbench.core import jit
        from workbench.analysis.projection.disc_kernels import warm
        from workbench.vectors.formats import row_kernel
        tried = []
        def save(*_):
            tried.append(1)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        jit.kernel_cache = lambda: __import__("pathlib").Path(os.environ["EMPTY"])
        jit.load_numba()
        caching.IndexDataCacheFile.save = save
        reports = []
        handler = logging.Handler()
        handler.emit = lambda record: reports.append(record.getMessage())
        logging.getLogger("workbench.kernels").addHandler(handler)
        warm()
        row_kernel.warm()
        assert len(tried) > 1
        assert len(reports) == 1 and os.strerror(errno.ENOSPC) in reports[0]
        """,
        EMPTY=str(home / "empty"),
    )


def test_division_by_zero_is_numpys() -> None:
    assert ratio(1.0, 0.0) == float("inf")


def test_a_kernel_is_named_as_its_function() -> None:
    assert vars(square)["__name__"] == "square"


def run(code: str, **environment: str) -> str:
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


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
    """A small package in place of the workbench, for testing the cache’s key."""
    root = tmp_path / "package"
    (root / "core").mkdir(parents=True)
    (root / "core" / "jit.py").write_text("# the decorator")
    (root / "kernels.py").write_text("from workbench.core.jit import kernel")
    (root / "panel.py").write_text("# no kernels here")
    (root / "models" / "count").mkdir(parents=True)
    (root / "models" / "count" / "kernels.py").write_text("from workbench.core.jit import kernel")
    monkeypatch.setattr(jit, "_PACKAGE", root)
    jit._sources_digest.cache_clear()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    return root


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("kernels.py", True),
        ("core/jit.py", True),
        ("models/count/kernels.py", True),
        ("panel.py", False),
    ],
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


def test_the_window_whose_files_the_cache_skips_has_no_kernels() -> None:
    files = (Path(jit.__file__).parents[1] / "ui").rglob("*.py")
    assert [path for path in files if "core.jit" in path.read_text("utf-8")] == []


def test_numbers_that_kernels_import_come_from_files_that_the_cache_follows() -> None:
    """Kernels contain values of constants, so the cache’s key covers modules that define them."""
    missing = []
    for module_info in walk_packages(workbench.__path__, "workbench."):
        if module_info.name.startswith("workbench.ui") or module_info.name.endswith("__main__"):
            continue
        module = import_module(module_info.name)
        sources = {
            alias.asname or alias.name: node.module
            for node in ast.parse(Path(str(module.__file__)).read_text("utf-8")).body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for value in list(vars(module).values()):
            if not isinstance(value, jit.Kernel) or value.py_func.__module__ != module_info.name:
                continue
            for name in set(value.py_func.__code__.co_names) & set(sources):
                if isinstance(vars(module)[name], (int, float, str, tuple, np.ndarray)):
                    source = Path(str(import_module(str(sources[name])).__file__))
                    if b"workbench.core.jit" not in source.read_bytes():
                        missing.append(f"{module_info.name} imports {name}")
    assert missing == []


@pytest.fixture
def kernel_folder(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of kernels compiled for the sources of ``package``."""
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    folder = package / "kernels" / jit._sources_digest()
    folder.mkdir(parents=True)
    jit.shipped_kernels.cache_clear()
    yield folder
    jit.shipped_kernels.cache_clear()
    jit._sources_digest.cache_clear()


@pytest.mark.parametrize(
    ("levels", "expected"),
    [(("fast", "slow"), "fast"), (("slow",), "slow"), (("newer", "slow"), "slow"), ((), None)],
)
def test_the_fastest_shipped_level_of_this_processor_is_chosen(
    kernel_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    levels: tuple[str, ...],
    expected: str | None,
) -> None:
    for level in ("fast", "slow"):
        (kernel_folder / level).mkdir()
    monkeypatch.setattr(jit, "supported_levels", lambda: levels)
    folder = jit.shipped_kernels()
    assert (folder and folder.name) == expected


@pytest.mark.parametrize("reason", ["another processor is asked for", "other sources", "none"])
def test_shipped_kernels_that_do_not_fit_are_not_used(
    kernel_folder: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    (kernel_folder / "fast").mkdir()
    monkeypatch.setattr(jit, "supported_levels", lambda: ("fast",))
    if reason == "another processor is asked for":
        monkeypatch.setenv("NUMBA_CPU_NAME", "znver3")
    elif reason == "other sources":
        (kernel_folder.parents[1] / "kernels.py").write_text("from workbench.core.jit import other")
        jit._sources_digest.cache_clear()
    else:
        shutil.rmtree(kernel_folder.parent)
    assert jit.shipped_kernels() is None


def test_shipped_kernels_are_used_and_nothing_is_compiled(home: Path, tmp_path: Path) -> None:
    """Kernels compiled for a level and moved to where a bundle has them are found there by another
    process, whose own folder for compiled kernels is empty.
    """
    level = supported_levels()[-1:]
    if not level:
        pytest.skip("there is no level for this processor")
    warm = """
        from workbench.analysis.projection.disc_kernels import warm
        from workbench.core import jit
        warm()
    """
    compiling = tmp_path / "compiling"
    run(warm, WORKBENCH_HOME=str(compiling), NUMBA_CPU_NAME=level[0], NUMBA_CPU_FEATURES="")
    (compiled,) = compiling.joinpath("cache", "kernels").iterdir()
    compiled.rename(tmp_path / level[0])
    compiled = tmp_path / level[0]
    assert any(compiled.rglob("*.nbc"))
    output = run(
        f"""
        from pathlib import Path
        from workbench.core import jit
        jit.shipped_kernels = lambda: Path({str(compiled)!r})
        {warm}
        from numba import config
        from workbench.core.machine.processor import features_of
        assert jit.target_features() == features_of(config.CPU_NAME)
        print(config.CPU_NAME, sum(1 for _ in jit.kernel_cache().rglob("*.nbc")))
        """,
        WORKBENCH_HOME=str(tmp_path / "empty"),
    )
    assert output.split() == [level[0], "0"]


def test_umap_learn_is_imported_without_its_search() -> None:
    """Afterwards, pynndescent is the real one."""
    code = (
        "import sys, inspect; from workbench.core.jit import load_umap_learn; "
        "umap = load_umap_learn(); known = {*sys.modules}; import pynndescent; "
        "print(any(name.startswith('pynndescent') for name in known), "
        "hasattr(umap.umap_.NNDescent, 'query'), hasattr(pynndescent.NNDescent, 'query'))"
    )
    environment = {**child_environment(), "NUMBA_DISABLE_JIT": "1"}
    answer = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, check=True
    )
    assert answer.stdout.split() == [b"False", b"False", b"True"]
