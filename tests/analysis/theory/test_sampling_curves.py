from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.analysis.theory.sampling_curves import noise, subsampling

COUNTS = np.array([700, 200, 60, 30, 10], dtype=np.int64)


def test_subsampling_word_by_word() -> None:
    found = subsampling(COUNTS, 0.05)
    shares = [0.7, 0.2, 0.06, 0.03, 0.01]
    program = [min((math.sqrt(f / 0.05) + 1) * 0.05 / f, 1) for f in shares]
    paper = [min(math.sqrt(0.05 / f), 1) for f in shares]
    assert found.share == pytest.approx(shares)
    assert found.program == pytest.approx(program)
    assert found.paper == pytest.approx(paper)
    assert found.left == pytest.approx(
        sum(f * kept for f, kept in zip(shares, program, strict=True))
    )
    assert found.paper_left == pytest.approx(
        sum(f * kept for f, kept in zip(shares, paper, strict=True))
    )
    assert found.touched == sum(kept < 1 for kept in program)
    assert subsampling(COUNTS, 0.0).left == 1.0


def test_noise_word_by_word() -> None:
    found = noise(COUNTS, 0.5)
    total = sum(math.sqrt(n) for n in COUNTS.tolist())
    assert found.noise == pytest.approx([math.sqrt(n) / total for n in COUNTS.tolist()])
    assert found.favoured == sum(math.sqrt(n) / total > n / 1000 for n in COUNTS.tolist())
    assert noise(COUNTS, 1.0).favoured == 0
