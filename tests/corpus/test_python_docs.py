"""Docstrings are collected in a separate process, without importing any module."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus.samples import python_docs

MODULE = '''"""A module about all kinds of lamps.

    >>> shine()
    1

Examples
--------
It also says how lamps are lit::

    lamp.light(with_match=True, and_also=1, so=2)

and what :class:`~lamps.Lamp` objects do when it is dark.
"""
raise SystemExit("imported!")

class Lamp:
    """A lamp shines when `light` was called."""
    def light(self):
        """A lamp shines when `light` was called."""
    async def wait(self):
        """Wait until somebody lights it again."""
'''


def test_paragraphs_of_docstrings(tmp_path: Path) -> None:
    (tmp_path / "lamps.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("def (")
    (tmp_path / "latin.py").write_bytes(
        b'# coding: latin-1\n"""Un \xe9t\xe9 tr\xe8s long \xe0 Paris."""\n'
    )
    texts = [new for _, new in python_docs.texts(sorted(tmp_path.glob("*.py")))]
    assert texts == [
        [],
        [
            "A module about all kinds of lamps.",
            "It also says how lamps are lit:",
            "and what lamps.Lamp objects do when it is dark.",
            "A lamp shines when light was called.",
            "Wait until somebody lights it again.",
        ],
        ["Un été très long à Paris."],
    ]


def test_written_in_a_child_and_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The whole library takes too long for a test, and a child process wouldn’t have this patch.
    library = tmp_path / "lib"
    library.mkdir()
    (library / "lamps.py").write_text(MODULE)
    monkeypatch.setattr(python_docs, "_folders", lambda: [library])
    assert python_docs.sources() == [library / "lamps.py"]
    for name in ("a", "b"):
        assert python_docs.main(str(tmp_path / name)) == 0
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()
    assert len((tmp_path / "a").read_text().splitlines()) == 5


def test_the_digest_depends_on_everything_that_affects_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def __init__(self, name: str | None, version: str) -> None:
            self.metadata, self.version = {"Name": name}, version

    one, two, nameless = Installed("lamp", "1.0"), Installed("oil", "2"), Installed(None, "0")

    def digest(packages: list[Installed], folder: str = "lib", version: str = "3.12") -> str:
        monkeypatch.setattr(
            "workbench.corpus.samples.python_docs.metadata.distributions", lambda: packages
        )
        monkeypatch.setattr(python_docs, "_folders", lambda: [tmp_path / folder])
        monkeypatch.setattr(python_docs, "sys", SimpleNamespace(version=version))
        return python_docs.digest()

    # The order in which packages are found doesn’t matter.
    assert digest([one, two]) == digest([two, nameless, one])
    others = [
        digest([one, two]),
        digest([one]),
        digest([one, Installed("oil", "3")]),
        digest([one, two], folder="other"),
        digest([one, two], version="3.13"),
    ]
    assert len(set(others)) == len(others)


def test_gathering_can_be_cancelled(tmp_path: Path) -> None:
    class Watched(JobControl):
        def advance(self, fraction: float | None, note: str = "", **details: object) -> None:
            fractions.append(fraction)
            self.cancel()

    fractions: list[float | None] = []
    with pytest.raises(Cancelled):
        python_docs.write(tmp_path / "docs.txt", Watched())
    assert fractions
    assert 0 < (fractions[0] or 0) < 1
    assert list(tmp_path.iterdir()) == []


def test_a_zero_byte_in_a_docstring_does_not_make_the_text_binary() -> None:
    docstring = (
        "The parser stops at \x00 the first byte of this kind, \x1b which ends every string."
    )
    (line,) = python_docs.prose(docstring)
    assert line == "The parser stops at the first byte of this kind, which ends every string."
