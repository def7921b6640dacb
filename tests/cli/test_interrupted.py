"""``workbench interrupted``: finding, listing, continuing, keeping and discarding trainings."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Gate, StepModel, leave_interrupted
from tables import dense

from workbench.__main__ import main
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models import checkpointing
from workbench.session.runs.store import Store
from workbench.session.training import autosave
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def entry(gate: Gate, text: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a training of ten epochs to v.vec that was interrupted during the first four."""
    monkeypatch.setattr(autosave, "FIRST", 0.0)
    monkeypatch.setattr(autosave, "SHARE", 1e9)
    # Save a state after every twentieth of the training, however long it takes.
    monkeypatch.setattr(checkpointing, "_COST", 1e9)
    stop = 16

    class Ending:
        """Wait for a state on disk after this many steps, then cancel the training."""

        def wait(self, timeout: float) -> bool:
            if gate.steps < stop:
                return True
            if list(Store().folder.glob("interrupted/*.npz")):
                raise Cancelled
            return False

    monkeypatch.setattr(gate, "opened", Ending())
    options = ["--algorithm", "step", "--min-count", "1", "--epochs", "10", "--steps", "40"]
    assert main(["train", "text.txt", *options, "--output", "v.vec"]) == 130
    monkeypatch.setattr(gate, "opened", type("Open", (), {"wait": lambda self, timeout: True})())
    return next(Store().folder.glob("interrupted/*.npz")).stem


@pytest.mark.usefixtures("gate")
def test_no_interrupted_trainings(capsys: Capture) -> None:
    assert main(["interrupted"]) == 0
    assert capsys.readouterr().out == "No interrupted trainings.\n"
    assert main(["interrupted", "continue"]) == 2


def test_interrupted_trainings_are_listed(entry: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["interrupted", "--json"]) == 0
    (description,) = json.loads(capsys.readouterr().out)["interrupted"]
    assert (description["id"], description["algorithm"]) == (entry, "step")
    # If writing is slow, the last saved state may be an earlier one.
    assert 0.0 < description["progress"] <= 0.4
    assert description["passes_left"] == math.ceil(10 * (1 - description["progress"]) - 1e-6)
    assert description["output"].endswith("v.vec")
    assert main(["interrupted"]) == 0
    assert entry in capsys.readouterr().out


def test_an_interrupted_training_is_continued(entry: str, capsys: Capture) -> None:
    assert main(["interrupted", "continue", entry, "--output", "w.npz"]) == 0
    embeddings = load_vectors("w.npz")
    before = embeddings.metadata["continued"]["passes"]
    assert 0 < before <= 4
    assert embeddings.metadata["passes"] == pytest.approx(before + math.ceil(10 - before - 1e-6))
    assert main(["interrupted"]) == 0
    assert "No interrupted trainings" in capsys.readouterr().out


def test_the_next_training_to_the_same_file_mentions_it(entry: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert (
        main(["train", "text.txt", "--algorithm", "step", "--min-count", "1", "--output", "v.vec"])
        == 0
    )
    assert f"workbench interrupted continue {entry}" in capsys.readouterr().err


def test_an_interrupted_training_is_kept(entry: str, capsys: Capture) -> None:
    assert main(["interrupted", "keep"]) == 0
    (record,), problems = Store().load()
    assert problems == []
    assert (record.identifier, record.state) == (entry, "stopped")
    assert main(["interrupted", "keep", entry]) == 2


def test_an_interrupted_training_is_kept_in_a_file(entry: str) -> None:
    assert main(["interrupted", "keep", entry, "--output", "k.vec"]) == 0
    assert len(load_vectors("k.vec")) == 5
    assert Store().journal.find_interrupted() == ([], [])


def test_an_interrupted_training_is_discarded(entry: str) -> None:
    assert main(["interrupted", "discard", entry]) == 0
    assert Store().journal.find_interrupted() == ([], [])
    assert (Store().folder / "trash" / f"{entry}.npz").exists()


def test_a_deleted_text_is_read_from_the_cache(entry: str) -> None:
    Path("text.txt").unlink()
    assert main(["interrupted", "continue", entry]) == 0
    assert load_vectors("v.vec").dim == 4


def test_several_are_listed_without_those_stored_meanwhile(gate: Gate, capsys: Capture) -> None:
    store = Store()
    first = leave_interrupted(store, "First", 0.25)
    second = leave_interrupted(store, "Second", 0.75)
    # A window restored this one, but its process ended before this was recorded.
    third = leave_interrupted(store, "Third", 0.5)
    entry = next(
        entry
        for entry in store.journal.find_interrupted()[0]
        if entry.identifier == third.identifier
    )
    store.save(third, store.journal.take_interrupted(entry)[1])
    assert main(["interrupted", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["interrupted"]
    assert {(one["id"], one["name"], one["progress"]) for one in entries} == {
        (first.identifier, "First", 0.25),
        (second.identifier, "Second", 0.75),
    }
    assert main(["interrupted", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for record, share in ((first, "25%"), (second, "75%")):
        (line,) = [line for line in lines if record.identifier in line]
        assert record.name in line
        assert share in line
    assert not any(third.identifier in line for line in lines)
    # It isn’t clear which training is meant.
    assert main(["interrupted", "discard"]) == 2
    err = capsys.readouterr().err
    assert first.identifier in err
    assert second.identifier in err
    assert third.identifier not in err
    assert len(store.journal.find_interrupted()[0]) == 3


def test_a_divergence_ends_with_2_and_names_the_kept_file(
    entry: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = StepModel.fit

    def diverging(model: StepModel, corpus: Corpus, run: JobControl) -> Embeddings:
        model.params = model.params.replace(failing="diverge")
        return fit(model, corpus, run)

    monkeypatch.setattr(StepModel, "fit", diverging)
    capsys.readouterr()
    assert main(["interrupted", "continue", entry, "--output", "w.npz"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "trained to the end" not in err
    # During the eleventh step of forty.
    assert "diverged at 27.5%" in err
    assert "The vectors are in w.npz." in err
    assert "Lower --learning-rate" in err
    assert err.count("\n") == 1
    assert np.isfinite(dense(load_vectors("w.npz").vectors)).all()
