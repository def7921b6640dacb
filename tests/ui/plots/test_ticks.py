"""Round values along axes, and their number format."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from workbench.ui.base.theme import TYPE_SMALL, body_font
from workbench.ui.plots.axis import BOTTOM, Axis
from workbench.ui.plots.frame import Frame
from workbench.ui.plots.ticks import log_ticks, nice_ticks, tick_texts


@pytest.mark.parametrize(
    ("ends", "number", "expected"),
    [
        ((0.0, 1.0), 5, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        ((-1.0, 1.0), 2, [-1.0, 0.0, 1.0]),
        ((3.0, 3.0), 5, [3.0]),
    ],
)
def test_ticks_of_a_linear_axis(
    ends: tuple[float, float], number: int, expected: list[float]
) -> None:
    assert nice_ticks(*ends, number) == pytest.approx(expected)


def test_a_logarithmic_axis_has_as_many_ticks_as_there_is_room_for() -> None:
    assert log_ticks(0.0, 6.0, 7) == [10.0**power for power in range(7)]
    assert log_ticks(0.0, 1.0, 4) == [1.0, 2.0, 5.0, 10.0]
    assert len(log_ticks(0.0, 6.0, 3)) <= 3
    # Over a range below a factor of three, the ticks are those of a linear axis.
    assert log_ticks(1.0, 1.2, 4) == pytest.approx([10.0, 12.0, 14.0])


def test_texts_of_ticks() -> None:
    powers = [10.0**power for power in range(7)]
    assert tick_texts(powers, log=True) == ["1", "10", "100", "1,000", "10,000", "100,000", "1 M"]
    shares = [1e-8, 1e-5, 1e-2, 1.0]
    assert tick_texts(shares, log=True, scale=100.0) == ["10⁻⁶", "0.001", "1", "100"]
    assert tick_texts([0.01, 1.0], log=True) == ["0.01", "1"]
    assert tick_texts([-0.5, 0.0, 0.5]) == ["−0.5", "0.0", "0.5"]
    assert tick_texts([-0.0, 1.0]) == ["0", "1"]
    assert tick_texts([0.0, 20000.0]) == ["0", "20,000"]
    assert tick_texts([0.0, 2e6]) == ["0", "2 M"]


def test_labels_of_an_axis_never_touch(qapp: QApplication) -> None:
    axis, metrics = Axis(BOTTOM), QFontMetricsF(body_font(TYPE_SMALL, tabular=True))
    for width in range(80, 900, 37):
        for low, high in ((0.3, 4.6), (2.0, 4.9), (-8.0, 0.0), (3.9, 4.7)):
            area = QRectF(0, 0, width, 100)
            frame = Frame(area, area, (low, high), (0.0, 1.0), log_x=True)
            values = axis.ticks(frame)
            texts = axis.texts(values, frame)
            halves = [metrics.horizontalAdvance(text) / 2 for text in texts]
            places = frame.x(values).tolist()
            ends = [(x - half, x + half) for x, half in zip(places, halves, strict=True)]
            assert len(values) >= 1
            assert all(a[1] < b[0] for a, b in pairwise(ends)), (width, low, texts)
