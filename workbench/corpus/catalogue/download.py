"""Downloads that continue after an interruption, are checked, and are complete or absent.

pooch checks the file and moves it to its place; this module adds resuming by HTTP ranges (RFC 9110,
section 14), retries, mirrors, progress and cancelling.
"""

from __future__ import annotations

import glob
import hashlib
import json
import logging
import shutil
import time
import zipfile
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin, urlsplit

from workbench.core.atomic import cannot_write, replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.corpus.catalogue.entry import CatalogueEntry, RemoteFile

# Timeouts in seconds for connecting and for reading; maximum tries in a row without a new byte.
_TIMEOUT = (10.0, 20.0)
_TRIES = 5
_BLOCK = 1 << 16
_LONGEST_WAIT = 8.0
_REDIRECTIONS = 10
_LOCAL = ("localhost", "127.0.0.1", "::1")
_RECORD = "recorded.json"
_GIT = "git:"
# First bytes of files by suffix.
_BEGINNINGS = {".gz": b"\x1f\x8b", ".zip": b"PK", ".bz2": b"BZh", ".xz": b"\xfd7zXZ"}
# Bytes of a disk that a download leaves free.
_RESERVE = 256 << 20


def fetch(entry: CatalogueEntry, run: JobControl | None = None, again: bool = False) -> Path:
    """The file or folder of public data, downloaded if missing; ``again`` downloads it again.

    A download that was cancelled or interrupted continues where it stopped. Raises UserError if no
    address can be reached, a checksum is wrong or the disk is too small, and Cancelled.
    """
    run = run or JobControl()
    if entry.here and not again:
        return entry.place
    prove_disk(entry, entry.place.parent, entry.bytes)
    for file in entry.files:
        if again or not entry.place_of(file).is_file():
            run.enter(Phase.READING, tr("Downloading {title}", title=entry.title))
            _fetch_file(entry, file, run)
    return entry.place


def _fetch_file(entry: CatalogueEntry, file: RemoteFile, run: JobControl) -> None:
    problems: list[UserError] = []
    for url in (file.url, *file.mirrors):
        try:
            _retrieve(entry, file, url, run)
        except UserError as error:
            problems.append(error)
        else:
            return
    raise problems[0]


def prove_disk(entry: CatalogueEntry, folder: Path, needed: int) -> None:
    """Raise UserError if a disk has too little space for so many bytes and a reserve."""
    free = shutil.disk_usage(folder).free
    if needed and free < needed + _RESERVE:
        raise UserError(
            tr(
                "Not enough disk space: {title} needs {needed:,.0f} MB, but only {free:,.0f} MB "
                "is free.",
                title=entry.title,
                needed=needed / 1e6,
                free=max(free - _RESERVE, 0) / 1e6,
            ),
            tr("Free some space, or set WORKBENCH_HOME to a folder on a larger disk."),
        )


def recorded_checksum(entry: CatalogueEntry) -> str:
    """The checksum of the first download of an entry’s first file, if none is published; "" before
    that, and if one is published.
    """
    return _recorded(entry).get(entry.file, "")


