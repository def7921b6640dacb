"""The pages of the documentation, and the examples in them."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_EXAMPLE = re.compile(r"^<!-- file: (\S+) -->\n(`{3,})\w*\n(.*?)^\2$", re.MULTILINE | re.DOTALL)


def examples() -> dict[str, str]:
    """The files shown in full on the page on extending, as path: text."""
    page = (GUIDE / "extend.md").read_text("utf-8")
    return {path: text for path, _, text in _EXAMPLE.findall(page)}


@contextmanager
def install_examples(
    folder: Path, *paths: str, texts: Mapping[str, str] | None = None
) -> Iterator[list[ModuleType]]:
    """Import these examples, or ``texts``, as if their files, written into ``folder``, were in the
    packages that their paths name.
    """
    texts = texts or examples()
    modules, names = [], []
    before: dict[ModuleType, list[str]] = {}
    for path in paths:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(texts[path], "utf-8")
        name, inside = _module_name(path), place.parent
        above = name.rpartition(".")[0]
        # If a package is one of the examples, such as a panel, its modules are found with it.
        within = above in names
        names.append(name)
        if within:
            continue
        if place.name == "__init__.py":
            inside = inside.parent
        package = importlib.import_module(above)
        before.setdefault(package, list(package.__path__))
        package.__path__ = [*package.__path__, str(inside)]
    importlib.invalidate_caches()
    try:
        modules = [importlib.import_module(name) for name in names]
        yield modules
    finally:
        for package, folders in before.items():
            package.__path__ = folders
        for name in reversed(names):
            module = sys.modules.pop(name, None)
            parent, _, last = name.rpartition(".")
            if module is not None:
                vars(sys.modules[parent]).pop(last, None)


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
