from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from workbench.core import folders, paths
from workbench.core.paths import path_exists


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    folders = [paths.settings_folder(), paths.store_folder(), paths.cache_folder("corpora", "abc")]
    assert all(folder.is_dir() and folder.is_relative_to(tmp_path / "home") for folder in folders)
    assert len(set(folders)) == 3
    assert folders[2].parts[-2:] == ("corpora", "abc")


def test_folders_without_the_variable_are_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKBENCH_HOME")
    for name, home in (("config", "settings"), ("data", "store"), ("cache", "cache")):
        monkeypatch.setattr(
            platformdirs,
            f"user_{name}_path",
            lambda app, appauthor, home=home: tmp_path / home / app,
        )
    assert paths.settings_folder() == tmp_path / "settings" / "embedding-workbench"
    assert paths.store_folder() == tmp_path / "store" / "embedding-workbench"
    assert paths.cache_folder("x") == tmp_path / "cache" / "embedding-workbench" / "x"


def test_without_a_home_another_one_lasts_as_long_as_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setenv("WORKBENCH_INSTEAD", str(tmp_path / "instead"))
    monkeypatch.setattr(folders, "problems", {})
    for folder in (
        paths.store_folder(),
        paths.settings_folder(),
        paths.cache_folder("corpora", "index"),
    ):
        assert folder.is_dir()
        assert folder.is_relative_to(tmp_path / "instead")
    assert paths.store_folder() == paths.store_folder() != paths.settings_folder()
    problem = paths.storage_problem()
    assert problem is not None
    assert "Can’t save your work" in problem.message
    assert "WORKBENCH_HOME" in problem.hint


def test_a_home_that_can_be_written_has_no_problem(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "problems", {})
    assert paths.storage_problem() is None


def test_resources_are_found_in_the_checkout() -> None:
    assert folders.resources().is_dir()
    assert folders.resources().name == "resources"


def test_resources_inside_the_package_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a wheel, resources are inside the package; there is no folder beside it."""
    package = tmp_path / "site-packages" / "workbench"
    (package / "core").mkdir(parents=True)
    (package / "resources").mkdir()
    monkeypatch.setattr(folders, "__file__", str(package / "core" / "folders.py"))
    assert folders.resources() == package / "resources"


def test_unwritable_settings_are_a_problem_even_if_runs_are_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings").write_text("")
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WORKBENCH_INSTEAD", str(tmp_path / "instead"))
    monkeypatch.setattr(folders, "problems", {})
    problem = paths.find_unwritable_folder()
    assert problem is not None
    assert problem[0] == tmp_path / "home" / "settings"
    assert not folders.is_temporary(paths.store_folder())
    assert folders.is_temporary(paths.settings_folder() / "settings.json")


def test_caches_of_another_user_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache folder may belong to another user, for example after a start as root."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WORKBENCH_INSTEAD", str(tmp_path / "instead"))
    assert paths.cache_folder("corpora") == tmp_path / "home" / "cache" / "corpora"
    monkeypatch.setattr("workbench.core.paths.os.access", lambda path, mode: False)
    folder = paths.cache_folder("corpora")
    assert folder.is_dir()
    assert folders.is_temporary(folder / "file")


def test_a_path_that_the_system_refuses_is_not_taken_for_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert path_exists(tmp_path / "file")
    assert not path_exists(tmp_path / "missing")
    assert not path_exists(tmp_path / "file" / "within")
    with pytest.raises(OSError, match="too long"):
        path_exists(tmp_path / ("x" * 300))
