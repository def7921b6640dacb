"""Contents of the program without Python that ``tests/tools/bundle.py`` builds."""

from __future__ import annotations

import configparser
import os
import runpy
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tools import bundle
from tools.bundle import is_wanted, languages

from workbench import __version__


def test_qt_speaks_the_languages_of_the_workbench_and_no_others() -> None:
    assert languages() == ["de"]
    for folder in ("PySide6/Qt/translations/", "PySide6\\translations\\"):
        assert is_wanted(f"{folder}qtbase_de.qm")
        for name in ("qtbase_fr.qm", "qt_de.qm", "qtdeclarative_de.qm"):
            assert not is_wanted(folder + name)
    assert is_wanted("workbench/resources/translations/de.mo")


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Quick.so.6",
        "PySide6\\Qt6Qml.dll",
        "PySide6/Qt/lib/QtPdf.framework/Versions/A/QtPdf",
        "PySide6/Qt/lib/libQt6VirtualKeyboard.so.6",
    ],
)
def test_libraries_that_the_window_never_loads_are_left_out_on_each_system(name: str) -> None:
    assert not is_wanted(name)
    for other in ("Quick", "Qml", "Pdf", "VirtualKeyboard"):
        name = name.replace(other, "Widgets")
    assert is_wanted(name)


def test_an_installer_is_rebuilt_from_a_signed_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs: list[Path] = []

    def pack(program: Path, folder: Path) -> Path:
        programs.append(program)
        return Path(__file__)

    monkeypatch.setattr(bundle, "INSTALLERS", {sys.platform: pack})
    monkeypatch.setattr(bundle, "make_environment", lambda folder: pytest.fail("built again"))
    monkeypatch.setattr(sys, "argv", ["bundle.py", str(tmp_path), "--installer-only"])
    assert bundle.main() == 0
    assert programs == [tmp_path / "workbench"]


@pytest.mark.parametrize(
    ("platform", "consoles"),
    [
        ("linux", {"workbench": True}),
        ("win32", {"workbench": True, "Embedding Workbench": False}),
        ("darwin", {"workbench": False}),
    ],
)
def test_windows_has_a_program_for_the_terminal_too_and_macos_one_with_a_menu(
    platform: str, consoles: dict[str, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = ModuleType("PyInstaller.utils.hooks")
    vars(hooks).update(
        collect_submodules=lambda package: [f"{package}.core"],
        collect_data_files=lambda package, include_py_files: [],
        copy_metadata=lambda project: [],
    )
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
    flags: dict[str, bool] = {}
    bundle_options: dict[str, Any] = {}

    def collect_program(*parts: object, name: str, console: bool, **options: Any) -> str:
        flags[name] = console
        return name

    collect_calls: list[tuple[object, ...]] = []
    recipe = tmp_path / "workbench.spec"
    libraries = tmp_path / "libraries.txt"
    recipe.write_text(
        bundle.spec_text(platform, tmp_path / "main.py", tmp_path / "kernels", libraries)
    )
    substitutes = {
        "Analysis": lambda scripts, **options: SimpleNamespace(
            binaries=[("PySide6/Qt6Qml.dll", "", ""), ("libffi.so", "/lib/libffi.so", "BINARY")],
            datas=[],
            pure=[],
            scripts=scripts,
        ),
        "PYZ": lambda modules: "archive",
        "EXE": collect_program,
        "COLLECT": lambda *parts, name: collect_calls.append(parts),
        "BUNDLE": lambda folder, **options: bundle_options.update(options),
    }
    runpy.run_path(str(recipe), init_globals=substitutes)
    assert flags == consoles
    assert collect_calls == [(*consoles, [("libffi.so", "/lib/libffi.so", "BINARY")], [])]
    assert libraries.read_text("utf-8") == "/lib/libffi.so\n"
    assert bundle_options["name"] == "Embedding Workbench.app"
    assert bundle_options["version"] == __version__


def test_a_later_setup_leaves_no_file_of_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda words, check: None)
    folder = tmp_path / "Größe"
    folder.mkdir()
    bundle.make_setup(folder / "workbench", folder)
    text = (folder / "workbench.iss").read_text("utf-8-sig")
    assert (folder / "workbench.iss").read_bytes().startswith(b"\xef\xbb\xbf")
    recipe = configparser.ConfigParser(delimiters="=", interpolation=None, allow_no_value=True)
    recipe.optionxform = str  # type: ignore[assignment, method-assign]
    recipe.read_string(text)
    assert recipe["Setup"]["AppVersion"] == __version__
    assert list(recipe["InstallDelete"]) == ['Type: filesandordirs; Name: "{app}\\_internal"']
    (files,) = recipe["Files"]
    assert f'Source: "{folder / "workbench"}\\*"' in files
    assert files.endswith("Flags: recursesubdirs ignoreversion")
    (shortcut,) = recipe["Icons"]
    assert shortcut.endswith('Filename: "{app}\\Embedding Workbench.exe"')


def test_licences_of_the_program_and_of_its_packages_are_in_it(tmp_path: Path) -> None:
    bundle.copy_licences(Path(sys.executable), [], tmp_path)
    own = (tmp_path / "workbench" / "LICENSE").read_text("utf-8")
    assert own == (bundle.ROOT / "LICENSE").read_text("utf-8")
    names = {folder.name for folder in tmp_path.iterdir()}
    assert {"numpy", "scipy", "numba", "llvmlite", "pyqtgraph", "python"} <= names
    # Contains no licence, but says that it is under the LGPL.
    (metadata,) = (tmp_path / "PySide6_Essentials").iterdir()
    assert "LGPL" in metadata.read_text("utf-8")
    assert not list(tmp_path.rglob("*.py*"))


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="packages of Debian")
def test_licences_of_the_systems_libraries_are_in_it(tmp_path: Path) -> None:
    shell = os.path.realpath("/bin/sh")
    bundle.copy_licences(Path(sys.executable), [shell], tmp_path)
    assert list(tmp_path.glob("*/copyright"))


