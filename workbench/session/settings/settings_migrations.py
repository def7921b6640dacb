"""Migration of older settings files to the current version, one version at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.core.json_text import of_json
from workbench.core.paths import cache_folder
from workbench.corpus.corpus import OF_FILES, CorpusOptions
from workbench.corpus.stored_options import without_missing

VERSION = 1


def _from_0(values: dict[str, Any]) -> dict[str, Any]:
    """Version 0.1.0 applied the options chosen for one text to every other text, and kept the
    options of each text in the list of recent files.
    """
    if "corpus.options" in values:
        values = _without_carried_options(values)
    recent, readings = values.get("recent"), values.get("corpus.readings")
    if not isinstance(recent, list):
        return values
    entries = [entry for entry in recent if isinstance(entry, dict)]
    readings = list(readings) if isinstance(readings, list) else []
    known = [reading.get("paths") for reading in readings if isinstance(reading, dict)]
    readings += [entry for entry in entries if entry.get("paths") not in known]
    paths = [entry.get("paths") if isinstance(entry, dict) else entry for entry in recent]
    return {**values, "recent": paths, "corpus.readings": readings}


def _without_carried_options(values: dict[str, Any]) -> dict[str, Any]:
    """Keep carried options only for the text that they were chosen for."""
    carried = without_missing(values.pop("corpus.options")).lasting().effective()
    chosen_for = values.pop("corpus.options.over", None)
    if carried == CorpusOptions():
        return values
    files = _files_of(chosen_for)
    corpus, recent = values.get("corpus"), values.get("recent")
    if isinstance(corpus, dict):
        values["corpus"] = _without(corpus, carried, files)
    if isinstance(recent, list):
        values["recent"] = [
            _without(entry, carried, files) if isinstance(entry, dict) else entry
            for entry in recent
        ]
    return values


def _without(
    entry: Mapping[str, Any], carried: CorpusOptions, over: Sequence[str]
) -> dict[str, Any]:
    """An entry without the effect of options carried over from another text."""
    paths = entry.get("paths")
    options = without_missing(entry.get("options"))
    own = isinstance(paths, list) and any(
        file.startswith(str(path)) for file in over for path in paths
    )
    if own or options.lasting().effective() != carried:
        return dict(entry)
    # The digest belongs to the text read with the carried options.
    kept = {name: value for name, value in entry.items() if name not in ("digest", "options")}
    of_files = {name: value for name, value in options.non_defaults().items() if name in OF_FILES}
    if isinstance(paths, list):
        return {**kept, "options": of_files}
    return kept


def _files_of(digest: object) -> list[str]:
    """The files that a corpus of the cache was read from."""
    files: list[str] = []
    for entry in sorted(cache_folder("corpora").glob("index/*.json")):
        try:
            content = of_json(entry.read_text(encoding="utf-8"))
            if content["digest"] == digest:
                files += [str(file["path"]) for file in content["files"]]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return files


# Migrations of the settings of version n to those of version n + 1.
STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {0: _from_0}


def migrate_settings(values: dict[str, Any]) -> dict[str, Any]:
    """Migrate settings to the current version; settings of a newer program stay unchanged."""
    version = values.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        version = 0
    for step in range(version, VERSION):
        values = {**STEPS[step](values), "version": step + 1}
    return values
