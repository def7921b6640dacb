"""Checks before Qt is loaded: missing libraries, displays and memory.

Qt ends the process with a message of its own where a display or a system library is missing. This
module checks the same things first, and reports a UserError that names the packages to install.
Nothing in this module imports Qt.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr, trn
from workbench.core.operating_system import system
from workbench.core.packages import join_names
from workbench.core.processes.child_process import is_bundled

# Import names of what pyproject.toml lists under dependencies.
DEPENDENCIES = {
    "PySide6": "PySide6-Essentials",
    "pyqtgraph": "pyqtgraph",
    "numpy": "numpy",
    "scipy": "scipy",
    "contourpy": "contourpy",
    "numba": "numba",
    "graspologic_native": "graspologic-native",
    "platformdirs": "platformdirs",
    "threadpoolctl": "threadpoolctl",
    "tqdm": "tqdm",
    "umap": "umap-learn",
    "pynndescent": "pynndescent",
    "regex": "regex",
    "psutil": "psutil",
    "charset_normalizer": "charset-normalizer",
    "pooch": "pooch",
    "requests": "requests",
}

# Shared library: its package in Debian and Ubuntu, in Fedora, in Arch.
_PACKAGES = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd"),
    "libX11.so.6": ("libx11-6", "libX11", "libx11"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb", "libx11"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype", "freetype2"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client", "wayland"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor", "wayland"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb", "libxcb"),
    "libxcb-render-util.so.0": (
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
    ),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb", "libxcb"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util", "xcb-util"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb", "libxcb"),
    "libxcb-xinerama.so.0": ("libxcb-xinerama0", "libxcb", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb", "libxcb"),
    "libxcb.so.1": ("libxcb1", "libxcb", "libxcb"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    "libz.so.1": ("zlib1g", "zlib", "zlib"),
}
# The package of fonts for Latin letters in each of them.
_FONTS = ("fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu")
_INSTALLERS = ("sudo apt-get install", "sudo dnf install", "sudo pacman -S")
_DISTRIBUTIONS = {"debian": 0, "ubuntu": 0, "fedora": 1, "rhel": 1, "centos": 1, "arch": 2}

_LIBRARIES = ("libQt6Core.so.6", "libQt6DBus.so.6", "libQt6Gui.so.6", "libQt6Widgets.so.6")
# Platform: its plugin, and the Qt library that the plugin needs.
_PLUGINS = {
    "xcb": ("libqxcb.so", "libQt6XcbQpa.so.6"),
    "wayland": ("libqwayland.so", "libQt6WaylandClient.so.6"),
    "offscreen": ("libqoffscreen.so", ""),
    "minimal": ("libqminimal.so", ""),
    "vnc": ("libqvnc.so", ""),
}

_DISPLAY_HINT = tr(
    "Start the workbench in a desktop session, through “ssh -X” or under “xvfb-run”."
)


def missing_dependency() -> UserError | None:
    """The Python packages that are not installed, with the one command that installs them."""
    missing = [
        project for name, project in DEPENDENCIES.items() if importlib.util.find_spec(name) is None
    ]
    if not missing:
        return None
    return UserError(
        trn(
            "The Python package {missing} isn’t installed.",
            "The Python packages {missing} aren’t installed.",
            len(missing),
            missing=join_names(missing),
        ),
        _reinstall_advice() or tr("Run: {command}", command=_install_command()),
    )


def diagnose_display(seconds: float = 5.0) -> UserError | None:
    """The problem that would keep Qt from opening a window here, or None. Call it before
    QApplication is made.

    Looks at the display (which must answer within ``seconds``) and at the shared libraries of the
    platform that Qt would choose; names all missing ones at once. Only Linux needs this check.
    """
    if system().key != "linux":
        return None
    qt = qt_folder()
    if qt is None:
        return missing_dependency()
    problem = diagnose_libraries(qt, None)
    if problem is not None:
        return problem
    candidates = platforms(os.environ)
    if not candidates:
        return UserError(
            tr("No display: neither DISPLAY nor WAYLAND_DISPLAY is set."),
            _DISPLAY_HINT,
        )
    # Qt falls back from one platform to the next, so one that works is enough.
    first: UserError | None = None
    for name in candidates:
        problem = diagnose_libraries(qt, name) or _unreachable(name, seconds)
        if problem is None:
            return None
        first = first or problem
    return first


def qt_folder() -> Path | None:
    """The folder ``PySide6/Qt``, found without importing PySide6; None if that is not
    installed.
    """
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "Qt"


def platforms(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The platforms that Qt would try with these environment variables, in order of preference."""
    wanted = environment.get("QT_QPA_PLATFORM", "")
    if wanted:
        return tuple(part.split(":")[0] for part in wanted.split(";") if part)
    found = []
    if environment.get("DISPLAY"):
        found.append("xcb")
    if environment.get("WAYLAND_DISPLAY"):
        found.append("wayland")
    if environment.get("XDG_SESSION_TYPE") == "wayland":
        found.reverse()
    return tuple(found)


