"""Colours of the map: every choice with its legend, invalid files, and both themes."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from ui.map_fakes import WORDS, choose_view, pick, record, settled, show, shown_panel, vectors

from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import DARK, LIGHT, Palette
from workbench.ui.panels.map.layout import PAIR, PCA, PCA_3D, UMAP
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.colour_scheme import Categories, Graded, categories, scale_colours
from workbench.vectors.embeddings import Embeddings


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1))
        qtbot.waitUntil(settled(new_panel, UMAP))
        yield new_panel


def _colour(panel: MapPanel, choice: str, qtbot: QtBot) -> Graded | Categories:
    pick(panel.colours.menu, f"map.colour.{choice}")
    qtbot.waitUntil(lambda: panel.idle and panel.view.shading.meaningful)
    shading = panel.view.shading
    assert isinstance(shading, (Graded, Categories))
    return shading


def test_frequency_is_a_scale(panel: MapPanel, qtbot: QtBot) -> None:
    shading = _colour(panel, "frequency", qtbot)
    assert isinstance(shading, Graded)
    assert (shading.low, shading.high) == ("833", "100,000")
    assert (np.diff(shading.kinds.astype(int)) <= 0).all()  # the most frequent first, brightest
    assert panel.bar.colour.text() == "Frequency"


def test_clusters_are_those_that_were_made(panel: MapPanel, qtbot: QtBot) -> None:
    shading = _colour(panel, "clusters", qtbot)
    assert isinstance(shading, Categories)
    assert len(shading.names) == 4
    for group in range(4):
        assert len(set(shading.kinds[group::4].tolist())) == 1
    assert sum(shading.sizes) == WORDS
    assert isinstance(_colour(panel, "clusters:2", qtbot), Categories)
    qtbot.waitUntil(lambda: len(panel.view.shading.names) == 2)


def test_colours_outlast_another_view_and_come_back_at_the_next_start(
    panel: MapPanel, context: PanelContext, qtbot: QtBot
) -> None:
    before = _colour(panel, "clusters:4", qtbot)
    choose_view(panel, PCA_3D, qtbot)
    qtbot.waitUntil(settled(panel, PCA_3D))
    np.testing.assert_array_equal(panel.view.shading.kinds, before.kinds)
    another = MapPanel(context)
    qtbot.addWidget(another)
    assert another.colours.choice == "clusters:4"
    another.release()


def test_local_trustworthiness_follows_the_map(panel: MapPanel, qtbot: QtBot) -> None:
    first = _colour(panel, "trustworthiness", qtbot)
    assert first.title.startswith("Trustworthiness")
    mean = np.mean([float(text) for text in first.texts])
    assert panel.footer.quality.whole.startswith(f"trustworthiness {mean:.2f}".replace("0.", "."))
    choose_view(panel, PCA_3D, qtbot)
    qtbot.waitUntil(lambda: settled(panel, PCA_3D)() and panel.view.shading.texts != first.texts)


def test_sections_of_a_question_file(
    panel: MapPanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(
        ": people\nman woman Word0 word1\n: money\npoor rich man woman\n", encoding="utf-8"
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    pick(panel.colours.menu, "map.colour.questions")
    qtbot.waitUntil(lambda: panel.idle and panel.view.shading.meaningful)
    shading = panel.view.shading
    assert isinstance(shading, Categories)
    by_word = dict(zip(panel.view.words, shading.texts, strict=True))
    assert (by_word["man"], by_word["word0"], by_word["poor"], by_word["word9"]) == (
        "people",
        "people",
        "money",
        "",
    )
    assert shading.rest == "none"
    # Colours of one section show the position of a word in the questions.
    one = _colour(panel, "section:money", qtbot)
    qtbot.waitUntil(lambda: panel.view.shading.title == "Section “money”")
    by_word = dict(zip(panel.view.words, panel.view.shading.texts, strict=True))
    assert by_word["poor"] == by_word["man"] == "first and third word"
    assert by_word["rich"] == "second and fourth word"
    assert one is not None


def test_a_file_is_read_once_although_a_moving_map_asks_for_its_colours_again(
    panel: MapPanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(": people\nman woman word0 word1\n", encoding="utf-8")
    read: list[Path] = []

    def read_file(path: Path) -> Questions:
        read.append(path)
        return load_questions(path)

    colours = panel.colours
    monkeypatch.setattr(colours.modes["section"], "read", read_file)
    colours.restore_file("section", str(path))
    colours.choose("section")
    assert colours.layout is not None
    for _ in range(3):
        colours.set_layout(colours.layout, final=False)
    qtbot.waitUntil(lambda: panel.idle and panel.view.shading.meaningful)
    assert read == [path]


def test_a_column_of_ones_own(
    panel: MapPanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "age.tsv"
    path.write_text("man\t40\nwoman\t20\nword0\t30\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    pick(panel.colours.menu, "map.colour.file")
    qtbot.waitUntil(lambda: panel.idle and panel.view.shading.meaningful)
    shading = panel.view.shading
    assert isinstance(shading, Graded)
    assert (shading.title, shading.low, shading.high, shading.unknown) == (
        "age",
        "20",
        "40",
        WORDS - 3,
    )
    # A file that isn’t a table is reported, and the colours don't change.
    path.write_text("no table", encoding="utf-8")
    pick(panel.colours.menu, "map.colour.file")
    qtbot.waitUntil(lambda: "no tab in" in panel.footer.notice.whole)
    assert panel.view.shading is shading
    choose_view(panel, PCA, qtbot)
    assert panel.footer.notice.whole == ""


def test_labels_and_points_leave_the_legend_free(panel: MapPanel, qtbot: QtBot) -> None:
    _colour(panel, "clusters", qtbot)
    qtbot.waitUntil(lambda: not panel.view.moving)
    box = panel.view._legend.box(panel.view.shading, QSizeF(panel.view.size()))
    assert box is not None
    assert not any(label.box.intersects(box) for label in panel.view.labels)
    places = [panel.view.pixel(word) for word in panel.view.words]
    assert not any(box.contains(place) for place in places)


def _contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of WCAG 2, from relative luminances."""

    def light(colour: QColor) -> float:
        parts = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
            for c in colour.getRgbF()[:3]
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_is_seen_on_the_ground(palette: Palette) -> None:
    ground = QColor(palette.ground)
    shading = categories("k", [str(number) for number in range(9)])
    shades = [QColor.fromRgba(int(shade)) for shade in shading.shades(palette)]
    assert len(shades) == 7
    assert all(_contrast(shade, ground) >= 2.9 for shade in shades[:-1])
    assert all(_contrast(shade, ground) >= 1.5 for shade in scale_colours(palette))
    distances = [
        sum((a - b) ** 2 for a, b in zip(one.getRgb()[:3], two.getRgb()[:3], strict=True)) ** 0.5
        for place, one in enumerate(shades)
        for two in shades[:place]
    ]
    assert min(distances) > 60


