"""A session from the first start to the second, once with keys alone and once with the mouse alone;
see ``journey.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from desktop import App, Desktop
from window.journey import WAYS, journey

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("by", sorted(WAYS))
def test_from_the_first_start_to_the_second(
    by: str, desktop: Desktop, home: Path, tmp_path: Path
) -> None:
    def launch(person: Path) -> App:
        return App(desktop, home, tmp_path / "app.log", person=person)

    journey(by, launch, tmp_path / "person")
