from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desktop import App, Desktop


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the whole window take as long as the machine needs; the limit only guards against
    hanging.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(1800))


@pytest.fixture(scope="module")
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """An X server of its own for the tests of a module.

    It ends before the tests of other folders begin, which search all processes for those that they
    have started.
    """
    new_desktop = Desktop(tmp_path_factory.mktemp("desktop"))
    yield new_desktop
    new_desktop.close()


@pytest.fixture
def launch(desktop: Desktop, home: Path, tmp_path: Path) -> Callable[..., App]:
    """A function that starts the workbench: ``with launch("corpus.txt") as app``."""

    def start(*arguments: object) -> App:
        return App(desktop, home, tmp_path / "app.log", *arguments)

    return start
