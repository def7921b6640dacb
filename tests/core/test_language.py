"""The language of a process, including with invalid settings."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import workbench.ui
from workbench.core import language, paths
from workbench.core.errors import UserError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home without settings, in a process with no language set or cached."""
    for name in ("WORKBENCH_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    _forget()
    yield tmp_path
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    language.language.cache_clear()
    language._catalogue.cache_clear()


def _choose_language(home: Path, value: object) -> None:
    (home / "settings").mkdir(exist_ok=True)
    (home / "settings" / "settings.json").write_text(json.dumps({"language": value}))


def test_the_language_comes_from_the_environment_the_settings_or_the_system(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert language.language() == "en"
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    _forget()
    assert language.language() == "de"
    _choose_language(home, "en")
    _forget()
    assert language.language() == "en"
    monkeypatch.setenv("WORKBENCH_LANGUAGE", "de")
    _forget()
    assert language.language() == "de"
    assert language.digits("1,204.5") == "1\u202f204,5"
    with language.decimal_points():
        assert language.digits("1,204.5") == "1\u202f204.5"
        # A page with several languages isn't the output of a command.
        assert language.digits("1,204.5", "de") == "1\u202f204,5"
    assert language.percent("50") == "50\u00a0%"
    assert language.tr("{share:.1%}", share=0.5) == "50,0\u00a0%"


@pytest.mark.parametrize("value", ["fr", "../de", "", 3, None])
def test_unknown_languages_are_ignored(
    home: Path, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    _choose_language(home, value)
    monkeypatch.setenv("WORKBENCH_LANGUAGE", "tlh")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert language.language() == "en"
    assert language.digits("1,204.5") == "1,204.5"
    assert language.percent("50") == "50%"
    assert language.tr("{share:.1%}", share=0.5) == "50.0%"


# States in this module are in English, because filters search for them.
_ENGLISH = frozenset({"runs_columns.py"})


def _own_percent_signs(path: Path) -> Iterator[int]:
    """Lines at which an f-string writes a percent sign after a value."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, text in pairwise(node.values):
            sign = isinstance(text, ast.Constant) and str(text.value).lstrip().startswith("%")
            if isinstance(value, ast.FormattedValue) and sign:
                yield node.lineno
        for value in node.values:
            spec = getattr(value, "format_spec", None)
            if spec is not None and ast.unparse(spec).endswith("%'"):
                yield node.lineno


def test_one_function_writes_all_percent_signs_of_the_window() -> None:
    """Any other percent sign would be spaced wrongly in English or in all other languages."""
    sources = Path(workbench.ui.__file__).parent.rglob("*.py")
    places = {
        (path.name, line)
        for path in sources
        if path.name not in _ENGLISH
        for line in _own_percent_signs(path)
    }
    assert places == set()


@pytest.mark.parametrize("system", ["", "de_DE.UTF-8"])
def test_a_missing_home_is_reported_in_the_language_of_the_system(
    home: Path, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A problem with the home folder is reported in the system’s language."""
    monkeypatch.setenv("WORKBENCH_HOME", "~nobody_of_that_name/x")
    monkeypatch.setenv("LC_ALL", system)
    text = language.tr("Name a file to write.")
    assert (text == "Name a file to write.") == (not system)
    with pytest.raises(UserError, match="nobody_of_that_name") as error:
        paths.settings_folder()
    assert ("is the home folder" in error.value.message) == (not system)
    # The next home, which is valid, is read again.
    monkeypatch.setenv("WORKBENCH_HOME", str(home))
    _choose_language(home, "de")
    _forget()
    assert language.language() == "de"
