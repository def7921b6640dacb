"""Encodings found out, and what cannot be decoded."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.encodings import LINES, Decided, Findings, NoText, decide, decoded, shown

TEXTS = {
    "fr": "Un été au café, où les élèves étaient allés à l’école. Ça n’était pas très gênant.\n",
    "ru": "В начале было слово, и все люди говорили на одном языке. Каждый день они строили город.\n",
    "zh": "在很久很久以前，有一个国王住在山上。他有三个女儿，每个女儿都很漂亮。\n",
    "tw": "在很久很久以前，有一個國王住在山上。他有三個女兒，每個女兒都很漂亮。\n",
    "ja": "むかしむかし、あるところに、おじいさんとおばあさんが住んでいました。山へ行きました。\n",
    "ko": "옛날 옛적에 한 나라에 임금님이 살고 있었습니다. 임금님에게는 세 명의 딸이 있었습니다.\n",
    "pl": "Zażółć gęślą jaźń. Był sobie król, który miał trzy córki i żył długo i szczęśliwie.\n",
    "el": "Μια φορά κι έναν καιρό ήταν ένας βασιλιάς που είχε τρεις κόρες.\n",
}
OLDER = [
    ("fr", "cp1252", "Windows-1252"),
    ("ru", "cp1251", "Windows-1251"),
    ("ru", "koi8_r", "KOI8-R"),
    ("zh", "gb18030", "GB18030"),
    ("tw", "big5", "Big5"),
    ("ja", "shift_jis", "Shift JIS"),
    ("ja", "euc_jp", "EUC-JP"),
    ("ko", "euc_kr", "EUC-KR"),
    ("pl", "cp1250", "Windows-1250"),
    ("pl", "iso8859_2", "ISO-8859-2"),
    ("el", "cp1253", "Windows-1253"),
]


def read(data: bytes, size: int = 1 << 19, chosen: str = "auto", hint: str = "") -> tuple[str, Findings]:
    findings = Findings()
    decided = decide(data[: 1 << 16], chosen, hint)
    rest = data[decided.mark :]
    blocks = (rest[at : at + size] for at in range(0, len(rest), size))
    return "".join(decoded(blocks, decided, findings, hint)), findings


@pytest.mark.parametrize(("language", "codec", "name"), OLDER)
@pytest.mark.parametrize("times", [1, 40])
def test_older_ones(language: str, codec: str, name: str, times: int) -> None:
    text = TEXTS[language] * times
    found, findings = read(text.encode(codec))
    assert found == text
    assert (findings.encoding, findings.undecodable) == (name, 0)


@pytest.mark.parametrize("codec", ["utf-16", "utf-32", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("language", ["fr", "ru", "ja"])
def test_unicode_with_marks_and_without(codec: str, language: str) -> None:
    text = TEXTS[language] * 3
    found, findings = read(text.encode(codec), size=7)
    assert found == text
    assert findings.encoding == codec.upper()[:6].removesuffix("-")


def test_ascii_first_and_something_else_later() -> None:
    for language, codec, name in (*OLDER[:3], ("fr", "utf-8", "UTF-8")):
        text = "plain line\r\n" * 9000 + TEXTS[language]
        found, findings = read(text.encode(codec), size=4096)
        assert found == text
        assert (findings.encoding, findings.undecodable) == (name, 0)


@pytest.mark.parametrize("size", [1, 3, 1 << 19])
def test_places_of_what_cannot_be_decoded(size: int) -> None:
    good = "été \ufffd à\r\n".encode() * 20
    found, findings = read(good + b"a\xffb\rc\xe9\n" + good + b"\xc3", size)
    assert found == good.decode() + "a\ufffdb\rc\ufffd\n" + good.decode() + "\ufffd"
    assert findings.undecodable == 3
    assert findings.lines == [21, 22, 43]


def test_only_the_first_places_are_kept() -> None:
    _, findings = read(TEXTS["fr"].encode() * 99 + b"\xff\n" * 50)
    assert findings.undecodable == 50
    assert findings.lines == list(range(100, 100 + LINES))


def test_hints_and_choices() -> None:
    data = "Łódź".encode("iso8859_2")
    assert read(data, hint="iso-8859-2")[0] == "Łódź"
    assert read(data, hint="no-such-encoding")[0] != ""
    # What a page says of itself is wrong where it is UTF-8.
    assert read("Łódź".encode(), hint="iso-8859-2")[0] == "Łódź"
    assert read("Łódź".encode(), chosen="cp1252")[0] != "Łódź"
    assert decide(codecs.BOM_UTF16_LE + "a".encode("utf-16-le"), "utf-16") == Decided("utf-16-le", 2)
    assert shown("latin-1") == "ISO-8859-1"


def test_zero_characters_are_no_text() -> None:
    with pytest.raises(NoText):
        read("été\0".encode())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(1, 50), st.sampled_from(["auto", "utf-8", "gb18030", "utf-16", "cp1252"]))
def test_any_bytes(data: bytes, size: int, chosen: str) -> None:
    try:
        found, findings = read(data, size, chosen)
    except NoText:
        return
    found.encode()
    assert findings.undecodable == 0 or findings.lines
