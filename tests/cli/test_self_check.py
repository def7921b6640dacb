"""``workbench self-check``: one line per check, and exit code 1 if anything is wrong."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench import launch
from workbench.__main__ import main
from workbench.cli import self_check
from workbench.counts.formats import COUNT_FORMATS
from workbench.launch import qt_folder
from workbench.vectors.formats import FORMATS

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fonts are those of Linux")


def test_all_parts_but_the_window_pass_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["self-check", "--no-window"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert all(line.startswith(("ok ", "skipped ")) for line in lines)
    for name in (
        "resources:",
        "languages: Deutsch with",
        "corpus: 1,000,008 tokens",
        "training sgns: answers ",
    ):
        assert any(name in line for line in lines), name
    for noun, registry in (("vectors", FORMATS), ("counts", COUNT_FORMATS)):
        for kind in registry:
            assert any(f" {noun} as {kind.key}:" in line for line in lines), kind.key
    assert last == f"{len(lines)} checks, 0 failed"


def test_a_window_is_drawn_without_a_display(capsys: pytest.CaptureFixture[str]) -> None:
    if qt_folder() is None:
        pytest.skip("PySide6 is not installed")
    assert "drawn" in self_check._window()


@linux
def test_a_window_without_fonts_is_wrong(
    no_fonts: None, capsys: pytest.CaptureFixture[str]
) -> None:
    if qt_folder() is None:
        pytest.skip("PySide6 is not installed")
    assert not self_check._run_check("window", self_check._window)
    out = capsys.readouterr().out
    assert out.startswith("FAILED   window: No fonts were found: every letter in the window is a ")
    assert "Install with: " in out


@pytest.fixture
def qt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder laid out as PySide6/Qt, on a Debian that has all libraries, and no display."""
    plugins = tmp_path / "plugins" / "platforms"
    plugins.mkdir(parents=True)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libQt6Gui.so.6").write_bytes(b"\0libEGL.so.1\0")
    (plugins / "libqxcb.so").write_bytes(b"\0libxcb-cursor.so.0\0")
    (plugins / "libqwayland.so").write_bytes(b"\0libwayland-cursor.so.0\0")
    monkeypatch.setattr(self_check, "qt_folder", lambda: tmp_path)
    monkeypatch.setattr(launch, "_load", lambda library: "")
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": "debian"})
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def remove_library(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Let all files that contain the name of a library fail to load, as without that library."""

    def load(library: str) -> str:
        path = Path(library)
        needs = path.read_bytes() if path.is_file() else library.encode()
        return f"{missing}: cannot open shared object file" if missing.encode() in needs else ""

    monkeypatch.setattr(launch, "_load", load)


@pytest.mark.parametrize(
    ("name", "library", "package"),
    [
        ("window", "libEGL.so.1", "libegl1"),
        ("display", "libxcb-cursor.so.0", "libxcb-cursor0"),
    ],
)
def test_a_missing_library_is_wrong_in_a_program_that_needs_no_python(
    name: str,
    library: str,
    package: str,
    qt: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    remove_library(monkeypatch, library)
    check = {"window": self_check._window, "display": self_check._display}[name]
    told = f"{name}: Qt needs the system library {library}. Install with: sudo apt-get install "
    assert self_check._run_check(name, check)
    assert capsys.readouterr().out.startswith(f"skipped  {told}{package}")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not self_check._run_check(name, check)
    assert capsys.readouterr().out.startswith(f"FAILED   {told}{package}")


def test_one_display_of_the_session_is_enough(qt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert self_check._display() == "Qt’s platform plugin xcb can be loaded"
    remove_library(monkeypatch, "libxcb-cursor.so.0")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert self_check._display() == "Qt’s platform plugin wayland can be loaded"


def test_a_missing_plugin_is_wrong(
    qt: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    (qt / "plugins" / "platforms" / "libqxcb.so").unlink()
    assert not self_check._run_check("display", self_check._display)
    assert "Qt’s platform plugin xcb isn’t in " in capsys.readouterr().out


@pytest.mark.parametrize("folder", ["PySide6/Qt/translations", "PySide6/translations"])
def test_languages_that_qt_speaks_are_reported(
    folder: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(self_check, "qt_folder", lambda: tmp_path / "PySide6" / "Qt")
    assert self_check._languages() == "Deutsch without Qt’s own texts"
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "qtbase_de.qm").touch()
    assert self_check._languages() == "Deutsch with Qt’s own texts"


def test_the_origin_of_kernels_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bundle_folder, own = tmp_path / "x86-64-v3", tmp_path / "own"
    for path in (bundle_folder / "models" / "a.nbc", bundle_folder / "b.nbc", own / "c.nbc"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr(self_check, "kernel_cache", lambda: own)
    assert self_check._kernels() == "1 compiled for this processor"
    monkeypatch.setattr(self_check, "shipped_kernels", lambda: bundle_folder)
    assert self_check._kernels() == "2 shipped for x86-64-v3, 1 compiled here"
    (own / "c.nbc").unlink()
    assert self_check._kernels() == "2 shipped for x86-64-v3, none compiled here"


def test_problems_are_named_and_end_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def worse() -> dict[str, Any]:
        training = {"algorithm": "ppmi", "parameters": {"window": 1}, "least_accuracy": 1.01}
        return {"corpus": {"key": "small-world", "tokens": 1, "types": 1}, "training": [training]}

    monkeypatch.setattr(self_check, "_expected_values", worse)
    monkeypatch.setattr(self_check, "_small", lambda: None)
    assert main(["self-check", "--no-window"]) == 1
    out = capsys.readouterr().out
    assert "FAILED   corpus: 1,000,008 tokens, 1,501 words; expected 1 and 1" in out
    assert "FAILED   training ppmi: answers " in out
    assert "Traceback" not in out
    assert out.splitlines()[-1].endswith(f"{2 + len(FORMATS)} failed")
