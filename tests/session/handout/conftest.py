"""Fixtures of the tests of handouts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Browser, chromium
from session.handout.handout_run import page_of, text, trained

from workbench import read_corpus
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.session.export import ExportSource


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text(text(), encoding="utf-8")
    return read_corpus([path], CorpusOptions(tokeniser="whitespace"))


@pytest.fixture(scope="module")
def subject(corpus: Corpus) -> ExportSource:
    return trained(corpus)


@pytest.fixture(scope="module")
def html(subject: ExportSource, corpus: Corpus) -> str:
    return page_of(subject, corpus)


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if chromium() is None:
        if os.environ.get("WORKBENCH_CI"):
            pytest.fail("Chromium is missing: install the package chromium")
        pytest.skip("needs Chromium")
    # The path of a socket may have 107 letters, so the folder isn't named after the test.
    with Browser(tmp_path_factory.mktemp("b")) as found:
        yield found


@pytest.fixture
def shown(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a page to a file."""

    def write(html: str) -> Path:
        path = tmp_path / "handout.html"
        path.write_text(html, encoding="utf-8", newline="")
        return path

    return write
