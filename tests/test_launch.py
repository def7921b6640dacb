from __future__ import annotations

import importlib.util
import os
import platform
import re
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import launch
from workbench.core.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="displays and libraries are looked at on Linux"
)
needs_xcb = pytest.mark.skipif(bool(launch._load("libxcb.so.1")), reason="needs libxcb1")


def run_main(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    variables.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, *options, str(ROOT / "main.py")],
        env={**variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


# -- Python packages


def test_the_dependencies_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    dependencies = {re.split(r"[<>=!~ \[;]", line)[0] for line in project["dependencies"]}
    assert set(launch.DEPENDENCIES.values()) == dependencies


def test_no_package_is_missing_here() -> None:
    assert launch.missing_dependency() is None


def test_missing_packages_have_their_names_on_pypi(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: None if name in ("numba", "PySide6") else find_spec(name),
    )
    problem = launch.missing_dependency()
    assert problem is not None
    assert problem.message == "The Python packages PySide6-Essentials and numba aren’t installed."
    assert re.fullmatch(r"Run: .*-m pip .*install --editable .*", problem.hint)


def test_main_names_what_is_missing_on_one_line() -> None:
    process = run_main("-S")  # without site-packages
    assert process.returncode == 2
    assert process.stdout == ""
    assert len(process.stderr.splitlines()) == 1
    assert "numba" in process.stderr
    assert "install --editable" in process.stderr


# -- displays


@linux
def test_main_without_a_display_is_one_line() -> None:
    process = run_main()
    assert process.returncode == 2
    assert process.stdout == ""
    assert len(process.stderr.splitlines()) == 1
    # either message is right: a machine without a display often lacks Qt's libraries too
    assert "DISPLAY" in process.stderr or "Install with" in process.stderr


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, ()),
        ({"DISPLAY": ":0"}, ("xcb",)),
        ({"WAYLAND_DISPLAY": "wayland-0"}, ("wayland",)),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ("xcb", "wayland")),
        (
            {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland"},
            ("wayland", "xcb"),
        ),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, ("offscreen",)),
        ({"QT_QPA_PLATFORM": "wayland;xcb:glx=none"}, ("wayland", "xcb")),
    ],
)
def test_platforms_that_qt_would_try(
    environment: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert launch.platforms(environment) == expected


@pytest.fixture
def libraries_present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "diagnose_libraries", lambda qt, plugin: None)


def diagnose(monkeypatch: pytest.MonkeyPatch, **environment: str) -> UserError | None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return launch.diagnose_display(seconds=0.5)


@linux
@pytest.mark.usefixtures("libraries_present")
def test_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = diagnose(monkeypatch)
    assert problem is not None
    assert "DISPLAY" in problem.message
    assert diagnose(monkeypatch, QT_QPA_PLATFORM="offscreen") is None


@linux
@needs_xcb
@pytest.mark.usefixtures("libraries_present")
def test_a_display_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = diagnose(monkeypatch, DISPLAY=":54321")
    assert problem is not None
    assert problem.message == "The X display “:54321” (DISPLAY) doesn’t respond."


@linux
@needs_xcb
@pytest.mark.usefixtures("libraries_present")
def test_a_display_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(
        number for number in range(50_000, 60_000) if not Path(f"/tmp/.X11-unix/X{number}").exists()
    )
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0/tmp/.X11-unix/X{number}")
        server.listen()
        problem = diagnose(monkeypatch, DISPLAY=f":{number}")
        server.accept()[0].close()
    assert problem is not None
    assert f":{number}" in problem.message
    for thread in threading.enumerate():
        if thread.name == "display-probe":
            thread.join(10)


@linux
@pytest.mark.usefixtures("libraries_present")
def test_wayland_is_found_by_its_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    problem = diagnose(monkeypatch, WAYLAND_DISPLAY="wl")
    assert problem is not None
    assert "“wl” (WAYLAND_DISPLAY)" in problem.message
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wl"))
        server.listen()
        assert diagnose(monkeypatch, WAYLAND_DISPLAY="wl") is None
        # one display that answers is enough
        assert diagnose(monkeypatch, WAYLAND_DISPLAY="wl", DISPLAY=":54321") is None


# -- system libraries


