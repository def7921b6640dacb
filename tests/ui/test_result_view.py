"""A result view asks once, waits until it is seen, and shows progress, failures and content."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.widgets.layout.result_view import Request, ResultJob, ResultView

LEFT = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class Record:
    """Compared by value."""

    number: int
    array: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Entity:
    """Compared by identity."""

    name: str


class TestPanel(Panel):
    """A panel that is nothing but a result."""

    __test__ = False
    key = "trial"
    title = "Trial"

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.label = QLabel("nothing yet")
        self.result = ResultView(self, self.key, "trial.here", self.label)
        self.computed: list[object] = []
        QVBoxLayout(self.body).addWidget(self.result)

    def ask(
        self,
        *key: object,
        work: Callable[[JobControl], str] | None = None,
        patience: float = 1e9,
        note_below: bool = True,
    ) -> None:
        """Ask for the key as a text, or for what ``work`` computes."""

        def compute(run: JobControl) -> str:
            self.computed.append(key)
            return work(run) if work is not None else str(key)

        self.result.ask(
            Request(
                key,
                "Trying",
                compute,
                self.label.setText,
                doing="Trying",
                note_below=note_below,
                patience=patience,
            )
        )

    @property
    def button(self) -> QPushButton:
        found = self.findChild(QPushButton, "trial.here.notice.action")
        assert isinstance(found, QPushButton)
        return found


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[TestPanel]:
    new_panel = TestPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(500, 400)
    yield new_panel
    new_panel.release()


@pytest.fixture
def shown(panel: TestPanel) -> TestPanel:
    panel.show()
    return panel


def endless(run: JobControl) -> str:
    run.advance(0.25, "Walking.")
    pause = threading.Event()
    while True:
        run.check()
        pause.wait(0.002)


def test_a_request_waits_until_the_view_is_visible(panel: TestPanel, qtbot: QtBot) -> None:
    panel.ask("a")
    panel.ask("b")
    assert panel.idle
    assert not panel.result.busy
    panel.show()
    until(qtbot, lambda: panel.label.text() == "('b',)")
    assert panel.computed == [("b",)]


def test_a_request_is_put_together_only_when_the_view_is_visible(
    panel: TestPanel, qtbot: QtBot
) -> None:
    panel.ask("a")
    built: list[str] = []

    def build(name: str) -> None:
        built.append(name)
        panel.ask(name)

    panel.result.when_seen(lambda: build("b"))
    panel.result.when_seen(lambda: build("c"))
    panel.show()
    until(qtbot, lambda: panel.label.text() == "('c',)")
    assert built == ["c"]
    panel.result.when_seen(lambda: build("d"))
    assert built == ["c", "d"]


def test_a_hidden_view_starts_what_may_start_hidden(panel: TestPanel, qtbot: QtBot) -> None:
    started = Request(("a",), "Trying", lambda run: "a", panel.label.setText, "Trying", hidden=True)
    panel.result.ask(started)
    assert panel.result.busy
    until(qtbot, lambda: panel.label.text() == "a")


def test_an_equal_key_changes_nothing(shown: TestPanel, qtbot: QtBot) -> None:
    shown.ask("a", 1, (2.0, "b"))
    shown.ask("a", 1, (2.0, "b"))
    until(qtbot, lambda: shown.idle and shown.label.text() != "nothing yet")
    shown.ask("a", 1, (2.0, "b"))
    assert shown.idle
    assert shown.computed == [("a", 1, (2.0, "b"))]
    shown.ask("a", 1, (2.0, "c"))
    until(qtbot, lambda: shown.label.text() == str(("a", 1, (2.0, "c"))))


def test_objects_are_equal_only_to_themselves(shown: TestPanel, qtbot: QtBot) -> None:
    array = np.zeros(3)
    for part in (array, array, np.zeros(3)):
        shown.ask(part)
        until(qtbot, lambda: shown.idle)
    assert len(shown.computed) == 2


def test_frozen_records_are_equal_by_their_fields(shown: TestPanel, qtbot: QtBot) -> None:
    array = np.zeros(3)
    for part in (Record(1, array), Record(1, array), Record(2, array), Record(2, np.zeros(3))):
        shown.ask(part)
        until(qtbot, lambda: shown.idle)
    assert len(shown.computed) == 3


def test_records_compared_by_identity_are_different_keys(shown: TestPanel, qtbot: QtBot) -> None:
    for _ in range(2):
        shown.ask(Entity("a"))
        until(qtbot, lambda: shown.idle)
    assert len(shown.computed) == 2


def test_a_result_answers_the_key_that_it_is_given(shown: TestPanel, qtbot: QtBot) -> None:
    shown.ask("", 1)
    until(qtbot, lambda: shown.label.text() == "('', 1)")
    shown.result.relabel(("filled in", 1))
    shown.ask("filled in", 1)
    assert shown.idle
    shown.ask("", 1)
    until(qtbot, lambda: len(shown.computed) == 2)


def test_a_part_without_a_notice_asks_at_once(panel: TestPanel, qtbot: QtBot) -> None:
    """What it shows stays, also after a failure."""
    problems: list[str] = []
    job = ResultJob(panel.session.jobs, f"{panel.key}.part")

    def fail(run: JobControl) -> str:
        raise UserError("No luck.", "Try again.")

    job.ask(Request(("a",), "Trying", lambda run: "found", panel.label.setText, quiet=True))
    assert job.busy
    until(qtbot, lambda: panel.label.text() == "found")
    job.ask(Request(("b",), "Trying", fail, panel.label.setText))
    until(qtbot, lambda: not job.busy)
    job.on_failed(lambda error: problems.append(error.message))
    job.ask(Request(("b",), "Trying", fail, panel.label.setText))
    until(qtbot, lambda: problems == ["No luck."])
    assert panel.label.text() == "found"


def test_numbers_of_different_types_are_different_keys(shown: TestPanel, qtbot: QtBot) -> None:
    for part in (1, True, 1.0):
        shown.ask(part)
        until(qtbot, lambda: shown.idle)
    assert len(shown.computed) == 3


def test_a_new_key_drops_the_earlier_job(shown: TestPanel, qtbot: QtBot) -> None:
    shown.ask("slow", work=endless)
    assert shown.result.busy
    shown.ask("quick")
    until(qtbot, lambda: shown.label.text() == "('quick',)")
    assert shown.idle


def test_content_stays_until_patience_ends(shown: TestPanel, qtbot: QtBot) -> None:
    shown.ask("slow", work=endless)
    until(qtbot, lambda: shown.computed == [("slow",)])
    shown.result.follow_job()
    assert shown.result.currentWidget() is shown.label
    shown.ask("slower", work=endless, patience=0.0)
    until(qtbot, lambda: shown.result.notice.kind == "busy")
    assert shown.result.currentWidget() is shown.result.notice
    assert shown.button.text() == "Cancel"


@pytest.mark.parametrize(("below", "title"), [(True, "Trying"), (False, "Walking …")])
def test_a_note_is_below_the_title_or_takes_its_place(
    shown: TestPanel, qtbot: QtBot, below: bool, title: str
) -> None:
    shown.ask("slow", work=endless, patience=0.0, note_below=below)
    until(qtbot, lambda: texts(shown)[:2] == [title, "Walking." if below else ""])


def texts(panel: TestPanel) -> list[str]:
    return [label.text() for label in panel.result.notice.findChildren(QLabel)]


@pytest.mark.parametrize(
    "said",
    [
        ("The computation was cancelled", "", "Compute again"),
        ("Stopped", "None left.", "Try again"),
    ],
)
def test_the_button_of_a_cancelled_request_makes_it_again(
    said: tuple[str, str, str], shown: TestPanel, qtbot: QtBot
) -> None:
    cleared: list[int] = []
    shown.result.on_clear(lambda: cleared.append(1))
    if said[0] == "Stopped":
        shown.result.describe_cancelled(*said)
    first = threading.Event()

    def work(run: JobControl) -> str:
        if first.is_set():
            return "found"
        first.set()
        return endless(run)

    shown.ask("slow", work=work, patience=0.0)
    until(qtbot, lambda: shown.button.text() == "Cancel")
    qtbot.mouseClick(shown.button, LEFT)
    until(qtbot, lambda: shown.button.text() == said[2])
    assert texts(shown)[:2] == list(said[:2])
    assert cleared == [1]
    qtbot.mouseClick(shown.button, LEFT)
    until(qtbot, lambda: shown.label.text() == "found")
    assert shown.result.currentWidget() is shown.label


def test_a_cancelled_request_stays_cancelled(shown: TestPanel, qtbot: QtBot) -> None:
    shown.ask("slow", work=endless, patience=0.0)
    until(qtbot, lambda: shown.button.text() == "Cancel")
    qtbot.mouseClick(shown.button, LEFT)
    shown.ask("slow")
    assert shown.idle
    assert texts(shown)[0] == "The computation was cancelled"
    shown.ask("other")
    until(qtbot, lambda: shown.label.text() == "('other',)")
    shown.ask("slow")
    until(qtbot, lambda: shown.label.text() == "('slow',)")


def test_a_failure_is_shown_and_the_same_request_is_tried_again(
    shown: TestPanel, qtbot: QtBot
) -> None:
    def fail(run: JobControl) -> str:
        raise UserError("No luck.", "Try again.")

    shown.ask("a", work=fail)
    until(qtbot, lambda: shown.result.notice.kind == "error")
    assert texts(shown)[:2] == ["No luck.", "Try again."]
    shown.ask("a")
    until(qtbot, lambda: shown.label.text() == "('a',)")


def test_a_button_computes_again_after_a_failure_that_may_pass(
    shown: TestPanel, qtbot: QtBot
) -> None:
    tries = []

    def fail_once(run: JobControl) -> str:
        tries.append(run)
        if len(tries) == 1:
            raise MemoryError
        return "found"

    shown.ask("a", work=fail_once)
    until(qtbot, lambda: shown.result.notice.kind == "error")
    qtbot.mouseClick(shown.button, LEFT)
    until(qtbot, lambda: shown.label.text() == "found")


def test_no_button_follows_a_failure_that_only_another_request_avoids(
    shown: TestPanel, qtbot: QtBot
) -> None:
    def fail(run: JobControl) -> str:
        raise UserError("No such word.", "Type another.")

    shown.ask("a", work=fail)
    until(qtbot, lambda: shown.result.notice.kind == "error")
    assert not shown.button.isVisible()


def test_a_panel_may_answer_a_failure_itself(shown: TestPanel, qtbot: QtBot) -> None:
    def fail(run: JobControl) -> str:
        raise UserError("No luck.", "Try again.")

    def ask_instead(error: UserError) -> None:
        shown.ask("instead")

    shown.result.on_failed(ask_instead)
    shown.ask("a", work=fail)
    until(qtbot, lambda: shown.label.text() == "('instead',)")
    assert shown.result.notice.kind == "empty"


def test_a_message_drops_the_request(shown: TestPanel, qtbot: QtBot) -> None:
    shown.ask("slow", work=endless)
    shown.result.show_message("Which one?", "Choose one.")
    assert shown.idle
    assert texts(shown)[:2] == ["Which one?", "Choose one."]
    shown.ask("slow")
    until(qtbot, lambda: shown.label.text() == "('slow',)")


def test_a_released_panel_computes_nothing(panel: TestPanel) -> None:
    panel.ask("a")
    panel.release()
    assert panel.idle
    assert panel.computed == []


def test_a_job_that_was_dropped_with_its_panel_is_asked_for_again(
    shown: TestPanel, qtbot: QtBot
) -> None:
    """Closing another view of the session drops all jobs of such panels."""
    shown.ask("a", work=endless)
    shown.session.jobs.drop_all(shown.key)
    assert not shown.result.busy
    assert shown.result.running is None
    shown.ask("a")
    until(qtbot, lambda: shown.label.text() == "('a',)")
    assert shown.computed == [("a",), ("a",)]


def test_two_views_do_not_drop_each_others_jobs(
    shown: TestPanel, context: PanelContext, qtbot: QtBot
) -> None:
    other = TestPanel(context)
    qtbot.addWidget(other)
    other.show()
    for panel in (shown, other):
        panel.ask("a")
    for panel in (shown, other):
        until(qtbot, lambda panel=panel: panel.label.text() == "('a',)")
    other.release()


def test_what_a_shown_result_was_computed_from_is_released(shown: TestPanel, qtbot: QtBot) -> None:
    large = Entity("vectors")
    known = weakref.ref(large)
    shown.ask("a", work=lambda run, large=large: large.name)
    del large
    until(qtbot, lambda: shown.label.text() == "vectors")
    until(qtbot, lambda: known() is None)
    shown.ask("a")
    assert shown.computed == [("a",)]
