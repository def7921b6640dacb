"""``workbench self-check``: check of this installation, part by part."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core import plug_ins
from workbench.core.errors import Cancelled, UserError
from workbench.core.folders import resources
from workbench.core.jit import kernel_cache, shipped_kernels
from workbench.core.job_control import JobControl
from workbench.core.language import languages
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder
from workbench.core.processes.child_process import (
    child_environment,
    is_bundled,
    module_command,
)
from workbench.core.registry import Registry
from workbench.launch import diagnose_libraries, platforms, qt_folder
from workbench.vectors.embeddings import Embeddings

# Seconds after which a window that isn’t drawn counts as hanging.
_WINDOW_SECONDS = 240
# Modules that import all registries but those of the window.
_REGISTRIES = (
    "workbench.analysis.projection.methods",
    "workbench.counts.formats",
    "workbench.session.export",
    "workbench.vectors.formats.read_only",
)
# Words and dimension of the vectors that are written in each format.
_WORDS, _DIM = ("king", "queen", "naïve", "東京"), 5


class _Skipped(Exception):
    """A check isn't possible here, with the reason."""


class _Wrong(Exception):
    """A check found a problem."""


def self_check_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("--no-window", action="store_true", help="skip the check of the window")
    args = parser.parse_all(arguments)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("resources", _resources),
        ("languages", _languages),
        ("plug-ins", _plug_ins),
        ("corpus", _corpus),
        *(
            (f"training {one['algorithm']}", _training_of(one))
            for one in _expected_values()["training"]
        ),
        *((f"vectors as {key}", _vectors_as(key)) for key in _formats()),
        *((f"counts as {key}", _counts_as(key)) for key in _count_formats()),
    ]
    if not args.no_window:
        checks.append(("window", _window))
        if system().key == "linux":
            checks.append(("display", _display))
    # Last, because it reports the kernels that the other checks needed.
    checks.append(("kernels", _kernels))
    failed = sum(not _run_check(name, check) for name, check in checks)
    output.print_line(f"{len(checks)} checks, {failed} failed")
    if failed:
        return 1
    return 0


def _run_check(name: str, check: Callable[[], str]) -> bool:
    """Run one check and print its line; return whether it passed."""
    began = time.monotonic()
    try:
        said, verdict = check(), "ok"
    except _Skipped as reason:
        said, verdict = str(reason), "skipped"
    except (KeyboardInterrupt, Cancelled):
        raise
    except Exception as error:
        said, verdict = str(error), "FAILED"
        if not isinstance(error, (UserError, _Wrong)):
            said = f"{type(error).__name__}: {error}"
    output.print_line(
        f"{verdict:<8} {name}: {' '.join(said.split())} ({time.monotonic() - began:.1f} s)"
    )
    sys.stdout.flush()
    return verdict != "FAILED"


def _expected_values() -> dict[str, Any]:
    path = resources() / "self_check.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UserError(
            f"Couldn’t read {path}: {error}.", "Reinstall Embedding Workbench."
        ) from error


# -- the checks: each returns its findings, and raises an error for a problem


def _resources() -> str:
    folder = resources()
    for name in ("small_world", "similarity", "icons", "tour.toml"):
        if not (folder / name).exists():
            raise _Wrong(f"{folder / name} is missing")
    return f"{sum(path.is_file() for path in folder.rglob('*'))} files in {folder}"


def _languages() -> str:
    """The translations, and which of them Qt provides for its own buttons and menus."""
    qt = _qt_folder()
    # Windows has no folder “Qt”.
    folders = (qt / "translations", qt.parent / "translations")
    found = []
    for key, name in languages().items():
        known = any((folder / f"qtbase_{key}.qm").is_file() for folder in folders)
        found.append(f"{name} {'with' if known else 'without'} Qt’s own texts")
    return ", ".join(found)


def _plug_ins() -> str:
    """The packages that add to registries; wrong if something had to be left out. The check of the
    window covers what they add to the window.
    """
    from workbench.session.lessons.measures import measures

    for name in _REGISTRIES:
        import_module(name)
    for registry in Registry.by_group.values():
        registry.keys()
    measures()
    problems = plug_ins.problems()
    if problems:
        raise _Wrong(" ".join(problems))
    names = sorted({plug_ins.package_of(entry) for entry in plug_ins.installed()})
    return ", ".join(names) or "none installed"


def _corpus() -> str:
    from workbench.session.corpus.reading import read_corpus

    wanted = _expected_values()["corpus"]
    corpus = read_corpus([wanted["key"]])
    found = f"{corpus.tokens:,} tokens, {corpus.types:,} words"
    if (corpus.tokens, corpus.types) != (wanted["tokens"], wanted["types"]):
        raise _Wrong(f"{found}; expected {wanted['tokens']:,} and {wanted['types']:,}")
    return found


def _training_of(wanted: dict[str, Any]) -> Callable[[], str]:
    def check() -> str:
        from workbench.analysis.analogy.questions import load_questions
        from workbench.analysis.analogy.solver import evaluate
        from workbench.corpus.samples import SAMPLES
        from workbench.session.training.train_api import train

        key = _expected_values()["corpus"]["key"]
        questions = SAMPLES[key].questions
        if questions is None:
            raise _Wrong(f"{key} has no questions")
        vectors = train(key, wanted["algorithm"], **wanted["parameters"])
        found, least = (
            evaluate(vectors, load_questions(questions), "3cosadd", 0, JobControl()).all,
            wanted["least_accuracy"],
        )
        if not found >= least:
            raise _Wrong(f"answers {found:.0%} of the analogies, expected at least {least:.0%}")
        return f"answers {found:.0%} of the analogies, expected at least {least:.0%}"

    return check


