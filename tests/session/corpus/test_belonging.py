"""The active run belongs to the open text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from session.fakes import Gate, StepParams, small_corpus, wait_until

from workbench.corpus.corpus import CorpusOptions, SourceFile
from workbench.session.corpus.belonging import Bond, bond, mismatch, text_of
from workbench.session.runs.active_run import LAST_RUNS
from workbench.session.runs.run_record import RunRecord, State, new_identifier, now
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path, Path]:
    paths = tuple(tmp_path / f"{name}.txt" for name in ("first", "second", "third"))
    for number, path in enumerate(paths):
        path.write_text(
            f"the king {number} saw the queen.\nand the queen saw a cat. it was {number}\n" * 20
        )
    first, second, third = paths
    return first, second, third


@pytest.fixture
def again() -> Iterator[list[Session]]:
    sessions: list[Session] = []
    yield sessions
    for session in sessions:
        session.close()


def open_text(session: Session, path: Path, options: CorpusOptions | None = None) -> None:
    session.corpora.open([path], options)
    settle(session)


def settle(session: Session) -> None:
    wait_until(session, lambda: session.corpora.opening is None)
    assert session.corpora.error is None, session.corpora.error


def train_run(session: Session, name: str) -> RunRecord:
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1), name=name))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE, record.error
    return record


def test_opening_a_text_shows_the_run_of_it_that_was_looked_at_last_or_none(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path], again: list[Session]
) -> None:
    gate.opened.set()
    first, second, third = texts
    open_text(session, first)
    a, b = train_run(session, "a"), train_run(session, "b")
    open_text(session, second)
    assert session.active.run is None
    c = train_run(session, "c")
    assert session.active.run is c
    open_text(session, first)
    assert session.active.run is b
    session.active.show(a)
    open_text(session, third)
    assert session.active.run is None
    # A run of another text was chosen by hand; opening a text still shows its own run.
    session.active.show(c)
    open_text(session, first)
    assert session.active.run is a
    open_text(session, second)
    session.active.show(b)
    # A restart shows the text that was open and its last active run, not its newest.
    session.close()
    for shown in ("c", "a"):
        later = Session()
        again.append(later)
        assert later.corpora.restore()
        settle(later)
        assert later.active.run is not None
        assert later.active.run.name == shown
        open_text(later, first)
        assert later.active.run is not None
        later.active.show(next(run for run in later.runs if run.name == "a"))
        later.close()


def test_read_in_another_way_it_is_another_text_and_there_is_a_way_back(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path]
) -> None:
    gate.opened.set()
    open_text(session, texts[0])
    record = train_run(session, "by lines")
    open_text(session, texts[0], CorpusOptions(sentences="punctuation"))
    assert session.active.run is None
    assert session.corpora.current is not None
    assert bond(record, session.corpora.current) is Bond.OTHERWISE
    notice = mismatch(record, session.corpora.current)
    assert notice is not None
    assert "with other reading options" in notice.message
    then, this = notice.hint.split(". Open corpus: ")
    assert then.startswith("Run: ")
    assert "punctuation" not in then
    assert "punctuation" in this
    assert f"Open {session.corpora.current.name}" not in f"{notice.message} {notice.hint}"
    session.corpora.open_text_of(record)
    settle(session)
    assert session.corpora.current.digest == record.corpus_digest
    assert session.active.run is record
    assert mismatch(record, session.corpora.current) is None


def test_a_text_that_has_changed_is_told_from_one_read_otherwise_and_from_another(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path]
) -> None:
    gate.opened.set()
    open_text(session, texts[0])
    record = train_run(session, "before")
    texts[0].write_text("the king is dead\n" * 30)
    open_text(session, texts[0])
    assert session.corpora.current is not None
    assert bond(record, session.corpora.current) is Bond.CHANGED
    notice = mismatch(record, session.corpora.current)
    assert notice is not None
    assert "changed" in notice.message
    open_text(session, texts[1])
    assert bond(record, session.corpora.current) is Bond.OTHER


def test_vectors_of_a_file_that_does_not_say_are_of_no_known_text() -> None:
    corpus = replace(small_corpus(), files=(SourceFile("/a.txt", 1, "UTF-8"),))
    record = RunRecord(new_identifier(), "glove", "", {}, "", "", now())
    assert bond(record, corpus) is Bond.UNKNOWN
    assert text_of(record) is None


def test_what_ends_after_another_text_was_opened_is_not_shown_over_it(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path]
) -> None:
    open_text(session, texts[0])
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    open_text(session, texts[1])
    gate.opened.set()
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
    assert session.active.run is None
    open_text(session, texts[0])
    assert session.active.run is record


def test_a_deleted_run_gives_way_to_one_of_the_same_text(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path]
) -> None:
    gate.opened.set()
    open_text(session, texts[0])
    a, b = train_run(session, "a"), train_run(session, "b")
    open_text(session, texts[1])
    c = train_run(session, "c")
    session.runs.delete(c)
    assert session.active.run is None
    open_text(session, texts[0])
    session.runs.delete(b)
    assert session.active.run is a


def test_of_several_runs_of_a_text_the_newest_is_shown_where_none_was_looked_at(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path]
) -> None:
    gate.opened.set()
    open_text(session, texts[0])
    records = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1), name=name, show=False))
        for name in "abc"
    ]
    wait_until(session, lambda: all(record.state.over for record in records))
    assert session.corpora.current is not None
    session.settings[LAST_RUNS] = {}
    assert session.active.last_for(session.corpora.current.digest) is records[-1]
    session.active.show(records[1])
    assert session.active.last_for(session.corpora.current.digest) is records[1]
    assert session.active.last_for("") is None


def test_the_ways_to_a_text() -> None:
    """Samples are identified by keys; a run’s reading options and original digest are included."""
    source = {"sample": "small-world", "options": {"lowercase": False}}
    record = replace(
        RunRecord(new_identifier(), "a", "", {}, "Small World", "feed", now()),
        summary={"source": source},
    )
    other = replace(small_corpus("cafe"), metadata={"sample": "another"})
    assert bond(record, other) is Bond.OTHER
    same = replace(other, metadata={"sample": "small-world"})
    # The same sample with other options, or with the same options but other words.
    assert bond(record, replace(same, options=CorpusOptions())) is Bond.OTHERWISE
    assert bond(record, replace(same, options=CorpusOptions(lowercase=False))) is Bond.CHANGED
    wanted = text_of(record)
    assert wanted is not None
    assert (wanted.sample, wanted.digest, wanted.options) == (
        "small-world",
        "feed",
        CorpusOptions(lowercase=False),
    )
    # If the source lacks the reading options, they come from the provenance.
    provenance = {"files": ["/a.txt"], "options": {"lowercase": False}}
    record = replace(record, summary={"source": {"paths": ["/a.txt"]}, "corpus": provenance})
    wanted = text_of(record)
    assert wanted is not None
    assert (wanted.paths, wanted.digest, wanted.options) == (
        ("/a.txt",),
        "feed",
        CorpusOptions(lowercase=False),
    )


def test_settings_that_change_nothing_are_no_other_way_to_read() -> None:
    """A phrase threshold without phrases, and a pattern that the tokeniser doesn’t use."""
    idle: dict[str, Any] = {"phrase_threshold": 3.0, "phrase_min_count": 9, "pattern": "[a-z]+"}
    files = {"files": ["/a.txt"]}
    record = replace(
        RunRecord(new_identifier(), "a", "", {}, "a", "feed", now()),
        summary={"corpus": {**files, "options": idle}},
    )
    corpus = replace(small_corpus("cafe"), files=(SourceFile("/a.txt", 1, "UTF-8"),))
    assert bond(record, corpus) is Bond.CHANGED
    # The reverse case: the open text is read with the unused settings.
    plain = replace(record, summary={"corpus": {**files, "options": {}}})
    assert bond(plain, replace(corpus, options=CorpusOptions().replace(**idle))) is Bond.CHANGED
    # If another option differs, the unused settings aren’t mentioned.
    notice = mismatch(record, replace(corpus, options=CorpusOptions(lowercase=False)))
    assert notice is not None
    assert notice.message == "Trained on a with other reading options"
    then, this = notice.hint.split(". Open corpus: ")
    assert (then.count(": "), this.count(": "), then.endswith(": on")) == (2, 1, True), notice.hint
    both = replace(corpus, options=CorpusOptions(phrases=1, pattern="[a-z]+"))
    assert bond(record, both) is Bond.OTHERWISE


def test_a_run_of_another_text_stays_shown_where_that_is_asked_for(
    session: Session, gate: Gate, texts: tuple[Path, Path, Path]
) -> None:
    gate.opened.set()
    open_text(session, texts[0])
    a = train_run(session, "a")
    open_text(session, texts[1])
    b = train_run(session, "b")
    first, second = text_of(a), text_of(b)
    assert first is not None
    assert second is not None
    for keep, wanted, shown in (
        (True, first, b),
        (False, second, b),
        (True, first, b),
        (False, first, a),
    ):
        session.corpora.reopen(wanted, keep_shown=keep)
        settle(session)
        assert session.corpora.current is not None
        assert session.corpora.current.digest == wanted.digest
        assert session.active.run is shown


def test_a_session_file_shows_the_run_it_was_saved_with_whatever_text_was_open(
    session: Session,
    gate: Gate,
    texts: tuple[Path, Path, Path],
    tmp_path: Path,
    again: list[Session],
) -> None:
    gate.opened.set()
    open_text(session, texts[0])
    train_run(session, "a")
    open_text(session, texts[1])
    b = train_run(session, "b")
    open_text(session, texts[0])
    session.active.show(b)
    session.files.save(tmp_path / "s.workbench")
    wait_until(session, lambda: not session.jobs.active)
    open_text(session, texts[2])
    assert session.active.run is None
    later = Session()
    again.append(later)
    later.corpora.open([tmp_path / "s.workbench"])
    wait_until(later, lambda: not later.jobs.active and later.corpora.opening is None)
    assert later.corpora.current is not None
    assert later.corpora.current.name == "first"
    assert later.active.run is not None
    assert later.active.run.name == "b"
