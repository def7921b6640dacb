"""A small package with an algorithm, a format, a reader and a panel, built as a wheel and installed
into an environment of its own that also has everything of this one.
"""

from __future__ import annotations

import base64
import ensurepip
import hashlib
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_wheel(folder: Path, name: str, files: Mapping[str, str], entries: str) -> Path:
    """A wheel of version 1.0 with these modules; ``entries`` : the text of entry_points.txt."""
    info = f"{name}-1.0.dist-info"
    contents = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": entries,
    }
    record = [f"{path},{_digest(text)},{len(text.encode())}" for path, text in contents.items()]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""])
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in contents.items():
            archive.writestr(path, text)
    return wheel


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and the variables with which its programs run."""

    folder: Path
    home: Path

    @classmethod
    def create(cls, folder: Path, home: Path) -> Environment:
        """An environment that also finds the packages of this one, and the workbench."""
        venv.create(folder, symlinks=os.name != "nt")
        home.mkdir()
        # Kernels that other tests compiled.
        cache = Path(os.environ["WORKBENCH_HOME"], "cache")
        (home / "cache").symlink_to(cache, target_is_directory=True)
        created = cls(folder, home)
        paths = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
        (created.packages / "others.pth").write_text("\n".join(paths), "utf-8")
        return created

    @property
    def packages(self) -> Path:
        """The folder of installed packages."""
        scheme = {"base": str(self.folder), "platbase": str(self.folder)}
        return Path(sysconfig.get_path("purelib", "venv", scheme))

    @property
    def python(self) -> Path:
        parts = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
        return self.folder.joinpath(*parts)

    def install(self, wheel: Path) -> None:
        """Install a wheel with Python's own pip, or, where a distribution leaves that out, by
        unpacking it.
        """
        pips = sorted(Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl"))
        if not pips:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(self.packages)
            return
        words = ("install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir", str(wheel))
        self.run(str(pips[-1] / "pip"), *words)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python with these words; fails if it fails."""
        environment = {
            **os.environ,
            "WORKBENCH_HOME": str(self.home),
            "PYTHONIOENCODING": "utf-8",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **variables,
        }
        for name in ("PYTHONPATH", "PYTHONHOME"):
            environment.pop(name, None)
        ended = subprocess.run(
            [str(self.python), *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert not ended.returncode, ended.stdout + ended.stderr
        return ended

    def workbench(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "workbench", *words, **variables)
