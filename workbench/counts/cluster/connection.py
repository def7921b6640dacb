"""Connected to a cluster: one that is named by its scheduler's address, or processes on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from workbench import __version__
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.memory import free_memory
from workbench.core.paths import cache_folder, child_environment
from workbench.core.run import Run
from workbench.core.threads import usable_threads
from workbench.counts.cluster.asking import ClusterParams
from workbench.counts.cluster.needed import load_distributed

_MB = 1 << 20
# What the interpreter, numba and the kernels take of a worker before it has read anything.
BASE_BYTES = 320 * _MB
_CONNECT_SECONDS = 10
_END_SECONDS = 20
_CLOSE_SECONDS = 2


@dataclass(frozen=True)
class ClusterStatus:
    """A look at a cluster.

    address : of the scheduler; local : whether its workers are processes of this machine that were started for it
    dashboard : a link to Dask's own page, "" where the scheduler has none
    workers, threads : of all workers; memory : bytes that they may take together, 0 where that is not said
    used : bytes that they take; busy : tasks under way
    """

    address: str
    local: bool
    dashboard: str
    workers: int
    threads: int
    memory: int
    used: int
    busy: int

    @property
    def memory_per_thread(self) -> int:
        """Bytes that a task may take, 0 where that is not said."""
        return self.memory // max(self.threads, 1)


class Cluster:
    """Use as a context manager, or call ``close``; processes that were started for it end then."""

    def __init__(self, params: ClusterParams | None = None, run: Run | None = None) -> None:
        """Start workers where no scheduler is named, and connect. Raises UserError and Cancelled."""
        self.params = params or ClusterParams()
        load_distributed()
        run = run or Run()
        run.check()
        self._child: _Local | None = None
        address = self.params.scheduler
        if not address:
            self._child = _Local(self.params)
            address = self._child.address
        try:
            self.client = _client(address)
        except (OSError, TimeoutError) as error:
            self.close()
            raise UserError(
                tr("No Dask scheduler answers at {address} ({name}).", address=address, name=type(error).__name__),
                tr("Check the address, and that dask and distributed have the same version there."),
            ) from error
        except Exception as error:  # whatever Dask raises where a way to connect is not set up, or speaks otherwise
            self.close()
            raise UserError(
                tr("{address} cannot be connected to ({error}).", address=address, error=_first_line(error)),
                tr(
                    "tls needs certificates in the configuration of Dask, ucx a package of its own; dask and "
                    "distributed must have the same version everywhere."
                ),
            ) from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def local(self) -> bool:
        return self._child is not None

    @property
    def alive(self) -> bool:
        """Whether the scheduler still answers."""
        return str(self.client.status) in ("running", "connecting")

    def status(self) -> ClusterStatus:
        """How the cluster is; quick, from what the scheduler told last."""
        info = self.client.scheduler_info(n_workers=-1)
        workers = list(info.get("workers", {}).values())
        limits = [int(each.get("memory_limit") or 0) for each in workers]
        metrics = [each.get("metrics") or {} for each in workers]
        return ClusterStatus(
            address=str(info.get("address", self.params.scheduler)),
            local=self.local,
            dashboard=str(self.client.dashboard_link or "") if self.alive else "",
            workers=len(workers),
            threads=sum(int(each.get("nthreads", 1)) for each in workers),
            memory=sum(limits) if all(limits) else 0,
            used=sum(int(each.get("memory", 0)) for each in metrics),
            busy=sum(int((each.get("task_counts") or {}).get("executing", 0)) for each in metrics),
        )

    def check_workers(self) -> None:
        """Raise UserError unless all workers have this version of the workbench, and the cluster these versions of
        Python and Dask.
        """
        if self.local:
            return
        try:
            self._check_versions()
            found = self.client.run(_version, on_error="return")
        except OSError as error:
            raise UserError(tr("The scheduler does not answer any more."), tr("Connect to it again.")) from error
        for address, version in found.items():
            if isinstance(version, ImportError):
                raise UserError(
                    tr("The worker {address} has no embedding-workbench.", address=address),
                    tr(
                        "Install version {version} on all workers, as with: pip install embedding-workbench.",
                        version=__version__,
                    ),
                )
            if isinstance(version, BaseException):
                raise UserError(
                    tr("The worker {address} fails ({version}).", address=address, version=version),
                    tr("Look into its log."),
                )
            if version != __version__:
                raise UserError(
                    tr(
                        "The worker {address} has version {version} of the workbench, and this is {own}.",
                        address=address,
                        version=version,
                        own=__version__,
                    ),
                    tr("Install the same version everywhere."),
                )

    def _check_versions(self) -> None:
        """What one sends the other cannot read, or reads otherwise, where versions differ by more than a repair."""
        told = self.client.get_versions()
        own = _told_versions(told["client"])
        for who, versions in [("", told["scheduler"]), *told["workers"].items()]:
            theirs = _told_versions(versions)
            if theirs != own:
                raise UserError(
                    tr("The worker {address} runs {theirs}, and this is {own}.", address=who, theirs=theirs, own=own)
                    if who
                    else tr("The scheduler runs {theirs}, and this is {own}.", theirs=theirs, own=own),
                    tr("Install the same versions everywhere."),
                )

    def close(self) -> None:
        """Let go of the scheduler; ends what was started."""
        client = getattr(self, "client", None)
        if client is not None:
            with suppress(OSError, RuntimeError, TimeoutError):
                client.close(timeout=_END_SECONDS)
        if self._child is not None:
            self._child.end()


def _version() -> str:
    return __version__


def _told_versions(told: Mapping[str, Any]) -> str:
    """“Python 3.11, distributed 2026.8”, of what Dask tells of a process."""
    packages = told.get("packages") or {}
    short = {name: ".".join(str(packages.get(name)).split(".")[:2]) for name in ("python", "distributed")}
    return f"Python {short['python']}, distributed {short['distributed']}"


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _client(address: str) -> Any:
    """Dask's client, connected. Raises what it raises."""

    class Client(load_distributed().Client):  # type: ignore[misc]
        def start(self, **keywords: Any) -> None:
            try:
                super().start(**keywords)
            except BaseException:
                with suppress(Exception):
                    self.close(timeout=_CLOSE_SECONDS)
                # Where it closes by itself, the loop that it started in a thread goes on.
                self._loop_runner.stop()
                raise

    # Told of by a sentence, see check_workers.
    warnings.filterwarnings("ignore", category=load_distributed().versions.VersionMismatchWarning)
    return Client(address, set_as_default=False, timeout=_CONNECT_SECONDS, name="workbench")


class _Local:
    """The process that holds a cluster of this machine."""

    def __init__(self, params: ClusterParams) -> None:
        workers = params.workers or usable_threads()
        memory = params.worker_memory * _MB or max(int(0.7 * free_memory()) // workers, BASE_BYTES)
        self._folder = tempfile.TemporaryDirectory(prefix="dask-", dir=cache_folder("cluster"))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "workbench.counts.cluster.local", str(workers), str(memory), self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            # Ctrl-C is for this process, which then ends the other.
            start_new_session=os.name == "posix",
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            told = json.loads(line)
        except ValueError:
            told = {"error": tr("its process ended")}
        if "address" not in told:
            self.end()
            raise UserError(
                tr("No workers could be started on this machine ({reason}).", reason=told.get("error")),
                tr("Ask for fewer workers, or for more memory for each."),
            )
        self.address = str(told["address"])

    def end(self) -> None:
        process = self._process
        with suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()
        with suppress(OSError):
            self._folder.cleanup()
