"""Safe XML parsing: declared entities only if they are short and plain, no external files, limited
memory.

Documents are decoded here and parsed as UTF-8, because expat knows only a few encodings, and none
with several bytes for a character but Unicode's.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Protocol
from xml.parsers import expat

from workbench.core.errors import UserError, error_text, shorten_text
from workbench.core.language import tr, trn
from workbench.core.param_labels import quoted_param
from workbench.core.text.encodings import HEAD, Findings, decode_blocks, detect_encoding
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.html_entities import name_characters

_DECLARED = re.compile(
    r"[^<]{0,8}<\?xml\b[^<>]{0,400}?\sencoding\s*=\s*[\"']\s*([^\s\"'<>]{1,100})", re.IGNORECASE
)


def declared_encoding(head: bytes, chosen: str = "auto") -> str:
    """The encoding that an XML document declares, "" if it declares none or one was ``chosen``.

    Raises UserError for an unknown one.
    """
    found = _DECLARED.match(head[:1024].decode("latin-1").replace("\0", ""))
    if found is None or chosen != "auto":
        return ""
    name = found[1]
    try:
        codecs.lookup(name)
    except (LookupError, ValueError) as error:
        raise UserError(
            tr("The file declares the unknown encoding “{name}”.", name=shorten_text(name, 40)),
            tr("Choose its encoding with {setting}.", setting=quoted_param("encoding")),
        ) from error
    return name


def parser() -> expat.XMLParserType:
    """An expat parser for UTF-8, whatever the document declares, with names as "{namespace} name"
    without prefix, that refuses declared entities unless they are short and plain.

    Raises UserError for them: a document must not be larger than its file.
    """
    expat_parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    expat_parser.buffer_text = True
    expat_parser.buffer_size = 1 << 16
    # expat 2.6 waits for more data before it parses a long token again, and would lose a text that
    # ends there. Bounds limits the time of parsing tokens again.
    if hasattr(expat_parser, "SetReparseDeferralEnabled"):
        expat_parser.SetReparseDeferralEnabled(False)
    expat_parser.EntityDeclHandler = _require_plain
    expat_parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return expat_parser


# Small enough that even a piece without text doesn’t take long.
_PIECE = 1 << 15
# Maximum characters of a reference to a character.
_LONGEST_NAME = 66
# The first element, after a declaration, comments, instructions and a document type.
_ROOT = re.compile(
    r"\s*(?:<\?[^>]{0,2000}>\s*|<!--.{0,16000}?-->\s*"
    r"|<!DOCTYPE[^<>\[\]]{0,2000}(?:\[[^\]]{0,8000}\]\s*)?>\s*)*+"
    r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]",
    re.DOTALL,
)


class XmlHandler(Protocol):
    """Takes the parts of a document in their order."""

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def data(self, text: str) -> None: ...


def root_name(head: bytes) -> str:
    """The local name of the root element of a document that begins like this; "" if it doesn’t
    begin like XML.
    """
    decided = detect_encoding(head)
    found = _ROOT.match(head[decided.mark : decided.mark + 32768].decode(decided.codec, "replace"))
    return found[2] if found else ""


def parse(document: Document, handler: XmlHandler) -> Iterator[None]:
    """Pass a document to ``handler`` in pieces, and yield after each. Names are without namespaces.

    Notes a truncated end. Raises UserError for an unknown encoding and anything that isn’t
    well-formed, and whatever the handler raises.
    """
    xml_parser = parser()
    bounds = Bounds(xml_parser)
    opened = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal opened
        opened += 1
        bounds.start(name, attributes)
        handler.start(local(name), {local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal opened
        opened -= 1
        bounds.end()
        handler.end(local(name))

    xml_parser.StartElementHandler = start
    xml_parser.EndElementHandler = end
    xml_parser.CharacterDataHandler = handler.data
    try:
        hint = declared_encoding(document.head, document.options.encoding)
        for text in _with_characters(document, hint):
            # An encoding that needs more text to be detected yields nothing at first.
            for at in range(0, max(len(text), 1), _PIECE):
                bounds.feed(text[at : at + _PIECE].encode(errors="replace"))
                yield
    except expat.ExpatError as error:
        raise UserError(
            tr(
                "{shown} isn’t well-formed XML ({error}).",
                shown=document.shown,
                error=error_text(error),
            ),
            tr("Download or export the file again."),
        ) from error
    except UserError as error:
        if document.shown in error.message:
            raise
        raise UserError(
            tr("Couldn’t read {shown}. {message}", shown=document.shown, message=error.message),
            error.hint,
        ) from error
    if opened:
        document.note(tr("The file is truncated; what comes before its end was read."))


def _with_characters(document: Document, hint: str) -> Iterator[str]:
    """The decoded document, with characters for entities such as &eacute;, which expat would drop
    without a word.
    """
    held = ""
    unknown = 0
    declared: dict[str, str] | None = None
    for text in document.characters(hint):
        text = held + text
        begin = 0
        if declared is None and text:
            # The declarations are near the beginning, which is one piece.
            declared, begin = _declared_entities(text)
        # A reference may continue in the next piece.
        at = text.rfind("&", max(len(text) - _LONGEST_NAME, begin))
        held = "" if at < 0 or ";" in text[at:] else text[at:]
        named, number = name_characters(text[begin : len(text) - len(held)], declared or {})
        named = text[:begin] + named
        unknown += number
        yield named
    yield held
    if unknown:
        document.note(
            trn(
                "{number:,} character with an unknown name became U+FFFD.",
                "{number:,} characters with unknown names became U+FFFD.",
                unknown,
            )
        )


# Maximum bytes of a tag, a comment or an attribute, which expat scans again with every piece.
_LONGEST_TOKEN = 1 << 20
_DEEPEST, _MOST_NAMES = 1000, 10_000
_MOST_ELEMENTS = 100_000
_DECLARATION = re.compile(r"<\?xml\s")
# Maximum number of open elements at the end of the head of a document.
_DEEPEST_HEAD = 50


class Bounds:
    """Limits the memory of a parser: for open elements, different names, and a single token.

    Call ``start`` and ``end`` for every element. All methods raise UserError.
    """

    def __init__(self, parser: expat.XMLParserType) -> None:
        self._parser = parser
        self._parser.StartNamespaceDeclHandler = self._prefix
        self._names: set[str] = set()
        self._depth = self._fed = 0

    def feed(self, piece: bytes) -> None:
        """Parse a piece. Also raises ExpatError."""
        self._fed += len(piece)
        self._parser.Parse(piece, False)
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise UserError(
                tr(
                    "The file contains a tag or comment of more than {longest:,} bytes.",
                    longest=_LONGEST_TOKEN,
                ),
                tr("Remove that tag or comment, or open the text in another format."),
            )

    def start(self, name: str, attributes: Iterable[str]) -> None:
        self._depth += 1
        self._names.add(name)
        self._names.update(attributes)
        if self._depth > _DEEPEST or len(self._names) > _MOST_NAMES:
            raise _endless()

    def end(self) -> None:
        self._depth -= 1

    def _prefix(self, prefix: str | None, _: str | None) -> None:
        self._names.add(f"xmlns:{prefix}")
        if len(self._names) > _MOST_NAMES:
            raise _endless()


def _endless() -> UserError:
    return UserError(
        tr("The file’s elements are nested too deeply, or have too many different names."),
        tr("Open the text in another format."),
    )


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


def root_element(head: bytes, whole: bool) -> str | None:
    """The name of the root element if a document that begins with ``head`` is XML, "" if it is XML
    without one; None if it isn't XML. ``whole``: the head is all of it.

    A text that begins with a tag isn't XML if it isn't well-formed, such as one with several roots
    or with tags that are never closed.
    """
    decided = detect_encoding(head)
    text = head[decided.mark :].decode(decided.codec, errors="ignore").strip()
    if not text.startswith("<"):
        return None
    declared = _DECLARATION.match(text) is not None
    started: list[str] = []
    ended: list[str] = []
    xml_parser = parser()
    xml_parser.StartElementHandler = lambda name, _: started.append(name)
    xml_parser.EndElementHandler = ended.append
    try:
        xml_parser.Parse(text.encode(errors="replace"), whole)
    except expat.ExpatError:
        if not declared:
            return None
    except UserError:
        declared = True
    if declared or (ended and len(started) - len(ended) <= _DEEPEST_HEAD):
        return local(started[0]) if started else ""
    return None


def elements(
    data: bytes, wanted: Iterable[str], chosen: str = "auto"
) -> list[tuple[str, dict[str, str]]]:
    """The elements with these local names in a small document, in order, with their attributes.
    ``chosen``: the encoding that the user chose. Raises UserError.
    """
    names = frozenset(wanted)
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        bounds.start(name, attributes)
        if local(name) in names:
            if len(found) >= _MOST_ELEMENTS:
                raise _endless()
            found.append((local(name), {local(key): value for key, value in attributes.items()}))

    xml_parser = parser()
    bounds = Bounds(xml_parser)
    xml_parser.StartElementHandler = start
    xml_parser.EndElementHandler = lambda _: bounds.end()
    hint = declared_encoding(data, chosen)
    decided = detect_encoding(data[:HEAD], hint=hint)
    text = "".join(decode_blocks(iter([data[decided.mark :]]), decided, Findings(), hint))
    try:
        xml_parser.Parse(text.encode(errors="replace"), True)
    except expat.ExpatError as error:
        raise UserError(
            tr("The file isn’t well-formed XML ({error}).", error=error_text(error))
        ) from error
    return found


# Maximum characters of an entity: a sign, a word or a name.
_LONGEST_ENTITY = 100
_ENTITY_DECLARATION = re.compile(r"<!ENTITY\s+([^\s%&;<>]{1,64})\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")
_MARKUP = re.compile(r"<|&\S")
# One that stands for another file, which isn’t read.
_FILE_DECLARATION = re.compile(r"<!ENTITY\s+([^\s%&;<>]{1,64})\s+(?:SYSTEM|PUBLIC)\s")


def _declared_entities(text: str) -> tuple[dict[str, str], int]:
    """The characters of the entities that the beginning of a document declares, by name, and the
    place after the declarations. Raises UserError if it refers to one that stands for another file.
    """
    found: dict[str, str] = {}
    end = 0
    for entity in _ENTITY_DECLARATION.finditer(text):
        # The first of several declarations counts.
        found.setdefault(entity[1], unescape(entity[2] or entity[3] or ""))
        end = entity.end()
    for file in _FILE_DECLARATION.finditer(text):
        if f"&{file[1]};" in text:
            raise UserError(
                tr("The file includes another one by the entity “{name}”.", name=file[1]),
                _resolve_hint(),
            )
    return {name: value for name, value in found.items() if _is_plain(value)}, end


def _is_plain(value: str) -> bool:
    return len(value) <= _LONGEST_ENTITY and _MARKUP.search(value) is None


def _require_plain(name: str, parameter: bool, value: str | None, *_: object) -> None:
    """Refuse an entity with others or with markup; files and parameters are never read."""
    if not (parameter or value is None or _is_plain(value) or name in ("amp", "lt")):
        raise UserError(
            tr(
                "The file declares the entity “{name}”, which contains markup, other entities or "
                "more than {longest} characters, and could expand without limit.",
                name=shorten_text(name, 40),
                longest=_LONGEST_ENTITY,
            ),
            _resolve_hint(),
        )


def _resolve_hint() -> str:
    return tr("Resolve its entities first, for example with “xmllint --noent --dropdtd”.")
