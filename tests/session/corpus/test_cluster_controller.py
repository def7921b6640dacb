"""A session that counts on a fake cluster, which records the calls."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from session.fakes import wait_until
from session.fakes_cluster import FakeCluster, fake_count

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cluster import ClusterParams
from workbench.session.corpus import cluster_controller
from workbench.session.corpus.cluster_controller import (
    ClusterCountRequest,
    inputs_of,
    missing_cluster,
)
from workbench.session.session import Session


@pytest.fixture
def session(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    FakeCluster.made.clear()
    monkeypatch.setattr(cluster_controller, "Cluster", FakeCluster)
    monkeypatch.setattr(cluster_controller, "count", fake_count)
    new_session = Session()
    yield new_session
    new_session.close()
    assert all(cluster.closed for cluster in FakeCluster.made)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "some.txt"
    path.write_text("the king saw the queen\nthe queen saw a cat\n" * 50)
    return path


def connect(session: Session, params: ClusterParams | None = None) -> None:
    session.clustering.connect(params or ClusterParams(workers=2))
    wait_until(session, lambda: not session.clustering.connecting)


def test_it_connects_plans_counts_and_opens(session: Session, text: Path, tmp_path: Path) -> None:
    ours = session.clustering
    connect(session)
    assert ours.status is not None
    assert ours.status.workers == 2
    count_request = ClusterCountRequest((str(text),))
    ours.make_plan(count_request, ClusterParams(workers=2))
    wait_until(session, lambda: not ours.planning)
    assert ours.plan is not None
    assert ours.plan.tokens == 500
    assert ours.plan.offered == ours.status.memory_per_thread
    ours.start(count_request, ClusterParams(workers=2, partition=3.0), tmp_path / "out")
    assert ours.counting is not None
    ours.connect(ClusterParams(workers=1))
    assert len(FakeCluster.made) == 1, "what counts is left alone"
    wait_until(session, lambda: session.corpora.counts is not None)
    assert ours.counts_folder == tmp_path / "out"
    assert session.corpora.source["counts"] == str(tmp_path / "out")
    assert FakeCluster.made[0].params.partition == 3.0
    assert not FakeCluster.made[0].closed, "somebody still looks at it"
    ours.leave()
    wait_until(session, lambda: FakeCluster.made[0].closed)
    assert ours.cluster is None


def test_what_fails_is_one_sentence(session: Session, text: Path, tmp_path: Path) -> None:
    ours = session.clustering
    connect(session, ClusterParams(scheduler="tcp://nowhere:1"))
    assert ours.cluster is None
    assert ours.problem is not None
    assert ours.problem.message == "Couldn’t reach a Dask scheduler at tcp://nowhere:1 (OSError)."
    ours.make_plan(ClusterCountRequest((str(tmp_path / "gone.txt"),)), ClusterParams())
    wait_until(session, lambda: not ours.planning)
    assert "gone.txt" in str(ours.problem)
    ours.forget_plan()
    assert ours.problem is None
    connect(session)
    messages: list[str] = []
    session.message.connect(lambda message, hint, error: messages.append(message))
    FakeCluster.made[-1].failure = UserError("The disk is full.", "Make room.")
    ours.start(ClusterCountRequest((str(text),)), ClusterParams(), tmp_path / "out")
    wait_until(session, lambda: ours.counting is None)
    assert str(ours.problem) == "The disk is full. Make room."
    assert messages == ["The disk is full."]
    assert ours.counts_folder is None


def test_lost_workers_and_lost_schedulers_are_noticed(session: Session) -> None:
    ours = session.clustering
    connect(session)
    cluster: Any = FakeCluster.made[0]
    cluster.workers = 1
    ours.refresh_status()
    wait_until(session, lambda: ours.lost == 1)
    cluster.alive = False
    ours.refresh_status()
    wait_until(session, lambda: ours.status is None)
    assert ours.problem is not None
    assert ours.problem.message == "The scheduler no longer responds."


def test_a_count_goes_on_when_nobody_looks_and_can_be_cancelled(
    session: Session, text: Path, tmp_path: Path
) -> None:
    ours = session.clustering
    connect(session)
    cluster = FakeCluster.made[0]
    cluster.go = threading.Event()
    ours.start(ClusterCountRequest((str(text),)), ClusterParams(), tmp_path / "out")
    ours.leave()
    job = ours.counting
    assert job is not None
    assert not cluster.closed
    job.run.cancel()
    wait_until(session, lambda: ours.counting is None and cluster.closed)
    assert session.corpora.counts is None
    assert ours.problem is None


def test_a_connection_that_nobody_waits_for_is_ended(session: Session) -> None:
    FakeCluster.gate.clear()
    try:
        session.clustering.connect(ClusterParams())
        session.clustering.leave()
    finally:
        FakeCluster.gate.set()
    wait_until(session, lambda: not session.jobs.active)
    assert session.clustering.cluster is None
    connect(session)
    assert [cluster.closed for cluster in FakeCluster.made][-1] is False


def test_what_is_open_is_what_is_proposed(session: Session, text: Path) -> None:
    assert list(inputs_of(session.corpora)) == []
    session.corpora.open([text], CorpusOptions())
    wait_until(session, lambda: session.corpora.opening is None)
    assert list(inputs_of(session.corpora)) == [str(text)]
    session.corpora.source = {"sample": "small-world"}
    assert list(inputs_of(session.corpora)) == ["small-world"]


def test_what_is_missing_comes_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec",
        lambda name: None if name == "distributed" else found(name),
    )
    missing = missing_cluster()
    assert missing is not None
    assert missing.command.endswith("install dask distributed fsspec cryptography")
