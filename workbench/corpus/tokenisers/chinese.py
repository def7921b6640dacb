"""Chinese words by jieba: the most likely path through its dictionary, and a hidden Markov model
for unknown words.

Tokens without a letter or a number are left out, as in ``words``. The dictionary is rebuilt in
every process (about a second), because jieba's cache file, which it would read with ``marshal``, is
neither written nor read. jieba's logging is disabled.
"""

from __future__ import annotations

import threading
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.core.language import tr
from workbench.corpus.tokenisers.base import LineSplitter, has_word, quiet_import

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions

_LOADING = threading.Lock()


class ChineseSplitter(LineSplitter):
    key = "chinese"
    title = tr("Chinese words")
    order = 50
    sample = 3 << 15
    longest_line = 1 << 11
    extra = "chinese"
    packages = MappingProxyType({"jieba": "jieba"})

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        with _LOADING:
            self._dictionary = _dictionary()

    def split(self, line: str) -> list[str]:
        return [token for token in self._dictionary.cut(line) if has_word(token)]


@cache
def _dictionary() -> Any:
    """jieba's tokeniser with its own dictionary, filled as by its ``initialize``."""
    jieba = quiet_import("jieba")
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
