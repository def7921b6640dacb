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
    """The files that the page on extending shows whole, by their paths."""
    page = (GUIDE / "extend.md").read_text("utf-8")
    return {path: text for path, _, text in _EXAMPLE.findall(page)}


@contextmanager
def installed(
    folder: Path, *paths: str, texts: Mapping[str, str] | None = None
) -> Iterator[list[ModuleType]]:
    """The modules of these examples, or of ``texts``, as if their files, written into ``folder``,
    were in the packages that they name.
    """
    texts = texts or examples()
    found, names = [], []
    before: dict[ModuleType, list[str]] = {}
    for path in paths:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(texts[path], "utf-8")
        names.append(path.removesuffix(".py").replace("/", "."))
        above, inside = names[-1].rpartition(".")[0], place.parent
        if not (ROOT / above.replace(".", "/")).is_dir():
            # A package of its own, as a panel is.
            (inside / "__init__.py").touch()
            names.append(above)
            above, inside = above.rpartition(".")[0], inside.parent
        package = importlib.import_module(above)
        before.setdefault(package, list(package.__path__))
        package.__path__ = [*package.__path__, str(inside)]
    importlib.invalidate_caches()
    try:
        found = [
            importlib.import_module(path.removesuffix(".py").replace("/", ".")) for path in paths
        ]
        yield found
    finally:
        for package, path in before.items():
            package.__path__ = path
        for name in names:
            module = sys.modules.pop(name, None)
            parent, _, last = name.rpartition(".")
            if module is not None:
                vars(sys.modules[parent]).pop(last, None)
