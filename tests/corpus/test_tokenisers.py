"""Rules for every tokeniser, and the tokens of each of them."""

from __future__ import annotations

import importlib.util
import logging
import marshal
import re
import shlex
import sys
import tempfile
import unicodedata
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import naive_tokenise

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.utf8 import NotUtf8, Utf8
from workbench.corpus.loader import open_corpus
from workbench.corpus.tokenise.kernel_tokeniser import LONGEST
from workbench.corpus.tokenise.line_tokeniser import LineTokeniser, TooSlowLine
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.corpus.tokenise.token_filters import Refinement
from workbench.corpus.tokenise.tokenisers import (
    TOKENISERS,
    LineSplitter,
    MissingPackagesError,
    chinese,
)

SPECIAL = (
    "aBZ19_'’ \t\n\r\u000b\u0085\u00a0\u2028\u3000éÉßẞΣσςİ\u0301\u0345日本。！語 "
    "が\u3099ﾊﾞ한\u1112\u1161א\u05b4ب٣½"
    "👩\u200d🚀🇩🇪.!?,-\ufeff"
)
TEXTS = st.text(st.sampled_from(SPECIAL), max_size=60)
RULES = ("lines", "paragraphs", "punctuation", "none")


def options_of(key: str, **more: Any) -> CorpusOptions:
    """Options for a tokeniser, with a pattern if needed. Skips if its packages aren’t installed."""
    if TOKENISERS[key].missing() is not None:
        pytest.skip(f"the packages of {key} are not installed")
    return CorpusOptions(tokeniser=key, **more)


