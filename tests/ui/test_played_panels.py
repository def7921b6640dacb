"""Every control of every panel is used once, on a small trained run: nothing fails, no picture is
empty.

Panels come from their registry, controls from their widgets. The only things checked are those that
are true of every panel.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from controls import controls_of
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QHelpEvent, QImage, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from ui.windows import shown_panel

from workbench.core.errors import UserError
from workbench.models.base import MODELS, preset_params
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.export.export_actions import Export

pytestmark = pytest.mark.usefixtures("starting_positions")

_SHOWN = ("sgns", 1)
# A picture is at least this wide and high, in pixels.
_WIDE, _HIGH = 160, 90
# Numbers beyond this are no limits.
_NO_LIMIT = 1 << 30
# What is typed into panels that compute nothing before.
_TYPED = {
    "influence": {"words": "king queen"},
    "teach": {"word": "blicket", "lines": "the blicket and the king\nthe queen saw a blicket"},
}
# Panels with nothing to save here: Small World has no groups, and its run has no documents.
_NOTHING_TO_SAVE = {"documents", "groups"}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder, in which the first test leaves a store with trained runs for the others."""
    return tmp_path_factory.mktemp("trained") / "home"


@pytest.fixture
def session(home: Path, trained: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Session]:
    """Small World, with two runs of one algorithm that differ in their seed, and a fastText."""
    if trained.exists():
        shutil.copytree(trained, home, dirs_exist_ok=True)
    new_session = Session()

    def until(condition: Callable[[], object]) -> None:
        def reached() -> bool:
            new_session.pump()
            return bool(condition())

        qtbot.waitUntil(reached)

    new_session.corpora.open_sample("small-world")
    until(lambda: new_session.corpora.current is not None)
    if not trained.exists():
        corpus = new_session.corpora.current
        for algorithm, seed in (("fasttext", 1), ("sgns", 2), ("sgns", 1)):
            kind = MODELS[algorithm]
            few = {"epochs": 1, "dim": 8, "min_count": 30, "seed": seed, "buckets": 2000}
            own = preset_params(kind, "classroom").to_dict()
            values = {**own, **{key: value for key, value in few.items() if key in own}}
            params = adapt_values(corpus, kind, values)
            run = new_session.training.start(TrainingSpec(algorithm, params))
            until(lambda run=run: run.state.over and run.has_vectors)
        shutil.copytree(home, trained, ignore=shutil.ignore_patterns("cache"))
    until(lambda: len(new_session.runs) == 3)
    shown = [run for run in new_session.runs if (run.algorithm, run.parameters["seed"]) == _SHOWN]
    new_session.active.show(shown[0])
    until(lambda: new_session.active.embeddings is not None)
    new_session.selection.select(["king"])
    yield new_session
    new_session.close()


