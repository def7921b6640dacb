"""Order in which the modes of W·Cᵀ are learnt: predicted from the counts, and observed.

A training that starts near zero first moves along the directions in which its loss falls fastest
there. With x = w·c and G = −∂L/∂x at x = 0, for all pairs of words,

    dW/dt = G·C,  dC/dt = Gᵀ·W  (to first order),

so each singular mode of G grows independently, with its singular value as the rate, and appears
after a time in inverse proportion to it (Karkada, Simon, Bahri & DeWeese 2025, arXiv 2502.09863,
who solve the quadratic case for W = C and equal weights f for all pairs, so that the modes are
those of t; Saxe, McClelland & Ganguli 2014 for two factors). With other weights, modes grow
independently only at the start. To second order, the objective of a pair is ½ f (x − t)², so that
G = f∘t is the weighted target:

    xstar   G = (A − B)/2,  A = #(w, c),  B = k · #(w) · P_n(c);  f = (A + B)/4,
            t = 2 (A − B)/(A + B)
    logp    G = A − #(w)/V
    others  G = f∘t over the observed pairs, with the algorithm's weights f

per pair, divided by Σ A or Σ f. G is known without training.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.evaluation.bootstrap import spearman
from workbench.analysis.history.trajectory import TrainingFrame
from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.targets import (
    TargetSettings,
    expected_probabilities,
    target_values,
    weight_values,
)
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.models.base import TheoryTarget
from workbench.models.count.truncated_svd import truncated_svd
from workbench.models.start_from_counts import RANDOM
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.modes import Modes, product_modes, product_values

# Initial vectors larger than this share of the usual size aren’t small.
_SMALL_START = 0.1


def extreme_words(
    entries: Doubles, words: Sequence[str], number: int = 3
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words with the largest positive and the largest negative entries of a mode, the most
    extreme first; fewer if fewer entries have that sign.
    """
    order = np.argsort(entries, kind="stable")
    high = [row for row in order[::-1][:number].tolist() if entries[row] > 0]
    low = [row for row in order[:number].tolist() if entries[row] < 0]
    return tuple(words[row] for row in high), tuple(words[row] for row in low)


@dataclass(frozen=True)
class ModeEnds:
    """The extreme words of a mode: positive and negative entries of words, and the matching entries
    of contexts.
    """

    words: tuple[tuple[str, ...], tuple[str, ...]]
    contexts: tuple[tuple[str, ...], tuple[str, ...]]


def mode_ends(modes: Modes, words: Sequence[str], number: int = 3) -> tuple[ModeEnds, ...]:
    """The extreme words of every mode."""
    return tuple(
        ModeEnds(extreme_words(left, words, number), extreme_words(right, words, number))
        for left, right in zip(modes.left.T, modes.right.T, strict=True)
    )


# -- prediction


def missing_prediction(own: TheoryTarget) -> UserError | None:
    """Reason why the start of this algorithm can't be predicted from counts, or None."""
    if own.missing or own.score == "tree":
        return UserError(
            tr("The order of learning isn’t predicted for this algorithm."),
            tr("Train SGNS, the exact softmax, GloVe or another factorisation."),
        )
    if own.weight == "swivel":
        return UserError(
            tr("The order isn’t predicted for Swivel: unobserved pairs have a separate loss."),
            tr("Train SGNS or the weighted PMI factorisation."),
        )
    return None


class Pull:
    """G as an operator: a sparse part minus an outer product, never a dense V×V matrix.

    cells : CSR float64[n, n]; rows, columns : float64[n], of the outer product
    """

    width = 8
    together = 32

    def __init__(
        self, cells: sp.csr_matrix, rows: Doubles, columns: Doubles, run: JobControl | None = None
    ) -> None:
        self.shape = (int(cells.shape[0]), int(cells.shape[1]))
        self._cells, self._transposed = cells, cells.T.tocsr()
        self._rows, self._columns = rows, columns
        self._run = run or JobControl()

    def toarray(self) -> Doubles:
        """G as a dense matrix; only for small ones."""
        return np.asarray(self._cells.toarray() - np.outer(self._rows, self._columns))

    def image(self, block: Doubles) -> Doubles:
        """G·block."""
        self._run.check()
        return np.asarray(self._cells @ block - np.outer(self._rows, self._columns @ block))

    def gram(self, block: Doubles) -> Doubles:
        """GᵀG·block."""
        image = self.image(block)
        return np.asarray(self._transposed @ image - np.outer(self._columns, self._rows @ image))

    def room(self, vectors: int) -> Doubles:
        return np.empty((vectors, self.shape[1]))


