"""Levels of processors: kernels compiled for a level run on every processor with that level.

Names and features are LLVM’s. The x86-64 levels are those of the System V ABI. AVX-512 has no
level: kernels for it can only be compiled and checked on a machine that has it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

_X86_64_V2 = frozenset(["cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"])
_X86_64_V3 = _X86_64_V2 | frozenset(
    ["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"]
)
# Features of each level by architecture, the fastest first. Only Apple calls the architecture of
# its processors “arm64”.
_LEVELS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "x86_64": {"x86-64-v3": _X86_64_V3, "x86-64-v2": _X86_64_V2},
    "arm64": {"apple-m1": frozenset(["neon"])},
}
# Features of all processors of an architecture, which LLVM doesn’t report on every system.
_ALWAYS = {"arm64": frozenset(["neon"]), "aarch64": frozenset(["neon"])}


def supported_levels() -> tuple[str, ...]:
    """Names of the levels that this processor supports, the fastest first."""
    return choose_levels(_architecture(), host_features())


def choose_levels(architecture: str, features: Collection[str]) -> tuple[str, ...]:
    """Names of the levels of a processor with these features, the fastest first."""
    levels = _LEVELS.get(architecture, {})
    return tuple(name for name, needed in levels.items() if needed.issubset(features))


def features_of(name: str | None) -> frozenset[str]:
    """Features of a level; of any other name, those of this processor."""
    return _LEVELS.get(_architecture(), {}).get(name or "") or host_features()


def host_features() -> frozenset[str]:
    """Features of this processor."""
    from llvmlite import binding

    found = {name for name, has in binding.get_host_cpu_features().items() if has}
    return frozenset(found) | _ALWAYS.get(_architecture(), frozenset())


def _architecture() -> str:
    from llvmlite import binding

    return str(binding.get_process_triple()).partition("-")[0]
