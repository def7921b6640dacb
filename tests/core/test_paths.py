from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core import paths
from workbench.core.errors import UserError


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    folders = [paths.settings_folder(), paths.store_folder(), paths.cache_folder("corpora", "abc")]
    assert all(folder.is_dir() and folder.is_relative_to(tmp_path / "home") for folder in folders)
    assert len(set(folders)) == 3
    assert folders[2].parts[-2:] == ("corpora", "abc")


def test_without_it_they_are_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKBENCH_HOME")
    for name, home in (("config", "settings"), ("data", "store"), ("cache", "cache")):
        monkeypatch.setattr(
            paths.platformdirs, f"user_{name}_path", lambda app, appauthor, home=home: tmp_path / home / app
        )
    assert paths.settings_folder() == tmp_path / "settings" / "embedding-workbench"
    assert paths.store_folder() == tmp_path / "store" / "embedding-workbench"
    assert paths.cache_folder("x") == tmp_path / "cache" / "embedding-workbench" / "x"


def test_a_home_that_cannot_be_made_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(UserError, match="cannot be made.*WORKBENCH_HOME"):
        paths.store_folder()


def test_resources_are_found_in_the_checkout() -> None:
    assert paths.resources().is_dir()
    assert paths.resources().name == "resources"


def test_resources_inside_the_package_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a wheel they lie in the package; there is no folder beside it."""
    installed = tmp_path / "site-packages" / "workbench"
    (installed / "core").mkdir(parents=True)
    (installed / "resources").mkdir()
    monkeypatch.setattr(paths, "__file__", str(installed / "core" / "paths.py"))
    assert paths.resources() == installed / "resources"
