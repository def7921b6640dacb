"""Bytes to characters: which encoding a text has, and its characters with what cannot be decoded
replaced.

A byte order mark decides, then zero bytes in a pattern (UTF-16 and UTF-32 without a mark), then
whether the beginning is UTF-8; what is none of these is what :mod:`workbench.core.older_encodings`
takes for the likeliest. Where the beginning has hardly a byte beyond ASCII, the first stretch of
the text that has more of them decides.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.older_encodings import (
    count_non_ascii,
    detect_older,
    detect_seven_bit,
    familiar_share,
)

UTF8 = "utf-8"
# Longer marks first: that of UTF-32 begins like that of UTF-16.
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
# How many locations of errors are kept.
LINES = 5
_FEW_WIDE = 16
# Pairs of letters of ASCII with zeros here and there would be ideographs, of which only a third are
# ever written.
_FAMILIAR = 0.7
_PRINTED = bytes((9, 10, 12, 13, *range(0x20, 0x7F)))
# Fewer bytes beyond ASCII than this do not settle how a longer text is encoded: more of it is
# waited for, up to so much.
_SETTLED = 200
_MOST_HELD = 1 << 22
# The head of a document from which its encoding is decided; one that is shorter is all of it.
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

    encoding : as people write it, such as "UTF-8"
    undecodable : bytes (of UTF-8) or runs of them that stand for no character
    lines : up to LINES lines, from 1, that contain the first of them
    """

    encoding: str = "UTF-8"
    undecodable: int = 0
    lines: list[int] = field(default_factory=list)
    column: str = ""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EncodingDecision:
    """The codec of a text; ``mark`` bytes of it aren’t text; ``open`` while too little was seen to
    settle it.
    """

    codec: str
    mark: int = 0
    open: bool = False


def detect_encoding(head: bytes, chosen: str = "auto", hint: str = "") -> EncodingDecision:
    """The encoding of a text from its beginning; ``hint`` is what the text itself says, taken if it
    is not UTF-8.
    """
    mark, marked = next((found for found in _MARKS if head.startswith(found[0])), (b"", ""))
    if chosen != "auto":
        codec = codecs.lookup(chosen).name
        if marked and marked.startswith(codec):
            # A mark of the very encoding is none of its characters.
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
    """Whether ASCII may hold other letters: the escapes of ISO 2022 from one set of characters to
    another.
    """
    return b"\x1b$" in block


def encoding_name(codec: str) -> str:
    """An encoding as people write it."""
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
    """The characters of ``blocks``, U+FFFD for what cannot be decoded; ``findings`` counts and
    locates it.

    Raises UserError for zero characters, which no text has.
    """
    decoder = _Decoder(decided, findings, hint)
    for block in blocks:
        yield _require_text(decoder.feed(block))
    yield _require_text(decoder.feed(b"", final=True))


def _mark_undecodable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _MARK, error.end


# In the place of what cannot be decoded, to tell it from a replacement character that the text
# itself holds: a code point that is for such use within a program (Unicode 15, section 23.7).
_MARK = "\ufdd0"
_MARKING = "workbench.mark"
codecs.register_error(_MARKING, _mark_undecodable)


class NoText(UserError):
    """Zero characters: the bytes aren’t text."""


def _require_text(text: str) -> str:
    if "\0" in text:
        raise NoText(tr("The file contains binary data, not text (there are null characters)."))
    return text


class _Decoder:
    """Decodes blocks cut anywhere, first strictly, and again with replacing where that fails."""

    def __init__(self, decided: EncodingDecision, findings: Findings, hint: str) -> None:
        self._findings, self._hint = findings, hint
        # Blocks that wait until the encoding is settled; None once it is.
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
        """Count and locate the marks in ``text``; returns it with U+FFFD for them."""
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
    """UTF-16 or UTF-32 without a mark: zero bytes in some places of a character and in no
    others.
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
        # Ideographs leave few zeros: the spaces and line ends between them.
        if (sum(others) > 0.01 * len(rows[0]) and width == 2) or not all(
            zeros[place] for place in places
        ):
            continue
        text = whole.decode(codec, errors="replace")
        share = zeros[places[0]] / len(rows[0])
        # Few zeros come from spaces and digits among letters that have none; too few of them show
        # nothing.
        if _looks_like_text(text) and (
            share > 0.7 or (len(text) >= _FEW_WIDE and _is_foreign_script(head, text))
        ):
            return codec
    return ""


def _is_foreign_script(head: bytes, text: str) -> bool:
    """Whether what is mostly other than Latin in UTF-16 is not ASCII with zeros here and there."""
    others = head.replace(b"\0", b"")
    return (
        not (others.isascii() and not others.translate(None, _PRINTED))
        and familiar_share(text[:4096]) > _FAMILIAR
    )


def _looks_like_text(text: str) -> bool:
    """Whether characters look like text: hardly any control, unassigned or replaced ones."""
    part = text[:4096]
    odd = sum(
        not (letter.isprintable() or letter in "\t\n\r\f\v\u2028\u2029\xa0\u3000\u200b")
        for letter in part
    )
    return odd + part.count("\ufffd") <= 0.02 * len(part)


def _mostly_utf8(block: bytes) -> bool:
    """Whether the bytes beyond ASCII are UTF-8, but for a few that are damaged. ``block`` begins
    with a character.
    """
    text, used = codecs.utf_8_decode(block, "replace", False)
    damaged = text.count("\ufffd") - block.count("\ufffd".encode())
    good = used - len(text) - damaged
    if not damaged and not good:
        # Nothing but a character that may be cut off by the end of the block, not by that of the
        # text.
        return len(block) >= HEAD
    return good > 4 * damaged


def _detect_narrow(block: bytes, hint: str) -> str:
    """The codec of bytes that are not UTF-16 or UTF-32; ``block`` begins with a character."""
    if block.isascii():
        return detect_seven_bit(block) or UTF8
    if _mostly_utf8(block):
        return UTF8
    return detect_older(block, hint)


def _is_settled(block: bytes, codec: str) -> bool:
    """Whether a codec was found by enough of a text."""
    return count_non_ascii(block) >= _SETTLED or (codec != UTF8 and block.isascii())
