"""Measures of a model against the matrix it factorises (LG14), over the observed pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import Figures, figures_of
from workbench.analysis.theory.targets import (
    TARGETS,
    TargetSettings,
    target_values,
    theory_target,
    weight_values,
)
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.models.base import MODELS, TheoryTarget
from workbench.session.lessons.measure_registry import (
    OWN,
    MeasureScene,
    RunLabel,
    Target,
    Word,
    measure,
)
from workbench.session.runs import final_loss, loss_floor

_ROWS = 128


@dataclass(frozen=True, eq=False)
class ObservedPairs:
    """All observed pairs: float64[p] targets, scores and weights, and counts."""

    pairs: PairCounts
    targets: Doubles
    scores: Doubles
    weights: Doubles


@measure(tr("R² of {run} against {target}"))
def r2(scene: MeasureScene, run: RunLabel, target: Target = OWN) -> float:
    return _figures(scene, run, target).r2


@measure(tr("slope of w·c against {target} in {run}"))
def slope(scene: MeasureScene, run: RunLabel, target: Target = OWN) -> float:
    return _figures(scene, run, target).slope


@measure(tr("correlation of w·c with {target} in {run}"))
def correlation(scene: MeasureScene, run: RunLabel, target: Target = OWN) -> float:
    return _figures(scene, run, target).pearson


@measure(tr("mean of w·c − {target} in {run}, in nats"))
def offset(scene: MeasureScene, run: RunLabel, target: Target = OWN) -> float:
    return _figures(scene, run, target).mean_difference


@measure(tr("root mean squared error against {target} in {run}, in nats"))
def miss(scene: MeasureScene, run: RunLabel, target: Target = OWN) -> float:
    return _figures(scene, run, target).rms


@measure(tr("error against {target} in {run} for pairs with counts from {low} to {high}, in nats"))
def miss_between(
    scene: MeasureScene, run: RunLabel, target: Target, low: float, high: float
) -> float:
    """√ of the mean squared difference over the pairs with counts low ≤ #(w,c) < high,
    unweighted.
    """
    met, chosen = _pairs_between(scene, run, target, low, high)
    return float(np.sqrt(np.mean((met.scores - met.targets)[chosen] ** 2)))


@measure(
    tr(
        "error against {target} in {run} for pairs with counts from {low} to {high}, "
        "relative to the spread of the target"
    ),
    digits=0,
    percent=True,
)
def relative_miss_between(
    scene: MeasureScene, run: RunLabel, target: Target, low: float, high: float
) -> float:
    """``miss-between`` over the standard deviation of the targets of the same pairs, which makes
    targets of different spread comparable: 0 for a perfect match, 1 if the mean of the targets
    would do as well.
    """
    met, chosen = _pairs_between(scene, run, target, low, high)
    spread = float(np.std(met.targets[chosen]))
    missed = float(np.sqrt(np.mean((met.scores - met.targets)[chosen] ** 2)))
    if spread > 0:
        return missed / spread
    return float("nan")


@measure(tr("w·c of {word} and {context} in {run}"))
def product(scene: MeasureScene, run: RunLabel, word: Word, context: Word) -> float:
    met = _pairs_of(scene, run)
    scores = PairScores(scene.vectors(run), met, "product")
    return float(scores.block(np.array([met.row(word)]))[0, met.row(context)])


@measure(tr("mean w·c of unobserved pairs in {run}"))
def unmet(scene: MeasureScene, run: RunLabel) -> float:
    pairs, own = _pairs_of(scene, run), theory_target(_algorithm(scene, run))
    scores = PairScores(scene.vectors(run), pairs, own.score)
    total, size = 0.0, len(pairs.words)
    for first in range(0, size, _ROWS):
        scene.run.check()
        rows = np.arange(first, min(first + _ROWS, size))
        total += float(scores.block(rows).sum())
    seen = float(_observed_pairs(scene, run, OWN).scores.sum())
    return (total - seen) / (size * size - pairs.cells.nnz)


@measure(
    tr("share of the matrix that {run} reproduces"), digits=0, percent=True, name="reconstructed"
)
def reconstruction(scene: MeasureScene, run: RunLabel) -> float:
    """1 − ‖M − W·Cᵀ‖² / ‖M‖² over all cells, M being SPPMI, whose unobserved cells are 0: the
    quantity that an SVD of d dimensions maximises (Eckart and Young 1936).
    """
    model, pairs = scene.vectors(run), _pairs_of(scene, run)
    targets = target_values(pairs, TargetSettings.of(_parameters(scene, run)), "sppmi")
    scores = PairScores(model, pairs, "product")
    starts, columns = pairs.cells.indptr, pairs.cells.indices
    error = 0.0
    for first in range(0, len(pairs.words), _ROWS):
        scene.run.check()
        rows = np.arange(first, min(first + _ROWS, len(pairs.words)))
        block = -scores.block(rows)
        part = slice(int(starts[rows[0]]), int(starts[rows[-1] + 1]))
        block[pairs.rows[part] - first, columns[part]] += targets[part]
        error += float((block * block).sum())
    return 1.0 - error / float(targets @ targets)


@measure(tr("correlation of the biases of {run} with log #(w)"))
def bias_correlation(scene: MeasureScene, run: RunLabel) -> float:
    model, pairs = scene.vectors(run), _pairs_of(scene, run)
    if model.biases is None:
        raise UserError(tr("The run {run} has no biases.", run=run), tr("Train glove."))
    rows = np.array([model.index[word] for word in pairs.words])
    return float(np.corrcoef(model.biases[rows], np.log(pairs.row_sums[pairs.ids]))[0, 1])


@measure(tr("loss of {run} at the end of its training"), digits=3, name="loss")
def loss_at_end(scene: MeasureScene, run: RunLabel) -> float:
    """The number in the panel Loss: a mean over the last epoch, or the objective of the result."""
    final = final_loss.read(scene.vectors(run).metadata)
    if final is None:
        raise UserError(
            tr("The run {run} has no loss.", run=run),
            tr("Choose an algorithm that trains step by step."),
        )
    return final.value


@measure(tr("lowest loss that any vectors could reach with the settings of {run}"), digits=3)
def floor(scene: MeasureScene, run: RunLabel) -> float:
    stored = loss_floor.read(scene.vectors(run).metadata)
    if stored is not None and stored.value is not None:
        return stored.value
    # The floor of a training that was stopped, or whose floor takes long, isn't stored.
    kind = MODELS[_algorithm(scene, run)]
    params = kind.params_type.from_mapping(_parameters(scene, run))
    computed = loss_floor.compute_floor(scene.corpus_of(run), kind, params, scene.run)
    if computed.value is None:
        raise UserError(
            tr("The loss of the run {run} has no floor.", run=run),
            computed.reason or kind.loss_floor.missing,
        )
    return computed.value


@measure(tr("loss of {run} above its floor"), digits=3)
def gap(scene: MeasureScene, run: RunLabel) -> float:
    return loss_at_end(scene, run) - floor(scene, run)


def _algorithm(scene: MeasureScene, run: str) -> str:
    return str(scene.vectors(run).metadata.get("algorithm", ""))


def _parameters(scene: MeasureScene, run: str) -> dict[str, object]:
    return dict(scene.vectors(run).metadata.get("parameters", {}))


def _pairs_of(scene: MeasureScene, run: str) -> PairCounts:
    return scene.pairs(
        scene.corpus_of(run), PairCountSettings.of(_parameters(scene, run)), scene.vectors(run)
    )


def _own_target(scene: MeasureScene, run: str, target: str) -> tuple[TheoryTarget, str]:
    own = theory_target(_algorithm(scene, run))
    key = own.target if target == OWN else target
    if key not in TARGETS:
        raise UserError(
            tr("Unknown target “{target}”.", target=target),
            tr("Choose one of: own, {names}.", names=", ".join(TARGETS)),
        )
    return own, key


def _observed_pairs(scene: MeasureScene, run: str, target: str) -> ObservedPairs:
    own, key = _own_target(scene, run, target)
    pairs, setting = _pairs_of(scene, run), TargetSettings.of(_parameters(scene, run))
    scores = PairScores(scene.vectors(run), pairs, own.score)
    found = np.empty(pairs.cells.nnz)
    starts, columns = pairs.cells.indptr, pairs.cells.indices
    for first in range(0, len(pairs.words), _ROWS):
        scene.run.check()
        rows = np.arange(first, min(first + _ROWS, len(pairs.words)))
        block = scores.block(rows)
        part = slice(int(starts[rows[0]]), int(starts[rows[-1] + 1]))
        found[part] = block[pairs.rows[part] - first, columns[part]]
    return ObservedPairs(
        pairs, target_values(pairs, setting, key), found, weight_values(pairs, setting, own)
    )


def _pairs_between(
    scene: MeasureScene, run: str, target: str, low: float, high: float
) -> tuple[ObservedPairs, npt.NDArray[np.bool_]]:
    """All pairs, and a mask of those with counts low ≤ #(w, c) < high. Raises UserError if there
    are no such pairs.
    """
    met = _observed_pairs(scene, run, target)
    counts = met.pairs.cells.data
    chosen = (counts >= low) & (counts < high)
    if not chosen.any():
        raise UserError(
            tr("No pair has a count from {low:g} to {high:g}.", low=low, high=high),
            tr("Choose other bounds."),
        )
    return met, chosen


def _figures(scene: MeasureScene, run: str, target: str) -> Figures:
    met = _observed_pairs(scene, run, target)
    return figures_of(met.scores, met.targets, met.weights)
