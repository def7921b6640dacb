"""A regular expression of one's own: its matches are the tokens, or what its first group holds.

The ``regex`` package matches, because it ends a search that takes too long and lets other threads go on meanwhile.
Its syntax is that of Python's ``re`` and more, such as \\p{L} for letters and \\X for characters.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.core.calling import called
from workbench.core.language import tr
from workbench.corpus.tokenisers.base import LineSplitter, TooSlow

if TYPE_CHECKING:
    from workbench.corpus.corpus import CorpusOptions

# For one line; an ordinary pattern takes a hundred thousandth of it.
SECONDS = 1.0
LONGEST_PATTERN = 2000


class RegexSplitter(LineSplitter):
    key = "regex"
    title = tr("A regular expression")
    order = 40
    sample = 1 << 19
    packages = MappingProxyType({"regex": "regex"})

    def __init__(self, options: CorpusOptions) -> None:
        super().__init__(options)
        self._pattern = _compiled(options.pattern)

    def split(self, line: str) -> list[str]:
        try:
            found: list[Any] = self._pattern.findall(line, concurrent=True, timeout=SECONDS)
        except TimeoutError as error:
            raise TooSlow(SECONDS) from error
        # With several groups a match is a tuple of them.
        return [match[0] for match in found] if self._pattern.groups > 1 else found

    def spans(self, line: str) -> list[tuple[int, int]]:
        group = 1 if self._pattern.groups else 0
        try:
            found = [match.span(group) for match in self._pattern.finditer(line, concurrent=True, timeout=SECONDS)]
        except TimeoutError as error:
            raise TooSlow(SECONDS) from error
        return [(begin, end) for begin, end in found if end > begin]


def wrong(pattern: str) -> str:
    """What is wrong with a pattern and where, a sentence; "" if nothing is, or if ``regex`` is not installed."""
    if not pattern:
        return tr("{name} must not be empty: what it matches are the tokens.", name=called("pattern"))
    if len(pattern) > LONGEST_PATTERN:
        return tr(
            "{name} must have at most {longest_pattern:,} characters, not {number:,}.",
            name=called("pattern"),
            longest_pattern=LONGEST_PATTERN,
            number=len(pattern),
        )
    if RegexSplitter.missing() is not None:
        return ""
    import regex

    try:
        _compiled(pattern)
    except regex.error as error:
        if error.pos is None:
            return tr("{name} is no regular expression: {why}.", name=called("pattern"), why=error.msg)
        return tr(
            "{name} is no regular expression: {why} at character {place}.",
            name=called("pattern"),
            why=error.msg,
            place=error.pos + 1,
        )
    except (RecursionError, OverflowError, MemoryError, ValueError) as error:
        return tr(
            "{name} cannot be used ({kind}: {error}).", name=called("pattern"), kind=type(error).__name__, error=error
        )
    return ""


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> Any:
    import regex

    return regex.compile(pattern)
