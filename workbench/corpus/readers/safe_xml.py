"""Safe XML parsing: no declared entities, no external files, limited memory."""

from __future__ import annotations

from collections.abc import Iterable
from xml.parsers import expat

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr


def parser() -> expat.XMLParserType:
    """An expat parser, with names as "{namespace} name" without prefix, that refuses declared
    entities.

    Raises UserError for them: nested entities can expand without limit, and no document read here
    needs one.
    """
    expat_parser = expat.ParserCreate(namespace_separator=" ")
    expat_parser.buffer_text = True
    expat_parser.buffer_size = 1 << 16
    # expat 2.6 waits for more data before it parses a long token again, and would lose a text that
    # ends there. Bounds limits the time of parsing tokens again.
    if hasattr(expat_parser, "SetReparseDeferralEnabled"):
        expat_parser.SetReparseDeferralEnabled(False)
    expat_parser.EntityDeclHandler = _refuse
    expat_parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return expat_parser


# Maximum bytes of a tag, a comment or an attribute, which expat scans again with every piece.
_LONGEST_TOKEN = 1 << 20
_DEEPEST, _MOST_NAMES = 1000, 10_000
_MOST_ELEMENTS = 100_000


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


def elements(data: bytes, wanted: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """The elements with these local names in a small document, in order, with their attributes.
    Raises UserError.
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
    try:
        xml_parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UserError(
            tr("The file isn’t well-formed XML ({error}).", error=error_text(error))
        ) from error
    return found


def _refuse(*_: object) -> None:
    raise UserError(
        tr("The file declares its own entities, which could expand without limit."),
        tr("Remove its DOCTYPE."),
    )