def diagnose_libraries(qt: Path, plugin: str | None) -> UserError | None:
    """The shared libraries that Qt (``plugin`` None) or one of its platforms lacks here.

    qt : the folder ``PySide6/Qt``. An installation with another layout is not checked.
    """
    if plugin is None:
        files = [qt / "lib" / name for name in _LIBRARIES]
    elif plugin in _PLUGINS:
        module, library = _PLUGINS[plugin]
        files = [qt / "plugins" / "platforms" / module]
        if library:
            files.append(qt / "lib" / library)
    else:
        return None
    files = [file for file in files if file.is_file()]
    reasons = [reason for file in files if (reason := _load(str(file)))]
    if not reasons:
        return None
    # The loader stops at the first missing library; to name all of them at once, try every known
    # library that these files mention.
    content = b"".join(file.read_bytes() for file in files)
    missing = {name for name in _PACKAGES if name.encode() + b"\0" in content and _load(name)}
    missing |= {
        found[0] for reason in reasons if (found := re.match(r"[^\s:/]+\.so[.\d]*(?=:)", reason))
    }
    if not missing:
        return UserError(
            tr("Couldn’t load Qt: {reason}.", reason=reasons[0]),
            _reinstall_advice() or tr("Check the installation of PySide6-Essentials."),
        )
    return UserError(
        trn(
            "Qt needs the system library {missing}.",
            "Qt needs the system libraries {missing}.",
            len(missing),
            missing=join_names(sorted(missing)),
        ),
        _advice(missing),
    )


def missing_fonts() -> UserError:
    """The problem of a system whose fonts contain no letters."""
    if system().key == "linux":
        column = _distribution()
        command = f"{_INSTALLERS[column]} {_FONTS[column]}"
        hint = tr("Install with: {command}", command=command)
    else:
        hint = tr("Install a font.")
    return UserError(tr("No fonts were found: every letter in the window is a box."), hint)


def _load(library: str) -> str:
    """Why ``library`` cannot be loaded, or ""."""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        return str(error)
    return ""


def _advice(libraries: Iterable[str]) -> str:
    column = _distribution()
    packages = sorted({_PACKAGES[name][column] for name in libraries if name in _PACKAGES})
    unknown = sorted(name for name in libraries if name not in _PACKAGES)
    sentences = []
    if packages:
        sentences.append(
            tr("Install with: {command}", command=f"{_INSTALLERS[column]} {' '.join(packages)}")
        )
    if unknown:
        sentences.append(
            tr(
                "Install the packages of your system that provide {unknown}",
                unknown=join_names(unknown),
            )
        )
    return "; ".join(sentences)


def _distribution() -> int:
    """Column of the tables above for this system; Debian's where it is unknown."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return 0
    names = [release.get("ID", ""), *release.get("ID_LIKE", "").split()]
    return next((_DISTRIBUTIONS[name] for name in names if name in _DISTRIBUTIONS), 0)


def _unreachable(name: str, seconds: float) -> UserError | None:
    if name == "xcb":
        return _silent_x_display(seconds)
    if name == "wayland":
        return _silent_wayland_display(seconds)
    return None


def _silent_x_display(seconds: float) -> UserError | None:
    display = os.environ.get("DISPLAY", "")
    if not display:
        return UserError(tr("No X display: DISPLAY isn’t set."), _DISPLAY_HINT)
    answers: list[bool] = []

    def connect() -> None:
        # Qt itself connects with libxcb, so both treat sockets, hosts and authority files alike.
        xcb = ctypes.CDLL("libxcb.so.1")
        xcb.xcb_connect.restype = ctypes.c_void_p
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
        answers.append(xcb.xcb_connection_has_error(connection) == 0)
        xcb.xcb_disconnect(connection)

    # A display that hangs accepts the connection and never answers; the call can’t time out.
    thread = threading.Thread(target=connect, name="display-probe", daemon=True)
    thread.start()
    thread.join(seconds)
    if answers == [True]:
        return None
    return UserError(
        tr("The X display “{display}” (DISPLAY) doesn’t respond.", display=display), _DISPLAY_HINT
    )


def _silent_wayland_display(seconds: float) -> UserError | None:
    name = os.environ.get("WAYLAND_DISPLAY", "") or "wayland-0"
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "")) / name
    try:
        system().connect_socket(path, seconds)
    except OSError:
        return UserError(
            tr("The Wayland display “{name}” (WAYLAND_DISPLAY) doesn’t respond.", name=name),
            _DISPLAY_HINT,
        )
    return None


def _reinstall_advice() -> str:
    """For a bundled program, which contains all packages; "" for an installation."""
    return tr("Reinstall Embedding Workbench.") if is_bundled() else ""


def _install_command() -> str:
    project = Path(__file__).resolve().parents[1]
    checkout = (project / "pyproject.toml").is_file()
    wanted = ["install", "--editable", project] if checkout else ["install", "embedding-workbench"]
    if sys.prefix != sys.base_prefix or not checkout:
        if importlib.util.find_spec("pip"):
            return _command(sys.executable, "-m", "pip", *wanted)
        base = getattr(sys, "_base_executable", sys.executable)
        return _command(base, "-m", "pip", "--python", sys.executable, *wanted)
    # Outside a virtual environment many systems refuse to install: make one, as README.md does.
    environment = project / ".venv"
    python = system().environment_python(environment)
    steps = (
        [sys.executable, "-m", "venv", "--without-pip", environment],
        [sys.executable, "-m", "pip", "--python", environment, *wanted],
        [python, project / "main.py"],
    )
    return " && ".join(_command(*step) for step in steps)


def _command(*words: object) -> str:
    return system().join_command([str(word) for word in words])
