"""A real window ends with all the processes that it started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psutil
from desktop import App


def rhyme(folder: Path) -> Path:
    path = folder / "rhyme.txt"
    path.write_text("the mouse ran up the clock\nthe clock struck one\nthe mouse ran down\n" * 2000)
    return path


def close_with_all_its_processes(app: App) -> None:
    children = psutil.Process(app.process.pid).children(recursive=True)
    assert app.close_window() == 0
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []
    assert app.log.read_text() == ""


def test_it_opens_on_a_file_and_closes(launch: Callable[..., App], tmp_path: Path) -> None:
    with launch(rhyme(tmp_path)) as app:
        app.wait_for("window.corpus", lambda widget: "rhyme" in widget.text)
        close_with_all_its_processes(app)


def test_it_closes_while_it_trains(launch: Callable[..., App], tmp_path: Path) -> None:
    with launch(rhyme(tmp_path)) as app:
        app.wait_for("window.corpus", lambda widget: "rhyme" in widget.text)
        app.click("window.workspace.train")
        app.fill("train.param.epochs", "10000")
        app.click("train.start")
        app.wait_for("train.stop")
        close_with_all_its_processes(app)


def test_what_was_finished_outlives_a_killed_process(
    launch: Callable[..., App], tmp_path: Path
) -> None:
    path = rhyme(tmp_path)
    with launch(path) as app:
        app.wait_for("window.corpus", lambda widget: "rhyme" in widget.text)
        app.click("window.train")
        app.wait_for("analogy.a")
        app.process.kill()
        app.process.wait(30)
    with launch(path) as app:
        app.click("window.workspace.train")
        app.wait_for("train.runs", lambda widget: len(widget.lines) == 1)
        close_with_all_its_processes(app)
