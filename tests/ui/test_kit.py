"""The words that build panels: everything lies where Qt's own layouts, filled by hand, put it."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench import ui
from workbench.ui import kit
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.theme import Theme
from workbench.ui.plots.chart import Chart, ChartSeries

_SIZES = {"a": (30, 20), "b": (50, 24), "c": (70, 12), "d": (16, 40)}
_TOP, _MIDDLE = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignHCenter


class _Block(QWidget):
    """A widget with a preferred size, and a name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setMinimumSize(*_SIZES[name])


class _Blocks:
    """Makes each named block once."""

    def __getattr__(self, name: str) -> _Block:
        return _Block(name)


def _places(host: QWidget, qtbot: QtBot) -> dict[str, QRect]:
    """Where each block lies in a host of 400 × 300 pixels."""
    qtbot.addWidget(host)
    host.resize(400, 300)
    host.show()
    return {
        block.objectName(): QRect(block.mapTo(host, QPoint(0, 0)), block.size())
        for block in host.findChildren(_Block)
    }


def _by_hand(layout: QBoxLayout | QGridLayout) -> None:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)


def _column_by_hand(host: QWidget, block: _Blocks) -> None:
    column = QVBoxLayout(host)
    _by_hand(column)
    column.addWidget(block.a)
    column.addWidget(block.b, 2)
    column.addSpacing(13)
    column.addWidget(block.c, 0, _MIDDLE)
    column.addStretch(1)


def _rows_by_hand(host: QWidget, block: _Blocks) -> None:
    column = QVBoxLayout(host)
    column.setContentsMargins(4, 5, 6, 7)
    column.setSpacing(0)
    above = QHBoxLayout()
    above.setSpacing(3)
    above.addWidget(block.a, 1)
    above.addWidget(block.b, 0, _TOP)
    column.addLayout(above, 3)
    below = QHBoxLayout()
    _by_hand(below)
    below.addStretch()
    below.addWidget(block.c)
    below.addWidget(block.d)
    column.addLayout(below)


def _grid_by_hand(host: QWidget, block: _Blocks) -> None:
    grid = QGridLayout(host)
    grid.setContentsMargins(9, 2, 9, 2)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(1)
    grid.addWidget(block.a, 0, 0)
    grid.addWidget(block.b, 0, 2, _TOP)
    grid.addWidget(block.c, 1, 0, 1, 2)
    grid.addWidget(block.d, 1, 2)
    grid.setColumnStretch(1, 1)


def _style_by_hand(host: QWidget, block: _Blocks) -> None:
    """Without a word about margins and gaps: those of the style."""
    column = QVBoxLayout(host)
    column.addWidget(block.a)
    column.addWidget(block.b)


def _split_by_hand(host: QWidget, block: _Blocks) -> None:
    left = QWidget()
    column = QVBoxLayout(left)
    _by_hand(column)
    column.addWidget(block.a)
    column.addWidget(block.b, 1)
    parts = QSplitter(Qt.Orientation.Horizontal)
    parts.addWidget(left)
    parts.addWidget(block.c)
    parts.setChildrenCollapsible(False)
    parts.setStretchFactor(0, 1)
    parts.setStretchFactor(1, 3)
    parts.setSizes([100, 250])
    whole = QVBoxLayout(host)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(parts)


def _column(block: _Blocks) -> QLayout:
    return kit.column(
        block.a, kit.stretch(block.b, 2), kit.space(13), kit.centred(block.c), kit.stretch(share=1)
    )


def _rows(block: _Blocks) -> QLayout:
    above = kit.row(kit.stretch(block.a), kit.at_top(block.b), gap=3)
    below = kit.row(kit.stretch(), block.c, block.d)
    return kit.column(kit.stretch(above, 3), below, gap=0, margins=(4, 5, 6, 7))


def _grid(block: _Blocks) -> QLayout:
    return kit.grid(
        (block.a, None, kit.at_top(block.b)),
        (kit.across(block.c, 2), block.d),
        row_gap=1,
        margins=(9, 2),
        shares=(0, 1),
    )


def _style(block: _Blocks) -> QLayout:
    return kit.column(block.a, block.b, gap=None, margins=None)


