from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from workbench.core.errors import UserError
from workbench.core.registry import Registry


class Shape(ABC):
    key: ClassVar[str] = ""

    @abstractmethod
    def area(self) -> float: ...


HEADER = "from {here} import Shape\n"
ROUND = """
class Round(Shape):
    key = "round"
    order = {order}
    def area(self):
        return 3.14
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty package "shapes"; its modules can use ``from shape_base import Shape``."""
    folder = tmp_path / "shapes"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "shape_base", sys.modules[__name__])
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "shapes"]:
        del sys.modules[name]


def write(package: Path, name: str, body: str) -> None:
    (package / f"{name}.py").write_text(HEADER.format(here="shape_base") + body)


def shapes() -> Registry[Shape]:
    return Registry("shapes", Shape, "shape")


def test_siblings_are_found_in_order(package: Path) -> None:
    write(package, "a", ROUND.format(order=50))
    write(package, "b", ROUND.format(order=10).replace('"round"', '"square"'))
    write(package, "c", ROUND.format(order=50).replace('"round"', '"oval"'))
    registry = shapes()
    assert registry.keys() == ("square", "oval", "round")
    assert [kind.key for kind in registry] == ["square", "oval", "round"]
    assert len(registry) == 3
    assert "oval" in registry
    assert registry["oval"]().area() == 3.14


def test_helpers_bases_and_imported_classes_are_not_entries(package: Path) -> None:
    write(package, "a", ROUND.format(order=1))
    write(
        package,
        "b",
        "from shapes.a import Round\nclass Half(Shape):\n    key = 'half'\nclass Plain: key = "
        "'plain'\n",
    )
    assert shapes().keys() == ("round",)


def test_an_unknown_key_names_the_known_ones(package: Path) -> None:
    write(package, "a", ROUND.format(order=1))
    with pytest.raises(UserError, match="Unknown shape “flat”.*round"):
        shapes()["flat"]


def test_a_broken_file_names_itself(package: Path) -> None:
    write(package, "a", ROUND.format(order=1))
    write(package, "broken", "1 / 0\n")
    with pytest.raises(ImportError, match=r"shapes\.broken.*ZeroDivisionError"):
        shapes().keys()


def test_one_key_twice_names_both_files(package: Path) -> None:
    write(package, "a", ROUND.format(order=1))
    write(package, "b", ROUND.format(order=2))
    with pytest.raises(ValueError, match=r"shapes\.b declares.*“round”.*shapes\.a"):
        shapes().keys()


def test_a_module_called_like_the_key_is_imported_alone(package: Path) -> None:
    write(package, "very_round", ROUND.format(order=1).replace('"round"', '"very-round"'))
    write(package, "other", ROUND.format(order=2))
    assert shapes()["very-round"].__module__ == "shapes.very_round"
    assert "shapes.other" not in sys.modules
    # A module that only has the name of a key is not enough.
    assert shapes()["round"].__module__ == "shapes.other"
