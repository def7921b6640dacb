"""File names that aren’t UTF-8, which Linux allows, don’t prevent anything from being saved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from session.fakes import StepParams, wait_until

from workbench.core.paths import settings_folder
from workbench.session.corpus.recent_files import recent_files
from workbench.session.session import Session
from workbench.session.settings.settings_file import Settings
from workbench.session.training.request import TrainingSpec
from workbench.vectors.formats import load_vectors, save_vectors


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / os.fsdecode(b"t\xe9moin.txt")
    try:
        path.write_text("the cat saw the dog and the dog saw the cat\n" * 10)
    except OSError:
        pytest.skip("this system has no such names")
    return path


@pytest.mark.usefixtures("gate")
def test_a_text_of_such_a_name(
    session: Session, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    session.message.connect(lambda text, hint, wrong: messages.append(text) if wrong else None)
    session.corpora.open([text])
    wait_until(session, lambda: recent_files(session.settings) and not session.jobs.active)
    assert recent_files(Settings()) == [[str(text)]]
    session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: session.runs and session.runs[0].stored)
    (record,) = session.store.load()[0]
    assert record.summary["source"]["paths"] == [str(text)]
    session_file = tmp_path / os.fsdecode(b"s\xe9ance.workbench")
    session.files.save(session_file, {})
    wait_until(session, session_file.is_file)
    for key in ("npz", "safetensors", "model2vec"):
        vectors = session.store.vectors(record.identifier)
        save_vectors(vectors, tmp_path / f"out.{key}", key)
        assert load_vectors(tmp_path / f"out.{key}", key).metadata == vectors.metadata
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "elsewhere"))
    assert settings_folder().is_relative_to(tmp_path / "elsewhere")
    there = Session()
    try:
        there.corpora.open([session_file])
        wait_until(there, lambda: there.runs and there.corpora.current is not None)
        assert there.runs[0].name == session.runs[0].name
    finally:
        there.close()
    assert messages == []