@pytest.fixture(params=TOKENISERS.keys())
def key(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if TOKENISERS[name].missing() is not None:
        pytest.skip(f"the packages of {name} are not installed")
    return name


def split(data: bytes, options: CorpusOptions, size: int = 1 << 20) -> list[list[str]]:
    """Sentences of one file, fed in blocks of ``size`` bytes."""
    numbering = Numbering(options)
    ids: list[int] = []
    bounds = [0]
    for at in [*range(0, len(data), size), len(data)]:
        for numbers, ends in numbering.feed(data[at : at + size], final=at == len(data)):
            ids += numbers.tolist()
            bounds += ends.tolist()
    words = numbering.words()
    assert len(set(words)) == len(words) == numbering.types
    assert len(ids) == numbering.tokens == bounds[-1] == numbering.counts.sum()
    assert sorted(bounds) == bounds
    assert all(a < b for a, b in pairwise(bounds))
    tokens = [words[number] for number in ids]
    return [tokens[a:b] for a, b in pairwise(bounds)]


# -- rules for every tokeniser


def test_blocks_may_be_cut_anywhere(key: str) -> None:
    @given(
        text=TEXTS,
        size=st.integers(1, 9),
        rule=st.sampled_from(RULES),
        form=st.sampled_from(["none", "NFKC"]),
    )
    @settings(max_examples=30)
    def same(text: str, size: int, rule: str, form: str) -> None:
        options = CorpusOptions(tokeniser=key, sentences=rule, unicode_form=form)
        assert split(text.encode(), options, size) == split(text.encode(), options)

    same()


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n", "\u3000\u2028".encode()])
def test_texts_without_tokens(key: str, data: bytes) -> None:
    for rule in RULES:
        assert split(data, CorpusOptions(tokeniser=key, sentences=rule)) == []


def test_no_token_holds_a_blank_or_is_too_long(key: str) -> None:
    # Tokenisers with a dictionary are slow.
    long = 1 << (16 if TOKENISERS[key].packages else 20)
    for text in (
        "שלום עולם مرحبا بالعالم",
        "日本語を話す。我来到北京清华大学！",
        "a\0b c\x0bd\u2028e",
        "x" * long + " é" * 3,
        "é" * 20_000 + "\n" + "\u0301" * 5000,
        "a " * 10_000,
    ):
        options = CorpusOptions(tokeniser=key)
        token_lists = split(text.encode(), options, 70_001)
        tokens = {token for sentence in token_lists for token in sentence}
        assert tokens
        assert not any(character.isspace() for token in tokens for character in token)
        assert all(0 < len(token.encode()) <= LONGEST for token in tokens)
        if len(text) < long:
            assert split(text.encode(), options) == token_lists


def test_invalid_utf8_is_reported_with_its_place(key: str) -> None:
    for rule in RULES:
        numbering = Numbering(CorpusOptions(tokeniser=key, sentences=rule))
        with pytest.raises(NotUtf8) as error:
            for _ in numbering.feed(b"one\r\ntwo\xc3"):
                pass
            for _ in numbering.feed(b"(\n"):
                pass
        assert (error.value.byte, error.value.offset, error.value.line) == (0xC3, 8, 2)


def test_makes_the_same_files_as_any_other(key: str, tmp_path: Path) -> None:
    text = "Tokyo is big. 東京は大きい。\n我来到北京清华大学 here\n\nthe end\n"
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text("one more line\n")
    corpus = open_corpus([tmp_path], CorpusOptions(tokeniser=key))
    lines = [*split(text.encode(), CorpusOptions(tokeniser=key))]
    lines += split(b"one more line", CorpusOptions(tokeniser=key))
    assert sentences(corpus) == [[word.lower() for word in sentence] for sentence in lines]
    assert [file.tokens for file in corpus.files] == [sum(map(len, lines[:-1])), len(lines[-1])]
    again = open_corpus([tmp_path], CorpusOptions(tokeniser=key))
    assert again.digest == corpus.digest
    assert again.folder == corpus.folder


def sentences(corpus: Corpus) -> list[list[str]]:
    words = [corpus.words[number] for number in corpus.ids.tolist()]
    return [words[a:b] for a, b in pairwise(corpus.sentences.tolist())]


def test_spans_are_where_the_tokens_stand(key: str) -> None:
    kind = TOKENISERS[key]
    if not issubclass(kind, LineSplitter):
        return
    splitter = kind(CorpusOptions(tokeniser=key))
    for line in (
        "The cat, the dog: the end.",
        "東京都に住んでいます。「はい」",
        "我来到北京清华大学，北京。",
        "cafe\u0301 naïve",
    ):
        spans = splitter.spans(line)
        assert [line[a:b] for a, b in spans] == splitter.split(line)
        assert all(a < b for a, b in spans)


# -- decoding


@given(data=st.binary(max_size=16) | TEXTS.map(str.encode), size=st.integers(1, 9))
@settings(max_examples=200)
def test_text_is_decoded_as_python_does(data: bytes, size: int) -> None:
    utf8 = Utf8()
    true = naive_tokenise.not_utf8(data)
    problem, text = None, ""
    try:
        text = "".join(
            utf8.feed(data[at : at + size]) for at in range(0, len(data), size)
        ) + utf8.feed(b"", True)
    except NotUtf8 as error:
        problem = (error.byte, error.offset, error.line)
    assert problem == true
    assert problem or text == data.decode()


# -- characters


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("cafe\u0301 é", ["c", "a", "f", "e\u0301", "é"]),
        ("हिन्दी", ["हि", "न्", "दी"]),
        ("👩\u200d🚀👍🏽🇩🇪🇯🇵", ["👩\u200d🚀", "👍🏽", "🇩🇪", "🇯🇵"]),
        ("각\u1112\u1161\u11ab", ["각", "\u1112\u1161\u11ab"]),
        ("\u0301a\u0085b", ["a", "b"]),
        ("❤\ufe0fx\u00ady\u200bz\ufeff \u200d \ufe0f", ["❤", "x", "y", "z"]),
        ("🏴\U000e0067\U000e0062\U000e007f", ["🏴\U000e0067\U000e0062\U000e007f"]),
        ("שָׁלוֹם", ["שָׁ", "ל", "וֹ", "ם"]),
        ("日本。", ["日", "本", "。"]),
    ],
)
def test_marks_stay_with_their_base(text: str, characters: list[str]) -> None:
    assert split(text.encode(), CorpusOptions(tokeniser="characters", sentences="none")) == [
        characters
    ]


@pytest.mark.skipif(importlib.util.find_spec("regex") is None, reason="regex is not installed")
def test_characters_are_the_clusters_that_regex_finds() -> None:
    import regex

    text = "Ünïcode, naïve café! 日本語 한국어 हि שָׁלוֹם العربية 👩\u200d👩\u200d👧 🇩🇪 e\u0301\u0323"
    clusters = [each for each in regex.findall(r"\X", text) if not each.isspace()]
    assert split(text.encode(), CorpusOptions(tokeniser="characters", sentences="none")) == [
        clusters
    ]


