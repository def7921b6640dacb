"""The offer to continue a training that was interrupted, and to locate a text that was moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from corpora import markov_corpus
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from session.fakes import Gate, leave_interrupted, small_corpus

from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.shards import shard_csr, write_shards
from workbench.session.runs.run_record import State
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.shell.activity import Activity


@pytest.fixture
def store(gate: Gate, home: Path) -> Store:
    """A store with two trainings that were interrupted before the session began."""
    store = Store()
    leave_interrupted(store, "Step 7", 0.4)
    leave_interrupted(store, "Step 8", 0.85)
    return store


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    new_session = Session()
    new_session.corpora.current = small_corpus()
    yield new_session
    new_session.close()


@pytest.fixture
def activity(context: PanelContext, qtbot: QtBot) -> Iterator[Activity]:
    new_activity = Activity(context.session, context.bridge, context.theme)
    qtbot.addWidget(new_activity)
    new_activity.resize(1100, 120)
    new_activity.show()
    qtbot.waitExposed(new_activity)
    yield new_activity
    new_activity.release()


def press(qtbot: QtBot, inside: QWidget, name: str) -> None:
    button = inside.findChild(QPushButton, name)
    assert button is not None
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_each_is_offered_in_turn(activity: Activity, session: Session, qtbot: QtBot) -> None:
    bar, status = activity.interrupted, activity.findChild(QWidget, "activity.text")
    assert status is not None
    assert bar.isVisible()
    assert not status.isVisible()
    height = activity.sizeHint().height()
    assert bar.text.whole == "“Step 8” on tiny was interrupted at 85%. 1 other was interrupted too."
    press(qtbot, activity, "interrupted.continue")
    assert "Step 7" in bar.text.whole
    qtbot.waitUntil(lambda: [record.name for record in session.runs] == ["Step 8", "Step 8 +2"])
    qtbot.waitUntil(lambda: session.runs[-1].state is State.DONE)
    press(qtbot, activity, "interrupted.keep")
    assert not bar.isVisible()
    qtbot.waitUntil(status.isVisible)
    assert activity.sizeHint().height() == height
    qtbot.waitUntil(lambda: len(session.runs) == 3)
    assert session.runs[-1].state is State.STOPPED


def test_discarding_offers_the_way_back(activity: Activity, session: Session, qtbot: QtBot) -> None:
    bar = activity.interrupted
    press(qtbot, activity, "interrupted.discard")
    press(qtbot, activity, "interrupted.discard")
    assert not bar.isVisible()
    press(qtbot, activity, "activity.message.action")
    assert "Step 7" in bar.text.whole
    assert len(session.recovery.interrupted) == 1


def test_a_moved_text_is_located(
    activity: Activity,
    session: Session,
    qtbot: QtBot,
    tmp_path: Path,
    answer: Callable[[Path], None],
) -> None:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text("the cat saw the dog\n" * 5)
    session.corpora.open([before])
    qtbot.waitUntil(
        lambda: session.corpora.current is not None and session.corpora.current.name == "before"
    )
    assert session.corpora.current is not None
    digest, folder = session.corpora.current.digest, session.corpora.current.folder
    source = dict(session.corpora.source)
    before.rename(after)
    assert folder is not None
    # The folder in which the corpus is saved is gone, too.
    folder.rename(folder.with_name("away"))
    session.settings.put({"corpus": source})
    assert session.corpora.restore()
    qtbot.waitUntil(lambda: activity.message.isVisible())
    assert "before.txt. Runs trained on this corpus remain" in activity.message.text
    press(qtbot, activity, "activity.message.action")
    answer(after)
    qtbot.waitUntil(
        lambda: (
            session.corpora.opening is None
            and session.corpora.current is not None
            and session.corpora.current.name == "after"
        )
    )
    assert session.corpora.current.digest == digest
    folder.with_name("away").rename(folder.with_name("gone"))


def test_counts_that_were_moved_are_located(
    activity: Activity,
    session: Session,
    qtbot: QtBot,
    tmp_path: Path,
    answer: Callable[[Path], None],
) -> None:
    corpus = markov_corpus(500)
    metadata = {"weighting": "fixed", "window": 2, "symmetric": True}
    matrix = cooccurrence(corpus, corpus.vocabulary(), 2, "fixed", threads=1)
    write_shards(tmp_path / "before", shard_csr(matrix), corpus.vocabulary(), metadata)
    session.corpora.open([tmp_path / "before"])
    qtbot.waitUntil(lambda: session.corpora.counts is not None)
    source = dict(session.corpora.source)
    (tmp_path / "before").rename(tmp_path / "after")
    session.settings.put({"corpus": source})
    assert session.corpora.restore()
    qtbot.waitUntil(lambda: activity.message.isVisible())
    assert "before. Runs trained from these counts remain" in activity.message.text
    press(qtbot, activity, "activity.message.action")
    answer(tmp_path / "after")
    qtbot.waitUntil(
        lambda: session.corpora.counts is not None and session.corpora.counts.name == "after"
    )
    assert session.corpora.counts is not None
    assert session.corpora.counts.digest == source["digest"]


@pytest.fixture
def answer(qapp: QApplication, qtbot: QtBot) -> Callable[[Path], None]:
    """A function that chooses a file in the open dialog."""

    def choose(path: Path) -> None:
        def dialogs() -> list[QFileDialog]:
            return [widget for widget in qapp.topLevelWidgets() if isinstance(widget, QFileDialog)]

        qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in dialogs()))
        (dialog,) = [dialog for dialog in dialogs() if dialog.isVisible()]
        dialog.filesSelected.emit([str(path)])
        dialog.close()

    return choose


def test_a_text_that_is_kept_needs_no_locating(
    activity: Activity, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    text = tmp_path / "kept.txt"
    text.write_text("the king saw the queen\n" * 5)
    session.corpora.open([text])
    qtbot.waitUntil(
        lambda: session.corpora.current is not None and session.corpora.current.name == "kept"
    )
    text.unlink()
    session.corpora.current = None
    assert session.corpora.restore()
    qtbot.waitUntil(lambda: session.corpora.current is not None)
    assert session.corpora.current.tokens == 25
    assert "open as it was last read" in activity.message.text
