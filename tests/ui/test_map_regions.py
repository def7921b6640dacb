"""Regions on the map: the default colours, positions of names, mouse and keys, and every export."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from ui.map_fakes import WORDS, choose_view, pick, record, settled, show, shown_panel, vectors

from workbench.analysis.projection.density import density
from workbench.analysis.projection.regions import regions_of
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.session.settings.session_settings import MAP_METHOD
from workbench.ui.base.colours import contrast_ratio
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import DARK, LIGHT, Palette
from workbench.ui.panels.map.export import save_map
from workbench.ui.panels.map.layout import PCA_3D, UMAP, UMAP_3D
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.colour_scheme import Categories, region_colours
from workbench.ui.widgets.map.regions import (
    OtherSeeds,
    RegionLabel,
    RegionLayer,
    RegionLevel,
    RegionShading,
    rectangle,
)
from workbench.ui.widgets.map.viewport import Viewport
from workbench.vectors.embeddings import Embeddings


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1))
        qtbot.waitUntil(settled(new_panel, UMAP))
        qtbot.waitUntil(lambda: new_panel.idle)
        yield new_panel


def layer_of(panel: MapPanel) -> RegionLayer:
    shading = panel.view.shading
    assert isinstance(shading, RegionShading)
    assert shading.layer is not None
    return shading.layer


def labels_of(panel: MapPanel) -> tuple[RegionLabel, ...]:
    """Labels of the level whose names are shown."""
    return layer_of(panel).level_in(panel.view.viewport).labels


def name_of(panel: MapPanel, region: int) -> QPointF:
    """The centre of a region's name, in pixels."""
    view = panel.view
    boxes = dict(layer_of(panel).boxes(view.viewport, view._labels.text))
    return boxes[region].center()


def test_the_map_names_its_regions_by_default(panel: MapPanel) -> None:
    layer = layer_of(panel)
    assert panel.bar.colour.text() == "Regions"
    assert [level.regions.number for level in layer.levels] == [4]
    for level in layer.levels:
        for region, label in enumerate(level.labels):
            rows = np.flatnonzero(level.regions.labels == region)
            assert list(label.words) == [panel.view.words[row] for row in rows.tolist()]
            assert set(label.name.split(", ")) <= set(label.words)
            assert label.trust is not None
            assert len({row % 4 for row in rows.tolist()}) == 1
    # The text of this model isn't open, so contexts can't be counted.
    assert all(label.contexts == "" for label in labels_of(panel))
    assert len(set(layer.kinds.tolist())) > 1


def rare(words: int = 1500, most: float = 400.0) -> Embeddings:
    """The fakes with counts as those of a small text."""
    known = vectors(0, words)
    counts = np.maximum(most * 45 / np.arange(1, words + 1), 2).astype(np.int64)
    return Embeddings(known.words, known.vectors, counts)


