"""Sentence splitter by punctuation, for text in blocks.

A sentence ends

- after one or more of . ! ? … ؟ ۔ । ॥ and the closing quotes and brackets after them, before a
  space or the end of the file;
- after 。 ！ ？ ｡ and the closing quotes and brackets after them, whatever follows;
- at an empty line and at the end of the file. Other line ends are spaces.

Exceptions, where it does not end:

- if the next character, apart from opening quotes and brackets, is a lowercase letter: “Why?” he
  asked; etc. and so on;
- after a single full stop that follows an abbreviation of ``ABBREVIATIONS``, an abbreviation with
  inner stops (e.g., U.S.), or a single capital letter (J. Smith); for abbreviations that only
  precede numbers (No. 5), only if a digit follows.

Decimal numbers, versions and addresses (3.14, www.example.org) contain no space after their stops
and stay whole.

Known errors: a sentence that ends with an abbreviation, an initial or “I” is joined to the next
one; the numbers of a list (1. First) are separate sentences; a sentence that starts with a
lowercase letter is joined to the one before; headings without a full stop are joined to the next
line unless there is an empty line between; only abbreviations of English, German, French and
Spanish are included.
"""

from __future__ import annotations

import re

_KNOWN = (
    "mr mrs ms mx dr prof rev hon st messrs mme mlle capt col gen lt maj sgt cmdr gov sen rep "
    "pres supt jr sr esq "
    "vs viz cf al ca approx dept est fig figs eq eqs sec ch vol vols ed eds pp "
    "jan feb mar apr jun jul aug sept oct nov dec mon tue thu fri "
    "hr fr bzw vgl usw evtl ggf inkl abs nr dipl ing str sog geb gest "
    "mm sra srta ud uds av avda pág págs núm"
)
ABBREVIATIONS = frozenset(_KNOWN.split())
_BEFORE_NUMBERS = frozenset(("no", "nos", "p", "art", "op"))

_WIDE = "。！？｡"
_STOPS = f".!?…؟۔।॥{_WIDE}"
_CLOSING = "\"'”’»›)\\]}」』）】》〉〕”"
_OPENING = "\"'“‘„‚«‹([{¿¡"
_STOP = re.compile(f"[{_STOPS}]+[{_CLOSING}]*")
_NEXT = re.compile(rf"\s*[{re.escape(_OPENING)}—–-]*(.?)", re.DOTALL)
_INDENTED = re.compile(r"\n +")
_BLANK_LINE = re.compile(r"\n\s*\n\s*")
# A place where the text can be cut: the text before it is independent of the text after it, and no
# abbreviation continues.
_CUT = re.compile(r"[^\W_](?=[\s,;:])|[\u3041-\u9fff\uac00-\ud7a3](?=[\u3041-\u9fff\uac00-\ud7a3])")
_INNER_STOPS = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_LONGEST_WAIT = 1 << 16
_LOOK_BACK = 24
# Represents an empty line while line ends become spaces; the text doesn’t contain this character.
_PARAGRAPH = "\0"


class Sentences:
    """Text in, the same text with one sentence per line out; its own line ends become spaces."""

    def __init__(self) -> None:
        self._carry = ""

    def feed(self, text: str, final: bool = False) -> str:
        """The sentences, and parts of sentences, that ``text`` completes; ``final`` ends a file."""
        text = self._carry + text
        cut = len(text) if final else _last_cut(text)
        self._carry = text[cut:]
        settled = _one_a_line(text[:cut])
        # The end of a file also ends its last sentence.
        if final:
            return settled + "\n"
        return settled


def _last_cut(text: str) -> int:
    """The last position up to which ``text`` is independent of the text after it. Without one: 0,
    or the end of a text longer than ``_LONGEST_WAIT``.
    """
    # Search from the end, in growing parts: the last place is usually near the end.
    size = 256
    while True:
        begin = max(len(text) - size, 0)
        ends = [found.end() for found in _CUT.finditer(text, begin)]
        if ends:
            return ends[-1]
        if begin == 0:
            if len(text) > _LONGEST_WAIT:
                return len(text)
            return 0
        size *= 8


def _one_a_line(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _BLANK_LINE.sub(_PARAGRAPH, text).replace("\n", " ")
    return _INDENTED.sub("\n", _STOP.sub(_mark_sentence_end, text).replace(_PARAGRAPH, "\n"))


def _mark_sentence_end(found: re.Match[str]) -> str:
    """The matched punctuation, followed by a line end if a sentence ends there."""
    stops = found.group()
    if not stops.isascii() and any(mark in stops for mark in _WIDE):
        return stops + "\n"
    text, end = found.string, found.end()
    after = text[end : end + 1]
    if after == _PARAGRAPH:
        return stops
    if not after.isspace():
        return stops
    ahead = _NEXT.match(text, end)
    following = ahead.group(1) if ahead else ""
    if following.islower():
        return stops
    if stops[0] == "." and not stops.startswith(".."):
        begin = found.start()
        parts = text[max(begin - _LOOK_BACK, 0) : begin].rsplit(None, 1)
        word = parts[-1].lstrip(_OPENING) if parts and not text[begin - 1].isspace() else ""
        if (
            (len(word) == 1 and word.isupper())
            or _INNER_STOPS.fullmatch(word)
            or word.lower() in ABBREVIATIONS
        ):
            return stops
        if word.lower() in _BEFORE_NUMBERS and following.isdigit():
            return stops
    return stops + "\n"
