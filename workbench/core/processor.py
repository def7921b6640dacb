"""Levels of processors: kernels that are compiled for a level run on every processor that has it.

Names and features are LLVM’s. The x86-64 levels are those of the System V ABI. There is no level
for AVX-512: kernels for it can only be compiled, and checked, on a machine that has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """A processor of LLVM, and the features that a real one must have to run code for it."""

    name: str
    features: frozenset[str] = frozenset()


_X86_64_V2 = frozenset(["cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"])
_X86_64_V3 = _X86_64_V2 | frozenset(
    ["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"]
)
# Levels by architecture, the fastest first. Only Apple calls the architecture of its processors
# “arm64”, and all of these have the features of the first one.
_LEVELS = {
    "x86_64": (Level("x86-64-v3", _X86_64_V3), Level("x86-64-v2", _X86_64_V2)),
    "arm64": (Level("apple-m1"),),
}


def supported_levels() -> tuple[str, ...]:
    """Names of the levels that this processor has, the fastest first."""
    from llvmlite import binding

    return choose_levels(binding.get_process_triple(), binding.get_host_cpu_features())


def choose_levels(triple: str, features: Mapping[str, bool]) -> tuple[str, ...]:
    """Names of the levels of a processor, the fastest first.

    triple : LLVM’s name of the system, such as "x86_64-unknown-linux-gnu"
    features : whether the processor has each of LLVM’s features
    """
    present = {name for name, has in features.items() if has}
    levels = _LEVELS.get(triple.partition("-")[0], ())
    return tuple(level.name for level in levels if level.features <= present)
