"""Messages between the workbench and a child process: a JSON header and numpy arrays, never a
pickle.
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

_LENGTH = struct.Struct("<Q")
_LONGEST = 1 << 34


class Message(NamedTuple):
    """``header`` is JSON-ready; arrays are of plain numbers."""

    header: dict[str, Any]
    arrays: tuple[npt.NDArray[Any], ...] = ()


def send(
    stream: BinaryIO, header: Mapping[str, Any], arrays: Sequence[npt.NDArray[Any]] = ()
) -> None:
    """Write one message: the header's length and text with the number of arrays, then each array's
    length and its .npy bytes. Raises OSError when the other side is gone.
    """
    parts = [json.dumps({"arrays": len(arrays), "header": dict(header)}).encode()]
    for array in arrays:
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, array, allow_pickle=False)
        parts.append(buffer.getvalue())
    stream.write(b"".join(_LENGTH.pack(len(part)) + part for part in parts))
    stream.flush()


def receive(stream: BinaryIO) -> Message | None:
    """Read one message, or None where the stream has ended. Raises ValueError for anything else."""
    first = _part(stream)
    if first is None:
        return None
    head = json.loads(first)
    arrays = []
    for _ in range(head["arrays"]):
        part = _part(stream)
        if part is None:
            return None
        arrays.append(np.lib.format.read_array(io.BytesIO(part), allow_pickle=False))
    return Message(head["header"], tuple(arrays))


def _part(stream: BinaryIO) -> bytes | None:
    prefix = stream.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(prefix)
    if length > _LONGEST:
        raise ValueError(f"a message of {length:,} bytes")
    data = stream.read(length)
    if len(data) == length:
        return data
    return None
