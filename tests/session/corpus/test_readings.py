"""Reading options belong to a single text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from session.fakes import wait_until

from workbench.core.paths import settings_folder
from workbench.corpus.corpus import CorpusOptions
from workbench.session.corpus.controller import FIRST_SAMPLE
from workbench.session.session import Session

# No option has its default, so that any leak is visible.
_OTHERWISE: dict[str, Any] = {
    "tokeniser": "regex",
    "pattern": r"[a-z]+",
    "sentences": "punctuation",
    "lowercase": False,
    "language": "turkish",
    "unreadable": "stop",
    "unicode_form": "NFKC",
    "strip_accents": True,
    "numbers": "zeros",
    "stop_words": "the",
    "keep_words": "king queen saw Saw cat",
    "min_length": 2,
    "encoding": "latin-1",
    "exclude": "*.bak",
    "phrases": 1,
    "phrase_score": "npmi",
    "phrase_threshold": 0.1,
    "phrase_fall": 0.5,
    "phrase_min_count": 2,
    "phrase_delimiter": "+",
}
_OF_NO_TEXT = {"column", "include", "without", "parts_of_speech", "notes"}


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    paths = (tmp_path / "first.txt", tmp_path / "second.txt")
    for number, path in enumerate(paths):
        path.write_text(
            f"The king saw the queen. The queen\nsaw a cat {number}. It saw 7 kings.\n" * 20
        )
    return paths


@pytest.fixture
def again() -> Iterator[list[Session]]:
    sessions: list[Session] = []
    yield sessions
    for session in sessions:
        session.close()


def open_texts(
    session: Session, *paths: Path, options: CorpusOptions | None = None
) -> CorpusOptions:
    session.corpora.open(paths, options)
    return _settled_options(session)


def _settled_options(session: Session) -> CorpusOptions:
    wait_until(session, lambda: session.corpora.opening is None)
    assert session.corpora.error is None, session.corpora.error
    assert session.corpora.current is not None
    return session.corpora.current.options


def test_every_option_is_tried_here() -> None:
    assert set(_OTHERWISE) | _OF_NO_TEXT == {spec.name for spec in CorpusOptions.specs()}
    plain = CorpusOptions()
    assert all(getattr(plain, name) != value for name, value in _OTHERWISE.items())


def test_what_one_text_was_read_by_is_not_taken_for_another(
    session: Session, texts: tuple[Path, Path], again: list[Session]
) -> None:
    first, second = texts
    wanted = CorpusOptions(**_OTHERWISE)
    assert open_texts(session, first, options=wanted) == wanted
    assert open_texts(session, second) == CorpusOptions()
    session.corpora.open_sample(FIRST_SAMPLE)
    assert _settled_options(session) == CorpusOptions()
    # The first text keeps its own options, also after a restart.
    assert open_texts(session, first) == wanted
    later = Session()
    again.append(later)
    assert later.corpora.restore()
    assert _settled_options(later) == wanted
    assert open_texts(later, second) == CorpusOptions()
    assert open_texts(later, first) == wanted
    # A text that was read with the defaults again is read with them the next time, too.
    assert open_texts(later, first, options=CorpusOptions()) == CorpusOptions()
    assert open_texts(later, second) == CorpusOptions()
    assert open_texts(later, first) == CorpusOptions()


def test_a_text_for_which_nobody_chose_anything_is_asked_anew(
    session: Session, texts: tuple[Path, Path]
) -> None:
    open_texts(session, texts[0])
    assert session.corpora.readings.of([str(texts[0])]) is None
    open_texts(session, texts[0], options=CorpusOptions())
    assert session.corpora.readings.of([str(texts[0])]) == CorpusOptions()


def test_the_sample_opens_with_its_defaults_however_it_was_read_before(session: Session) -> None:
    session.corpora.open_sample(FIRST_SAMPLE)
    usual = _settled_options(session)
    session.corpora.open_sample(FIRST_SAMPLE, CorpusOptions(sentences="punctuation"))
    assert _settled_options(session).sentences == "punctuation"
    session.corpora.open([FIRST_SAMPLE])
    assert _settled_options(session) == usual == CorpusOptions()


@pytest.mark.parametrize("over", ["first.txt", "second.txt"])
def test_what_the_first_version_carried_along_is_taken_back(
    session: Session, texts: tuple[Path, Path], again: list[Session], over: str
) -> None:
    first, second = texts
    options = CorpusOptions(sentences="punctuation")
    open_texts(session, first, options=options)
    digests = {
        first.name: session.corpora.current.digest if session.corpora.current is not None else ""
    }
    open_texts(session, second, options=options)
    digests[second.name] = (
        session.corpora.current.digest if session.corpora.current is not None else ""
    )
    _write_settings(
        {
            "theme": "dark",
            "corpus": {
                "paths": [str(second)],
                "options": options.to_dict(),
                "name": "second",
                "digest": digests[second.name],
            },
            "recent": [
                {"paths": [str(second)], "options": {"sentences": "punctuation"}},
                {"paths": [str(first)], "options": {"sentences": "punctuation", "min_length": 2}},
            ],
            "corpus.options": options.to_dict(),
            "corpus.options.over": digests[over],
        }
    )
    later = Session()
    again.append(later)
    assert later.corpora.restore()
    # Carried options stay only with the text that they were chosen for; a text’s other options
    # stay.
    assert _settled_options(later) == (options if over == second.name else CorpusOptions())
    assert open_texts(later, first) == options.replace(min_length=2)
    assert later.settings.all().get("theme") == "dark"
    assert "corpus.options" not in later.settings.all()
    assert "corpus.options" not in (settings_folder() / "settings.json").read_text()


def test_a_sample_that_the_first_version_read_otherwise_is_read_by_its_defaults(
    again: list[Session],
) -> None:
    options = CorpusOptions(sentences="punctuation", lowercase=False)
    _write_settings(
        {
            "corpus": {"sample": FIRST_SAMPLE, "options": options.to_dict()},
            "corpus.options": options.to_dict(),
            "corpus.options.over": "0" * 32,
        }
    )
    later = Session()
    again.append(later)
    assert later.corpora.restore()
    assert _settled_options(later) == CorpusOptions()


def _write_settings(values: dict[str, Any]) -> None:
    (settings_folder() / "settings.json").write_text(json.dumps(values))
