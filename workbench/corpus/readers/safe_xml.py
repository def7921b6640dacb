"""XML without surprises: no entities of a document's own, nothing fetched, nothing kept."""

from __future__ import annotations

from collections.abc import Iterable
from xml.parsers import expat

from workbench.core.errors import UserError, why
from workbench.core.language import tr


def parser() -> expat.XMLParserType:
    """An expat parser, names as "{namespace} name" without prefix, that refuses declared entities.

    It raises UserError then: entities can be nested to expand without end, and no document read here needs one.
    """
    made = expat.ParserCreate(namespace_separator=" ")
    made.buffer_text = True
    made.buffer_size = 1 << 16
    made.EntityDeclHandler = _refuse
    made.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return made


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


def elements(data: bytes, wanted: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """The elements of these local names in a small document, in order, with their attributes. Raises UserError."""
    names = frozenset(wanted)
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if local(name) in names:
            found.append((local(name), {local(key): value for key, value in attributes.items()}))

    made = parser()
    made.StartElementHandler = start
    try:
        made.Parse(data, True)
    except expat.ExpatError as error:
        raise UserError(tr("It is not well-formed XML ({error}).", error=why(error))) from error
    return found


def _refuse(*_: object) -> None:
    raise UserError(tr("It declares entities of its own, which could expand without end."), tr("Remove its DOCTYPE."))
