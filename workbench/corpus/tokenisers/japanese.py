"""Japanese words by MeCab (through fugashi) with the dictionary of unidic-lite: its short units.

Words are kept as written, not in their dictionary form. Tokens without a letter or a number are
left out, as in ``words``. MeCab's time grows with the square of the length of a run of letters of
one kind, hence short lines.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.corpus.tokenisers.base import LineSplitter, has_word

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions


class JapaneseSplitter(LineSplitter):
    key = "japanese"
    title = tr("Japanese words")
    order = 60
    sample = 1 << 17
    longest_line = 1 << 11
    extra = "japanese"
    packages = MappingProxyType({"fugashi": "fugashi", "unidic_lite": "unidic-lite"})

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        import fugashi
        import unidic_lite

        folder = Path(unidic_lite.DICDIR)
        # The settings of the dictionary, not those of a MeCab on the system; -Owakati: spaces
        # between the words.
        self._tagger = fugashi.GenericTagger(f'-Owakati -r "{folder / "mecabrc"}" -d "{folder}"')

    def split(self, line: str) -> list[str]:
        return [token for token in self._tagger.parse(line).split() if has_word(token)]
