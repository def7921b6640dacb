from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from session.fakes import Gate, small_corpus
from session.fakes_interrupted import begin, die

from workbench.session.session import Session
from workbench.session.training import autosave


@pytest.fixture
def session(gate: Gate, home: Path) -> Iterator[Session]:
    """A session with a tiny corpus open, closed at the end."""
    new_session = Session()
    new_session.corpora.current = small_corpus()
    yield new_session
    gate.opened.set()
    new_session.close()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """States of a training are saved at once, however long writing takes."""
    monkeypatch.setattr(autosave, "FIRST", 0.02)
    monkeypatch.setattr(autosave, "BETWEEN", 0.0)
    monkeypatch.setattr(autosave, "SHARE", 1e9)


@pytest.fixture
def again(session: Session, gate: Gate, at_once: None) -> Iterator[Session]:
    """The next session, whose store contains an interrupted training of ten epochs."""
    path = begin(session, gate)
    die(session, path)
    gate.opened.set()
    session.close()
    new_session = Session()
    new_session.corpora.current = small_corpus()
    yield new_session
    gate.opened.set()
    new_session.close()
