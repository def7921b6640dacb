from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from session.fakes import Gate, small_corpus

from workbench.session.session import Session


@pytest.fixture
def session(gate: Gate, home: Path) -> Iterator[Session]:
    """A session with a tiny corpus open, closed at the end."""
    made = Session()
    made.corpus = small_corpus()
    yield made
    gate.opened.set()
    made.close()
