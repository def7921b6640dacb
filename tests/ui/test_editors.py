"""Fields of numbers that have a range of their own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from workbench.ui.widgets.editors import IntBox


@pytest.mark.parametrize("suffix", ["", " seeds"])
@pytest.mark.parametrize(
    ("typed", "taken", "told"), [("99999", 2000, True), ("1", 2, True), ("2.5", 2, False), ("1,999", 1999, False)]
)
def test_what_is_typed_beyond_the_range_becomes_its_end_and_is_told(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, suffix: str, typed: str, taken: int, told: bool
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *_: said.append(text))
    box = IntBox()
    qtbot.addWidget(box)
    box.setRange(2, 2000)
    box.setSuffix(suffix)
    box.setKeyboardTracking(False)
    box.setValue(25)
    box.show()
    box.selectAll()
    qtbot.keyClicks(box, typed)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == taken
    assert said == (["From 2 to 2,000."] if told else [])
