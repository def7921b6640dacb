"""Initial columns of the table of runs, and the format of times."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace

import pytest

from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.widgets.tables import runs_columns
from workbench.ui.widgets.tables.runs_columns import NOTE, RunsColumn, kinds

RUN = RunRecord("1", "SGNS 1", "sgns", {}, "corpus", "d", "", 0, State.DONE)


def of(key: str, *records: RunRecord) -> RunsColumn:
    return next(kind for kind in kinds(records, ((), ()), ()) if kind.key == key)


def test_of_today_only_the_time_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # Midnight may pass during the test.
    today = date(2026, 3, 1)
    monkeypatch.setattr(runs_columns, "date", SimpleNamespace(today=lambda: today))
    text_of = of("created", RUN).text
    assert text_of(f"{today.isoformat()} 09:07") == "09:07"
    before = (today - timedelta(days=1)).isoformat()
    assert text_of(f"{before} 09:07") == f"{before} 09:07"
    assert text_of(before) == before
    assert text_of(None) == ""


def test_notes_take_room_once_there_is_one() -> None:
    assert not of(NOTE, RUN).usual
    assert of(NOTE, RUN, replace(RUN, note="a better one")).usual


def test_what_runs_of_one_algorithm_are_compared_by_stays_longest() -> None:
    sgns = [replace(RUN, parameters={"window": window, "dim": 50, "lr": 0.05}) for window in (2, 5)]
    glove = replace(
        RUN, algorithm="glove", parameters={"window": 5, "dim": 100, "lr": 0.1, "x_max": 10.0}
    )
    columns = {
        kind.key: kind for kind in kinds([*sgns, glove], (["window", "dim", "lr"], ["x_max"]), ())
    }
    order = sorted(
        ["window", "dim", "lr", "algorithm", "seconds", "rate"], key=lambda key: columns[key].spare
    )
    assert order == ["algorithm", "window", "seconds", "dim", "lr", "rate"]
    assert columns["window"].title == "Window"
    assert all(kind.spare for key, kind in columns.items() if kind.usual)


def test_the_corpus_is_in_the_headings_and_not_in_a_column() -> None:
    assert not of("corpus", RUN, replace(RUN, corpus_name="another")).usual
