"""A real window ends with all the processes that it started."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import psutil
from desktop import App, wait_until

from workbench.core.job_control import JobControl
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.train_api import train
from workbench.vectors.formats import save_vectors


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


def raise_teach(app: App) -> None:
    def is_raised() -> bool:
        app.raise_tab("Teach")
        return app.comes(lambda: (word := app.widget("teach.word")) is not None and word.visible)

    app.wait_for("neighbours.word")
    app.again(is_raised, "Teach in front")


def test_typed_lines_outlive_a_killed_process(
    launch: Callable[..., App], home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rhyme.npz"
    corpus = read_corpus([str(rhyme(tmp_path))], None, JobControl())
    save_vectors(train(corpus, "svd", dim=4, min_count=1), path, "npz")
    lines = "the blicket ran up the clock and the blicket struck one"
    with launch(path) as app:
        raise_teach(app)
        app.fill("teach.word", "blicket")
        app.fill("teach.lines", lines)
        saved = json.dumps(lines)
        wait_until(
            lambda: any(saved in file.read_text("utf-8") for file in home.rglob("settings.json")),
            "the lines to be saved",
        )
        app.process.kill()
        app.process.wait(30)
    with launch(path) as app:
        raise_teach(app)
        assert app.wait_for("teach.word").text == "blicket"
        assert app.wait_for("teach.lines").text == lines
        app.wait_for("teach.fact", lambda widget: "1 line" in widget.text)
        close_with_all_its_processes(app)
