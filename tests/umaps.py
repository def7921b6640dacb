"""UMAP in tests: umap-learn without its compiler, and a stand-in that moves nothing."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType

from workbench.core.arrays import Singles


@cache
def umap_learn() -> ModuleType:
    """The module ``umap.umap_`` as plain Python. Compiling it takes a minute, and a few hundred
    points less than a second; only the loop that moves points is compiled.
    """
    import numba

    disabled = numba.config.DISABLE_JIT
    numba.config.DISABLE_JIT = True
    try:
        module = importlib.import_module("umap.umap_")
    finally:
        numba.config.DISABLE_JIT = disabled
    utils = importlib.import_module("umap.utils")
    utils.tau_rand_int = numba.njit("i4(i8[:])")(utils.tau_rand_int)
    layouts = importlib.reload(importlib.import_module("umap.layouts"))
    module.optimize_layout_euclidean = layouts.optimize_layout_euclidean
    return module


def keep_start(
    unit: object, params: object, run: object, start: Singles, prepare: object
) -> Singles:
    """In the place of ``cached_umap``: the positions that it would begin with."""
    return start
