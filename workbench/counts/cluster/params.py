"""Parameters of counting on a cluster: the cluster, and the size of portions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.core.language import tr
from workbench.core.param_labels import param_name
from workbench.core.params import Params, param

# Addresses of schedulers.
_ADDRESS = re.compile(r"(tcp|tls|ucx)://(\[[^\[\]]+\]|[^\[\]:/\s]+):\d{1,5}/?|wss?://[^/\s]\S*")

# Protocols with encryption and certificates on both sides.
_SECURE = ("tls://", "wss://")


@dataclass(frozen=True)
class ClusterParams(Params):
    """Parameters of the cluster and of the partition."""

    scheduler: str = param(
        "",
        "Address of a Dask scheduler that you trust, such as tls://host:8786. The owner of the "
        "scheduler can "
        "run programs on this machine as you. Empty = worker processes on this machine, which "
        "nobody else can "
        "reach.",
        label="Dask scheduler",
        source="none: this machine",
        basic=True,
    )
    workers: int = param(
        0,
        "Number of worker processes on this machine. 0 = one per usable core, at most 8.",
        label="Workers",
        low=0,
        high=256,
        basic=True,
    )
    worker_memory: int = param(
        0,
        "Memory of a worker, in MB. 0 = as the scheduler reports, or an equal share of the "
        "free memory of this machine. Counts that need more are written to disk.",
        label="Worker memory",
        low=0,
        high=1 << 24,
        unit="MB",
        basic=True,
    )
    partition: float = param(
        64.0,
        "Size of one partition, in MB. Files are split at line ends; compressed files "
        "aren’t split.",
        label="Partition",
        low=0.0,
        low_open=True,
        high=65536.0,
        unit="MB",
        grows="less data to exchange and add up; more memory",
    )
    spill: str = param(
        "",
        "Scratch folder for partial counts, shared by all workers under this path. Empty = "
        "a folder beside the result if all workers share it; otherwise Dask keeps partial "
        "counts on the workers’ disks and exchanges them.",
        label="Scratch folder",
        source="beside the result",
    )
    worker_wait: int = param(
        60,
        "Maximum time to wait while the scheduler has no workers. Increase it if the "
        "cluster starts workers on demand.",
        label="Waiting for workers",
        low=1,
        high=86400,
        unit="s",
    )
    tls_ca: str = param(
        "",
        "File with the CA certificate that signed the certificates of a tls:// scheduler and its "
        "workers. "
        "Empty = as in Dask’s configuration.",
        label="CA certificate",
        source="Dask’s configuration",
    )
    tls_cert: str = param(
        "",
        "File with the certificate that identifies this machine to a tls:// scheduler.",
        label="Your certificate",
        source="Dask’s configuration",
    )
    tls_key: str = param(
        "",
        "File with the private key of your certificate. Empty = the key is in the same file as "
        "the certificate.",
        label="Private key",
        source="the certificate’s file",
    )

    @property
    def connection_key(self) -> tuple[str, ...]:
        """Parameters that a connection to a scheduler depends on."""
        return self.scheduler, self.tls_ca, self.tls_cert, self.tls_key

    @property
    def uses_tls(self) -> bool:
        """Whether the connection to the named scheduler is safe from eavesdropping and
        impersonation.
        """
        return self.scheduler.startswith(_SECURE)

    def conflicts(self) -> dict[str, str]:
        if self.scheduler and self.workers:
            return {
                "workers": tr(
                    "it applies only to workers on this machine. Leave it out when you "
                    "name a scheduler."
                )
            }
        wrong = wrong_address(self.scheduler)
        if wrong:
            return {"scheduler": wrong}
        return {}


def wrong_address(scheduler: str) -> str:
    """Error in the address of a scheduler, "" if there is none."""
    if not scheduler or _ADDRESS.fullmatch(scheduler):
        return ""
    return tr(
        "{name} must be an address such as tcp://host:8786, not {scheduler!r}.",
        name=param_name("scheduler"),
        scheduler=scheduler,
    )
