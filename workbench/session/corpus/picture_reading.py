"""Reading images of any format, without Qt in this process."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.processes.child_process import child_environment, module_command
from workbench.core.text.text_files import cannot_read, is_ordinary
from workbench.corpus.pictures.image_files import (
    is_readable,
    read_image,
    read_netpbm,
    too_large,
    unreadable,
)

_CONVERTER = "workbench.ui.shell.picture_converter"
_SECONDS = 60.0
_LOOK = 0.05


def read_picture(path: Path, run: JobControl | None = None) -> Doubles:
    """Brightness of an image, float64[h, w], row 0 at the top.

    PGM, PPM, .npy and tables are read here, other formats by Qt in another process.

    Raises UserError and Cancelled.
    """
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            raise cannot_read(path, error) from error
        raise UserError(
            tr("Couldn’t find {path}.", path=path), tr("Check the path of the picture.")
        ) from error
    if not is_ordinary(found):
        raise UserError(tr("{path} isn’t a file.", path=path), tr("Choose a picture."))
    if is_readable(path):
        return read_image(path)
    return _convert(path, run or JobControl())


def _convert(path: Path, run: JobControl) -> Doubles:
    with tempfile.TemporaryDirectory() as folder:
        pixels = Path(folder) / "pixels.ppm"
        process = subprocess.Popen(
            module_command(_CONVERTER, str(path.absolute()), str(pixels)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=child_environment(),
        )
        try:
            reason = _wait(process, path.name, run)
        finally:
            process.kill()
            process.communicate()
        if process.returncode or not pixels.exists():
            raise _refusal(path.name, reason)
        return read_netpbm(pixels.read_bytes(), path.name)


def _refusal(name: str, reason: str) -> UserError:
    """The error for an image that the other process couldn't read."""
    kind, *numbers = reason.split() or [""]
    if kind == "large" and len(numbers) == 2:
        return too_large(name, *map(int, numbers))
    if kind == "unknown":
        return unreadable(name, tr("it isn’t an image of a known format"))
    return unreadable(name, tr("the file is damaged"))


def _wait(process: subprocess.Popen[str], name: str, run: JobControl) -> str:
    """The last line that the process writes. Raises UserError and Cancelled."""
    waited = 0.0
    while waited < _SECONDS:
        run.check()
        try:
            _, said = process.communicate(timeout=_LOOK)
        except subprocess.TimeoutExpired:
            waited += _LOOK
            continue
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        return "".join(lines[-1:])
    raise unreadable(name, tr("it takes longer than a minute"))
