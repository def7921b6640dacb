"""Import of scipy without the parts of numpy that it would load for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def without_lazy_parts() -> Iterator[None]:
    """Let ``from numpy import *`` and ``dir(numpy)`` name only what is loaded already.

    scipy copies all that numpy names when it is first imported, and so loads numpy's compiler of
    Fortran, its tests and its polynomials: 7 MB that no part of the workbench uses.
    """
    names, listing = np.__all__, np.__dir__
    loaded = list(vars(np))
    vars(np)["__all__"] = [name for name in names if name in loaded]
    vars(np)["__dir__"] = lambda: loaded
    try:
        yield
    finally:
        vars(np).update(__all__=names, __dir__=listing)
