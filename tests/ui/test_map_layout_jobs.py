"""Layouts that are computed one after the other."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from ui.map_fakes import record, vectors

from workbench.analysis.projection import layout_cache
from workbench.analysis.projection.methods import umap as umap_method
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.ui.panels.map.layout import PLANE, UMAP, LayoutRequest, MapLayout, project_words
from workbench.ui.panels.map.layout_jobs import MapLayouts

ANALOGY = AnalogyShown("man", "woman", "poor", "rich")


# The bridge of the context delivers the results of jobs.
@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("words", [120, 200])
def test_a_layout_that_waits_has_no_positions_of_the_one_before(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, words: int
) -> None:
    over = Event()

    def unfinished(
        unit: object, params: UmapParams, run: JobControl, start: np.ndarray, dims: int = 2
    ) -> np.ndarray:
        moved = np.ascontiguousarray(start[:, ::-1])
        run.publish("positions", moved)
        while not over.wait(0.01):
            run.check()
        return moved

    monkeypatch.setattr(umap_method, "umap", unfinished)
    monkeypatch.setattr(layout_cache, "_MOST_WORDS", 0)
    layouts = MapLayouts(session)
    seen: list[MapLayout] = []
    layouts.arrived.connect(seen.append)
    first = LayoutRequest("first", vectors(1), UMAP, 500, UmapParams())
    layouts.request(first)

    def has_moved() -> bool:
        layouts.poll_umap()
        return len(seen) > 1

    qtbot.waitUntil(has_moved)
    # UMAP of another run waits for a training, while the plane of an analogy is shown.
    monkeypatch.setattr(type(session.training), "current", property(lambda _: record(9)))
    other = vectors(2, words)
    layouts.request(LayoutRequest("other", other, PLANE, 500, UmapParams(), analogy=ANALOGY))
    qtbot.waitUntil(lambda: layouts.postponed)
    seen.clear()
    wanted = LayoutRequest("other", other, UMAP, 500, UmapParams())
    layouts.request(wanted)
    assert [layout.request.identifier for layout in seen] == ["other"]
    np.testing.assert_array_equal(seen[0].positions, project_words(wanted, None).positions)
    over.set()
