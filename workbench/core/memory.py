"""Memory limits of the machine, the container and this process; keeping and returning freed
memory.
"""

from __future__ import annotations

from pathlib import Path

import psutil

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.operating_system import system

# Control groups, version 2 and 1: limit, use, and the file with reclaimable memory: pages of files,
# such as those of a mapped corpus, whether or not they were used more than once.
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
    """Bytes that this process can take without anything being paged out or ended for it."""
    bounds = [int(psutil.virtual_memory().available)]
    bounds += [bound for group in _GROUPS if (bound := _cgroup_headroom(*group)) is not None]
    own = own_limit()
    if own is not None:
        bounds.append(own)
    return max(min(bounds), 0)


def keep_freed() -> bool:
    """Have the C library keep all memory that this process frees, where it is glibc; returns
    whether it does.

    For what is measured by the clock: pages that the system has to find first cost several times as
    much as those that were there, where the machine is a virtual one by as much as its host has to
    do.
    """
    return system().keep_freed()


def return_free_memory() -> bool:
    """Have the C library give memory that is free back to the system, where it is glibc; returns
    whether it did.

    It keeps what lies below anything that is still used, for good: after hours of work several
    times what is in use.
    """
    return system().return_free_memory()


def share_heaps() -> bool:
    """Have all threads allocate from the same few heaps, where the C library is glibc; returns
    whether they do.

    Otherwise glibc gives nearly every thread a heap of its own, which keeps what was freed in it:
    50 to 70 MB of the idle window. Kernels and numpy take their arrays from the system.
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
    """Raise UserError if the limit that this process was started with leaves less than so many
    bytes of addresses.

    For what would end the process, or load by halves, where they are missing.
    """
    left = own_limit()
    if left is not None and left < needed:
        raise UserError(
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
