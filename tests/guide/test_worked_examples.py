"""Figures on the pages about panels, computed by a lesson beside this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.cli import main


def test_the_figures_on_the_pages_of_the_panels(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["lesson", str(Path(__file__).with_name("worked_examples.md"))])
    output = capsys.readouterr()
    assert (code, output.err) == (0, ""), output.out
    assert "answer to king − man + woman" in output.out
