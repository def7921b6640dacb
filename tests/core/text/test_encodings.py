"""Detection of encodings, and bytes that can’t be decoded."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.text.encodings import (
    LINES,
    EncodingDecision,
    Findings,
    NoText,
    decode_blocks,
    detect_encoding,
    encoding_name,
)

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


def read(
    data: bytes, size: int = 1 << 19, choice: str = "auto", hint: str = ""
) -> tuple[str, Findings]:
    findings = Findings()
    encoding = detect_encoding(data[: 1 << 16], choice, hint)
    rest = data[encoding.mark :]
    blocks = (rest[at : at + size] for at in range(0, len(rest), size))
    return "".join(decode_blocks(blocks, encoding, findings, hint)), findings


@pytest.mark.parametrize(("language", "codec", "name"), OLDER)
@pytest.mark.parametrize("times", [1, 40])
def test_older_encodings(language: str, codec: str, name: str, times: int) -> None:
    text = TEXTS[language] * times
    text_read, findings = read(text.encode(codec))
    assert text_read == text
    assert (findings.encoding, findings.undecodable) == (name, 0)


@pytest.mark.parametrize("codec", ["cp950", "big5hkscs"])
@pytest.mark.parametrize("hint", ["", "big5"])
def test_big5_has_the_characters_that_systems_added(codec: str, hint: str) -> None:
    # Each character is missing in the first standard, or is a different one there.
    text = TEXTS["tw"] * 40 + "下圍碁的人在村莊裏住，名字叫王志恒。\n"
    text_read, findings = read(text.encode(codec), hint=hint)
    assert text_read == text
    assert (findings.encoding, findings.undecodable) == ("Big5", 0)


@pytest.mark.parametrize(
    "codec", ["utf-16", "utf-32", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
)
@pytest.mark.parametrize("language", ["fr", "ru", "ja"])
def test_unicode_with_marks_and_without(codec: str, language: str) -> None:
    text = TEXTS[language] * 3
    text_read, findings = read(text.encode(codec), size=7)
    assert text_read == text
    assert findings.encoding == codec.upper()[:6].removesuffix("-")


def test_ascii_first_and_something_else_later() -> None:
    for language, codec, name in (*OLDER[:3], ("fr", "utf-8", "UTF-8")):
        text = "plain line\r\n" * 9000 + TEXTS[language]
        text_read, findings = read(text.encode(codec), size=4096)
        assert text_read == text
        assert (findings.encoding, findings.undecodable) == (name, 0)


@pytest.mark.parametrize("size", [1, 3, 1 << 19])
def test_places_of_what_cannot_be_decoded(size: int) -> None:
    good = "été \ufffd à\r\n".encode() * 20
    text_read, findings = read(good + b"a\xffb\rc\xe9\n" + good + b"\xc3", size)
    assert text_read == good.decode() + "a\ufffdb\rc\ufffd\n" + good.decode() + "\ufffd"
    assert findings.undecodable == 3
    assert findings.lines == [21, 22, 43]


def test_only_the_first_places_are_kept() -> None:
    _, findings = read(TEXTS["fr"].encode() * 99 + b"\xff\n" * 50)
    assert findings.undecodable == 50
    assert findings.lines == list(range(100, 100 + LINES))


# A sentence in each language, in each of the encodings used for it.
SENTENCES = {
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。": ["cp932", "euc_jp", "iso2022_jp"],
    "我们的祖国是一个伟大的国家，今天天气很好，大家都去公园散步。": ["gb18030", "gbk", "hz"],
    "我們的祖國是一個偉大的國家，今天天氣很好，大家都去公園散步。": ["big5", "gb18030"],
    "동해 물과 백두산이 마르고 닳도록 하느님이 보우하사 우리나라 만세.": ["cp949", "euc_kr", "johab", "iso2022_kr"],
    "Все счастливые семьи похожи друг на друга, по-своему.": [
        "cp1251", "koi8_r", "iso8859_5", "cp866", "cp855", "mac_cyrillic",
    ],
    "ВСЕ СЧАСТЛИВЫЕ СЕМЬИ ПОХОЖИ ДРУГ НА ДРУГА": ["cp1251", "koi8_r", "cp866", "cp855"],
    "Щасливі родини всі схожі, кожна нещаслива по-своєму. Їхній ґанок.": ["cp1251", "koi8_u"],
    "Όλες οι ευτυχισμένες οικογένειες μοιάζουν μεταξύ τους.": ["cp1253", "iso8859_7"],
    "כל המשפחות המאושרות דומות זו לזו, כל משפחה אומללה": ["cp1255"],
    "كل الأسر السعيدة تتشابه، أما الأسر التعيسة فلكل منها قصتها": ["cp1256", "iso8859_6"],
    "ครอบครัวที่มีความสุขทุกครอบครัวล้วนคล้ายคลึงกัน": ["tis_620"],
    "Il était né à l’été, où l’on fête Noël sans gêne.": ["cp1252", "mac_roman"],
    "Alle glücklichen Familien ähneln einander; Größe, Fuß, schön.": ["cp1252", "cp850", "mac_roman", "cp437"],
    "¿Cómo estás, niño? ¡Qué día más extraño y qué corazón!": ["cp1252", "cp850", "mac_roman"],
    "Všechny šťastné rodiny jsou si podobné. Příliš žluťoučký kůň.": ["cp1250", "iso8859_2", "cp852"],
    "Każda nieszczęśliwa rodzina jest nieszczęśliwa na swój sposób.": ["cp1250", "iso8859_2", "cp852"],
    "A boldog családok mind hasonlóak. Őrült tűz, hűvös idő.": ["cp1250", "iso8859_2", "cp852"],
    "Her mutsuz aile kendine göre mutsuzdur. Güneş doğdu, şarkı.": ["cp1254"],
    "Visos laimingos šeimos panašios. Ačiū, žąsys, gražūs žmonės įėjo.": ["cp1257"],
}  # fmt: skip
CASES = [(text, codec) for text, codecs in SENTENCES.items() for codec in codecs]
ESCAPING = ("hz", "iso2022_jp", "iso2022_kr")


@pytest.mark.parametrize(("text", "codec"), CASES)
@pytest.mark.parametrize("end", ["\n", ""])
def test_long_texts_are_read_wherever_a_sample_of_them_ends(
    text: str, codec: str, end: str
) -> None:
    # Older encodings use one, two or four bytes per character; a sample has 16 KB.
    for before in range(4 if text[0] > "\u2fff" else 1):
        whole = "x" * before + (text + end) * (20_000 // len(text))
        text_read, _ = read(whole.encode(codec))
        assert text_read == whole, before


@pytest.mark.parametrize(("text", "codec"), [case for case in CASES if case[1] not in ESCAPING])
def test_a_long_head_in_ascii_decides_nothing(text: str, codec: str) -> None:
    whole = "one plain line, and not a short one\n" * 2000 + f"{text}\n" * 40
    assert read(whole.encode(codec))[0] == whole
    # Nor does a head with one or two characters beyond ASCII.
    sign = b"\xb7" if codec not in ("cp932", "johab") else b"\xb1"
    data = sign + b" sign\n" + whole.encode(codec)
    assert read(data)[0].endswith(whole)


@pytest.mark.parametrize("codec", ["iso2022_jp_2004", "iso2022_jp_3", "iso2022_jp_ext"])
def test_mail_of_japan_with_rare_characters(codec: str) -> None:
    text = f"{TEXTS['ja']}森鷗外、{'丂' if codec.endswith('ext') else '①'}\n"
    text_read, findings = read(text.encode(codec))
    assert text_read == text
    assert (findings.encoding, findings.undecodable) == ("ISO-2022-JP", 0)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("El niño y la niña comen una piña mañana.\n", "cp1252"),
        ("Det var så på den tiden.\nÅret om, så var det så.\n", "cp850"),
    ],
)
def test_a_language_of_one_letter_beyond_ascii_has_no_capitals_within_words(
    text: str, codec: str
) -> None:
    assert read(text.encode(codec))[0] == text


@pytest.mark.parametrize(
    "text",
    [
        "«Che cosa c’è?» domandò. «Niente» rispose lei, «va’ pure a casa».\n",
        "«Ven acá», dijo ella. «No», contestó él, «mañana».\n",
        "De ‘oude’ man gaf ‘alles’ aan de ‘reünie’ van het dorp.\n",
    ],
)
def test_quotation_marks_are_no_letters_of_another_language(text: str) -> None:
    assert read((text * 20).encode("cp1252"))[0] == text * 20


def test_a_sign_in_utf_8_does_not_make_utf_8_of_the_rest_nor_the_other_way_round() -> None:
    latin = TEXTS["fr"].replace("’", "'") * 20
    text_read, findings = read(
        "© 2000\n".encode() + b"plain line\r\n" * 9000 + latin.encode("cp1252")
    )
    assert text_read.endswith(latin)
    assert findings.encoding == "Windows-1252"
    text_read, findings = read(
        b"\xa9 2000\n" + b"plain line\r\n" * 9000 + TEXTS["ja"].encode() * 20
    )
    assert text_read.endswith(TEXTS["ja"] * 20)
    assert (findings.encoding, findings.undecodable) == ("UTF-8", 1)


def test_text_with_many_errors_is_not_utf_8() -> None:
    assert detect_encoding("é".encode() * 6 + b"\xff").codec == "utf-8"
    assert detect_encoding("é".encode() * 5 + b"\xff").codec != "utf-8"


def test_ascii_with_zeros_is_not_utf_16() -> None:
    for line in (b"the king\0 and queen\n", b"a king\0 or a queen\n", b"\0 king\0queen\n\n"):
        with pytest.raises(NoText):
            read(line * 100)
    for text in ("король и королева\n", "王 と 女王\n私は猫である。\n", "king\n"):
        for codec in ("utf-16-le", "utf-16-be"):
            assert read((text * 30).encode(codec))[0] == text * 30


@pytest.mark.parametrize("hint", ["iso-8859-1", "latin1", "us-ascii", "windows-1252"])
def test_pages_that_say_latin_1_are_in_its_superset(hint: str) -> None:
    assert read(b"\x93caf\xe9\x94", hint=hint)[0] == "“café”"
    assert read(b"\x93g\xfcne\xfe\x94", hint="iso-8859-9")[0] == "“güneş”"
    assert read("한글 똠".encode("cp949"), hint="euc-kr")[0] == "한글 똠"


@pytest.mark.parametrize(
    ("hint", "codec", "common", "rare"),
    [
        ("gb2312", "gb18030", "国王和王后", "朱镕基"), ("gbk", "gb18030", "国王和王后", "😀"),
        ("euc-kr", "cp949", "왕과 왕비", "똠방각하"), ("shift_jis", "cp932", "王と女王", "①髙"),
        ("tis-620", "cp874", "พระราชา", "“พระราชา”…"), ("iso-8859-9", "cp1254", "şğı", "“şğı”"),
    ],
)  # fmt: skip
def test_characters_beyond_the_standard_that_a_page_names_are_read_anywhere(
    hint: str, codec: str, common: str, rare: str
) -> None:
    whole = f"{common}\n" * 10_000 + rare
    text_read, findings = read(whole.encode(codec), hint=hint)
    assert text_read == whole
    assert findings.undecodable == 0


@pytest.mark.parametrize("hint", ["euc-jp", "shift_jis", "big5", "gb18030"])
def test_a_wrong_declaration_of_a_page_is_ignored(hint: str) -> None:
    assert read(TEXTS["fr"].encode("cp1252"), hint=hint)[0] == TEXTS["fr"]


@pytest.mark.parametrize(
    "hint", ["utf-7", "utf-16", "unicode_escape", "idna", "rot13", "hex", "\0", "é"]
)
def test_impossible_declarations_of_a_page_are_ignored(hint: str) -> None:
    assert read("Il était né à l'été.".encode("cp1252"), hint=hint)[0] == "Il était né à l'été."


def test_a_hint_holds_where_a_sample_ends_within_a_character() -> None:
    # Rare characters, which alone give no hint of the encoding.
    text = "x" + "蘰鑢纒" * 4000
    text_read, findings = read(text.encode("cp932"), hint="shift_jis")
    assert text_read == text
    assert findings.encoding == "Shift JIS"


def test_hints_and_choices() -> None:
    data = "Łódź".encode("iso8859_2")
    assert read(data, hint="iso-8859-2")[0] == "Łódź"
    assert read(data, hint="no-such-encoding")[0] != ""
    # The encoding that a page declares is ignored if the page is UTF-8.
    assert read("Łódź".encode(), hint="iso-8859-2")[0] == "Łódź"
    assert read("Łódź".encode(), choice="cp1252")[0] != "Łódź"
    assert detect_encoding(
        codecs.BOM_UTF16_LE + "a".encode("utf-16-le"), "utf-16"
    ) == EncodingDecision("utf-16-le", 2)
    assert encoding_name("latin-1") == "ISO-8859-1"


def test_zero_characters_are_not_text() -> None:
    with pytest.raises(NoText):
        read("été\0".encode())


@settings(max_examples=150)
@given(
    st.binary(max_size=200),
    st.integers(1, 50),
    st.sampled_from(["auto", "utf-8", "gb18030", "utf-16", "cp1252"]),
)
def test_any_bytes(data: bytes, size: int, choice: str) -> None:
    try:
        text_read, findings = read(data, size, choice)
    except NoText:
        return
    text_read.encode()
    assert findings.undecodable == 0 or findings.lines