def _formats() -> tuple[str, ...]:
    from workbench.vectors.formats import FORMATS

    return FORMATS.keys()


def _count_formats() -> tuple[str, ...]:
    from workbench.counts.formats import COUNT_FORMATS

    return COUNT_FORMATS.keys()


def _small() -> Embeddings:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((len(_WORDS), _DIM)).astype(np.float32)
    return Embeddings(words=_WORDS, vectors=vectors, counts=np.array([9, 7, 3, 2], dtype=np.int64))


def _vectors_as(key: str) -> Callable[[], str]:
    def check() -> str:
        from workbench.vectors.formats import FORMATS, load_vectors, save_vectors

        kind, written = FORMATS[key], _small()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"vectors{kind.suffixes[0]}"
            save_vectors(written, path, key)
            read = load_vectors(path)
            size = sum(
                file.stat().st_size
                for file in (path.rglob("*") if path.is_dir() else [path])
                if file.is_file()
            )
            if list(read.words) != list(_WORDS):
                raise _Wrong("the words that were read differ from the words that were written")
            if not np.array_equal(np.asarray(read.vectors), np.asarray(written.vectors)):
                raise _Wrong("the vectors that were read differ from the vectors that were written")
        return f"written and read, {size:,} bytes"

    return check


def _counts_as(key: str) -> Callable[[], str]:
    def check() -> str:
        import scipy.sparse as sp

        from workbench.counts.formats import COUNT_FORMATS
        from workbench.counts.formats.base import CountTable

        kind = COUNT_FORMATS[key]
        missing = kind.missing()
        if missing is not None:
            raise _Skipped(str(missing))
        counted = CountTable(
            matrix=sp.csr_matrix(
                np.array([[0.0, 3, 0, 1], [3, 0, 2, 0], [0, 2, 0, 0], [1, 0, 0, 0]])
            ),
            words=_WORDS,
            counts=np.array([9, 7, 3, 2], dtype=np.int64),
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"counts{kind.suffixes[0]}"
            kind.write(path, counted, JobControl())
            size = path.stat().st_size
        if not size:
            raise _Wrong("the file is empty")
        return f"written, {size:,} bytes"

    return check


def _window() -> str:
    """Check the window without a display, in a separate process."""
    qt = _qt_folder()
    problem = diagnose_libraries(qt, None) or diagnose_libraries(qt, "offscreen")
    if problem is not None:
        raise _no_window(str(problem))
    with _home_of_its_own() as (home, folder):
        picture = folder / "window.png"
        words = module_command("workbench", "--screenshot", str(picture), "--size", "1280x800")
        environment = {
            **child_environment(),
            "QT_QPA_PLATFORM": "offscreen",
            "WORKBENCH_HOME": str(home),
        }
        try:
            ended = subprocess.run(
                words,
                env=environment,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=_WINDOW_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _Wrong(f"the window wasn’t drawn within {_WINDOW_SECONDS} s") from None
        if ended.returncode or not picture.is_file():
            lines = ended.stderr.strip().splitlines() or ["the window couldn’t be drawn"]
            raise _Wrong(lines[-1])
        # The window reports on stderr what it leaves out.
        left_out = [line for line in ended.stderr.splitlines() if line.startswith(output.PLUG_IN)]
        if left_out:
            raise _Wrong(" ".join(left_out))
        return f"window drawn, {picture.stat().st_size:,} bytes"


def _display() -> str:
    """Check that Qt could show the window on a display of this session, or of X if there is none,
    without connecting to it. Qt falls back from one to the next, so one is enough.
    """
    qt = _qt_folder()
    candidates = [name for name in platforms(os.environ) if name in ("xcb", "wayland")] or ["xcb"]
    problems = []
    for name in candidates:
        folder = qt / "plugins" / "platforms"
        if not any(folder.glob(f"libq{name}*.so")):
            problems.append(f"Qt’s platform plugin {name} isn’t in {folder}.")
        elif problem := diagnose_libraries(qt, name):
            problems.append(str(problem))
        else:
            return f"Qt’s platform plugin {name} can be loaded"
    raise _no_window(problems[0])


def _qt_folder() -> Path:
    qt = qt_folder()
    if qt is None:
        raise _no_window("PySide6 is not installed")
    return qt


def _no_window(reason: str) -> Exception:
    """Something that keeps the window from opening. An installation with Python may be meant for
    the command line alone, but a program that needs no Python has to open one.
    """
    return _Wrong(reason) if is_bundled() else _Skipped(reason)


def _kernels() -> str:
    """The source of compiled kernels. With ``NUMBA_DISABLE_JIT``, there are none."""
    compiled = sum(1 for _ in kernel_cache().rglob("*.nbc"))
    shipped = shipped_kernels()
    if shipped is None:
        return f"{compiled} compiled for this processor"
    found = sum(1 for _ in shipped.rglob("*.nbc"))
    return f"{found} shipped for {shipped.name}, {compiled or 'none'} compiled here"


@contextmanager
def _home_of_its_own() -> Iterator[tuple[Path, Path]]:
    """A private home for settings and runs, with shared caches, and a folder."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        home.mkdir()
        # If that fails, the window compiles its own kernels.
        with suppress(OSError):
            os.symlink(cache_folder(), home / "cache", target_is_directory=True)
        yield home, Path(name)