def _recorded(entry: CatalogueEntry) -> dict[str, str]:
    """Checksums of first downloads, by the names of the files."""
    try:
        found = json_of_file(entry.place.parent / _RECORD)
        files = found.get("files") or {entry.file: found["checksum"]}
        return {str(name): str(checksum) for name, checksum in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _retrieve(entry: CatalogueEntry, file: RemoteFile, url: str, run: JobControl) -> None:
    import pooch

    pooch.get_logger().setLevel(logging.CRITICAL)
    place = entry.place_of(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    part = (
        place.parent
        / f".{place.name}.{hashlib.blake2b(url.encode(), digest_size=4).hexdigest()}.part"
    )
    new = place.parent / "new"
    own = file.member or file.checksum.startswith(_GIT)
    known = file.checksum if file.checksum and not own else None

    def downloader(url: str, target: str, _: Any) -> None:
        _download(url, part, entry, file, run)
        try:
            system().replace(part, Path(target))
        except OSError as error:
            raise cannot_write(Path(target), error) from error

    try:
        # In a separate folder, so that the existing file stays until the new one has been
        # checked.
        shutil.rmtree(new, ignore_errors=True)
        downloaded = Path(
            pooch.retrieve(url, known, fname=place.name, path=new, downloader=downloader)
        )
        _check_beginning(entry, file, downloaded)
        _check_member(entry, file, downloaded, run)
        _check_content(entry, file, downloaded, run)
        system().replace(downloaded, place)
    except ValueError as error:
        # A damaged file can’t be continued; pooch has removed it.
        raise _wrong(entry) from error
    except OSError as error:
        raise cannot_write(place, error) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    # What other addresses began.
    for left in place.parent.glob(f".{glob.escape(place.name)}.*.part"):
        left.unlink(missing_ok=True)
        left.with_suffix(".json").unlink(missing_ok=True)
    if not file.checksum:
        with replacing(entry.place.parent / _RECORD) as temporary:
            files = _recorded(entry) | {file.name: f"sha256:{pooch.file_hash(str(place))}"}
            found = {"files": files, "when": time.strftime("%Y-%m-%d")}
            temporary.write_text(json.dumps(found), encoding="utf-8")


def _download(
    url: str, part: Path, entry: CatalogueEntry, file: RemoteFile, run: JobControl
) -> None:
    """Download the rest of ``part``, from its current end. Raises UserError and Cancelled."""
    import requests

    tries = 0
    with requests.Session() as session:
        while True:
            before = part.stat().st_size if part.exists() else 0
            try:
                if _go_on(session, url, part, entry, file, run):
                    return
                why = tr("the connection was lost")
            except requests.HTTPError as error:
                status = error.response.status_code if error.response is not None else 0
                if 400 <= status < 500 and status not in (408, 429):
                    raise UserError(
                        tr(
                            "Couldn’t download {title}: the server answered {status}.",
                            title=entry.title,
                            status=status,
                        ),
                        tr(
                            "See {source}. You can also download the file yourself and open it.",
                            source=entry.source,
                        ),
                    ) from error
                why = tr("the server answered {status}", status=status)
            except requests.RequestException as error:
                why = _why(error)
            after = part.stat().st_size if part.exists() else 0
            tries = 1 if after > before else tries + 1
            if tries >= _TRIES:
                raise UserError(
                    tr("Couldn’t download {title}: {why}.", title=entry.title, why=why),
                    tr(
                        "Check the connection and try again. The download resumes where it stopped."
                    ),
                )
            _wait(min(0.25 * 2**tries, _LONGEST_WAIT), run)


def _go_on(
    session: Any, url: str, part: Path, entry: CatalogueEntry, file: RemoteFile, run: JobControl
) -> bool:
    """Request the missing rest of ``part`` and append it. Return whether it is complete."""
    state = part.with_suffix(".json")
    begun = part.stat().st_size if part.exists() else 0
    tag = _tag(state)
    headers = {"Accept-Encoding": "identity"}
    if begun and tag:
        # The rest only if the file on the server is the same, otherwise the whole file.
        headers |= {"Range": f"bytes={begun}-", "If-Range": tag}
    with _follow_redirects(session, url, headers) as answer:
        if answer.status_code == 416:
            part.unlink(missing_ok=True)
            return False
        answer.raise_for_status()
        goes_on = answer.status_code == 206
        if not goes_on:
            begun = 0
            state.write_text(json.dumps({"tag": _validator(answer.headers)}), encoding="utf-8")
        announced = answer.headers.get("Content-Length", "")
        length = int(announced) if announced.isdecimal() else 0
        total = begun + length if length else 0
        have = begun
        prove_disk(entry, part.parent, length)
        with part.open("ab" if goes_on else "wb") as target:
            for block in answer.iter_content(_BLOCK):
                run.check()
                target.write(block)
                have += len(block)
                _tell(run, have, total or file.size)
    if total and have < total:
        return False
    state.unlink(missing_ok=True)
    return True


def _tell(run: JobControl, have: int, total: int) -> None:
    note = (
        tr("{have:,.1f} of {total:,.1f} MB", have=have / 1e6, total=total / 1e6)
        if total
        else tr("{have:,.1f} MB", have=have / 1e6)
    )
    fraction = have / total if total else None
    rate = have / max(run.phase_seconds(), 1e-3)
    run.advance(fraction, note, rate=rate, unit=tr("bytes"))


def _validator(headers: Mapping[str, str]) -> str:
    """What tells whether the file on the server is still the same: its tag, or else the time of its
    last change, if that was a minute before the answer (RFC 9110, section 8.8.2.2); or "".
    """
    if "ETag" in headers:
        return headers["ETag"]
    try:
        changed, now = (parsedate_to_datetime(headers[key]) for key in ("Last-Modified", "Date"))
        return headers["Last-Modified"] if (now - changed).total_seconds() >= 60 else ""
    except (KeyError, TypeError, ValueError):
        return ""


def _tag(state: Path) -> str:
    """The strong validator that the server sent for the partial file, or ""."""
    try:
        tag = str(json_of_file(state)["tag"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    if tag.startswith("W/"):
        return ""
    return tag


def _follow_redirects(session: Any, url: str, headers: dict[str, str]) -> Any:
    """The response of the last address after all redirects. Raises UserError for a redirect without
    encryption.
    """
    at = url
    for _ in range(_REDIRECTIONS):
        parts = urlsplit(at)
        if parts.scheme != "https" and parts.hostname not in _LOCAL:
            raise UserError(
                tr(
                    "{asked} redirects to an unencrypted address ({target}), so the download "
                    "was stopped.",
                    asked=urlsplit(url).hostname,
                    target=parts.hostname,
                ),
                tr("Nothing was downloaded from that address."),
            )
        answer = session.get(
            at, headers=headers, stream=True, timeout=_TIMEOUT, allow_redirects=False
        )
        if not answer.is_redirect:
            return answer
        at = urljoin(at, answer.headers["Location"])
        answer.close()
    raise UserError(
        tr(
            "{hostname} redirects too many times.",
            hostname=urlsplit(url).hostname,
        ),
        tr("Try again later."),
    )


def _wait(seconds: float, run: JobControl) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        run.check()
        time.sleep(0.02)


def _why(error: Exception) -> str:
    from requests import ConnectionError, Timeout

    if isinstance(error, Timeout):
        return tr("the connection timed out")
    if isinstance(error, ConnectionError):
        return tr("the server can’t be reached")
    return tr("the connection was lost")


def _check_beginning(entry: CatalogueEntry, file: RemoteFile, path: Path) -> None:
    """Raise UserError if a file isn’t of the kind that its name says: where no checksum is
    published, the page of a network that asks for a login would be taken for the data.
    """
    expected = _BEGINNINGS.get(Path(file.name).suffix, b"")
    with path.open("rb") as content:
        if content.read(len(expected)) != expected:
            raise UserError(
                tr(
                    "The server sent another file in place of {title}; this file was deleted.",
                    title=entry.title,
                ),
                tr("Check whether your network asks you to log in, and try again."),
            )


def _check_member(entry: CatalogueEntry, file: RemoteFile, path: Path, run: JobControl) -> None:
    """Compare the checksum of a member, if the published one is that of a member. Raises UserError
    and Cancelled.
    """
    if not (file.member and file.checksum):
        return
    kind, _, wanted = file.checksum.partition(":")
    make: Callable[[], Any] = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256}[
        kind
    ]
    try:
        with zipfile.ZipFile(path) as archive, archive.open(file.member) as member:
            found = _hash(member, archive.getinfo(file.member).file_size, make(), run)
    except (zipfile.BadZipFile, KeyError, OSError, EOFError) as error:
        raise _wrong(entry) from error
    if found != wanted:
        raise _wrong(entry)


def _check_content(entry: CatalogueEntry, file: RemoteFile, path: Path, run: JobControl) -> None:
    """Compare the content with its name in a Git repository, if that is the checksum. Raises
    UserError and Cancelled.
    """
    if not file.checksum.startswith(_GIT):
        return
    size = path.stat().st_size
    # Git names a content by the SHA-1 of a header and its bytes.
    begun = hashlib.sha1(f"blob {size}\0".encode())
    with path.open("rb") as content:
        found = _hash(content, size, begun, run)
    if found != file.checksum.removeprefix(_GIT):
        raise _wrong(entry)


def _hash(content: IO[bytes], size: int, found: Any, run: JobControl) -> str:
    done = 0
    while block := content.read(1 << 19):
        run.check()
        found.update(block)
        done += len(block)
        run.advance(done / size, tr("Verifying the download"))
    return str(found.hexdigest())


def _wrong(entry: CatalogueEntry) -> UserError:
    return UserError(
        tr(
            "The checksum of {title} doesn’t match. The download was deleted.",
            title=entry.title,
        ),
        tr(
            "The expected checksum is from {checksum_source}. Try again later.",
            checksum_source=entry.checksum_source or tr("the first download"),
        ),
    )