def initial_pull(
    pairs: PairCounts, setting: TargetSettings, own: TheoryTarget, run: JobControl | None = None
) -> Pull:
    """G of an algorithm over the words of ``pairs``. Raises UserError if it isn't known."""
    problem = missing_prediction(own)
    if problem is not None:
        raise problem
    size = len(pairs.words)
    cells, sums = pairs.cells, pairs.row_sums[pairs.ids]
    none = np.zeros(size)
    if own.target == "xstar":
        everywhere = np.arange(size)
        noise = expected_probabilities(pairs, setting, "xstar", everywhere)
        halves = cells * (0.5 / pairs.total)
        return Pull(halves, 0.5 * setting.negative * sums / pairs.total, noise, run)
    if own.target == "logp":
        uniform = np.full(size, 1.0 / len(pairs.row_sums))
        return Pull(cells * (1.0 / pairs.total), sums / pairs.total, uniform, run)
    weights = weight_values(pairs, setting, own)
    weighted = cells.copy()
    weighted.data = weights * target_values(pairs, setting, own.target) / weights.sum()
    return Pull(weighted, none, none, run)


def predicted_modes(
    pairs: PairCounts,
    setting: TargetSettings,
    own: TheoryTarget,
    most: int,
    run: JobControl | None = None,
) -> Modes:
    """The strongest modes of G, the first to be learnt first. Raises UserError, Cancelled."""
    if run is not None:
        run.enter(Phase.COUNTING, tr("Predicting the order from the counts"))
    pull = initial_pull(pairs, setting, own, run)
    found = truncated_svd(pull, min(most, len(pairs.words)), run=run)
    return Modes(found.left, found.values, found.right)


# -- observation


@dataclass(frozen=True, eq=False)
class ModeCourse:
    """Modes of one training along its snapshots.

    progress : float64[F]; values : float64[F, m], the largest singular values of W·Cᵀ
    strengths : float64[F, p], uᵀ·W·Cᵀ·v along the predicted modes, or of no columns
    last : the modes of the last snapshot; words : of the snapshots
    """

    words: Sequence[str]
    progress: Doubles
    values: Doubles
    strengths: Doubles
    last: Modes


def course_of(
    frames: Sequence[TrainingFrame],
    most: int,
    predicted: Modes | None = None,
    rows: Ints | None = None,
    known: MutableMapping[TrainingFrame, tuple[Doubles, Doubles]] | None = None,
    run: JobControl | None = None,
) -> ModeCourse:
    """Compute the modes of every snapshot.

    rows : int64[n], the rows of the predicted modes' words in the snapshots
    known : cache of values and strengths of snapshots for the same prediction; new ones are added

    Raises UserError without context vectors, and Cancelled.
    """
    known = {} if known is None else known
    for at, frame in enumerate(frames):
        if run is not None:
            run.check()
            run.advance(at / len(frames))
        if frame not in known:
            strengths = np.empty(0)
            if predicted is not None:
                assert rows is not None
                strengths = mode_strengths(frame.embeddings, predicted, rows)
            known[frame] = product_values(frame.embeddings), strengths
    return ModeCourse(
        frames[-1].embeddings.words,
        np.array([frame.progress for frame in frames]),
        np.array([known[frame][0][:most] for frame in frames]),
        np.array([known[frame][1] for frame in frames]),
        product_modes(frames[-1].embeddings, most),
    )


def mode_strengths(embeddings: Embeddings, modes: Modes, rows: Ints) -> Doubles:
    """float64[p], uᵀ·W·Cᵀ·v of each mode, whose entries belong to the words in ``rows``."""
    assert isinstance(embeddings.inputs, np.ndarray)
    assert embeddings.contexts is not None
    W = embeddings.inputs[rows].astype(np.float64)
    C = embeddings.contexts[rows].astype(np.float64)
    return np.asarray(((modes.left.T @ W) * (modes.right.T @ C)).sum(axis=1))


def half_points(progress: Doubles, strengths: Doubles) -> Doubles:
    """float64[p], the share of the training at which each strength first reached half of its last
    value, by linear interpolation between snapshots; NaN if the last value isn't positive, or if
    there is only one snapshot.
    """
    found = np.full(strengths.shape[1], np.nan)
    if len(strengths) < 2:
        return found
    for mode, course in enumerate(strengths.T):
        half = course[-1] / 2
        if not half > 0:
            continue
        at = int(np.argmax(course >= half))
        if at == 0:
            found[mode] = progress[0]
            continue
        share = (half - course[at - 1]) / (course[at] - course[at - 1])
        found[mode] = progress[at - 1] + share * (progress[at] - progress[at - 1])
    return found


