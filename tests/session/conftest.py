from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from session.fakes import Gate, StepModel, TableModel, small_corpus

from workbench.models.base import MODELS
from workbench.session.session import Session


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Registers the models “step” and “table”; the gate is open."""
    gate = Gate()
    gate.opened.set()
    StepModel.gate = gate
    monkeypatch.setattr(MODELS, "_found", {"step": StepModel, "table": TableModel})
    monkeypatch.setattr("workbench.session.warming.compiled", lambda name: True)
    return gate


@pytest.fixture
def session(gate: Gate, home: Path) -> Iterator[Session]:
    """A session with a tiny corpus open, closed at the end."""
    made = Session()
    made.corpus = small_corpus()
    yield made
    gate.opened.set()
    made.close()
