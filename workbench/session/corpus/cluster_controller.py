"""Counting on a cluster from a session: connect, plan, count and open the result."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.packages import install_advice, install_command
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cluster import (
    Cluster,
    ClusterEstimate,
    ClusterParams,
    ClusterStatus,
    CountWindowParams,
    count,
    plan,
)
from workbench.counts.cluster.optional_deps import CLUSTER_PACKAGES
from workbench.session.corpus.cluster_inputs import cluster_texts
from workbench.session.corpus.controller import CorpusController
from workbench.session.jobs import Job, Jobs
from workbench.session.messages import Messages

_KEY, _CONNECT, _PLAN, _COUNT, _LOOK = (
    "cluster",
    "cluster.connect",
    "cluster.plan",
    "cluster.count",
    "cluster.look",
)


class MissingCluster(UserError):
    """Packages that counting on a cluster needs are not installed; ``command`` installs them, ""
    if nothing does.
    """

    def __init__(self) -> None:
        self.command = install_command(CLUSTER_PACKAGES)
        super().__init__(
            tr(
                "Counting on a cluster needs dask, distributed, fsspec and cryptography, but they "
                "aren’t all installed."
            ),
            install_advice(CLUSTER_PACKAGES),
        )


def missing_cluster() -> MissingCluster | None:
    """Packages that aren’t installed, without importing any of them."""
    if all(importlib.util.find_spec(name) for name in CLUSTER_PACKAGES):
        return None
    return MissingCluster()


@dataclass(frozen=True)
class ClusterCountRequest:
    """The texts to count: files, folders, addresses or the key of a corpus; how they are read and
    counted.
    """

    inputs: tuple[str, ...]
    options: CorpusOptions = field(default_factory=CorpusOptions)
    counting: CountWindowParams = field(default_factory=CountWindowParams)


class ClusterController:
    """The connection to a cluster, one at a time, and its counts. Belongs to the session's thread.

    cluster, status : the connected cluster and its last known status; None without a connection
    plan : the cost of the last request, None until it is estimated
    counts_folder : the folder of the last completed count, None during another count
    problem : why the last operation failed, or None
    lost : number of workers lost since the connection was made
    changed : emitted when any of these changes, or when an operation starts or ends
    """

    def __init__(self, jobs: Jobs, message: Messages, corpora: CorpusController) -> None:
        self.changed = Signal[()]()
        self.cluster: Cluster | None = None
        self.status: ClusterStatus | None = None
        self.plan: ClusterEstimate | None = None
        self.problem: UserError | None = None
        self.lost = 0
        self.counts_folder: Path | None = None
        self._most = 0
        self._jobs = jobs
        self._message = message
        self._corpora = corpora
        self._counting: Job[Path] | None = None
        self._wanted = False
        # Clusters of all jobs, even of those that never delivered a result; closed before another
        # cluster is made, and at the end.
        self._opened: list[Cluster] = []

    @property
    def connecting(self) -> bool:
        return self._jobs.busy(_CONNECT)

    @property
    def planning(self) -> bool:
        return self._jobs.busy(_PLAN)

    @property
    def counting(self) -> Job[Path] | None:
        """The running count."""
        return self._counting

    # -- the cluster

    def connect(self, params: ClusterParams) -> None:
        """Start workers, or connect to the given scheduler. Does nothing during a count.

        Outcome: ``status``, or ``problem``.
        """
        if self._counting is not None:
            return
        self._wanted = True
        self.problem = None
        self._let_go()

        def work(run: JobControl) -> tuple[Cluster, ClusterStatus]:
            self._close_clusters()
            cluster = Cluster(params, run)
            self._opened.append(cluster)
            run.check()
            cluster.check_workers()
            return cluster, cluster.status()

        if params.scheduler:
            title = tr("Connecting to {address}", address=params.scheduler)
        else:
            title = tr("Starting workers")
        self._jobs.start(
            title,
            work,
            self._handle_connection,
            self._show_problem,
            key=_CONNECT,
            cancelled=self.changed.emit,
        )
        self.changed.emit()

    def _handle_connection(self, found: tuple[Cluster, ClusterStatus]) -> None:
        self.cluster, self.status = found
        self._most, self.lost = self.status.workers, 0
        self.changed.emit()

    def refresh_status(self) -> None:
        """Start a job that updates ``status``, unless one is running already."""
        cluster, jobs = self.cluster, self._jobs
        if cluster is None or jobs.busy(_LOOK):
            return

        def work(run: JobControl) -> ClusterStatus | None:
            with suppress(UserError):
                if cluster.alive:
                    return cluster.status()
                return None
            return None

        jobs.start(
            tr("Checking the cluster"),
            work,
            lambda status: self._handle_status(cluster, status),
            key=_LOOK,
            quiet=True,
        )

    def _handle_status(self, cluster: Cluster, status: ClusterStatus | None) -> None:
        if cluster is not self.cluster:
            return
        if status is None:
            self._let_go()
            if self._counting is None:
                self.problem = UserError(
                    tr("The scheduler no longer responds."), tr("Connect to the cluster again.")
                )
        elif status != self.status:
            self.status = status
            self._most = max(self._most, status.workers)
            self.lost = self._most - status.workers
        else:
            return
        self.changed.emit()

    def leave(self) -> None:
        """Release the cluster; during a count, as soon as the count has finished."""
        self._wanted = False
        for key in (_CONNECT, _PLAN, _LOOK):
            self._jobs.drop(key)
        self.plan = self.problem = None
        if self._counting is None:
            self._disconnect()

    def _let_go(self) -> None:
        self.cluster = self.status = None
        self.lost = 0

    def _disconnect(self) -> None:
        """Close the clusters in a job, because processes take a second or two to end."""
        self._let_go()
        if self._opened:
            self._jobs.start(
                tr("Disconnecting from the cluster"),
                lambda run: self._close_clusters(),
                key=f"{_KEY}.end",
                quiet=True,
            )

    def _close_clusters(self) -> None:
        while self._opened:
            self._opened.pop().close()

    def close(self) -> None:
        """Close the clusters that were started. Call it after the session's jobs have ended."""
        self._let_go()
        self._close_clusters()

    # -- planning and counting

    def make_plan(self, request: ClusterCountRequest, params: ClusterParams) -> None:
        """Start a job that estimates the cost of a count. Outcome: ``plan``, or ``problem``."""
        status = self.status

        def work(run: JobControl) -> ClusterEstimate:
            texts, options = cluster_texts(request.inputs, request.options, run)
            return plan(texts, options, request.counting, params, status, run)

        self.plan = None
        self._jobs.start(
            tr("Planning the count"),
            work,
            self._handle_plan,
            self._show_problem,
            key=_PLAN,
            quiet=True,
            cancelled=self.changed.emit,
        )
        self.changed.emit()

    def forget_plan(self) -> None:
        """Drop the plan, because the request changed or is incomplete."""
        self._jobs.drop(_PLAN)
        self.plan = self.problem = None
        self.changed.emit()

    def _handle_plan(self, estimate: ClusterEstimate) -> None:
        self.plan = estimate
        self.changed.emit()

    def start(self, request: ClusterCountRequest, params: ClusterParams, out: Path) -> None:
        """Count on the connected cluster into the folder ``out``, and open the counts.

        Outcome: ``problem``, also reported as a message, or the counts in place of the corpus.
        """
        cluster = self.cluster
        if cluster is None or self._counting is not None:
            return
        self.problem = self.counts_folder = None
        cluster.params = params

        def work(run: JobControl) -> Path:
            texts, options = cluster_texts(request.inputs, request.options, run)
            count(texts, out, options, request.counting, cluster, run)
            return out

        self._counting = self._jobs.start(
            tr("Counting on a cluster into {name}", name=out.name),
            work,
            self._counting_finished,
            self._counting_failed,
            key=_COUNT,
            cancelled=lambda: self._end_counting(None),
        )
        self.changed.emit()

    def _counting_finished(self, out: Path) -> None:
        self.counts_folder = out
        self._message.emit(tr("Saved the counts in {path}.", path=out), "", False)
        self._end_counting(lambda: self._corpora.open([out]))

    def _counting_failed(self, error: UserError) -> None:
        self.problem = error
        self._message.report(error)
        self._end_counting(None)

    def _end_counting(self, then: Callable[[], object] | None) -> None:
        self._counting = None
        if not self._wanted:
            self._disconnect()
        if then is not None:
            then()
        self.changed.emit()

    def _show_problem(self, error: UserError) -> None:
        self.problem = error
        self.changed.emit()


def inputs_of(corpora: CorpusController) -> Sequence[str]:
    """The sources of the open corpus, as a user would type them; empty if only counts are open."""
    sample, paths = corpora.source.get("sample"), corpora.source.get("paths")
    if corpora.text is None:
        return ()
    if isinstance(sample, str) and sample:
        return (sample,)
    if isinstance(paths, list):
        return [str(path) for path in paths]
    return ()
