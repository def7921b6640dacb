"""Definition of tokenisation, character by character, with Python’s own tables."""

from __future__ import annotations

import re
import unicodedata

_FILLERS = "\u115f\u1160\u3164\uffa0"
_JOINERS = "\u200c\u200d"
# Category Cf, but visible (UAX 29, Prepend).
_SEEN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


def _is_word_character(character: str) -> bool:
    return unicodedata.category(character)[0] in ("L", "N") and character not in _FILLERS


def is_mark(character: str) -> bool:
    """Whether a character belongs to the character before it."""
    return (
        unicodedata.category(character)[0] == "M"
        or character in _FILLERS
        or "\U000e0020" <= character <= "\U000e007f"
    ) and not is_ignored(character)


def is_ignored(character: str) -> bool:
    """Whether a character is invisible and skipped."""
    if "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    others = character in _SEEN or character in _JOINERS or character == "\u200b"
    return (
        unicodedata.category(character) == "Cf"
        and not others
        and not "\U000e0020" <= character <= "\U000e007f"
    )


def is_blank(character: str) -> bool:
    return character.isspace() or character == "\u200b"


def _words_of_line(line: str) -> list[str]:
    line = line.replace("’", "'")
    words = []
    word = ""
    place = 0
    while place < len(line):
        character = line[place]
        place += 1
        # Skip joiners and, after an apostrophe, marks.
        ahead = place
        while ahead < len(line) and (
            line[ahead] in _JOINERS or (character == "'" and is_mark(line[ahead]))
        ):
            ahead += 1
        after = line[ahead : ahead + 1]
        letter = after != "" and _is_word_character(after)
        if _is_word_character(character) or (is_mark(character) and word):
            word += character
        elif (
            word
            and character in _JOINERS + "'"
            and (letter or (character != "'" and after and is_mark(after)))
        ):
            word += character
            place = ahead
        elif word and character in _JOINERS and after == "'":
            place = ahead
        else:
            words += [word] if word else []
            word = ""
    return [*words, word] if word else words


def _between_blanks(line: str) -> list[str]:
    words = []
    for part in "".join(" " if is_blank(character) else character for character in line).split(" "):
        while part and (part[0] in _JOINERS or is_mark(part[0])):
            part = part[1:]
        part = re.sub(f"([{_JOINERS}])[{_JOINERS}]+", r"\1", part).rstrip(_JOINERS)
        words += [part] if part else []
    return words


def _small(word: str) -> str:
    word = re.sub("[Iiİ]\u0307|İ", "i", word)
    small = "".join(character.lower() for character in word)
    if len(word) > 1 and word.endswith("Σ"):
        small = small[:-1] + "ς"
    return small


def _cut(word: str, limit: int) -> str:
    text = ""
    for character in word:
        if len((text + character).encode()) > limit:
            break
        text += character
    return text


def sentences(
    text: str,
    tokeniser: str = "words",
    rule: str = "lines",
    lowercase: bool = True,
    longest: int = 1000,
) -> list[list[str]]:
    """The sentences of one file as lists of words."""
    sentences_found: list[list[str]] = [[]]
    for line in re.split(r"\r\n|\r|\n", text):
        line = "".join(character for character in line if not is_ignored(character))
        if rule == "paragraphs" and all(
            is_blank(character) or character in _JOINERS for character in line
        ):
            sentences_found.append([])
        words = _words_of_line(line) if tokeniser == "words" else _between_blanks(line)
        sentences_found[-1] += [
            _cut(_small(word) if lowercase else word, longest) for word in words
        ]
        if rule == "lines":
            sentences_found.append([])
    return [sentence for sentence in sentences_found if sentence]


def not_utf8(data: bytes) -> tuple[int, int, int] | None:
    """The first byte that Python cannot decode, as (byte, offset, line from 1), or None."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return data[error.start], error.start, before.count(b"\n") + 1
    return None
