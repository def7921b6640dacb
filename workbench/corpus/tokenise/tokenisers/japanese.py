"""Japanese words by MeCab (through fugashi) with the dictionary of unidic-lite: its short units.

Words are kept as written, not in their dictionary form. Only runs of kanji and kana are its task.
MeCab's time grows with the square of the length of a run of letters of
one kind, hence short lines.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.corpus.tokenise.tokenisers.scripts import HAN, DictionarySplitter

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions


class JapaneseSplitter(DictionarySplitter):
    key = "japanese"
    title = tr("Japanese words")
    order = 60
    sample = 1 << 17
    longest_line = 1 << 11
    extra = "japanese"
    packages = MappingProxyType({"fugashi": "fugashi", "unidic_lite": "unidic-lite"})
    script = (
        HAN + "\u3031-\u3035\u303b\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
        "\u31f0-\u31ff\uff66-\uff9f"
    )

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        import fugashi
        import unidic_lite

        folder = Path(unidic_lite.DICDIR)
        # The settings of the dictionary, not those of a MeCab on the system; -Owakati: spaces
        # between the words.
        self._tagger = fugashi.GenericTagger(f'-Owakati -r "{folder / "mecabrc"}" -d "{folder}"')

    def words_of_run(self, run: str) -> list[str]:
        found: list[str] = self._tagger.parse(run).split()
        return found
