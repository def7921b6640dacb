"""Blocks of UTF-8 as text, with the positions of bytes that aren’t UTF-8."""

from __future__ import annotations

import codecs


class NotUtf8(Exception):
    """A byte that is not UTF-8: its value, its offset and its line (from 1) in the file."""

    def __init__(self, byte: int, offset: int, line: int) -> None:
        super().__init__(f"byte 0x{byte:02X} at offset {offset}, line {line}")
        self.byte = byte
        self.offset = offset
        self.line = line


class Utf8:
    """Decodes one file after another; the end of a block may cut a character. Line ends are LF, CR
    LF and CR.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._offset = 0
        self._lines = 0
        self._after_cr = False

    def feed(self, block: bytes, final: bool = False) -> str:
        """The characters that ``block`` completes. Raises NotUtf8; after that, reading can't
        continue.
        """
        waiting = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(block, final)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode()
            line = self._lines + self._ends(before) + 1
            raise NotUtf8(
                error.object[error.start], self._offset - waiting + error.start, line
            ) from error
        self._offset += len(block)
        if final:
            self._begin()
        elif text:
            self._lines += self._ends(text)
            self._after_cr = text.endswith("\r")
        return text

    def _ends(self, text: str) -> int:
        """Number of line ends in ``text``; a CR LF cut in two counts with its CR."""
        ends = text.count("\n")
        if "\r" in text:
            ends += text.count("\r") - text.count("\r\n")
        return ends - (self._after_cr and text.startswith("\n"))
