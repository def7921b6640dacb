"""Conversion of bytes to characters: detection of the encoding, and decoding with replacement of
undecodable bytes.

A byte order mark decides, then zero bytes in a pattern (UTF-16 and UTF-32 without a mark), then
whether the beginning is UTF-8; otherwise the text has the most likely encoding according to
:mod:`workbench.core.text.older_encodings`. If the beginning has hardly any bytes beyond ASCII, the
first part of the text with more of them decides.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.older_encodings import (
    count_non_ascii,
    declared_codec,
    detect_older,
    detect_seven_bit,
    familiar_share,
)

UTF8 = "utf-8"
# Longer marks first: the mark of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, UTF8),
)
_WIDE = {
    "utf-16-le": (2, (1,)),
    "utf-16-be": (2, (0,)),
    "utf-32-le": (4, (2, 3)),
    "utf-32-be": (4, (0, 1)),
}
# Maximum number of recorded locations of errors.
LINES = 5
_FEW_WIDE = 16
# Minimum share of familiar characters: ASCII with occasional zeros, read as UTF-16, would be
# ideographs, only a third of which are in use.
_FAMILIAR = 0.7
_PRINTED = bytes((9, 10, 12, 13, *range(0x20, 0x7F)))
# Minimum number of bytes beyond ASCII that determines the encoding of a longer text, and maximum
# amount of text to wait for more.
_SETTLED = 200
_MOST_HELD = 1 << 22
# Bytes of the head of a document that determines its encoding; a shorter head is the whole
# document.
HEAD = 1 << 16

_NAMES = {
    "ascii": "UTF-8",
    "big5": "Big5",
    "big5hkscs": "Big5",
    "gb18030": "GB18030",
    "cp932": "Shift JIS",
    "shift_jis": "Shift JIS",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "cp949": "EUC-KR",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "tis-620": "TIS-620",
    "mac-roman": "Mac Roman",
    "mac-cyrillic": "Mac Cyrillic",
    "johab": "Johab",
    "hz": "HZ",
    "iso2022_kr": "ISO-2022-KR",
}


@dataclass
class Findings:
    """Encoding and decoding errors of a text; complete after the last block is read.

    encoding : its usual name, such as "UTF-8"
    declared : whether the text declares it
    undecodable : number of bytes (of UTF-8), or runs of bytes, that could not be decoded
    lines : up to LINES line numbers, from 1, of the first errors
    failure : why the text is passed over, None if it can be read
    """

    encoding: str = "UTF-8"
    declared: bool = False
    undecodable: int = 0
    lines: list[int] = field(default_factory=list)
    column: str = ""
    notes: list[str] = field(default_factory=list)
    failure: UserError | None = None


@dataclass(frozen=True)
class EncodingDecision:
    """The codec of a text; the first ``mark`` bytes aren’t text; ``open`` while too little of the
    text is known for a decision.
    """

    codec: str
    mark: int = 0
    open: bool = False


def detect_encoding(head: bytes, chosen: str = "auto", hint: str = "") -> EncodingDecision:
    """The encoding of a text from its beginning; ``hint`` is the encoding that the text declares,
    used if the text isn't in UTF-8.
    """
    mark, marked = next((found for found in _MARKS if head.startswith(found[0])), (b"", ""))
    if chosen != "auto":
        codec = codecs.lookup(chosen).name
        if marked and marked.startswith(codec):
            # A byte order mark in the chosen encoding isn’t a character.
            return EncodingDecision(marked, len(mark))
        if codec in ("utf-16", "utf-32"):
            wide = _detect_wide(head)
            codec = wide if wide.startswith(codec) else f"{codec}-le"
        return EncodingDecision(codec)
    if marked:
        return EncodingDecision(marked, len(mark))
    wide = _detect_wide(head)
    if wide:
        return EncodingDecision(wide)
    codec = _detect_narrow(head, hint)
    return EncodingDecision(codec, open=len(head) >= HEAD and not _is_settled(head, codec))


def has_iso2022_escapes(block: bytes) -> bool:
    """Whether ASCII may encode other letters, by the escape sequences of ISO 2022 between character
    sets.
    """
    return b"\x1b$" in block


def encoding_name(codec: str) -> str:
    """The usual name of an encoding."""
    name = codecs.lookup(codec).name
    if name in _NAMES:
        return _NAMES[name]
    if name.startswith("iso2022_jp"):
        return "ISO-2022-JP"
    if name.startswith(("cp125", "cp874")):
        return f"Windows-{name[2:]}"
    return (
        name.upper()
        .removesuffix("-LE")
        .removesuffix("-BE")
        .replace("ISO8859", "ISO-8859")
        .replace("_", "-")
    )


def decode_blocks(
    blocks: Iterator[bytes], decided: EncodingDecision, findings: Findings, hint: str = ""
) -> Iterator[str]:
    """The characters of ``blocks``, with U+FFFD for undecodable bytes, which ``findings`` counts
    and locates.

    Raises UserError for null characters, which text doesn't contain.
    """
    decoder = _Decoder(decided, findings, hint)
    for block in blocks:
        yield _require_text(decoder.feed(block))
    yield _require_text(decoder.feed(b"", final=True))


def _mark_undecodable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _MARK, error.end


# Marks undecodable bytes, to distinguish them from replacement characters in the text itself: a
# code point for internal use by programs (Unicode 15, section 23.7).
_MARK = "\ufdd0"
_MARKING = "workbench.mark"
codecs.register_error(_MARKING, _mark_undecodable)


class NoText(UserError):
    """The decoded bytes contain null characters, so they aren’t text."""


def _require_text(text: str) -> str:
    if "\0" in text:
        raise NoText(tr("The file contains binary data, not text (there are null characters)."))
    return text


class _Decoder:
    """Decodes blocks cut anywhere, first strictly, and again with replacement if that fails."""

    def __init__(self, decided: EncodingDecision, findings: Findings, hint: str) -> None:
        self._findings, self._hint = findings, hint
        # Blocks that wait until the encoding is decided, then None.
        self._held: list[bytes] | None = None
        if decided.open:
            self._held = []
        self._line = 1
        self._after_cr = False
        self._set_codec(decided.codec)

    def _set_codec(self, codec: str) -> None:
        self._codec = codec
        make = codecs.getincrementaldecoder(codec)
        self._decoder, self._replacing = make("strict"), make(_MARKING)
        self._findings.encoding = encoding_name(codec)
        self._findings.declared = codec == declared_codec(self._hint)

    def feed(self, block: bytes, final: bool = False) -> str:
        if self._held is not None:
            if block.isascii() and not self._held and not final and not has_iso2022_escapes(block):
                return self._decode(block, final)
            self._held.append(block)
            block = b"".join(self._held)
            codec = _detect_narrow(block, self._hint)
            if not final and len(block) < _MOST_HELD and not _is_settled(block, codec):
                self._held = [block]
                return ""
            self._held = None
            if codec != self._codec:
                self._set_codec(codec)
        return self._decode(block, final)

    def _decode(self, block: bytes, final: bool) -> str:
        before = self._decoder.getstate()
        try:
            text = self._decoder.decode(block, final)
        except UnicodeDecodeError:
            self._replacing.setstate(before)
            text = self._locate_marks(self._replacing.decode(block, final))
            self._decoder.setstate(self._replacing.getstate())
        ends = text.count("\n") + text.count("\r") - text.count("\r\n")
        self._line += ends - (self._after_cr and text.startswith("\n"))
        if text:
            self._after_cr = text.endswith("\r")
        return text

    def _locate_marks(self, text: str) -> str:
        """Count and locate the marks in ``text``; return it with U+FFFD in their place."""
        found = self._findings
        found.undecodable += text.count(_MARK)
        at = text.find(_MARK)
        line = self._line - (self._after_cr and text.startswith("\n"))
        begin = 0
        while at >= 0 and len(found.lines) < LINES:
            part = text[begin:at]
            line += part.count("\n") + part.count("\r") - part.count("\r\n")
            if not found.lines or found.lines[-1] != line:
                found.lines.append(line)
            begin = at
            at = text.find(_MARK, at + 1)
        return text.replace(_MARK, "\ufffd")


def _detect_wide(head: bytes) -> str:
    """Detect UTF-16 or UTF-32 without a mark: zero bytes only at certain positions within
    characters.
    """
    if b"\0" not in head:
        return ""
    for codec in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        width, places = _WIDE[codec]
        whole = head[: len(head) - len(head) % width]
        rows = [whole[place::width] for place in range(width)]
        zeros = [row.count(0) for row in rows]
        others = [zeros[place] for place in range(width) if place not in places]
        if not rows[0] or (
            width == 4 and any(zeros[place] < 0.9 * len(rows[0]) for place in places)
        ):
            continue
        # Between ideographs, only spaces and line ends have zeros.
        if (sum(others) > 0.01 * len(rows[0]) and width == 2) or not all(
            zeros[place] for place in places
        ):
            continue
        text = whole.decode(codec, errors="replace")
        share = zeros[places[0]] / len(rows[0])
        # A few zeros come from spaces and digits among letters without zeros; very few prove
        # nothing.
        if _looks_like_text(text) and (
            share > 0.7 or (len(text) >= _FEW_WIDE and _is_foreign_script(head, text))
        ):
            return codec
    return ""


def _is_foreign_script(head: bytes, text: str) -> bool:
    """Whether mostly non-Latin text in UTF-16 isn't in fact ASCII with occasional zeros."""
    others = head.replace(b"\0", b"")
    return (
        not (others.isascii() and not others.translate(None, _PRINTED))
        and familiar_share(text[:4096]) > _FAMILIAR
    )


