"""What tokenising means, character by character, with Python's own tables."""

from __future__ import annotations

import re
import unicodedata


def _is_word_character(character: str) -> bool:
    return unicodedata.category(character)[0] in ("L", "M", "N")


def _words_of_line(line: str) -> list[str]:
    line = line.replace("’", "'")
    words = []
    word = ""
    for place, character in enumerate(line):
        after = line[place + 1 : place + 2]
        inner = character == "'" and word != "" and after != "" and _is_word_character(after)
        if _is_word_character(character) or inner:
            word += character
        elif word:
            words.append(word)
            word = ""
    if word:
        words.append(word)
    return words


def _small(word: str) -> str:
    small = "".join(character.lower() for character in word)
    if len(word) > 1 and word.endswith("Σ"):
        small = small[:-1] + "ς"
    return small


def _cut(word: str, limit: int) -> str:
    kept = ""
    for character in word:
        if len((kept + character).encode()) > limit:
            break
        kept += character
    return kept


def sentences(
    text: str, tokeniser: str = "words", rule: str = "lines", lowercase: bool = True, longest: int = 1000
) -> list[list[str]]:
    """The sentences of one file as lists of words."""
    found: list[list[str]] = [[]]
    for line in re.split(r"\r\n|\r|\n", text):
        if rule == "paragraphs" and line.strip() == "":
            found.append([])
        words = _words_of_line(line) if tokeniser == "words" else line.split()
        found[-1] += [_cut(_small(word) if lowercase else word, longest) for word in words]
        if rule == "lines":
            found.append([])
    return [sentence for sentence in found if sentence]


def not_utf8(data: bytes) -> tuple[int, int, int] | None:
    """The first byte that Python cannot decode: (byte, offset, line from 1)."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return data[error.start], error.start, before.count(b"\n") + 1
    return None
