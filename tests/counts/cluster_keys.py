"""A local cluster used like a foreign one: by its address and its certificates."""

from __future__ import annotations

from pathlib import Path

from workbench.counts.cluster import Cluster


def named_by_address(cluster: Cluster, folder: Path) -> dict[str, str]:
    """Parameters for connecting to a cluster by address; writes its certificates to ``folder``."""
    assert cluster._child is not None
    files = {}
    for kind, text in cluster._child.keys.items():
        path = folder / f"{kind}.pem"
        path.write_text(text)
        files[f"tls_{kind}"] = str(path)
    return {"scheduler": cluster.status().address, "tls_ca": files["tls_cert"], **files}
