"""Conversion of HTML to paragraphs, in memory that does not grow with the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from html.parser import HTMLParser

from workbench.corpus.readers.base import BLOCK
from workbench.corpus.readers.html_entities import split_open_reference
from workbench.corpus.tokenise.text_repairs import LINE_END

# Elements that separate the text before and after them (HTML Standard, flow content).
_BLOCKS = """
    address article aside blockquote body caption center dd details dialog dir div dl dt
    fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol
    optgroup option p
    pre search section summary table tbody tfoot thead tr ul
"""
_APART = frozenset(_BLOCKS.split())
_CELLS = frozenset(("td", "th"))
_DROPPED = frozenset(
    (
        "script",
        "style",
        "template",
        "title",
        "svg",
        "math",
        "object",
        "iframe",
        "noscript",
        "select",
        "textarea",
        "button",
        "nav",
        # Deleted text, and the readings of ruby annotations, which cut words.
        "del",
        "rt",
        "rp",
        "rtc",
    )
)
_RUBY = frozenset(("rt", "rp", "rtc"))
# Left out, but not within a word.
_SPACED = frozenset(("math", "svg", "object", "iframe", "select", "textarea", "button"))
# Values of attributes (EPUB’s structural semantics, WAI-ARIA for publishing, common classes) that
# mark references to notes, lists of contents, and numbers of printed pages.
_LEFT_OUT = frozenset(
    (
        *("noteref", "doc-noteref", "footnote-ref", "noteref", "footnoteref"),
        *("toc", "landmarks", "page-list", "doc-toc", "doc-pagelist", "lot", "loi", "loa", "lov"),
        *("pagebreak", "doc-pagebreak", "pagenum", "pageno", "page-number", "pagenumber"),
        # Furniture of web pages, as roles of WAI-ARIA and as classes of MediaWiki.
        *("navigation", "search", "contentinfo", "mw-editsection", "mw-jump-link", "noprint"),
        *("navbox", "catlinks", "printfooter"),
        # The licence around books of Project Gutenberg.
        *("pg-boilerplate", "pgheader", "pgfooter"),
    )
)
_MAY_LEAVE_OUT = frozenset(
    (
        *("a", "nav", "span", "sup", "div", "table", "ul", "ol", "dl", "section", "p", "li"),
        *("form", "footer", "aside", "header"),
    )
)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# Classes of a line that text recognition has read (hOCR 1.2).
_PRINTED_LINES = frozenset(("ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat"))
_CUT = re.compile(r"\w-\s*\Z")
# Raised numbers and signs after a word of several letters, or a punctuation mark, point at notes;
# not those of units.
_RAISED = re.compile(r"\s*(?:\d{1,3}|[*†‡§¶]{1,2})\s*")
_NOTED = re.compile(r"(?:[^\W\d_]{4,}|[.,;:!?)\]»”’\"'])\Z")
_UNIT = re.compile(
    r"(?:met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|acres?)\Z", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"\s*\[\d{1,4}\]\s*")
# A table of contents has at least so many links.
_FEWEST_LINKS = 3
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "title"))
# Elements without content, and without an end.
_EMPTY = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
# The label of a note: a number or a sign, perhaps in brackets.
_NOTE_LABEL = re.compile(r"\s*[\[(]?(?:\d{1,4}|[a-z*†‡§¶]{1,2})[\])]?\s*")
# The parser holds a tag that is not closed yet, and scans it again with every piece, so longer ones
# (mostly embedded pictures) are skipped.
_PIECE = 1 << 14
_DEEPEST = 100
_LONGEST_TAG = 1 << 15

# Tags that show that a cell is part of a page; others may be a text about tags, or placeholders.
_EVIDENT = re.compile(
    r"<(?:p|br|hr)\s*/?>|<(?:a|div|img|p|span)\s[^<>]{0,500}=[^<>]{0,2000}>|</(?:a|b|blockquote|code|"
    r"div|em|h[1-6]|i|li|ol|p|pre|span|strong|table|td|tr|u|ul)>",
    re.IGNORECASE,
)
_OPENED = re.compile(r"<([A-Za-z]+)")

# HTML Standard, 13.2.3.2, and the XML declaration.
_SAYS = re.compile(
    rb"<(?:meta|\?xml)\b[^<>]{0,400}?(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})",
    re.IGNORECASE,
)


class PageParser(HTMLParser):
    """A parser of pages that takes every declaration, and parses at once: newer versions of Python
    first collect pieces in a separate buffer.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def feed(self, data: str) -> None:
        self.rawdata += data
        self.goahead(False)

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            # It has a keyword that Python doesn’t know.
            return self.parse_bogus_comment(i, report)


