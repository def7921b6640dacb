"""Folders of partial counts: who can read and write them, and what is removed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, cast

import pytest

from workbench.core.errors import UserError
from workbench.counts.cluster import Cluster, ClusterParams
from workbench.counts.cluster.output_folder import OutputFolder


class Workers:
    """A remote cluster; each worker sees this machine’s folders or doesn’t."""

    local = False

    def __init__(self, *seeing: bool, spill: str = "") -> None:
        self.params = ClusterParams(scheduler="tcp://host:1", spill=spill)
        self._seeing = seeing

    def done_by_workers(self, work: Any, *arguments: object) -> dict[str, Any]:
        failure = FileNotFoundError("no such folder")
        return {
            str(number): work(*arguments) if sees else failure
            for number, sees in enumerate(self._seeing)
        }


def cluster(*seeing: bool, spill: str = "") -> Cluster:
    return cast(Cluster, Workers(*seeing, spill=spill))


@pytest.mark.parametrize(
    ("seeing", "seen"), [((True, True), True), ((True, False), False), ((), False)]
)
def test_a_folder_is_used_where_all_workers_see_it(
    seeing: tuple[bool, ...], seen: bool, tmp_path: Path
) -> None:
    with OutputFolder(tmp_path / "out") as place:
        spill = place.spill_for(cluster(*seeing))
        assert place.seen is seen
        assert bool(spill) is seen
        if seen:
            assert Path(spill).parent == place.work
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_named_must_be_seen_by_all(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    shared_folder = str(tmp_path / "shared")
    with OutputFolder(tmp_path / "out") as place:
        assert (
            Path(place.spill_for(cluster(True, True, spill=shared_folder))).parent
            == tmp_path / "shared"
        )
    with (
        OutputFolder(tmp_path / "out") as place,
        pytest.raises(UserError, match="Some workers can’t write to the folder"),
    ):
        place.spill_for(cluster(True, False, spill=shared_folder))
    assert os.listdir(tmp_path) == ["shared"]
    assert not os.listdir(tmp_path / "shared")


@pytest.mark.parametrize(
    ("mode", "expected"), [(0o1777, 0o775), (0o770, 0o770), (0o755, 0o755), (0o700, 0o700)]
)
def test_spill_folders_are_writable_for_the_group_at_most(
    mode: int, expected: int, tmp_path: Path
) -> None:
    parent = tmp_path / "parent"
    parent.mkdir()
    parent.chmod(mode)
    with OutputFolder(parent / "out") as place:
        assert place.work.stat().st_mode & 0o777 == 0o700
        spill = place.spill_for(cluster(True))
        assert place.work.stat().st_mode & 0o777 == expected
        assert Path(spill).stat().st_mode & 0o777 == expected


def test_leftovers_of_a_killed_count_are_removed_after_a_day(tmp_path: Path) -> None:
    ages = {"an hour": 3600.0, "two days": 2 * 86400.0}
    for name, age in ages.items():
        folder = tmp_path / f".out.{name}.counting"
        folder.mkdir()
        (folder / "0000000.cells").write_bytes(b"x")
        os.utime(folder, (time.time() - age, time.time() - age))
    other = tmp_path / ".other.two days.counting"
    other.mkdir()
    os.utime(other, (0.0, 0.0))
    with OutputFolder(tmp_path / "out"):
        pass
    assert sorted(os.listdir(tmp_path)) == [".other.two days.counting", ".out.an hour.counting"]
