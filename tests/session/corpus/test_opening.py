from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Listener, wait_until

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus import samples
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.samples import SAMPLES
from workbench.session.corpus import opening
from workbench.session.corpus.controller import FIRST_SAMPLE
from workbench.session.corpus.recent_files import recent_files
from workbench.session.lessons import folder
from workbench.session.session import Session
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "Some text.txt"
    path.write_text("The king saw the queen.\nThe queen saw a cat.\n" * 20)
    return path


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "some.vec"
    save_vectors(Embeddings(["a", "b", "c"], np.eye(3, 2, dtype=np.float32)), path)
    return path


@pytest.fixture
def empty(session: Session) -> Session:
    session.corpora.current = None
    return session


def is_idle(session: Session) -> bool:
    return session.corpora.opening is None


def test_a_text_of_a_lesson_is_asked_small_worlds_questions(empty: Session) -> None:
    empty.corpora.open([folder() / "small-village.txt"])
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    assert empty.corpora.questions_path == SAMPLES[FIRST_SAMPLE].questions


def test_a_text_becomes_the_corpus(empty: Session, text: Path) -> None:
    listener = Listener(empty)
    empty.corpora.open([text])
    assert empty.corpora.opening is not None
    assert "Some text.txt" in empty.corpora.opening.title
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    assert empty.corpora.current.tokens == 200
    assert empty.corpora.error is None
    assert empty.corpora.questions_path is None
    assert listener.names() == ["corpora.changed", "corpora.changed"]
    assert recent_files(empty.settings) == [[str(text)]]


def test_vectors_and_text_together(empty: Session, text: Path, vectors: Path) -> None:
    empty.corpora.open([vectors, text])
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    assert empty.corpora.current.tokens == 200
    (record,) = empty.runs
    assert (record.name, record.algorithm, record.stored, record.has_vectors) == (
        "some",
        "",
        False,
        True,
    )
    assert empty.active.run is record
    assert record.embeddings is not None
    assert record.summary["vocabulary"] == 3
    assert record.summary["dim"] == 2


def test_vectors_alone_leave_the_corpus_alone(session: Session, vectors: Path) -> None:
    before = session.corpora.current
    session.corpora.open([vectors])
    wait_until(session, lambda: is_idle(session))
    assert session.corpora.current is before
    assert session.settings.all().get("corpus") is None
    session.runs.delete(session.runs[0])
    assert session.runs.records == []
    session.runs.undelete()
    assert len(session.runs) == 1