def test_too_little_text_has_no_regions_but_a_remedy(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    with shown_panel(context, monkeypatch, qtbot) as panel:
        show(session, record(1, rare()))
        qtbot.waitUntil(settled(panel, UMAP))
        qtbot.waitUntil(lambda: panel.idle)
        shading = panel.view.shading
        assert isinstance(shading, RegionShading)
        assert shading.layer is None
        assert panel.view.labels
        assert panel.footer.notice.whole == (
            "Too little text for regions. Show fewer words or train for more epochs."
        )
        assert panel.footer.link.text() == "Show 500 words"
        QTest.mouseClick(panel.footer.link, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: len(panel.view.words) == 500 and panel.idle)
        assert layer_of(panel).levels[0].regions.number >= 4
        assert panel.footer.notice.whole == ""


def test_vectors_that_are_all_alike_need_more_epochs(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    model = rare(450, 4.0)
    alike = Embeddings(model.words, model.vectors + 6.0, model.counts)
    with shown_panel(context, monkeypatch, qtbot) as panel:
        show(session, record(1, alike))
        qtbot.waitUntil(settled(panel, UMAP))
        qtbot.waitUntil(lambda: panel.idle)
        words = "Too little text for regions. Train for more epochs."
        assert panel.footer.notice.whole == words
        pick(panel.colours.menu, "map.colour.plain")
        qtbot.waitUntil(lambda: panel.footer.notice.whole == "")


def test_no_word_is_written_over_a_name(panel: MapPanel) -> None:
    view = panel.view
    names = layer_of(panel).boxes(view.viewport, view._labels.text)
    assert len(names) >= 4
    for label in view.labels:
        assert not any(box.intersects(label.box.adjusted(4, 4, -4, -4)) for _, box in names)


def test_names_stay_while_the_pointer_draws_lines_to_neighbours(panel: MapPanel) -> None:
    view = panel.view
    names = view._names(layer_of(panel)).spots
    assert len(names) >= 4
    screen = view.viewport.to_screen(view.positions)
    for spot in names:
        centre = np.array([rectangle(spot.box).center().x(), rectangle(spot.box).center().y()])
        near = np.argsort(np.hypot(*(screen - centre).T))[:7].tolist()
        word, *others = (view.words[row] for row in near)
        view.set_links(word, tuple((other, 0.9) for other in others))
        view.grab()
        assert view._names(layer_of(panel)).spots == names
        for label in view.labels:
            word = label.box.adjusted(4, 4, -4, -4)
            assert not any(rectangle(name.box).intersects(word) for name in names)


def test_a_click_on_a_name_selects_the_words_of_its_region(panel: MapPanel, qtbot: QtBot) -> None:
    view = panel.view
    box = dict(layer_of(panel).boxes(view.viewport, view._labels.text))[2]
    at = next(
        QPointF(x, box.center().y())
        for x in np.linspace(box.left() + 1, box.right() - 1, 40).tolist()
        if view._row_at(QPointF(x, box.center().y())) < 0
    )
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert sorted(panel.session.selection.words) == sorted(labels_of(panel)[2].words)


def test_a_name_tells_of_its_region(panel: MapPanel) -> None:
    at = name_of(panel, 1).toPoint()
    place = panel.view.mapToGlobal(at)
    QApplication.sendEvent(panel.view, QHelpEvent(QEvent.Type.ToolTip, at, place))
    assert "words" in QToolTip.text()
    assert "trustworthiness" in QToolTip.text()
    away = QPoint(2, 2)
    QApplication.sendEvent(
        panel.view, QHelpEvent(QEvent.Type.ToolTip, away, panel.view.mapToGlobal(away))
    )
    assert panel.view.region_at(QPointF(away)) is None


def seed_run(number: int, embeddings: Embeddings | None = None) -> RunRecord:
    new_run = record(number, embeddings)
    new_run.algorithm, new_run.parameters = "sgns", {"seed": number}
    return new_run


def tip_at(panel: MapPanel, at: QPoint) -> list[str]:
    place = panel.view.mapToGlobal(at)
    QApplication.sendEvent(panel.view, QHelpEvent(QEvent.Type.ToolTip, at, place))
    return html.unescape(QToolTip.text()).replace("<br>", "\n").splitlines()


def scattered_model() -> Embeddings:
    """The words of the fakes with random vectors, without clusters."""
    model = vectors()
    table = np.random.default_rng(7).normal(size=model.vectors.shape).astype(np.float32)
    return Embeddings(model.words, table, model.counts)


def test_a_region_tells_whether_it_survives_other_seeds(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    first = seed_run(11)
    show(session, first)
    qtbot.waitUntil(lambda: panel.idle and panel.seen.record is first)
    qtbot.waitUntil(lambda: labels_of(panel)[0].seeds == OtherSeeds(0))
    at = name_of(panel, 1).toPoint()
    label = labels_of(panel)[1]
    lines = tip_at(panel, at)
    assert lines[0] == ", ".join(label.central)
    assert 3 <= len(label.central) <= 5
    assert set(label.name.split(", ")) <= set(label.central)
    assert lines[1:] == [
        f"{len(label.words)} words",
        "trustworthiness " + f"{label.trust:.2f}"[1:],
        "no runs with other seeds",
    ]
    # The second run, with the same settings, has the same clusters; the third has none.
    session.runs.records.append(seed_run(12))
    session.runs.changed.emit()
    qtbot.waitUntil(lambda: panel.idle and labels_of(panel)[1].seeds == OtherSeeds(1, 1, 1.0))
    session.runs.records.append(seed_run(13, scattered_model()))
    session.runs.changed.emit()
    qtbot.waitUntil(lambda: panel.idle and labels_of(panel)[1].seeds[:2] == (2, 1))
    last = tip_at(panel, at)[-1]
    assert last.startswith("reproduced with other seeds: 1 of 2 (")
    assert last.endswith("% of its words stay together)")


def test_a_region_tells_of_itself_beside_its_name(panel: MapPanel) -> None:
    view = panel.view
    free = next(
        point
        for x in range(10, view.width() - 10, 7)
        for y in range(10, view.height() - 10, 7)
        if (point := QPointF(x, y))
        and view._row_at(point) < 0
        and view.region_at(point) is None
        and view.region_under(point) is not None
    )
    label = view.region_under(free)
    assert label in labels_of(panel)
    assert tip_at(panel, free.toPoint())[0] == ", ".join(label.central)
    assert view.region_under(QPointF(1, 1)) is None


@pytest.mark.parametrize("method", [PCA_3D, UMAP_3D])
def test_a_solid_map_has_the_colours_of_the_regions(
    panel: MapPanel, method: str, qtbot: QtBot
) -> None:
    flat = panel.view.shading
    choose_view(panel, method, qtbot)
    qtbot.waitUntil(settled(panel, method))
    solid = panel.view.shading
    assert isinstance(solid, RegionShading)
    np.testing.assert_array_equal(solid.kinds, flat.kinds)
    assert len(np.unique(solid.kinds)) > 1
    # The density would hide what is behind it, so only the names are drawn.
    assert solid.layer is not None
    spots = panel.view._names(solid.layer).spots
    assert spots
    level = solid.layer.level_in(panel.view.viewport)
    screen = panel.view._on_screen()
    for spot in spots:
        middle = np.median(screen[level.regions.labels == spot.region], axis=0)
        at = rectangle(spot.box).center()
        assert np.hypot(at.x() - middle[0], at.y() - middle[1]) < 250
    centre = rectangle(spots[0].box).center()
    assert panel.view.region_at(centre) is level.labels[spots[0].region]
    # Names follow the map as it turns.
    panel.view.turn(0.5, 0.2)
    assert panel.view._names(solid.layer) != spots


def test_a_solid_map_that_comes_first_has_them_too(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    session.settings[MAP_METHOD] = UMAP_3D
    with shown_panel(context, monkeypatch, qtbot) as panel:
        show(session, record(1))
        qtbot.waitUntil(settled(panel, UMAP_3D))
        qtbot.waitUntil(lambda: panel.idle and isinstance(panel.view.shading, RegionShading))
        colours = panel.view.shading.kinds
        choose_view(panel, UMAP, qtbot)
        qtbot.waitUntil(settled(panel, UMAP))
        qtbot.waitUntil(lambda: isinstance(panel.view.shading, RegionShading))
        np.testing.assert_array_equal(panel.view.shading.kinds, colours)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_farthest_point_of_a_solid_map_is_visible(
    panel: MapPanel, palette: Palette, context: PanelContext, qtbot: QtBot
) -> None:
    context.theme.choose("dark" if palette.dark else "light")
    choose_view(panel, PCA_3D, qtbot)
    qtbot.waitUntil(settled(panel, PCA_3D))
    panel.view.grab()
    kinds, shades = panel.view._points._kinds(palette)
    fades = panel.view._points._fades
    assert fades is not None
    regional = panel.view.shading.kinds < len(region_colours(palette))
    for shade in shades[kinds[regional & (fades == fades.max())]].tolist():
        assert contrast_ratio(QColor.fromRgba(shade).name(), palette.ground) > 1.6


def test_another_colour_takes_the_regions_away(panel: MapPanel, qtbot: QtBot) -> None:
    pick(panel.colours.menu, "map.colour.plain")
    qtbot.waitUntil(lambda: not isinstance(panel.view.shading, RegionShading))
    assert panel.view.region_at(QPointF(panel.view.rect().center())) is None
    pick(panel.colours.menu, "map.colour.regions")
    qtbot.waitUntil(lambda: isinstance(panel.view.shading, RegionShading))


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".tsv"])
def test_every_export_has_the_regions(panel: MapPanel, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map{suffix}"
    assert panel._layout is not None
    save_map(path, panel.view, panel._layout)
    names = [label.name for label in labels_of(panel)]
    if suffix == ".svg":
        root = ElementTree.parse(path).getroot()
        texts = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
        assert set(names) <= texts
        assert not list(root.iter("{http://www.w3.org/2000/svg}image"))
    elif suffix == ".tsv":
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].endswith("Regions")
        assert sum(any(name in line for name in names) for line in lines) > 0.8 * WORDS
    else:
        assert path.stat().st_size > 10_000


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_glow_has_the_hue_of_the_region(qapp: QApplication, palette: Palette) -> None:
    random = np.random.default_rng(0)
    positions = np.concatenate(
        [random.normal(size=(300, 2)) + np.array([side, 0]) for side in (-6, 6)]
    ).astype(np.float32)
    labels = np.repeat([0, 1], 300).astype(np.int32)
    (regions,) = regions_of((labels, labels, labels), positions)
    names = tuple(RegionLabel(name, "", (name,)) for name in ("left", "right"))
    layer = RegionLayer(density(positions), [RegionLevel(regions, names)], positions)
    view = Viewport().resize_to(600, 300).fit_to(positions)
    image = QImage(600, 300, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    layer.draw(painter, view, palette, False)
    painter.end()
    places = view.to_screen(regions.places.astype(np.float32))
    hues = region_colours(palette)
    for row, (x, y) in zip((0, 300), places[regions.labels[[0, 300]]].tolist(), strict=True):
        colour = image.pixelColor(int(x), int(y))
        apart = abs(colour.hsvHueF() - hues[layer.kinds[row]].hsvHueF())
        assert min(apart, 1 - apart) < 0.06
        assert colour.alpha() > 30
    assert image.pixelColor(2, 2).alpha() < 8


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_all_hues_of_regions_are_visible_and_different(palette: Palette) -> None:
    hues = region_colours(palette)
    assert len({hue.name() for hue in hues}) == len(hues) == 24
    for hue in hues:
        assert contrast_ratio(hue.name(), palette.ground) > 3


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_no_category_has_the_colour_of_arrows(palette: Palette) -> None:
    names = tuple("abcdef")
    shades = Categories(np.zeros(0, np.uint8), names=names).shades(palette)
    assert len(set(shades.tolist())) == 7
    assert QColor(palette.runs[1]).rgba() not in shades.tolist()
