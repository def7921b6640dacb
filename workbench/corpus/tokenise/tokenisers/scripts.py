"""Dictionary words of one script: what tokenisers that know a language share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cache
from typing import ClassVar

from workbench.corpus.tokenise.char_classes import NON_JOINER, ZERO_WIDTH_JOINER, code_points
from workbench.corpus.tokenise.tokenisers.base import LineSplitter, has_word

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

_JOINERS = chr(NON_JOINER) + chr(ZERO_WIDTH_JOINER)
_LATIN = "A-Za-z0-9"


class DictionarySplitter(LineSplitter, ABC):
    """Gives a dictionary only the runs of its own script; all other words are those of ``words``.
    Dictionaries cut the words of other scripts into letters, or at their accents.

    ``script`` : its characters, as the content of a character class
    ``latin`` : its words may contain Latin letters and digits without accents (T恤)
    ``spaced`` : it has spaces between words, and the dictionary needs the context
    """

    script: ClassVar[str]
    latin: ClassVar[bool] = False
    spaced: ClassVar[bool] = False

    @abstractmethod
    def words_of_run(self, run: str) -> list[str]:
        """The words of a run, in order; tokens without letters and digits are skipped."""

    def split(self, line: str) -> list[str]:
        tokens: list[str] = []
        for found in _parts(self.script, self.latin, self.spaced).finditer(line):
            if found["run"]:
                tokens += filter(has_word, self.words_of_run(found["run"]))
            else:
                tokens.append(found[0].replace("’", "'").rstrip(_JOINERS))
        return tokens

    def spans(self, line: str) -> list[tuple[int, int]]:
        return super().spans(line.replace("’", "'"))


@cache
def _parts(script: str, latin: bool, spaced: bool) -> re.Pattern[str]:
    """Pattern for a run of a script, in the group “run”, or a word of other scripts."""
    marks = code_points("M") + _JOINERS
    run = f"[{script}]+"
    if latin:
        # A part of a word that contains other letters or an apostrophe isn’t part of a run.
        other = rf"(?![{script}{_LATIN}])[\w{marks}'’]"
        part = rf"(?<![{_LATIN}])(?<!{other})[{_LATIN}]+(?![{_LATIN}])(?!{other})"
        run = f"(?:{part})?{run}(?:{part}|[{script}]+)*"
    if spaced:
        run = f"{run}(?: +{run})*"
    letters = rf"(?:(?![{script}])[^\W_][{marks}]*)+"
    return re.compile(f"(?P<run>{run})|{letters}(?:['’]{letters})*")
