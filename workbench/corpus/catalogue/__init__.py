"""Catalogue of public data for download: descriptions, licences and checksums.

A download starts only on request (:mod:`workbench.corpus.catalogue.download`).
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.catalogue.entry import CatalogueEntry, Kind
from workbench.corpus.catalogue.languages import LANGUAGES
from workbench.corpus.catalogue.test_sets import TEST_SETS
from workbench.corpus.catalogue.texts import TEXTS
from workbench.corpus.catalogue.vectors import VECTORS
from workbench.corpus.corpus import CorpusOptions

__all__ = [
    "CATALOGUE",
    "DATA",
    "CatalogueEntry",
    "Kind",
    "data_entry",
    "entry_of",
    "options_for_entry",
    "public_entry",
    "refuse_similar_key",
    "sample_key",
]

# Everything by key, and the texts among it.
DATA: Mapping[str, CatalogueEntry] = MappingProxyType(
    {entry.key: entry for entry in (*TEXTS, *LANGUAGES, *VECTORS, *TEST_SETS)}
)
CATALOGUE: Mapping[str, CatalogueEntry] = MappingProxyType(
    {key: entry for key, entry in DATA.items() if entry.kind == Kind.TEXT}
)


def entry_of(key: str) -> CatalogueEntry:
    """The entry with this key. Raises UserError that names similar or all keys."""
    try:
        return DATA[key]
    except KeyError:
        near = difflib.get_close_matches(key, DATA, 5, 0.5)
        raise UserError(
            tr("Unknown corpus “{key}”.", key=key),
            tr("Choose one of: {names}.", names=", ".join(near or DATA)),
        ) from None


def sample_key(paths: Sequence[str | Path]) -> str:
    """The key of the bundled corpus that ``paths`` name, or "" if they name files."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return ""
    from workbench.corpus.samples import SAMPLES

    key = str(paths[0])
    if key not in SAMPLES:
        return ""
    return key


def public_entry(paths: Sequence[str | Path]) -> CatalogueEntry | None:
    """The text of the catalogue that ``paths`` name, or None if they name files."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return None
    return CATALOGUE.get(str(paths[0]))


def data_entry(name: str | Path, *kinds: Kind) -> CatalogueEntry | None:
    """The entry of one of these kinds that ``name`` names, or None if it names a file."""
    if os.sep in str(name) or Path(name).exists():
        return None
    entry = DATA.get(str(name))
    return entry if entry is not None and entry.kind in kinds else None


def refuse_similar_key(paths: Sequence[str | Path]) -> None:
    """Raise UserError for the name of no file that is nearly the key of a bundled corpus."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return
    from workbench.corpus.samples import SAMPLES

    found = difflib.get_close_matches(str(paths[0]), [*SAMPLES, *CATALOGUE], 1, 0.8)
    if found:
        raise UserError(
            tr("The file or folder {given} doesn’t exist.", given=paths[0]),
            tr("Did you mean “{name}”?", name=found[0]),
        )


def options_for_entry(entry: CatalogueEntry, options: CorpusOptions | None) -> CorpusOptions:
    """Options for reading a public corpus: only the part that is the text, unless another is
    chosen.
    """
    options = options or CorpusOptions()
    return options.replace(
        include=options.include or entry.include, column=options.column or entry.column
    )
