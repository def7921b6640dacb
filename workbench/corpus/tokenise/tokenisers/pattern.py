"""A custom regular expression: the tokens are its matches, or the contents of its first group.

The ``regex`` package is used, because it ends a search that takes too long and lets other threads
continue meanwhile. Its syntax extends that of Python's ``re``, for example by \\p{L} for letters
and \\X for characters.
"""

from __future__ import annotations

from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from workbench.core.language import tr
from workbench.core.library_errors import Wordings, compile_wordings, translate_message
from workbench.core.param_labels import param_name
from workbench.corpus.tokenise.tokenisers.base import LineSplitter, TokeniserOptions, TooSlow
from workbench.corpus.tokenise.tokenisers.pattern_bounds import (
    LONGEST_PATTERN,
    MOST_ELEMENTS,
    count_elements,
    has_recursion,
)

# Maximum seconds for one line; an ordinary pattern takes a hundred-thousandth of it.
SECONDS = 1.0


class RegexSplitter(LineSplitter):
    key = "regex"
    title = tr("A regular expression")
    order = 40
    sample = 1 << 19
    packages = MappingProxyType({"regex": "regex"})

    def __init__(self, options: TokeniserOptions) -> None:
        super().__init__(options)
        self._pattern = _compile_pattern(options.pattern)

    def split(self, line: str) -> list[str]:
        try:
            found: list[Any] = self._pattern.findall(line, concurrent=True, timeout=SECONDS)
        except TimeoutError as error:
            raise TooSlow(SECONDS) from error
        # With several groups, a match is a tuple of groups.
        if self._pattern.groups > 1:
            return [match[0] for match in found]
        return found

    def split_beginning(self, line: str) -> tuple[list[str], int]:
        """The matches of a part of a line, which ends with a match because a match may contain any
        character, and its length.
        """
        found = self._matches(line)
        while found and found[-1].end() == len(line):
            found.pop()
        return [match[self._group] or "" for match in found], found[-1].end() if found else 0

    def spans(self, line: str) -> list[tuple[int, int]]:
        found = [match.span(self._group) for match in self._matches(line)]
        return [(begin, end) for begin, end in found if end > begin]

    @property
    def _group(self) -> int:
        return 1 if self._pattern.groups else 0

    def _matches(self, line: str) -> list[Any]:
        try:
            return list(self._pattern.finditer(line, concurrent=True, timeout=SECONDS))
        except TimeoutError as error:
            raise TooSlow(SECONDS) from error


def wrong(pattern: str) -> str:
    """Error in a pattern and its position, as a sentence; "" if the pattern is valid, or if
    ``regex`` is not installed.
    """
    if problem := _out_of_bounds(pattern):
        return problem
    if RegexSplitter.missing() is not None:
        return ""
    import regex

    try:
        _compile_pattern(pattern)
    except regex.error as error:
        if error.pos is None:
            return tr(
                "{name} isn’t a valid regular expression: {why}.",
                name=param_name("pattern"),
                why=_why(error.msg),
            )
        return tr(
            "{name} isn’t a valid regular expression: {why} at character {place}.",
            name=param_name("pattern"),
            why=_why(error.msg),
            place=error.pos + 1,
        )
    except (RecursionError, OverflowError, MemoryError, ValueError) as error:
        return tr(
            "Couldn’t use {name} ({kind}: {error}).",
            name=param_name("pattern"),
            kind=type(error).__name__,
            error=error,
        )
    return ""


def _out_of_bounds(pattern: str) -> str:
    """Why the pattern must not be compiled, as a sentence; "" if it may be."""
    if not pattern:
        return tr(
            "{name} must not be empty: its matches are the tokens.", name=param_name("pattern")
        )
    if len(pattern) > LONGEST_PATTERN:
        return tr(
            "{name} must have at most {longest_pattern:,} characters, not {number:,}.",
            name=param_name("pattern"),
            longest_pattern=LONGEST_PATTERN,
            number=len(pattern),
        )
    if has_recursion(pattern):
        return tr("{name} must not contain recursion.", name=param_name("pattern"))
    if count_elements(pattern) > MOST_ELEMENTS:
        return tr(
            "{name} must be at most {most:,} characters long when its repetitions are written out.",
            name=param_name("pattern"),
            most=MOST_ELEMENTS,
        )
    return ""


def _why(said: str) -> str:
    """A message of ``regex`` about a pattern, in our own words; unknown messages stay unchanged."""
    return translate_message(said, _wordings()) or said


@cache
def _wordings() -> Wordings:
    sign = r"(?P<sign>.+)"
    return compile_wordings(
        (
            (
                r"(?:missing|expected) (?P<sign>\W)",
                lambda at: tr("“{sign}” is missing", sign=at["sign"]),
            ),
            (r"unterminated character set", tr("“{sign}” is missing", sign="]")),
            (r"unbalanced parenthesis", tr("unmatched closing parenthesis")),
            (r"bad character range.*", tr("invalid character range")),
            (r"nothing to repeat.*", tr("nothing to repeat")),
            (r"multiple repeat.*", tr("repeated quantifier")),
            (
                r"min repeat greater than max repeat",
                tr("minimum number of repetitions above the maximum"),
            ),
            (r"repeat count too big", tr("too many repetitions")),
            (r"bad escape \(end of pattern\)", tr("nothing after the last backslash")),
            (rf"bad escape {sign}", lambda at: tr("“{sign}” has no meaning", sign=at["sign"])),
            (
                rf"(?:incomplete|bad hex) escape {sign}",
                lambda at: tr("“{sign}” isn’t a character", sign=at["sign"]),
            ),
            (r"undefined character name", tr("unknown character name")),
            (r"unknown property.*", tr("unknown character property")),
            (
                r"missing group name|bad character in group name.*",
                tr("invalid group name"),
            ),
            (
                r".*group reference.*|unknown group.*|.*relative group.*|.*open group",
                tr("unknown group"),
            ),
            (r"unknown extension.*|unknown verb", tr("unknown extension after “(”")),
            (r"bad inline flags.*", tr("misplaced flag")),
            (r".*fuzzy.*|more than one cost equation", tr("invalid fuzzy-matching count")),
            (r"undefined named list", tr("unknown named list")),
            (r"expected lookaround conditional", tr("invalid condition")),
        )
    )


@lru_cache(maxsize=64)
def _compile_pattern(pattern: str) -> Any:
    """Raises ValueError, with a sentence, for a pattern out of bounds, and ``regex.error``."""
    import regex

    if problem := _out_of_bounds(pattern):
        raise ValueError(problem)
    return regex.compile(pattern)
