"""Steps in threads: whatever ends them is told, above all a cancel that came before the first step."""

from __future__ import annotations

import pytest

from workbench.core.errors import Cancelled
from workbench.core.run import Run
from workbench.models.parallel import run_steps


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_cancelled_before_the_first_step(threads: int) -> None:
    run = Run()
    run.cancel()
    with pytest.raises(Cancelled):
        run_steps(run, [lambda: False] * threads, lambda: None)


@pytest.mark.parametrize("threads", [1, 2])
def test_stopped_is_not_cancelled(threads: int) -> None:
    run = Run()
    run.stop()
    run_steps(run, [lambda: True] * threads, lambda: None)
