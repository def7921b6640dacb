"""The container of safetensors: named arrays after a JSON header.

Eight bytes, little-endian: the header's length N. N bytes of JSON: for each array its ``dtype``,
``shape`` and ``data_offsets`` [begin, end) relative to the end of the header, and under
``__metadata__`` texts by name. Then the arrays, little-endian, by row, without gaps.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.arrays import Array
from workbench.core.json_text import json_text
from workbench.core.language import tr, trn
from workbench.vectors.formats.memmap import array_at

_LENGTH = struct.Struct("<Q")
# Maximum that the format's own library reads.
LONGEST_HEADER = 100_000_000
# Maximum bytes of a header without its texts: enough for some ten thousand arrays.
_LONGEST_STRUCTURE = 1 << 20
_MOST_AXES = 32
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_TYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    # The upper half of a float32; numpy has no such type.
    "BF16": np.dtype("<u2"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "I16": np.dtype("<i2"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
    "U16": np.dtype("<u2"),
    "U32": np.dtype("<u4"),
    "U64": np.dtype("<u8"),
}
_NAMES = {dtype: name for name, dtype in _TYPES.items() if name != "BF16"}


@dataclass(frozen=True)
class Tensor:
    """One array of a file: ``kind`` is the format's name for its type; ``offset`` and ``end`` are
    relative to the file's start.
    """

    kind: str
    shape: tuple[int, ...]
    offset: int
    end: int


@dataclass(frozen=True)
class TensorFile:
    """Contents of a file's header."""

    path: Path
    tensors: Mapping[str, Tensor]
    metadata: Mapping[str, str]

    def read(self, name: str) -> Array:
        """An array by name, in its own type; BF16 becomes float32. Raises KeyError, ValueError and
        OSError.
        """
        tensor = self.tensors[name]
        found = array_at(self.path, tensor.offset, _TYPES[tensor.kind], tensor.shape)
        if tensor.kind == "BF16":
            return (found.astype("<u4") << 16).view("<f4")
        return found


def looks_like(head: bytes, size: int) -> bool:
    """Whether a file of ``size`` bytes may have this head."""
    if len(head) < 9:
        return False
    (length,) = _LENGTH.unpack_from(head)
    return 2 <= length <= min(LONGEST_HEADER, size - 8) and head[8:9] == b"{"


def open_tensors(path: Path) -> TensorFile:
    """Read and check a header. Raises ValueError, saying in a few words what is wrong, and
    OSError.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        if not looks_like(start + file.read(1), size):
            raise ValueError(tr("its header is missing, or longer than the file"))
        (length,) = _LENGTH.unpack(start)
        file.seek(8)
        text = file.read(length)
    if len(_TEXTS.sub(b"", text)) > _LONGEST_STRUCTURE:
        # Parsed texts and numbers take many times their size in a file.
        raise ValueError(tr("its header describes too many arrays"))
    try:
        header = json.loads(text)
    except RecursionError as error:
        raise ValueError(tr("its header is nested too deeply")) from error
    if not isinstance(header, dict):
        raise ValueError(tr("its header isn’t a JSON object"))
    known = header.pop("__metadata__", {})
    if not isinstance(known, dict) or not all(isinstance(value, str) for value in known.values()):
        raise ValueError(tr("its metadata contains values that aren’t texts"))
    tensors = {name: _check_tensor(name, value, 8 + length, size) for name, value in header.items()}
    # Like the format's own library: arrays must follow one another without overlap, and fill the
    # file.
    at = 8 + length
    for name, tensor in sorted(tensors.items(), key=lambda item: (item[1].offset, item[1].end)):
        if tensor.offset != at:
            raise ValueError(tr("“{name}” doesn’t start where the array before it ends", name=name))
        at = tensor.end
    if at != size:
        raise ValueError(
            trn(
                "{number:,} byte doesn’t belong to any array",
                "{number:,} bytes don’t belong to any array",
                size - at,
            )
        )
    return TensorFile(path, tensors, known)


def _check_tensor(name: str, value: object, base: int, size: int) -> Tensor:
    if not isinstance(value, dict):
        raise ValueError(tr("“{name}” isn’t described", name=name))
    kind = value.get("dtype")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise ValueError(tr("“{name}” has the unsupported type {kind!r}", name=name, kind=kind))
    shape, offsets = _whole_numbers(value.get("shape")), _whole_numbers(value.get("data_offsets"))
    if shape is None or offsets is None or len(offsets) != 2:
        raise ValueError(tr("“{name}” has an invalid shape or position", name=name))
    begin, end = offsets
    if end - begin != math.prod(shape) * int(_TYPES[kind].itemsize) or base + end > size:
        raise ValueError(
            tr(
                "“{name}” specifies {number:,} numbers, which doesn’t match its size",
                name=name,
                number=math.prod(shape),
            )
        )
    return Tensor(kind, shape, base + begin, base + end)


def _whole_numbers(values: object) -> tuple[int, ...] | None:
    """Whole numbers that are not negative, or None."""
    if not isinstance(values, list) or len(values) > _MOST_AXES:
        return None
    if all(type(value) is int and 0 <= value < 2**62 for value in values):
        return tuple(values)
    return None


def write_tensors(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write arrays, the widest numbers first so that all are aligned. Raises ValueError and
    OSError.
    """
    order = sorted(tensors, key=lambda name: -tensors[name].dtype.itemsize)
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    at = 0
    for name in order:
        value = tensors[name]
        header[name] = {
            "dtype": _NAMES[value.dtype.newbyteorder("<")],
            "shape": list(value.shape),
            "data_offsets": [at, at + value.nbytes],
        }
        at += value.nbytes
    text = json_text(header, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)
    if len(text) > LONGEST_HEADER:
        raise ValueError(
            tr(
                "a header of {number:,} bytes exceeds the maximum of the format",
                number=len(text),
            )
        )
    with path.open("wb") as file:
        file.write(_LENGTH.pack(len(text)))
        file.write(text)
        for name in order:
            flat = np.ascontiguousarray(
                tensors[name], tensors[name].dtype.newbyteorder("<")
            ).reshape(-1)
            # numpy's tofile doesn’t report the reason of a failure.
            file.write(flat.view(np.uint8).data)
