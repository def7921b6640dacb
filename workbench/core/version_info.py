"""Versions, licences and citation of the workbench and its libraries."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from datetime import date
from importlib import metadata
from pathlib import Path

from workbench.core.language import tr
from workbench.core.version import __version__

TITLE = "Embedding Workbench"
DISTRIBUTION = "embedding-workbench"
LICENCE = "BSD-3-Clause"
YEAR = 2026
# Names of distributions that the workbench depends on; their dependencies are found from these.
_ROOTS = (
    "PySide6-Essentials",
    "pyqtgraph",
    "numpy",
    "scipy",
    "contourpy",
    "numba",
    "graspologic-native",
    "platformdirs",
    "psutil",
    "threadpoolctl",
    "tqdm",
    "umap-learn",
    "pynndescent",
    "charset-normalizer",
    "pooch",
    "regex",
    "requests",
    # Installed only with extras.
    "jieba",
    "fugashi",
    "unidic-lite",
    "kiwipiepy",
    "pythainlp",
    "underthesea",
    "pyarrow",
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Library:
    """An installed distribution that the workbench depends on; ``licence`` as stated in its own
    package.
    """

    name: str
    version: str
    licence: str


def installed_libraries() -> list[Library]:
    """All installed direct and indirect dependencies of the workbench, by name."""
    found: dict[str, Library] = {}
    waiting = list(_ROOTS)
    while waiting:
        name = waiting.pop()
        if _canonical_name(name) in found:
            continue
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        found[_canonical_name(name)] = Library(
            str(distribution.metadata["Name"] or name),
            distribution.version,
            _licence_name(distribution),
        )
        for wanted in distribution.requires or ():
            match = _NAME.match(wanted)
            if match is not None and "extra ==" not in wanted.replace("extra==", "extra =="):
                waiting.append(match[0])
    return [found[name] for name in sorted(found)]


def system_versions() -> list[tuple[str, str]]:
    """The workbench, Python and the system, each with its version."""
    return [
        (TITLE, __version__),
        ("Python", f"{platform.python_version()} ({platform.python_implementation()})"),
        (tr("System"), f"{platform.system()} {platform.release()}, {platform.machine()}"),
    ]


def version_report() -> str:
    """All versions, one per line, for the beginning of a bug report."""
    lines = [f"{name} {version}" for name, version in system_versions()]
    return "\n".join(
        [*lines, *(f"{library.name} {library.version}" for library in installed_libraries())]
    )


def bibtex() -> str:
    """The BibTeX entry for citing this version."""
    return (
        f"@software{{embedding_workbench_{__version__.replace('.', '_')},\n"
        f"  author  = {{{{The {TITLE} authors}}}},\n"
        f"  title   = {{{{{TITLE}}}: training, factorising and exploring word embeddings}},\n"
        f"  version = {{{__version__}}},\n"
        f"  year    = {{{YEAR}}},\n"
        f"  note    = {{Accessed {date.today().isoformat()}}}\n"
        "}\n"
    )


def _canonical_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence_name(distribution: metadata.Distribution) -> str:
    """The shortest form of the licence that the package states, or "not stated"."""
    known = distribution.metadata
    for field in ("License-Expression", "License"):
        text = " ".join(" ".join(known.get_all(field) or ()).split())
        # Some packages contain the whole text there.
        if text and text.upper() != "UNKNOWN" and len(text) <= 80:
            return text
    kinds = [
        line.rpartition("::")[2].strip()
        for line in known.get_all("Classifier") or ()
        if line.startswith("Lic")
    ]
    named = [kind for kind in kinds if kind != "OSI Approved"]
    return ", ".join(dict.fromkeys(named)) or tr("not stated")


def licence_text() -> str:
    """The text of the workbench's own licence, from the checkout or the installation; its name if
    neither has it.
    """
    place = Path(__file__).resolve().parents[2] / "LICENSE"
    try:
        if place.is_file():
            return place.read_text(encoding="utf-8")
        files = metadata.files(DISTRIBUTION) or []
        found = next((file for file in files if file.name == "LICENSE"), None)
        if found is not None:
            return found.read_text(encoding="utf-8")
        return LICENCE
    except (OSError, metadata.PackageNotFoundError):
        return LICENCE
