"""Check whether a training fits into memory, and which parameter values would make it fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.machine.memory import free_memory
from workbench.core.params import Value
from workbench.corpus.corpus import Corpus
from workbench.models.base import Estimate, Model
from workbench.models.params import ModelParams
from workbench.session.runs.history import recorded_bytes
from workbench.session.training.pacing import calibrate

# Share of the free memory that a training may take: the window, the map and the system need the
# rest.
_SHARE = 0.9
# Parameters that make a training smaller, the most harmless first: the name, and whether a lower
# value needs less memory.
_KNOBS = (("buckets", True), ("max_vocab", True), ("min_count", False), ("dim", True))


@dataclass(frozen=True)
class Remedy:
    """A value of one parameter with which the training fits, and the bytes that it then takes."""

    name: str
    value: int
    memory_bytes: int

    @property
    def sentence(self) -> str:
        return f"{self.name} {self.value:,}"


@dataclass(frozen=True)
class Shortage:
    """A training that does not fit. ``needed`` and ``free`` in bytes; ``remedies`` may be empty."""

    needed: int
    free: int
    remedies: tuple[Remedy, ...]

    @property
    def error(self) -> UserError:
        """The error for users."""
        offers = tr(" or ").join(remedy.sentence for remedy in self.remedies)
        if offers:
            hint = tr("Use {offers} to fit in memory.", offers=offers)
        else:
            hint = tr("Close other programs, or train on a smaller corpus.")
        return UserError(
            tr(
                "Not enough memory: training needs about {needed}, but only {free} is free.",
                needed=_size(self.needed),
                free=_size(self.free),
            ),
            hint,
        )


def cost(
    kind: type[Model],
    params: ModelParams,
    corpus: Corpus,
    recorded: bool = False,
    compiling: bool = True,
) -> Estimate:
    """Cost of a training; ``recorded``: including the states that a session keeps. Raises
    UserError.

    compiling : the training compiles its kernels if they aren't compiled yet
    """
    raw = kind(params).estimate(corpus)
    estimate = calibrate(raw, kind.key, corpus.digest, compiling=compiling)
    states = recorded_bytes(kind, params, estimate.vocabulary) if recorded else 0
    return replace(estimate, memory_bytes=estimate.memory_bytes + states)


def shortage(
    kind: type[Model],
    params: ModelParams,
    corpus: Corpus,
    estimate: Estimate | None = None,
    free: int | None = None,
    recorded: bool = False,
) -> Shortage | None:
    """The shortage of memory, None if the training fits. Takes milliseconds, or longer if it
    doesn't fit. Raises UserError.

    estimate : its ``cost``, if known
    """
    if free is None:
        free = free_memory()
    cost_estimate = estimate or cost(kind, params, corpus, recorded)
    if cost_estimate.memory_bytes <= _SHARE * free:
        return None
    found = (
        _remedy(kind, params, corpus, name, falling, free, recorded) for name, falling in _KNOBS
    )
    return Shortage(
        cost_estimate.memory_bytes, free, tuple(remedy for remedy in found if remedy is not None)
    )


def _remedy(
    kind: type[Model],
    params: ModelParams,
    corpus: Corpus,
    name: str,
    falling: bool,
    free: int,
    recorded: bool,
) -> Remedy | None:
    """The value nearest to the current one with which the training fits; None if no value
    helps.
    """
    values = params.to_dict()
    if name not in values:
        return None
    spec = kind.params_type.spec(name)
    now = int(values[name])
    if name == "max_vocab":
        # 0 means no limit.
        now = min(now or corpus.types, kind(params).estimate(corpus).vocabulary)
    low = int(spec.low or 0) if falling else now + 1
    high = now - 1 if falling else int(corpus.counts[0])
    if falling:
        low = max(low, 2 if name == "max_vocab" else 1)

    def needs(value: int) -> int | None:
        return _needs(kind, params, corpus, name, value, recorded)

    best = None
    while low <= high:
        middle = (low + high) // 2
        needed = needs(middle)
        fits = needed is not None and needed <= _SHARE * free
        if fits:
            best = middle
        if fits == falling:
            low = middle + 1
        else:
            high = middle - 1
    if best is None:
        return None
    for value in (_round(best, falling), best):
        needed = needs(value)
        if needed is not None and needed <= _SHARE * free:
            return Remedy(name, value, needed)
    return None


def _needs(
    kind: type[Model], params: ModelParams, corpus: Corpus, name: str, value: Value, recorded: bool
) -> int | None:
    """Bytes with another value, None if a training with it isn't possible."""
    try:
        return cost(kind, params.replace(**{name: value}), corpus, recorded).memory_bytes
    except UserError:
        return None


def _round(value: int, down: bool) -> int:
    """Round to two digits, because users read and type the number."""
    step = int(10 ** max(len(str(value)) - 2, 0))
    if down:
        return value // step * step
    return -(-value // step) * step


def _size(size: int) -> str:
    if size >= 1e9:
        return tr("{size:.1f} GB", size=size / 1e9)
    return tr("{number:,.0f} MB", number=max(size, 1_000_000) / 1e6)
