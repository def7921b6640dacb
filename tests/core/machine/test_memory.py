"""Free memory in a container, and freed memory that is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.core.machine import memory


def test_cached_pages_of_files_count_as_free_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text(
        "anon 500000\nfile 400000\ninactive_file 100000\nactive_file 250000\n"
    )
    _, limit, use, cache = memory._GROUPS[0]
    monkeypatch.setattr(memory, "_GROUPS", ((str(tmp_path), limit, use, cache),))
    assert memory.free_memory() == 450_000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free_memory() > 450_000


def test_version_1_control_groups_have_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Values for a group and the groups below it, which "total" adds up (Linux,
    # cgroup-v1/memory.rst, section 5.2).
    (tmp_path / "memory.limit_in_bytes").write_text("1000000\n")
    (tmp_path / "memory.usage_in_bytes").write_text("900000\n")
    (tmp_path / "memory.stat").write_text(
        "inactive_file 1\nactive_file 2\ntotal_inactive_file 100000\ntotal_active_file 250000\n"
    )
    monkeypatch.setattr(memory, "_GROUPS", ((str(tmp_path), *memory._GROUPS[1][1:]),))
    assert memory.free_memory() == 450_000


def test_errors_state_the_remaining_memory_in_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "own_limit", lambda: 300 << 20)
    memory.prove_room(300 << 20)
    with pytest.raises(UserError, match=r"needs 2,048 MB more, .* leaves only 300 MB"):
        memory.prove_room(2 << 30)
    monkeypatch.setattr(memory, "own_limit", lambda: -5)
    with pytest.raises(UserError, match=r"leaves only 0 MB"):
        memory.prove_room(1 << 20)
    monkeypatch.setattr(memory, "own_limit", lambda: None)
    memory.prove_room(1 << 60)


def test_freed_memory_is_kept_on_request() -> None:
    script = """if True:
        import resource
        import numpy as np
        from workbench.core.machine.memory import keep_freed

        def new_pages():
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            made = np.ones(30_000_000)
            del made
            return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

        print(keep_freed(), new_pages() and new_pages())
    """
    if sys.platform == "win32":
        pytest.skip("Windows counts no new pages")
    is_kept, pages = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    ).stdout.split()
    if is_kept == "False":
        pytest.skip("not glibc")
    assert int(pages) < 50


def test_free_memory_is_given_back() -> None:
    script = """if True:
        import numpy as np
        import psutil
        from workbench.core.machine.memory import return_free_memory

        # Small pieces, every hundredth of which stays: none of what lies between is given back by
        # itself.
        pieces = [bytes(50_000) for _ in range(4000)]
        kept = pieces[::100]
        del pieces
        before = psutil.Process().memory_info().rss
        print(return_free_memory(), (before - psutil.Process().memory_info().rss) >> 20)
    """
    is_released, megabytes = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    ).stdout.split()
    if is_released == "False":
        pytest.skip("not glibc")
    assert int(megabytes) > 100


def test_threads_share_heaps() -> None:
    """Counts mapped regions of 64 MB, the size that glibc reserves for one heap."""
    script = """if True:
        import re, threading
        from pathlib import Path
        from workbench.core.machine.memory import share_heaps

        shared = share_heaps()
        barrier = threading.Barrier(12)

        def allocate():
            pieces = [bytearray(1000) for _ in range(2000)]
            barrier.wait()

        threads = [threading.Thread(target=allocate) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        bounds = [line.split()[0].split("-") for line in open("/proc/self/maps")]
        heaps = {int(low, 16) >> 26 for low, _ in bounds if int(low, 16) % (64 << 20) == 0}
        print(shared, len(heaps))
    """
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    is_shared, heaps = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    ).stdout.split()
    if is_shared == "False":
        pytest.skip("not glibc")
    assert int(heaps) <= 2
