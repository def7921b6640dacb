"""What memory a container still has."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core import memory


def test_pages_of_files_are_there_to_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text("anon 500000\nfile 400000\ninactive_file 100000\nactive_file 250000\n")
    _, limit, use, cached = memory._GROUPS[0]
    monkeypatch.setattr(memory, "_GROUPS", ((str(tmp_path), limit, use, cached),))
    assert memory.free_memory() == 450_000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free_memory() > 450_000
