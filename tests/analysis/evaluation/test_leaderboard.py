"""Scores of runs, columns for their parameters, and seeds combined in one row."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import numpy as np
import pytest

from workbench.analysis.evaluation.leaderboard import (
    ANALOGIES,
    SIMILARITY,
    EvaluationSet,
    LeaderboardEntry,
    Score,
    parameter_columns,
    ranks,
    score,
    table,
    without_seeds,
)
from workbench.core.errors import UserError
from workbench.core.params import Value
from workbench.vectors.embeddings import Embeddings

WORDS = ["man", "woman", "king", "queen", "apple"]
MODEL = Embeddings(
    WORDS, np.array([[1, 0, 0], [0, 1, 0], [1, 0, 2], [0, 1, 2], [1, 1, -3]], dtype=np.float32)
)


def entry(name: str, value: float, **parameters: Value) -> LeaderboardEntry:
    return LeaderboardEntry(
        name,
        name,
        "sgns",
        "toy",
        parameters,
        {"a": Score(value, value - 0.1, value + 0.1, 0.5, 10)},
    )


def test_scores_of_both_kinds(tmp_path: Path) -> None:
    questions = tmp_path / "q.txt"
    questions.write_text(
        ": family\nman king woman queen\nman king woman apple\nman king woman nobody\n"
    )
    found = score(MODEL, EvaluationSet(ANALOGIES, questions, "q"))
    assert (found.value, found.asked, found.covered) == (0.5, 2, pytest.approx(2 / 3))
    assert found.low <= 0.5 <= found.high
    pairs = tmp_path / "p.tsv"
    pairs.write_text("king\tqueen\t9\nman\tking\t5\nking\tapple\t0\nman\tnobody\t3\n")
    similar = score(MODEL, EvaluationSet(SIMILARITY, pairs, "p"))
    assert (similar.value, similar.asked, similar.covered) == (pytest.approx(1.0), 3, 0.75)


def test_a_set_is_known_by_its_content_and_how_it_is_asked(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for path in (one, two):
        path.write_text("x")
    keys = [EvaluationSet(ANALOGIES, path, "t").key() for path in (one, two)]
    assert keys[0] == keys[1] != EvaluationSet(ANALOGIES, one, "t", "3cosmul").key()
    assert (
        EvaluationSet(SIMILARITY, one, "t", "3cosmul").key()
        == EvaluationSet(SIMILARITY, two, "u").key()
    )
    two.write_text("y")
    assert EvaluationSet(ANALOGIES, two, "t").key() != keys[0]
    with pytest.raises(UserError, match="Couldn’t read"):
        EvaluationSet(ANALOGIES, tmp_path / "none", "t").key()
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("a b c d\n")
    key = EvaluationSet(ANALOGIES, folder, "t").key()
    (folder / "b.txt").write_text("a b c e\n")
    assert EvaluationSet(ANALOGIES, folder, "t").key() != key


def test_scores_survive_json_and_damage_is_told() -> None:
    whole = Score(0.5, 0.4, 0.6, 0.9, 12)
    assert Score.from_json(json.loads(json.dumps(whole.to_json()))) == whole
    nothing = Score.from_json(Score(math.nan, math.nan, math.nan, 0.0, 0).to_json())
    assert math.isnan(nothing.value)
    for damaged in (None, [1, 2], ["a", 1, 1, 1, 1], [1, 1, 1, 1, 1.5]):
        with pytest.raises(ValueError, match="not a score"):
            Score.from_json(damaged)


def test_what_differs_comes_first() -> None:
    entries = [
        entry("x", 0.1, dim=100, window=5, seed=1),
        entry("y", 0.2, dim=100, window=2, extra=True, seed=1),
    ]
    assert parameter_columns(entries) == (["window", "extra"], ["dim", "seed"])
    header, rows = table(entries, {"a": "Pairs", "b": "Unasked"})
    assert header == [
        "run",
        "algorithm",
        "corpus",
        "Pairs",
        "Pairs covered",
        "Pairs ranked",
        "Unasked",
        "Unasked covered",
        "Unasked ranked",
        "window",
        "extra",
        "dim",
        "seed",
    ]
    assert rows[0][:4] == ["x", "sgns", "toy", 0.1]
    assert rows[0][4:6] == [0.5, False]
    assert rows[0][6:] == [None, None, None, 5, None, 100, 1]
    wide, _ = table(entries, {"a": "Pairs"}, intervals=True)
    more = ("low", "high", "deviation", "runs", "covered", "asked", "ranked")
    assert wide[3:11] == ["Pairs", *(f"Pairs {name}" for name in more)]


@pytest.mark.parametrize(
    ("coverage", "questions", "is_ranked"),
    [
        (2 / 19_544, 2, False),
        (0.099, 1900, False),
        (0.1, 1954, True),
        (0.9, 29, False),
        (0.9, 30, True),
        (1.0, 3, True),
        (0.0, 0, False),
    ],
)
def test_what_rests_on_too_little_of_a_set_is_not_ranked(
    coverage: float, questions: int, is_ranked: bool
) -> None:
    assert Score(1.0, 0.9, 1.0, coverage, questions).is_ranked is is_ranked
    assert not Score(math.nan, math.nan, math.nan, coverage, questions).is_ranked


def test_seeds_of_which_one_is_scored_keep_its_interval() -> None:
    one, other = entry("s0", 0.5, dim=100, seed=0), entry("s1", 0.6, dim=100, seed=1)
    unscored = LeaderboardEntry(
        other.identifier, other.name, other.algorithm, other.corpus, other.parameters, {}
    )
    for group in ([one, unscored], [unscored, one]):
        (found,) = without_seeds(group)
        assert found.scores["a"] == one.scores["a"]
    nothing = Score(math.nan, math.nan, math.nan, 0.0, 0)
    undefined = LeaderboardEntry(
        "s2", "s2", one.algorithm, one.corpus, {**one.parameters, "seed": 2}, {"a": nothing}
    )
    (found,) = without_seeds([undefined, one])
    assert found.scores["a"] == one.scores["a"]


def test_the_mean_of_seeds_rests_on_no_more_than_the_least_of_them() -> None:
    scores = [Score(0.5, 0.4, 0.6, 0.9, 40), Score(0.7, 0.6, 0.8, 0.05, 20)]
    group = []
    for seed, each in enumerate(scores):
        one = entry(f"s{seed}", 0.0, dim=100, seed=seed)
        group.append(
            LeaderboardEntry(
                one.identifier, one.name, one.algorithm, one.corpus, one.parameters, {"a": each}
            )
        )
    for order in (group, group[::-1]):
        (found,) = without_seeds(order)
        mean = found.scores["a"]
        assert (mean.value, mean.covered, mean.asked) == (pytest.approx(0.6), 0.05, 20)
        assert not mean.is_ranked


def test_seeds_are_one_row_with_their_deviation() -> None:
    values = (0.50, 0.56, 0.53)
    entries = [entry(f"s{i}", value, dim=100, seed=i) for i, value in enumerate(values)]
    entries.insert(1, entry("other", 0.9, dim=50, seed=0))
    found = without_seeds(entries)
    assert [one.name for one in found] == ["s0 (3 seeds)", "other"]
    mean = found[0].scores["a"]
    assert mean.value == pytest.approx(statistics.fmean(values))
    assert mean.deviation == pytest.approx(0.03)
    assert mean.runs == 3
    assert "seed" not in found[0].parameters
    _, rows = table(found, {"a": "Pairs"})
    assert [row[3] for row in rows] == ["0.530 ± 0.030", 0.9]
    files = [entry("f", 0.1), entry("g", 0.2)]
    assert without_seeds(files) == files


def test_what_nobody_knows_is_the_same_score() -> None:
    unknown = Score(float("nan"), float("nan"), float("nan"), 0.0, 0)
    assert unknown == Score.from_json(unknown.to_json())
    assert hash(unknown) == hash(Score.from_json(unknown.to_json()))
    assert unknown != Score(0.1, float("nan"), float("nan"), 0.0, 0)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (("SGNS window 2, seed 1", "SGNS window 2, seed 2"), "SGNS window 2 (2 seeds)"),
        (("SGNS 1", "SGNS 1 · seed 2"), "SGNS 1 (2 seeds)"),
        (("SGNS 12", "SGNS 13"), "SGNS (2 seeds)"),
        (("mine", "yours"), "mine (2 seeds)"),
    ],
)
def test_a_group_of_seeds_is_not_called_by_one_of_them(names: tuple[str, ...], wanted: str) -> None:
    rows = [entry(name, 0.5, window=2, seed=seed) for seed, name in enumerate(names)]
    assert [row.name for row in without_seeds(rows)] == [wanted]


def test_ranks_leave_out_what_knows_too_little() -> None:
    scores = [
        Score(1.0, 0.16, 1.0, 2 / 19_544, 2),
        Score(0.4, 0.3, 0.5, 0.9, 900),
        Score(0.6, 0.5, 0.7, 0.9, 900),
        Score(0.6, 0.5, 0.7, 0.8, 800),
        Score(math.nan, math.nan, math.nan, 0.0, 0),
    ]
    rows = [
        LeaderboardEntry(str(at), str(at), "sgns", "toy", {}, {"a": one})
        for at, one in enumerate(scores)
    ]
    rows.append(LeaderboardEntry("5", "5", "sgns", "toy", {}, {}))
    assert ranks(rows, "a") == [None, 3, 1, 1, None, None]
    header, cells = table(rows, {"a": "A"})
    column = header.index("A ranked")
    assert [row[column] for row in cells] == [False, True, True, True, False, None]
