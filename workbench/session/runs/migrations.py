"""Migration of older session files and run records to the current format, one version at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr

# Versions of the manifest of a session file, and of the record of a run (``run.json``) in a session
# file or in the store.
VERSION = 3
RECORD = 2


def _from_0(manifest: dict[str, Any]) -> dict[str, Any]:
    """Version 0 named one corpus, and contained word sets and the map's settings in separate
    entries.
    """
    corpus = manifest.pop("corpus", None)
    settings = dict(manifest.pop("settings", {}) or {})
    for name, setting in (("sets", "map.sets"), ("map", "map.method"), ("layout", "window.layout")):
        if name in manifest:
            settings[setting] = manifest.pop(name)
    known = isinstance(corpus, Mapping)
    return {
        **manifest,
        "corpora": [dict(corpus)] if known else [],
        "open": str(corpus.get("digest", "")) if known else "",
        "settings": settings,
        "panels": {},
    }


def _from_1(manifest: dict[str, Any]) -> dict[str, Any]:
    """Version 1 is the same, except that its runs have records of format 1, the only one that older
    programs accept.
    """
    return manifest


def _from_2(manifest: dict[str, Any]) -> dict[str, Any]:
    """Version 2 is the same, except that its runs have no snapshots, which older programs
    refuse.
    """
    return manifest


def _record_from_1(values: dict[str, Any]) -> dict[str, Any]:
    """Format 1 had no stars, notes or grids."""
    return {**values, "star": False, "note": "", "group": ""}


# Migrations of a manifest from version n to version n + 1, and of a record from format n to format
# n + 1.
STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    0: _from_0,
    1: _from_1,
    2: _from_2,
}
RECORD_STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _record_from_1}


def migrate_manifest(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    """Migrate a manifest to the current version. Raises UserError if it is newer or has no
    version.
    """
    version = manifest.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise UserError(
            tr("{name} doesn’t state its format version.", name=name),
            tr("Save the session again."),
        )
    if version > VERSION:
        raise UserError(
            tr(
                "{name} was saved by a newer version of Embedding Workbench (format "
                "{version}; this version reads {known}).",
                name=name,
                version=version,
                known=VERSION,
            ),
            tr("Install the latest version to open the session."),
        )
    for step in range(version, VERSION):
        manifest = {**STEPS[step](manifest), "version": step + 1}
    return manifest


class NewerRecord(ValueError):
    """A record of a run that a newer version wrote."""


def migrate_record(values: dict[str, Any]) -> dict[str, Any]:
    """Migrate a run's record to the current format. Raises NewerRecord, and ValueError if it has no
    format.
    """
    known = values.get("format")
    if isinstance(known, int) and known > RECORD:
        raise NewerRecord(
            tr(
                "its record is from a newer version of Embedding Workbench (format "
                "{known}; this version reads {wanted})",
                known=known,
                wanted=RECORD,
            )
        )
    if not isinstance(known, int) or isinstance(known, bool) or not 1 <= known <= RECORD:
        raise ValueError(
            tr("its record has format {known!r}, not {wanted}", known=known, wanted=RECORD)
        )
    for step in range(known, RECORD):
        values = {**RECORD_STEPS[step](values), "format": step + 1}
    return values
