"""Annotated corpora in XML with an element for each word: FoLiA (version 2), TIGER-XML, and OPUS
(opus.nlpl.eu), also its files of sentences without words.

Of FoLiA, the current text of a word is read; where a sentence or a paragraph has no words, its own
text. Alignments of OPUS contain no words.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.encodings import Findings
from workbench.corpus.readers.annotations.annotated import (
    Annotations,
    Sentence,
    Token,
    preview,
)
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.safe_xml import parse, root_name

_NAMES = ("form", "lemma", "lemma_pos")
_FOLIA, _ALIGNMENT = "FoLiA", "cesAlign"
# Roots of OPUS, which other kinds of XML have, too.
_OPUS = ("text", "document", "letsmt")
_SENTENCE = re.compile(rb"<s\s[^<>]{0,200}\bid=[^<>]{0,200}>\s*(?:<(?:w|time|chunk)\s|[^<\s])")
_GRAPHS = re.compile(rb"<graph\b[^<>]{0,500}>\s*<terminals>")
# Parts of FoLiA that aren't the text: earlier versions, and suggestions.
_LEFT_OUT = frozenset(
    ("metadata", "original", "suggestion", "alt", "altlayers", "desc", "comment", "note")
)
_PARAGRAPHS = frozenset(("p", "head", "div", "event", "speech"))
# Maximum number of words and letters of a sentence.
_LONGEST, _MOST_LETTERS = 100_000, 1 << 20


class XmlWords(Reader):
    key = "xml_words"
    title = tr("XML corpus with words (FoLiA, TIGER-XML, OPUS)")
    ambiguous_suffixes = (".xml",)
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        root = root_name(document.head)
        return (
            root in (_FOLIA, _ALIGNMENT)
            or (root in _OPUS and _SENTENCE.search(document.head) is not None)
            or (root == "corpus" and _GRAPHS.search(document.head) is not None)
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        if root_name(document.head) == _ALIGNMENT:
            raise UserError(
                tr(
                    "{shown} is an alignment of OPUS, which refers to sentences of other files.",
                    shown=document.shown,
                ),
                tr("Open the files of the two languages, or download the corpus as Moses text."),
            )
        chosen = Annotations.of(_NAMES, document)
        return chosen.blocks(_sentences(document), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        head = replace(document, rest=io.BytesIO(), findings=Findings(), rows=None)
        found: list[Sentence | None] = []
        # The head may end anywhere; what comes before is shown.
        with suppress(UserError):
            found.extend(_sentences(head))
        return preview(_NAMES, found)


def _sentences(document: Document) -> Iterator[Sentence | None]:
    words = _Words(folia=root_name(document.head) == _FOLIA)
    for _ in parse(document, words):
        yield from words.take()
        yield None
    words.end_sentence(ends_paragraph=True)
    yield from words.take(last=True)


class _Words:
    """Takes the sentences of a corpus."""

    def __init__(self, folia: bool) -> None:
        self._folia = folia
        self._done: list[Sentence] = []
        self._tokens: list[Token] = []
        self._opened: list[str] = []
        self._dropped = 0
        # The text that is open, the parts of the current word, and texts of sentences and
        # paragraphs without words.
        self._pieces: list[str] = []
        self._size = 0
        self._word: dict[str, str] | None = None
        self._plain = ""

    def take(self, last: bool = False) -> list[Sentence]:
        """The sentences that ended since the last call; the last one only at the end, because its
        paragraph may end after it.
        """
        at = len(self._done) if last else max(len(self._done) - 1, 0)
        done, self._done = self._done[:at], self._done[at:]
        return done

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._opened.append(name)
        if self._dropped or (self._folia and name in _LEFT_OUT):
            self._dropped += 1
        elif name == "w":
            self._word = dict(attributes) if not self._folia else {}
            self._clear()
        elif self._word is not None and self._folia and name in ("lemma", "pos"):
            self._word.setdefault(name, attributes.get("class", ""))
        elif name == "t" and not self._folia and self._opened[-2:-1] == ["terminals"]:
            self._add(attributes.get("word", ""), attributes)
        elif name == "s" or (name == "t" and attributes.get("class", "current") == "current"):
            self._clear()

    def data(self, text: str) -> None:
        if not self._dropped and self._size < _MOST_LETTERS:
            self._pieces.append(text)
            self._size += len(text)

    def end(self, name: str) -> None:
        self._opened.pop()
        if self._dropped:
            self._dropped -= 1
        elif name == "t" and self._folia:
            self._end_text(self._opened[-1] if self._opened else "")
        elif name == "w" and self._word is not None:
            word = self._word.get("t", "") if self._folia else self._text()
            self._add(word, self._word)
            self._word = None
        elif name == "s":
            if not self._folia and not self._tokens:
                self._plain = self._text()
            self.end_sentence()
        elif name in _PARAGRAPHS:
            self.end_sentence(ends_paragraph=True)
        if len(self._tokens) >= _LONGEST:
            self.end_sentence()

    def _end_text(self, owner: str) -> None:
        """A text of FoLiA, which belongs to a word, or to something that has no words."""
        text = self._text()
        if owner == "w" and self._word is not None:
            self._word.setdefault("t", text)
        elif owner in ("s", "p", "head") and not self._tokens:
            self._plain = text

    def _add(self, word: str, parts: dict[str, str]) -> None:
        word = " ".join(word.split())
        if not word:
            return
        tag = parts.get("pos") or parts.get("tree") or ""
        lemma = parts.get("lemma") or parts.get("lem") or ""
        lemma = "" if lemma == "--" else lemma
        joint = f"{lemma or word}_{tag}" if tag else lemma
        self._tokens.append(Token((word, lemma, joint), (tag,)))

    def end_sentence(self, ends_paragraph: bool = False) -> None:
        """The end of a sentence, perhaps also of a paragraph."""
        if not self._tokens and self._plain:
            self._tokens = [Token((self._plain, "", ""))]
        if self._tokens:
            self._done.append(Sentence(tuple(self._tokens), ends_paragraph))
        elif ends_paragraph and self._done:
            self._done[-1] = replace(self._done[-1], ends_paragraph=True)
        self._tokens, self._plain = [], ""
        self._clear()

    def _text(self) -> str:
        text = " ".join("".join(self._pieces).split())
        self._clear()
        return text

    def _clear(self) -> None:
        self._pieces.clear()
        self._size = 0
