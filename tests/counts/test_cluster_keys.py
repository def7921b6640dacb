"""Workers on this machine accept only clients with their key, not with another scheduler’s key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import psutil
import pytest
from counts.cluster_keys import named_by_address

from workbench.core.errors import UserError
from workbench.core.processes.child_process import child_environment
from workbench.counts.cluster import Cluster, ClusterParams, CountWindowParams, connect, count

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

pytestmark = pytest.mark.slow

WORKERS = 2
NOBODY = 65534

# A separate program, run as another user if possible. It asks every listening process to make a
# folder named after the way it connected.
INTRUDER = """
import asyncio, json, logging, os, ssl, sys
from distributed import Security
from distributed.core import connect, send_recv
from distributed.protocol.pickle import dumps

asked = json.loads(sys.stdin.read())
logging.disable(logging.CRITICAL)
bare = ssl.create_default_context()
bare.check_hostname, bare.verify_mode = False, ssl.CERT_NONE
ways = {
    "plain": ("tcp", {}),
    "bare": ("tls", {"ssl_context": bare, "require_encryption": True}),
    "other": ("tls", Security.temporary().get_connection_args("client")),
}
if asked["keys"]:
    sides = {f"tls_client_{kind}": asked["keys"][kind] for kind in ("cert", "key")}
    own = Security(require_encryption=True, tls_ca_file=asked["keys"]["cert"], **sides)
    ways = {"own": ("tls", own.get_connection_args("client"))}
if os.getuid() == 0:
    os.setuid(asked["uid"])

async def enter(way, port, task):
    scheme, given = ways[way]
    target = os.path.join(asked["folder"], f"{way}-{port}")
    words = {"function": dumps(os.mkdir), "args": dumps((target,)), "kwargs": dumps({})}
    comm = await connect(f"{scheme}://127.0.0.1:{port}", timeout=5, **given)
    try:
        await send_recv(comm, op=task, **words)
    finally:
        comm.abort()

async def everything():
    tries = [
        asyncio.wait_for(enter(way, port, task), 5)
        for way in ways for port in asked["ports"] for task in ("run", "run_function")
    ]
    await asyncio.gather(*tries, return_exceptions=True)

asyncio.run(everything())
print(os.getuid(), len(ways))
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with connect(ClusterParams(workers=WORKERS, worker_memory=600)) as new_cluster:
        yield new_cluster


def ports_of(cluster: Cluster) -> set[int]:
    """All ports on which the scheduler, the workers and their nannies listen."""
    assert cluster._child is not None
    outer = psutil.Process(cluster._child._process.pid)
    return {
        each.laddr.port
        for process in (outer, *outer.children(recursive=True))
        for each in process.net_connections("inet")
        if each.status == psutil.CONN_LISTEN
    }


def enter(cluster: Cluster, folder: Path, keys: dict[str, str] | None) -> set[str]:
    """Names of the folders that an intruder could make, which show how it connected."""
    request = {
        "keys": keys,
        "ports": sorted(ports_of(cluster)),
        "folder": str(folder),
        "uid": NOBODY,
    }
    process = subprocess.run(
        [sys.executable, "-c", INTRUDER],
        input=json.dumps(request),
        env=child_environment() | {"PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    uid, ways = process.stdout.split()
    assert int(uid) == (NOBODY if os.getuid() == 0 else os.getuid())
    assert int(ways) == (1 if keys else 3)
    return {each.name for each in folder.iterdir()}


def test_nobody_enters_without_the_key(cluster: Cluster, tmp_path: Path) -> None:
    assert cluster._child is not None
    assert enter(cluster, tmp_path, None) == set()
    # With the key, the same code runs everywhere: in the scheduler, the workers and their nannies.
    assert len(enter(cluster, tmp_path, cluster._child.keys)) == 1 + 2 * WORKERS
    assert cluster.status().address.startswith("tls://127.0.0.1:")
    assert all(
        address.startswith("tls://127.0.0.1:")
        for address in cluster.client.scheduler_info()["workers"]
    )


def test_every_cluster_has_a_key_of_its_own(cluster: Cluster) -> None:
    with connect(ClusterParams(workers=1, worker_memory=600)) as other:
        assert other._child is not None
        assert cluster._child is not None
        assert not set(other._child.keys.values()) & set(cluster._child.keys.values())


def test_keys_are_in_no_file_no_command_line_and_no_environment(cluster: Cluster) -> None:
    assert cluster._child is not None
    lines = cluster._child.keys["key"].split("\n")[1:-2]
    assert all(len(line) > 20 for line in lines)
    outer = psutil.Process(cluster._child._process.pid)
    for process in (outer, *outer.children(recursive=True)):
        texts = [*process.cmdline(), *process.environ().values()]
        assert not any(line in each for line in lines for each in texts)
    folder = Path(cluster._child._folder.name)
    assert folder.stat().st_mode & 0o077 == 0
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(line.encode() in path.read_bytes() for path in files for line in lines)


def test_http_servers_of_a_cluster_serve_nothing(cluster: Cluster) -> None:
    """Dask’s HTTP servers run, but serve nothing."""
    codes = set()
    for port in ports_of(cluster):
        for page in (
            "",
            "status",
            "info/main/workers.html",
            "json/counts.json",
            "metrics",
            "health",
            "api/v1/",
        ):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=10):
                    pytest.fail(f"{page} is given out")
            except HTTPError as error:
                with error:
                    codes.add(error.code)
            except (URLError, OSError):
                # A port that speaks Dask’s own protocol, not HTTP.
                pass
    assert codes == {404}
    assert cluster.status().dashboard == ""


def test_missing_encryption_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UserError, match="the package cryptography, .* isn’t installed"):
        connect(ClusterParams(workers=1))


