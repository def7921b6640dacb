"""Ways to split text into tokens. One tokeniser is one file in this package.

Those of words and whitespace are tables of characters for the kernel that reads text
(:mod:`workbench.corpus.tokenise.kernel_tokeniser`); all others are Python code that gets a line at a time
(:mod:`workbench.corpus.tokenise.line_tokeniser`). Both end in the same files on disk.
"""

from __future__ import annotations

from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.corpus.tokenisers.base import LineSplitter, MissingPackagesError, Splitter, TableSplitter, TooSlow

TOKENISERS: Registry[Splitter] = Registry("workbench.corpus.tokenisers", Splitter, tr("tokeniser"))

__all__ = ["TOKENISERS", "LineSplitter", "MissingPackagesError", "Splitter", "TableSplitter", "TooSlow"]
