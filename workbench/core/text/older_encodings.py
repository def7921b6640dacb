"""Detection of encodings older than Unicode, from a sample of bytes.

East Asian encodings are distinguished by the resulting characters: each of their standards puts the
frequent ones into separate rows. Encodings of Cyrillic, Greek, Hebrew and Arabic are distinguished
by the frequency of letters, those of Latin letters by the accents of one language. For anything
else, the result is the most likely encoding according to charset-normalizer.
"""

from __future__ import annotations

import codecs
import math
import re
from collections import Counter
from functools import cache
from itertools import pairwise

# Bytes of the text that are examined for the most likely encoding.
SAMPLE = 1 << 14
# This few bytes beyond ASCII prove nothing: the most common encoding is assumed.
_FEW = 3
# Minimum number of letters that identify an alphabet.
_SOME = 16
# Encodings of text other than Unicode: the codecs by region, the more likely first.
_ALL = (
    "cp1252", "cp1251", "koi8_r", "koi8_u", "gb18030", "big5", "cp932", "euc_jp", "cp949", "euc_kr", "cp1250",
    "iso8859_2", "cp1253", "iso8859_7", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859_5", "cp866", "mac_roman",
    "mac_cyrillic", "cp437", "cp850", "tis_620", "cp855", "iso8859_6",
)  # fmt: skip

# Actual encodings of texts that declare these, as in every browser (WHATWG Encoding Standard,
# section 4.2).
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_NOT_OLDER = ("utf", "unicode", "raw", "idna", "punycode", "undefined", "charmap", "mbcs", "oem")

# -- East Asia

# For each standard: the rows (lead bytes, in the plain form of the standard) of its frequent
# characters; and the most frequent of these, which make up a third of any text and rarely result
# from another encoding.
_KANA = "".join(map(chr, range(0x3041, 0x30FF)))
_CHINESE = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后"
_TAIWANESE = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後"
_KOREAN = "이다는의에을가고하은지로도를한나리기사서어자시대인라해아그니습있들부스정일수만게"
_EAST_ASIAN = {
    "gb18030": ("gb2312", range(0xB0, 0xD8), _CHINESE),
    "big5": ("big5", range(0xA4, 0xC7), _TAIWANESE),
    "cp932": ("euc_jp", range(0xB0, 0xD0), _KANA),
    "euc_jp": ("euc_jp", range(0xB0, 0xD0), _KANA),
    "cp949": ("euc_kr", range(0xB0, 0xC9), _KOREAN),
    "johab": ("euc_kr", range(0xB0, 0xC9), _KOREAN),
}
_PUNCTUATION = frozenset("、。，．・：；？！「」『』（）《》〈〉【】“”‘’…—～ー　·")
# Minimum score, from 0 to 2, of a text in an East Asian encoding: such texts have 1.2 and more,
# others less than 0.8.
_GOOD = 0.95
_JAPANESE_MAIL = ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3")
_SEVEN_BITS = (
    (re.compile(rb"\x1b\$\)C[^\x1b]{0,65536}?\x0e"), "iso2022_kr"),
    (re.compile(rb"\x1b\$(?:[@B]|\([DOPQ])[\x21-\x7e]"), "iso2022_jp"),
    (re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}"), "hz"),
)

# -- alphabets

