"""Counts in a folder, opened instead of a corpus."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from corpora import markov_corpus
from session.fakes import Listener, wait_until

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.base import MODELS
from workbench.session.corpus import opening
from workbench.session.corpus.counts_params import params_for
from workbench.session.corpus.opening import MissingText
from workbench.session.corpus.reading import read_corpus
from workbench.session.corpus.recent_files import recent_files
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec

GLOVE = {"dim": 4, "epochs": 2, "threads": 1}


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    new_session = Session()
    yield new_session
    new_session.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return counts_in(tmp_path / "few")


def counts_in(folder: Path, window: int = 3) -> Path:
    corpus = markov_corpus(3000)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, window, "harmonic", threads=1)
    metadata = {"weighting": "harmonic", "window": window, "symmetric": True, "divisor": 6.0}
    write_shards(folder, shard_csr(matrix, 400), vocabulary, metadata)
    return folder


def test_a_folder_of_counts_stands_in_the_place_of_a_corpus(session: Session, folder: Path) -> None:
    listener = Listener(session)
    session.corpora.open([folder])
    wait_until(session, lambda: session.corpora.opening is None)
    counted_corpus = session.corpora.counts
    assert counted_corpus is not None
    assert session.corpora.current is counted_corpus
    assert session.corpora.text is None
    assert (counted_corpus.name, counted_corpus.tokens, counted_corpus.types) == ("few", 3000, 40)
    assert listener.names() == ["corpora.changed", "corpora.changed"]
    assert recent_files(session.settings) == [[str(folder)]]
    assert session.corpora.source == {
        "counts": str(folder),
        "name": "few",
        "digest": counted_corpus.digest,
    }


def test_it_is_trained_and_gone_on_with_as_any_corpus(session: Session, folder: Path) -> None:
    session.corpora.current = opening.open_counted(str(folder), JobControl()).corpus
    assert session.corpora.counts is not None
    params = params_for(session.corpora.counts, MODELS["glove"], GLOVE)
    record = session.training.start(TrainingSpec("glove", params))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
    assert record.corpus_digest == session.corpora.counts.digest
    # This test set the corpus directly, so the source comes from the open counts.
    further = session.training.continue_run(record, 2)
    wait_until(session, lambda: further.state.over)
    assert further.state is State.DONE


def test_what_needs_the_text_or_other_counts_is_refused_at_once(
    session: Session, folder: Path
) -> None:
    session.corpora.current = opening.open_counted(str(folder), JobControl()).corpus
    with pytest.raises(UserError, match="needs the text itself"):
        session.training.start(TrainingSpec("sgns", MODELS["sgns"].params_type()))
    with pytest.raises(UserError, match="was counted with window 3, not 10"):
        session.training.start(
            TrainingSpec("glove", MODELS["glove"].params_type.from_mapping({"window": 10}))
        )
    with pytest.raises(UserError, match="needs the text itself"):
        session.training.start_all(
            [TrainingSpec("sgns", MODELS["sgns"].params_type(), "a", group="grid")]
        )
    assert not session.runs


def test_it_is_open_again_after_a_start(session: Session, folder: Path) -> None:
    session.corpora.open([folder])
    wait_until(session, lambda: session.corpora.opening is None)
    again = Session()
    try:
        assert again.corpora.restore()
        wait_until(again, lambda: again.corpora.opening is None)
        assert again.corpora.counts is not None
        assert again.corpora.source == session.corpora.source
    finally:
        again.close()


def test_counts_that_were_moved_are_missed_and_located(session: Session, folder: Path) -> None:
    session.corpora.open([folder])
    wait_until(session, lambda: session.corpora.opening is None)
    assert session.corpora.counts is not None
    digest = session.corpora.counts.digest
    folder.rename(folder.with_name("elsewhere"))
    again = Session()
    try:
        errors: list[MissingText] = []
        again.corpora.text_missed.connect(errors.append)
        again.corpora.restore()
        wait_until(again, lambda: bool(errors))
        assert errors[0].message == f"Couldn’t find {folder}."
        assert "Locate the folder" in errors[0].hint
        assert again.corpora.current is None
        again.corpora.reopen(replace(errors[0].wanted, counts=str(folder.with_name("elsewhere"))))
        wait_until(again, lambda: again.corpora.counts is not None)
        assert again.corpora.counts is not None
        assert again.corpora.counts.digest == digest
    finally:
        again.close()


def test_a_run_goes_on_from_its_counts_where_they_lie_now(session: Session, folder: Path) -> None:
    counted_corpus = open_counts(folder)
    record = session.training.start(
        TrainingSpec(
            "glove", params_for(counted_corpus, MODELS["glove"], GLOVE), counts=counted_corpus
        )
    )
    wait_until(session, lambda: record.state.over)
    new_folder = folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(UserError, match="doesn’t exist"):
        session.training.continue_run(record, 1)
    session.corpora.open([new_folder])
    wait_until(session, lambda: session.corpora.counts is not None)
    further = session.training.continue_run(record, 1)
    wait_until(session, lambda: further.state.over)
    assert further.state is State.DONE
    assert further.summary["source"]["counts"] == str(new_folder)


def test_damage_is_seen_when_they_are_opened(session: Session, folder: Path) -> None:
    """Damage is detected even if every number is plausible."""
    file = folder / "00001.data.npy"
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    session.corpora.open([folder])
    wait_until(session, lambda: session.corpora.opening is None)
    assert str(session.corpora.error).startswith(
        f"The counts in {folder} are corrupt (00001.data.npy)."
    )
    assert session.corpora.current is None


def test_counts_are_no_text(session: Session, folder: Path) -> None:
    """Otherwise the list of words would be read as a text."""
    with pytest.raises(UserError, match="few contains counts, not text"):
        read_corpus([folder])
    session.corpora.open([folder, folder.parent])
    wait_until(session, lambda: session.corpora.opening is None)
    assert session.corpora.error is not None
    assert session.corpora.current is None


def test_counts_that_were_counted_again_are_told_of(folder: Path) -> None:
    before = opening.open_counted(str(folder), JobControl()).to_json()
    wanted = opening.parse_remembered(before)
    assert wanted is not None
    assert not opening.reopen(wanted, JobControl()).note
    shutil.rmtree(folder)
    assert wanted.missing == (str(folder),)
    counts_in(folder, 2)
    assert (
        opening.reopen(wanted, JobControl()).note
        == "few has been counted again since it was last opened."
    )


def test_a_session_file_names_the_counts(session: Session, folder: Path, tmp_path: Path) -> None:
    session.corpora.open([folder])
    wait_until(session, lambda: session.corpora.opening is None)
    session.files.save(tmp_path / "one.workbench")
    wait_until(session, lambda: not session.jobs.active)
    session.corpora.current = None
    session.corpora.source = {}
    session.corpora.open([tmp_path / "one.workbench"])
    wait_until(session, lambda: session.corpora.counts is not None)
    assert session.corpora.source["counts"] == str(folder)
