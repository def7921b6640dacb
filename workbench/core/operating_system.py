"""Every call that differs between operating systems: locks, replacing files, priorities, memory,
pipes, processes and commands.

``system()`` is the one this process runs on. Modules that exist on some systems only are imported
when they are used, so that each class can be created everywhere and tested with substitutes. The
classes for Windows and macOS rest on the documents of these systems: ``docs/portability.md`` lists
each assumption.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import mmap
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

_ZEROS = bytes(1 << 20)
# A pipe of Linux gets that much on request: each byte then takes fewer turns of writer and reader.
PIPE_BYTES = 1 << 20
# Niceness from which a thread or a process counts as work that nothing waits for.
_BACKGROUND = 15
# File systems of Linux whose files are answers of the kernel, without an end of their own.
_KERNEL_FILES = frozenset(
    (
        "proc",
        "sysfs",
        "debugfs",
        "tracefs",
        "securityfs",
        "configfs",
        "cgroup",
        "cgroup2",
        "bpf",
        "pstore",
        "efivarfs",
        "devpts",
        "mqueue",
        "fusectl",
        "selinuxfs",
        "binfmt_misc",
        "nsfs",
    )
)


def _module(name: str) -> Any:
    """A module that exists on some systems only."""
    return importlib.import_module(name)


class OperatingSystem:
    """An unknown system: hints do nothing, and calls that it may not have raise OSError."""

    key = "unknown"
    # Whether a file can be renamed or removed while it is open, and a folder opened and locked.
    moves_open_files = False
    # Exit signals, by name, that ask a process of this system to end.
    exit_signals: tuple[str, ...] = ("SIGINT", "SIGTERM")

    # -- files

    def lock(self, handle: int, *, shared: bool = False, wait: bool = False) -> None:
        """Lock an open file until it is closed; ``wait`` until no other process holds it.

        Raises BlockingIOError if another process holds it, OSError if nothing can be locked.
        """
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    def replace(self, source: Path, target: Path) -> None:
        """Give a file or folder the name ``target``, in place of a file of that name."""
        os.replace(source, target)

    def allows_name(self, name: str) -> bool:
        """Whether a file may have this name, without folders."""
        return True

    def open_folder(self, folder: str) -> int:
        """Handle of a folder; −1 on systems without such handles. Raises OSError."""
        return -1

    def sync_folder(self, folder: Path) -> None:
        """Write the names in a folder to the disk. Raises OSError."""

    def open_own(self, path: Path) -> int:
        """A handle of a file or folder of this user, without following links or waiting; −1 if
        it is another user’s. Raises OSError.
        """
        return os.open(path, os.O_RDONLY)

    def reserve_space(self, file: IO[bytes], size: int) -> None:
        """Allocate ``size`` bytes of disk now: a disk that turns out to be full under a mapped page
        ends the process. Raises OSError.
        """
        for begin in range(0, size, len(_ZEROS)):
            file.write(_ZEROS[: size - begin])
        file.flush()

    def kernel_devices(self) -> frozenset[int]:
        """Devices of file systems that hold no files but answers of the kernel."""
        return frozenset()

    # -- pipes

    def open_pipe(self, path: Path) -> int:
        """A handle of a named pipe for reading, at once, with or without a writer. Raises
        OSError.
        """
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    def wait_for_pipe(self, handle: int, seconds: float) -> bool:
        """Whether bytes or the end of the pipe arrive within ``seconds``."""
        return True

    # -- mapped pages

    def advise(self, mapped: mmap.mmap, begin: int, size: int, *, needed: bool) -> None:
        """Tell the system that a range of a mapped file will be needed, or isn’t needed for now. A
        hint: nothing depends on it. ``begin`` is a multiple of the page size.
        """

    # -- processors and memory

    def usable_cores(self) -> int:
        """Cores that this process may use."""
        return os.cpu_count() or 1

    def load_average(self) -> float | None:
        """Processes that want a core, over the last minute; None if the system doesn’t say."""
        return None

    def set_thread_niceness(self, niceness: int) -> None:
        """Let the calling thread run after others. A hint."""

    def raise_niceness(self, niceness: int) -> None:
        """Raise the niceness of this process to at least this value. Has no effect if the system
        refuses.
        """

    def address_limit(self) -> int | None:
        """Bytes of addresses that a limit leaves to this process; None without a limit."""
        return None

    def peak_memory(self) -> int | None:
        """The most memory that this process has had resident, in bytes; None if unknown."""
        return None

    def keep_freed(self) -> bool:
        """Have the C library keep all memory that this process frees; whether it does."""
        return False

    def return_free_memory(self) -> bool:
        """Have the C library return free memory to the system; whether it did."""
        return False

    def share_heaps(self) -> bool:
        """Have all threads allocate from the same few heaps; whether they do."""
        return False

    # -- processes and commands

    def child_options(self, *, own_session: bool = False) -> dict[str, Any]:
        """Arguments of ``subprocess.Popen`` for a helper process without a window of its own;
        ``own_session``: signals from the terminal don’t reach it.
        """
        return {}

    def join_command(self, words: Sequence[str]) -> str:
        """Words as one line for the shell of this system."""
        return shlex.join(words)

    def environment_python(self, environment: Path) -> Path:
        """The interpreter of a virtual environment."""
        return environment / "bin" / "python"

    def write_keys(self, text: str) -> str:
        """A text in English or German with its keys named as on this system’s keyboards."""
        return text

    def user_language(self) -> str:
        """The language that the user chose for the system, such as “de”; "" where only the
        environment tells it.
        """
        return ""

    def connect_socket(self, path: Path, seconds: float) -> None:
        """Connect to a local socket and close it. Raises OSError if nothing answers."""
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))


class Posix(OperatingSystem):
    """Systems with POSIX.1-2001: Linux, macOS and the BSDs."""

    key = "posix"
    moves_open_files = True
    exit_signals = ("SIGINT", "SIGTERM", "SIGHUP")

    def lock(self, handle: int, *, shared: bool = False, wait: bool = False) -> None:
        fcntl = _module("fcntl")
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(handle, how if wait else how | fcntl.LOCK_NB)

    def open_folder(self, folder: str) -> int:
        try:
            return os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            return -1

    def sync_folder(self, folder: Path) -> None:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def open_own(self, path: Path) -> int:
        posix = _module("os")
        handle = os.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
        if os.fstat(handle).st_uid != posix.geteuid():
            os.close(handle)
            return -1
        return handle

    def reserve_space(self, file: IO[bytes], size: int) -> None:
        posix = _module("os")
        if hasattr(posix, "posix_fallocate"):
            posix.posix_fallocate(file.fileno(), 0, size)
        else:
            super().reserve_space(file, size)

    def open_pipe(self, path: Path) -> int:
        return os.open(path, os.O_RDONLY | _module("os").O_NONBLOCK)

    def wait_for_pipe(self, handle: int, seconds: float) -> bool:
        select = _module("select")
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(1000 * seconds))

    def advise(self, mapped: mmap.mmap, begin: int, size: int, *, needed: bool) -> None:
        constants = _module("mmap")
        advice = constants.MADV_WILLNEED if needed else constants.MADV_DONTNEED
        view: Any = mapped
        view.madvise(advice, begin, size)

    def load_average(self) -> float | None:
        try:
            return float(_module("os").getloadavg()[0])
        except OSError:
            return None

    def raise_niceness(self, niceness: int) -> None:
        posix = _module("os")
        posix.nice(max(niceness - posix.nice(0), 0))

    def address_limit(self) -> int | None:
        resource = _module("resource")
        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most == resource.RLIM_INFINITY:
            return None
        import psutil

        return int(most) - int(psutil.Process().memory_info().vms)

    def peak_memory(self) -> int | None:
        resource = _module("resource")
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024

    def child_options(self, *, own_session: bool = False) -> dict[str, Any]:
        return {"start_new_session": own_session}

    def connect_socket(self, path: Path, seconds: float) -> None:
        socket = _module("socket")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(str(path))


class Linux(Posix):
    """Linux with its ``/proc``, a niceness for each thread, and glibc where it is the C library."""

    key = "linux"

    def kernel_devices(self) -> frozenset[int]:
        path = Path("/proc/self/mountinfo")
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return frozenset()
        devices = set()
        for line in lines:
            before, _, after = line.partition(" - ")
            if after.partition(" ")[0] in _KERNEL_FILES:
                major, _, minor = before.split()[2].partition(":")
                devices.add(_module("os").makedev(int(major), int(minor)))
        return frozenset(devices)

    def open_pipe(self, path: Path) -> int:
        handle = super().open_pipe(path)
        fcntl = _module("fcntl")
        try:
            fcntl.fcntl(handle, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        except OSError:
            # More than this user may have: slower, and otherwise the same.
            return handle
        return handle

    def usable_cores(self) -> int:
        return len(_module("os").sched_getaffinity(0))

    def set_thread_niceness(self, niceness: int) -> None:
        posix = _module("os")
        posix.setpriority(posix.PRIO_PROCESS, threading.get_native_id(), niceness)

    def peak_memory(self) -> int | None:
        # getrusage also counts the parent’s memory at the moment of the fork.
        try:
            lines = Path("/proc/self/status").read_text().splitlines()
        except OSError:
            return super().peak_memory()
        for line in lines:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        return super().peak_memory()

    def keep_freed(self) -> bool:
        try:
            mallopt = ctypes.CDLL(None).mallopt
        except (AttributeError, OSError):
            return False
        # M_TRIM_THRESHOLD and M_MMAP_MAX of <malloc.h>: return nothing, map nothing separately.
        return bool(mallopt(-1, -1) and mallopt(-4, 0))

    def return_free_memory(self) -> bool:
        try:
            trim = ctypes.CDLL(None).malloc_trim
        except (AttributeError, OSError):
            return False
        return bool(trim(0))

    def share_heaps(self) -> bool:
        try:
            mallopt = ctypes.CDLL(None).mallopt
        except (AttributeError, OSError):
            return False
        # M_ARENA_MAX of <malloc.h>.
        return bool(mallopt(-8, 2))


class MacOs(Posix):
    """macOS: threads have a quality of service, and ``ru_maxrss`` is in bytes."""

    key = "darwin"
    # <sys/qos.h>: QOS_CLASS_UTILITY and QOS_CLASS_DEFAULT. QOS_CLASS_BACKGROUND would leave a
    # training on the slow cores.
    _UTILITY, _DEFAULT = 0x11, 0x15
    # Qt takes Command for Ctrl there.
    _KEYS = (
        ("Ctrl+", "⌘"),
        ("Strg+", "⌘"),
        ("Alt+", "⌥"),
        ("Shift+", "⇧"),
        ("Umschalt+", "⇧"),
    )

    def set_thread_niceness(self, niceness: int) -> None:
        quality = self._UTILITY if niceness >= _BACKGROUND else self._DEFAULT
        try:
            ctypes.CDLL(None).pthread_set_qos_class_self_np(quality, 0)
        except (AttributeError, OSError):
            return

    def user_language(self) -> str:
        import plistlib
        from xml.parsers.expat import ExpatError

        # A program that was started from the Dock has no LANG.
        path = Path.home() / "Library" / "Preferences" / ".GlobalPreferences.plist"
        try:
            with path.open("rb") as file:
                return str(plistlib.load(file)["AppleLanguages"][0]).partition("-")[0]
        except (OSError, ValueError, LookupError, TypeError, ExpatError):
            return ""

    def write_keys(self, text: str) -> str:
        for name, sign in self._KEYS:
            text = text.replace(name, sign)
        return text

    def peak_memory(self) -> int | None:
        resource = _module("resource")
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


class Windows(OperatingSystem):
    """Windows 10 and later."""

    key = "win32"
    exit_signals = ("SIGINT", "SIGTERM", "SIGBREAK")
    # Seconds for which a file that another process reads or scans may keep its name from being
    # replaced, and a look at a lock may be mistaken for its holder.
    _REPLACE_S, _LOOK_S, _STEP_S = 2.0, 0.1, 0.02
    # <winbase.h>: THREAD_PRIORITY_BELOW_NORMAL and THREAD_PRIORITY_LOWEST;
    # BELOW_NORMAL_PRIORITY_CLASS; CREATE_NO_WINDOW and CREATE_NEW_PROCESS_GROUP.
    _BELOW_NORMAL, _LOWEST = -1, -2
    _BELOW_NORMAL_CLASS = 0x4000
    _NO_WINDOW, _NEW_GROUP = 0x08000000, 0x00000200
    # The C runtime’s answer when ten attempts of a second each have failed.
    _DEADLOCK = 36
    _DEVICES = frozenset(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
        + [f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789¹²³"]
    )
    _REFUSED = re.compile(r'[\x00-\x1f<>:"/\\|?*]')

    def lock(self, handle: int, *, shared: bool = False, wait: bool = False) -> None:
        msvcrt = _module("msvcrt")
        # There are no shared locks: several that look at once try again.
        until = time.monotonic() + (self._LOOK_S if shared else 0.0)
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.EDEADLK, self._DEADLOCK):
                    raise
                if not wait and time.monotonic() >= until:
                    raise BlockingIOError(errno.EACCES, os.strerror(errno.EACCES)) from error
                time.sleep(self._STEP_S)
            else:
                return

    def replace(self, source: Path, target: Path) -> None:
        until = time.monotonic() + self._REPLACE_S
        while True:
            try:
                os.replace(source, target)
            except PermissionError:
                if time.monotonic() >= until:
                    raise
                time.sleep(self._STEP_S)
            else:
                return

    def allows_name(self, name: str) -> bool:
        """Names of devices are refused with any suffix: “con.txt” is the console. Windows itself
        drops dots and spaces at the end.
        """
        device = name.partition(".")[0].rstrip().upper() in self._DEVICES
        return not (device or name.endswith((".", " ")) or self._REFUSED.search(name))

    def set_thread_niceness(self, niceness: int) -> None:
        kernel = _module("ctypes").windll.kernel32
        priority = self._LOWEST if niceness >= _BACKGROUND else self._BELOW_NORMAL
        kernel.SetThreadPriority(kernel.GetCurrentThread(), priority)

    def raise_niceness(self, niceness: int) -> None:
        if niceness > 0:
            import psutil

            psutil.Process().nice(self._BELOW_NORMAL_CLASS)

    def peak_memory(self) -> int | None:
        import psutil

        memory: Any = psutil.Process().memory_info()
        return int(memory.peak_wset)

    def child_options(self, *, own_session: bool = False) -> dict[str, Any]:
        flags = self._NO_WINDOW | self._BELOW_NORMAL_CLASS
        if own_session:
            flags |= self._NEW_GROUP
        return {"creationflags": flags}

    def user_language(self) -> str:
        import locale

        number = _module("ctypes").windll.kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "").partition("_")[0]

    def join_command(self, words: Sequence[str]) -> str:
        return subprocess.list2cmdline(words)

    def environment_python(self, environment: Path) -> Path:
        return environment / "Scripts" / "python.exe"


def system_of(platform: str) -> OperatingSystem:
    """The class for a value of ``sys.platform``."""
    if platform == "win32":
        return Windows()
    if platform == "darwin":
        return MacOs()
    if platform.startswith("linux"):
        return Linux()
    if os.name == "posix":
        return Posix()
    return OperatingSystem()


@cache
def system() -> OperatingSystem:
    """The system that this process runs on."""
    return system_of(sys.platform)