# -- a regular expression


@pytest.mark.parametrize(
    ("pattern", "tokens"),
    [
        (r"\w+", ["The", "cat", "s", "12", "dogs", "New", "York"]),
        (r"\p{L}{3,}", ["The", "cat", "dogs", "New", "York"]),
        (r"(\p{L}+)'\p{L}|\d+", ["cat"]),
        (r"(\p{Lu})(\w+)", ["T", "N", "Y"]),
        (r"New York|\w+", ["The", "cat", "s", "12", "dogs", "New_York"]),
        (r"\S+", ["The", "cat's", "12", "dogs:", "New", "York"]),
        (r"x*", []),
        (r"\s+", []),
        (r"'(s)|\p{M}", ["s"]),
    ],
)
def test_matches_or_first_groups_are_the_tokens(pattern: str, tokens: list[str]) -> None:
    options = options_of("regex", pattern=pattern)
    assert list(chain(*split(b"The cat's 12 dogs: New York", options))) == tokens


def test_no_pattern_makes_words_of_invisible_characters() -> None:
    options = options_of("regex", pattern=r"\S", sentences="none")
    assert split("a \u0301 \ufe0f \u200d \u3164 b".encode(), options) == [["a", "b"]]
    # A line with only invisible characters counts as empty.
    paragraphs = CorpusOptions(tokeniser="characters", sentences="paragraphs")
    for unseen in ("", " ", "\u200c", "\ufeff", "\u200d \u200b\u00ad"):
        assert split(f"a\n{unseen}\nb\n".encode(), paragraphs) == [["a"], ["b"]]
    assert split(b"a\n.\nb\n", paragraphs) == [["a", ".", "b"]]


@given(text=TEXTS)
@settings(max_examples=50)
def test_a_pattern_finds_what_re_finds_in_every_line(text: str) -> None:
    options = options_of("regex", pattern=r"[a-zé]+|[0-9]")
    lines = re.split(r"\r\n|\r|\n", text)
    expected = [re.findall(r"[a-zé]+|[0-9]", line) for line in lines]
    assert split(text.encode(), options) == [tokens for tokens in expected if tokens]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(a", "“)” is missing at character 3"),
        ("ab[z-a]", "invalid character range at character 7"),
        ("a)", "unmatched closing parenthesis at character 2"),
        ("[a", "“]” is missing at character 3"),
        ("*", "nothing to repeat at character 1"),
        ("a**", "repeated quantifier at character 3"),
        ("a{3,2}", "minimum number of repetitions above the maximum at character 3"),
        ("a\\", "nothing after the last backslash at character 3"),
        (r"\q", r"“\q” has no meaning at character 3"),
        (r"\xz", r"“\x” isn’t a character at character 3"),
        (r"\p{Foo}", "unknown character property at character 8"),
        (r"\1", "unknown group at character 3"),
        ("(?P<1>a)", "invalid group name at character 6"),
        ("(?Z)", "unknown extension after “(” at character 3"),
        ("", "must not be empty"),
        ("x" * 5000, "at most 2,000 characters"),
        ("x{4001}", "at most 4,000 characters long when its repetitions are written out"),
        ("(?:a(?:bc){50}){50}", "at most 4,000 characters"),
        (r"(a|\((?&b)\))(?P<b>x)", "must not contain recursion"),
        ("(?R)?x", "must not contain recursion"),
    ],
)
def test_errors_of_patterns_name_their_place(pattern: str, message: str) -> None:
    options_of("regex")
    with pytest.raises(ParameterError) as error:
        CorpusOptions(tokeniser="regex", pattern=pattern)
    assert message in error.value.errors["pattern"]
    # The pattern matters to this tokeniser only.
    assert CorpusOptions(pattern=pattern).effective() == CorpusOptions()