_ALPHABETS = (
    "cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866", "cp855", "mac_cyrillic", "cp1253", "iso8859_7", "cp1255",
    "cp1256", "iso8859_6",
)  # fmt: skip
# Frequencies of letters in text, per mille: Russian with additional letters of other Cyrillic
# languages, Greek, Hebrew, Arabic.
_FREQUENT = {
    "о": 110, "е": 85, "а": 80, "и": 74, "н": 67, "т": 63, "с": 55, "р": 47, "в": 45, "л": 44, "к": 35, "м": 32,
    "д": 30, "п": 28, "у": 26, "я": 20, "ы": 19, "ь": 17, "г": 17, "з": 16, "б": 16, "ч": 14, "й": 12, "х": 10,
    "ж": 9, "ш": 7, "ю": 6, "ц": 5, "щ": 4, "э": 3, "ф": 3, "ъ": 3, "ё": 1, "і": 10, "ї": 2, "є": 2, "ј": 4, "ў": 1,
    "ґ": 0.3, "љ": 0.5, "њ": 0.5, "ћ": 0.5, "ђ": 0.3, "џ": 0.2,
    "α": 90, "ο": 80, "τ": 78, "ι": 65, "ε": 70, "ν": 62, "σ": 44, "ς": 40, "ρ": 42, "π": 40, "η": 38, "κ": 40,
    "υ": 38, "μ": 32, "λ": 27, "ά": 18, "ί": 22, "ό": 18, "έ": 15, "ω": 17, "δ": 17, "γ": 17, "θ": 12, "χ": 11,
    "ή": 12, "ύ": 9, "φ": 8, "β": 7, "ώ": 7, "ξ": 5, "ζ": 4, "ψ": 2, "ϊ": 1, "ΐ": 0.3, "ϋ": 0.3, "ΰ": 0.1,
    "י": 110, "ו": 105, "ה": 95, "ל": 75, "א": 62, "ר": 58, "ת": 54, "ש": 48, "מ": 48, "ב": 48, "נ": 35, "ע": 30,
    "ד": 27, "ם": 27, "ח": 25, "ק": 24, "כ": 23, "פ": 20, "ס": 15, "ט": 13, "צ": 12, "ג": 13, "ן": 13, "ז": 11,
    "ך": 7, "ף": 3, "ץ": 2,
    "ا": 125, "ل": 115, "ي": 68, "م": 60, "ن": 58, "و": 58, "ر": 50, "ت": 45, "ب": 38, "ة": 33, "ع": 35, "د": 32,
    "ه": 30, "س": 27, "ف": 27, "أ": 24, "ك": 23, "ق": 22, "ح": 19, "ج": 14, "ش": 12, "ص": 11, "ط": 11, "ى": 11,
    "خ": 9, "إ": 9, "ض": 8, "ذ": 8, "ث": 7, "ز": 7, "ء": 6, "غ": 5, "ئ": 5, "ظ": 3, "آ": 3, "ؤ": 2,
    "،": 15, "؟": 1, "؛": 1,
}  # fmt: skip
_SIGNS = frozenset("«»—–“”„’…№·\xa0")
_KNOWN_LETTERS = (
    3.75  # maximum mean surprise of letters of real text, in nats; these languages have 3.0
)


# -- Latin letters

_LATIN = (
    "cp1252",
    "cp1250",
    "cp1254",
    "cp1257",
    "iso8859_2",
    "iso8859_15",
    "mac_roman",
    "cp850",
    "cp852",
    "cp437",
)
# The letters beyond ASCII of each language, the more frequent first.
_LANGUAGES = (
    "éàèêçîôûâùœëïü", "üäößé", "óíáéñúü¿¡ªº", "ãçáéíóêâõúàôªº", "èàùòéì", "äöåé", "åøæéó", "éëïóüèö", "íáéěřžšýčůúťďňó",
    "óąłężśćńź", "áéöíóőüúű", "ăîâşţșț", "ıüşğçöâî", "čšžćđ", "áíčžýšéľúťňôďäóŕĺ", "āšīēžūņģļķč", "šėžųįūčąę",
    "äõüöšž", "íáðóæþúöýé", "àéíòèçóúï·ü", "ëç",
)  # fmt: skip
_MARKS = "’“”–—…«»„‘\xa0°§€£©®•½†"
_RARE_MARK, _UNKNOWN = 0.04, 0.0005
# A fraction within a word, which is œ or Œ in ISO-8859-15.
_FRACTION = re.compile(r"(?<![\d\s])[\xbc\xbd](?=[^\W\d_])")
_PLAUSIBLE = 4.5  # maximum mean surprise, in nats; real texts have 1.5 to 3.5


