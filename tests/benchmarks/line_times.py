"""How soon a taught word follows its lines, and how soon lines are ranked: ``python
tests/benchmarks/line_times.py CORPUS``.

Opens the real window (needs a display), trains models of 40,000 words with 100 dimensions on the
corpus, and for each of them

- adds lines to those of a new word, one after another, with Teach and a map in front: measures from
  the change of the text until the PMI row, the neighbours and the place on the map are shown, and
  the processor time of this process meanwhile;
- ranks the lines behind cosines of the words whose counts are nearest to ``--occurrences``: from
  Return until the table is complete. Before that, once for each model, the pairs of the text are
  counted.

Prints milliseconds, median and longest.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from results import keep, table

from workbench.session.training.request import TrainingSpec

_WORDS, _DIMENSIONS, _LEAST = 40_000, 100, 4
# Each is added to those before.
_LINES = (
    "the old blicket walked slowly across the street and sat down by the fire",
    "he took the blicket from the table and put it into his pocket with a smile",
    "she had never seen a blicket so large and so beautiful in all her life",
    "the captain ordered the men to bring the blicket on board before night",
    "my father gave me a blicket when i was a little boy in the country",
    "there was a blicket in the garden behind the house under the trees",
    "what do you want with the blicket said the old man in a low voice",
    "the blicket was broken and nobody could mend it in the village",
    "they drank a bottle of wine and looked at the blicket on the wall",
    "with the blicket in her hand she opened the door and went into the room",
    "a blicket is not a thing that a poor man can buy in the city",
    "the doctor shook his head and laid the blicket upon the chair",
)
# Cosines whose lines are ranked.
_COSINES = 5


def main() -> int:
    parser = argparse.ArgumentParser(
        description="From a line to its vector, and from a number to its lines."
    )
    parser.add_argument("corpus")
    parser.add_argument("--algorithms", default="sgns,glove,svd", help="separated by commas")
    parser.add_argument("--occurrences", type=int, default=10_000)
    parser.add_argument("--method", default="pca", help="of the map (default pca)")
    parser.add_argument("--json")
    options = parser.parse_args()
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-lines-"))

    from window_steps import Painted, follow_steps

    from workbench.models.base import MODELS
    from workbench.session.kernel_compiler import compile_here
    from workbench.session.session import Session
    from workbench.ui.base.panel import PanelContext
    from workbench.ui.base.session_timer import Bridge
    from workbench.ui.base.theme import Theme
    from workbench.ui.shell.application import make_application
    from workbench.ui.shell.gc_control import collected_here
    from workbench.ui.shell.window import Window

    compile_here("drawing")
    application = make_application()
    session = Session()
    window = Window(
        PanelContext(session, Bridge(session), Theme(application, "light")), remembering=False
    )
    window.resize(1440, 860)
    window.show()
    session.corpora.open([options.corpus])
    panels: dict[str, Any] = {key: dock.panel for key, dock in window.docks.items()}
    teach, influence, word_map = panels["teach"], panels["influence"], panels["map"]
    rows: list[dict[str, Any]] = []

    def add_row(what: str, algorithm: str, times: Sequence[float], busy: Sequence[float]) -> None:
        rows.append(
            {
                "what": what,
                "algorithm": algorithm,
                "median": round(1000 * float(np.median(times)), 1),
                "longest": round(1000 * max(times), 1),
                "processor": round(1000 * float(np.median(busy)), 1),
            }
        )

    def steps() -> Iterator[Callable[[], bool]]:
        yield lambda: session.corpora.current is not None and session.corpora.opening is None
        for algorithm in options.algorithms.split(","):
            kind = MODELS[algorithm].params_type
            known = {spec.name for spec in kind.specs()}
            values = {"dim": _DIMENSIONS, "min_count": _LEAST, "max_vocab": _WORDS, "epochs": 1}
            chosen = {name: value for name, value in values.items() if name in known}
            window.raise_panel("train")
            record = session.training.start(TrainingSpec(algorithm, kind.from_mapping(chosen)))
            yield lambda record=record: record.state.over and record.stored  # type: ignore[misc]
            yield lambda: window.idle
            window.raise_panel("map")
            box = word_map.method
            box.setCurrentIndex(box.findData(options.method))
            box.activated.emit(box.currentIndex())
            yield lambda: window.idle
            yield from measure_teaching(algorithm)
            yield from measure_ranking(algorithm)

    def measure_teaching(algorithm: str) -> Iterator[Callable[[], bool]]:
        window.raise_panel("teach")
        yield lambda: window.idle
        start, used = time.perf_counter(), time.process_time()
        teach.lines.setPlainText(_LINES[0])
        teach.word.setText("blicket")
        yield lambda: window.idle
        times, busy = [time.perf_counter() - start], [time.process_time() - used]
        add_row("a taught word, first line, with counting the text", algorithm, times, busy)
        times, busy = [], []
        for number in range(2, len(_LINES) + 1):
            before = teach.shown
            painted = Painted(
                word_map.view,
                lambda before=before: (  # type: ignore[misc]
                    teach.shown is not None
                    and teach.shown is not before
                    and not session.jobs.busy("map.taught")
                ),
            )
            start, used = time.perf_counter(), time.process_time()
            teach.lines.appendPlainText(_LINES[number - 1])
            yield painted.is_done
            times.append(time.perf_counter() - start)
            busy.append(time.process_time() - used)
            assert "blicket" in word_map.view.placed_words
            yield lambda: window.idle
        add_row("a taught word after one more line", algorithm, times, busy)

    def measure_ranking(algorithm: str) -> Iterator[Callable[[], bool]]:
        model = session.active.trained
        assert model is not None
        assert model.counts is not None
        near = np.argsort(np.abs(model.counts - options.occurrences), kind="stable")
        words = [model.words[row] for row in near[: _COSINES + 1].tolist()]
        window.raise_panel("influence")
        yield lambda: window.idle
        times, busy = [], []
        for word in words[1:]:
            before = influence.ranked
            start, used = time.perf_counter(), time.process_time()
            influence.rank((words[0], word))
            yield lambda before=before: (  # type: ignore[misc]
                influence.ranked is not None and influence.ranked is not before
            )
            influence.repaint()
            times.append(time.perf_counter() - start)
            busy.append(time.process_time() - used)
            yield lambda: window.idle
        lines = len(influence.ranked.found.lines)
        add_row("lines of a cosine, with counting the text", algorithm, times[:1], busy[:1])
        add_row(f"lines of another cosine, {lines:,} lines", algorithm, times[1:], busy[1:])

    timer = follow_steps(steps(), window)
    with collected_here(lambda: session.training.current is not None):
        application.exec()
    timer.stop()
    session.close()
    print(markdown(keep(options.json, {"rows": rows})))
    return 0


def markdown(results: dict[str, Any]) -> str:
    head = ("what", "algorithm", "median", "longest", "processor time")
    return table(
        head,
        (
            (
                row["what"],
                f"`{row['algorithm']}`",
                f"{row['median']} ms",
                f"{row['longest']} ms",
                f"{row['processor']} ms",
            )
            for row in results["rows"]
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
