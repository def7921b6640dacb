"""Repair of words that are cut at line ends, and removal of placeholders, before a text is split.

- A soft hyphen, ¬, ⸗ or ‐ between two letters at a line end means a cut word, which is joined and
  stays in the line where it begins. So do the characters that PDFium writes for such a hyphen. An
  ordinary hyphen may also belong to the word, which is only joined if its joined form is one of
  ``joins``: forms that occur elsewhere in the text. So is a word at =, the hyphen of many
  transcriptions of Fraktur.
- Readers write LINE_END where an ordinary hyphen ends a line of a printed page within a paragraph.
- Placeholders such as <unk> and $NUM$ stand for words that other programs removed, or say
  something about a text, as __label__good does. They become spaces.
- Ligatures such as ﬁ become letters.
- WikiText separates hyphens and the marks in numbers: ``well @-@ known``, ``1 @,@ 200``. They
  return to their words.

Most blocks contain none of this, so a search for single bytes, which is almost free, comes first.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Set

import numpy as np

# What language models, collections of posts and programs that hide personal data write.
_NAMES = rb"""
    s unk bos sos eos pad num number mask cls sep oov sys extra_id url user mention hashtag email
    phone emoji percent money date time allcaps elong elongated emphasis censored repeat smile
    lolface sadface neutralface heart happy sad laugh wink kiss redacted name person location
    organization email_address phone_number date_time ip_address
"""
_CAPITALS = rb"""
    UNK MASK CLS SEP PAD BOS EOS NUM NUMBER URL USER MENTION EMAIL PHONE NAME PERSON DATE TIME
    LOCATION ORGANIZATION ADDRESS REDACTED INST