def detect_older(block: bytes, hint: str = "") -> str:
    """The most likely codec of bytes that aren't in a Unicode encoding; ``hint``, the encoding that
    the text declares, if possible.

    ``block`` starts with a complete character, and may end anywhere.
    """
    declared = declared_codec(hint)
    if declared:
        try:
            _decode_start(block[:SAMPLE], declared, "strict")
            return declared
        except (UnicodeDecodeError, ValueError):
            pass  # the text isn’t in such an encoding
    sample = _non_ascii_sample(block)
    if count_non_ascii(sample) < _FEW:
        return "cp1252"
    codec = (
        _detect_east_asian(sample)
        or _detect_alphabet(sample)
        or _detect_latin(sample)
        or _detect_by_library(sample)
    )
    # Python's plain Big5 lacks the characters that all systems in Taiwan and Hong Kong added to
    # it.
    if codec == "big5":
        return _SUPERSETS[codec]
    return codec


def declared_codec(hint: str) -> str:
    """The codec for texts that declare the encoding ``hint``, which isn’t one of Unicode; "" if
    there is none.
    """
    try:
        found = codecs.lookup(hint)
        if found._is_text_encoding and not found.name.startswith(_NOT_OLDER):
            return _SUPERSETS.get(found.name, found.name)
    except (LookupError, ValueError, AttributeError, TypeError):
        pass  # no program knows it
    return ""


def detect_seven_bit(block: bytes) -> str:
    """The codec of text that encodes other letters in ASCII, between special marks; "" if there are
    none.
    """
    for marks, codec in _SEVEN_BITS:
        found = marks.search(block)
        if found is None:
            continue
        if codec in _JAPANESE_MAIL:
            return min(
                _JAPANESE_MAIL,
                key=lambda each: _decode_start(block, each, "replace").count("\ufffd"),
            )
        text = _decode_start(block, codec, "replace")
        others = Counter(letter for letter in text if letter > "\x7f")
        # Two bytes of ASCII between braces may occur by chance; frequent characters don’t.
        if codec != "hz" or _language_score(others, *_EAST_ASIAN["gb18030"][1:], "gb2312") > _GOOD:
            return codec
    return ""


def familiar_share(text: str) -> float:
    """The share of characters that belong to alphabets, or are frequent in East Asia."""
    known = frozenset().union(
        *(_frequent_characters(standard, rows) for standard, rows, _ in _EAST_ASIAN.values())
    )
    good = sum(
        letter < "\u2000" or letter in known or letter in _PUNCTUATION or letter in _KANA
        for letter in text
    )
    if text:
        return good / len(text)
    return 0.0


def count_non_ascii(data: bytes) -> int:
    """Number of bytes that are not ASCII."""
    return len(data) - len(data.translate(None, delete=_HIGH))


_HIGH = bytes(range(0x80, 0x100))


def _non_ascii_sample(block: bytes) -> bytes:
    """The lines of a block that are not ASCII, up to a size; only complete lines if there are
    several.
    """
    taken: list[bytes] = []
    size = 0
    for line in block.splitlines(keepends=True):
        if line.isascii():
            continue
        if size + len(line) > SAMPLE and taken:
            break
        taken.append(line[:SAMPLE])
        size += len(line)
    return b"".join(taken)


def _decode_start(data: bytes, codec: str, errors: str) -> str:
    """Decode bytes, without an incomplete character at the end."""
    return codecs.getincrementaldecoder(codec)(errors).decode(data)


def _detect_east_asian(sample: bytes) -> str:
    scores = {}
    for codec, (standard, rows, frequent) in _EAST_ASIAN.items():
        others = Counter(
            letter for letter in _decode_start(sample, codec, "replace") if letter > "\x7f"
        )
        scores[codec] = _language_score(others, rows, frequent, standard)
    best = max(scores, key=lambda codec: scores[codec])
    if scores[best] > _GOOD:
        return best
    return ""


