"""Bundled corpora, generated at first use and opened like any other corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from workbench.core.errors import UserError
from workbench.core.folders import resources
from workbench.core.job_control import JobControl
from workbench.core.language import language, tr
from workbench.core.paths import cache_folder
from workbench.core.processes.child_task import avoids_compiler, run_task
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.samples import face, kleine_welt, python_docs, small_world


@dataclass(frozen=True)
class Sample:
    """A bundled corpus. ``synthetic``: a program generated its sentences; ``questions``: its own
    analogy questions.
    """

    key: str
    title: str
    summary: str
    synthetic: bool
    questions: Path | None


SAMPLES: Mapping[str, Sample] = MappingProxyType(
    {
        "small-world": Sample(
            key="small-world",
            title="Small World",
            summary=tr(
                "Synthetic: a million words of simple English about kings and queens, "
                "countries and capitals, trades and objects, generated so that analogies "
                "appear after seconds of training."
            ),
            synthetic=True,
            questions=resources() / "small_world" / "questions.txt",
        ),
        "kleine-welt": Sample(
            key="kleine-welt",
            title=kleine_welt.TITLE,
            summary=tr(
                "Synthetic: a million words of simple German of the same kind as Small World, for "
                "classes in German."
            ),
            synthetic=True,
            questions=kleine_welt.folder() / "questions.txt",
        ),
        "python-docs": Sample(
            key="python-docs",
            title="Python’s documentation",
            summary=tr(
                "A few megabytes of technical English: the docstrings of Python’s library "
                "and of the installed packages. Collected on first use, which takes a "
                "minute; no code is imported or run."
            ),
            synthetic=False,
            questions=None,
        ),
        "face": Sample(
            key="face",
            title="Face",
            summary=tr(
                "Synthetic: a million lines of two words, such as “r17 c40”, whose PMI is the "
                "picture of a face. Train with a window of 1 to see what an algorithm makes of it."
            ),
            synthetic=True,
            questions=None,
        ),
    }
)


class _Maker(Protocol):
    def digest(self) -> str:
        """A hash of everything that determines the text."""

    def write(self, path: Path, run: JobControl | None) -> None:
        """Write the text completely or not at all. Raises UserError and Cancelled."""


_MAKERS: Mapping[str, _Maker] = {
    "small-world": small_world,
    "kleine-welt": kleine_welt,
    "python-docs": python_docs,
    "face": face,
}


# By the language of the window.
_FIRST = {"de": "kleine-welt"}


def first_sample() -> str:
    """The key of the bundled corpus that opens at the first start."""
    return _FIRST.get(language(), "small-world")


def sample_text(key: str, run: JobControl | None = None) -> Path:
    """The text of a bundled corpus, written into the cache if it is missing.

    Raises UserError for an unknown key, and Cancelled.
    """
    if key not in SAMPLES:
        raise UserError(
            tr("Unknown bundled corpus “{key}”.", key=key),
            tr("Choose one of: {names}.", names=", ".join(SAMPLES)),
        )
    text = _text_path(key)
    if not text.exists():
        _MAKERS[key].write(text, run)
    return text


def _text_path(key: str) -> Path:
    # The name identifies the generator of the text, so a changed generator writes the text again.
    return cache_folder("samples") / f"{key}-{_MAKERS[key].digest()}.txt"


def open_sample(
    key: str, run: JobControl | None = None, options: CorpusOptions | None = None
) -> Corpus:
    """A bundled corpus; its text is written into the cache if it is missing. The metadata contains
    ``sample`` and ``synthetic``.

    Options for specific files have no effect. Raises UserError for an unknown key, and Cancelled.
    """
    from workbench.corpus.loader import READ_TASK, open_corpus

    options = (options or CorpusOptions()).lasting()
    if key in SAMPLES and avoids_compiler() and not _text_path(key).exists():
        # One child process writes and reads the text; the corpus is then found below.
        request = {"sample": key, "options": options.to_dict()}
        run_task(READ_TASK, request, run or JobControl())
    text = sample_text(key, run)
    sample = SAMPLES[key]
    corpus = open_corpus([text], options, run, sample.title)
    return replace(
        corpus, metadata={**corpus.metadata, "sample": key, "synthetic": sample.synthetic}
    )
