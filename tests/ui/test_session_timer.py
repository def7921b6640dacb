"""The timer that delivers the results of jobs."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from workbench.session.session import Session
from workbench.ui.base.session_timer import Bridge


def test_results_are_delivered_between_pumps_while_a_person_types(
    session: Session, qtbot: QtBot
) -> None:
    bridge = Bridge(session)
    # Nothing pumps the session any more.
    bridge._timer.stop()
    found: list[int] = []
    job = session.jobs.start("Counting", lambda run: 1, found.append, key="test")
    assert job.thread is not None
    job.thread.join()
    assert not found
    bridge.hurry()
    qtbot.waitUntil(lambda: found == [1])
    # Until a moment after the last letter.
    qtbot.waitUntil(lambda: not bridge._hurried.isActive())
    bridge.hurry()
    bridge.stop()
    assert not bridge._hurried.isActive()
