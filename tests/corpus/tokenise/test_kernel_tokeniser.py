from __future__ import annotations

import itertools
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import naive_tokenise

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.tokenise.char_classes import (
    APOSTROPHE,
    CODE_POINTS,
    IGNORED,
    JOINER,
    MARK,
    SPACE,
    WORD,
    blank_kinds,
    characters,
    plain_word,
    word_kinds,
)
from workbench.corpus.tokenise.kernel_tokeniser import LONGEST, Tokeniser, preview

ALL_OPTIONS = [
    CorpusOptions(tokeniser=tokeniser, sentences=sentences, lowercase=lowercase)
    for tokeniser, sentences, lowercase in itertools.product(
        ("words", "whitespace"), ("lines", "paragraphs", "none"), (True, False)
    )
]

# Many special cases, so that they often combine: line ends, apostrophes, marks, capitals whose
# lowercase letters are longer or shorter in UTF-8, spaces of all kinds, and characters of each
# size.
SPECIAL = (
    "aBZi19_'’ʼ "
    "\t\n\r\u000b\u001f\u0085\u00a0\u2028\u3000éÉßẞΣσςİıIKȺ\u0301\u0307\u0345日本ー語ｶ٣½Ⅷ👩\u200d🚀𝔘𐐀.,-"
)
SPECIAL += "\ufeff\u200b\u200c\u00ad\ufe0f\u3164"
TEXTS = st.text(
    st.sampled_from(SPECIAL) | st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    max_size=60,
)


def expected(text: str, options: CorpusOptions) -> list[list[str]]:
    return naive_tokenise.sentences(text, options.tokeniser, options.sentences, options.lowercase)


def in_blocks(data: bytes, size: int, options: CorpusOptions, **room: int) -> list[list[str]]:
    tokeniser = Tokeniser(options, **room)
    blocks = [tokeniser.feed(data[at : at + size]) for at in range(0, len(data), size)]
    blocks.append(tokeniser.feed(b"", final=True))
    words = tokeniser.words()
    tokens = [words[number] for ids, _ in blocks for number in ids.tolist()]
    bounds = [0, *(end for _, ends in blocks for end in ends.tolist())]
    assert bounds[-1] == len(tokens) == tokeniser.tokens
    return [tokens[a:b] for a, b in itertools.pairwise(bounds)]


@pytest.mark.parametrize(
    "options", ALL_OPTIONS, ids=lambda options: "-".join(map(str, options.to_dict().values()))
)
@given(text=TEXTS)
@settings(max_examples=60)
def test_equals_the_naive_reference(options: CorpusOptions, text: str) -> None:
    assert preview(text, options) == expected(text, options)


@given(text=TEXTS, options=st.sampled_from(ALL_OPTIONS), size=st.integers(1, 9))
@settings(max_examples=150)
def test_blocks_may_be_cut_anywhere(text: str, options: CorpusOptions, size: int) -> None:
    assert in_blocks(text.encode(), size, options) == expected(text, options)


