"""Advice on missing packages, for installations with Python and for a program without it."""

from __future__ import annotations

import importlib.util
import shlex
import sys

import pytest

from workbench import launch
from workbench.core.errors import UserError
from workbench.core.packages import install_advice, install_command, join_names
from workbench.corpus.tokenise.tokenisers import TOKENISERS
from workbench.counts.cluster.optional_deps import (
    check_cryptography,
    load_distributed,
    load_fsspec,
)
from workbench.counts.formats import COUNT_FORMATS
from workbench.session.corpus.cluster_controller import missing_cluster


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)


@pytest.mark.parametrize("has_pip", [True, False])
def test_an_installation_installs_packages_into_its_own_python(
    has_pip: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name if has_pip else None)
    words = [sys.executable, "-m", "pip"]
    if not has_pip:
        words = [getattr(sys, "_base_executable"), "-m", "pip", "--python", sys.executable]  # noqa: B009
    command = shlex.join([*words, "install", "jieba"])
    assert install_command(("jieba",)) == command
    assert install_advice(("jieba",)) == f"To install jieba, run: {command}"


def test_a_bundled_program_advises_an_installation_with_python(bundled: None) -> None:
    assert install_command(("jieba",)) == ""
    assert install_advice(("dask", "distributed", "fsspec")) == (
        "The program that needs no Python doesn’t contain dask, distributed and fsspec. Install "
        "Embedding Workbench with Python to use dask, distributed and fsspec."
    )


def test_names_are_joined_as_in_a_sentence() -> None:
    assert [join_names(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b and c",
    ]


def test_no_package_is_to_be_installed_into_a_bundled_program(
    bundled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *_: None)
    optional = ("distributed", "fsspec")
    for name in optional:
        monkeypatch.setitem(sys.modules, name, None)
    problems: list[UserError | None] = [
        missing_cluster(),
        COUNT_FORMATS["parquet"].missing(),
        TOKENISERS["chinese"].missing(),
        TOKENISERS["japanese"].missing(),
    ]
    for needed in (load_distributed, load_fsspec, check_cryptography):
        with pytest.raises(UserError) as caught:
            needed()
        problems.append(caught.value)
    for problem in problems:
        assert problem is not None
        assert "The program that needs no Python doesn’t contain " in problem.hint
        assert "pip" not in str(problem)
    # Of what it contains, nothing can be missing but by damage.
    problem = launch.missing_dependency()
    assert problem is not None
    assert problem.hint == "Reinstall Embedding Workbench."
