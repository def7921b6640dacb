"""Thai words by PyThaiNLP: the longest matches of its dictionary that leave the fewest rests
(newmm), cut only between Thai character clusters.

Its settings for programs without a network keep it from making a folder in the user's home.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.corpus.tokenise.tokenisers.base import quiet_import
from workbench.corpus.tokenise.tokenisers.scripts import DictionarySplitter

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions


class ThaiSplitter(DictionarySplitter):
    key = "thai"
    title = tr("Thai words")
    order = 80
    sample = 1 << 17
    longest_line = 1 << 11
    extra = "thai"
    packages = MappingProxyType({"pythainlp": "pythainlp"})
    script = "\u0e01-\u0e3a\u0e40-\u0e5b"

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        if "PYTHAINLP_READ_MODE" not in os.environ:
            os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
        os.environ.setdefault("PYTHAINLP_OFFLINE", "1")
        self._words = quiet_import("pythainlp.tokenize").word_tokenize

    def words_of_run(self, run: str) -> list[str]:
        found: list[str] = self._words(run, engine="newmm", keep_whitespace=False)
        return found
