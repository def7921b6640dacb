"""Perceived characters: marks stay with their base, and joined characters stay together.

A close approximation of the extended grapheme clusters of UAX 29: a base with its marks, conjoining
Hangul, pairs of regional indicators (flags), emoji with their modifiers and joiners. Prepended
marks of some Indic scripts and the conjuncts that UAX 29 joins since Unicode 15.1 stay separate.
Spaces, control characters, and marks without a base aren’t tokens.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.corpus.tokenise.char_classes import code_points
from workbench.corpus.tokenise.tokenisers.base import LineSplitter

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions


class CharacterSplitter(LineSplitter):
    key = "characters"
    title = tr("Characters")
    order = 30
    sample = 1 << 19

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        self._find = graphemes().findall

    def split(self, line: str) -> list[str]:
        return self._find(line)


@cache
def graphemes() -> re.Pattern[str]:
    """Pattern for one perceived character, except spaces and control characters."""
    marks = code_points("M") + r"\U000e0020-\U000e007f"
    passed = rf"\s{code_points('Cc')}{marks}\u200c\u200d"
    base = (
        r"[\U0001f1e6-\U0001f1ff]{2}"
        r"|[\u1100-\u115f\ua960-\ua97c]+[\u1160-\u11a7\ud7b0-\ud7c6]*[\u11a8-\u11ff\ud7cb-\ud7fb]*"
        rf"|[^{passed}]"
    )
    extended = rf"[{marks}\U0001f3fb-\U0001f3ff\u200c]|\u200d[^{passed}]?"
    return re.compile(f"(?:{base})(?:{extended})*")
