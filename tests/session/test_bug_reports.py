"""Bugs: each is counted once, and reported without private data."""

from __future__ import annotations

import logging
from pathlib import Path

from session.fakes import small_corpus

from workbench import __version__
from workbench.core import logs
from workbench.session.bug_reports import Defect, DefectTally, defect, report
from workbench.session.session import Session


def make_defect(word: str, inner: bool = False) -> Defect:
    try:
        if inner:
            try:
                dict[str, str]()[word]
            except KeyError as error:
                raise ValueError(f"“{word}” does not do") from error
        raise KeyError(word)
    except (KeyError, ValueError) as error:
        return defect(type(error), error, error.__traceback__)


def test_a_defect_names_where_it_was_and_quotes_nothing() -> None:
    found = make_defect("secret")
    assert found.kind == "KeyError"
    assert found.where.startswith("test_bug_reports.py:")
    assert found.where.endswith(" make_defect")
    assert "test_bug_reports.py" in found.trace
    assert "secret" not in found.trace + found.said


def test_what_led_to_it_is_told_too() -> None:
    trace = make_defect("secret", inner=True).trace
    assert trace.index("KeyError") < trace.index("Then:") < trace.index("ValueError")
    assert "secret" not in trace.replace('make_defect("secret"', "")


def test_the_same_defect_is_counted_another_is_new() -> None:
    tally = DefectTally()
    assert [tally.take(make_defect("one"))[1] for _ in range(3)] == [True, False, False]
    assert tally.take(make_defect("two", inner=True))[1]
    assert [found.times for found in tally.defects] == [3, 1]


def test_a_report_holds_what_helps_and_nothing_private(session: Session, home: Path) -> None:
    session.corpora.current = small_corpus()
    with logs.logging_to_files():
        logging.getLogger("workbench").warning(
            "said: “secret” is unknown in %s/novel.txt\nsecret detail", Path.home()
        )
        logs.record_action("train.start")
        text = report(session, [make_defect("secret")])
    for wanted in (
        f"Embedding Workbench {__version__}",
        "numpy ",
        "Python ",
        "KeyError",
        "train.start",
        "WARNING",
    ):
        assert wanted in text
    assert f"{session.corpora.current.tokens:,} tokens" in text
    for private in (str(Path.home()) + "/", str(home), "secret", "novel.txt"):
        assert private not in text.replace('make_defect("secret")', ""), private


def test_the_report_of_a_crash_holds_its_stacks(session: Session, home: Path) -> None:
    text = report(
        session, (), "Fatal Python error: Segmentation fault\n\nThread 0x01:\n  File x.py"
    )
    assert "Segmentation fault" in text
    assert "0 runs: none" in text