# -- a remote scheduler


@pytest.fixture(scope="module")
def tls_settings(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Parameters for connecting to a scheduler by address, with files of its certificates."""
    return named_by_address(cluster, tmp_path_factory.mktemp("keys"))


def test_a_scheduler_that_asks_for_certificates(
    tls_settings: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "text.txt").write_text("the king saw the queen\n" * 100)
    params = ClusterParams.from_mapping(tls_settings)
    assert params.uses_tls
    with connect(params) as remote_cluster:
        assert not remote_cluster.local
        shards = count(
            [tmp_path / "text.txt"],
            tmp_path / "out",
            None,
            CountWindowParams(min_count=1),
            remote_cluster,
        )
        assert len(shards.vocabulary) == 4
    both = tmp_path / "both.pem"
    both.write_text(
        Path(tls_settings["tls_cert"]).read_text() + Path(tls_settings["tls_key"]).read_text()
    )
    with connect(params.replace(tls_cert=str(both), tls_key="")) as remote_cluster:
        assert remote_cluster.status().workers == WORKERS


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"tls_ca": "", "tls_cert": "", "tls_key": ""},
            "needs certificates, but you haven’t given any.",
        ),
        ({"tls_ca": ""}, "Your certificate and the CA certificate are needed together."),
        ({"tls_cert": "", "tls_key": ""}, "are needed together."),
        ({"tls_key": "none.pem"}, "Couldn’t read the certificates for tls://127.0.0.1:"),
        ({"tls_ca": __file__}, "Couldn’t read the certificates for tls://127.0.0.1:"),
        ({"tls_key": ""}, "Couldn’t read the certificates for tls://127.0.0.1:"),
        (
            {"scheduler": "tcp://127.0.0.1:9"},
            "Certificates can only be used with an address that starts with tls://",
        ),
        (
            {"scheduler": ""},
            "Certificates can only be used with an address that starts with tls://",
        ),
    ],
)
def test_certificates_that_are_wrong(
    tls_settings: dict[str, str], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError) as error:
        connect(ClusterParams.from_mapping(tls_settings | changes))
    assert message in error.value.message
    assert "\n" not in error.value.message


def test_a_certificate_that_the_scheduler_does_not_know(
    tls_settings: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from distributed import Security

    stranger = Security.temporary()
    (tmp_path / "cert.pem").write_text(stranger.tls_client_cert)
    (tmp_path / "key.pem").write_text(stranger.tls_client_key)
    files = {"tls_cert": str(tmp_path / "cert.pem"), "tls_key": str(tmp_path / "key.pem")}
    # Refused whether the scheduler doesn’t trust the client’s certificate, or neither side trusts
    # the other’s.
    for ca in (tls_settings["tls_ca"], files["tls_cert"]):
        with pytest.raises(UserError, match="Couldn’t reach a Dask scheduler"):
            connect(ClusterParams.from_mapping(tls_settings | files | {"tls_ca": ca}))
    assert capfd.readouterr().err == ""
