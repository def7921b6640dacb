from __future__ import annotations

import pytest

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl, Portion, split_progress


def test_pieces_add_up_to_the_whole() -> None:
    run = JobControl()
    fractions = []
    for part in split_progress(run, 4):
        assert part is not None
        for fraction in (0.0, 0.5, 1.0):
            part.advance(fraction, "note")
            fractions.append(run.progress.fraction)
    assert fractions == [0, 0.125, 0.25, 0.25, 0.375, 0.5, 0.5, 0.625, 0.75, 0.75, 0.875, 1.0]
    assert split_progress(None, 2) == [None, None]


def test_cancelling_the_whole_cancels_the_piece_and_keeps_its_note() -> None:
    run = JobControl()
    part = Portion(run, 0.5, 0.5, "SGNS 1")
    part.advance(0.5, "something else")
    assert run.progress.note == "SGNS 1"
    part.check()
    run.cancel()
    with pytest.raises(Cancelled):
        part.check()
    assert not part.gate()
