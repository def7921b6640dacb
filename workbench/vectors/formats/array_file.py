"""NumPy's array files (.npy), read without pickles; large ones are mapped."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workbench.core.arrays import Array
from workbench.core.errors import error_text
from workbench.core.language import tr
from workbench.core.text.text_files import DAMAGE
from workbench.vectors.formats import memmap

_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def open_array(path: Path) -> Array:
    """The array in a file. Raises ValueError for anything else than numbers, and OSError."""
    with path.open("rb") as file:
        try:
            version = np.lib.format.read_magic(file)
            if version not in _READERS:
                raise ValueError(tr("an unknown version of NumPy’s format"))
            shape, by_column, dtype = _READERS[version](file)
        except DAMAGE as error:
            raise ValueError(error_text(error)) from error
        start = file.tell()
    if dtype.hasobject or min(shape, default=0) < 0:
        raise ValueError(tr("Python objects, which aren’t opened"))
    if by_column:
        return memmap.array_at(path, start, dtype, shape[::-1]).T
    return memmap.array_at(path, start, dtype, shape)
