"""Words: runs of letters, marks and digits with single inner apostrophes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.language import tr
from workbench.corpus.tokenise.char_classes import word_kinds
from workbench.corpus.tokenise.tokenisers.base import TableSplitter


class Words(TableSplitter):
    key = "words"
    title = tr("Words")
    order = 10

    @staticmethod
    def kinds() -> npt.NDArray[np.uint8]:
        return word_kinds()
