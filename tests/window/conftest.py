from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desktop import App, Desktop


@pytest.fixture(scope="session")
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """An X server of our own, for all tests in a real window."""
    made = Desktop(tmp_path_factory.mktemp("desktop"))
    yield made
    made.close()


@pytest.fixture
def launch(desktop: Desktop, home: Path, tmp_path: Path) -> Callable[..., App]:
    """Starts the workbench: ``with launch("corpus.txt") as app``."""

    def start(*arguments: object) -> App:
        return App(desktop, home, tmp_path / "app.log", *arguments)

    return start