def places(values: Doubles) -> Doubles:
    """float64[n], the rank of each value, the smallest first; ties have their mean rank; NaN for
    NaN.
    """
    from scipy.stats import rankdata

    found = np.full(len(values), np.nan)
    some = np.isfinite(values)
    found[some] = rankdata(values[some])
    return found


def rank_correlation(strengths: Doubles, halves: Doubles) -> tuple[float, int]:
    """Spearman's ρ between the predicted order (the strongest first) and the observed one, and the
    number of modes; NaN for fewer than three, or if all are equal.
    """
    some = np.isfinite(halves)
    number = int(some.sum())
    if number < 3:
        return float("nan"), number
    return float(spearman(-strengths[None, some], halves[None, some])[0]), number


def agreement(predicted: Modes, rows: Ints, last: Modes) -> Doubles:
    """float64[p], how much of each predicted mode is one mode of the trained product: the largest
    |u·u′|·|v·v′| over its modes, 0..1; 0 while the product is zero, at the start of a training.
    """
    left = np.abs(predicted.left.T @ last.left[rows])
    right = np.abs(predicted.right.T @ last.right[rows])
    return np.asarray((left * right).max(axis=1, initial=0.0))


@dataclass(frozen=True, eq=False)
class ModeStudy:
    """The modes of one training, predicted and observed.

    predicted : the strongest modes of G, the first to be learnt first; None if ``problem`` says
    why they are missing
    observed_ends, predicted_ends : the modes by their words
    halves : float64[p], when each predicted mode was half learnt (see ``half_points``)
    overlaps : float64[p], see ``agreement``
    correlation : Spearman's ρ of both orders over ``compared`` modes, NaN if there are too few
    """

    course: ModeCourse
    predicted: Modes | None
    problem: str
    observed_ends: tuple[ModeEnds, ...]
    predicted_ends: tuple[ModeEnds, ...]
    halves: Doubles
    overlaps: Doubles
    correlation: float
    compared: int


def study_modes(
    frames: Sequence[TrainingFrame],
    most: int,
    prediction: tuple[Modes, Sequence[str]] | None = None,
    problem: str = "",
    known: MutableMapping[TrainingFrame, tuple[Doubles, Doubles]] | None = None,
    run: JobControl | None = None,
) -> ModeStudy:
    """Compute the predicted and observed modes of a training from its snapshots.

    prediction : modes of G and the words of their entries; None if ``problem`` says why not

    Raises UserError without context vectors, and Cancelled.
    """
    none = np.empty(0)
    if prediction is None:
        course = course_of(frames, most, known=known, run=run)
        ends = mode_ends(course.last, course.words)
        return ModeStudy(course, None, problem, ends, (), none, none, float("nan"), 0)
    predicted, words = prediction
    index = frames[-1].embeddings.index
    rows = np.array([index[word] for word in words], dtype=np.int64)
    course = course_of(frames, most, predicted, rows, known, run)
    halves = half_points(course.progress, course.strengths)
    correlation, compared = rank_correlation(predicted.values, halves)
    overlaps = agreement(predicted, rows, course.last)
    return ModeStudy(
        course,
        predicted,
        "",
        mode_ends(course.last, course.words),
        mode_ends(predicted, words),
        halves,
        overlaps,
        correlation,
        compared,
    )


# -- differences between theory and training


def departures(own: TheoryTarget, parameters: Mapping[str, object], left_out: int) -> list[str]:
    """Sentences that say how a training differs from the theory; ``left_out`` is the number of
    words in no snapshot.
    """
    found = []
    scale = parameters.get("init_scale")
    if parameters.get("start", RANDOM) != RANDOM:
        found.append(
            tr(
                "The theory assumes small initial vectors; this run started with all modes, from "
                "its counts."
            )
        )
    elif isinstance(scale, (int, float)) and scale > _SMALL_START:
        found.append(
            tr(
                "The theory assumes small initial vectors; this run started with {name} {scale:g}.",
                name=quoted_param("init_scale"),
                scale=scale,
            )
        )
    if "optimiser" in parameters or own.score in ("biased", "softmax"):
        found.append(
            tr("The theory assumes plain gradient descent; this algorithm rescales its steps.")
        )
    elif "learning_rate" in parameters:
        found.append(
            tr(
                "The theory assumes exact gradients; this algorithm samples them, and its "
                "learning rate decays."
            )
        )
    if own.target == "xstar":
        found.append(
            tr("The theory assumes that all pairs weigh the same; here frequent pairs weigh more.")
        )
    if own.score == "biased":
        found.append(tr("Biases learn at the same time and take over part of the first modes."))
    if own.note:
        found.append(own.note)
    if left_out:
        found.append(tr("The snapshots leave out the {number:,} rarest words.", number=left_out))
    return found
