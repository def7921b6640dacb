"""Run the tests on a machine whose user has unusual settings and damaged files of other programs.

    python tests/reliability/other_machine.py [--read-only] [arguments of pytest]

The tests must pass, and must change nothing in the user’s home and temporary folder. With
``--read-only``, nothing can be written there (except by root).
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "home/.Xauthority": b"\0\1",
    "home/.Xdefaults": b"Xft.dpi: 300\n",
    "home/.cache/embedding-workbench": b"a file instead of a folder",
    "home/.cache/fontconfig/CACHEDIR.TAG": b"",
    "home/.cache/numba": b"",
    "home/.config/QtProject.conf": b"[FileDialog\nshortcuts=@Invalid()",
    "home/.config/dask/dask.yaml": b"distributed: [\n",
    "home/.config/embedding-workbench/settings.json": b'{"language": "de", ',
    "home/.config/fontconfig/fonts.conf": b"<fontconfig><selectfont>",
    "home/.config/matplotlib/matplotlibrc": b"backend: none\n",
    "home/.config/openbox/rc.xml": b"<openbox_config>",
    "home/.config/pip/pip.conf": b"[global]\nindex-url = http://127.0.0.1:9/\n",
    "home/.config/user-dirs.dirs": b'XDG_DESKTOP_DIR="/nowhere"\n',
    "home/.local/share/embedding-workbench/runs/1/run.json": b"{",
    "home/.local/share/embedding-workbench/journal": b"\0" * 100,
    "home/.netrc": b"machine 127.0.0.1 login\n",
    "home/.numba_config.yaml": b"disable_jit: 1\n",
    "home/.pydistutils.cfg": b"[install]\nprefix=/nowhere\n",
    "temporary/dask-scratch-space": b"",
    "temporary/jieba.cache": b"not what marshal reads",
    "temporary/joblib": b"",
    "temporary/workbench-1/settings.json": b"{",
}
VARIABLES = {
    "COLUMNS": "30",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "none",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
    "DISPLAY": ":54321",
    "FORCE_COLOR": "1",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "LANG": "de_DE.UTF-8",
    "LANGUAGE": "de",
    "LC_NUMERIC": "de_DE.UTF-8",
    "NUMBA_DISABLE_JIT": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore",
    "QT_QPA_PLATFORM": "minimal",
    "QT_SCALE_FACTOR": "2",
    "QT_STYLE_OVERRIDE": "windows",
    "REQUESTS_CA_BUNDLE": "/nowhere",
    "TZ": "Pacific/Kiritimati",
    "WAYLAND_DISPLAY": "wayland-9",
    "WORKBENCH_INSTEAD": "/nowhere",
    "WORKBENCH_LANGUAGE": "de",
    "XDG_CURRENT_DESKTOP": "KDE",
    "XDG_SESSION_TYPE": "wayland",
}


def fingerprint(folder: Path) -> dict[str, str]:
    """Each file in a folder with a digest of its content, without pytest’s own folders."""
    paths = [path for path in folder.rglob("*") if "pytest-of-" not in str(path)]
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in paths
    }


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="machine-") as name:
        folder = Path(name)
        for file, content in FILES.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        home, temporary = folder / "home", folder / "temporary"
        if is_read_only := "--read-only" in arguments:
            arguments.remove("--read-only")
            for path in (home, *home.rglob("*")):
                path.chmod(0o555 if path.is_dir() else 0o444)
        before = fingerprint(folder)
        try:
            tests = subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
                cwd=ROOT,
                env={**os.environ, **VARIABLES, "HOME": str(home), "TMPDIR": str(temporary)},
                umask=0o077,
            )
        finally:
            after = fingerprint(folder)
            if is_read_only:
                for path in (home, *home.rglob("*")):
                    path.chmod(0o755)
    changed = sorted(path for path in before.keys() | after if before.get(path) != after.get(path))
    for name in changed:
        print(f"changed: {name}")
    return tests.returncode or bool(changed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
