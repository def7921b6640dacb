"""A wheel contains the guide, the lessons, the translations and the bundled corpora.

If hatchling is installed, the wheel is built. Otherwise its files are copied as pyproject.toml
says, so the test needs no network.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILD = "from hatchling.build import build_wheel; import sys; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel installs it."""
    folder = tmp_path_factory.mktemp("wheel")
    place = folder / "installed"
    if importlib.util.find_spec("hatchling"):
        subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, check=True)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(place)
        return place
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel_target = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = {name: name for name in wheel_target["packages"]} | wheel_target["force-include"]
    for source, target in folders.items():
        shutil.copytree(ROOT / source, place / target, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.mark.gui
@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Lessons: What a window does"), ("de", "Lektionen: Was ein Fenster bewirkt")],
)
def test_a_wheel_installs_its_resources_and_opens_without_a_network(
    language: str, title: str, installation: Path, home: Path, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "WORKBENCH_HOME": str(home),
        "WORKBENCH_LANGUAGE": language,
        "PYTHONIOENCODING": "utf-8",
    }
    process = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "tools" / "installed.py"), str(installation)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines()[0] == title


def test_an_sdist_has_the_workflow_and_the_run_that_its_documents_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    documents = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    documents += "".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))
    folders = [name for name in (".ci", ".github", "docs", "tests") if f"{name}/" in documents]
    assert folders == [".ci", ".github", "docs", "tests"]
    assert [name for name in folders if f"/{name}" not in patterns] == []
