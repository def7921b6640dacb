"""Short lessons by clicks in the whole window; ``window/lessons.py`` does so with all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from window.lessons import reader

from workbench.session.lessons import bundled
from workbench.session.session import FIRST_SAMPLE
from workbench.ui.panel import Context


@pytest.mark.parametrize("key", ["one-hot", "bias"])
def test_the_window_shows_what_each_step_says(key: str, context: Context, tmp_path: Path) -> None:
    (lesson,) = (lesson for lesson in bundled() if lesson.key == key)
    context.session.open_sample(FIRST_SAMPLE)
    with reader(context, tmp_path) as person:
        assert person.read(lesson) == []
