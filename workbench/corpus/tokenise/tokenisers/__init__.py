"""Tokenisers. Each one is one module in this package.

``words`` and ``whitespace`` are tables of characters for a kernel
(:mod:`workbench.corpus.tokenise.kernel_tokeniser`). All others are Python code that gets one line
at a time (:mod:`workbench.corpus.tokenise.line_tokeniser`). Both write the same files.
"""

from __future__ import annotations

from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.corpus.tokenise.tokenisers.base import (
    LineSplitter,
    MissingPackagesError,
    Splitter,
    TableSplitter,
    TooSlow,
)

TOKENISERS: Registry[Splitter] = Registry(
    "workbench.corpus.tokenise.tokenisers", Splitter, tr("tokeniser"), group="tokenisers"
)

__all__ = [
    "TOKENISERS",
    "LineSplitter",
    "MissingPackagesError",
    "Splitter",
    "TableSplitter",
    "TooSlow",
]
