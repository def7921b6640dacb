"""Rules for every setting: one declaration, round trip, invalid values, effects of Preferences."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QWidget
from pytestqt.qtbot import QtBot
from settings_found import declared_settings
from ui.windows import shown_window

import workbench
from workbench.core.paths import settings_folder
from workbench.core.setting import Setting
from workbench.session.settings.session_settings import session_settings
from workbench.session.settings.settings_file import Settings
from workbench.session.settings.settings_migrations import VERSION
from workbench.ui.base.panel import PanelContext
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.shell.window import Window

SETTINGS = [setting for setting in declared_settings() if not setting.key.startswith("tests.")]
SHOWN = [setting.key for setting in SETTINGS if setting.label]
NONSENSE: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1e308,
    "\udcff" * 50,
    [],
    [[None]],
    [{"name": 5, "words": "x"}],
    {},
    {"a": {"b": 1}},
    {"paths": 3, "options": 4, "width": [], "docks": 5},
]
# A non-default value of each structured setting.
SAMPLES: dict[str, Any] = {
    "cluster.counting": {"window": 3},
    "cluster.params": {"scheduler": "tcp://here:8786"},
    "compare.models.widths": [100, 200],
    "compare.seeds.widths": [100, 200],
    "corpus": {"sample": "small-world"},
    "corpus.choices": [{"digest": "d", "options": {"phrases": 2}}],
    "corpus.readings": [{"paths": ["/a"], "options": {"phrases": 2}}],
    "evaluate.columns": {"/a.tsv": "score"},
    "failed.last": [["It failed.", "Try again."]],
    "figure.page": {"width": 85.0, "dpi": 600, "captioned": False},
    "map.axes": ["a", "b", "c", "d"],
    "map.pairs": ["king/queen", ""],
    "map.sets": [{"name": "pets", "words": ["cat"]}],
    "palette.uses": {"file.open": 1.5},
    "recent": [["/a", "/b"]],
    "runs.columns": {"loss": False},
    "runs.grid": {"algorithm": "glove", "glove": {"dim": "2, 5"}},
    "runs.looked_at": {"d": "20261120"},
    "lessons.course": {"/a.md": {"at": 3}},
    "shortcuts": {"file.open": ["Ctrl+J"]},
    "train.values": {"sgns": {"preset": "classroom", "values": {"dim": 50}}},
    "window.layout": {"docks": ["map"], "state": "AAAA"},
    "window.layouts": {"Mine": {"state": "AAAA"}},
}


def _sample(setting: Setting[Any]) -> Any:
    if setting.key in SAMPLES:
        return SAMPLES[setting.key]
    for value in (*setting.choices, not setting.default, 7, "text", ["text"]):
        decoded = setting.decode(value)
        if decoded is not None and decoded != setting.default:
            return value
    raise AssertionError(f"name a sample of {setting.key}")


def _ids(setting: Setting[Any]) -> str:
    return setting.key


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("setting", SETTINGS, ids=_ids)
def test_a_setting_survives_a_round_trip(setting: Setting[Any]) -> None:
    value = setting.decode(_sample(setting))
    assert value is not None
    assert value != setting.default
    Settings()[setting] = value
    assert Settings()[setting] == value
    values = json.loads((settings_folder() / "settings.json").read_text(encoding="utf-8"))
    assert setting.decode(values[setting.key]) == value


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("setting", SETTINGS, ids=_ids)
def test_nonsense_is_repaired_and_the_rest_is_kept(setting: Setting[Any]) -> None:
    for wrong in NONSENSE:
        values = {"version": VERSION, "kept": [1], setting.key: wrong}
        (settings_folder() / "settings.json").write_text(json.dumps(values))
        settings = Settings()
        value = settings[setting]
        if setting.decode(wrong) is None:
            assert value == setting.default
        # The value that was read can be saved again.
        settings[setting] = value
        assert Settings()[setting] == value
        assert Settings().all()["kept"] == [1]


def test_settings_that_travel_are_known_without_the_window() -> None:
    modules = {path.stem: path for path in Path(workbench.__path__[0]).rglob("session_settings.py")}
    tree = ast.parse(modules["session_settings"].read_text(encoding="utf-8"))
    there = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    }
    travelling = {setting.key for setting in SETTINGS if setting.travels}
    assert travelling <= there
    assert "cluster.params" not in travelling
    values = {setting.key: _sample(setting) for setting in SETTINGS}
    assert set(session_settings({**values, "unknown": 1})) == travelling
    assert session_settings(dict.fromkeys(values, object())) == {}


def test_no_module_names_a_setting_by_its_key() -> None:
    """``settings[...]`` accepts a declaration; only declarations contain keys."""
    found = []
    for path in sorted(Path(workbench.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if _names_key(node):
                found.append(f"{path.name}:{node.lineno}")  # type: ignore[attr-defined]
    assert found == []


def _names_key(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in ("get", "set", "put", "changes", "__getitem__", "__setitem__"):
            return False
        owner, arguments = node.func.value, node.args
    elif isinstance(node, ast.Subscript):
        owner, arguments = node.value, [node.slice]
    else:
        return False
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    texts = (ast.Constant, ast.JoinedStr, ast.Dict)
    return name.strip("_") == "settings" and any(isinstance(one, texts) for one in arguments)


# -- Preferences


@pytest.fixture
def window(context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    with shown_window(context, qtbot) as new_window:
        yield new_window
        for setting in SETTINGS:
            if setting.key in SHOWN:
                new_window.session.settings[setting] = setting.default


def _tooltips_hidden(window: Window) -> bool:
    button = QWidget(window)
    seen: list[QEvent.Type] = []

    class Watch(QObject):
        def eventFilter(self, target: QObject, event: QEvent) -> bool:
            seen.append(event.type())
            return False

    watch = Watch()
    button.installEventFilter(watch)
    QApplication.sendEvent(button, QEvent(QEvent.Type.ToolTip))
    button.deleteLater()
    return QEvent.Type.ToolTip not in seen


# Effects of a changed setting, by its key.
EFFECTS: dict[str, Callable[[Window], object]] = {
    "language": lambda window: json.loads(
        (settings_folder() / "settings.json").read_text(encoding="utf-8")
    ).get("language", ""),
    "theme": lambda window: window.context.theme.palette.dark,
    "text_size": lambda window: window.font().pixelSize(),
    "motion": lambda window: window.context.theme.motion,
    "tooltips": _tooltips_hidden,
    "notices": lambda window: window.context.desk.notices.is_enabled,
}


def test_a_click_in_preferences_changes_what_a_setting_is_for(window: Window, qtbot: QtBot) -> None:
    dialog = window.open_preferences()
    qtbot.waitExposed(dialog)
    assert set(SHOWN) == set(EFFECTS)
    for key in SHOWN:
        _change_and_follow(window, dialog, key, qtbot)
    dialog.close()


def _change_and_follow(window: Window, dialog: PreferencesDialog, key: str, qtbot: QtBot) -> None:
    control = dialog.findChild(QWidget, f"preferences.{key}")
    page = next(page for page in dialog.pages.values() if page.isAncestorOf(control))
    dialog.show_page(page.key)
    setting = next(one for one in SETTINGS if one.key == key)
    settings, effect = window.session.settings, EFFECTS[key]
    assert control.accessibleName() == setting.label
    if isinstance(control, QComboBox):
        assert [control.itemData(row) for row in range(control.count())] == list(setting.choices)
        seen = set()
        for row in range(control.count()):
            control.setCurrentIndex(row)
            control.activated.emit(row)
            assert settings[setting] == control.itemData(row)
            seen.add(effect(window))
        assert len(seen) > 1
    else:
        assert isinstance(control, QCheckBox)
        before = effect(window)
        qtbot.mouseClick(control, Qt.MouseButton.LeftButton)
        assert settings[setting] is not setting.default
        assert effect(window) != before
    # If the setting is changed elsewhere, the control follows.
    settings[setting] = setting.default
    if isinstance(control, QComboBox):
        assert control.currentData() == setting.default
    else:
        assert control.isChecked() is setting.default
