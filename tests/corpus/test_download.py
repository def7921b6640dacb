"""Downloads from a server on this machine that drops, corrupts, redirects and throttles."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import CATALOGUE, CatalogueEntry, download
from workbench.corpus.catalogue import entry as entries
from workbench.corpus.catalogue.download import fetch, recorded_checksum

DATA = bytes(range(256)) * 4096  # 1 MiB


@dataclass
class Served:
    """State of the server. ``drops``: number of responses still to be cut short; ``requests``:
    (path, Range) of each request so far.
    """

    data: bytes = DATA
    tag: str = '"one"'
    changed: str = ""
    ranges: bool = True
    drops: int = 0
    slow: bool = False
    target: str = ""
    statuses: list[int] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)
    address: str = ""


class _Handler(BaseHTTPRequestHandler):
    served: Served

    def do_GET(self) -> None:
        state = self.served
        byte_range = self.headers.get("Range", "")
        state.requests.append((self.path, byte_range))
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", state.target or "/file")
            self.end_headers()
            return
        if state.statuses:
            self.send_error(state.statuses.pop(0))
            return
        same = self.headers.get("If-Range", state.tag) in {state.tag, state.changed} - {""}
        begin = int(byte_range[6:-1]) if byte_range and state.ranges and same else 0
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(state.data) - begin))
        if state.tag:
            self.send_header("ETag", state.tag)
        if state.changed:
            self.send_header("Last-Modified", state.changed)
        self.end_headers()
        rest = state.data[begin:]
        if state.drops:
            state.drops -= 1
            self.wfile.write(rest[: len(rest) // 2])
            self.wfile.flush()
            self.connection.close()
            return
        if state.slow:
            self.wfile.write(rest[: 1 << 17])
            self.wfile.flush()
            state.done.wait(30)
            return
        self.wfile.write(rest)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    state = Served()
    handler = type("Handler", (_Handler,), {"served": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = False
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setattr(
        entries, "cache_folder", lambda *parts: _make_folder(tmp_path.joinpath(*parts))
    )
    monkeypatch.setattr(download, "_wait", lambda seconds, run: run.check())
    yield state
    state.done.set()
    server.shutdown()
    server.server_close()
    thread.join()


def _make_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def entry(server: Served, path: str = "/file", **changes: Any) -> CatalogueEntry:
    checksum = changes.pop("checksum", f"sha1:{hashlib.sha1(DATA).hexdigest()}")
    return CatalogueEntry(
        "mine",
        "Mine",
        "",
        server.address + path,
        "mine.bin",
        0,
        "",
        "a page",
        checksum=checksum,
        **changes,
    )


def test_a_file_is_downloaded_whole_and_once(server: Served) -> None:
    file = entry(server)
    assert not file.here
    run = JobControl()
    assert fetch(file, run).read_bytes() == DATA
    assert file.here
    assert run.progress.fraction == 1.0
    fetch(file)
    assert len(server.requests) == 1
    assert [path.name for path in file.place.parent.iterdir()] == ["mine.bin"]


def test_a_download_continues_after_lost_connections(server: Served) -> None:
    server.drops = 3
    assert fetch(entry(server)).read_bytes() == DATA
    half, quarter = len(DATA) // 2, len(DATA) // 4
    assert [byte_range for _, byte_range in server.requests][:3] == [
        "",
        f"bytes={half}-",
        f"bytes={half + quarter}-",
    ]


@pytest.mark.parametrize("change", [{"ranges": False}, {"tag": ""}, {"tag": 'W/"weak"'}])
def test_a_download_restarts_if_it_cannot_continue(
    server: Served, change: dict[str, object]
) -> None:
    for name, value in change.items():
        setattr(server, name, value)
    server.drops = 1
    assert fetch(entry(server)).read_bytes() == DATA


def test_a_file_that_changed_meanwhile_is_not_mixed(server: Served) -> None:
    server.slow = True
    old = server.data
    server.data = old[::-1]
    file = entry(server)
    _cancelled_midway(file, server)
    server.data, server.tag, server.slow = old, '"two"', False
    assert fetch(file).read_bytes() == DATA


def _cancelled_midway(file: CatalogueEntry, server: Served) -> None:
    class Hasty(JobControl):
        def advance(self, fraction: float | None, note: str = "", **details: object) -> None:
            self.cancel()

    with pytest.raises(Cancelled):
        fetch(file, Hasty())
    server.done.set()


def test_a_download_cancelled_while_throttled_continues(server: Served) -> None:
    server.slow = True
    file = entry(server)
    _cancelled_midway(file, server)
    assert not file.here
    server.slow = False
    assert fetch(file).read_bytes() == DATA
    assert server.requests[1][1].startswith("bytes=")


def test_corrupt_downloads_are_deleted(server: Served) -> None:
    server.data = DATA[:-1] + b"?"
    file = entry(server, checksum_source="the page")
    with pytest.raises(UserError, match=r"checksum.*doesn’t match.*from the page"):
        fetch(file)
    assert not list(file.place.parent.iterdir())
    server.data = DATA
    assert fetch(file).read_bytes() == DATA


def test_redirections_are_followed_but_not_out_of_encryption(server: Served) -> None:
    assert fetch(entry(server, "/moved")).read_bytes() == DATA
    server.target = "http://corpora.invalid/file"
    with pytest.raises(UserError, match="redirects to an unencrypted address"):
        fetch(entry(server, "/moved"), again=True)
    server.target = "/moved"
    with pytest.raises(UserError, match="redirects too many times"):
        fetch(entry(server, "/moved"), again=True)
    # The old file stays until the new one has been verified.
    assert entry(server).place.read_bytes() == DATA


def test_servers_that_fail(server: Served) -> None:
    server.statuses = [503, 500, 429]
    assert fetch(entry(server)).read_bytes() == DATA
    server.statuses = [404]
    with pytest.raises(UserError, match="answered 404"):
        fetch(entry(server), again=True)
    server.statuses = [503] * 20
    with pytest.raises(UserError, match="answered 503"):
        fetch(entry(server), again=True)


def test_a_mirror_replaces_a_missing_server(server: Served) -> None:
    file = replace(entry(server), url="http://127.0.0.1:9/file")
    with pytest.raises(UserError, match="the server can’t be reached"):
        fetch(file)
    assert fetch(replace(file, mirrors=(server.address + "/file",))).read_bytes() == DATA


def test_a_download_continues_by_the_time_of_the_last_change(server: Served) -> None:
    """For servers without tags; a change within the minute before the answer proves nothing."""
    server.tag, server.changed = "", "Mon, 06 Jan 2020 10:00:00 GMT"
    server.drops = 1
    assert fetch(entry(server)).read_bytes() == DATA
    assert server.requests[-1][1].startswith("bytes=")
    server.changed = formatdate(usegmt=True)
    server.requests.clear()
    server.drops = 1
    assert fetch(entry(server), again=True).read_bytes() == DATA
    assert [asked for _, asked in server.requests] == ["", ""]


def test_what_a_lost_server_began_is_removed_when_a_mirror_is_done(server: Served) -> None:
    server.drops = 99
    file = entry(server)
    with pytest.raises(UserError, match="connection was lost"):
        fetch(file)
    folder = file.place.parent
    assert list(folder.glob(".*.part"))
    server.drops = 0
    moved = replace(file, url="http://127.0.0.1:9/file", mirrors=(server.address + "/other",))
    assert fetch(moved).read_bytes() == DATA
    assert [path.name for path in folder.iterdir()] == ["mine.bin"]


def test_checksum_of_a_member(server: Served) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("text", DATA)
    server.data = buffer.getvalue()
    assert fetch(entry(server, member="text")).read_bytes() == server.data
    with pytest.raises(UserError, match="The download was deleted"):
        fetch(entry(server, member="other"), again=True)
    with pytest.raises(UserError, match="The download was deleted"):
        fetch(entry(server, member="text", checksum="md5:00"), again=True)


def test_a_missing_checksum_is_recorded(server: Served) -> None:
    file = entry(server, checksum="")
    assert recorded_checksum(file) == ""
    fetch(file)
    assert recorded_checksum(file) == f"sha256:{hashlib.sha256(DATA).hexdigest()}"


def test_entries_of_the_catalogue_are_complete() -> None:
    for key, corpus_entry in CATALOGUE.items():
        assert corpus_entry.key == key
        assert all(
            (
                corpus_entry.title,
                corpus_entry.summary,
                corpus_entry.licence,
                corpus_entry.source,
                corpus_entry.file,
            )
        )
        assert all(url.startswith("https://") for url in (corpus_entry.url, *corpus_entry.mirrors))
        assert bool(corpus_entry.checksum) == bool(corpus_entry.checksum_source)
        if corpus_entry.checksum:
            kind, _, digits = corpus_entry.checksum.partition(":")
            assert len(digits) == {"md5": 32, "sha1": 40, "git": 40}[kind]
