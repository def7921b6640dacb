"""Bundled corpora open like any other corpus and describe themselves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.paths import cache_folder
from workbench.corpus import samples
from workbench.corpus.samples import SAMPLES, open_sample, small_world


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Small World of about 5,000 words, under another digest."""
    generate = small_world.generate
    monkeypatch.setattr(small_world, "generate", lambda **where: generate(tokens=5_000, **where))
    monkeypatch.setattr(small_world, "digest", lambda *_: "short")
    yield
    (cache_folder("samples") / "small-world-short.txt").unlink(missing_ok=True)


def test_samples_are_described() -> None:
    for key, sample in SAMPLES.items():
        assert sample.key == key
        assert sample.title
        assert sample.summary
        assert sample.questions is None or sample.questions.is_file()
    assert SAMPLES["small-world"].synthetic
    with pytest.raises(dataclasses.FrozenInstanceError):
        SAMPLES["small-world"].title = "Other"  # type: ignore[misc]


@pytest.mark.usefixtures("short")
def test_small_world_opens() -> None:
    corpus = open_sample("small-world")
    sentences = [sentence for _, sentence in small_world.generate()]
    assert corpus.name == "Small World"
    assert corpus.metadata["synthetic"] is True
    assert corpus.metadata["sample"] == "small-world"
    assert corpus.tokens == sum(len(sentence.split()) for sentence in sentences)
    assert len(corpus.sentences) == len(sentences) + 1
    first = [corpus.words[i] for i in corpus.ids[: corpus.sentences[1]]]
    assert first == sentences[0].split()


@pytest.mark.usefixtures("short")
def test_the_text_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_sample("small-world", JobControl())
    monkeypatch.setattr(small_world, "write", _refuse)
    again = open_sample("small-world", JobControl())
    assert again.digest == first.digest
    assert np.array_equal(again.ids, first.ids)


@pytest.mark.usefixtures("short")
def test_a_changed_grammar_writes_the_text_again(monkeypatch: pytest.MonkeyPatch) -> None:
    open_sample("small-world")
    paths: list[Path] = []
    write = small_world.write

    def spy(path: Path, run: JobControl | None) -> None:
        paths.append(path)
        write(path, run)

    monkeypatch.setattr(small_world, "digest", lambda: "changed")
    monkeypatch.setattr(small_world, "write", spy)
    open_sample("small-world")
    assert [path.name for path in paths] == ["small-world-changed.txt"]
    paths[0].unlink()


def test_an_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(UserError, match="small-world"):
        samples.open_sample("large-world")


def _refuse(path: Path, run: JobControl | None) -> None:
    raise AssertionError("written again")
