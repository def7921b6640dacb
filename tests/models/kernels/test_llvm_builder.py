"""Vector code suits the processor it is compiled for, whatever processor compiles it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.models.kernels import llvm_builder


@pytest.fixture
def forget() -> Iterator[None]:
    functions = (llvm_builder.vector_width, llvm_builder.has_fused_multiply_add)
    for each in functions:
        each.cache_clear()
    yield
    for each in functions:
        each.cache_clear()


@pytest.mark.parametrize(
    ("features", "width", "has_fma"),
    [
        (["sse4.2"], 4, False),
        (["avx"], 8, False),
        (["avx", "avx2", "fma"], 8, True),
        (["avx", "fma", "avx512f"], 16, True),
        (["neon"], 4, True),
    ],
)
def test_vectors_are_those_of_the_target(
    features: list[str],
    width: int,
    has_fma: bool,
    forget: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(llvm_builder, "target_features", lambda: frozenset(features))
    assert llvm_builder.vector_width() == width
    assert llvm_builder.has_fused_multiply_add() is has_fma
