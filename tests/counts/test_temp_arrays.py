"""Arrays mapped from disk: used like other arrays, removed with the process, and no disk space is
reserved beforehand.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.core.operating_system import system
from workbench.counts.temp_arrays import create_temp_array, prefetch_pages, scratch_folder


def test_an_array_is_written_and_read_and_leaves_nothing(home: Path) -> None:
    array = create_temp_array(100_000, np.int32)
    assert array.dtype == np.int32
    assert not array.any()
    array[:] = np.arange(100_000)
    assert int(array.sum()) == 99_999 * 50_000
    assert array.view(np.float32).base is not None
    prefetch_pages(array[70_001:90_003])
    prefetch_pages(np.arange(3))
    prefetch_pages(array[:0])
    assert list(scratch_folder().iterdir()) == []


def test_an_empty_array_needs_no_file(home: Path) -> None:
    assert create_temp_array(0, np.float64).shape == (0,)


def test_a_full_disk_is_one_sentence_before_anything_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(system()), "reserve_space", full)
    with pytest.raises(
        UserError, match=r"Not enough disk space in .*2\.0 GB needed.*No space left"
    ) as error:
        create_temp_array(500_000_000, np.int32)
    assert "WORKBENCH_HOME" in error.value.hint


def test_arrays_work_if_the_system_cannot_reserve_space(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    array = create_temp_array(700_001, np.int16)
    assert array.shape == (700_001,)
    array[-1] = 7
    assert array[-1] == 7
