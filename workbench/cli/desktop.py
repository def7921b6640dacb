"""``workbench install-desktop``: adds an entry with an icon to the menu of a Linux desktop, or
removes it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.folders import resources
from workbench.core.operating_system import system
from workbench.core.processes.child_process import is_bundled

NAME = "embedding-workbench"


def install_desktop_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("--remove", action="store_true", help="remove the entry and its icons")
    parser.add_argument(
        "--prefix",
        type=Path,
        metavar="FOLDER",
        help="default: ~/.local, for you alone; /usr/local is for all users",
    )
    args = parser.parse_all(arguments)
    if system().key != "linux":
        raise UserError(
            "install-desktop works only on Linux.",
            "Create a shortcut to the command “workbench”.",
        )
    share = args.prefix / "share" if args.prefix is not None else _own_share()
    files = desktop_files()
    if args.remove:
        gone = [name for name in files if _remove(share / name)]
        if gone:
            output.print_line(f"Removed {output.number(len(gone), 'file')} from {share}.")
        else:
            output.print_line(f"Nothing to remove in {share}.")
    else:
        for name, source in files.items():
            _write_entry(source, share / name)
        output.print_line(f"Wrote {output.number(len(files), 'file')} to {share}.")
    _tell_desktop(share)
    return 0


def desktop_files() -> dict[str, Path]:
    """Files of an installation below ``share``: source by destination."""
    folder = resources() / "desktop"
    found = {
        f"applications/{NAME}.desktop": folder / f"{NAME}.desktop",
        f"metainfo/{NAME}.metainfo.xml": folder / f"{NAME}.metainfo.xml",
        f"icons/hicolor/scalable/apps/{NAME}.svg": resources() / "icons" / "workbench.svg",
    }
    for picture in sorted((folder / "icons").glob("*.png")):
        size = picture.stem
        found[f"icons/hicolor/{size}x{size}/apps/{NAME}.png"] = picture
    return found


def launch_command() -> str:
    """The command that starts this installation, for the line Exec of a desktop entry."""
    if is_bundled():
        return _bundle_command(os.environ)
    script = Path(sys.prefix) / "bin" / "workbench"
    if script.is_file():
        return _quote(str(script))
    return f"{_quote(sys.executable)} -m workbench"


def _bundle_command(environment: Mapping[str, str]) -> str:
    """The command that starts a bundled program: the single file, if it was started from one."""
    single = environment.get("APPIMAGE", "")
    if not single:
        return _quote(sys.executable)
    words = [single]
    if not os.access(single, os.X_OK):
        # Downloaded files often aren’t executable, and can’t be made so on some disks.
        words.insert(0, "sh")
    place = environment.get("WORKBENCH_BUNDLE", "")
    if place:
        words = ["env", f"WORKBENCH_BUNDLE={os.path.abspath(place)}", *words]
    return " ".join(map(_quote, words))


def _quote(word: str) -> str:
    """Quote a word of Exec according to the Desktop Entry Specification."""
    escaped = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word).replace(
        "%", "%%"
    )
    # The rules for strings escape a backslash once more.
    if any(c in word for c in " \t\"'\\<>~|&;$*?#()`"):
        return '"' + escaped.replace("\\", "\\\\") + '"'
    return escaped


def _own_share() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _write_entry(source: Path, target: Path) -> None:
    content = source.read_bytes()
    if target.suffix == ".desktop":
        # Menus ignore virtual environments, so use the full path of the command.
        lines = content.decode("utf-8").splitlines()
        kept = [
            f"Exec={launch_command()} %F" if line.startswith("Exec=") else line for line in lines
        ]
        content = (
            "\n".join(line for line in kept if not line.startswith("TryExec=")) + "\n"
        ).encode()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"Couldn’t write to {target.parent}: {error.strerror}.",
            "Choose another folder with --prefix.",
        ) from error
    with replacing(target) as part:
        part.write_bytes(content)


def _remove(target: Path) -> bool:
    try:
        target.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UserError(
            f"Couldn’t remove {target}: {error.strerror}.", "Remove the file as its owner."
        ) from error
    return True


def _tell_desktop(share: Path) -> None:
    """Rebuild caches of desktops if their programs exist; other desktops detect changes by
    themselves.
    """
    for words in (
        ["update-desktop-database", "-q", str(share / "applications")],
        ["gtk-update-icon-cache", "-q", "-t", "-f", str(share / "icons" / "hicolor")],
    ):
        if shutil.which(words[0]) and Path(words[-1]).is_dir():
            subprocess.run(words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
