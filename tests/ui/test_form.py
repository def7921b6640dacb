"""The form made from declared hyperparameters."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QSpinBox,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from workbench.core.params import Params, param
from workbench.models.base import MODELS, preset_params
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.inputs.editors import ValueBox, plain_float
from workbench.ui.widgets.inputs.form import Form
from workbench.ui.widgets.inputs.setting_tooltip import tooltip


@dataclass(frozen=True)
class Sample(Params):
    window: int = param(
        5,
        "Words on each side.",
        symbol="L",
        low=1,
        high=100,
        unit="words",
        grows="topics",
        source="C",
        basic=True,
    )
    sample: float = param(1e-3, "Threshold.", symbol="t", low=0, high=1, basic=True)
    rule: str = param("one", "Which.", choices=("one", "two"), basic=True)
    fast: bool = param(False, "Hurry.")
    passes: int = param(3, "How often.", low=1, high=9)


@pytest.fixture
def form(qtbot: QtBot, qapp: QApplication) -> Form:
    new_form = Form("train.param", Theme(qapp, "light"))
    qtbot.addWidget(new_form)
    new_form.set_kind(Sample, Sample().to_dict(), {})
    new_form.resize(320, 400)
    new_form.show()
    return new_form


def spin(form: Form, name: str) -> QSpinBox:
    found = form.findChild(QSpinBox, f"train.param.{name}")
    assert found is not None
    return found


def type_into(qtbot: QtBot, box: QSpinBox | QDoubleSpinBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)


def test_every_declared_parameter_has_an_editor_with_names(form: Form) -> None:
    kinds = {
        "window": QSpinBox,
        "sample": QDoubleSpinBox,
        "rule": QComboBox,
        "fast": QCheckBox,
        "passes": QSpinBox,
    }
    for name, kind in kinds.items():
        editor = form.findChild(kind, f"train.param.{name}")
        assert editor is not None, name
        assert editor.accessibleName()
    assert form.params() == Sample()


def test_the_rest_is_shown_on_demand(form: Form, qtbot: QtBot) -> None:
    assert spin(form, "window").isVisible()
    assert not spin(form, "passes").isVisible()
    qtbot.mouseClick(form.more, Qt.MouseButton.LeftButton)
    assert spin(form, "passes").isVisible()
    qtbot.mouseClick(form.more, Qt.MouseButton.LeftButton)
    assert not spin(form, "passes").isVisible()


def test_a_typed_value_reaches_the_parameters(form: Form, qtbot: QtBot) -> None:
    with qtbot.waitSignal(form.changed):
        type_into(qtbot, spin(form, "window"), "8")
    box = form.findChild(QDoubleSpinBox, "train.param.sample")
    assert box is not None
    assert box.text() == "1e-3"
    type_into(qtbot, box, "2.5e-4")
    params = form.params()
    assert isinstance(params, Sample)
    assert (params.window, params.sample) == (8, 2.5e-4)


def test_every_error_is_told_at_once_and_nothing_typed_is_changed(form: Form, qtbot: QtBot) -> None:
    qtbot.mouseClick(form.more, Qt.MouseButton.LeftButton)
    type_into(qtbot, spin(form, "window"), "400")
    type_into(qtbot, spin(form, "passes"), "0")
    assert form.params() is None
    assert form.values()["window"] == 400
    for name, limit in (("window", "1 to 100"), ("passes", "1 to 9")):
        label = form.findChild(QLabel, f"train.param.{name}.error")
        assert label is not None
        assert label.isVisible()
        assert limit in label.text()
    type_into(qtbot, spin(form, "window"), "4")
    type_into(qtbot, spin(form, "passes"), "4")
    assert form.params() == Sample(window=4, passes=4)


def test_an_error_among_the_hidden_rows_opens_them(form: Form) -> None:
    form.put(Sample().to_dict(), {"passes": 77})
    assert spin(form, "passes").isVisible()


def test_a_value_off_its_preset_is_marked_and_put_back_by_a_click(form: Form, qtbot: QtBot) -> None:
    reset = form.findChild(QToolButton, "train.param.window.reset")
    assert reset is not None
    assert not reset.isVisible()
    type_into(qtbot, spin(form, "window"), "9")
    assert reset.isVisible()
    assert form.changes() == {"window": 9}
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert spin(form, "window").value() == 5
    assert not reset.isVisible()
    assert form.changes() == {}


def test_the_wheel_changes_nothing_without_focus(form: Form) -> None:
    box = spin(form, "window")
    form.more.setFocus()

    def turn() -> None:
        middle = box.rect().center()
        QApplication.sendEvent(
            box,
            QWheelEvent(
                QPointF(middle),
                QPointF(box.mapToGlobal(middle)),
                QPoint(),
                QPoint(0, 120),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )

    turn()
    assert box.value() == 5
    box.setFocus()
    turn()
    assert box.value() == 6


def test_the_tooltip_tells_doc_effect_range_and_source() -> None:
    text = tooltip(Sample.spec("window"))
    for part in (
        "Words on each side.",
        "Higher values: topics",
        "1 to 100",
        "Source of the default: C",
        "--window",
    ):
        assert part in text


def test_the_tooltip_gives_the_value_of_the_preset_as_the_default(form: Form) -> None:
    box = spin(form, "window")
    assert "Default: 5 words" in box.toolTip()
    form.put(Sample(window=10).to_dict(), {})
    assert "Default: 10 words" in box.toolTip()
    assert "own default is 5 words" in box.toolTip()
    form.put(Sample().to_dict(), {})
    assert "Default: 5 words" in box.toolTip()
    assert "own default" not in box.toolTip()


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.75, "0.75"), (1e-3, "1e-3"), (0.025, "0.025"), (5e-5, "5e-5"), (10.0, "10"), (0.0, "0")],
)
def test_numbers_are_shown_without_trailing_zeros(value: float, shown: str) -> None:
    assert plain_float(value) == shown


def test_arrow_keys_step_by_the_last_digit(form: Form, qtbot: QtBot) -> None:
    box = form.findChild(QDoubleSpinBox, "train.param.sample")
    assert box is not None
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.text() == "2e-3"
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.text() == "9e-4"


def test_a_choice_reads_as_the_language_has_it_and_keeps_its_value(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "workbench.ui.widgets.inputs.editors.choice_text",
        {"dynamic": "dynamisch", "fixed": "fest"}.get,
    )
    box = ValueBox(("dynamic", "fixed"))
    box.put("fixed")
    assert (box.currentText(), box.value) == ("fest", "fixed")
    box.put("neither")
    assert box.value == "fixed"
    box.setCurrentText("dynamisch")
    assert box.value == "dynamic"
    assert "one of one, two" in tooltip(Sample.spec("rule"))


def test_what_is_wrong_is_told_with_the_name_that_stands_beside_the_field(
    qtbot: QtBot, qapp: QApplication
) -> None:
    new_form = Form("train.param", Theme(qapp, "light"), labels={"max_n": "Longest piece"})
    qtbot.addWidget(new_form)
    kind = MODELS["fasttext"].params_type
    new_form.set_kind(kind, kind().to_dict(), {"dim": 0})
    label = new_form.findChild(QLabel, "train.param.dim.error")
    assert label is not None
    assert label.text().startswith("Dimensions must be a whole number from 1")
    new_form.put(kind().to_dict(), {"min_n": 5, "max_n": 3})
    label = new_form.findChild(QLabel, "train.param.max_n.error")
    assert label is not None
    assert label.text() == "Longest piece must be 0 or at least “Shortest n-gram” (5), not 3."


def test_a_number_that_is_too_large_is_seen_whole(form: Form, qtbot: QtBot) -> None:
    box = spin(form, "passes")
    form.more.click()
    usual = box.width()
    type_into(qtbot, box, "1000000000")
    qtbot.waitUntil(lambda: box.width() > usual)
    line = box.lineEdit()
    assert (
        line.fontMetrics().horizontalAdvance(line.text())
        <= line.width() - line.textMargins().left() - 4
    )
    type_into(qtbot, box, "3")
    qtbot.waitUntil(lambda: box.width() == usual)


def test_a_fraction_in_a_field_of_whole_numbers_is_told_and_not_multiplied(
    form: Form, qtbot: QtBot
) -> None:
    box = spin(form, "window")
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "2.5")
    label = form.findChild(QLabel, "train.param.window.error")
    assert label is not None
    assert label.text() == "Window must be a whole number from 1 to 100, not “2.5”."
    assert form.params() is None
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == 2
    assert label.text() == ""
    assert form.params() == Sample(window=2)
    type_into(qtbot, box, "1,7")
    assert box.value() == 17


@pytest.mark.parametrize(
    ("entry", "value"),
    [("0,5", 0.5), ("1e-4", 1e-4), ("0.25", 0.25), ("1,000", 1000.0), (",5", 0.5)],
)
def test_a_decimal_comma_is_read_as_one(form: Form, qtbot: QtBot, entry: str, value: float) -> None:
    box = form.findChild(QDoubleSpinBox, "train.param.sample")
    assert box is not None
    type_into(qtbot, box, entry)
    assert box.value() == value


@pytest.mark.parametrize("size", [100, 150])
def test_the_editors_of_all_settings_are_below_each_other(
    qtbot: QtBot, qapp: QApplication, size: int
) -> None:
    """Editors stay aligned even if the settings shown on request have longer names or symbols."""
    theme = Theme(qapp, "light")
    theme.choose_text_size(size)
    form = Form("train.param", theme)
    qtbot.addWidget(form)
    kind = MODELS["sgns"]
    form.set_kind(kind.params_type, preset_params(kind, "classroom").to_dict(), {})
    form.resize(380, 900)
    form.show()
    form.more.setChecked(True)
    qtbot.waitUntil(lambda: all(field.editor.isVisible() for field in form.fields.values()))
    qtbot.waitUntil(
        lambda: (
            len(
                {
                    field.editor.mapTo(form, QPoint(0, 0)).x()
                    for field in form.fields.values()
                    if not isinstance(field.editor, QCheckBox)
                }
            )
            == 1
        )
    )
    theme.choose_text_size(100)


def test_a_special_value_is_explained_beside_its_number(form: Form, qtbot: QtBot) -> None:
    kind = MODELS["sgns"].params_type
    form.set_kind(kind, kind().to_dict(), {"max_vocab": 0, "threads": 0})
    limit = form.fields["max_vocab"]
    assert limit.unit.whole == "no limit"
    assert form.fields["threads"].unit.whole == "one per core"
    limit.put(5000)
    assert limit.unit.whole == "words"
    limit.put(0)
    assert limit.unit.whole == "no limit"
    # Values in a description of the range have no meaning of their own.
    assert form.fields["window"].unit.whole == form.fields["window"].spec.unit