def test_every_block_size_gives_the_same() -> None:
    text = "Don’t stop,\r\nÜnïcode 日本語 x''y İΣΑΣ\r\r\n \n'tis \U0001f680 o'clock’"
    data = text.encode()
    for options in ALL_OPTIONS:
        for size in range(1, len(data) + 1):
            assert in_blocks(data, size, options) == expected(text, options)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't DON’T", ["don't", "don't"]),
        ("'quoted' rock'n'roll dogs' x''y", ["quoted", "rock'n'roll", "dogs", "x", "y"]),
        ("w12 1,000 snake_case well-known", ["w12", "1", "000", "snake", "case", "well", "known"]),
        ("cafe\u0301 CAFÉ", ["cafe\u0301", "café"]),
        ("日本語、中文。", ["日本語", "中文"]),
        ("a🚀b", ["a", "b"]),
        ("ΟΔΟΣ Σ ΣΑΣ", ["οδος", "σ", "σας"]),
        ("İstanbul İKİ I\u0307I\u0307 i\u0307", ["istanbul", "iki", "ii", "i"]),
        ("\ufeffword", ["word"]),
        ("I ❤\ufe0f tea ☕\ufe0f 1\ufe0f\u20e3", ["i", "tea", "1\u20e3"]),
        ("soft\u00adhyphen soft\u00ad hyphen", ["softhyphen", "soft", "hyphen"]),
        ("می\u200cخواهم می\u200c خواهم\u200c.", ["می\u200cخواهم", "می", "خواهم"]),
        ("क्\u200dष क्\u200d\u200dष", ["क्\u200dष", "क्\u200dष"]),
        ("\u0301 \u200d \ufeff \u0301a", ["a"]),
        ("a\u200bb a\u2060b a\u200eb 葛\U000e0100城", ["a", "b", "ab", "ab", "葛城"]),
        ("don\u00ad’\u00adt l'\u200d\u0301a a\u200d'b", ["don't", "l'a", "a'b"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert preview(text, CorpusOptions(sentences="none")) == [words]


def test_whitespace_keeps_characters_between_spaces() -> None:
    options = CorpusOptions(tokeniser="whitespace", lowercase=False)
    assert preview("Don’t stop, “now”!\u00a0 ok_", options) == [["Don’t", "stop,", "“now”!", "ok_"]]
    unseen = "❤\ufe0f \ufe0f \u0301 👩\u200d🚀 \u200d soft\u00adhyphen. \ufeff a\u200bb"
    assert preview(unseen, options) == [["❤", "👩\u200d🚀", "softhyphen.", "a", "b"]]


@pytest.mark.parametrize("tokeniser", ["words", "whitespace"])
def test_every_character_alone_and_within_a_word(tokeniser: str) -> None:
    options = CorpusOptions(tokeniser=tokeniser)
    for plane in (
        range(1, 0x3000),
        range(0x3000, 0xD800, 97),
        range(0xE000, 0x30000, 61),
        range(0xE0000, 0xE0200),
    ):
        places = [chr(code) for code in plane if chr(code) not in "\r\n"]
        text = "\n".join(f"{place} a{place}b {place}c d{place}" for place in places)
        assert preview(text, options) == expected(text, options)
        for place in places:
            # Typed words are spelled like the words of the text. Nobody looks up words that never
            # occur.
            form = plain_word(f"a{place}b", apostrophes=tokeniser == "words").lower()
            if not naive_tokenise.is_blank(place) and not {"Σ", "İ"} & {place}:
                result = naive_tokenise.sentences(f"a{place}b", tokeniser)[0]
                assert len(result) > 1 or result == [form], hex(ord(place))
            if not naive_tokenise.sentences(place, "whitespace"):
                assert not plain_word(place, apostrophes=False).strip()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_sentence_rules(end: str) -> None:
    text = end.join(["a b", "c", " \t", "", "d", "!", "e", ""])
    assert preview(text, CorpusOptions(sentences="lines")) == [["a", "b"], ["c"], ["d"], ["e"]]
    assert preview(text, CorpusOptions(sentences="paragraphs")) == [["a", "b", "c"], ["d", "e"]]
    assert preview(text, CorpusOptions(sentences="none")) == [["a", "b", "c", "d", "e"]]


def test_a_file_ends_word_and_sentence() -> None:
    tokeniser = Tokeniser(CorpusOptions(sentences="none"))
    first, ends = tokeniser.feed(b"one two'", final=True)
    assert (first.tolist(), ends.tolist()) == ([0, 1], [2])
    second, ends = tokeniser.feed(b"two three", final=True)
    assert (second.tolist(), ends.tolist()) == ([1, 2], [4])
    assert first.dtype == np.int32
    assert ends.dtype == np.int64
    assert tokeniser.counts.tolist() == [1, 2, 1]


@given(
    words=st.lists(st.text("abcdeé'", min_size=1, max_size=30), max_size=400),
    size=st.integers(1, 3000),
)
@settings(max_examples=30)
def test_table_and_arena_grow(words: list[str], size: int) -> None:
    text = " ".join(words)
    options = CorpusOptions(tokeniser="whitespace")
    assert in_blocks(text.encode(), size, options, capacity=2, arena=1) == expected(text, options)


@pytest.mark.parametrize("last", ["", "b", "é", "日", "'b", "éb"])
@pytest.mark.parametrize("length", range(LONGEST - 4, LONGEST + 3))
def test_a_very_long_word_keeps_its_beginning(length: int, last: str) -> None:
    text = "a" * length + last + " z"
    options = CorpusOptions()
    assert preview(text, options) == expected(text, options)
    assert in_blocks(text.encode(), 7, options) == expected(text, options)
    tokeniser = Tokeniser(options)
    tokeniser.feed(text.encode(), final=True)
    assert tokeniser.cut_words == (len((" " + text).split()[0].encode()) > LONGEST)


@given(
    data=st.binary(max_size=12)
    | st.lists(
        st.sampled_from(
            [
                b"a",
                b"\n",
                "é".encode(),
                "日".encode(),
                b"\xe9",
                b"\xed",
                b"\xa0",
                b"\xf4",
                b"\x90",
                b"\x80",
                b"\xc0",
                b"\xf0",
                b"\xe0",
                b"\xff",
            ]
        ),
        max_size=8,
    ).map(b"".join),
    size=st.integers(1, 13),
)
@settings(max_examples=400)
def test_says_which_byte_is_not_utf8(data: bytes, size: int) -> None:
    tokeniser = Tokeniser(CorpusOptions())
    try:
        for at in range(0, len(data), size):
            tokeniser.feed(data[at : at + size])
        tokeniser.feed(b"", final=True)
        problem = None
    except NotUtf8 as error:
        problem = (error.byte, error.offset, error.line)
    assert problem == naive_tokenise.not_utf8(data)


def test_offsets_and_lines_restart_in_every_file() -> None:
    tokeniser = Tokeniser(CorpusOptions())
    tokeniser.feed(b"one\ntwo\n", final=True)
    with pytest.raises(NotUtf8) as error:
        tokeniser.feed(b"a\nb\xe9 c", final=True)
    assert (error.value.byte, error.value.offset, error.value.line) == (0xE9, 3, 2)


def test_tables_cover_all_of_unicode() -> None:
    words = characters(word_kinds(), True)
    blanks = characters(blank_kinds(), False)
    for code in range(1, CODE_POINTS):
        character = chr(code)
        unseen = 0
        if naive_tokenise.is_blank(character):
            unseen = SPACE
        elif naive_tokenise.is_ignored(character):
            unseen = IGNORED
        elif naive_tokenise.is_mark(character):
            unseen = MARK
        elif character in "\u200c\u200d":
            unseen = JOINER
        of_words = (
            APOSTROPHE
            if character in "'’"
            else WORD
            if unicodedata.category(character)[0] in "LN"
            else 0
        )
        if words.kind[code] != (unseen or of_words) or blanks.kind[code] != (unseen or WORD):
            pytest.fail(f"U+{code:04X} is classified wrongly")
    capitals = np.flatnonzero(words.fold != blanks.fold)
    small = {code for code in range(CODE_POINTS) if chr(code).lower() != chr(code)}
    assert small == set(capitals.tolist())
    assert {code for code in small if chr(code).lower() != chr(words.fold[code])} == {0x130}