class Player:
    """Uses the controls of a panel, and collects what goes wrong."""

    def __init__(self, panel: Panel, qtbot: QtBot) -> None:
        self.panel = panel
        self.qtbot = qtbot
        self.problems: list[str] = []
        self.played: set[str] = set()
        self.messages: list[str] = []
        panel.session.message.connect(self._hear)

    def _hear(self, text: str, hint: str, wrong: bool) -> None:
        if wrong:
            self.messages.append(f"{text} {hint}")

    def rest(self) -> None:
        calm = 0

        def is_calm() -> bool:
            nonlocal calm
            calm = calm + 1 if self.panel.idle else 0
            return calm > 2

        self.qtbot.waitUntil(is_calm)

    def check(self, doing: str) -> None:
        """Wait for what was started, and look at what the panel shows."""
        self.rest()
        if self.panel.state == "error":
            self.problems.append(f"{doing}: {self.panel._notice._title.text()}")
        self.problems += [f"{doing}: {text}" for text in self.messages]
        self.messages.clear()
        for label in self.panel.findChildren(QLabel):
            if label.isVisible() and label.property("role") == "error" and label.text():
                self.problems.append(f"{doing}: {label.objectName()} “{label.text()}”")
        for picture in self.pictures():
            if is_empty(picture.grab().toImage()):
                self.problems.append(f"{doing}: {picture.objectName()} is empty")

    def pictures(self) -> list[QWidget]:
        """Visible widgets that paint all of themselves."""
        return [
            widget
            for widget in self.panel.findChildren(QWidget)
            if widget.isVisible()
            and "paintEvent" in vars(type(widget)) | vars(type(widget).__base__)
            and type(widget).__module__.startswith("workbench.")
            and widget.width() >= _WIDE
            and widget.height() >= _HIGH
            and not widget.visibleRegion().isEmpty()
        ]

    def pages(self) -> Iterator[str]:
        yield ""
        for page in self.panel.offered_pages():
            self.panel.show_page(page.key)
            self.rest()
            yield page.key

    def play_all(self) -> None:
        """Use every control that is visible and hasn't been used, and those that appear then."""
        while (found := self._next_input()) is not None:
            self.played.add(found[0])
            self.play(*found)
        for button in self.panel.findChildren(QToolButton):
            name, menu = button.objectName(), button.menu()
            if button.isVisible() and menu is not None and name not in self.played:
                self.played.add(name)
                self.play_menu(name, menu)

    def _next_input(self) -> tuple[str, QWidget] | None:
        for name, widget in controls_of(self.panel, self.panel.key):
            if name not in self.played and widget.isVisible() and widget.isEnabled():
                return name, widget
        return None

    def play(self, name: str, widget: QWidget) -> None:
        """Use every choice of a control, and the ends of its range."""
        if isinstance(widget, QComboBox):
            self._play_choices(name, widget)
        elif isinstance(widget, QTabBar):
            for at in range(widget.count()):
                widget.setCurrentIndex(at)
                self.check(f"{name} {widget.tabText(at)}")
                self.play_all()
        elif isinstance(widget, (QSpinBox, QDoubleSpinBox, QAbstractSlider)):
            before = widget.value()
            for value in (widget.minimum(), widget.maximum(), before):
                # A box without limits says which values are allowed.
                if isValid(widget) and abs(value) < _NO_LIMIT:
                    widget.setValue(value)
                    self.check(f"{name} = {value}")
        elif isinstance(widget, QAbstractButton) and widget.isCheckable():
            for _ in range(2):
                if widget.isVisible() and widget.isEnabled():
                    widget.click()
                    self.check(f"{name} {widget.isChecked()}")

    def _play_choices(self, name: str, box: QComboBox) -> None:
        before = box.currentText()
        for text in [box.itemText(at) for at in range(box.count())]:
            if not isValid(box):
                return
            at = box.findText(text)
            enabled = at >= 0 and box.model().flags(box.model().index(at, 0))
            if not enabled or not enabled & Qt.ItemFlag.ItemIsEnabled or text.endswith("…"):
                continue
            box.setCurrentIndex(at)
            box.activated.emit(at)
            self.check(f"{name} {text}")
            self.play_all()
        if isValid(box) and (at := box.findText(before)) >= 0:
            box.setCurrentIndex(at)
            self.check(f"{name} {before} again")

    def play_menu(self, name: str, menu: QMenu) -> None:
        """Trigger the entries that choose something; those that ask or do something are left."""
        menu.aboutToShow.emit()
        texts = [action.text() for action in menu.actions()]
        for at in range(len(texts)):
            menu.aboutToShow.emit()
            actions: list[QAction] = menu.actions()
            if at >= len(actions):
                break
            action = actions[at]
            below = action.menu()
            if isinstance(below, QMenu):
                self.play_menu(f"{name} {action.text()}", below)
            elif action.isCheckable() and action.isEnabled() and not action.text().endswith("…"):
                action.trigger()
                self.check(f"{name} {action.text()}")


def is_empty(image: QImage) -> bool:
    """Whether a picture has one colour only."""
    small = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(small.constBits(), np.uint32)
    return bool((pixels == pixels[0]).all())


