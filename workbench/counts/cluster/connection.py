"""Connection to a cluster: one with a scheduler at an address, or processes on this machine."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Self

from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.memory import free_memory
from workbench.core.machine.threads import usable_threads
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder
from workbench.core.processes.child_process import child_environment, module_command
from workbench.core.version import __version__
from workbench.counts.cluster.client import open_client, own_security, security_for
from workbench.counts.cluster.optional_deps import check_cryptography, load_distributed
from workbench.counts.cluster.params import ClusterParams

_MB = 1 << 20
# Bytes of the interpreter, numba and the kernels in a worker before it has read anything.
BASE_BYTES = 320 * _MB
_END_SECONDS = 20
_VERSION = "workbench:__version__"


@dataclass(frozen=True)
class ClusterStatus:
    """Status of a cluster.

    address : address of the scheduler; local : whether its workers are processes that were started
    for it on this machine
    dashboard : a link to Dask's own page, "" if the scheduler has none, as for local clusters
    workers, threads : total numbers; memory : bytes that all workers may use together, 0 if unknown
    used : bytes in use; busy : number of active tasks
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
        """Bytes that a task may use, 0 if unknown."""
        return self.memory // max(self.threads, 1)


class Cluster:
    """A connected cluster. Use it as a context manager, or call ``close``; processes that were
    started for it then end.

    client : Dask's client; use it only within ``scheduler_errors``
    """

    def __init__(self, params: ClusterParams | None = None, run: JobControl | None = None) -> None:
        """Start workers if no scheduler is named, and connect. Raises UserError and Cancelled."""
        self.params = params or ClusterParams()
        load_distributed()
        run = run or JobControl()
        run.check()
        self._child: _Local | None = None
        security = security_for(self.params)
        if self.params.scheduler:
            self.client = open_client(self.params.scheduler, security)
            return
        self._child = _Local(self.params)
        try:
            self.client = open_client(self._child.address, own_security(self._child.keys))
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
        """Status of the cluster. Raises UserError if the scheduler doesn't report it."""
        with scheduler_errors():
            info = self.client.scheduler_info(n_workers=-1)
            workers = list(info.get("workers", {}).values())
            limits = [int(each.get("memory_limit") or 0) for each in workers]
            metrics = [each.get("metrics") or {} for each in workers]
            return ClusterStatus(
                address=str(info.get("address", self.params.scheduler)),
                local=self.local,
                dashboard="" if self.local else _dashboard(info),
                workers=len(workers),
                threads=sum(int(each.get("nthreads", 1)) for each in workers),
                memory=sum(limits) if all(limits) else 0,
                used=sum(int(each.get("memory", 0)) for each in metrics),
                busy=sum(
                    int((each.get("task_counts") or {}).get("executing", 0)) for each in metrics
                ),
            )

    def done_by_workers(self, work: Callable[..., Any], *arguments: object) -> dict[str, Any]:
        """Result of a function on each worker, or its exception, by address. Raises UserError."""
        with scheduler_errors():
            found: dict[str, Any] = self.client.run(work, *arguments, on_error="return")
            return found

    def check_workers(self) -> None:
        """Raise UserError unless the scheduler and all workers have this version of the workbench,
        and these versions of Python and Dask.
        """
        if self.local:
            return
        with scheduler_errors():
            reply = self.client.get_versions()
            own = _told_versions(reply["client"])
            versions = {
                who: _told_versions(each)
                for who, each in {"": reply["scheduler"], **reply["workers"]}.items()
            }
        for who, theirs in versions.items():
            if theirs != own:
                raise UserError(
                    tr(
                        "Worker {address} runs {theirs}, but this machine runs {own}.",
                        address=who,
                        theirs=theirs,
                        own=own,
                    )
                    if who
                    else tr(
                        "The scheduler runs {theirs}, but this machine runs {own}.",
                        theirs=theirs,
                        own=own,
                    ),
                    tr("Install the same versions everywhere."),
                )
        _check_version(self._version_of_scheduler(), None)
        # A function of Python’s library: workers without the workbench couldn’t load its own.
        for address, version in self.done_by_workers(pkgutil.resolve_name, _VERSION).items():
            _check_version(version, address)

    def _version_of_scheduler(self) -> object:
        with scheduler_errors():
            try:
                return self.client.run_on_scheduler(pkgutil.resolve_name, _VERSION)
            except ImportError as error:
                return error
            except ValueError:
                # A scheduler may be configured to refuse functions of clients.
                return __version__

    def close(self) -> None:
        """Disconnect from the scheduler, and end all processes that were started."""
        client = getattr(self, "client", None)
        if client is not None:
            with suppress(OSError, RuntimeError, CancelledError):
                client.close(timeout=_END_SECONDS)
        if self._child is not None:
            self._child.end()


