"""``tests/constraints.txt`` bounds every requirement of the README’s test command."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_each_requirement_of_the_tests_has_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    required = {
        re.match(r"[\w.-]+", line)[0].lower()
        for line in project["dependencies"] + project["optional-dependencies"]["test"]
    }
    lines = (ROOT / "tests" / "constraints.txt").read_text("utf-8").splitlines()
    bounds = [re.match(r"([\w.-]+)<=[\w.]+; ", line) for line in lines if not line.startswith("#")]
    assert {bound[1] for bound in bounds if bound} == required
    assert len(bounds) == len(required)


def test_the_test_commands_of_the_readme_use_the_bounds() -> None:
    commands = [
        line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "-m pytest" in line
    ]
    assert len(commands) == 2
    assert all("--constraint tests/constraints.txt" in line for line in commands)
