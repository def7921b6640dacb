"""How soon lists respond to a click, and how evenly a large map moves: ``python
tests/benchmarks/clicks.py CORPUS``.

Opens the real window (needs a display), trains three models on the corpus, and picks words:
measures from the pick until the lists of a panel are complete and drawn. Each list is measured with
the same words, spread over the vocabulary, with its panel in front. Then, a map of ``--points``
random words in sixty clusters is dragged, zoomed and moved to another layout, plain and with its
regions: measured are the gaps between beats of a 16 ms timer, the time and the processor time of
each frame, and the time to compute the density and names of the regions. Prints milliseconds:
median and longest of the picks and names, median and 99th percentile of gaps and frames. Processor
time counts only this process, so it is meaningful even while other programs run.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from results import keep, table
from window_steps import OpenWindow, follow_steps

from workbench.models.base import MODELS
from workbench.session.kernel_compiler import compile_here
from workbench.session.selection.words import AnalogyShown
from workbench.session.training.request import TrainingSpec
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.panels.map.regions import (
    find_layout_regions,
    find_space_regions,
    shade_by_region,
)
from workbench.ui.widgets.map.point_map import PointMap
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

_PICKS = 20
_CLUSTERS, _DRAG_S, _NAMINGS = 60, 8.0, 7


class _Clicks(OpenWindow):
    """Measures in the window; all times are in milliseconds."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options.corpus)
        self.options = options
        self.figures: dict[str, dict[str, float]] = {}
        self.beats: list[float] = []

    def measure(self) -> dict[str, dict[str, float]]:
        beat = QTimer()
        beat.setTimerType(Qt.TimerType.PreciseTimer)
        beat.setInterval(16)
        beat.timeout.connect(lambda: self.beats.append(time.perf_counter()))
        beat.start()
        timer = follow_steps(self._steps(), self.window)
        self.run()
        timer.stop()
        return self.figures

    def _alone(self, key: str) -> bool:
        """Whether a job with exactly this key is running, not only one with a key below it."""
        return any(
            job.key.rpartition(".")[0] == key and not job.superseded
            for job in self.session.jobs.active
        )

    def _measure_picks(
        self,
        name: str,
        words: list[str],
        pick: Callable[[str], None],
        key: str,
        busy: Callable[[str], bool] | None = None,
    ) -> Iterator[Callable[[], bool]]:
        busy = busy or self.session.jobs.busy
        milliseconds = []
        for word in words:
            start = time.perf_counter()
            pick(word)
            yield lambda: not busy(key)
            self.window.repaint()
            milliseconds.append(1000 * (time.perf_counter() - start))
        self.figures[name] = {
            "median": round(float(np.median(milliseconds)), 1),
            "longest": round(max(milliseconds), 1),
        }

    def _steps(self) -> Iterator[Callable[[], bool]]:
        yield self.has_corpus
        if self.options.map_only:
            yield from self._measure_panning()
            return
        for key in ("sgns", "glove", "svd"):
            epochs = (
                {"epochs": 1} if "epochs" in MODELS[key].params_type.__dataclass_fields__ else {}
            )
            record = self.session.training.start(
                TrainingSpec(key, MODELS[key].params_type.from_mapping(epochs))
            )
            yield lambda record=record: record.state.over  # type: ignore[misc]
        yield lambda: self.window.idle
        assert self.session.active.embeddings is not None
        vocabulary = self.session.active.embeddings.words
        words = [vocabulary[int(at)] for at in np.geomspace(5, len(vocabulary) - 1, _PICKS)]

        def select(word: str) -> None:
            self.session.selection.select([word])

        def ask(word: str) -> None:
            self.session.requests.analogy.emit(word, vocabulary[7], vocabulary[9])

        def show(word: str) -> None:
            self.session.selection.show_analogy(
                AnalogyShown(word, vocabulary[7], vocabulary[9], vocabulary[11])
            )

        self.window.raise_panel("neighbours")
        yield lambda: self.window.idle
        yield from self._measure_picks("neighbours of a word", words, select, "neighbours")
        self.panels["neighbours"].pages.setCurrentIndex(1)
        yield lambda: self.window.idle
        yield from self._measure_picks(
            "neighbours in three models", words[::-1], select, "neighbours"
        )
        self.window.raise_panel("inspector")
        yield lambda: self.window.idle
        # Contexts and lines are read from the whole corpus, with progress, so they aren’t waited
        # for.
        yield from self._measure_picks(
            "inspector, what the model knows", words, select, "inspector", self._alone
        )
        yield lambda: self.window.idle
        self.window.raise_panel("neighbours")
        self.panels["neighbours"].pages.setCurrentIndex(0)
        yield lambda: self.window.idle
        yield from self._measure_picks("answers to an analogy", words, ask, "analogy")
        self.window.raise_panel("relations")
        yield lambda: self.window.idle
        yield from self._measure_picks("an analogy taken apart", words, show, "relations")
        self.window.raise_panel("compare")
        yield lambda: self.window.idle
        yield from self._measure_picks(
            "neighbours in two models compared", words[::-1], select, "compare.models.lists"
        )
        yield from self._measure_panning()

    def _measure_panning(self) -> Iterator[Callable[[], bool]]:
        random = np.random.default_rng(1)
        centres = random.normal(size=(_CLUSTERS, 10))
        table = centres[random.integers(_CLUSTERS, size=self.options.points)]
        table = table + 0.25 * random.normal(size=table.shape)
        embeddings = Embeddings(
            [f"w{i}" for i in range(self.options.points)], table.astype(np.float32)
        )
        path = os.path.join(os.environ["WORKBENCH_HOME"], "points.npz")
        save_vectors(embeddings, path)
        before = self.session.active.run
        self.session.corpora.open([path])
        yield (
            lambda: (
                self.session.active.run is not before and self.session.active.embeddings is not None
            )
        )
        self.window.raise_panel("map")
        view, panel = self.panels["map"].view, self.panels["map"]
        for box, choice in ((panel.method, "pca"), (panel.limit, 0)):
            box.setCurrentIndex(box.findData(choice))
            box.activated.emit(box.currentIndex())
        yield lambda: self.window.idle and len(view.positions) == self.options.points
        self._measure_naming(panel._layout)
        for colour in ("plain", "regions"):
            panel.colours.choose(colour)
            yield lambda: self.window.idle
            view.fit()
            yield lambda: not view.moving
            yield from self._measure_dragging(view, colour)
            yield from self._measure_zooming(view, colour)
            view.fit()
            yield lambda: not view.moving
            yield from self._measure_gliding(view, colour)

    def _measure_naming(self, layout: MapLayout) -> None:
        milliseconds, processor = [], []
        space = find_space_regions(layout, None)
        for _ in range(_NAMINGS):
            start, busy = time.perf_counter(), time.process_time()
            shade_by_region(find_layout_regions(layout, space))
            milliseconds.append(1000 * (time.perf_counter() - start))
            processor.append(1000 * (time.process_time() - busy))
        points = f"{self.options.points:,} points"
        for what, times in (("time", milliseconds), ("processor time", processor)):
            self.figures[f"density and names of {points}, {what}"] = {
                "median": round(float(np.median(times)), 1),
                "longest": round(max(times), 1),
            }

    def _measure_dragging(self, view: PointMap, colour: str) -> Iterator[Callable[[], bool]]:
        place = QPoint(view.width() // 2, view.height() // 2)
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=place)

        def drag(step: int) -> None:
            angle = step / 20
            turn = QPoint(int(150 * np.sin(angle)), int(100 * (1 - np.cos(angle))))
            QTest.mouseMove(view, place + turn)

        yield from self._measure_frames(
            view, f"panning {self.options.points:,} points, {colour}", drag
        )
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place)

    def _measure_zooming(self, view: PointMap, colour: str) -> Iterator[Callable[[], bool]]:
        def turn_wheel(step: int) -> None:
            # In for 40 steps, by a factor of 4 altogether, and out again.
            factor = 4 ** (1 / 40)
            view.zoom(factor if step // 40 % 2 else 1 / factor)

        view.zoom(4.0)
        yield from self._measure_frames(
            view, f"zooming {self.options.points:,} points, {colour}", turn_wheel
        )

    def _measure_gliding(self, view: PointMap, colour: str) -> Iterator[Callable[[], bool]]:
        layouts = [view.positions, np.ascontiguousarray(view.positions[:, ::-1])]

        def follow(step: int) -> None:
            if not view.moving:
                layouts.reverse()
                view.glide_to(layouts[0])
            view._advance()

        yield from self._measure_frames(
            view, f"gliding {self.options.points:,} points, {colour}", follow
        )

    def _measure_frames(
        self, view: PointMap, name: str, move: Callable[[int], None]
    ) -> Iterator[Callable[[], bool]]:
        ends = time.perf_counter() + _DRAG_S
        frames: dict[str, list[float]] = {"frames": [], "processor time of frames": []}
        durations, busy = frames.values()
        self.beats.clear()
        step = 0
        while time.perf_counter() < ends:
            step += 1
            start, before = time.perf_counter(), time.process_time()
            move(step)
            view.repaint()
            durations.append(1000 * (time.perf_counter() - start))
            busy.append(1000 * (time.process_time() - before))
            yield lambda: True
        for what, times in {"gaps": 1000 * np.diff(self.beats), **frames}.items():
            self.figures[f"{name}, {what}"] = {
                "median": round(float(np.median(times)), 1),
                "p99": round(float(np.percentile(times, 99)), 1),
            }


def main() -> int:
    parser = argparse.ArgumentParser(
        description="From a click to the list, and moving a large map."
    )
    parser.add_argument("corpus")
    parser.add_argument(
        "--points", type=int, default=100_000, help="on the map that is dragged (default 100,000)"
    )
    parser.add_argument("--json")
    parser.add_argument("--map-only", action="store_true", help="drag the map, pick nothing")
    options = parser.parse_args()
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-clicks-"))

    compile_here("drawing")
    rows = _Clicks(options).measure()
    print(markdown(keep(options.json, {"rows": rows})))
    return 0


def markdown(results: dict[str, Any]) -> str:
    rows = results["rows"].items()
    return table(
        ("list", "median", "longest, or 99th percentile"),
        (
            (name, f"{row['median']} ms", f"{row.get('longest', row.get('p99'))} ms")
            for name, row in rows
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
