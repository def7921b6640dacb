"""Training again without some lines of the text: the true change of a number, and its spread."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.influence.quantities import Quantity
from workbench.analysis.influence.removal import without_lines
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl, Phase, split_progress
from workbench.core.language import plural, tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.models.params import ModelParams
from workbench.session.runs.derived import Derived, keep_derived
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings

# Key of the provenance: what was left out.
LEFT_OUT = "lines_left_out"
SEEDS = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class TrainedAgain:
    """A number of trainings with and without some lines, by seed; one value if the algorithm’s
    result doesn’t depend on the seed.

    before, after : float64[seeds]
    """

    before: Doubles
    after: Doubles

    @property
    def change(self) -> float:
        """Mean change."""
        return float(self.after.mean() - self.before.mean())

    @property
    def spread(self) -> float:
        """Standard deviation over seeds of the whole text’s value; NaN for one value."""
        return float(self.before.std(ddof=1)) if len(self.before) > 1 else float("nan")


def depends_on_seed(algorithm: str) -> bool:
    """Whether trainings with other seeds give other vectors: those that minimise a loss do."""
    return bool(MODELS[algorithm].loss_label)


def train_again(
    corpus: Corpus,
    algorithm: str,
    params: ModelParams,
    quantity: Quantity,
    edges: Ints,
    lines: Ints,
    run: JobControl,
    seeds: Sequence[int] = SEEDS,
) -> tuple[TrainedAgain, Embeddings]:
    """Train with and without these lines, for each seed; also returns the first model without them.

    Raises UserError, also if a word of the quantity is gone, and Cancelled.
    """
    if not depends_on_seed(algorithm):
        seeds = seeds[:1]
    reduced = without_lines(corpus, edges, lines)
    known = {spec.name for spec in params.specs()}
    values: list[tuple[float, float]] = []
    models = []
    for seed, part in zip(seeds, split_progress(run, len(seeds)), strict=True):
        chosen = params.replace(seed=seed) if "seed" in known else params
        whole = train_run(corpus, algorithm, chosen, part or run)
        models.append(train_run(reduced, algorithm, chosen, part or run))
        values.append((quantity.value_in(whole), quantity.value_in(models[-1])))
        del models[1:]
    before, after = np.array(values).T
    return TrainedAgain(before, after), models[0]


def leave_out_and_keep(
    parent: RunRecord,
    corpus: Corpus,
    quantity: Quantity,
    edges: Ints,
    lines: Ints,
    name: str,
    colour: int,
    store: Store,
    run: JobControl,
    seeds: Sequence[int] = SEEDS,
) -> tuple[TrainedAgain, Derived]:
    """In a worker thread: ``train_again`` with a run's parameters, and save the first model without
    the lines as a run. Its provenance says how many lines and words were left out.
    """
    run.enter(Phase.TRAINING, tr("Training without {lines}", lines=plural(len(lines), "line")))
    params = MODELS[parent.algorithm].params_type.from_mapping(dict(parent.parameters))
    found, model = train_again(corpus, parent.algorithm, params, quantity, edges, lines, run, seeds)
    tokens = int((edges[np.asarray(lines) + 1] - edges[np.asarray(lines)]).sum())
    entry = {"lines": len(lines), "tokens": tokens, "of": corpus.digest}
    model = with_entry(model, entry)
    derived = keep_derived(parent, model, name, colour, parent.parameters, store, run)
    return found, derived


def with_entry(model: Embeddings, entry: dict[str, object]) -> Embeddings:
    """The model with what was left out in its provenance."""
    return dataclasses.replace(model, metadata={**model.metadata, LEFT_OUT: entry})