@pytest.fixture
def qt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Make a folder laid out as PySide6/Qt, on a system that lacks the named libraries."""
    needs = {
        "lib/libQt6Core.so.6": ["libglib-2.0.so.0", "libc.so.6"],
        "lib/libQt6Gui.so.6": ["libEGL.so.1", "libGL.so.1", "libxkbcommon.so.0"],
        "lib/libQt6XcbQpa.so.6": ["libxcb-cursor.so.0", "libxcb-icccm.so.4"],
        "plugins/platforms/libqxcb.so": ["libQt6XcbQpa.so.6", "libodd.so.9"],
    }

    def make(*lacks: str, system: str = "debian") -> Path:
        for name, sonames in needs.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"\x7fELF\0" + b"".join(soname.encode() + b"\0" for soname in sonames))

        def load(library: str) -> str:
            wanted = (
                needs.get(str(Path(library).relative_to(tmp_path)), [])
                if "/" in library
                else [library]
            )
            first = next((name for name in wanted if name in lacks), "")
            return (
                f"{first}: cannot open shared object file: No such file or directory"
                if first
                else ""
            )

        monkeypatch.setattr(launch, "_load", load)
        monkeypatch.setattr(
            platform, "freedesktop_os_release", lambda: {"ID": "some", "ID_LIKE": system}
        )
        return tmp_path

    return make


def test_every_missing_library_is_named_with_its_package(qt: Callable[..., Path]) -> None:
    # libxcb-image is missing too, but nothing here needs it
    folder = qt("libEGL.so.1", "libxkbcommon.so.0", "libglib-2.0.so.0", "libxcb-image.so.0")
    problem = launch.diagnose_libraries(folder, None)
    assert problem is not None
    assert (
        problem.message
        == "Qt needs the system libraries libEGL.so.1, libglib-2.0.so.0 and libxkbcommon.so.0."
    )
    assert problem.hint == "Install with: sudo apt-get install libegl1 libglib2.0-0 libxkbcommon0"
    assert launch.diagnose_libraries(folder, "xcb") is None


def test_a_plugins_libraries(qt: Callable[..., Path]) -> None:
    problem = launch.diagnose_libraries(qt("libxcb-cursor.so.0", system="fedora"), "xcb")
    assert problem is not None
    assert problem.message == "Qt needs the system library libxcb-cursor.so.0."
    assert problem.hint == "Install with: sudo dnf install xcb-util-cursor"


def test_a_library_that_nobody_listed(qt: Callable[..., Path]) -> None:
    problem = launch.diagnose_libraries(qt("libodd.so.9", "libxcb-cursor.so.0"), "xcb")
    assert problem is not None
    assert "libodd.so.9 and libxcb-cursor.so.0" in problem.message
    assert problem.hint == (
        "Install with: sudo apt-get install libxcb-cursor0; Install the packages of your system "
        "that provide libodd.so.9"
    )


def test_a_library_that_is_broken_in_another_way(
    qt: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = qt()
    monkeypatch.setattr(
        launch, "_load", lambda name: "version `GLIBC_2.99' not found" if "Core" in name else ""
    )
    problem = launch.diagnose_libraries(folder, None)
    assert problem is not None
    assert "GLIBC_2.99" in problem.message


def test_nothing_missing(qt: Callable[..., Path]) -> None:
    assert launch.diagnose_libraries(qt(), None) is None
    assert launch.diagnose_libraries(qt(), "xcb") is None
    assert launch.diagnose_libraries(qt(), "some-other-platform") is None


# -- the window's memory


def test_a_window_loads_no_more_than_it_needs() -> None:
    """The compiler, OpenSSL, scipy’s trees and numpy’s test and Fortran parts aren’t loaded, but
    can be imported.
    """
    code = (
        "import sys, workbench.ui.shell.application;"
        "unwanted = {'numba', 'llvmlite', 'ssl', 'scipy.spatial', 'scipy.fft', 'scipy.optimize'};"
        "unwanted |= {'numpy.f2py', 'numpy.testing', 'unittest', 'asyncio'};"
        # NumPy 1 imports it itself.
        "unwanted |= {'numpy.ctypeslib'} if sys.modules['numpy'].__version__ >= '2' else set();"
        "assert not unwanted & sys.modules.keys(), unwanted & sys.modules.keys();"
        "import numpy; assert numpy.testing.assert_array_equal; import numpy.f2py"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
