from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.cli import costs
from workbench.core.run import Run
from workbench.corpus.corpus import Corpus
from workbench.session.costing import Costing, CostParams, cost_of

Capture = pytest.CaptureFixture[str]


def test_costs_are_told_in_tables_and_as_json(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Measured once.
    monkeypatch.setattr(costs, "cost_of", lambda corpus, params, run: made(corpus))
    # This process has other tests to run.
    monkeypatch.setattr(costs, "keep_freed", lambda: True)
    kept: list[Costing] = []

    def made(corpus: Corpus) -> Costing:
        if not kept:
            kept.append(cost_of(corpus, CostParams(dim=4, window=1, machines=2), Run()))
        return kept[0]

    drawn = np.random.default_rng(1).zipf(1.4, 160_000).clip(max=20_000)
    text = tmp_path / "text.txt"
    text.write_text("\n".join(" ".join(f"w{number}" for number in line) for line in drawn.reshape(-1, 20)))
    quick = [str(text), "--dim", "4", "--window", "1", "--tokens", "1e9,1e12"]
    assert main(["cost", *quick, "--machines", "2"]) == 0
    out = capsys.readouterr().out
    assert "held out" in out
    assert "what binds" in out
    assert main(["cost", *quick, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["tokens"] for row in told["lengths"]] == [1e9, 1e12]
    assert set(told["stages"]) == {"read", "count", "merge", "glove", "sgns"}
    held = told["held_out"]
    for name in ("types", "vocabulary", "kept_tokens", "cells"):
        assert held["told"][name] == pytest.approx(held["measured"][name], rel=0.1), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["small-world", "--tokens", "many"], "--tokens"),
        (["small-world", "--tokens", "1e9,1e99"], "10^15"),
        (["small-world", "--machines", "0"], "machines"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str, capsys: Capture) -> None:
    assert main(["cost", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_short_text_tells_nothing(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("a b c " * 100)
    assert main(["cost", str(path)]) == 2
    assert "300 tokens" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0:00:00"), (59.6, "0:01:00"), (3_725, "1:02:05"), (3_600 * 2_500, "2,500:00:00")]
)
def test_times_are_hours_minutes_and_seconds(seconds: float, told: str) -> None:
    assert costs._time(seconds) == told


@pytest.mark.parametrize(
    ("size", "told"),
    [(2.5e6, "2 MB"), (999e6, "999 MB"), (1e9, "1 GB"), (2.5e12, "2.5 TB"), (3e15, "3 PB")],
)
def test_sizes_are_in_the_units_of_disks(size: float, told: str) -> None:
    assert costs._bytes(size) == told
