"""Levels that a processor supports, with LLVM’s answers replaced by those of other processors."""

from __future__ import annotations

import pytest

from workbench.core.machine import processor

NEHALEM = "cmov cx16 cx8 fxsr mmx popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3"
SANDY_BRIDGE = f"{NEHALEM} avx xsave pclmul"
HASWELL = f"{SANDY_BRIDGE} avx2 bmi bmi2 f16c fma lzcnt movbe rdrnd"


@pytest.mark.parametrize(
    ("architecture", "features", "levels"),
    [
        ("x86_64", "cmov cx8 sse sse2", ()),
        ("x86_64", NEHALEM, ("x86-64-v2",)),
        ("x86_64", SANDY_BRIDGE, ("x86-64-v2",)),
        ("x86_64", HASWELL, ("x86-64-v3", "x86-64-v2")),
        ("x86_64", f"{HASWELL} avx512f avx512bw avx512cd", ("x86-64-v3", "x86-64-v2")),
        ("arm64", "neon aes", ("apple-m1",)),
        ("aarch64", "neon", ()),
    ],
)
def test_levels_of_a_processor(architecture: str, features: str, levels: tuple[str, ...]) -> None:
    assert processor.choose_levels(architecture, features.split()) == levels


def answer(monkeypatch: pytest.MonkeyPatch, triple: str, features: dict[str, bool]) -> None:
    monkeypatch.setattr("llvmlite.binding.get_process_triple", lambda: triple)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: features)


def test_features_that_the_processor_lacks_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = dict.fromkeys(HASWELL.split(), True)
    answer(monkeypatch, "x86_64-pc-windows-msvc", {**wanted, "fma": False})
    assert processor.supported_levels() == ("x86-64-v2",)
    assert "fma" not in processor.features_of(None)
    # Features of levels other than this processor’s own.
    assert "fma" in processor.features_of("x86-64-v3")
    assert "avx" not in processor.features_of("x86-64-v2")


def test_a_mac_has_vector_instructions_without_a_list_of_features(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer(monkeypatch, "arm64-apple-darwin23.5.0", {})
    assert processor.supported_levels() == ("apple-m1",)
    assert processor.features_of(None) == {"neon"}


def test_this_processor_has_each_level_below_its_best() -> None:
    levels = processor.supported_levels()
    assert levels in ((), ("x86-64-v2",), ("x86-64-v3", "x86-64-v2"), ("apple-m1",))
