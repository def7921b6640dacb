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
from window_steps import OpenWindow, Painted, follow_steps

from workbench.models.base import MODELS
from workbench.session.kernel_compiler import compile_here
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


class _LineTimes(OpenWindow):
    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options.corpus)
        self.options = options
        self.teach, self.influence = self.panels["teach"], self.panels["influence"]
        self.word_map = self.panels["map"]
        self.rows: list[dict[str, Any]] = []

    def measure(self) -> list[dict[str, Any]]:
        timer = follow_steps(self._steps(), self.window)
        self.run()
        timer.stop()
        return self.rows

    def _add_row(
        self, what: str, algorithm: str, times: Sequence[float], busy: Sequence[float]
    ) -> None:
        self.rows.append(
            {
                "what": what,
                "algorithm": algorithm,
                "median": round(1000 * float(np.median(times)), 1),
                "longest": round(1000 * max(times), 1),
                "processor": round(1000 * float(np.median(busy)), 1),
            }
        )

    def _steps(self) -> Iterator[Callable[[], bool]]:
        yield self.has_corpus
        for algorithm in self.options.algorithms.split(","):
            kind = MODELS[algorithm].params_type
            known = {spec.name for spec in kind.specs()}
            values = {"dim": _DIMENSIONS, "min_count": _LEAST, "max_vocab": _WORDS, "epochs": 1}
            chosen = {name: value for name, value in values.items() if name in known}
            self.window.raise_panel("train")
            record = self.session.training.start(TrainingSpec(algorithm, kind.from_mapping(chosen)))
            yield lambda record=record: record.state.over and record.stored  # type: ignore[misc]
            yield lambda: self.window.idle
            self.window.raise_panel("map")
            box = self.word_map.method
            box.setCurrentIndex(box.findData(self.options.method))
            box.activated.emit(box.currentIndex())
            yield lambda: self.window.idle
            yield from self._measure_teaching(algorithm)
            yield from self._measure_ranking(algorithm)

    def _measure_teaching(self, algorithm: str) -> Iterator[Callable[[], bool]]:
        self.window.raise_panel("teach")
        yield lambda: self.window.idle
        start, used = time.perf_counter(), time.process_time()
        self.teach.lines.setPlainText(_LINES[0])
        self.teach.word.setText("blicket")
        yield lambda: self.window.idle
        times, busy = [time.perf_counter() - start], [time.process_time() - used]
        self._add_row("a taught word, first line, with counting the text", algorithm, times, busy)
        times, busy = [], []
        for number in range(2, len(_LINES) + 1):
            before = self.teach.shown
            painted = Painted(
                self.word_map.view,
                lambda before=before: (  # type: ignore[misc]
                    self.teach.shown is not None
                    and self.teach.shown is not before
                    and not self.session.jobs.busy("map.taught")
                ),
            )
            start, used = time.perf_counter(), time.process_time()
            self.teach.lines.appendPlainText(_LINES[number - 1])
            yield painted.is_done
            times.append(time.perf_counter() - start)
            busy.append(time.process_time() - used)
            assert "blicket" in self.word_map.view.placed_words
            yield lambda: self.window.idle
        self._add_row("a taught word after one more line", algorithm, times, busy)

    def _measure_ranking(self, algorithm: str) -> Iterator[Callable[[], bool]]:
        model = self.session.active.trained
        assert model is not None
        assert model.counts is not None
        near = np.argsort(np.abs(model.counts - self.options.occurrences), kind="stable")
        words = [model.words[row] for row in near[: _COSINES + 1].tolist()]
        self.window.raise_panel("influence")
        yield lambda: self.window.idle
        times, busy = [], []
        for word in words[1:]:
            before = self.influence.ranked
            start, used = time.perf_counter(), time.process_time()
            self.influence.rank((words[0], word))
            yield lambda before=before: (  # type: ignore[misc]
                self.influence.ranked is not None and self.influence.ranked is not before
            )
            self.influence.repaint()
            times.append(time.perf_counter() - start)
            busy.append(time.process_time() - used)
            yield lambda: self.window.idle
        lines = len(self.influence.ranked.found.lines)
        self._add_row("lines of a cosine, with counting the text", algorithm, times[:1], busy[:1])
        self._add_row(f"lines of another cosine, {lines:,} lines", algorithm, times[1:], busy[1:])


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

    compile_here("drawing")
    rows = _LineTimes(options).measure()
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
