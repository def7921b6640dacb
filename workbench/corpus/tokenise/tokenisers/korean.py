"""Korean morphemes by Kiwi: stems, particles and endings are separate tokens.

Kiwi doesn’t analyse Hangul that is decomposed into letters, so its text is composed first.
"""

from __future__ import annotations

import threading
import unicodedata
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.core.language import tr
from workbench.corpus.tokenise.tokenisers.base import quiet_import
from workbench.corpus.tokenise.tokenisers.scripts import DictionarySplitter

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions

_LOADING = threading.Lock()


class KoreanSplitter(DictionarySplitter):
    key = "korean"
    title = tr("Korean morphemes")
    order = 70
    sample = 1 << 15
    longest_line = 1 << 8
    extra = "korean"
    packages = MappingProxyType({"kiwipiepy": "kiwipiepy"})
    script = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
    spaced = True

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        with _LOADING:
            self._kiwi = _dictionary()

    def words_of_run(self, run: str) -> list[str]:
        return [token.form for token in self._kiwi.tokenize(unicodedata.normalize("NFC", run))]


@cache
def _dictionary() -> Any:
    """Kiwi with its model, which takes some seconds to load."""
    return quiet_import("kiwipiepy").Kiwi(num_workers=1)
