"""A block that only one process at a time can enter, and a lock that ends with its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.locks import Lock, exclusive_lock, is_held

ADD = """
import sys
from pathlib import Path
from workbench.core.locks import exclusive_lock
number = Path(sys.argv[1])
for _ in range(300):
    with exclusive_lock(number.with_suffix(".lock")):
        number.write_text(str(int(number.read_text()) + 1))
"""


def test_processes_wait_for_each_other(tmp_path: Path) -> None:
    number = tmp_path / "number"
    number.write_text("0")
    adding = [subprocess.Popen([sys.executable, "-c", ADD, str(number)]) for _ in range(3)]
    assert [process.wait() for process in adding] == [0, 0, 0]
    assert number.read_text() == "900"


def test_a_lock_in_a_missing_folder_is_no_obstacle(tmp_path: Path) -> None:
    with exclusive_lock(tmp_path / "missing" / "lock"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path, root = tmp_path / "a.lock", Path(__file__).resolve().parents[2]
    code = f"import sys; sys.path.insert(0, {str(root)!r})\nfrom pathlib import Path\n" + (
        "from workbench.core.locks import Lock\n"
        f"kept = Lock.take(Path({str(path)!r}))\nprint('held', flush=True)\nsys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline().strip() == "held"
    assert is_held(path)
    assert Lock.take(path) is None
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdin.close()
    child.stdout.close()
    assert not is_held(path)
    mine = Lock.take(path)
    assert mine is not None
    mine.release()
    assert not path.exists()


@pytest.mark.skipif(os.name != "posix", reason="there is one kind of lock elsewhere")
def test_two_checks_of_a_lock_do_not_see_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise an interrupted training wouldn’t be offered when two windows start at the same
    time.
    """
    path = tmp_path / "a.lock"
    path.write_text("")
    answers = []
    close = os.close

    def look_and_close(handle: int) -> None:
        # The first check is still in progress.
        monkeypatch.undo()
        answers.append(is_held(path))
        close(handle)

    monkeypatch.setattr(os, "close", look_and_close)
    answers.append(is_held(path))
    assert answers == [False, False]


def test_a_check_of_a_lock_sees_its_holder_but_not_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    mine = Lock.take(path)
    assert mine is not None
    assert is_held(path)
    mine.release()
    assert not is_held(path)
