"""A model and a corpus of a dozen words, small enough to know the right results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.vectors.embeddings import Embeddings

# Features: royal, male, female, young, fruit, material.
WORDS = {
    "the": (1, 1, 1, 1, 1, 1),
    "man": (0, 3, 0, 0, 0, 0.2),
    "woman": (0, 0, 3, 0, 0, 0.3),
    "king": (3, 3, 0, 0, 0, 0.1),
    "queen": (3, 0, 3, 0, 0, 0.2),
    "boy": (0, 3, 0, 3, 0, 0.1),
    "girl": (0, 0, 3, 3, 0, 0.2),
    "prince": (3, 3, 0, 3, 0, 0),
    "princess": (3, 0, 3, 3, 0, 0),
    "apple": (0, 0, 0, 1, 5, 0),
    "pear": (0, 0, 0, 1, 5, 1),
    "wool": (0, 0, 1, 0, 0, 5),
    "wood": (0, 1, 0, 0, 0, 5),
}
TEXT = (
    "the king saw the queen and the man saw the woman and the prince saw the princess and the boy "
    "saw the girl " * 6
)


def toy_corpus(digest: str = "toy", **metadata: Any) -> Corpus:
    corpus = small_corpus(digest, TEXT)
    return Corpus(
        corpus.name,
        corpus.ids,
        corpus.sentences,
        corpus.words,
        corpus.counts,
        digest,
        metadata=metadata,
    )


def toy_model(contexts: bool = True, **parameters: Any) -> Embeddings:
    vectors = np.array(list(WORDS.values()), dtype=np.float32)
    counts = np.arange(100 * len(WORDS), 0, -100, dtype=np.int64)
    return Embeddings(
        list(WORDS),
        vectors,
        counts,
        contexts=-vectors if contexts else None,
        metadata={"parameters": {"min_count": 1, **parameters}},
    )


def look_at(session: Session, embeddings: Embeddings, name: str = "toy") -> RunRecord:
    """Add a run with this model, and make it the active one."""
    record = RunRecord(
        f"run-{len(session.runs)}",
        name,
        "",
        {},
        "",
        "",
        "2026-01-01",
        state=State.DONE,
        embeddings=embeddings,
    )
    session.runs.append(record)
    session.runs.changed.emit()
    session.active.show(record)
    return record


def open_corpus(session: Session, corpus: Corpus | None) -> None:
    session.corpora.current = corpus
    session.corpora.changed.emit()


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    """Wait for a condition for up to 180 s: kernels may have to be compiled on a busy machine."""
    qtbot.waitUntil(lambda: bool(condition()), timeout=180_000)
