"""Lines of limited length, and texts of records as paragraphs, shared by readers of tables and of
JSON; and the choice of the column with the text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from unicodedata import category

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.columns import MARK
from workbench.corpus.readers.base import BLOCK, Document
from workbench.corpus.readers.html_entities import unescape_plain
from workbench.corpus.readers.markup import fragment_text, is_fragment

# Maximum characters of a row or field, which must be in memory as a whole.
LONGEST = 16 << 20

# Cells that stand for a missing text in exports of statistics programs, databases and forums.
_NOTHING = "NA N/A n/a #N/A <NA> NaN nan NULL null None [deleted] [removed]"
_MISSING = frozenset(_NOTHING.split())
# Link or picture in Markdown, as posts contain it.
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\((?:https?:|mailto:|[/#.])[^()\s]{0,2000}\)")

# Last words of the names of columns that usually contain written text, and of columns that
# describe it. Both weigh more than the length of the texts, unless it differs greatly.
_WRITTEN = """
    abstract answer article body caption comment comments content contents contenu feedback
    fulltext lyrics message messages msg paragraph passage post posts quote response review
    reviews selftext sentence sentences story text texts transcript transcription tweet tweets
    utterance utterances beitrag inhalt kommentar nachricht texte texto testo tekst comentario
    mensaje contenido commentaire текст отзыв сообщение 文本 内容 正文 评论 本文 テキスト
"""
_ABOUT = """
    id ids uid uuid guid key hash sha md url urls uri link links href permalink path file filename
    slug code sku isbn doi date time timestamp datetime year month day created updated lang
    language locale country city region place location address email phone author authors user
    users username name names nick nickname sender speaker from by category categories tag tags
    label labels type kind status source sentiment rating score class split gender age index
"""
_NEUTRAL = """
    title headline subject summary description document topic question number no nr word count