class _Paragraphs(PageParser):
    """Collects ``lines`` of text, with an empty one between paragraphs. ``main``: only what is in
    an element of this name is text.
    """

    def __init__(self, main: bool = False) -> None:
        super().__init__()
        self._main = self._outside = main
        self.lines: list[str] = []
        self.size = 0
        self._line: list[str] = []
        self._dropped: list[str] = []
        self._verbatim = 0
        # Where the text of the open link to another place of the page begins in the line, and
        # whether it is raised.
        self._link: int | None = None
        self._raised = 0
        self._link_raised = False
        # Where the text of the open raised element begins.
        self._raised_at = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped[-1:] == ["p"] and tag in _APART:
            # A hidden paragraph may lack its end.
            self._dropped.pop()
        if tag == "body":
            self._dropped.clear()
        elif len(self._dropped) < _DEEPEST and self._is_left_out(tag, attrs):
            if tag in _RUBY and self._dropped and self._dropped[-1] in _RUBY:
                # A reading ends where the next one begins.
                self._dropped.pop()
            if tag in _SPACED:
                self._line.append(" ")
            self._dropped.append(tag)
        elif tag == "sup":
            self._raised += 1
            self._link_raised = True
            self._raised_at = len(self._line)
        elif tag == "a" and any(name == "href" and "#" in (value or "") for name, value in attrs):
            self._link, self._link_raised = len(self._line), self._raised > 0
        if tag in _APART:
            self.end(paragraph=True)
            self._outside = self._outside and tag != "main"
        elif tag == "br":
            self.end()
        elif tag in _CELLS:
            self._line.append(" ")
        elif tag == "span" and not _PRINTED_LINES.isdisjoint(_values(attrs, "class")):
            self._begin_printed_line()
        self._verbatim += tag == "pre"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # An empty element in XHTML, which leaves nothing open.
        if tag in _APART:
            self.end(paragraph=True)
        elif tag == "br":
            self.end()

    def handle_endtag(self, tag: str) -> None:
        if tag == "ruby" or tag == "rb":
            while self._dropped and self._dropped[-1] in _RUBY:
                self._dropped.pop()
        elif tag == "sup" and "sup" not in self._dropped:
            self._raised = max(self._raised - 1, 0)
            self._drop_raised_label()
        elif tag == "a" and self._link is not None and "a" not in self._dropped:
            # A raised link that is only a number points at a note, and so does one in brackets.
            label = "".join(self._line[self._link :])
            if (self._link_raised and _NOTE_LABEL.fullmatch(label)) or _IN_BRACKETS.fullmatch(
                label
            ):
                del self._line[self._link :]
            self._link = None
        if tag in self._dropped:
            # Elements left open within this one end with it.
            while self._dropped.pop() != tag:
                pass
        if tag in _APART:
            self.end(paragraph=True)
        if tag == "main" and self._main:
            self._outside = True
        self._verbatim = max(self._verbatim - (tag == "pre"), 0)

    def handle_data(self, data: str) -> None:
        if self._dropped or self._outside:
            return
        if self._verbatim and "\n" in data:
            first, *others = data.split("\n")
            self._line.append(first)
            for part in others:
                self.end()
                self._line.append(part)
        else:
            self._line.append(data)
        self.size += len(data)

    def unknown_decl(self, data: str) -> None:
        # In XHTML, such a section is text.
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    def _is_left_out(self, tag: str, attrs: list[tuple[str, str | None]]) -> bool:
        if tag in _DROPPED or (self._dropped and tag == self._dropped[-1]):
            return True
        if tag not in _EMPTY and any(map(_hides, attrs)):
            return True
        return tag in _MAY_LEAVE_OUT and not _LEFT_OUT.isdisjoint(
            _values(attrs, "class", "role", "epub:type")
        )

    def _begin_printed_line(self) -> None:
        """Mark a hyphen at the end of the printed line before this one."""
        text = "".join(self._line)
        if _CUT.search(text):
            self._line = [text.rstrip() + LINE_END]

    def _drop_raised_label(self) -> None:
        """Leave out a raised number without a link if it points at a note."""
        at = self._raised_at
        if not _RAISED.fullmatch("".join(self._line[at:])):
            return
        before = "".join(self._line[max(at - 8, 0) : at])
        if _NOTED.search(before) and not _UNIT.search(before):
            del self._line[at:]

    def end(self, paragraph: bool = False) -> None:
        """End the line, and perhaps the paragraph."""
        self._link = None
        self._raised_at = 0
        text = " ".join("".join(self._line).split())
        self._line.clear()
        if text:
            self.lines.append(text)
        if paragraph and self.lines and self.lines[-1]:
            self.lines.append("")

    def take_text(self) -> bytes:
        """Text since the last call, including the current part of a very long line."""
        if self.size > 4 * BLOCK and self._line:
            self.end()
        text = "".join(f"{line}\n" for line in self.lines)
        # The next paragraph begins with an empty line only after another paragraph.
        self.lines.clear()
        self.size = sum(map(len, self._line))
        return text.encode(errors="replace")

    def pass_over(self) -> str:
        """Skip a tag that is too long; return the text that ends it, or ""."""
        waiting = self.rawdata
        if len(waiting) <= _LONGEST_TAG:
            return ""
        if self.cdata_elem:
            self.rawdata = waiting[-32:]
            return ""
        self.rawdata = ""
        if waiting.startswith("<!--"):
            return "-->"
        return ">"

    def finish(self) -> None:
        """End the page. The content of an element that was never closed isn’t text."""
        rest, self.rawdata = self.rawdata, ""
        if not self.cdata_elem:
            left = rest.partition("<")[0] if re.match(r"[^<]|<[a-zA-Z/!?]", rest) else rest
            self.handle_data(unescape(left))
        self.end(paragraph=True)


