"""``workbench install-desktop``: writing and removing the files that desktops look for."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import struct
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from workbench.__main__ import main
from workbench.cli import desktop
from workbench.core.folders import resources

_ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux desktops")


@pytest.fixture(autouse=True)
def _own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def entry_of(share: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(share / "applications" / f"{desktop.NAME}.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def test_desktop_files_are_installed_for_the_user_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    share = tmp_path / "data"
    assert main(["install-desktop"]) == 0
    assert all((share / name).is_file() for name in desktop.desktop_files())
    entry = entry_of(share)
    assert entry["Exec"] == f"{desktop.launch_command()} %F"
    assert "TryExec" not in entry
    assert entry["Icon"] == desktop.NAME
    # Installing twice does no harm.
    assert main(["install-desktop"]) == 0
    (share / "applications" / "other.desktop").write_text("[Desktop Entry]\n")
    assert main(["install-desktop", "--remove"]) == 0
    assert "Removed" in capsys.readouterr().out
    leftovers = [path.name for path in share.rglob("*") if path.is_file()]
    assert [name for name in leftovers if desktop.NAME in name] == []
    assert "other.desktop" in leftovers
    assert main(["install-desktop", "--remove"]) == 0
    assert "Nothing to remove" in capsys.readouterr().out


def test_a_prefix_may_be_named_and_one_that_cannot_be_written_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install-desktop", "--prefix", str(tmp_path / "usr")]) == 0
    assert (tmp_path / "usr/share/icons/hicolor/scalable/apps/embedding-workbench.svg").is_file()
    (tmp_path / "file").write_text("")
    assert main(["install-desktop", "--prefix", str(tmp_path / "file")]) == 2
    assert "Couldn’t write to" in capsys.readouterr().err


def test_words_of_exec_are_quoted_as_the_specification_says() -> None:
    assert desktop._quote("/opt/bin/workbench") == "/opt/bin/workbench"
    assert desktop._quote("/my tools/100%") == '"/my tools/100%%"'
    assert desktop._quote('a"b$') == '"a\\\\"b\\\\$"'


def test_the_menu_starts_the_single_file_of_a_bundled_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    single = tmp_path / "my downloads" / "workbench.run"
    single.parent.mkdir()
    single.write_text("")
    monkeypatch.setenv("APPIMAGE", str(single))
    monkeypatch.delenv("WORKBENCH_BUNDLE", raising=False)
    assert desktop.launch_command() == f'sh "{single}"'
    single.chmod(0o755)
    assert desktop.launch_command() == f'"{single}"'
    # Without it, the program would be unpacked into a home that may be too small.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_BUNDLE", "large")
    assert desktop.launch_command() == f'env WORKBENCH_BUNDLE={tmp_path}/large "{single}"'
    monkeypatch.delenv("APPIMAGE")
    assert desktop.launch_command() == sys.executable


def test_pictures_have_the_sizes_that_they_are_named_by() -> None:
    pictures = sorted((resources() / "desktop" / "icons").glob("*.png"))
    assert len(pictures) >= 6
    for picture in pictures:
        head = picture.read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", head[16:24]) == (int(picture.stem), int(picture.stem))


def test_the_wheel_installs_the_same_files() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))
    data_files = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    wanted = {f"share/{name}": source for name, source in desktop.desktop_files().items()}
    assert {place: (_ROOT / source).resolve() for source, place in data_files.items()} == wanted


def validator(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        if os.environ.get("WORKBENCH_CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return path


def test_the_metainfo_is_valid() -> None:
    metainfo = resources() / "desktop" / f"{desktop.NAME}.metainfo.xml"
    process = subprocess.run(
        [validator("appstreamcli"), "validate", "--no-net", str(metainfo)],
        check=False,
        capture_output=True,
        text=True,
    )
    # Tags of errors and warnings; the set depends on the version of AppStream.
    issues = set(re.findall(r"^[EW]: .*: ([\w-]+)$", process.stdout, re.MULTILINE))
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    if "urls" not in project:
        # As long as the project has no address, see docs/release.md.
        issues -= {"url-homepage-missing", "cid-desktopapp-is-not-rdns"}
    assert not issues
    assert "Validation" in process.stdout


def test_the_entry_is_valid() -> None:
    entry = resources() / "desktop" / f"{desktop.NAME}.desktop"
    assert not subprocess.check_output([validator("desktop-file-validate"), str(entry)])
