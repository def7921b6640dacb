"""Methods of the map besides UMAP and PCA, with umap-learn replaced by a fast function."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.qtbot import QtBot
from ui.map_fakes import choose_view, open_colour_file, record, settled, show, shown_panel

from workbench.analysis.projection.methods import densmap, supervised
from workbench.analysis.projection.space import Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.core.processes import child_task
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.panel import MapPanel


class FakeLearn:
    """Replacement for umap-learn, which mirrors the initial positions."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.params: list[UmapParams] = []

    def __call__(
        self, space: Space, params: UmapParams, run: JobControl, options: object = None
    ) -> np.ndarray:
        if space.groups is not None:
            self.groups.append(space.groups.tolist())
        self.params.append(params)
        assert space.start is not None
        return np.ascontiguousarray(space.start[:, ::-1])


@pytest.fixture
def learn(monkeypatch: pytest.MonkeyPatch) -> FakeLearn:
    fake = FakeLearn()
    for module in (densmap, supervised):
        monkeypatch.setattr(module, "lay_out", fake)
    return fake


@pytest.fixture
def panel(
    context: PanelContext, learn: FakeLearn, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(new_panel.session, record(1))
        qtbot.waitUntil(settled(new_panel, "umap"))
        yield new_panel


def column(path: Path, kinds: int) -> Path:
    path.write_text("".join(f"word{row}\tk{row % kinds}\n" for row in range(120)), "utf-8")
    return path


def test_groups_are_those_that_colour_the_map(
    panel: MapPanel, learn: FakeLearn, tmp_path: Path, qtbot: QtBot
) -> None:
    panel.choices.choose_method("supervised")
    panel._choices_changed()
    qtbot.waitUntil(settled(panel, "pca"))
    assert panel.footer.notice.whole.startswith("Colour the map by a column")
    for kinds in (2, 3):
        open_colour_file(panel, "column", column(tmp_path / f"{kinds}.tsv", kinds))
        qtbot.waitUntil(partial(lambda number: len(learn.groups) == number, kinds - 1))
        qtbot.waitUntil(settled(panel, "supervised"))
        assert set(learn.groups[-1]) - {-1} == set(range(kinds))
    assert "Colour the map" not in panel.footer.notice.whole
    assert panel.footer.caption.whole.startswith("Run 1 · UMAP by groups")


def test_each_method_has_its_settings(panel: MapPanel, learn: FakeLearn, qtbot: QtBot) -> None:
    choose_view(panel, "densmap", qtbot)
    qtbot.waitUntil(settled(panel, "densmap"))
    panel.parameters.click()
    form = panel.bar.popover.form
    assert {"dens_lambda", "metric", "n_neighbors"} <= set(form.fields)
    form.fields["dens_lambda"].put(5.0)
    panel.bar.popover.run.click()
    qtbot.waitUntil(lambda: len(learn.params) == 2)
    qtbot.waitUntil(settled(panel, "densmap"))
    assert isinstance(learn.params[-1], densmap.DensmapParams)
    assert learn.params[-1].dens_lambda == 5
    kept = panel.session_state()
    assert kept["states"][""]["params"]["densmap"]["dens_lambda"] == 5
    assert [layout["method"] for layout in kept["layouts"]].count("densmap") == 1
    panel.bar.restore_params({"densmap": {"dens_lambda": 3.0}, "umap": 7})
    restored = panel.bar.params_of(densmap.DensmapParams)
    assert isinstance(restored, densmap.DensmapParams)
    assert restored.dens_lambda == 3
    choose_view(panel, "umap", qtbot)
    panel.parameters.click()
    assert "dens_lambda" not in form.fields
    panel.bar.popover.hide()


def test_a_saved_map_needs_no_umap_learn(panel: MapPanel, learn: FakeLearn, qtbot: QtBot) -> None:
    choose_view(panel, "densmap", qtbot)
    qtbot.waitUntil(settled(panel, "densmap"))
    kept = panel.saved_results()
    assert len(learn.params) == 1
    panel.layouts._kept.clear()
    panel.restore_results(kept)
    qtbot.waitUntil(settled(panel, "densmap"))
    assert len(learn.params) == 1


def _is_current(entries: QAbstractItemView, index: QModelIndex) -> bool:
    return entries.currentIndex() == index


def test_umap_learn_loads_while_its_entry_is_read(
    panel: MapPanel, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(child_task, "prepare", loaded.append)
    method = panel.method
    qtbot.mouseClick(method, Qt.MouseButton.LeftButton)
    entries = method.view()
    for key, expected in (("pca", 0), ("densmap", 1)):
        index = method.model().index(method.findData(key), 0)
        entries.scrollTo(index)
        qtbot.mouseMove(entries.viewport(), entries.visualRect(index).center())
        qtbot.waitUntil(partial(_is_current, entries, index))
        assert len(loaded) == expected
    method.hidePopup()
