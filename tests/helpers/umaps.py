"""UMAP in tests: umap-learn mostly uncompiled, and a stand-in that moves no points."""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from typing import Any

from workbench.analysis.projection.space import Space
from workbench.core.arrays import Singles


@cache
def umap_learn() -> Any:
    """The module ``umap.umap_`` as plain Python: compiling it takes a minute, while laying out a
    few hundred points takes less than a second. Only the loop that moves points is compiled.
    """
    import numba

    config: Any = numba.config
    setting = config.DISABLE_JIT
    config.DISABLE_JIT = True
    try:
        with warnings.catch_warnings():
            # umap-learn warns that an optional package of its own is missing.
            warnings.simplefilter("ignore", ImportWarning)
            module: Any = importlib.import_module("umap.umap_")
    finally:
        config.DISABLE_JIT = setting
    utils: Any = importlib.import_module("umap.utils")
    utils.tau_rand_int = numba.njit("i4(i8[:])")(utils.tau_rand_int)
    layouts = importlib.reload(importlib.import_module("umap.layouts"))
    module.optimize_layout_euclidean = layouts.optimize_layout_euclidean
    return module


def keep_start(
    projection: object, space: Space, params: object, run: object, prepare: object
) -> Singles:
    """Replacement for ``cached_layout`` that returns the starting positions."""
    assert space.start is not None
    return space.start