@contextmanager
def scheduler_errors() -> Iterator[None]:
    """Convert Dask's errors to UserError if a scheduler ends, doesn't answer, or answers
    nonsense.
    """
    try:
        yield
    except (UserError, MemoryError):
        raise
    except (OSError, RuntimeError, CancelledError) as error:
        raise UserError(
            tr("The scheduler no longer responds."),
            tr("Check the scheduler’s log, then connect again."),
        ) from error
    except Exception as error:
        raise UserError(
            tr("Couldn’t understand the scheduler’s answer ({error}).", error=error_text(error)),
            tr("Check that a Dask scheduler of the same version is running at this address."),
        ) from error


def _check_version(version: object, worker: str | None) -> None:
    """Raise UserError if the workbench is missing or has another version. worker : address, None
    for the scheduler
    """
    if version == __version__:
        return
    same = tr(
        "Install version {version} on the scheduler and all workers, for example with: pip install "
        "embedding-workbench.",
        version=__version__,
    )
    if isinstance(version, ImportError):
        if worker is None:
            raise UserError(tr("embedding-workbench isn’t installed on the scheduler."), same)
        raise UserError(
            tr("embedding-workbench isn’t installed on worker {address}.", address=worker), same
        )
    if isinstance(version, Exception):
        raise UserError(
            tr(
                "Worker {address} failed ({version}).",
                address=worker,
                version=error_text(version),
            ),
            tr("Check the log of the worker."),
        )
    if worker is None:
        raise UserError(
            tr(
                "The scheduler has version {version} of embedding-workbench, but this "
                "machine has {own}.",
                version=version,
                own=__version__,
            ),
            same,
        )
    raise UserError(
        tr(
            "Worker {address} has version {version} of embedding-workbench, but this "
            "machine has {own}.",
            address=worker,
            version=version,
            own=__version__,
        ),
        same,
    )


def _told_versions(versions: Mapping[str, Any]) -> str:
    """“Python 3.11, distributed 2026.8”, from Dask's report about a process."""
    packages = versions.get("packages") or {}
    short = {
        name: ".".join(str(packages.get(name)).split(".")[:2]) for name in ("python", "distributed")
    }
    return f"Python {short['python']}, distributed {short['distributed']}"


def _dashboard(info: Mapping[str, Any]) -> str:
    """A link to the page of a scheduler, from its report about itself."""
    port = (info.get("services") or {}).get("dashboard")
    host, _ = load_distributed().comm.get_address_host_port(info["address"]) if port else ("", 0)
    if port:
        return str(load_distributed().utils.format_dashboard_link(host, port))
    return ""


class _Local:
    """The process that runs a local cluster."""

    def __init__(self, params: ClusterParams) -> None:
        check_cryptography()
        workers = params.workers or usable_threads()
        memory = params.worker_memory * _MB or max(int(0.7 * free_memory()) // workers, BASE_BYTES)
        self._folder = tempfile.TemporaryDirectory(prefix="dask-", dir=cache_folder("cluster"))
        self._process = subprocess.Popen(
            module_command(
                "workbench.counts.cluster.local_cluster",
                str(workers),
                str(memory),
                self._folder.name,
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            # Ctrl-C goes only to this process, which then ends the child.
            **system().child_options(own_session=True),
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = {"error": tr("its process ended")}
        if "address" not in reply:
            self.end()
            raise UserError(
                tr(
                    "Couldn’t start workers on this machine ({reason}).",
                    reason=reply.get("error"),
                ),
                tr("Use fewer workers, or give each worker more memory."),
            )
        self.address = str(reply["address"])
        self.keys: dict[str, str] = reply["keys"]

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