"""
_ANY = rb"/?(?:" + b"|".join(_NAMES.split()) + rb")(?:_?\d{1,3})?|\|\w{1,30}\|"
_CAPITAL = rb"/?(?:" + b"|".join(_CAPITALS.split()) + rb")(?:_?\d{1,3})?"
PLACEHOLDER = re.compile(rb"<(?:" + _ANY + rb")>", re.IGNORECASE)
_PLACEHOLDERS = {
    b"<": PLACEHOLDER,
    # “[Sep]” may be a month. Hospitals hide personal data between two asterisks.
    b"[": re.compile(
        rb"\[(?:"
        + _CAPITAL
        + rb"|unk|mask|pad|redacted|deleted|removed|\*\*[^\[\]\n]{0,100}\*\*)\]"
    ),
    b"&": re.compile(rb"&lt;(?:" + _ANY + rb")&gt;", re.IGNORECASE),
    b"$": re.compile(rb"\$(?:" + _CAPITAL + rb")\$"),
    b"@": re.compile(rb"(?<!\w)@(?:user|USER)(?![\w.@-])"),
    # Labels of fastText, and ends of turns in dialogues.
    b"__": re.compile(
        rb"__(?:label__[^\s,]{1,200}|(?:eou|eot|unk|url|user|num|email)__)", re.IGNORECASE
    ),
}
_SEPARATED = re.compile(rb"@([-,.])@ ")

# The end of a printed line, which follows a hyphen.
LINE_END = "\x03"
_LINE_END = LINE_END.encode()

# Signs that always mean a cut word, and the last bytes of all signs.
_SIGNS = tuple(sign.encode() for sign in "\u00ad¬⸗‐\x02\ufffe")
_HYPHEN = b"-"
# Signs that may mean something else.
_DOUBTFUL = (_HYPHEN, b"=")
_ALL_SIGNS = (*_SIGNS, *_DOUBTFUL)
_LAST_BYTES = np.zeros(256, dtype=np.bool_)
_LAST_BYTES[[sign[-1] for sign in _ALL_SIGNS]] = True
_LF = 0x0A
# Spaces and the CR of a CR LF, at most three of which may follow a sign.
_BLANKS = np.zeros(256, dtype=np.int64)
_BLANKS[[0x20, 0x09, 0x0D]] = 1
_MOST_BLANKS = 3

# Maximum bytes of each part of a cut word, and of a line whose end waits for the next block.
_LONGEST = 200
_LONGEST_WAIT = 1 << 12
# Accents may be characters of their own.
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f])"
_LAST_LETTERS = re.compile(rf"(?<![^\W\d_])(?<![-‐\u0300-\u036f]){_LETTER}+\Z")
_FIRST_LETTERS = re.compile(rf"{_LETTER}+")
_NEXT_WORD = re.compile(rb"\n([ \t]*)([^\s<\[&]{1,200})(?=[\s<\[&]|\Z)")
_PRINTED_END = re.compile(rb"-\x03([ ]?)([^\s<\[&]{1,200})?")
# Ligatures of printed letters, which PDF documents and text recognition write as characters.
_LIGATURE = re.compile(rb"\xef\xac[\x80-\x86]")
_LIGATURE_START = b"\xef\xac"
# The beginning, in the last line of a block, of something that may continue in the next one.
_OPEN = re.compile(
    rb"[<\[&@$_=-]| \Z|" + b"|".join(_SIGNS) + rb"|(?:\xc2|\xe2[\x80\xb8]?|\xef[\xbf\xac]?)\Z"
)
_MOST_FORMS = 1 << 20

# Begin and end of the bytes to replace, the new ones, and the name of a count.
_Edit = tuple[int, int, bytes, str]


class Repairs:
    """Repairs one file after another, in blocks of UTF-8 that may be cut anywhere.

    placeholders, joined, apart, ligatures : number of placeholders that were left out, of words
    that were joined, of words with an ordinary hyphen that were not joined, and of ligatures that
    became letters
    forms : number of words with an ordinary hyphen by their joined forms in lowercase
    """

    def __init__(
        self, joins: Set[str] = frozenset(), lower: Callable[[str], str] = str.lower
    ) -> None:
        self._joins = joins
        self._lower = lower
        self._carry = self._before = b""
        self.placeholders = self.joined = self.apart = self.ligatures = 0
        self.forms: Counter[str] = Counter()

    def feed(self, block: bytes, final: bool) -> bytes:
        """The repaired bytes that ``block`` completes; ``final`` ends a file."""
        if self._carry:
            block = self._carry + block
            self._carry = b""
        if not final:
            cut = _clean_cut(block)
            if _OPEN.search(block, cut):
                block, self._carry = block[:cut], block[cut:]
        if not block.isascii() and _LIGATURE_START in block:
            block = _LIGATURE.sub(self._letters, block)
        edits = [*self._placeholders(block), *self._cut_words(block), *self._printed_ends(block)]
        self._before = b"" if final else (self._before + block[-_LONGEST:])[-_LONGEST:]
        if not edits:
            return block
        parts = []
        done = 0
        for begin, end, new, kind in sorted(edits):
            if begin >= done:
                self.placeholders += kind == "placeholder"
                self.joined += kind == "joined"
                parts += [block[done:begin], new]
                done = end
        return b"".join([*parts, block[done:]])

    def _letters(self, found: re.Match[bytes]) -> bytes:
        self.ligatures += 1
        return unicodedata.normalize("NFKC", found[0].decode()).encode()

    def _placeholders(self, block: bytes) -> Iterator[_Edit]:
        for mark, pattern in _PLACEHOLDERS.items():
            at = block.find(mark)
            while at >= 0:
                found = pattern.match(block, at)
                if found:
                    yield at, found.end(), b" ", "placeholder"
                at = block.find(mark, at + 1)
        at = block.find(b"@")
        while at >= 0:
            found = _SEPARATED.match(block, at)
            if found and block[at - 1 : at] == b" ":
                yield at - 1, found.end(), found[1], ""
            at = block.find(b"@", at + 1)

    def _cut_words(self, block: bytes) -> Iterator[_Edit]:
        data = np.frombuffer(block, dtype=np.uint8)
        ends = np.flatnonzero(data == _LF)
        last = ends - 1
        for _ in range(_MOST_BLANKS):
            # At the beginning, −1 is another byte, which does no harm.
            last = last - _BLANKS[data[last]]
        chosen = _LAST_BYTES[data[last]] & (last >= 0)
        for end, after in zip(ends[chosen].tolist(), (last[chosen] + 1).tolist(), strict=True):
            sign = next((sign for sign in _ALL_SIGNS if block.endswith(sign, 0, after)), b"")
            following = _NEXT_WORD.match(block, end)
            if not sign or not following:
                continue
            begin = after - len(sign)
            if self._is_cut(block, begin, following[2], sign in _DOUBTFUL):
                rest = block[after : following.start(2)]
                yield begin, following.end(), following[2] + rest, "joined"

    def _printed_ends(self, block: bytes) -> Iterator[_Edit]:
        if _LINE_END not in block:
            return
        for found in _PRINTED_END.finditer(block):
            word = found[2] or b""
            if self._is_cut(block, found.start(), word, True):
                yield found.start(), found.end(), word, "joined"
            else:
                yield found.start(), found.end(), _HYPHEN + found[1] + word, ""

    def _is_cut(self, block: bytes, begin: int, following: bytes, doubtful: bool) -> bool:
        """Whether the sign at ``begin`` is between letters that belong together."""
        # The first bytes may belong to half a character, which isn’t a letter then.
        before = block[max(begin - _LONGEST, 0) : begin]
        if begin < _LONGEST:
            before = (self._before + before)[-_LONGEST:]
        one = _LAST_LETTERS.search(before.decode(errors="replace"))
        two = _FIRST_LETTERS.match(following.decode(errors="replace"))
        if not one or not two:
            return False
        return not doubtful or self._belongs_together(one[0], two[0])

    def _belongs_together(self, one: str, two: str) -> bool:
        """Whether a word with an ordinary hyphen was cut, because its joined form occurs."""
        form = self._lower(one + two)
        if form in self._joins:
            return True
        self.apart += 1
        if len(self.forms) < _MOST_FORMS:
            self.forms[form] += 1
        return False


def _clean_cut(block: bytes) -> int:
    """A position near the end of a block at which nothing to repair continues: after the last line
    end that doesn’t follow a sign, or else at a space within a very long line.
    """
    at = len(block)
    lowest = max(len(block) - _LONGEST_WAIT, 0)
    while (at := block.rfind(b"\n", lowest, at)) >= 0:
        if not block[max(at - _LONGEST, 0) : at].rstrip().endswith(_ALL_SIGNS):
            return at + 1
    if lowest == 0:
        return 0
    at = len(block)
    while (at := block.rfind(b" ", lowest, at)) >= 0:
        around = block[at - 1 : at + 2]
        if b"@" not in around and len(around.split()) == 2:
            return at
    return len(block)
