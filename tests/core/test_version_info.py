"""Versions, licences and citations match what is declared and installed."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ElementTree
from importlib import metadata
from pathlib import Path

from workbench import __version__
from workbench.core import version_info
from workbench.core.folders import resources

_ROOT = Path(__file__).resolve().parents[2]


def test_every_dependency_that_is_declared_is_named() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    tokenisers = ("chinese", "japanese", "korean", "thai", "vietnamese")
    wanted = [*project["dependencies"], *extras["parquet"]]
    wanted += [one for name in tokenisers for one in extras[name]]
    names = {re.split(r"[<>=!~ \[]", one)[0].lower() for one in wanted}
    assert names == {name.lower() for name in version_info._ROOTS}


def test_libraries_have_their_versions_and_licences() -> None:
    libraries = {library.name.lower(): library for library in version_info.installed_libraries()}
    for name in ("numpy", "scipy", "numba", "llvmlite"):
        assert libraries[name].version == metadata.version(name)
    assert "LGPL" in libraries["pyside6_essentials"].licence
    assert all(library.licence and len(library.licence) <= 120 for library in libraries.values())
    # Libraries that only tests need are not listed.
    assert "pytest" not in libraries


def test_versions_are_listed_line_by_line() -> None:
    lines = version_info.version_report().splitlines()
    assert lines[0] == f"Embedding Workbench {__version__}"
    assert any(line.startswith("Python 3.") for line in lines)
    assert f"numpy {metadata.version('numpy')}" in lines


def test_the_version_is_the_same_in_all_files() -> None:
    assert f"version = {{{__version__}}}" in version_info.bibtex()
    citation = (_ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in citation
    metainfo = ElementTree.parse(resources() / "desktop" / "embedding-workbench.metainfo.xml")
    release = metainfo.find("releases/release")
    assert release is not None
    assert release.get("version") == __version__
    assert f"\ndate-released: {release.get('date')}\n" in citation
    assert __version__ in (_ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_bibtex_entry_is_balanced() -> None:
    text = version_info.bibtex()
    assert text.startswith("@software{")
    assert text.count("{") == text.count("}")


def test_the_licence_is_the_projects() -> None:
    assert version_info.licence_text() == (_ROOT / "LICENSE").read_text("utf-8")
