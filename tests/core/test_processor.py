"""Which levels a processor has, with LLVM’s answers for others in place of this one’s."""

from __future__ import annotations

import pytest

from workbench.core.processor import choose_levels, supported_levels

NEHALEM = "cmov cx16 cx8 fxsr mmx popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3"
SANDY_BRIDGE = f"{NEHALEM} avx xsave pclmul"
HASWELL = f"{SANDY_BRIDGE} avx2 bmi bmi2 f16c fma lzcnt movbe rdrnd"
LINUX, WINDOWS = "x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc"


@pytest.mark.parametrize(
    ("triple", "has", "levels"),
    [
        (LINUX, "cmov cx8 sse sse2", ()),
        (LINUX, NEHALEM, ("x86-64-v2",)),
        (WINDOWS, SANDY_BRIDGE, ("x86-64-v2",)),
        (WINDOWS, HASWELL, ("x86-64-v3", "x86-64-v2")),
        (LINUX, f"{HASWELL} avx512f avx512bw avx512cd", ("x86-64-v3", "x86-64-v2")),
        ("arm64-apple-darwin23.5.0", "neon aes", ("apple-m1",)),
        ("aarch64-unknown-linux-gnu", "neon", ()),
    ],
)
def test_levels_of_a_processor(triple: str, has: str, levels: tuple[str, ...]) -> None:
    features = {**dict.fromkeys(HASWELL.split(), False), **dict.fromkeys(has.split(), True)}
    assert choose_levels(triple, features) == levels


def test_this_processor_has_each_level_below_its_best() -> None:
    levels = supported_levels()
    assert levels in ((), ("x86-64-v2",), ("x86-64-v3", "x86-64-v2"), ("apple-m1",))
