"""Files and archives made in memory, for tests of the code that reads them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path


def write_file(path: Path, data: bytes | str) -> Path:
    """Write ``data`` (text as UTF-8) to ``path``, making its folders; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def zip_archive(members: Mapping[str, bytes | str]) -> bytes:
    """A ZIP archive of these members, deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tar_archive(members: Mapping[str, bytes]) -> bytes:
    """An uncompressed tar archive of these members."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()
