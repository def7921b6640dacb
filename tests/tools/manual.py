"""Write the parts of the documentation that come from declarations and, with --pictures, its
pictures.

    python tests/tools/manual.py [--pictures]

These parts are the tables of hyperparameters, formats, lessons and the like in docs/guide, the
tables of docs/lessons.md, and docs/actions.md. A test compares all of them. Pictures show Small
World: those of the window are taken by the program itself, those of each panel
(docs/guide/pictures) by screens.py. Both need Xvfb.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# For each picture, the file and the arguments of the program.
PICTURES = {
    "screenshot.png": ("small-world", "--train", "sgns", "--theme", "light"),
    "theory.png": ("small-world", "--train", "sgns", "--panel", "theory", "--theme", "light"),
    "matrix-dark.png": ("small-world", "--train", "svd", "--panel", "matrix", "--theme", "dark"),
    "picture.png": ("face", "--train", "pmi-mf", "--panel", "matrix", "--theme", "light"),
}
# Kernels to compile for the pictures.
KERNELS = ("corpus", "floor", "counts", "map", "analysis", "drawing", "sgns", "svd")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--pictures", action="store_true", help="also take the pictures of the window anew"
    )
    pictures = parser.parse_args().pictures
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["WORKBENCH_LANGUAGE"] = "en"
    from workbench.cli.manual import write
    from workbench.session.lessons.manual import fill_tables
    from workbench.ui.commands.manual import manual

    docs = ROOT / "docs"
    write(docs / "guide")
    lessons = docs / "lessons.md"
    lessons.write_text(fill_tables(lessons.read_text("utf-8")), "utf-8")
    (docs / "actions.md").write_text(manual(), "utf-8")
    return (_take(docs) or _take_panels(docs / "guide" / "pictures")) if pictures else 0


def _take(docs: Path) -> int:
    """Take every picture in a real window, each with an empty store. They share a cache, and
    kernels are compiled beforehand, because the window waits only so long for a picture. The first
    start has a picture of its own, which isn’t kept.
    """
    from desktop import Desktop

    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch) / "cache"
        cache.mkdir()
        desktop = Desktop(Path(scratch), "1440x900")
        first, *_ = PICTURES.values()
        shots = [
            (Path(scratch) / "first.png", first),
            *((docs / name, options) for name, options in PICTURES.items()),
        ]
        compiling = [sys.executable, "-m", "workbench.session.kernel_compiler", *KERNELS]
        try:
            # The compiler stops when its standard input is closed.
            warm = {**os.environ, "WORKBENCH_HOME": scratch}
            with subprocess.Popen(compiling, cwd=ROOT, env=warm, stdin=subprocess.PIPE) as child:
                if code := child.wait():
                    return code
            for number, (file, options) in enumerate(shots):
                home = Path(scratch) / f"home {number}"
                home.mkdir()
                (home / "cache").symlink_to(cache, target_is_directory=True)
                command = [
                    sys.executable,
                    str(ROOT / "main.py"),
                    *options,
                    "--screenshot",
                    str(file),
                ]
                environment = {**desktop.environment, "WORKBENCH_HOME": str(home)}
                code = subprocess.run(command, env=environment, check=False).returncode
                if code:
                    return code
                print(file, flush=True)
        finally:
            desktop.close()
    return 0


def _take_panels(folder: Path) -> int:
    """Take every panel without the rest of the window, in the light theme."""
    command = [
        sys.executable,
        str(ROOT / "tests" / "tools" / "screens.py"),
        str(folder),
        "--alone",
        "--no-empty",
    ]
    return subprocess.run(
        [*command, "--sizes", "1440x900", "--ratios", "1", "--themes", "light"], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
