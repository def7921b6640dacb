"""Number fields with a range."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from workbench.core import language
from workbench.ui.widgets.inputs.editors import FloatBox, IntBox


@pytest.mark.parametrize("suffix", ["", " seeds"])
@pytest.mark.parametrize(
    ("entry", "value", "has_tip"),
    [("99999", 2000, True), ("1", 2, True), ("2.5", 2, False), ("1,999", 1999, False)],
)
def test_what_is_typed_beyond_the_range_becomes_its_end_and_is_told(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    suffix: str,
    entry: str,
    value: int,
    has_tip: bool,
) -> None:
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *_: tips.append(text))
    box = IntBox()
    qtbot.addWidget(box)
    box.setRange(2, 2000)
    box.setSuffix(suffix)
    box.setKeyboardTracking(False)
    box.setValue(25)
    box.show()
    box.selectAll()
    qtbot.keyClicks(box, entry)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == value
    assert tips == (["Enter a value from 2 to 2,000."] if has_tip else [])


@pytest.fixture(params=[QLocale.Language.English, QLocale.Language.German])
def _system(request: pytest.FixtureRequest) -> Iterator[None]:
    """A system with its own number format, independent of the language."""
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield
    QLocale.setDefault(before)


BOTH = {
    "0.75": 0.75,
    "0,75": 0.75,
    "-0,5": -0.5,
    "1.204,5": 1204.5,
    "1,204.5": 1204.5,
    "1,204,000": 1204000.0,
    "1 204,5": 1204.5,
    "1.5.5": 1.5,
    "1,5e-3": 0.0015,
    "0,750": 0.75,
    "1.000": 1.0,
}


@pytest.mark.usefixtures("_system")
@pytest.mark.parametrize(
    ("system_language", "entry", "value"),
    [(code, entry, value) for code in ("en", "de") for entry, value in BOTH.items()]
    + [("en", "1,204", 1204.0), ("de", "1,204", 1.204)],
)
def test_numbers_are_read_as_people_write_them_on_any_system(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, system_language: str, entry: str, value: float
) -> None:
    monkeypatch.setattr(language, "language", lambda: system_language)
    box = FloatBox()
    qtbot.addWidget(box)
    box.setValue(3)
    box.show()
    box.selectAll()
    qtbot.keyClicks(box, entry)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == pytest.approx(value)
    assert {"en": ",", "de": "."}[system_language] not in box.text()


@pytest.mark.usefixtures("_system")
@pytest.mark.parametrize(
    ("entry", "value", "has_tip"),
    [("84,5", "84.5 mm", False), ("9", "10 mm", True), ("999 mm", "200 mm", True)],
)
def test_a_fraction_has_a_range_and_a_unit(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, entry: str, value: str, has_tip: bool
) -> None:
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *_: tips.append(text))
    box = FloatBox()
    qtbot.addWidget(box)
    box.setSuffix(" mm")
    box.setDecimals(1)
    box.setRange(10.0, 200.0)
    box.setSpecialValueText("as needed")
    box.setValue(20)
    box.show()
    box.lineEdit().selectAll()
    qtbot.keyClicks(box, entry)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.text() == (value if value != "10 mm" else "as needed")
    assert tips == (["Enter a value from 10 to 200."] if has_tip else [])