def make_single(folder: Path) -> Path:
    """A single file with a program that prints its first argument."""
    program = folder / "workbench" / "workbench"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "started with $1"\n')
    program.chmod(0o755)
    return bundle.pack(program.parent, folder)


def replace_tar(folder: Path, script: str) -> str:
    """A PATH in which a script takes the place of tar."""
    folder.mkdir()
    (folder / "tar").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "tar").chmod(0o755)
    return f"{folder}:/bin:/usr/bin"


def start(
    single: Path, place: Path, path: str = "/bin:/usr/bin"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(single), "a b"],
        env={"PATH": path, "WORKBENCH_BUNDLE": str(place)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unpacks itself on Linux")
def test_the_single_file_unpacks_itself_once_or_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "Mein Ordner ä"
    single = make_single(folder)
    for _ in range(2):
        assert start(single, folder / "unpacked").stdout == "started with a b\n"
    (copy,) = (folder / "unpacked").iterdir()
    # A copy in a shared folder can be started by everyone.
    assert copy.stat().st_mode & 0o755 == 0o755
    failure = start(single, single / "unpacked")
    assert failure.returncode == 1
    assert f"Couldn’t unpack Embedding Workbench into {single / 'unpacked'}." in failure.stderr
    assert "Set WORKBENCH_BUNDLE to a folder" in failure.stderr
    assert failure.stderr.count("\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unpacks itself on Linux")
def test_an_incomplete_file_says_so(tmp_path: Path) -> None:
    single = make_single(tmp_path)
    single.write_bytes(single.read_bytes()[:-10])
    failure = start(single, tmp_path / "unpacked")
    assert failure.returncode == 1
    assert "workbench.run is incomplete. Download it again." in failure.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unpacks itself on Linux")
def test_a_full_disk_is_reported_in_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    single = make_single(tmp_path)
    path = replace_tar(tmp_path / "bin", "echo one >&2; echo two >&2; exit 2")
    failure = start(single, tmp_path / "unpacked", path)
    assert failure.returncode == 1
    assert failure.stderr.count("\n") == 1
    assert "free space" in failure.stderr
    assert not list((tmp_path / "unpacked").iterdir())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unpacks itself on Linux")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_unpacking_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    single = make_single(tmp_path)
    path = replace_tar(tmp_path / "bin", 'touch "$4/half"\nexec sleep 600')
    unpacked = tmp_path / "unpacked"

    def obey_signals() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    with subprocess.Popen(
        ["sh", single],
        env={"PATH": path, "WORKBENCH_BUNDLE": str(unpacked)},
        start_new_session=True,
        preexec_fn=obey_signals,
    ) as child:
        while not list(unpacked.glob("part.*/half")):
            assert child.poll() is None
            time.sleep(0.01)
        os.killpg(child.pid, number)
        assert child.wait(60) != 0
    assert not list(unpacked.iterdir())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unpacks itself on Linux")
def test_leftovers_of_an_old_unpacking_are_removed(tmp_path: Path) -> None:
    single = make_single(tmp_path)
    unpacked = tmp_path / "unpacked"
    for name, days in (("part.aaaaaa", 3.0), ("part.bbbbbb", 0.5), ("parts", 3.0)):
        (unpacked / name).mkdir(parents=True)
        os.utime(unpacked / name, (0, time.time() - days * 86400))
    assert start(single, unpacked).returncode == 0
    left = {place.name for place in unpacked.iterdir() if place.name.startswith("part")}
    assert left == {"part.bbbbbb", "parts"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unpacks itself on Linux")
def test_a_new_version_removes_copies_that_nobody_has_started_for_a_month(tmp_path: Path) -> None:
    (tmp_path / "disk" / "unpacked").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    # Processes are identified by their resolved path, not the link’s.
    copies_folder = tmp_path / "link" / "unpacked"
    environment = {"PATH": "/bin:/usr/bin", "WORKBENCH_BUNDLE": str(copies_folder)}
    # Folders of other programs: in one, the program is a folder; another contains no program.
    others = {"embeddings-class", "0123456789abcdef", "fedcba9876543210"}
    for name in others:
        (copies_folder / name / ("workbench/workbench" if name[0] == "0" else "x")).mkdir(
            parents=True
        )
    (copies_folder / "embeddings-class" / "workbench").mkdir()
    (copies_folder / "embeddings-class" / "workbench" / "workbench").touch(0o755)

    def version(name: str, data: bytes) -> Path:
        program = tmp_path / name / "workbench" / "workbench"
        program.parent.mkdir(parents=True)
        program.write_bytes(data)
        program.chmod(0o755)
        return bundle.pack(program.parent, tmp_path / name)

    def start(single: Path) -> None:
        subprocess.run(["sh", single], env=environment, check=True)

    def copies() -> set[str]:
        return {place.name for place in copies_folder.iterdir()} - others

    def age(days: float) -> None:
        for place in copies_folder.iterdir():
            os.utime(place, (0, time.time() - days * 86400))

    sleeper = version("sleeper", Path("/bin/sleep").read_bytes())
    with subprocess.Popen(["sh", sleeper, "600"], env=environment) as running:
        try:
            while not Path(f"/proc/{running.pid}/exe").resolve().is_relative_to(tmp_path):
                assert running.poll() is None
                time.sleep(0.01)
            (alive,) = copies()
            start(version("first", b"#!/bin/sh\n"))
            age(29)
            start(version("second", b"#!/bin/sh\n#2\n"))
            assert len(copies()) == 3
            age(32)
            start(tmp_path / "first" / "workbench.run")
            start(version("third", b"#!/bin/sh\n#3\n"))
            # The first was started again, the second wasn’t.
            assert len(copies()) == 3
            assert alive in copies()
        finally:
            running.kill()
    assert others <= {place.name for place in copies_folder.iterdir()}