def hover(panel: Panel) -> None:
    """Move the pointer over a grid of points of every visible widget, and rest it there."""
    for widget in [panel, *panel.findChildren(QWidget)]:
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        seen = widget.visibleRegion().boundingRect()
        for across in range(5):
            for down in range(5):
                at = QPoint(
                    seen.left() + across * (seen.width() - 1) // 4,
                    seen.top() + down * (seen.height() - 1) // 4,
                )
                place = widget.mapToGlobal(at)
                none = Qt.MouseButton.NoButton
                moved = QMouseEvent(
                    QEvent.Type.MouseMove,
                    QPointF(at),
                    QPointF(place),
                    none,
                    none,
                    Qt.KeyboardModifier.NoModifier,
                )
                QApplication.sendEvent(widget, moved)
                QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, place))


@pytest.fixture(params=PANELS.keys())
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_pointer_rests_anywhere_without_harm(
    key: str, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    record = session.active.run
    session.active.show(None)
    with shown_panel(key, context, qtbot) as panel:
        player = Player(panel, qtbot)
        player.rest()
        hover(panel)
        session.active.show(record)
        qtbot.waitUntil(lambda: session.active.embeddings is not None)
        for _ in player.pages():
            player.rest()
            hover(panel)


def test_every_choice_is_made_without_harm(
    key: str, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    with shown_panel(key, context, qtbot) as panel:
        panel.resize(1100, 760)
        player = Player(panel, qtbot)
        for page in player.pages():
            player.check(page)
            player.play_all()
        assert player.problems == []


def exports_of(panel: Panel) -> list[Export]:
    """Everything that the panel and its widgets can save."""
    found: list[Export] = []
    for widget in [panel, *panel.findChildren(QWidget)]:
        for value in vars(widget).values():
            values = value.values() if isinstance(value, dict) else [value]
            found += [one for one in values if isinstance(one, Export) and one not in found]
    return found


def type_into(panel: Panel, qtbot: QtBot) -> None:
    """Fill in the fields that the panel waits for."""
    for name, text in _TYPED.get(panel.key, {}).items():
        field = panel.findChild(QWidget, f"{panel.key}.{name}")
        if isinstance(field, QLineEdit):
            field.setText(text)
            qtbot.keyClick(field, Qt.Key.Key_Return)
        else:
            assert isinstance(field, QPlainTextEdit)
            field.setPlainText(text)


def save_everything(panel: Panel, folder: Path) -> int:
    """Save all that the panel offers; returns the number of files.

    A view without content says so, and leaves no file.
    """
    number = 0
    for export in exports_of(panel):
        for suffix in (".png", *export._texts):
            if suffix not in export._texts and export._draw is None:
                continue
            path = folder / f"saved{suffix}"
            path.unlink(missing_ok=True)
            errors: list[UserError | None] = []
            export.save(path, report=errors.append)
            (error,) = errors
            if error is not None:
                assert error.message == "There is nothing to save."
                assert error.hint
                assert not path.exists()
                continue
            assert not export.why_not
            if suffix == ".png":
                assert not is_empty(QImage(str(path)))
            else:
                assert path.stat().st_size
            number += 1
    return number


def test_everything_is_saved_or_says_why_not(
    key: str, context: PanelContext, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    """Before and after there is a model, also from pages that haven't been opened."""
    record = session.active.run
    session.active.show(None)
    with shown_panel(key, context, qtbot) as panel:
        player = Player(panel, qtbot)
        save_everything(panel, tmp_path)
        for shown in (None, record):
            session.active.show(shown)
            qtbot.waitUntil(lambda shown=shown: shown is None or bool(session.active.embeddings))
            type_into(panel, qtbot)
            number = 0
            for _ in player.pages():
                player.rest()
                number += save_everything(panel, tmp_path)
        assert bool(number) == (bool(exports_of(panel)) and key not in _NOTHING_TO_SAVE)
        assert player.messages == []
