from __future__ import annotations

import json
import math
import textwrap
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.analysis.corpus.cost_model import Sizes
from workbench.analysis.corpus.scaling_limits import Limit
from workbench.cli import cost
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.scaling_forecast import Costing, CostParams, cost_of

Capture = pytest.CaptureFixture[str]


def test_costs_in_tables_and_as_json(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Measure only once.
    monkeypatch.setattr(cost, "cost_of", lambda corpus, params, run: make_costing(corpus))
    # Not in this process, which has other tests to run.
    monkeypatch.setattr(cost, "keep_freed", lambda: True)
    costings: list[Costing] = []

    def make_costing(corpus: Corpus) -> Costing:
        if not costings:
            costings.append(cost_of(corpus, CostParams(dim=4, window=1, machines=2), JobControl()))
        return costings[0]

    numbers = np.random.default_rng(1).zipf(1.4, 160_000).clip(max=20_000)
    text = tmp_path / "text.txt"
    text.write_text(
        "\n".join(" ".join(f"w{number}" for number in line) for line in numbers.reshape(-1, 20))
    )
    quick = [str(text), "--dim", "4", "--window", "1", "--tokens", "1e9,1e12"]
    assert main(["cost", *quick, "--machines", "2"]) == 0
    out = capsys.readouterr().out
    assert "longest sample" in out
    assert "remedy" in out
    assert main(["cost", *quick, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["tokens"] for row in document["lengths"]] == [1e9, 1e12]
    assert set(document["stages"]) == {"read", "count", "merge", "glove", "sgns"}
    held_out = document["held_out"]
    for name in ("types", "vocabulary", "kept_tokens", "cells"):
        assert held_out["predicted"][name] == pytest.approx(held_out["measured"][name], rel=0.1), (
            name
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["small-world", "--tokens", "many"], "--tokens"),
        (["small-world", "--tokens", "1e9,1e99"], "10^15"),
        (["small-world", "--machines", "0"], "machines"),
    ],
)
def test_invalid_inputs_are_refused(arguments: list[str], message: str, capsys: Capture) -> None:
    assert main(["cost", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_short_text_is_refused(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("a b c " * 100)
    assert main(["cost", str(path)]) == 2
    assert "300 tokens" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.4, "0:00:00"), (59.6, "0:01:00"), (3_725, "1:02:05"), (3_600 * 2_500, "2,500:00:00")],
)
def test_times_are_hours_minutes_and_seconds(seconds: float, expected: str) -> None:
    assert cost._time(seconds) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [(2.5e6, "2 MB"), (999e6, "999 MB"), (1e9, "1 GB"), (2.5e12, "2.5 TB"), (3e15, "3 PB")],
)
def test_sizes_are_in_the_units_of_disks(size: float, expected: str) -> None:
    assert cost._bytes(size) == expected


def test_errors_of_the_model_have_signs_and_unused_limits_are_named() -> None:
    class Model:
        law = SimpleNamespace(shift=2.7, head=1.1, core=1000.0, tail=1.9)
        stages: ClassVar = {"read": None, "count": None}

        def sizes(self, tokens: float) -> Sizes:
            return Sizes(tokens, 2e6, 1e6, tokens, 1e10, 3e9, 5e9, 0.0, 0.5)

        def seconds(self, tokens: float) -> dict[str, float]:
            return {"read": 61.0, "count": 3_600.0}

    held_out = Sizes(1e6, 2000, 1000, 9e5, 1e7, 4e4, 1e6, 0.0, 0.5)
    further = replace(held_out, types=2160, vocabulary=920)
    never, soon = (
        Limit("memory", "GB", 24.0, math.inf, "nothing"),
        Limit("disk", "GB", 250.0, 5e10, "buy one"),
    )
    costing = Costing(Model(), (), held_out, further, {"read": 10.0}, {"read": 5.0}, (never, soon))  # type: ignore[arg-type]
    rows = [line.split("  ") for line in cost._tables(costing, [1e9]).splitlines()]
    columns = {row[0]: row[-1].strip() for row in rows}
    assert columns["types"] == "+8%"
    assert columns["vocabulary"] == "−8%"
    assert columns["cells"] == "+0%"
    assert columns["read, s"] == "−50%"
    binds = {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}
    assert binds["memory"] == ["never", "nothing"]
    assert binds["disk"] == ["5.00e10 tokens", "buy one"]


@pytest.mark.parametrize("by_lines", [False, True])
def test_wrapped_lines_are_joined_unless_a_sentence_rule_is_chosen(
    by_lines: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty paragraphs of one sentence each, with lines wrapped as in a book."""
    line = (
        "so the king of all that land went home again to his own grey house and slept until "
        "morning came"
    )
    words = line.split()
    sentences = [
        f"He {' '.join(words[(7 * at + number) % len(words)] for at in range(60))}."
        for number in range(40)
    ]
    paragraphs = [textwrap.fill(sentence, 70) for sentence in sentences]
    text = tmp_path / "book.txt"
    text.write_text("\n\n".join(paragraphs))
    token_counts: list[int] = []

    def measure(corpus: Corpus, params: CostParams, run: JobControl) -> Costing:
        token_counts.append(len(corpus.sentences) - 1)
        raise UserError("That is enough.", "")

    monkeypatch.setattr(cost, "cost_of", measure)
    monkeypatch.setattr(cost, "keep_freed", lambda: True)
    assert main(["cost", str(text), *(["--sentences", "lines"] if by_lines else [])]) == 2
    assert token_counts == [sum(part.count("\n") + 1 for part in paragraphs) if by_lines else 40]
