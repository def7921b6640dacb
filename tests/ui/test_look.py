"""Text size, icons and motion: chosen by actions, remembered, and applied to everything at once."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.core.folders import resources
from workbench.session.session import Session
from workbench.ui.base.colours import DARK, LIGHT
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.scaling import (
    TYPE_LARGE,
    figure_units,
    scaled_length,
    set_scaled_size,
    set_text_role,
    text_factor,
)
from workbench.ui.base.scroll_frame import ScrollFrame
from workbench.ui.base.theme import TEXT_SIZES, Theme
from workbench.ui.shell.window import Window
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.map.point_map import PointMap

ICONS = sorted(path for path in (resources() / "icons").glob("*.svg") if path.stem != "workbench")


@pytest.fixture
def theme(context: PanelContext) -> Iterator[Theme]:
    yield context.theme
    context.theme.choose_text_size(100)


def test_widgets_and_lengths_follow_the_size_of_text(theme: Theme, qtbot: QtBot) -> None:
    plain, large, button = (
        QLabel("a"),
        set_text_role(QLabel("b"), TYPE_LARGE, bold=True),
        set_scaled_size(QPushButton("c"), width=50),
    )
    window = QWidget()
    row = QHBoxLayout(window)
    for widget in (plain, large, button):
        row.addWidget(widget)
    theme.dress(window)
    qtbot.addWidget(window)
    window.show()
    for size in (200, 80, 150, 100):
        theme.choose_text_size(size)
        assert (plain.font().pixelSize(), large.font().pixelSize()) == (
            round(0.13 * size),
            round(0.15 * size),
        )
        assert (button.width(), scaled_length(24)) == (size // 2, round(0.24 * size))
        # Changing the theme doesn't change sizes.
        theme.choose("dark")
        assert large.font().pixelSize() == round(0.15 * size)
        theme.choose("light")


def test_other_colours_leave_no_objects_behind(theme: Theme, qtbot: QtBot) -> None:
    window, box = QWidget(), ChoiceBox()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(box)
    box.addItems(["one", "two"])
    box.view()
    theme.dress(window)
    window.show()
    before = len(window.findChildren(QObject))
    for choice in ("dark", "light", "dark", "light"):
        theme.choose(choice)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(window.findChildren(QObject)) == before


class StyleChanges(QObject):
    """Counts how often widgets get another style sheet."""

    number = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.number += event.type() == QEvent.Type.StyleChange
        return False


def test_other_colours_reach_the_window_in_use_first_and_then_the_others(
    theme: Theme, qtbot: QtBot
) -> None:
    windows = [QPlainTextEdit() for _ in range(3)]
    for window in windows:
        theme.dress(window)
        qtbot.addWidget(window)
        window.show()
    with qtbot.waitActive(windows[1]):
        windows[1].activateWindow()
    theme.choose("dark")

    def is_dark(window: QWidget) -> bool:
        return window.palette().color(QPalette.ColorRole.Base).name().upper() == DARK.surface

    dark = [is_dark(window) for window in windows]
    assert dark == [False, True, False]
    qtbot.waitUntil(lambda: all(map(is_dark, windows)))


def test_the_same_colours_are_not_applied_again(theme: Theme, qtbot: QtBot) -> None:
    window, changes = QWidget(), StyleChanges()
    qtbot.addWidget(window)
    theme.dress(window)
    window.show()
    theme.choose("dark")
    window.installEventFilter(changes)
    theme.choose("dark")
    assert changes.number == 0
    # Once, not once without and once with the new one.
    theme.choose("light")
    assert changes.number == 1


def test_a_hidden_frame_fits_its_content_when_it_is_shown(theme: Theme, qtbot: QtBot) -> None:
    window, button = QWidget(), QPushButton("Text in a button")
    frame = ScrollFrame(button)
    column = QVBoxLayout(window)
    column.addWidget(frame)
    qtbot.addWidget(window)
    theme.dress(window)
    window.resize(120, 80)
    window.show()
    frame.hide()
    theme.choose_text_size(200)
    frame.show()
    qtbot.waitUntil(lambda: button.width() == button.minimumSizeHint().width() > 120)


def test_sizes_are_those_there_are(theme: Theme) -> None:
    theme.choose_text_size(1000)
    assert theme.text_size == 200
    assert theme.text_size_after(1) == 200
    theme.choose_text_size(-5)
    assert theme.text_size == theme.text_size_after(-1) == TEXT_SIZES[0] == 80


@pytest.mark.parametrize("name", ["light", "dark"])
def test_what_stands_in_an_empty_field_is_muted_text(theme: Theme, qtbot: QtBot, name: str) -> None:
    """Qt’s default for placeholders, text at half opacity, has too little contrast."""
    field = QLineEdit(placeholderText="Filter")
    theme.dress(field)
    qtbot.addWidget(field)
    field.show()
    theme.choose(name)
    colour = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert colour.name().upper() == theme.palette.muted
    assert colour.alpha() == 255


def test_nothing_is_drawn_where_two_scroll_bars_meet(theme: Theme, qtbot: QtBot) -> None:
    box = QPlainTextEdit("a line\n" * 40)
    box.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    box.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    theme.dress(box)
    qtbot.addWidget(box)
    box.resize(200, 120)
    box.show()
    across, down = box.horizontalScrollBar(), box.verticalScrollBar()
    beside = across.mapTo(box, QPoint(across.width(), 0))
    corner = QRect(beside, QSize(down.width(), across.height()))
    image = box.grab().toImage().copy(corner)
    assert (
        len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) == 1
    )


@pytest.mark.parametrize("role", ["popup", "pages"])
def test_the_current_line_of_a_list_is_marked(theme: Theme, qtbot: QtBot, role: str) -> None:
    lines = QListWidget()
    lines.setProperty("role", role)
    lines.addItems(["queen", "king"])
    theme.dress(lines)
    qtbot.addWidget(lines)
    lines.show()
    lines.setCurrentRow(1)
    image = lines.viewport().grab().toImage()
    grounds = [
        image.pixelColor(QPoint(4, lines.visualItemRect(lines.item(row)).center().y()))
        for row in range(2)
    ]
    assert [ground.name().upper() == theme.palette.accent_soft for ground in grounds] == [
        False,
        True,
    ]


def first_ink(image: QImage, above: int, below: int) -> int:
    """The leftmost column, inside a frame, with something drawn between two heights."""
    ground = image.pixel(3, above)
    return min(
        x
        for x in range(3, image.width())
        for y in range(above, below)
        if image.pixel(x, y) != ground
    )


def test_cells_begin_where_their_heading_does(theme: Theme, qtbot: QtBot) -> None:
    table = QTableWidget(1, 1)
    table.setShowGrid(False)
    table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    table.setHorizontalHeaderLabels(["HH"])
    table.horizontalHeader().setDefaultAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
    table.verticalHeader().hide()
    table.setItem(0, 0, QTableWidgetItem("HH"))
    theme.dress(table)
    qtbot.addWidget(table)
    table.resize(200, 120)
    table.show()
    header = table.horizontalHeader()
    top = header.mapTo(table, QPoint(0, header.height())).y()
    image = table.grab().toImage()
    assert (
        abs(
            first_ink(image, top - header.height() + 2, top - 3)
            - first_ink(image, top + 2, top + 20)
        )
        <= 1
    )


def test_figures_keep_their_own_units(theme: Theme) -> None:
    theme.choose_text_size(200)
    with figure_units():
        assert (scaled_length(24), text_factor()) == (24, 1.0)
    assert scaled_length(24) == 48


def test_keys_change_the_size_of_text_and_it_is_kept(
    theme: Theme, context: PanelContext, qtbot: QtBot
) -> None:
    window = Window(context, remembering=False)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    settings = context.session.settings
    qtbot.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert (theme.text_size, settings.all().get("text_size")) == (110, 110)
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert (theme.text_size, settings.all().get("text_size")) == (90, 90)
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert (theme.text_size, settings.all().get("text_size")) == (100, 100)
    window.close()


def test_a_map_moves_only_where_motion_is_wanted(theme: Theme, qtbot: QtBot) -> None:
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.show()
    view.set_points(["a", "b", "c"], np.array([[0, 0], [1, 0], [0, 1]], dtype=np.float32))
    for choice, moves in (("on", True), ("off", False)):
        theme.choose_motion(choice)
        assert theme.motion is moves
        view.motion = theme.motion
        view.set_positions(view.positions[::-1].copy())
        assert view.moving is moves
    theme.choose_motion("system")
    assert theme.motion in (True, False)


@pytest.mark.parametrize("path", ICONS, ids=lambda path: path.stem)
def test_icons_are_of_one_hand(path: object) -> None:
    """Icons are 16 units square, with lines 1.5 wide and round ends, or shapes without lines."""
    root = ElementTree.fromstring(path.read_text("utf-8"))  # type: ignore[attr-defined]
    assert root.get("viewBox") == "0 0 16 16"
    if root.get("stroke") != "none":
        assert (root.get("stroke-width"), root.get("stroke-linecap")) == ("1.5", "round")
        assert root.get("fill") == "none"
    colours = {element.get(name) for element in root.iter() for name in ("fill", "stroke")}
    assert colours <= {None, "none", "#000000"}


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_icons_have_a_pixel_for_each_of_the_screen(theme: Theme, ratio: float) -> None:
    for size in (16, 20, 32):
        pixmap = theme.icon("search").pixmap(QSize(size, size), ratio)
        assert pixmap.size() == QSize(round(size * ratio), round(size * ratio))


def test_the_text_size_of_a_session_is_taken_at_the_start(
    session: Session, qapp: QApplication
) -> None:
    theme = Theme(qapp, "light", 150, "off")
    assert (theme.text_size, theme.motion) == (150, False)
    assert text_factor() == 1.5
    theme.choose_text_size(100)
    theme.deleteLater()


def test_the_theme_of_the_system_is_followed_when_it_changes(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme = Theme(qapp, "system")
    hints = QGuiApplication.styleHints()
    grounds: list[str] = []
    theme.changed.connect(lambda: grounds.append(theme.palette.ground))
    for scheme, ground in (
        (Qt.ColorScheme.Dark, DARK.ground),
        (Qt.ColorScheme.Light, LIGHT.ground),
    ):
        monkeypatch.setattr(type(hints), "colorScheme", lambda self, scheme=scheme: scheme)
        hints.colorSchemeChanged.emit(scheme)
        assert grounds[-1] == ground
    theme.choose("light")
    monkeypatch.setattr(type(hints), "colorScheme", lambda self: Qt.ColorScheme.Dark)
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.palette.ground == LIGHT.ground
    theme.deleteLater()