def test_a_pattern_that_tries_too_many_ways_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = options_of("regex", pattern=r"(?:\w|\w\w|\w\w\w)+(?=!)")
    monkeypatch.setattr("workbench.corpus.tokenise.tokenisers.pattern.SECONDS", 0.1)
    path = tmp_path / "slow.txt"
    path.write_text("fine!\nfine!\n" + "a" * 60 + "\n")
    with pytest.raises(UserError) as error:
        open_corpus([path], options)
    assert "more than 0.1 s at line 3 of slow" in error.value.message
    assert "(“aaaa" in error.value.message
    numbering = Numbering(options.replace(sentences="punctuation"))
    with pytest.raises(TooSlowLine) as line:
        for _ in numbering.feed(path.read_bytes(), final=True):
            pass
    assert line.value.unit == "sentence"


def test_a_dotted_capital_i_is_the_same_letter_for_every_tokeniser(key: str) -> None:
    options = CorpusOptions(tokeniser=key)
    for text in ("İKİ", "I\u0307KI\u0307", "i\u0307ki\u0307"):
        merged = Refinement(options)
        words = split(text.encode(), options)[0]
        assert "".join(merged.look(word)[0] for word in words) == "iki"


# -- lines


@pytest.mark.parametrize(
    ("pattern", "unit", "times"),
    [
        ("[a-z]+", "plum-pear-", 9_000),
        ("[acgt]{6}", "gattac", 7_001),
        (r"\w+ \w+", "one two ", 8_000),
        ('"([^"]*)"', '"plum" pear', 6_000),
    ],
)
def test_a_pattern_sees_the_same_in_one_long_line(pattern: str, unit: str, times: int) -> None:
    options = options_of("regex", pattern=pattern)
    (wanted,) = split(unit.encode(), options)
    for size in (1 << 20, 5_000):
        assert split(unit.encode() * times, options, size) == [wanted * times]


@pytest.mark.parametrize("key", ["chinese", "japanese"])
def test_dictionary_words_in_one_long_line(key: str) -> None:
    unit = {"chinese": "北京大学", "japanese": "東京大学"}[key]
    options = options_of(key)
    times = 2_000
    words = split((unit * times).encode(), options)[0]
    assert "".join(words) == unit * times
    assert words == split(unit.encode(), options)[0] * times


@given(
    lines=st.lists(st.text("ab ", max_size=30), max_size=6),
    size=st.integers(1, 50),
)
@settings(max_examples=60)
def test_long_lines_are_cut_the_same_wherever_blocks_end(lines: list[str], size: int) -> None:
    class Whole(LineSplitter):
        longest_line = 8

        def __init__(self) -> None:
            self.seen: list[str] = []

        def split(self, line: str) -> list[str]:
            assert len(line) <= 8
            self.seen.append(line)
            return line.split()

        def spans(self, line: str) -> list[tuple[int, int]]:
            return [found.span() for found in re.finditer(r"\S+", line)]

    text = "\n".join(lines)
    texts = []
    for step in (size, len(text) + 1):
        splitter = Whole()
        tokeniser = LineTokeniser(splitter, "lines")
        for at in [*range(0, len(text), step), len(text)]:
            for _ in tokeniser.feed(text[at : at + step], final=at >= len(text)):
                pass
        texts.append(splitter.seen)
    assert texts[0] == texts[1]
    assert "".join(texts[0]).replace(" ", "") == text.replace("\n", "").replace(" ", "")


def test_a_reading_can_be_cancelled_between_lines(key: str, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("some words of a line and more\n" * 20_000)
    run = JobControl()
    run.cancel()
    from workbench.core.errors import Cancelled

    with pytest.raises(Cancelled):
        open_corpus([path], CorpusOptions(tokeniser=key), run)


# -- packages


@pytest.mark.parametrize("name", [kind.key for kind in TOKENISERS if kind.packages])
def test_missing_packages_are_explained(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    absent, there = set(TOKENISERS[name].packages), real("sys")
    specs = {"pip": there}
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda each, *a: None if each in absent else specs.get(each) or real(each, *a),
    )
    # The option itself is valid: a corpus that was read before can be opened.
    options = CorpusOptions(tokeniser=name)
    path = tmp_path / "a.txt"
    path.write_text("a text\n")
    with pytest.raises(MissingPackagesError) as error:
        open_corpus([path], options)
    projects = tuple(TOKENISERS[name].packages.values())
    assert error.value.packages == projects
    assert all(project in error.value.message for project in projects)
    assert (
        error.value.command == f"{shlex.quote(sys.executable)} -m pip install {' '.join(projects)}"
    )
    assert error.value.command in error.value.hint
    # Packages of an environment without pip are installed by the pip of its base environment.
    absent.add("pip")
    bare = TOKENISERS[name].missing()
    assert bare is not None
    assert f"-m pip --python {shlex.quote(sys.executable)} install {projects[0]}" in bare.command


def test_extras_are_declared() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())[
        "project"
    ]
    for kind in TOKENISERS:
        if kind.packages:
            extras = (
                project["optional-dependencies"][kind.extra]
                if kind.extra
                else project["dependencies"]
            )
            requirements = {re.split("[<>=]", each)[0] for each in extras}
            assert set(kind.packages.values()) <= requirements


