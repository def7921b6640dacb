"""Vietnamese words by underthesea: the syllables of a word, which the script separates, are joined.

The space within a word becomes _, as in every token. Tokens without a letter or a number are left
out, as in ``words``. The package contains its model, which it unpickles itself.
"""

from __future__ import annotations

import unicodedata
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.corpus.tokenise.tokenisers.base import LineSplitter, has_word, quiet_import

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions


class VietnameseSplitter(LineSplitter):
    key = "vietnamese"
    title = tr("Vietnamese words")
    order = 90
    sample = 1 << 15
    longest_line = 1 << 11
    breaks = ".,;:!?…()"
    extra = "vietnamese"
    packages = MappingProxyType({"underthesea": "underthesea"})

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        self._words = quiet_import("underthesea").word_tokenize

    def split(self, line: str) -> list[str]:
        # Its dictionary contains composed letters.
        return [
            token for token in self._words(unicodedata.normalize("NFC", line)) if has_word(token)
        ]
