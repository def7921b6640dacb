"""Write ``tests/constraints.txt``: the newest versions that the tests passed with.

Run it in the environment of a run without failures, whose packages are the newest::

    .venv-test/bin/python tests/tools/constraints.py

Each line is an upper bound and no exact version, because a version may lack a file for a system or
an interpreter. For newer interpreters than those tried, nothing is bound: they need newer packages.
"""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "tests" / "constraints.txt"
# The first interpreter that nobody has tried.
_UNTRIED = "3.15"
_TITLE = (
    "# The newest versions that all tests passed with, so that a newer one can’t fail your first\n"
    "# run of the tests. Written by tests/tools/constraints.py.\n"
)


def requirements() -> list[str]:
    """The names of all packages that the program and its tests require, sorted."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    return sorted({re.split(r"[^A-Za-z0-9._-]", line)[0].lower() for line in lines})


def main() -> None:
    """Write the file."""
    bounds = [
        f'{name}<={version(name)}; python_version < "{_UNTRIED}"\n' for name in requirements()
    ]
    PATH.write_text(_TITLE + "".join(bounds), encoding="utf-8")


if __name__ == "__main__":
    main()
