"""Every panel by keyboard, for screen readers, and with text at twice its size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model

from workbench.session.session import Session
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS

ROLES_WITH_VALUE = (
    QAccessible.Role.Slider,
    QAccessible.Role.SpinBox,
    QAccessible.Role.ComboBox,
    QAccessible.Role.ProgressBar,
)
# More presses of Tab than any panel has controls.
MOST_STEPS = 120


@pytest.fixture
def session(home: object) -> Iterator[Session]:
    new_session = Session()
    yield new_session
    new_session.close()


@pytest.fixture(params=PANELS.keys())
def panel(
    request: pytest.FixtureRequest, context: PanelContext, session: Session, qtbot: QtBot
) -> Iterator[Panel]:
    """A panel that shows a model of a dozen words, in a window that has the focus."""
    new_panel = PANELS[str(request.param)].panel_class()(context)
    context.theme.dress(new_panel)
    qtbot.addWidget(new_panel)
    new_panel.resize(700, 520)
    with qtbot.waitActive(new_panel):
        new_panel.show()
        new_panel.activateWindow()
    open_corpus(session, toy_corpus())
    look_at(session, toy_model())
    session.selection.select(["queen"])
    qtbot.waitUntil(lambda: new_panel.idle)
    yield new_panel
    new_panel.release()


def controls(panel: Panel) -> list[QWidget]:
    """Widgets that Tab must reach."""
    return [
        widget
        for widget in panel.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget, QScrollArea)
        and not isinstance(widget.parent(), (QAbstractSpinBox, QComboBox))
        and widget.window() is panel.window()
    ]


def label_of(widget: QWidget) -> str:
    return widget.objectName() or f"{type(widget).__name__} in {type(widget.parent()).__name__}"


def walk(panel: Panel, qtbot: QtBot) -> list[QWidget]:
    """The widgets that Tab gives the focus to, in order."""
    panel.setFocus()
    seen: list[QWidget] = []
    for _ in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or panel, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        if now is None or now in seen:
            break
        # The focus shows on a scroll area only as scrolling, so these areas are exempt.
        if now is not panel and not isinstance(now, QScrollArea):
            seen.append(now)
    return seen


def test_a_screen_reader_is_told_what_everything_is(panel: Panel) -> None:
    problems = []
    for widget in controls(panel):
        found = QAccessible.queryAccessibleInterface(widget)
        if found is None or not found.isValid():
            problems.append(f"{label_of(widget)}: nothing")
            continue
        if not found.text(QAccessible.Text.Name):
            problems.append(f"{label_of(widget)}: no name")
        role = found.role()
        if role == QAccessible.Role.NoRole:
            problems.append(f"{label_of(widget)}: no role")
        if (
            role in ROLES_WITH_VALUE
            and not found.text(QAccessible.Text.Value)
            and found.valueInterface() is None
        ):
            problems.append(f"{label_of(widget)}: no value")
        checkable = isinstance(widget, QAbstractButton) and widget.isCheckable()
        if checkable and bool(found.state().checked) != widget.isChecked():  # type: ignore[attr-defined]
            problems.append(f"{label_of(widget)}: checked or not is not told")
    problems += [
        f"{label_of(widget)}: no description"
        for widget in painted_widgets(panel)
        if not widget.accessibleDescription()
    ]
    assert problems == []


def painted_widgets(panel: Panel) -> list[QWidget]:
    """Maps, matrices, plots and similar, whose content needs a description of its own."""
    plain = (
        QAbstractButton,
        QAbstractItemView,
        QAbstractSpinBox,
        QComboBox,
        QLineEdit,
        QPlainTextEdit,
    )
    return [
        widget
        for widget in panel.findChildren(QWidget)
        if widget.isVisible()
        and "paintEvent"
        in {name for kind in type(widget).__mro__ if _ours(kind) for name in vars(kind)}
        and not isinstance(widget, plain)
        and widget.accessibleName()
    ]


def _ours(kind: type) -> bool:
    return kind.__module__.startswith("workbench.")


def test_tab_reaches_everything_in_order_and_the_focus_is_seen(
    panel: Panel, context: PanelContext, qtbot: QtBot
) -> None:
    seen = walk(panel, qtbot)
    missing = [label_of(widget) for widget in controls(panel) if widget not in seen]
    assert missing == []
    assert backwards([widget for widget in seen if panel.isAncestorOf(widget)]) == []
    for theme in ("light", "dark"):
        context.theme.choose(theme)
        unseen = [label_of(widget) for widget in seen if not shows_focus(widget, panel)]
        assert unseen == [], theme
    context.theme.choose("light")


def shows_focus(widget: QWidget, panel: Panel) -> bool:
    """Whether the widget looks different while it has the focus."""
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    owner = widget.parentWidget()
    while owner is not None and owner is not panel:
        if isinstance(owner, QScrollArea):
            owner.ensureWidgetVisible(widget)
        owner = owner.parentWidget()
    place = around(widget, panel)
    with_focus = image(panel, place)
    widget.clearFocus()
    return place.isEmpty() or image(panel, place) != with_focus


def backwards(seen: list[QWidget]) -> list[str]:
    """Steps within a row or a column of widgets that go against the reading order."""
    back = []
    for before, after in pairwise(seen):
        if before.parentWidget() is not after.parentWidget():
            continue
        one, other = before.geometry(), after.geometry()
        above = (
            other.bottom() < one.top() and other.left() < one.right() and one.left() < other.right()
        )
        level = other.top() < one.bottom() and one.top() < other.bottom()
        if above or (level and other.right() <= one.left()):
            back.append(f"{label_of(before)} → {label_of(after)}")
    return back


def around(widget: QWidget, panel: Panel) -> QRect:
    """Position of a widget in the panel, if it is visible."""
    place = QRect(widget.mapTo(panel, QPoint(0, 0)), widget.size()).adjusted(-3, -3, 3, 3)
    return place & panel.rect()


def image(panel: Panel, place: QRect) -> QImage:
    picture = QImage(place.size(), QImage.Format.Format_RGB32)
    picture.fill(0)
    painter = QPainter(picture)
    panel.render(painter, QPoint(0, 0), place)
    painter.end()
    return picture


def test_nothing_is_cut_off_at_twice_the_size_of_text(
    panel: Panel, context: PanelContext, qtbot: QtBot
) -> None:
    panel.resize(860, 560)
    context.theme.choose_text_size(200)
    qtbot.waitUntil(lambda: panel.idle)
    QApplication.processEvents()
    problems = [
        problem
        for widget in panel.findChildren(QWidget)
        if widget.isVisible() and (problem := cut_off(widget))
    ]
    context.theme.choose_text_size(100)
    assert problems == []


def cut_off(widget: QWidget) -> str:
    """Description of text that is cut off, or ""."""
    name = label_of(widget)
    if isinstance(widget, (QLabel, QAbstractButton)):
        name = f"{name} “{widget.text()}”"
    if isinstance(widget, QLabel) and widget.text() and not isinstance(widget, ElidedLabel):
        if widget.wordWrap():
            return (
                f"{name}: too low"
                if widget.heightForWidth(widget.width()) > widget.height() + 1
                else ""
            )
        hint = widget.sizeHint()
        return f"{name}: {widget.size()} of {hint}" if hint.width() > widget.width() + 1 else ""
    if isinstance(widget, QAbstractButton) and widget.text():
        hint = widget.minimumSizeHint()
        small = hint.width() > widget.width() + 1 or hint.height() > widget.height() + 1
        return f"{name}: {widget.size()} of {hint}" if small else ""
    if isinstance(widget, QTableView) and widget.model() is not None and widget.model().rowCount():
        low = widget.rowHeight(0) < widget.fontMetrics().height()
        return (
            f"{name}: rows of {widget.rowHeight(0)} for letters of {widget.fontMetrics().height()}"
            if low
            else ""
        )
    if isinstance(widget, (QLineEdit, QComboBox, QAbstractSpinBox)):
        low = widget.height() < widget.fontMetrics().height()
        return f"{name}: too low" if low else ""
    if (
        isinstance(widget, QAbstractItemView)
        and widget.model() is not None
        and widget.model().rowCount()
    ):
        row = widget.sizeHintForRow(0)
        return f"{name}: rows of {row}" if 0 < row < widget.fontMetrics().height() else ""
    return ""
