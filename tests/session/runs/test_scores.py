"""Scores survive a restart; a damaged file loses only its own scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.analysis.evaluation.leaderboard import ANALOGIES, SIMILARITY, EvaluationSet, Score
from workbench.core.job_control import JobControl
from workbench.core.paths import cache_folder
from workbench.session.runs.facts import ScoreColumn
from workbench.session.runs.run_record import new_identifier
from workbench.session.runs.scores import ScoreStore, known_scores

ONE, TWO = Score(0.5, 0.4, 0.6, 1.0, 10), Score(0.1, 0.0, 0.2, 0.5, 50)


def test_scores_are_kept_by_run_and_set(home: Path) -> None:
    scores, window = ScoreStore(), ScoreStore()
    run, other = new_identifier(), new_identifier()
    assert scores.of(run) == {}
    assert window.of(run) == {}
    scores.put(run, "a", ONE)
    window.put(run, "b", TWO)
    assert ScoreStore().of(run) == {"a": ONE, "b": TWO}
    assert ScoreStore().of(other) == {}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 3}', "null"])
def test_a_damaged_file_starts_anew(home: Path, text: str) -> None:
    (cache_folder("scores") / "run.json").write_text(text)
    scores = ScoreStore()
    assert scores.of("run") == {}
    scores.put("run", "a", ONE)
    assert ScoreStore().of("run") == {"a": ONE}


def test_what_is_known_are_cells_by_run_and_set(home: Path, tmp_path: Path) -> None:
    questions, pairs = tmp_path / "questions.txt", tmp_path / "pairs.txt"
    questions.write_text(": a\nx y z w\n")
    pairs.write_text("x y 1\n")
    analogies = EvaluationSet(ANALOGIES, questions, "Analogies")
    similarities = EvaluationSet(SIMILARITY, pairs, "Pairs (all)")
    missing = EvaluationSet(ANALOGIES, tmp_path / "gone.txt", "Gone")
    ScoreStore().put("one", analogies.key(), ONE)
    ScoreStore().put("one", "of another set", TWO)
    scores, columns = known_scores(["one", "two"], [analogies, similarities, missing], JobControl())
    assert scores == {"one": {"analogies": 0.5}}
    assert columns == [ScoreColumn("analogies", "Analogies", percent=True)]
    ScoreStore().put("two", similarities.key(), TWO)
    scores, columns = known_scores(["two"], [analogies, similarities], JobControl())
    assert scores == {"two": {"pairs_all": 0.1}}
    assert columns == [ScoreColumn("pairs_all", "Pairs (all)", percent=False)]
