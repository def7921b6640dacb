"""Vectors are loaded from memory or from the store."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.runs.vector_loader import LoadedVectors, loader
from workbench.vectors.embeddings import Embeddings


def test_vectors_come_from_memory_or_from_the_store(home: Path) -> None:
    vectors = Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
    record = RunRecord("20260101-000000-000000-aaaa", "one", "", {}, "", "", "", state=State.DONE)
    store = Store()
    with pytest.raises(UserError, match="^one: "):
        loader(store, record)()
    store.save(record, vectors)
    assert list(loader(store, record)().words) == ["a", "b"]
    cache = LoadedVectors(store)
    assert cache.get(record) is None
    cache.keep({record.identifier: vectors})
    assert cache.loader(record)() is vectors
    cache.keep({})
    assert cache.get(record) is None
    record.embeddings = vectors
    assert cache.get(record) is vectors
    assert loader(store, record)() is vectors
