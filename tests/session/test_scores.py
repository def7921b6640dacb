"""Scores are there at the next start; damage costs them alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.analysis.leaderboard import Score
from workbench.core.errors import UserError
from workbench.core.paths import cache_folder
from workbench.session.loading import Kept, loader
from workbench.session.records import RunRecord, State, new_identifier
from workbench.session.scores import Scores
from workbench.session.store import Store
from workbench.vectors.embeddings import Embeddings

ONE, TWO = Score(0.5, 0.4, 0.6, 1.0, 10), Score(0.1, 0.0, 0.2, 0.5, 5)


def test_scores_are_kept_by_run_and_set(home: Path) -> None:
    scores, window = Scores(), Scores()
    run, other = new_identifier(), new_identifier()
    assert scores.of(run) == {}
    assert window.of(run) == {}
    scores.put(run, "a", ONE)
    window.put(run, "b", TWO)
    assert Scores().of(run) == {"a": ONE, "b": TWO}
    assert Scores().of(other) == {}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 3}', "null"])
def test_a_damaged_file_starts_anew(home: Path, text: str) -> None:
    (cache_folder("scores") / "run.json").write_text(text)
    scores = Scores()
    assert scores.of("run") == {}
    scores.put("run", "a", ONE)
    assert Scores().of("run") == {"a": ONE}


def test_vectors_come_from_memory_or_from_the_store(home: Path) -> None:
    vectors = Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
    record = RunRecord("20260101-000000-000000-aaaa", "one", "", {}, "", "", "", state=State.DONE)
    store = Store()
    with pytest.raises(UserError, match="^one: "):
        loader(store, record)()
    store.save(record, vectors)
    assert list(loader(store, record)().words) == ["a", "b"]
    kept = Kept(store)
    assert kept.get(record) is None
    kept.keep({record.identifier: vectors})
    assert kept.loader(record)() is vectors
    kept.keep({})
    assert kept.get(record) is None
    record.embeddings = vectors
    assert kept.get(record) is vectors
    assert loader(store, record)() is vectors