def _split(block: _Blocks) -> QWidget:
    left = kit.column(block.a, kit.stretch(block.b))
    return kit.split(left, block.c, shares=(1, 3), sizes=(100, 250))


@pytest.mark.parametrize(
    ("build", "oracle", "names"),
    [
        (_column, _column_by_hand, "abc"),
        (_rows, _rows_by_hand, "abcd"),
        (_grid, _grid_by_hand, "abcd"),
        (_style, _style_by_hand, "ab"),
        (_split, _split_by_hand, "abc"),
    ],
)
def test_parts_lie_where_layouts_by_hand_put_them(
    build: Callable[[_Blocks], kit.Part],
    oracle: Callable[[QWidget, _Blocks], None],
    names: str,
    qtbot: QtBot,
) -> None:
    expected_host = QWidget()
    oracle(expected_host, _Blocks())
    expected = _places(expected_host, qtbot)
    assert set(expected) == set(names)
    assert _places(kit.fill(QWidget(), build(_Blocks())), qtbot) == expected
    # A box that nothing refers to any more keeps its parts.
    host = kit.fill(QWidget(), build(_Blocks()))
    gc.collect()
    assert _places(host, qtbot) == expected


def test_a_box_is_a_widget_that_can_be_hidden(qtbot: QtBot) -> None:
    hidden = kit.box(kit.row(_Block("b")))
    host = kit.fill(QWidget(), kit.column(hidden, _Block("a"), kit.stretch()))
    assert _places(host, qtbot)["a"].top() == 24 + kit.SPACE_2
    hidden.hide()
    host.layout().activate()
    assert _places(host, qtbot)["a"].top() == 0


def test_a_bar_takes_widgets_and_stretches_only(qtbot: QtBot) -> None:
    bar = kit.bar(_Block("a"), kit.stretch(), _Block("b"))
    places = _places(kit.fill(QWidget(), kit.column(bar, kit.stretch())), qtbot)
    assert places["a"].left() == 0
    assert places["b"].right() == 399
    for part in (kit.space(4), kit.row(_Block("c"))):
        with pytest.raises(TypeError):
            kit.add(kit.Bar(), part)


def test_focus_moves_in_the_order_on_the_screen(qtbot: QtBot) -> None:
    """However the boxes were put together."""
    buttons = {name: kit.button(name) for name in "dcab"}
    below = kit.row(buttons["c"], buttons["d"])
    host = kit.fill(QWidget(), kit.column(kit.row(buttons["a"], buttons["b"]), below))
    qtbot.addWidget(host)
    host.show()
    order = [one.text() for one in host.findChildren(type(buttons["a"]))]
    assert order == ["a", "b", "c", "d"]


def test_labels_and_buttons_carry_role_name_and_text(qtbot: QtBot) -> None:
    label = kit.label("<b>{}", role="small", name="corpus.fact", wrap=True, selectable=True)
    qtbot.addWidget(label)
    assert (label.text(), label.objectName(), label.property("role")) == (
        "<b>{}",
        "corpus.fact",
        "small",
    )
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.wordWrap()
    assert label.textInteractionFlags() == Qt.TextInteractionFlag.TextSelectableByMouse
    pressed: list[bool] = []
    button = kit.button("Q&A", role="quiet", checkable=True, pressed=lambda on: pressed.append(on))
    qtbot.addWidget(button)
    # No letter becomes a mnemonic.
    assert button.text() == "Q&&A"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pressed == [True]
    sign = kit.text_button("⇄", pressed=lambda on: pressed.append(on))
    qtbot.addWidget(sign)
    qtbot.mouseClick(sign, Qt.MouseButton.LeftButton)
    assert pressed == [True, False]


def _ink(button: kit.IconButton) -> int:
    """Sum of the colours of the icon's opaque pixels."""
    picture = button.icon().pixmap(16, 16).toImage()
    colours = [picture.pixelColor(x, y) for x in range(16) for y in range(16)]
    return sum(one.red() + one.green() + one.blue() for one in colours if one.alpha() > 200)


