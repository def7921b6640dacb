"""Forecast of the cost of counting and training at other corpus sizes, from measurements on
samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.analysis.corpus.cost_model import (
    CostModel,
    CountSetting,
    MeasuredRun,
    Sizes,
    fit_cost_model,
    sizes_of,
)
from workbench.analysis.corpus.cost_runs import measure_runs
from workbench.analysis.corpus.scaling_limits import Limit, Machines, scaling_limits
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.params import Params, param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.counts.params import CountWindowParams
from workbench.models.base import MODELS
from workbench.models.params import SharedParams

# Number of prefixes of the corpus that are measured, each half of the next; the last one is the
# whole corpus, and is held out.
_BEGINNINGS = 5
_LEAST = 100_000


@dataclass(frozen=True)
class CostParams(Params):
    """Count settings and machines."""

    min_count: int = redeclare(CountWindowParams, "min_count", 5, "word2vec.c -min-count 5")
    max_vocab: int = redeclare(CountWindowParams, "max_vocab", 0, "0 = no limit", basic=False)
    window: int = redeclare(CountWindowParams, "window", 5, "word2vec.c -window 5")
    dim: int = redeclare(SharedParams, "dim", source="word2vec.c", grows="")
    part: int = param(
        1_000_000_000,
        "Number of tokens that one machine counts before its counts are merged with those "
        "of others.",
        symbol="M",
        low=1,
        grows="less data transferred, more memory",
        source="one or two gigabytes of cells",
    )
    machines: int = param(
        1,
        "Number of machines like this one that share the work.",
        low=1,
        high=1_000_000,
        source="this machine only",
    )
    memory: float = param(
        24.0,
        "Memory of each machine.",
        unit="GB",
        low=0.0,
        low_open=True,
        source="a typical desktop computer",
    )
    disk: float = param(
        250.0,
        "Disk space of each machine.",
        unit="GB",
        low=0.0,
        low_open=True,
        source="a typical desktop computer",
    )
    network: float = param(
        1.0,
        "Network speed of each machine: data sent and received per second.",
        unit="GB/s",
        low=0.0,
        low_open=True,
        source="10 Gbit/s",
    )
    days: float = param(
        7.0, "Maximum duration of a stage.", unit="days", low=0.0, low_open=True, source="a week"
    )

    @property
    def to_machines(self) -> Machines:
        return Machines(
            self.machines,
            1e9 * self.memory,
            1e9 * self.disk,
            1e9 * self.network,
            86_400.0 * self.days,
            self.dim,
        )


@dataclass(frozen=True)
class Costing:
    """Measured and predicted cost.

    model : fitted to all runs
    held : the longest run; predicted : its prediction by a model of the other runs; both with the
    seconds of each stage
    limits : see ``scaling_limits``
    """

    model: CostModel
    runs: tuple[MeasuredRun, ...]
    held: Sizes
    predicted: Sizes
    held_seconds: dict[str, float]
    predicted_seconds: dict[str, float]
    limits: tuple[Limit, ...]


def cost_of(
    corpus: Corpus,
    params: CostParams,
    run: JobControl,
    trained: Sequence[str] | None = None,
) -> Costing:
    """Measure prefixes of a corpus and fit a cost model. Takes about five times as long as counting
    the corpus and training two epochs.

    trained : keys of the algorithms whose epochs are measured; None: those that declare it
    Enters COUNTING. Raises UserError for a corpus of fewer than 100,000 tokens, and Cancelled.
    """
    if trained is None:
        trained = sorted(kind.key for kind in MODELS if kind.in_forecast)
    if corpus.tokens < _LEAST:
        raise UserError(
            f"{corpus.name} has {corpus.tokens:,} tokens, too few for an estimate.",
            f"Use a corpus of at least {_LEAST:,} tokens.",
        )
    run.enter(Phase.COUNTING, "Measuring samples of the corpus")
    sizes = [corpus.tokens >> number for number in range(_BEGINNINGS - 1, -1, -1)]
    setting = CountSetting(
        params.min_count, 2 * params.window, max(sizes[0] // 2, 1), params.max_vocab
    )
    # Compiling, the first read from disk and the first allocation of memory aren’t costs per token.
    list(measure_runs(corpus, [sizes[0]], setting, JobControl(), trained, params.dim))
    list(measure_runs(corpus, [sizes[-1]], setting, run))
    runs = tuple(measure_runs(corpus, sizes, setting, run, trained, params.dim))
    before, model = fit_cost_model(runs[:-1], setting), fit_cost_model(runs, setting)
    # Measured with short parts, extrapolated to long ones.
    model = replace(model, setting=replace(setting, part=params.part))
    last = runs[-1]
    tokens = last.spectrum.tokens
    return Costing(
        model,
        runs,
        sizes_of(last, setting),
        before.sizes(tokens),
        dict(last.seconds),
        before.seconds(tokens),
        scaling_limits(model, params.to_machines),
    )