def _language_score(others: Counter[str], rows: range, frequent: str, standard: str) -> float:
    """Score from 0 to 2 of the frequency of characters beyond ASCII in a language, by the rows of
    its standard.
    """
    common, most = _frequent_characters(standard, rows), frozenset(frequent)
    total = points = 0.0
    for letter, number in others.items():
        total += number
        if letter == "\ufffd":
            points -= 4 * number
        elif letter in most:
            points += 2 * number
        elif letter in common or letter in _PUNCTUATION:
            points += number
    if total:
        return points / total
    return 0.0


@cache
def _frequent_characters(standard: str, rows: range) -> frozenset[str]:
    """The characters in the rows of a standard."""
    data = b"".join(
        bytes((lead, trail)) for lead in rows for trail in (*range(0x40, 0x7F), *range(0x80, 0xFF))
    )
    pairs = (data[at : at + 2].decode(standard, errors="ignore") for at in range(0, len(data), 2))
    return frozenset(letter for letter in pairs if len(letter) == 1 and letter > "\x7f")


def _detect_alphabet(sample: bytes) -> str:
    """The encoding in which a sample has the usual letter frequencies of its alphabet; "" if there
    is none.
    """
    lone = len(re.findall(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z]", sample))
    number = count_non_ascii(sample)
    if number < _SOME or lone > 0.1 * number:
        return ""
    surprises = {
        codec: _letter_surprise(sample.decode(codec, errors="replace")) for codec in _ALPHABETS
    }
    best = min(surprises, key=lambda codec: surprises[codec])
    if surprises[best] < _KNOWN_LETTERS:
        return codecs.lookup(best).name
    return ""


def _letter_surprise(text: str) -> float:
    """Mean −log p of characters beyond ASCII, in nats, plus a penalty for capitals after lowercase
    letters.
    """
    others = Counter(letter for letter in text if letter > "\x7f")
    total = sum(
        number * -math.log((20 if letter in _SIGNS else _FREQUENT.get(letter.lower(), 0.05)) / 1000)
        for letter, number in others.items()
    )
    return total / max(others.total(), 1) + _case_penalty(text)


def _case_penalty(text: str) -> float:
    """Penalty for a decoding with capitals within words: 5 for each of its characters beyond
    ASCII.
    """
    part = text[:4096]
    turns = sum(two > "\x7f" and one.islower() and two.isupper() for one, two in pairwise(part))
    return 5 * turns / max(sum(letter > "\x7f" for letter in part), 1)


def _detect_latin(sample: bytes) -> str:
    """The encoding in which a sample has the letters of one language; "" if there is none."""
    surprises = {
        codec: _accent_surprise(sample.decode(codec, errors="replace")) for codec in _LATIN
    }
    best = min(surprises, key=lambda codec: surprises[codec])
    if surprises[best] < _PLAUSIBLE:
        return codecs.lookup(best).name
    return ""


def _accent_surprise(text: str) -> float:
    """Mean −log p of characters beyond ASCII in the most likely language, in nats."""
    others = Counter(letter for letter in text if letter > "\x7f")
    folded: Counter[str] = Counter()
    for letter, number in others.items():
        folded[letter.lower()[0]] += number
    least = min(
        sum(number * -math.log(chances.get(letter, _UNKNOWN)) for letter, number in folded.items())
        for chances in _accent_probabilities()
    )
    strange = len(_FRACTION.findall(text)) * -math.log(_UNKNOWN)
    return (least + strange) / max(others.total(), 1) + _case_penalty(text)


@cache
def _accent_probabilities() -> tuple[dict[str, float], ...]:
    """Probability of each character beyond ASCII by language, proportional to one over its rank."""
    every = []
    for letters in _LANGUAGES:
        ranks = {letter: 1 / (rank + 1) for rank, letter in enumerate(letters)}
        whole = sum(ranks.values()) / 0.9
        every.append(
            dict.fromkeys(_MARKS, _RARE_MARK)
            | {letter: part / whole for letter, part in ranks.items()}
        )
    return tuple(every)


def _detect_by_library(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=list(_ALL), enable_fallback=False).best()
    if (
        best is None
        or "cp1252" in best.could_be_from_charset
        or "latin_1" in best.could_be_from_charset
    ):
        return "cp1252"
    return codecs.lookup(best.encoding).name
