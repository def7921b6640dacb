"""Commands in the documentation print the output shown below them; they are run in order.

After ``<!-- numbers vary -->``, only the words of the output are compared.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest
from guide.pages import GUIDE, ROOT

from workbench.cli import VERBS, main

SESSION = re.compile(
    r"^(?: *(<!-- numbers vary -->)\n)?( *)```console\n(.*?)^\2```$", re.MULTILINE | re.DOTALL
)
PAGES = [ROOT / "README.md", *sorted(GUIDE.rglob("*.md"))]
WITH_OUTPUT = [page for page in PAGES if SESSION.search(page.read_text("utf-8"))]
# Seconds depend on the computer, and the last digits of floats on its processor.
SECONDS = re.compile(r"\d[\d.,]* (?:s|seconds|minutes)\b")
NUMBER = re.compile(r"−?-?\d+\.\d+")
ANY_NUMBER = re.compile(r"[−-]?\d[\d.,:e]*(?<![.,:])")
TOLERANCE = 0.005


def steps(page: Path) -> list[tuple[str, str, bool]]:
    """All commands of a page, each with the output shown and whether its numbers vary."""
    result: list[tuple[str, str, bool]] = []
    for mark, _, block in SESSION.findall(page.read_text("utf-8")):
        for part in re.split(r"^\$ ", dedent(block), flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            result.append((line, output, bool(mark)))
    return result


def shape_of(output: str) -> str:
    """An output with placeholders for its numbers and single spaces."""
    text = NUMBER.sub("<number>", SECONDS.sub("<time>", output))
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def words_of(output: str) -> str:
    """An output with a placeholder for every number."""
    return " ".join(ANY_NUMBER.sub("<number>", output).split())


def numbers_of(output: str) -> list[float]:
    text = SECONDS.sub("", output).replace("−", "-")
    return [float(number) for number in NUMBER.findall(text)]


@pytest.mark.parametrize("page", WITH_OUTPUT, ids=lambda page: page.name)
def test_each_command_prints_what_its_page_shows(
    page: Path,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if "count-cluster" in page.read_text("utf-8"):
        pytest.importorskip("distributed")
        pytest.importorskip("cryptography")
    for line, expected, varies in steps(page):
        program, verb, *arguments = shlex.split(line, comments=True)
        assert (program, verb in VERBS) == ("workbench", True), line
        assert main([verb, *arguments]) == 0, line
        out = capsys.readouterr().out
        head, dots, _ = expected.partition("…\n")
        if dots:
            # The page shows only the first lines.
            out = "".join(out.splitlines(keepends=True)[: len(head.splitlines())])
        if varies:
            assert words_of(out) == words_of(head), line
            continue
        assert shape_of(out) == shape_of(head), line
        assert numbers_of(out) == pytest.approx(numbers_of(head), abs=TOLERANCE), line


def test_pages_show_output() -> None:
    expected = {
        "README.md",
        "command-line.md",
        "cluster.md",
        "from-counts.md",
        "runs.md",
        "sharing.md",
    }
    assert expected <= {page.name for page in WITH_OUTPUT}
    assert sum(len(steps(page)) for page in WITH_OUTPUT) > 30
