"""Chinese words by jieba: the most likely path through its dictionary, and a hidden Markov model
for unknown words.

Only runs of Chinese characters, also with plain Latin letters between them, are its task. The
dictionary is rebuilt in every process (about a second), because jieba's cache file, which it would
read with ``marshal``, is neither written nor read. jieba's logging is disabled.
"""

from __future__ import annotations

import threading
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.core.language import tr
from workbench.corpus.tokenise.tokenisers.base import quiet_import
from workbench.corpus.tokenise.tokenisers.scripts import HAN, DictionarySplitter

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions

_LOADING = threading.Lock()


class ChineseSplitter(DictionarySplitter):
    key = "chinese"
    title = tr("Chinese words")
    order = 50
    sample = 3 << 15
    longest_line = 1 << 11
    extra = "chinese"
    packages = MappingProxyType({"jieba": "jieba"})
    script = HAN
    latin = True

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        with _LOADING:
            self._dictionary = _dictionary()

    def words_of_run(self, run: str) -> list[str]:
        return list(self._dictionary.cut(run))


@cache
def _dictionary() -> Any:
    """jieba's tokeniser with its own dictionary, filled as by its ``initialize``."""
    jieba = quiet_import("jieba")
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