def test_words_that_are_not_utf8_are_said_when_they_are_opened(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "latin.vec"
    path.write_bytes(b"3 2\nok 1 0\n\xe9 0 1\n\xe8 1 1\n")
    listener = Listener(session)
    session.corpora.open([path])
    wait_until(session, lambda: is_idle(session))
    assert session.active.run is not None
    assert session.active.run.embeddings is not None
    assert list(session.active.run.embeddings.words) == ["ok", r"\xe9", r"\xe8"]
    assert any("latin.vec: 2 words aren’t UTF-8" in message for message in listener.messages())


def test_what_cannot_be_opened_is_said(session: Session, tmp_path: Path, text: Path) -> None:
    before = session.corpora.current
    listener = Listener(session)
    session.corpora.open([tmp_path / "absent.txt"])
    wait_until(session, lambda: is_idle(session))
    assert session.corpora.error is not None
    assert "absent.txt" in str(session.corpora.error)
    assert listener.messages() == [session.corpora.error.message]
    assert session.corpora.current is before
    session.corpora.open([text])
    assert session.corpora.error is None
    wait_until(session, lambda: is_idle(session))


def test_opening_again_takes_the_place_of_the_first(
    session: Session, text: Path, tmp_path: Path
) -> None:
    session.corpora.open([tmp_path / "absent.txt"])
    session.corpora.open([text])
    wait_until(session, lambda: is_idle(session) and not session.jobs.active)
    assert session.corpora.error is None
    assert session.corpora.current is not None
    assert session.corpora.current.tokens == 200


def test_opening_can_be_cancelled(
    session: Session, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = session.corpora.current
    cancellation = threading.Event()
    read = opening.open_files

    def waiting(
        paths: Sequence[str], options: CorpusOptions | None, run: JobControl, ask: bool = False
    ) -> opening.Opened:
        # Without waiting, a text this small could be open before it is cancelled.
        cancellation.wait(60)
        return read(paths, options, run)

    monkeypatch.setattr(opening, "open_files", waiting)
    session.corpora.open([text])
    assert session.corpora.opening is not None
    session.corpora.opening.run.cancel()
    cancellation.set()
    wait_until(session, lambda: is_idle(session))
    assert session.corpora.current is before
    assert session.corpora.error is None


def test_opening_nothing_does_nothing(session: Session) -> None:
    session.corpora.open([])
    assert session.corpora.opening is None


def test_the_next_start_opens_the_same_corpus(empty: Session, text: Path) -> None:
    options = CorpusOptions(sentences="none", lowercase=False, phrases=1, phrase_score="npmi")
    empty.corpora.open([text], options)
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    again = Session()
    try:
        assert again.corpora.restore()
        wait_until(again, lambda: is_idle(again))
        assert again.corpora.current is not None
        assert again.corpora.current.digest == empty.corpora.current.digest
        assert again.corpora.current.options == options
    finally:
        again.close()


GARBAGE: list[object] = [
    None,
    5,
    "text",
    [],
    {},
    {"sample": 5},
    {"sample": "no such sample"},
    {"paths": []},
    {"paths": "x"},
    {"paths": [5]},
    {"paths": ["/no/such/file"]},
    {"paths": ["x" * 5000]},
    {"paths": ["\0"]},
]


def test_a_named_corpus_opens_with_vectors_but_not_with_another_text(
    text: Path, tmp_path: Path
) -> None:
    vectors = tmp_path / "mine.vec"
    vectors.write_text("2 2\na 1 0\nb 0 1\n")
    found = opening.open_files(["small-world", str(vectors)], None, JobControl())
    assert found.sample == "small-world"
    assert [name for name, _ in found.vectors] == ["mine"]
    with pytest.raises(UserError, match="small-world can’t be opened together with another text"):
        opening.open_files([str(text), "small-world"], None, JobControl())
    with pytest.raises(UserError, match=r"absent\.txt"):
        opening.open_files(["small-world", str(tmp_path / "absent.txt")], None, JobControl())


def test_a_named_corpus_with_vectors_is_read_with_the_chosen_options(tmp_path: Path) -> None:
    vectors = tmp_path / "mine.vec"
    vectors.write_text("2 2\na 1 0\nb 0 1\n")
    options = CorpusOptions(lowercase=False)
    found = opening.open_files(["small-world", str(vectors)], options, JobControl())
    assert found.corpus is not None
    assert found.corpus.options.lowercase is False


def test_another_text_is_refused_before_anything_is_read(
    text: Path, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("read")

    monkeypatch.setattr(opening, "open_corpus", read)
    monkeypatch.setattr(opening, "open_pairs", read)
    monkeypatch.setattr("workbench.vectors.formats.load_vectors", read)
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("word,context,count\na,b,3\nb,a,3\n")
    for others in (["kleine-welt", str(vectors)], [str(vectors), str(text)], [str(pairs)]):
        with pytest.raises(UserError, match="can’t be opened together with another text"):
            opening.open_files(["small-world", *others], None, JobControl())


def test_a_german_window_starts_with_a_german_text(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(session.corpora, "open_sample", opened.append)
    monkeypatch.setattr(samples, "language", lambda: "de")
    session.corpora.restore()
    assert opened == ["kleine-welt"]


@pytest.mark.parametrize("value", GARBAGE, ids=repr)
def test_without_a_sensible_memory_the_sample_is_opened(
    session: Session, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(session.corpora, "open_sample", opened.append)
    session.settings.put({"corpus": value})
    assert not session.corpora.restore()
    assert opened == [FIRST_SAMPLE]


def test_options_that_make_no_sense_are_the_default(text: Path) -> None:
    for options in (None, 5, {"tokeniser": "wrong"}, {"unheard": 1}):
        found = opening.find_remembered({"paths": [str(text)], "options": options})
        assert found is not None
        assert found.options == CorpusOptions()


def test_the_sample_is_read_in_ways_of_ones_own(empty: Session) -> None:
    """The sample, read as characters without stop words, is counted by hand; questions stay."""
    empty.corpora.open_sample(FIRST_SAMPLE)
    wait_until(empty, lambda: is_idle(empty))
    usual = empty.corpora.current
    assert usual is not None
    options = CorpusOptions(tokeniser="characters", stop_words="e z", sentences="none")
    empty.corpora.open_sample(FIRST_SAMPLE, options.replace(column="nonsense", encoding="koi8-r"))
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    assert empty.corpora.current.options == options
    letters: dict[str, int] = {}
    for word, number in zip(usual.words, usual.counts.tolist(), strict=True):
        for letter in word:
            letters[letter] = letters.get(letter, 0) + number
    counts = dict(
        zip(empty.corpora.current.words, empty.corpora.current.counts.tolist(), strict=True)
    )
    assert {letter: counts.get(letter, 0) for letter in letters} == {**letters, "e": 0, "z": 0}
    assert len(empty.corpora.current.sentences) == 2
    assert empty.corpora.questions_path is not None
    found = opening.find_remembered(empty.settings.all().get("corpus"))
    assert found is not None
    assert (found.sample, found.options) == (FIRST_SAMPLE, options)
    # Unused options share the cache folder of the default options.
    empty.corpora.open_sample(FIRST_SAMPLE, CorpusOptions(pattern="a+"))
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    assert (empty.corpora.current.digest, empty.corpora.current.folder) == (
        usual.digest,
        usual.folder,
    )
    assert empty.settings.all().get("corpus") == {"sample": FIRST_SAMPLE, "digest": usual.digest}


def test_phrases_of_the_sample_are_remembered(empty: Session) -> None:
    options = CorpusOptions(phrases=1, phrase_threshold=30.0)
    empty.corpora.open_sample(FIRST_SAMPLE, options)
    wait_until(empty, lambda: is_idle(empty))
    assert empty.corpora.current is not None
    assert empty.corpora.current.options == options
    found = opening.find_remembered(empty.settings.all().get("corpus"))
    assert found is not None
    assert (found.sample, found.options) == (FIRST_SAMPLE, options)
    again = Session()
    try:
        assert again.corpora.restore()
        wait_until(again, lambda: is_idle(again))
        assert again.corpora.current is not None
        assert again.corpora.current.digest == empty.corpora.current.digest
    finally:
        again.close()