"""
# Words that may follow those, such as body_html and content.rendered.
_FORMS = frozenset(("html", "rendered", "raw", "plain", "clean", "original", "markdown"))
_TEXT, _OTHER = frozenset(_WRITTEN.split()), frozenset(_ABOUT.split())
_TITLES = _TEXT | _OTHER | _FORMS | frozenset(_NEUTRAL.split())
_PARENT = re.compile(r"(?:^|\.)(?:user|author|owner|profile|account|creator|sender|from)\.")
_AUTHOR = re.compile(r"(?:^|_)(?:user|author|owner|profile|account|creator|sender|from)_")
_WEIGHT = 8.0

# Scripts without spaces between words: a word has about two letters.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_PUNCTUATION = ".,;:!?\"'()[]{}*“”‘’„«»¿¡…–—、。！？"
_LONGEST_WORD = 40


def beginning(document: Document) -> str:
    """The head of a document, decoded."""
    decided = document.decide()
    text = codecs.getincrementaldecoder(decided.codec)("replace").decode(
        document.head[decided.mark :]
    )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines(document: Document) -> Iterator[tuple[int, str]]:
    """The lines of a document with their numbers from 1; each ends with LF, which also replaces CR
    LF and CR.

    Raises UserError for a line longer than LONGEST.
    """
    number = 1
    begun: list[str] = []
    held = 0
    after_cr = False
    for text in document.characters():
        if after_cr and text:
            # This is the second half of a CR LF that the end of a block cut in two.
            text = text.removeprefix("\n")
            after_cr = False
        if "\r" in text:
            after_cr = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        parts = text.split("\n")
        for part in parts[:-1]:
            begun.append(part)
            yield number, "".join(begun) + "\n"
            number += 1
            begun, held = [], 0
        begun.append(parts[-1])
        held += len(parts[-1])
        if held > LONGEST:
            raise too_long(document.shown, number)
    if held:
        yield number, "".join(begun)


def too_long(shown: str, line: int) -> UserError:
    return UserError(
        tr(
            "Line {line:,} of {shown}, or a quotation that begins there, is longer than "
            "{longest:,} characters.",
            line=line,
            shown=shown,
            longest=LONGEST,
        ),
        tr("Check the quotation marks, or split the text into smaller parts."),
    )


def blocks(texts: Iterable[str | None], document: Document | None = None) -> Iterator[bytes]:
    """Each text as a paragraph, in blocks; empty texts count towards a block, and None ends one.

    Services export the posts of their users with HTML entities, which become characters. A text may
    begin with the MARK of its row. ``document``: the texts are cells of it, read by
    ``plain_cell``; notes say so.
    """
    waiting: list[str] = []
    size = seen = pages = missing = 0
    for text in texts:
        seen += 1
        if text:
            mark = MARK if text[0] == MARK else ""
            text = text[len(mark) :]
            size += len(text)
            if document is None:
                plain = unescape_plain(text)
            else:
                plain, page = plain_cell(text)
                pages += page
                missing += not (plain or page or text.isspace())
            waiting.append(mark + plain.replace("\0", " ").replace(MARK, " "))
        if text is None or size > BLOCK // 4 or seen >= 4096:
            yield "".join(f"{text}\n\n" for text in waiting).encode(errors="replace")
            waiting, size, seen = [], 0, 0
    if document is not None and pages:
        document.note(tr("Texts with HTML, read without their tags: {pages:,}.", pages=pages))
    if document is not None and missing:
        document.note(
            tr("Cells such as NA, which aren’t text, left out: {missing:,}.", missing=missing)
        )
    yield "".join(f"{text}\n\n" for text in waiting).encode(errors="replace")


def is_missing(text: str) -> bool:
    """Whether a cell stands for a missing value."""
    return text.strip() in _MISSING


def plain_cell(text: str) -> tuple[str, bool]:
    """The text of a cell without tags, entities and addresses of links, and whether it is HTML; ""
    for a missing value.
    """
    if is_missing(text):
        return "", False
    unescaped = unescape_plain(text)
    # Some exports escape their tags.
    for written in dict.fromkeys((text, unescaped)):
        if is_fragment(written):
            return fragment_text(written), True
    return _LINK.sub(r"\1", unescaped) if "](" in unescaped else unescaped, False


def worth(name: str, texts: Iterable[str], rows: int = 0) -> tuple[float, float]:
    """Amount of text in a column of ``rows``: words per row, then letters per row. Both are
    weighted by whether the column's name (a path with dots in JSON) means the text itself or what
    describes it, and by the share of different texts.
    """
    cells = [plain_cell(text)[0] for text in texts]
    rows = max(rows, len(cells), 1)
    words = letters = 0.0
    for cell in cells:
        counted = [(word, _words(word.strip(_PUNCTUATION))) for word in cell.split()]
        many = sum(number for _, number in counted)
        # A name or a title has a few words with capitals.
        if 1 < many == len(counted) <= 4 and all(word[0].isupper() for word, _ in counted):
            many /= 4
        words += many
        letters += sum(map(str.isalpha, cell))
    weight = _name_weight(name) * len(set(cells)) / max(len(cells), 1) / rows
    return (words * weight, letters * weight)


def _words(word: str) -> float:
    """Number of words in a part between spaces; numbers, dates, codes and addresses have none."""
    unspaced = len(_UNSPACED.findall(word))
    if unspaced:
        return unspaced / 2
    # Vowels of Indic scripts are marks.
    return float(
        0 < len(word) <= _LONGEST_WORD
        and all(
            letter.isalpha() or letter in "'’-" or category(letter)[0] == "M" for letter in word
        )
    )


def name_parts(name: str) -> list[str]:
    """The words of a column's name in lowercase: review, text for ``reviewText``."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [part.casefold() for part in re.findall(r"[^\W\d_]+", apart)]


def is_column_name(name: str) -> bool:
    """Whether each word of a text usually names a column."""
    parts = name_parts(name)
    return 0 < len(parts) <= 3 and all(part in _TITLES for part in parts)


def is_written(name: str) -> bool:
    """Whether a column's name says that it contains written text."""
    return _last_part(name) in _TEXT


def _last_part(name: str) -> str:
    parts = name_parts(name)
    while len(parts) > 1 and parts[-1] in _FORMS:
        parts.pop()
    return parts[-1] if parts else ""


def _name_weight(name: str) -> float:
    last = _last_part(name)
    folded = name.casefold()
    if _PARENT.search(folded) or last in _OTHER:
        return 1 / _WEIGHT
    if last in _TEXT:
        return _WEIGHT
    return 1 / _WEIGHT if _AUTHOR.search(folded) else 1.0
