"""Downloads that continue after an interruption, are checked, and are complete or absent.

pooch checks the file and moves it to its place; this module adds resuming by HTTP ranges (RFC 9110,
section 14), retries, mirrors, progress and cancelling.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from workbench.core.atomic import cannot_write, replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.corpus.catalogue import CatalogueEntry

# Timeouts in seconds for connecting and for reading; maximum tries in a row without a new byte.
_TIMEOUT = (10.0, 20.0)
_TRIES = 5
_BLOCK = 1 << 16
_LONGEST_WAIT = 8.0
_REDIRECTIONS = 10
_LOCAL = ("localhost", "127.0.0.1", "::1")
_RECORD = "recorded.json"


def fetch(entry: CatalogueEntry, run: JobControl | None = None, again: bool = False) -> Path:
    """The file of a public corpus, downloaded if missing; ``again`` downloads it again.

    A download that was cancelled or interrupted continues where it stopped. Raises UserError if no
    address can be reached or the checksum is wrong, and Cancelled.
    """
    run = run or JobControl()
    place = entry.place
    if place.is_file() and not again:
        return place
    run.enter(Phase.READING, tr("Downloading {title}", title=entry.title))
    problems: list[UserError] = []
    for url in (entry.url, *entry.mirrors):
        try:
            return _retrieve(entry, url, place, run)
        except UserError as error:
            problems.append(error)
    raise problems[0]


def recorded_checksum(entry: CatalogueEntry) -> str:
    """The checksum of the first download, if none is published; "" before that, and if one is
    published.
    """
    try:
        return str(json_of_file(entry.place.parent / _RECORD)["checksum"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _retrieve(entry: CatalogueEntry, url: str, place: Path, run: JobControl) -> Path:
    import pooch

    pooch.get_logger().setLevel(logging.CRITICAL)
    part = (
        place.parent
        / f".{place.name}.{hashlib.blake2b(url.encode(), digest_size=4).hexdigest()}.part"
    )
    new = place.parent / "new"
    known = entry.checksum if entry.checksum and not entry.member else None

    def downloader(url: str, target: str, _: Any) -> None:
        _download(url, part, entry, run)
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
        _check_member(entry, downloaded, run)
        system().replace(downloaded, place)
    except ValueError as error:
        # A damaged file can’t be continued; pooch has removed it.
        raise _wrong(entry) from error
    except OSError as error:
        raise cannot_write(place, error) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    if not entry.checksum:
        with replacing(place.parent / _RECORD) as temporary:
            found = {
                "checksum": f"sha256:{pooch.file_hash(str(place))}",
                "when": time.strftime("%Y-%m-%d"),
            }
            temporary.write_text(json.dumps(found), encoding="utf-8")
    return place


def _download(url: str, part: Path, entry: CatalogueEntry, run: JobControl) -> None:
    """Download the rest of ``part``, from its current end. Raises UserError and Cancelled."""
    import requests

    tries = 0
    with requests.Session() as session:
        while True:
            before = part.stat().st_size if part.exists() else 0
            try:
                if _go_on(session, url, part, entry, run):
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


def _go_on(session: Any, url: str, part: Path, entry: CatalogueEntry, run: JobControl) -> bool:
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
            state.write_text(json.dumps({"tag": answer.headers.get("ETag", "")}), encoding="utf-8")
        length = int(answer.headers.get("Content-Length") or 0)
        total = begun + length if length else 0
        have = begun
        with part.open("ab" if goes_on else "wb") as file:
            for block in answer.iter_content(_BLOCK):
                run.check()
                file.write(block)
                have += len(block)
                _tell(run, have, total or entry.size)
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


def _check_member(entry: CatalogueEntry, path: Path, run: JobControl) -> None:
    """Compare the checksum of a member, if the published one is that of a member. Raises UserError
    and Cancelled.
    """
    if not (entry.member and entry.checksum):
        return
    kind, _, wanted = entry.checksum.partition(":")
    make: Callable[[], Any] = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256}[
        kind
    ]
    found = make()
    try:
        with zipfile.ZipFile(path) as archive, archive.open(entry.member) as member:
            size = archive.getinfo(entry.member).file_size
            while block := member.read(1 << 19):
                run.check()
                found.update(block)
                run.advance(member.tell() / size, tr("Verifying the download"))
    except (zipfile.BadZipFile, KeyError, OSError, EOFError) as error:
        raise _wrong(entry) from error
    if found.hexdigest() != wanted:
        raise _wrong(entry)


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
