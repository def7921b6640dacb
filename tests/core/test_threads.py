from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there is no niceness here")
@pytest.mark.parametrize("more", [0, 7, 12])
def test_a_process_gets_its_niceness_once_whatever_it_inherits(more: int) -> None:
    code = (
        f"import os; from workbench.core.threads import run_after; os.nice({more}); run_after(10)"
    )
    told = subprocess.run(
        [sys.executable, "-c", f"{code}; print(os.nice(0))"],
        capture_output=True,
        text=True,
        check=True,
    )
    inherited = min(os.nice(0) + more, 19)
    assert int(told.stdout) == max(10, inherited)