def test_an_icon_follows_the_theme(context: PanelContext, qtbot: QtBot) -> None:
    theme: Theme = context.theme
    theme.choose("light")
    button = kit.icon_button(theme, "folder")
    qtbot.addWidget(button)
    dark_ink = _ink(button)
    theme.choose("dark")
    assert _ink(button) > 2 * dark_ink
    button.show_icon("close")
    close = theme.icon("close", "text").pixmap(16, 16).toImage()
    assert button.icon().pixmap(16, 16).toImage() == close
    # The theme lives as long as the program, and keeps no button alive.
    gone = weakref.ref(kit.icon_button(theme, "folder"))
    gc.collect()
    assert gone() is None
    theme.choose("light")


def test_a_choice_starts_at_its_value(qtbot: QtBot) -> None:
    box = kit.ChoiceBox.of({5: "five", 0: "all", "x": "other"}, 0, letters=9)
    qtbot.addWidget(box)
    assert [(box.itemText(at), box.itemData(at)) for at in range(box.count())] == [
        ("five", 5),
        ("all", 0),
        ("other", "x"),
    ]
    assert (box.currentData(), box.minimumContentsLength()) == (0, 9)
    unknown = kit.ChoiceBox.of({5: "five", 0: "all"}, 7)
    qtbot.addWidget(unknown)
    assert unknown.currentData() == 5


@pytest.mark.parametrize("tracking", [False, True])
def test_a_number_changes_when_it_is_finished(tracking: bool, qtbot: QtBot) -> None:
    box = kit.IntBox.of(1, 500, 40, prefix="first ", suffix=" words", tracking=tracking)
    qtbot.addWidget(box)
    box.show()
    changed: list[int] = []
    box.valueChanged.connect(changed.append)
    box.selectAll()
    qtbot.keyClicks(box, "123")
    assert changed == ([1, 12, 123] if tracking else [])
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert (changed[-1], box.minimum(), box.maximum()) == (123, 1, 500)
    assert box.text() == "first 123 words"


class _Toy(Panel):
    key = "toy"


def test_views_carry_their_names_and_files(context: PanelContext, qtbot: QtBot) -> None:
    panel = _Toy(context)
    qtbot.addWidget(panel)
    files = kit.Files("numbers", "Export the numbers")
    table = kit.table(panel, "numbers", "Numbers", "All of them", files=files)
    chart = kit.chart(panel, "curve", "A curve", files=kit.Files("curve", "Export the curve"))
    plain = kit.table(panel, "plain", "Without files")
    export = kit.export_button(panel, lambda: table.export)
    kit.fill(panel.body, kit.column(table, chart, plain, export))
    assert (table.objectName(), table.accessibleName(), table.toolTip()) == (
        "toy.numbers",
        "Numbers",
        "All of them",
    )
    assert (chart.objectName(), export.objectName()) == ("toy.curve", "toy.export")
    assert plain.export is None
    table.set_columns([kit.TableColumn("n", [3, 1, 2]), kit.TableColumn("square", [9, 1, 4])])
    table.sort_by(0, descending=False)
    assert table.export is not None
    assert table.export.title == "Export the numbers"
    assert table.export.offers("data")
    assert not table.export.offers("figure")
    table.export.copy()
    assert QGuiApplication.clipboard().text().split() == ["n,square", "1,1", "2,4", "3,9"]
    assert chart.export is not None
    chart.set_chart(Chart("x", "y", (ChartSeries(np.array([1.0]), np.array([2.0]), name="one"),)))
    assert chart.export.offers("figure")
    assert not chart.export.why_not


# A stack of pages, and the window’s status bar, which are no layouts.
_OF_QT = {"preferences/dialog.py", "shell/window.py"}


def test_panels_and_dialogs_are_built_with_the_kit() -> None:
    by_hand = re.compile(r"Q(VBox|HBox|Grid)Layout\(|\.add(Widget|Layout)\(|\.addStretch\(")
    folder = Path(ui.__file__).parent
    found = {
        str(path.relative_to(folder))
        for part in ("panels", "dialogs", "preferences", "shell", "commands")
        for path in (folder / part).rglob("*.py")
        if by_hand.search(path.read_text("utf-8"))
    }
    assert found == _OF_QT
