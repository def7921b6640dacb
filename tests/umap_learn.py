"""umap-learn as a peer of tests, without its compiler.

Compiling its functions takes a minute, and on the few hundred points of a test they take less than
a second as plain Python. Only the loop that moves points is compiled.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType

import numba


@cache
def umap_learn() -> ModuleType:
    """The module ``umap.umap_``."""
    compiling = numba.config.DISABLE_JIT
    numba.config.DISABLE_JIT = True
    try:
        module = importlib.import_module("umap.umap_")
    finally:
        numba.config.DISABLE_JIT = compiling
    utils = importlib.import_module("umap.utils")
    utils.tau_rand_int = numba.njit("i4(i8[:])")(utils.tau_rand_int)
    layouts = importlib.reload(importlib.import_module("umap.layouts"))
    module.optimize_layout_euclidean = layouts.optimize_layout_euclidean
    return module