@pytest.mark.parametrize("key", ["chinese", "japanese"])
def test_dictionaries_leave_words_of_other_scripts_whole(key: str) -> None:
    foreign = [
        "Москва",
        "Zürich",
        "café",
        "cafe\u0301",
        "naïve",
        "don't",
        "한국어",
        "नमस्ते",
        "ｗｉｄｅ",
    ]
    options = options_of(key, lowercase=False)
    for space in ("，", " ", "、"):
        text = space.join(foreign).replace("'", "’")
        assert split(text.encode(), options) == [foreign]
    word = {"chinese": "北京", "japanese": "東京"}[key]
    for name in foreign:
        assert split(f"{word}{name}{word}".encode(), options) == [[word, name, word]]


def test_chinese_dictionary_words_with_latin_letters() -> None:
    options = options_of("chinese", lowercase=False)
    for text, words in (
        ("我买T恤", ["我", "买", "T恤"]),
        ("用Python3写", ["用", "Python3", "写"]),
        ("用Zue写Zué写", ["用", "Zue", "写", "Zué", "写"]),
    ):
        assert split(text.encode(), options) == [words]


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("korean", "나는 학교에 갔다.", ["나", "는", "학교", "에", "가", "었", "다"]),
        ("korean", unicodedata.normalize("NFD", "나는 학교에"), ["나", "는", "학교", "에"]),
        ("korean", "Москва와 café, カナ don’t", ["Москва", "와", "café", "カナ", "don't"]),
        ("thai", "ฉันรักประเทศไทย", ["ฉัน", "รัก", "ประเทศ", "ไทย"]),
        ("thai", "Zürich, ABCไทย, café", ["Zürich", "ABC", "ไทย", "café"]),
        ("vietnamese", "Hà Nội là thủ đô.", ["Hà_Nội", "là", "thủ_đô"]),
        ("vietnamese", unicodedata.normalize("NFD", "sinh viên, Zürich"), ["sinh_viên", "Zürich"]),
    ],
)
def test_words_of_further_languages(key: str, text: str, words: list[str]) -> None:
    assert split(text.encode(), options_of(key, lowercase=False)) == [words]


def test_chinese_words(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    # jieba’s own tokeniser would read this cache, which knows none of these words, from the
    # temporary folder, or write one there, and log what it does.
    cache = tmp_path / "jieba.cache"
    cache.write_bytes(marshal.dumps(({"北": 1}, 1)))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    chinese._dictionary.cache_clear()
    options = options_of("chinese", sentences="punctuation")
    with caplog.at_level(logging.DEBUG):
        token_lists = split("我来到北京清华大学。他来到了网易杭研大厦！".encode(), options)
    assert token_lists == [
        ["我", "来到", "北京", "清华大学"],
        ["他", "来到", "了", "网易", "杭研", "大厦"],
    ]
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")
    cache.unlink()
    chinese._dictionary.cache_clear()
    assert split("清华大学".encode(), options) == [["清华大学"]]
    assert list(tmp_path.iterdir()) == []


def test_japanese_words() -> None:
    options = options_of("japanese", sentences="punctuation")
    token_lists = split("すもももももももものうち。東京都に住んでいます。".encode(), options)
    assert token_lists == [
        ["すもも", "も", "もも", "も", "もも", "の", "うち"],
        ["東京", "都", "に", "住ん", "で", "い", "ます"],
    ]
