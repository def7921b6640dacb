"""Kernels that are compiled ahead are those that are called later."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.analysis import compile_kernels
from workbench.analysis.analogy import solver


@pytest.mark.parametrize("name", ["_score_add", "_score_mul"])
def test_the_kernels_of_analogies_are_called(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_of_solver = getattr(solver, name)
    calls: list[int] = []

    def score(*arguments: Any) -> None:
        calls.append(len(arguments[3]))
        kernel_of_solver(*arguments)

    monkeypatch.setattr(solver, name, score)
    compile_kernels.warm()
    assert calls == [1]
