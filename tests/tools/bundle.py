"""Build a program that runs without an installed Python: ``python tests/tools/bundle.py FOLDER``.

The script makes a separate environment in ``FOLDER/environment`` and installs the workbench and
PyInstaller there, so that nothing else gets in. The program is the folder ``FOLDER/workbench``; an
installer is written beside it:

* Linux: ``workbench.run``, a single file that unpacks itself into the user’s cache once.
* Windows: ``workbench-setup.exe``, made by Inno Setup’s ``iscc`` (silent: ``/VERYSILENT``). It
  installs ``Embedding Workbench.exe`` for the window and ``workbench.exe`` for a terminal.
* macOS: ``workbench.dmg`` with ``Embedding Workbench.app``, unsigned.

PyInstaller was chosen over briefcase because it follows imports and Qt’s plugins on all three
systems and takes the sources as they are. Briefcase needs its own project layout and, on Linux, a
container for each distribution.

Two things are unusual. The workbench and numba look for their sources beside themselves, so these
are collected beside the bytecode. Kernels are compiled for each level of processors that this
machine has (``workbench/core/machine/processor.py``), so that the program compiles nothing: build
it on a machine with AVX2, or most users will get kernels for an older level.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "workbench"
TITLE, IDENTIFIER = "Embedding Workbench", "embedding-workbench"
APPLICATION = f"{TITLE}.app"
# Programs for each system, and whether each has a console. On Windows this decides whether a
# program can print or opens without a terminal, so there is one of each. On macOS, an application
# with a console would have neither a menu nor an icon in the Dock.
PROGRAMS = {
    "linux": {NAME: True},
    "win32": {NAME: True, TITLE: False},
    "darwin": {NAME: False},
}
ICON = ROOT / "resources" / "desktop" / "icons" / "128.png"
# Collected as sources too, because these packages look for files and modules beside themselves.
# Bytecode alone isn’t written where the program’s folder is read-only, and compiling it takes
# seconds.
SOURCES = ("workbench", "numba")
# Parts of libraries that the window never loads.
LEFT_OUT = (
    "tkinter",
    # Under the GPL, unlike the workbench, and of use only at a prompt of Python.
    "readline",
    "matplotlib",
    "IPython",
    "PIL",
    "pandas",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtSql",
    "PySide6.QtTest",
    "PySide6.QtDesigner",
    "PySide6.QtHelp",
    "PySide6.QtUiTools",
    "numba.cuda",
    "numba.tests",
    "llvmlite.tests",
)
# Qt libraries that are installed with those the window loads but that nothing here uses:
# libQt6Qml.so.6, Qt6Qml.dll, QtQml.framework.
LEFT_OUT_LIBRARIES = re.compile(r"/(lib)?Qt6?(Quick|Qml|Pdf|VirtualKeyboard)")

# Names of files with licences.
LICENCE_FILE = re.compile(r"(?i)(licen[cs]e|copying|copyright|notice|authors)(?!.*\.pyc?$)")

SPEC = """
import runpy

from PyInstaller.utils.hooks import collect_data_files, collect_submodules, copy_metadata

wanted = runpy.run_path({recipe!r})["is_wanted"]
sources = {sources!r}
hidden = [name for name in collect_submodules("workbench") if name != "workbench.__main__"]
data = collect_data_files("workbench", include_py_files=False)
analysis = Analysis(
    [{main!r}],
    hiddenimports=[
        *hidden,
        "workbench.__main__",
        "numba._devicearray",
        # Imported by name, in a process of its own.
        "umap",
        "umap.aligned_umap",
        "pynndescent",
    ],
    datas=[
        *data,
        ({kernels!r}, "workbench/kernels"),
        # Their versions are part of the names of their kernels.
        *copy_metadata("umap-learn"),
        *copy_metadata("pynndescent"),
    ],
    excludes={left_out!r},
    module_collection_mode={{name: "pyz+py" for name in sources}},
)
analysis.binaries = [entry for entry in analysis.binaries if wanted(entry[0])]
analysis.datas = [entry for entry in analysis.datas if wanted(entry[0])]
with open({libraries!r}, "w", encoding="utf-8") as file:
    file.writelines(source + "\\n" for _, source, _ in analysis.binaries)
