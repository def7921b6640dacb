"""Where things are: the resources that ship, and the folders that are the user's.

``WORKBENCH_HOME`` moves settings, store and caches together, so that tests and classrooms never
touch another person's.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from workbench.core.errors import UserError

_APP = "embedding-workbench"


def resources() -> Path:
    """The folder of shipped resources, in a checkout, an editable install or a wheel."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


def _home() -> Path | None:
    value = os.environ.get("WORKBENCH_HOME", "")
    return Path(value).expanduser().resolve() if value else None


def settings_folder() -> Path:
    home = _home()
    return _made(home / "settings" if home else platformdirs.user_config_path(_APP, appauthor=False))


def store_folder() -> Path:
    """Runs and sessions: what must never be lost."""
    home = _home()
    return _made(home / "store" if home else platformdirs.user_data_path(_APP, appauthor=False))


def cache_folder(*parts: str) -> Path:
    """What can be made again: corpora as ids, counts, kernels, generated samples."""
    home = _home()
    base = home / "cache" if home else platformdirs.user_cache_path(_APP, appauthor=False)
    return _made(base.joinpath(*parts))


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(
            f"The folder {folder} cannot be made ({reason}).", "Set WORKBENCH_HOME to a folder that you may write to."
        ) from error
    return folder


def child_environment() -> dict[str, str]:
    """The environment in which a child process imports this very workbench, wherever it is started."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
