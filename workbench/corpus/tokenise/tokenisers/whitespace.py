"""Tokeniser that splits at white space and changes nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.language import tr
from workbench.corpus.tokenise.char_classes import blank_kinds
from workbench.corpus.tokenise.tokenisers.base import TableSplitter


class Whitespace(TableSplitter):
    key = "whitespace"
    title = tr("Whitespace")
    order = 20

    @staticmethod
    def kinds() -> npt.NDArray[np.uint8]:
        return blank_kinds()