def test_nine_categories_have_six_colours_and_a_rest() -> None:
    shading = categories("k", ["a"] * 3 + ["b"] * 2 + list("cdefghi") + [""])
    assert shading.names[:2] == ("a", "b")
    assert len(shading.names) == 6
    assert shading.rest == "3 others or no value"
    assert shading.kinds[-1] == 6


def test_another_model_has_clusters_of_its_own(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    before = _colour(panel, "clusters:4", qtbot)
    # The same words with other vectors, two groups merged.
    model = vectors(3)
    table = np.array(model.vectors)
    table[1::4] = table[0::4]
    other = record(2, Embeddings(model.words, table, model.counts))
    session.runs.append(other)
    session.active.show(other)
    qtbot.waitUntil(lambda: settled(panel, UMAP)() and panel.view.shading.title != before.title)
    kinds = panel.view.shading.kinds
    assert (kinds[0::4] == kinds[1::4]).all()


def test_of_two_models_the_first_one_colours(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    before = _colour(panel, "clusters:4", qtbot)
    session.runs.append(record(2, vectors(2, first=10)))
    session.runs.changed.emit()
    choose_view(panel, PAIR, qtbot)
    qtbot.waitUntil(lambda: settled(panel, PAIR)() and panel.view.shading.meaningful)
    shading = panel.view.shading
    assert isinstance(shading, Categories)
    by_word = dict(zip(panel.view.words, shading.texts, strict=True))
    assert all(
        by_word[f"word{row}"] == text
        for row, text in enumerate(before.texts)
        if f"word{row}" in by_word
    )
    assert by_word["word129"] == ""
    # With two models, no layout is rated; with one, the choice has an effect again.
    pick(panel.colours.menu, "map.colour.trustworthiness")
    qtbot.waitUntil(lambda: not panel.view.shading.meaningful)
    choose_view(panel, PCA_3D, qtbot)
    qtbot.waitUntil(
        lambda: settled(panel, PCA_3D)() and panel.view.shading.title.startswith("Trust")
    )
