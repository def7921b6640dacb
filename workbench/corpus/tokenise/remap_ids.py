"""Renumbering of ids on disk, with some of them removed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.operating_system import system

_BLOCK = 1 << 20


def renumber(
    folder: Path, numbers: npt.NDArray[np.int32], places: npt.NDArray[np.int64], run: JobControl
) -> npt.NDArray[np.int64]:
    """Replace the ``ids`` of a folder by ``numbers``, remove those below 0, and adapt
    ``sentences``.

    Empty sentences are removed. ``places`` : int64[n], offsets between tokens in rising order;
    returns the same places in the remaining tokens. Works a block at a time. Raises Cancelled.
    """
    left = np.zeros(len(places), dtype=np.int64)
    sentences = np.memmap(folder / "sentences", dtype="<i8", mode="r")
    total = int(sentences[-1])
    read = written = last = 0
    with (
        (folder / "ids").open("rb") as source,
        (folder / "ids.new").open("wb") as ids,
        (folder / "sentences.new").open("wb") as offsets,
    ):
        offsets.write(np.zeros(1, dtype="<i8").tobytes())
        while block := source.read(4 * _BLOCK):
            run.check()
            new_ids = numbers[np.frombuffer(block, dtype="<i4")]
            kept = new_ids >= 0
            before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)]) + written
            ids.write(new_ids[kept].astype("<i4").tobytes())
            # Offsets are between tokens: those after the first token of this block up to after its
            # last.
            begin, end = np.searchsorted(sentences, [read, read + len(new_ids)], side="right")
            ends = before[np.asarray(sentences[begin:end]) - read]
            ends = ends[np.diff(ends, prepend=last) > 0]
            offsets.write(ends.astype("<i8").tobytes())
            if len(ends):
                last = int(ends[-1])
            first, end = np.searchsorted(places, [read, read + len(new_ids)], side="right")
            left[first:end] = before[places[first:end] - read]
            read, written = read + len(new_ids), int(before[-1])
            run.advance(read / max(total, 1), tr("Leaving out words"))
    del sentences
    for name in ("ids", "sentences"):
        system().replace(folder / f"{name}.new", folder / name)
    return left
