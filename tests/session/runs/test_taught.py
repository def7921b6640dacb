"""New runs with a word that was taught."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus
from session.fakes import Listener, wait_until

from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.runs.taught import TaughtLines
from workbench.session.session import Session
from workbench.session.training.train_api import train


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    new_session = Session()
    yield new_session
    new_session.close()


@pytest.fixture
def corpus() -> Corpus:
    return markov_corpus(3_000, words=20, sentence=10)


def _finished(session: Session, corpus: Corpus) -> RunRecord:
    embeddings = train(corpus, "svd", min_count=1, dim=5)
    record = RunRecord(
        "20260101-000000-000000-0000",
        "SVD 1",
        "svd",
        dict(embeddings.metadata["parameters"]),
        corpus.name,
        corpus.digest,
        "2026-01-01",
        state=State.DONE,
        embeddings=embeddings,
        stored=True,
    )
    session.store.save(record, embeddings)
    session.runs.append(record)
    return record


def test_a_taught_word_makes_a_new_run_that_says_so(session: Session, corpus: Corpus) -> None:
    parent = _finished(session, corpus)
    assert parent.embeddings is not None
    lesson = TaughtLines("Blicket", ("w00 blicket w01", "w02 blicket"))
    session.runs.teach(parent, lesson, None)
    wait_until(session, lambda: len(session.runs) == 2)
    child = session.runs[1]
    assert session.active.run is child
    assert child.name == "SVD 1 + Blicket"
    assert child.algorithm == "svd"
    assert child.summary["parent"]["name"] == "SVD 1"
    assert child.summary["taught"] == [
        {"word": "blicket", "known": False, "lines": 2, "occurrences": 2}
    ]
    assert "blicket" not in parent.embeddings
    (again,) = [record for record in Store().load()[0] if record.name == child.name]
    read = Store().vectors(again.identifier)
    assert read.words[read.row("blicket")] == "blicket"
    assert np.asarray(read.vectors)[read.row("blicket")].any()


def test_a_known_word_is_taught_on_a_copy(session: Session, corpus: Corpus) -> None:
    parent = _finished(session, corpus)
    assert parent.embeddings is not None
    before = np.array(parent.embeddings.vectors)
    session.runs.teach(parent, TaughtLines("w03", ("w03 w15 w15",) * 50), corpus)
    wait_until(session, lambda: len(session.runs) == 2)
    child = session.runs[1].embeddings
    assert child is not None
    row = child.row("w03")
    changed = np.flatnonzero((np.asarray(child.vectors) != before).any(axis=1))
    assert changed.tolist() == [row]
    assert (np.asarray(parent.embeddings.vectors) == before).all()


def test_what_cant_be_learned_is_reported(session: Session, corpus: Corpus) -> None:
    parent = _finished(session, corpus)
    listener = Listener(session)
    session.runs.teach(parent, TaughtLines("new", ("w00 w01",)), None)
    wait_until(session, listener.messages)
    assert "“new” doesn’t occur in these lines" in listener.messages()[0]
    assert len(session.runs) == 1
