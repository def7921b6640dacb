from __future__ import annotations

from pathlib import Path

import pytest

from workbench.corpus import cache, loader


@pytest.fixture
def own_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use an empty cache of corpora for this test; compiled kernels stay where they are."""

    def corpora(*parts: str) -> Path:
        folder = tmp_path.joinpath("cache", *parts)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    monkeypatch.setattr(loader, "cache_folder", corpora)
    monkeypatch.setattr(cache, "cache_folder", corpora)
