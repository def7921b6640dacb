from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psutil
from desktop import App


def test_the_window_opens_on_a_file_and_closes_cleanly(launch: Callable[..., App], tmp_path: Path) -> None:
    corpus = tmp_path / "rhyme.txt"
    corpus.write_text("the mouse ran up the clock\nthe clock struck one\nthe mouse ran down\n" * 40)
    with launch(corpus) as app:
        app.wait_for("corpus.open")
        app.wait_for("train.start")
        children = psutil.Process(app.process.pid).children(recursive=True)
        assert app.close_window() == 0
        _, alive = psutil.wait_procs(children, timeout=30)
        assert alive == []
    assert app.log.read_text() == ""
