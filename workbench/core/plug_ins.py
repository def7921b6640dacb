"""Classes that other installed packages add to the registries, by entry points of their metadata.

A package declares, for example, an algorithm in its ``pyproject.toml``:

    [project.entry-points."workbench.models"]
    random-indexing = "indexing.model:RandomIndexing"

Installing a package means to trust its code. What can't be loaded is left out, and a sentence says
why.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from typing import Any

from workbench.core.language import tr

# Beginning of the groups of entry points, and the rest of each: one for every registry, and one for
# modules with measures of lessons.
PREFIX = "workbench."
KINDS = (
    "actions",
    "count-formats",
    "exports",
    "formats",
    "measures",
    "models",
    "panels",
    "preferences",
    "projections",
    "read-only-formats",
    "readers",
    "tokenisers",
)
# Sentences on what was left out, in the order in which it was noticed.
_problems: list[str] = []


@cache
def installed() -> tuple[EntryPoint, ...]:
    """All entry points for registries that are installed, by package and name. Of a package that is
    installed twice, the one that Python imports.
    """
    found: dict[str, list[EntryPoint]] = {}
    for package in distributions():
        try:
            own = [entry for entry in package.entry_points if entry.group.startswith(PREFIX)]
            if own:
                found.setdefault(package.name.lower(), own)
        except Exception as error:
            _record(tr("Couldn’t read what a package declares: {error}.", error=str(error)))
    entries = [entry for name in sorted(found) for entry in sorted(found[name], key=_order)]
    for entry in entries:
        if entry.group.removeprefix(PREFIX) not in KINDS:
            names = ", ".join(PREFIX + kind for kind in KINDS)
            leave_out(entry, tr("{group} isn’t one of {names}", group=entry.group, names=names))
    return tuple(entries)


def _order(entry: EntryPoint) -> tuple[str, str]:
    return entry.group, entry.name


def of_group(group: str) -> Iterator[tuple[EntryPoint, Any]]:
    """The entry points of a group with what they load; those that fail are left out."""
    for entry in installed():
        if entry.group != group:
            continue
        try:
            loaded = entry.load()
        except (Exception, SystemExit) as error:
            leave_out(entry, f"{type(error).__name__}: {error}")
            continue
        yield entry, loaded


def package_of(entry: EntryPoint) -> str:
    """The name and version of the package that declares an entry point."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.module


def leave_out(entry: EntryPoint, reason: str) -> None:
    """Record that an entry point isn't used, and why."""
    sentence = tr(
        "Left out “{name}” of the package {package}: {reason}.",
        name=entry.name,
        package=package_of(entry),
        reason=" ".join(reason.split()).rstrip("."),
    )
    _record(sentence)


def _record(sentence: str) -> None:
    if sentence not in _problems:
        _problems.append(sentence)


def problems() -> tuple[str, ...]:
    """A sentence for everything that was left out so far. Registries load at first use."""
    return tuple(_problems)


def is_plug_in(module: str) -> bool:
    """Whether a module belongs to a package that declares entry points."""
    return module.partition(".")[0] in _top_packages()


@cache
def sources_digest() -> str:
    """A hash of the sources of all packages that declare entry points, and of the versions of all
    installed packages, whose code they may call.
    """
    digest = hashlib.blake2b(digest_size=8)
    for name in sorted(_top_packages()):
        for path in _sources(name):
            digest.update(f"{name} {path.name}\0".encode())
            digest.update(path.read_bytes())
    versions = {f"{package.name} {package.version}" for package in distributions()}
    digest.update("\n".join(sorted(versions)).encode())
    return digest.hexdigest()


@cache
def _top_packages() -> frozenset[str]:
    return frozenset(entry.module.partition(".")[0] for entry in installed()) - {"workbench"}


def _sources(name: str) -> list[Path]:
    """The files of a package or of a single module, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        return []
    folders = list(spec.submodule_search_locations or ())
    if folders:
        return sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    return [Path(spec.origin)] if spec.has_location and spec.origin else []
