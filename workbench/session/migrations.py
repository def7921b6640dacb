"""From the manifests of older session files to the present one, a version at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.core.errors import UserError

VERSION = 1


def _from_0(manifest: dict[str, Any]) -> dict[str, Any]:
    """Version 0 named one corpus, and held sets and the choices of the map under names of their own."""
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


# What makes a manifest of version n one of version n + 1.
STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {0: _from_0}


def migrated(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    """A manifest in the present version. Raises UserError for a newer one and for what has no version."""
    version = manifest.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise UserError(f"{name} does not say which version it has.", "Save the session again.")
    if version > VERSION:
        raise UserError(
            f"{name} was saved by a newer version of the workbench (format {version}; this one knows {VERSION}).",
            "Install the newest version to open it.",
        )
    for step in range(version, VERSION):
        manifest = {**STEPS[step](manifest), "version": step + 1}
    return manifest
