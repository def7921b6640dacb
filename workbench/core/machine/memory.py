"""Memory limits of the machine, the container and this process; handling of freed memory."""

from __future__ import annotations

from pathlib import Path

import psutil

from workbench.core.errors import NotEnoughMemory
from workbench.core.language import tr
from workbench.core.operating_system import system

# Control groups, version 2 and 1: files with the limit, the use, and reclaimable memory: pages of
# files, such as those of a mapped corpus, whether or not they were used more than once.
_GROUPS = (
    ("/sys/fs/cgroup", "memory.max", "memory.current", ("inactive_file", "active_file")),
    (
        "/sys/fs/cgroup/memory",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        ("total_inactive_file", "total_active_file"),
    ),
)


def free_memory() -> int:
    """Bytes that this process can allocate without causing swapping or the end of a process."""
    bounds = [int(psutil.virtual_memory().available)]
    bounds += [bound for group in _GROUPS if (bound := _cgroup_headroom(*group)) is not None]
    own = own_limit()
    if own is not None:
        bounds.append(own)
    return max(min(bounds), 0)


def keep_freed() -> bool:
    """Make the C library keep all memory that this process frees, if it is glibc; return whether it
    does.

    For measurements of time: new pages from the system cost several times as much as existing ones,
    and on a virtual machine the cost depends on the load of its host.
    """
    return system().keep_freed()


def return_free_memory() -> bool:
    """Make the C library return free memory to the system, if it is glibc; return whether it did.

    Otherwise it permanently keeps free memory below memory that is still used: after hours of work,
    several times the memory in use.
    """
    return system().return_free_memory()


def share_heaps() -> bool:
    """Make all threads allocate from the same few heaps, if the C library is glibc; return whether
    they do.

    Otherwise glibc gives nearly every thread its own heap, which keeps freed memory: 50 to 70 MB in
    an idle window. Kernels and numpy allocate their arrays directly from the system.
    """
    return system().share_heaps()


def _cgroup_headroom(folder: str, limit: str, use: str, cached: tuple[str, ...]) -> int | None:
    """Bytes left under the container's limit, None without a limit."""
    place = Path(folder)
    try:
        most = int((place / limit).read_text())
        taken = int((place / use).read_text())
        statistics = dict(line.split() for line in (place / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return None
    return most - taken + sum(int(statistics.get(name, 0)) for name in cached)


def prove_room(needed: int) -> None:
    """Raise NotEnoughMemory if the limit that this process was started with leaves less than
    ``needed`` bytes of address space.

    For libraries that would otherwise end the process, or be loaded incompletely.
    """
    left = own_limit()
    if left is not None and left < needed:
        raise NotEnoughMemory(
            tr(
                "Not enough memory: the program needs {needed:,} MB more, but the memory limit of "
                "this "
                "process (ulimit -v) leaves only {left:,} MB.",
                left=max(left, 0) >> 20,
                needed=needed >> 20,
            ),
            tr("Raise the limit, or start the program without it."),
        )


def own_limit() -> int | None:
    """Bytes left under ``ulimit -v``, None without a limit."""
    return system().address_limit()
