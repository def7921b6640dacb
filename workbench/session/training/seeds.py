"""Trainings of a run with other seeds: which runs belong together, and how to add more."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.models.params import ModelParams
from workbench.session.runs.provenance import ancestry
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.controller import TrainingController
from workbench.session.training.request import TrainingSpec

_SEED = "seed"


def siblings(runs: Sequence[RunRecord], record: RunRecord) -> list[RunRecord]:
    """The run itself and runs that differ from it only in the seed, in order, without failed and
    cancelled ones.

    Vectors opened from a file have no siblings.
    """
    if not record.algorithm:
        return [record]
    found = [other for other in runs if other is record or (_same(other, record) and _alive(other))]
    if record in found:
        return found
    return [record, *found]


def _alive(record: RunRecord) -> bool:
    return record.has_vectors or not record.state.over


def _same(one: RunRecord, other: RunRecord) -> bool:
    return (
        (one.algorithm, one.corpus_digest) == (other.algorithm, other.corpus_digest)
        and _without_seed(one) == _without_seed(other)
        and one.parameters.get(_SEED) != other.parameters.get(_SEED)
        and not ancestry(one.summary)
        and not ancestry(other.summary)
    )


def _without_seed(record: RunRecord) -> dict[str, str]:
    return {name: repr(value) for name, value in all_parameters(record).items() if name != _SEED}


def all_parameters(record: RunRecord) -> dict[str, Value]:
    """The parameters of a run, with defaults for parameters that its algorithm has gained since."""
    if record.algorithm not in MODELS:
        return dict(record.parameters)
    return {
        spec.name: spec.default for spec in MODELS[record.algorithm].params_type.specs()
    } | dict(record.parameters)


def params_with_other_seeds(
    runs: Sequence[RunRecord], record: RunRecord, total: int
) -> list[ModelParams]:
    """The parameters of the trainings still needed for a total of ``total`` runs that differ only
    in their seed.

    Raises UserError if the algorithm draws nothing at random.
    """
    if record.algorithm not in MODELS:
        raise UserError(
            tr("These vectors come from a file, so their training settings are unknown."),
            tr("Choose a run trained here."),
        )
    if ancestry(record.summary):
        raise UserError(
            tr(
                "Can’t repeat {name} with other seeds, because it continues another run.",
                name=record.name,
            ),
            tr("Train that run with other seeds, then continue each of the new runs."),
        )
    kind = MODELS[record.algorithm]
    if _SEED not in {spec.name for spec in kind.params_type.specs()}:
        raise UserError(
            tr(
                "{title} uses no random numbers: every training gives the same vectors.",
                title=kind.title,
            ),
            tr("Choose a run of another algorithm."),
        )
    family = siblings(runs, record)
    used = {other.parameters.get(_SEED) for other in family}
    free = (seed for seed in range(1, total + len(used) + 1) if seed not in used)
    missing = max(total - len(family), 0)
    return [
        kind.params_type.from_mapping({**record.parameters, _SEED: next(free)})
        for _ in range(missing)
    ]


def train_seeds(
    training: TrainingController,
    runs: Sequence[RunRecord],
    corpus: Corpus | None,
    record: RunRecord,
    total: int,
) -> list[RunRecord]:
    """Queue the trainings still needed for ``total`` seeds of a run, with names after that run.

    ``corpus`` is the open one. The active run stays the same. Raises UserError without the run's
    corpus, or if the seed has no effect.
    """
    wanted = params_with_other_seeds(runs, record, total)
    if corpus is None or corpus.digest != record.corpus_digest:
        raise UserError(
            tr(
                "{name} was trained on {corpus_name}, which isn’t open.",
                name=record.name,
                corpus_name=record.corpus_name,
            ),
            tr("Open this corpus first."),
        )
    name = record.name.split(" · seed ")[0]
    return [
        training.start(
            TrainingSpec(
                record.algorithm,
                params,
                name=tr("{name} · seed {seed}", name=name, seed=params.to_dict()[_SEED]),
                show=False,
            )
        )
        for params in wanted
    ]