def _hides(attribute: tuple[str, str | None]) -> bool:
    """Whether an attribute hides its element from readers."""
    name, value = attribute
    if name == "style":
        return _NOT_SHOWN.search(value or "") is not None
    return name == "hidden" or (name == "aria-hidden" and value == "true")


def _values(attrs: list[tuple[str, str | None]], *names: str) -> set[str]:
    """The values of these attributes, which may have several."""
    return {one for name, value in attrs if name in names for one in (value or "").split()}


def paragraphs(texts: Iterable[str], main: bool = False) -> Iterator[bytes]:
    """The text of a page given in pieces, as UTF-8 blocks: a line for each paragraph, followed by
    an empty one. ``main``: only its main part, which it marks as such.
    """
    parser = _Paragraphs(main)
    until = held = ""
    for text in texts:
        for at in range(0, len(text), _PIECE):
            piece = text[at : at + _PIECE]
            if until:
                end = piece.find(until)
                if end < 0:
                    continue
                piece, until = piece[end + len(until) :], ""
            piece, held = split_open_reference(held + piece)
            parser.feed(piece)
            until = parser.pass_over()
            if until:
                held = ""
        yield parser.take_text()
    parser.feed(held)
    parser.finish()
    yield parser.take_text()


def is_fragment(text: str) -> bool:
    """Whether a text, such as a cell of a table, evidently is part of a page."""
    return "<" in text and _EVIDENT.search(text) is not None


def fragment_text(text: str) -> str:
    """The text of a part of a page, with empty lines between its paragraphs."""
    folded = text.casefold()
    for tag in _DROPPED & set(_OPENED.findall(folded)):
        # The element would leave out everything that follows.
        if f"</{tag}" not in folded:
            text = re.sub(rf"<{tag}\b[^<>]*>", " ", text, flags=re.IGNORECASE)
    return b"".join(paragraphs([text])).decode().strip()


class _Links(PageParser):
    """Counts the letters of a page outside of its headings, and those in links to other pages.

    targets : different pages, and places in them, to which its links lead
    """

    def __init__(self) -> None:
        super().__init__()
        self.letters = self.linked = 0
        self.targets: set[str] = set()
        self._link = ""
        self._heading = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            address = next((value or "" for name, value in attrs if name == "href"), "")
            self._link = "" if address.startswith("#") or ":" in address else address
        elif tag in _HEADINGS:
            self._heading = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._link = ""
        elif tag == self._heading:
            self._heading = ""

    def handle_data(self, data: str) -> None:
        if not self._heading and not self.cdata_elem:
            letters = sum(map(str.isalpha, data))
            self.letters += letters
            if self._link and letters:
                self.linked += letters
                self.targets.add(self._link)


def is_contents(page: str) -> bool:
    """Whether a page is a table of contents: most of its letters are links to several places in
    other pages of the same book.
    """
    links = _Links()
    links.feed(page)
    return len(links.targets) >= _FEWEST_LINKS and 2 * links.linked > links.letters


def declared_encoding(head: bytes) -> str:
    """The encoding that a page declares, or ""."""
    found = _SAYS.search(head[:4096])
    if found:
        return found[1].decode("ascii")
    return ""
