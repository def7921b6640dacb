"""Counting on a cluster with clicks and keys: with a fake cluster, and once with a real one of two
processes.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from session.fakes_cluster import FakeCluster, fake_count

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.session.corpus import cluster_controller
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.cluster import ClusterDialog, count_on_cluster
from workbench.ui.widgets.tables.data_table import DataTable

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "some.txt"
    path.write_text("the king saw the queen\nthe queen saw a cat\n" * 200)
    return path


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeCluster.made.clear()
    monkeypatch.setattr(cluster_controller, "Cluster", FakeCluster)
    monkeypatch.setattr(cluster_controller, "count", fake_count)


@pytest.fixture
def show(
    context: PanelContext, qtbot: QtBot, tmp_path: Path
) -> Iterator[Callable[[], ClusterDialog]]:
    window = QWidget()
    qtbot.addWidget(window)
    context.session.settings.put({"cluster.folder": str(tmp_path)})

    def open_dialog() -> ClusterDialog:
        new_dialog = count_on_cluster(window, context.session, context.theme)
        qtbot.waitExposed(new_dialog)
        return new_dialog

    yield open_dialog
    for dialog in window.findChildren(ClusterDialog):
        dialog.close()


def open_text(session: Session, text: Path, qtbot: QtBot) -> None:
    session.corpora.open([text], CorpusOptions())
    qtbot.waitUntil(lambda: session.corpora.opening is None)


def rows(table: DataTable) -> dict[str, str]:
    return {texts[0]: texts[1] for texts in table.texts()}


def connect(dialog: ClusterDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.where.button, LEFT)
    qtbot.waitUntil(lambda: dialog.count.isEnabled())


@pytest.mark.usefixtures("fake")
def test_the_open_text_is_planned_counted_and_its_counts_are_opened(
    context: PanelContext,
    show: Callable[[], ClusterDialog],
    text: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = context.session
    open_text(session, text, qtbot)
    dialog = show()
    assert dialog.inputs.toPlainText() == str(text)
    assert dialog.folder.text() == str(tmp_path / "some-counts")
    qtbot.waitUntil(lambda: dialog.plan.table.table.rowCount() == 9)
    plan = rows(dialog.plan.table)
    assert plan["Tokens"] == "2,000"
    assert plan["Partitions"].startswith("1, the largest")
    assert "written and read" in plan["Between workers"]
    assert (dialog.count.isEnabled(), dialog.count.toolTip()) == (False, "Connect first.")
    assert dialog.where.dashboard.isHidden()
    connect(dialog, qtbot)
    assert dialog.where.status.text() == "2 workers with 2 threads; 100 MB of 2.0 GB of memory used"
    links: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: links.append(QUrl(url).toString()) or True
    )
    qtbot.mouseClick(dialog.where.dashboard, LEFT)
    assert links == ["http://127.0.0.1:8787/status"]
    go = FakeCluster.made[0].go = threading.Event()
    qtbot.mouseClick(dialog.count, LEFT)
    assert dialog.plan.note.text().startswith("Counting…")
    assert not dialog.where.button.isEnabled()
    assert [job.title for job in session.jobs.active if not job.quiet] == [
        "Counting on a cluster into some-counts"
    ]
    go.set()
    qtbot.waitUntil(lambda: session.corpora.counts is not None)
    qtbot.waitUntil(lambda: FakeCluster.made[0].closed)
    assert session.corpora.source["counts"] == str(tmp_path / "some-counts")


@pytest.mark.usefixtures("fake")
def test_all_of_it_by_keys(
    context: PanelContext, show: Callable[[], ClusterDialog], text: Path, qtbot: QtBot
) -> None:
    dialog = show()
    assert (dialog.plan_request(), dialog.count.toolTip()) == (
        None,
        "Enter the texts first, and correct the fields marked in red.",
    )
    dialog.inputs.setFocus()
    qtbot.keyClicks(dialog.inputs, str(text))
    qtbot.waitUntil(lambda: dialog.plan.table.table.rowCount() == 9)
    names = []
    for _ in range(60):
        widget = dialog.focusWidget()
        if widget is None or widget.objectName() in names:
            break
        names.append(widget.objectName())
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    for name in (
        "inputs",
        "files",
        "add_folder",
        "count.window",
        "place",
        "workers",
        "connect",
        "plan",
        "folder",
    ):
        assert f"cluster.{name}" in names
    dialog.where.place.setFocus()
    qtbot.keyClick(dialog.where.place, Qt.Key.Key_Down)
    assert dialog.where.address.isVisible()
    assert not dialog.where.workers.editor.isVisible()
    assert not dialog.where.button.isEnabled()
    dialog.where.address.setFocus()
    qtbot.keyClicks(dialog.where.address, "nowhere")
    assert dialog.where.address.property("invalid")
    dialog.where.address.clear()
    qtbot.keyClicks(dialog.where.address, "tcp://nowhere:1")
    qtbot.keyClick(dialog.where.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Couldn’t reach a Dask scheduler" in dialog.plan.note.text())
    assert dialog.plan.note.property("role") == "error"
    dialog.where.address.clear()
    qtbot.keyClicks(dialog.where.address, "tcp://there:1")
    qtbot.keyClick(dialog.where.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.where.status.text().startswith("tcp://there:1: 2 workers"))
    FakeCluster.made[-1].workers = 1
    qtbot.waitUntil(lambda: "1 worker was lost" in dialog.where.status.text())
    FakeCluster.made[-1].alive = False
    qtbot.waitUntil(lambda: "no longer responds" in dialog.plan.note.text())
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: all(one.closed for one in FakeCluster.made))


@pytest.mark.usefixtures("fake")
def test_wrong_settings_and_wrong_links(
    context: PanelContext,
    show: Callable[[], ClusterDialog],
    text: Path,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    open_text(context.session, text, qtbot)
    dialog = show()
    assert show() is dialog
    connect(dialog, qtbot)
    size = dialog.windows.findChild(QSpinBox, "cluster.count.window")
    assert size is not None
    size.setValue(0)
    assert not dialog.count.isEnabled()
    size.setValue(4)
    dialog.where.workers.put(3)
    assert dialog.where.status.text() == "Connected with different settings. Connect again."
    assert dialog.where.dashboard.isHidden()
    dialog.where.workers.put(0)
    FakeCluster.made[0].link = "file:///etc/passwd"
    qtbot.waitUntil(lambda: dialog.where.dashboard.isHidden())
    dialog.inputs.setPlainText(str(tmp_path / "gone"))
    qtbot.waitUntil(lambda: "gone" in dialog.plan.note.text())
    assert dialog.plan.table.table.rowCount() == 0


@pytest.mark.usefixtures("fake")
def test_what_a_scheduler_may_do_is_said_before_it_is_connected_to(
    show: Callable[[], ClusterDialog], qtbot: QtBot, context: PanelContext, text: Path
) -> None:
    open_text(context.session, text, qtbot)
    dialog = show()
    assert dialog.where.trust.isHidden()
    dialog.where.place.setFocus()
    qtbot.keyClick(dialog.where.place, Qt.Key.Key_Down)
    assert dialog.where.trust.isVisible()
    dialog.where.address.setFocus()
    qtbot.keyClicks(dialog.where.address, "tcp://host:8786")
    warning = dialog.where.trust.text()
    assert "can run programs on this machine as you" in warning
    assert "Without tls://, others can read the data" in warning
    dialog.where.address.clear()
    qtbot.keyClicks(dialog.where.address, "tls://host:8786")
    assert "can run programs on this machine as you" in dialog.where.trust.text()
    assert "Without tls://" not in dialog.where.trust.text()
    dialog.where.more.put({}, {"tls_ca": "a.pem", "tls_cert": "c.pem", "tls_key": "k.pem"})
    qtbot.mouseClick(dialog.where.button, LEFT)
    qtbot.waitUntil(lambda: bool(FakeCluster.made) and dialog.fits)
    assert FakeCluster.made[0].params.connection_key == (
        "tls://host:8786",
        "a.pem",
        "c.pem",
        "k.pem",
    )
    # Another certificate means another connection; workers on this machine need no certificate.
    dialog.where.more.put({}, {"tls_ca": "a.pem", "tls_cert": "d.pem", "tls_key": "k.pem"})
    assert not dialog.fits
    dialog.where.place.setFocus()
    qtbot.keyClick(dialog.where.place, Qt.Key.Key_Up)
    params = dialog.where.params()
    assert params is not None
    assert params.connection_key == ("", "", "", "")
    assert dialog.where.trust.isHidden()


def test_without_dask_it_is_said_how_to_get_it(
    show: Callable[[], ClusterDialog], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    dialog = show()
    assert dialog.where.missing.isVisible()
    assert dialog.where.missing.command.text().endswith("dask distributed fsspec cryptography")
    assert not dialog.where.button.isEnabled()
    assert not dialog.count.isEnabled()


@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("distributed", "cryptography")),
    reason="dask is not installed",
)
def test_two_real_workers_count_what_this_process_counts(
    context: PanelContext, show: Callable[[], ClusterDialog], text: Path, qtbot: QtBot
) -> None:
    session = context.session
    open_text(session, text, qtbot)
    dialog = show()
    dialog.where.workers.put(2)
    dialog.where.more.put({}, {"worker_memory": 900, "partition": 0.004})
    qtbot.mouseClick(dialog.where.button, LEFT)
    qtbot.waitUntil(lambda: dialog.count.isEnabled())
    assert session.clustering.status is not None
    assert session.clustering.status.workers == 2
    assert session.clustering.plan is not None
    assert session.clustering.plan.partitions > 2
    qtbot.mouseClick(dialog.count, LEFT)
    qtbot.waitUntil(lambda: session.corpora.counts is not None)
    counts = session.corpora.counts
    assert counts is not None
    corpus = open_corpus([text], CorpusOptions())
    expected = cooccurrence(corpus, corpus.vocabulary(5), 5, "dynamic", threads=1)
    assert (counts.shards.to_csr() != expected).nnz == 0
    qtbot.waitUntil(lambda: not session.jobs.busy("cluster"))
