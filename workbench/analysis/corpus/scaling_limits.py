"""Limits of machines as a text grows: resource, text length, and advice.

A count-min sketch counts more things than memory can contain (Cormode & Muthukrishnan 2005, An
improved data stream summary), in d rows of w counters, w = ⌈e/ε⌉ and d = ⌈ln 1/δ⌉. An estimate is
never too low. The probability that it is too high by more than ε times the sum of all counts is at
most δ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from workbench.analysis.corpus.cost_model import TOKEN_BYTES, CostModel, Sizes, drivers_of
from workbench.core.errors import UserError

# Bytes per type while reading: letters, a slot of the hash table, a count.
TYPE_BYTES = 64
_COUNTER_BYTES = 4
# Range of text lengths that is searched for limits, and steps per power of ten.
_MINIMUM, _MAXIMUM, _STEPS = 1e6, 1e15, 4


@dataclass(frozen=True)
class Sketch:
    """A count-min sketch. epsilon, delta : its guarantees, see above"""

    width: int
    depth: int
    epsilon: float
    delta: float

    @property
    def bytes(self) -> int:
        return self.width * self.depth * _COUNTER_BYTES

    def error(self, total: float) -> float:
        """Maximum excess of an estimate, except in a share ``delta`` of cases, if all counts sum
        to ``total``.
        """
        return self.epsilon * total


def sketch(epsilon: float, delta: float) -> Sketch:
    """Smallest sketch that guarantees ε and δ. Raises UserError unless both are between 0 and 1."""
    if not (0 < epsilon < 1 and 0 < delta < 1):
        raise UserError("ε and δ must be between 0 and 1.", "For example, ε = 1e-6 and δ = 0.01.")
    return Sketch(math.ceil(math.e / epsilon), math.ceil(math.log(1 / delta)), epsilon, delta)


@dataclass(frozen=True)
class Machines:
    """Resources. memory, disk : bytes of each machine; network : bytes per second that each machine
    receives and sends at the same time; seconds : maximum duration of a stage; dim : dimension of
    the vectors
    """

    number: int = 1
    memory: float = 24e9
    disk: float = 250e9
    network: float = 1e9
    seconds: float = 7 * 86_400.0
    dim: int = 100


_REMEDIES = {
    "read": "Add machines: each reads its own part of the text.",
    "count": "Add machines, or reduce the window: it determines the number of pairs.",
    "merge": "Count longer parts before merging.",
}


@dataclass(frozen=True)
class Limit:
    """A resource that limits the length of a text. tokens : the longest text for which it is
    sufficient, inf if it always is; of : the available amount, in ``unit``; remedy : a sentence
    that says what to change
    """

    name: str
    unit: str
    of: float
    tokens: float
    remedy: str


def scaling_limits(model: CostModel, machines: Machines) -> tuple[Limit, ...]:
    """Limits in the order in which they are reached.

    Machines share tokens, words and cells evenly; reading, counting and training are perfectly
    parallel, which is the best possible case.
    """
    m, width = machines, 2 * machines.dim
    limit_rows: list[tuple[str, str, float, Callable[[Sizes], float], str]] = [
        (
            "types while reading",
            "bytes of memory",
            m.number * m.memory,
            lambda s: TYPE_BYTES * s.types,
            "Drop words that occur once in a part before merging, or count types with a sketch "
            "first.",
        ),
        (
            "word and context vectors",
            "bytes of memory",
            m.memory,
            # Each with the last good state and the next one.
            lambda s: 3 * 4 * width * s.vocabulary,
            "Raise min_count, or set max_vocab, which limits the vocabulary by rank.",
        ),
        (
            "the text as numbers",
            "bytes of disk",
            m.number * m.disk,
            lambda s: TOKEN_BYTES * s.tokens,
            "Train from counts: counting reads the text once, as a stream.",
        ),
        (
            "the table of counts",
            "bytes of disk",
            m.number * m.disk,
            lambda s: s.cell_bytes,
            "Raise min_count, or drop rare cells with a sketch of pairs.",
        ),
        (
            "moving counts to their words",
            "seconds",
            m.seconds,
            lambda s: s.shuffled_bytes / (m.number * m.network),
            "Count longer parts before merging, or add machines.",
        ),
    ]
    for name, stage in model.stages.items():
        remedy = _REMEDIES.get(name) or _remedy_of_pass(name)
        limit_rows.append(
            (
                name,
                "seconds",
                m.seconds,
                lambda s, stage=stage: stage.seconds(s) / m.number,  # type: ignore[misc]
                remedy,
            )
        )
    steps = round(_STEPS * math.log10(_MAXIMUM / _MINIMUM))
    growth = _MAXIMUM / _MINIMUM
    known = [model.sizes(_MINIMUM * growth ** (step / steps)) for step in range(steps + 1)]
    found = [
        Limit(name, unit, of, _longest_text(model, known, need, of), remedy)
        for name, unit, of, need, remedy in limit_rows
    ]
    return tuple(sorted(found, key=lambda limit: limit.tokens))


def _remedy_of_pass(stage: str) -> str:
    """A sentence about an epoch of an algorithm that takes too long."""
    if drivers_of(stage) == ("cells",):
        return "Add machines, or raise min_count: a pass takes time in proportion to the cells."
    return "Train from counts: a pass over the text takes time in proportion to its length."


def cut_off(model: CostModel, tokens: float, cells: float) -> int:
    """The lowest min_count with which a text of this length has at most ``cells`` cells. Raises
    UserError if no min_count suffices.
    """
    from dataclasses import replace

    low, high = 1, 1
    while (
        _expected_cells(replace(model, setting=replace(model.setting, least=high)), tokens) > cells
    ):
        low, high = high, 2 * high
        if high > tokens:
            raise UserError(
                "No min_count reduces the matrix to so few cells.", f"Allow more than {cells:,.0f}."
            )
    while high - low > 1:
        middle = (low + high) // 2
        if (
            _expected_cells(replace(model, setting=replace(model.setting, least=middle)), tokens)
            > cells
        ):
            low = middle
        else:
            high = middle
    return high


def pair_sketch(model: CostModel, tokens: float, error: float, delta: float = 0.01) -> Sketch:
    """Sketch that counts word pairs to within ``error``, except in a share ``delta`` of cases.

    The counts sum to the number of pairs.
    """
    return sketch(error / model.sizes(tokens).pairs, delta)


def _expected_cells(model: CostModel, tokens: float) -> float:
    return model.sizes(tokens).cells


def _longest_text(
    model: CostModel, known: list[Sizes], need: Callable[[Sizes], float], of: float
) -> float:
    """The text length at which ``need``, a growing function, exceeds ``of``, to within some
    thousandths.

    known : sizes at increasing lengths, close enough for ``need`` to be a power of the length
    between them
    """
    above = next((number for number, sizes in enumerate(known) if need(sizes) > of), None)
    if above is None:
        return math.inf
    if above == 0:
        return 0.0
    low, high = known[above - 1], known[above]
    for _ in range(2):
        below, over = math.log(max(need(low), 1e-300)), math.log(need(high))
        share = (math.log(of) - below) / (over - below)
        middle = model.sizes(low.tokens * (high.tokens / low.tokens) ** min(max(share, 0.0), 1.0))
        low, high = (low, middle) if need(middle) > of else (middle, high)
        if need(low) == of or need(high) / need(low) - 1 < 1e-9:
            break
    below, over = math.log(max(need(low), 1e-300)), math.log(need(high))
    share = (math.log(of) - below) / (over - below) if over > below else 0.0
    return float(low.tokens * (high.tokens / low.tokens) ** min(max(share, 0.0), 1.0))
