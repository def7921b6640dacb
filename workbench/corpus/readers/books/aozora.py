"""Texts of Aozora Bunko: the words without their readings, notes on the print and the frame
(aozora.gr.jp, 注記一覧).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.records import beginning, lines

_RULE = re.compile(r"-{20,}\s*")
_SIGNS = "【テキスト中に現れる記号について】"
# The printed book from which a text was typed, and all that follows.
_SOURCE = re.compile(r"底本[:：]")
_READING = re.compile(r"《[^《》\n]{1,80}》")
# A reading in kana beside the Chinese characters, or the part of a word, to which it belongs.
_EVIDENT = re.compile(r"(?:[々〆ヶ\u3400-\u9fff]|｜[^《》｜\n]{1,20})《[\u3041-\u30ff・　]{1,40}》")
_FEWEST = 3
# A character that Shift JIS lacks, as its code in Unicode or as plane, row and cell of JIS X 0213.
_LACKING = re.compile(
    r"※［＃[^［］\n]*?(?:U\+([0-9A-Fa-f]{4,6})|([12])-(\d{1,2})-(\d{1,2}))[^［］\n]*］"
)
_NOTE = re.compile(r"［＃[^［］\n]{0,400}］")


class Aozora(Reader):
    key = "aozora"
    title = tr("Aozora Bunko text")
    order = 200

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.head.isascii():
            return False
        text = beginning(document)
        if "《" not in text:
            return False
        readings = len(_READING.findall(text))
        evident = len(_EVIDENT.findall(text))
        signs = _SIGNS in text or "［＃" in text
        return evident >= (1 if signs else _FEWEST) and 2 * evident > readings

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        frame = _SIGNS in beginning(document)
        waiting: list[str] = []
        size = rules = 0
        ended = False
        for _, line in lines(document):
            ended = ended or _SOURCE.match(line) is not None
            size += len(line)
            if frame and rules < 2 and _RULE.fullmatch(line):
                # The explanation of the signs is between two rules.
                rules += 1
            elif not ended and rules != 1:
                waiting.append(plain_line(line))
            if size > BLOCK // 4:
                yield "".join(waiting).encode(errors="replace")
                waiting, size = [], 0
        yield "".join(waiting).encode(errors="replace")
        document.note(
            tr("Readings in 《》, notes in ［＃］ and the frame of Aozora Bunko were left out.")
        )


def plain_line(line: str) -> str:
    """A line without readings and notes."""
    line = _NOTE.sub("", _LACKING.sub(_character, line))
    return _READING.sub("", line).replace("｜", "")


def _character(found: re.Match[str]) -> str:
    try:
        if found[1]:
            return chr(int(found[1], 16))
        code = bytes((0xA0 + int(found[3]), 0xA0 + int(found[4])))
        return (code if found[2] == "1" else b"\x8f" + code).decode("euc_jis_2004")
    except (ValueError, OverflowError):
        return "〓"