archive = PYZ(analysis.pure)
programs = [
    EXE(
        archive, analysis.scripts, exclude_binaries=True, name=name, console=console, icon={icon!r}
    )
    for name, console in {programs!r}.items()
]
folder = COLLECT(*programs, analysis.binaries, analysis.datas, name={name!r})
# Nothing, but on macOS.
BUNDLE(
    folder, name={application!r}, icon={icon!r}, bundle_identifier={identifier!r},
    version={version!r},
)
"""

# A recipe for Inno Setup 6.3: installs for one user without asking for administrator rights, and
# uninstalls everything. A later version replaces every file of an earlier one, even where a
# library’s version number is lower, and leaves no old files.
SETUP = """[Setup]
AppName={title}
AppVersion={version}
DefaultDirName={{autopf}}\\{title}
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir={folder}
OutputBaseFilename=workbench-setup
SetupIconFile={icon}
UninstallDisplayIcon={{app}}\\{title}.exe
Compression=lzma2
[InstallDelete]
Type: filesandordirs; Name: "{{app}}\\_internal"
[Files]
Source: "{program}\\*"; DestDir: "{{app}}"; Flags: recursesubdirs ignoreversion
[Icons]
Name: "{{autoprograms}}\\{title}"; Filename: "{{app}}\\{title}.exe"
"""

# Unpacks the archive behind the line of hashes once, then starts what it contains.
HEAD = """#!/bin/sh
set -e
base="${WORKBENCH_BUNDLE:-${XDG_CACHE_HOME:-$HOME/.cache}/embedding-workbench/bundle}"
place="$base/@DIGEST@"
fail() {
    echo "Couldn’t unpack Embedding Workbench into $base. $1" >&2
    exit 1
}
advice="Set WORKBENCH_BUNDLE to a folder that you can write to, with @MEGABYTES@ MB of free space."
# Only copies that were not started for a month, because one may run on another computer with the
# same home, whose processes can’t be seen here.
remove_other_versions() {
    hex='[0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
    for other in "$base"/$hex$hex$hex$hex; do
        [ "$other" != "$place" ] && [ -f "$other/workbench/workbench" ] || continue
        [ -n "$(find "$other" -maxdepth 0 -mtime +30)" ] || continue
        path=$(cd "$other" && pwd -P) || continue
        for link in /proc/[0-9]*/exe; do
            case $(readlink "$link" 2>/dev/null) in "$path"/*) continue 2 ;; esac
        done
        rm -rf "$other" || true
    done
}
# What is left of unpacking that a power failure interrupted; no unpacking takes a day.
remove_parts() {
    for part in "$base"/part.??????; do
        [ -z "$(find "$part" -maxdepth 0 -mtime +0 2>/dev/null)" ] || rm -rf "$part" || true
    done
}
if [ ! -x "$place/workbench/workbench" ]; then
    bytes=$(tail -n +@LINES@ "$0" | wc -c)
    [ "$bytes" -eq @BYTES@ ] || fail "$0 is incomplete. Download it again."
    mkdir -p "$base" 2>/dev/null || fail "$advice"
    remove_parts
    part=$(mktemp -d "$base/part.XXXXXX" 2>/dev/null) || fail "$advice"
    trap 'rm -rf "$part"' EXIT
    # Without these, a signal would end some shells before they do what EXIT asks for.
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    # A full disk would otherwise be reported for each of thousands of files.
    tail -n +@LINES@ "$0" | tar -xzof - -C "$part" 2>/dev/null || fail "$advice"
    # Others may start a copy in a folder that they share; mktemp makes it for one user alone.
    chmod 755 "$part"
    # Another start may have finished first; what it unpacked is the same.
    mv -T "$part" "$place" 2>/dev/null || [ -x "$place/workbench/workbench" ] || fail "$advice"
    trap - EXIT HUP INT TERM
    rm -rf "$part"
    remove_other_versions || true
fi
# The day of the last start.
touch "$place" 2>/dev/null || true
# What “install-desktop” puts into the menu: this file, which outlives the cache.
case $0 in /*) export APPIMAGE="$0" ;; *) export APPIMAGE="$PWD/$0" ;; esac
exec "$place/workbench/workbench" "$@"
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--folder-only", action="store_true", help="without an installer")
    parser.add_argument(
        "--installer-only", action="store_true", help="of a program that was built and then signed"
    )
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    program = folder / NAME
    if not options.installer_only:
        folder.mkdir(parents=True, exist_ok=True)
        python = make_environment(folder / "environment")
        build(python, folder, compile_kernels(python, folder))
        print(f"{program}: {size_of(program) / 1e6:,.0f} MB in a folder")
    if not options.folder_only:
        installer = INSTALLERS[sys.platform](program, folder)
        print(f"{installer}: {installer.stat().st_size / 1e6:,.0f} MB in one file")
    return 0


def make_environment(folder: Path) -> Path:
    """Make an environment with PyInstaller and an installed workbench; returns its Python."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    # Pillow turns the icon into the format of Windows or macOS.
    tools = ["pyinstaller>=6.11", *([] if sys.platform == "linux" else ["pillow"])]
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT), *tools], check=True)
    return python


def compile_kernels(python: Path, folder: Path) -> Path:
    """A folder of compiled kernels, by the hash of their sources and the processor level."""
    kernel_folder = folder / "kernels"
    shutil.rmtree(kernel_folder, ignore_errors=True)
    for level in supported_levels(python):
        with tempfile.TemporaryDirectory() as home:
            environment = {
                **os.environ,
                "WORKBENCH_HOME": home,
                "NUMBA_CPU_NAME": level,
                "NUMBA_CPU_FEATURES": "",
            }
            words = [str(python), "-P", "-m", "workbench.session.kernel_compiler"]
            # The compiler stops as soon as its standard input is closed.
            with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment) as child:
                if child.wait() != 0:
                    raise SystemExit(f"The kernels for {level} couldn’t be compiled.")
            (cache,) = Path(home, "cache", "kernels").iterdir()
            ignore = shutil.ignore_patterns("compiled-*", "*.lock")
            shutil.copytree(cache, kernel_folder / cache.name / level, ignore=ignore)
        print(f"{level}: {size_of(kernel_folder / cache.name / level) / 1e6:,.1f} MB of kernels")
    return kernel_folder


def supported_levels(python: Path) -> list[str]:
    code = (
        "from workbench.core.machine.processor import supported_levels; print(*supported_levels())"
    )
    words = [str(python), "-P", "-c", code]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()


def build(python: Path, folder: Path, kernels: Path) -> None:
    """Write the folder with the program."""
    spec = folder / f"{NAME}.spec"
    # PyInstaller looks for packages beside the script first; the checkout’s isn’t the installed
    # one.
    script = folder / "script" / "main.py"
    script.parent.mkdir(exist_ok=True)
    shutil.copyfile(ROOT / "main.py", script)
    libraries = folder / "libraries.txt"
    spec.write_text(spec_text(sys.platform, script, kernels, libraries), encoding="utf-8")
    words = [
        "--noconfirm",
        "--log-level",
        "WARN",
        "--distpath",
        folder,
        "--workpath",
        folder / "work",
    ]
    subprocess.run(
        [python, "-m", "PyInstaller", *map(str, words), str(spec)], check=True, cwd=folder
    )
    strip_symbols(folder / NAME)
    for program in (folder / NAME / "_internal", folder / APPLICATION / "Contents" / "Resources"):
        if program.is_dir():
            sources = libraries.read_text("utf-8").splitlines()
            copy_licences(python, sources, program / "licences")


def copy_licences(python: Path, libraries: Sequence[str], target: Path) -> None:
    """Copy the licences of the workbench, of Python, of the packages in the environment of
    ``python``, and of Debian’s packages that ``libraries`` belong to; of a package that contains
    no licence, the metadata that names it, since Debian has the texts of common licences.
    """
    code = (
        "import importlib.metadata as metadata, re, sysconfig\n"
        "print('python', sysconfig.get_path('stdlib') + '/LICENSE.txt', sep='\\t')\n"
        "for package in metadata.distributions():\n"
        "    files = package.files or ()\n"
        f"    found = [file for file in files if re.match({LICENCE_FILE.pattern!r}, file.name)]\n"
        "    for file in found or [file for file in files if file.name == 'METADATA']:\n"
        "        print(package.name, file.locate(), sep='\\t')\n"
    )
    listed = subprocess.run([python, "-P", "-c", code], check=True, capture_output=True, text=True)
    found = [(NAME, str(ROOT / "LICENSE"))]
    for line in listed.stdout.splitlines():
        package, _, path = line.partition("\t")
        found.append((package, path))
    if shutil.which("dpkg-query"):
        # Packages list a library in /lib that is in /usr/lib, or the other way round.
        real = {os.path.realpath(path) for path in libraries}
        paths = sorted(real.union(path.removeprefix("/usr") for path in real))
        search = subprocess.run(
            ["dpkg-query", "--search", *paths], check=False, capture_output=True, text=True
        )
        owners = {line.partition(":")[0] for line in search.stdout.splitlines()}
        found += [(owner, f"/usr/share/doc/{owner}/copyright") for owner in sorted(owners)]
    common = Path("/usr/share/common-licenses")
    if common.is_dir():
        found += [(common.name, str(path)) for path in sorted(common.iterdir())]
    for package, path in found:
        if os.path.isfile(path):
            folder = target / package
            folder.mkdir(parents=True, exist_ok=True)
            copy = folder / os.path.basename(path)
            # Some packages contain licences of several parts, all of one name.
            if copy.exists():
                copy = folder / f"{os.path.basename(os.path.dirname(path))}-{copy.name}"
            shutil.copyfile(path, copy)


def spec_text(platform: str, script: Path, kernels: Path, libraries: Path) -> str:
    """PyInstaller’s spec file for a system; it lists the sources of all libraries in a file."""
    return SPEC.format(
        sources=SOURCES,
        left_out=LEFT_OUT,
        recipe=str(Path(__file__).resolve()),
        kernels=str(kernels),
        libraries=str(libraries),
        main=str(script),
        name=NAME,
        programs=PROGRAMS[platform],
        icon=None if platform == "linux" else str(ICON),
        application=APPLICATION,
        identifier=IDENTIFIER,
        version=version(),
    )


def version() -> str:
    source = (ROOT / "workbench" / "core" / "version.py").read_text("utf-8")
    return source.partition('__version__ = "')[2].partition('"')[0]


def is_wanted(name: str) -> bool:
    """Whether the program includes a file, by its path in the program: of Qt’s own translations,
    only those for languages that the workbench has.
    """
    place = "/" + name.replace("\\", "/")
    if "/PySide6/" not in place:
        return True
    if place.endswith(".qm"):
        return place.endswith(tuple(f"/qtbase_{language}.qm" for language in languages()))
    return not LEFT_OUT_LIBRARIES.search(place)


def languages() -> list[str]:
    """Languages that the workbench is translated into."""
    return sorted(path.stem for path in (ROOT / "resources" / "translations").glob("*.mo"))


def strip_symbols(program: Path) -> None:
    """Remove debugging symbols from the largest libraries, on Linux. Libraries that wheels put in
    folders named ``….libs`` don’t survive stripping.
    """
    strip = shutil.which("strip") if sys.platform == "linux" else None
    if strip is None:
        return
    for pattern in ("libllvmlite.so", "libpython*.so*"):
        for library in program.rglob(pattern):
            subprocess.run([strip, "--strip-unneeded", library], check=True)


def size_of(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())


def pack(program: Path, folder: Path) -> Path:
    """Pack the program into one self-extracting file."""
    archive = io.BytesIO()
    # gzip is on every machine, and unpacks in half the time of xz.
    with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=6) as tar:
        tar.add(program, arcname=program.name)
    data = archive.getvalue()
    head = HEAD.replace("@DIGEST@", hashlib.blake2b(data, digest_size=8).hexdigest())
    head = head.replace("@BYTES@", str(len(data)))
    head = head.replace("@MEGABYTES@", f"{size_of(program) / 1e6:.0f}")
    head = head.replace("@LINES@", str(head.count("\n") + 1))
    single = folder / f"{NAME}.run"
    single.write_bytes(head.encode() + data)
    single.chmod(0o755)
    return single


def make_setup(program: Path, folder: Path) -> Path:
    """Make the installer for Windows. Raises OSError if Inno Setup is missing."""
    icon = folder / "workbench.ico"
    python = folder / "environment" / "Scripts" / "python.exe"
    convert = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2])"
    subprocess.run([python, "-c", convert, ICON, icon], check=True)
    recipe = folder / "workbench.iss"
    text = SETUP.format(title=TITLE, version=version(), folder=folder, icon=icon, program=program)
    # Older versions of Inno Setup read a file as UTF-8 only if it starts with a byte order mark.
    recipe.write_text(text, encoding="utf-8-sig")
    subprocess.run(["iscc", "/Q", recipe], check=True)
    return folder / "workbench-setup.exe"


def make_image(program: Path, folder: Path) -> Path:
    """Make the disk image for macOS."""
    image, content = folder / "workbench.dmg", folder / "image"
    shutil.rmtree(content, ignore_errors=True)
    content.mkdir()
    shutil.copytree(folder / APPLICATION, content / APPLICATION, symlinks=True)
    (content / "Applications").symlink_to("/Applications")
    words = ["hdiutil", "create", "-ov", "-format", "UDZO", "-volname", TITLE]
    subprocess.run([*words, "-srcfolder", content, image], check=True)
    return image


INSTALLERS = {"linux": pack, "win32": make_setup, "darwin": make_image}


if __name__ == "__main__":
    sys.exit(main())