def _looks_like_text(text: str) -> bool:
    """Whether characters look like text, with hardly any control, unassigned or replaced ones."""
    part = text[:4096]
    odd = sum(
        not (letter.isprintable() or letter in "\t\n\r\f\v\u2028\u2029\xa0\u3000\u200b")
        for letter in part
    )
    return odd + part.count("\ufffd") <= 0.02 * len(part)


def _mostly_utf8(block: bytes) -> bool:
    """Whether the bytes beyond ASCII are UTF-8, except for a few damaged ones. ``block`` starts
    with a complete character.
    """
    text, used = codecs.utf_8_decode(block, "replace", False)
    damaged = text.count("\ufffd") - block.count("\ufffd".encode())
    good = used - len(text) - damaged
    if not damaged and not good:
        # There is only one character, which the end of the block, but not of the text, may have cut
        # off.
        return len(block) >= HEAD
    return good > 4 * damaged


def _detect_narrow(block: bytes, hint: str) -> str:
    """The codec of bytes that aren't UTF-16 or UTF-32; ``block`` starts with a complete
    character.
    """
    if block.isascii():
        return detect_seven_bit(block) or UTF8
    if _mostly_utf8(block):
        return UTF8
    return detect_older(block, hint)


def _is_settled(block: bytes, codec: str) -> bool:
    """Whether enough of a text was seen to determine its codec."""
    return count_non_ascii(block) >= _SETTLED or (codec != UTF8 and block.isascii())
