"""The log: bounded files, entries that can be read back, and removal of private data."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from workbench.core import logs


def test_entries_are_read_with_all_their_lines(home: Path) -> None:
    with logs.logging_to_files() as path:
        logging.getLogger("workbench.one").info("begun")
        logging.getLogger("workbench.two").error(
            "failed\nTraceback:\n  line 3\n2026-01-01 00:00:00 INFO x: no entry"
        )
        logging.getLogger("workbench").debug("below the level")
    assert path.is_file()
    first, second = logs.read_entries()
    assert (first.level, first.source, first.text) == ("INFO", "workbench.one", "begun")
    assert (second.level, second.source) == ("ERROR", "workbench.two")
    assert second.text.splitlines() == [
        "failed",
        "Traceback:",
        "  line 3",
        "2026-01-01 00:00:00 INFO x: no entry",
    ]
    # Nothing is logged after the block.
    logging.getLogger("workbench").error("afterwards")
    assert len(logs.read_entries()) == 2


def test_files_are_bounded_and_read_in_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "SIZE", 2000)
    with logs.logging_to_files() as path:
        for number in range(400):
            logging.getLogger("workbench").info("entry %d %s", number, "x" * 40)
    files = logs.log_files()
    assert len(files) == logs.KEPT + 1
    assert files[-1] == path
    assert all(file.stat().st_size <= 2100 for file in files)
    numbers = [int(entry.text.split()[1]) for entry in logs.read_entries()]
    assert numbers == list(range(numbers[0], 400))
    assert [int(entry.text.split()[1]) for entry in logs.read_entries(most=3)] == [397, 398, 399]


def test_a_full_disk_or_a_damaged_file_is_no_reason_to_stop(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with logs.logging_to_files() as path:
        logging.getLogger("workbench").info("one")
        with path.open("ab") as file:
            file.write(b"\xff\xfe garbage\n")
        monkeypatch.setattr(logs._Quiet, "shouldRollover", fails)
        logging.getLogger("workbench").info("two")
    assert capsys.readouterr().err == ""
    assert [entry.text.splitlines()[0] for entry in logs.read_entries()] == ["one"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KeyError: 'king'", "KeyError: “…”"),
        ("“queen” is not in the vocabulary.", "“…” is not in the vocabulary."),
        ('cannot open "C:\\Users\\ada\\x.txt"', "cannot open “…”"),
        ("/home/ada/novel.txt cannot be written; 3 tokens/s", "… cannot be written; 3 tokens/s"),
        ("C:\\Users\\ada\\x.txt, and/or ~/y", "…, and/or …"),
        ("it can't be read, and won't", "it can't be read, and won't"),
    ],
)
def test_logs_leave_out_quotations(text: str, expected: str) -> None:
    assert logs.without_private_text(text) == expected


def test_logs_leave_out_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    assert (
        logs.without_home(f"/home/ada/novel.txt and {tmp_path}/store")
        == "~/novel.txt and $WORKBENCH_HOME/store"
    )


def test_the_last_actions_are_remembered_up_to_a_bound() -> None:
    for number in range(100):
        logs.record_action(f"test.{number}")
    assert logs.recent_actions()[-1] == "test.99"
    assert len(logs.recent_actions()) == 40
