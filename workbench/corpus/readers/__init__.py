"""Document readers. Each kind of document has one module with a ``Reader`` that has a ``key``."""

from __future__ import annotations

from functools import cache

from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.corpus.readers.base import BLOCK, Document, Reader, not_text

READERS: Registry[Reader] = Registry(
    "workbench.corpus.readers", Reader, tr("kind of document"), group="readers"
)

__all__ = [
    "BLOCK",
    "READERS",
    "Document",
    "Reader",
    "ambiguous_suffixes",
    "known_suffixes",
    "not_text",
    "zipped_suffixes",
]


@cache
def known_suffixes() -> frozenset[str]:
    """The suffixes of every kind."""
    return frozenset(suffix for kind in READERS for suffix in kind.suffixes)


@cache
def ambiguous_suffixes() -> frozenset[str]:
    """Suffixes of kinds that only the content of a file identifies."""
    return frozenset(suffix for kind in READERS for suffix in kind.ambiguous_suffixes)


@cache
def zipped_suffixes() -> tuple[str, ...]:
    """Suffixes of documents that are zip archives."""
    return tuple(suffix for kind in READERS if kind.zipped for suffix in kind.suffixes)
