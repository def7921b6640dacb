"""Description of an interrupted training in its file."""

from __future__ import annotations

import dataclasses

import numpy as np

from workbench.session.session import Session


def test_what_is_offered_says_how_far_it_was(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    assert (entry.name, entry.algorithm, entry.corpus_digest) == ("Step 1", "step", "feed")
    assert 0 < entry.progress <= 0.6
    assert entry.remaining_passes == int(np.ceil(10 * (1 - entry.progress) - 1e-6))


def test_what_is_left_counts_whole_passes(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    for progress, left in ((0.0, 10), (0.5, 5), (0.45, 6), (0.3, 7), (0.999, 1), (1.0, 1)):
        assert dataclasses.replace(entry, progress=progress).remaining_passes == left
