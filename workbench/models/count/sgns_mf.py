"""Explicit factorisation of the matrix that SGNS factorises implicitly (Levy & Goldberg 2014,
section 3.1).

    J = −Σ_wc [ A_wc log σ(w·c) + B_wc log σ(−w·c) ] + λ/2 (‖W‖² + ‖C‖²),
    A = #(w, c),  B = k · #(w) · P_n(c)

over all V² cells, observed or not, with the expected counts of negative sampling: no pairs are
drawn, so only the initial vectors are random. dJ/d(w·c) = (A + B)·σ(w·c) − A, and without a limit
on d the minimum is at x* = log A − log B. λ keeps products of unobserved pairs, where A = 0, from
falling without bound. The loss shown is J without λ over Σ A: the loss per pair, as for SGNS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.job_control import LAST_STEP, OBJECTIVE, FinalLoss, JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.core.param_labels import quoted_param
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import estimate_bytes
from workbench.counts.counts_corpus import counts_of
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import noise_distribution
from workbench.models.base import Estimate, LossFloor, Model, Preset, RowObjective, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS, Checkpointer, ResumeState, with_state
from workbench.models.company import with_zeros
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import compose, counting_seconds, no_cells
from workbench.models.count.pmi_base import count_pairs, warm_counting
from workbench.models.count.row_newton import RowNewton
from workbench.models.count.sgns_objective import BLOCK_CELLS, SgnsObjective, padded
from workbench.models.params import ContextParams, FactorParams, ResultParams, SharedParams
from workbench.models.tally import is_affordable
from workbench.vectors.embeddings import Embeddings

# Multiply-adds per second of one thread in float64, and cells per second outside of products, for
# the estimate.
_SPEED = 7e9
_CELL_SPEED = 4e7
_LARGE = 10_000
_MEMORY = 10  # steps in the history of L-BFGS
# Expected number of iterations of a training. Measured with 100 dimensions: 87 with the 2,500 most
# frequent words of a million tokens, 137 with 5,000, and all 300 on Small World.
_LIKELY = 200
# Maximum dimensions for which Newton’s steps precede L-BFGS, and the number of steps.
_FEW, _STEPS = 16, 40
# Number of steps whose mean gain decides whether training has converged: one small step doesn’t.
_GAINS = 5
# Initial number of words, steps until the basis is first chosen again, and the relative gain of a
# step below which more words are added.
_FIRST_WORDS, _ROUND, _ROUGH = 1000, 20, 1e-3
# Damping added to the curvature, as a share of its mean.
_DAMPING = 0.1
_STEPS_MADE = 1  # scipy's status when a limit on iterations or evaluations is reached


@dataclass(frozen=True)
class SGNSMFParams(ResultParams, ContextParams):
    """Hyperparameters of the exact SGNS factorisation."""

    max_vocab: int = redeclare(
        FactorParams,
        "max_vocab",
        _LARGE,
        "an iteration visits all pairs of words: one or two seconds for 10,000 words, twenty for "
        "37,000",
        doc=(
            "Maximum number of words, the most frequent first. 0 = no limit. Time grows with the "
            "square of the vocabulary."
        ),
        grows="more rare words; more memory; much slower",
        basic=True,
    )
    dim: int = redeclare(FactorParams, "dim", 100, "word2vec.c -size 100")
    window: int = redeclare(FactorParams, "window", 5, "word2vec.c -window 5")
    window_weighting: str = redeclare(
        FactorParams, "window_weighting", "dynamic", "word2vec.c: dynamic, in expectation"
    )
    negative: int = redeclare(
        SharedParams,
        "negative",
        doc="Negative samples for each observed pair.",
        grows="the factorised matrix shifts down by log k",
    )
    ns_exponent: float = redeclare(
        SharedParams,
        "ns_exponent",
        doc=(
            "Exponent α of the noise distribution: the probability of a negative sample is "
            "proportional to count^α."
        ),
    )
    sample: float = redeclare(SharedParams, "sample", 1e-3, "word2vec.c -sample 1e-3", basic=True)
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    optimiser: str = param(
        "L-BFGS",
        "Optimiser. L-BFGS converges in fewer iterations; with up to 16 dimensions, it follows 40 "
        "Newton steps, which avoid poor local minima. Adam uses less memory.",
        label="Optimiser",
        choices=("L-BFGS", "Adam"),
        source="L-BFGS: Liu & Nocedal 1989; Adam: Kingma & Ba 2015",
    )
    learning_rate: float = redeclare(
        SharedParams,
        "learning_rate",
        0.05,
        "a fifth of the typical norm of a vector; Kingma & Ba 2015 use 0.001 for neural networks",
        doc="Initial step size of Adam; decays linearly to a hundredth. L-BFGS ignores it.",
        high=100.0,
        grows="faster learning, until it overshoots",
    )
    iterations: int = param(
        300,
        "Maximum number of iterations. Training stops earlier when the loss hardly changes.",
        label="Iterations",
        low=20,
        high=1_000_000,
        unit="steps",
        grows="closer to the minimum, proportionally longer",
        source="rarely reached at the default tolerance",
        basic=True,
    )
    tolerance: float = param(
        1e-6,
        "Minimum relative decrease of the loss per iteration; training stops below it. 0 = "
        "run to floating-point precision.",
        label="Tolerance",
        low=0.0,
        high=0.1,
        grows="stops earlier, farther from the minimum",
        source="too small to change any ranking of neighbours",
    )
    l2: float = redeclare(
        SharedParams,
        "l2",
        1e-8,
        "small enough not to move x* of observed pairs",
        doc=(
            "L2 penalty on the squared norms of vectors. With 0, the scores of unobserved "
            "pairs decrease without bound."
        ),
        high=1000.0,
        grows="smaller norms",
        basic=False,
    )
    result: str = redeclare(FactorParams, "result", "w", "word2vec.c: w")
    init_scale: float = redeclare(SharedParams, "init_scale")
    threads: int = redeclare(
        SharedParams,
        "threads",
        doc=(
            "Number of threads for multiplication. 0 = one per core, at most 8. The same "
            "number gives the same vectors."
        ),
    )
    seed: int = redeclare(FactorParams, "seed", 1, "as for the other algorithms")


class SGNSMF(Model):
    key = "sgns-mf"
    title = tr("Exact SGNS factorisation")
    short = "SGNS-MF"
    family = "count"
    summary = tr(
        "Minimises the objective of skip-gram with negative sampling exactly, over all "
        "pairs at once."
    )
    citation = (
        "Levy & Goldberg 2014, Neural Word Embedding as Implicit Matrix Factorization (NIPS 27)"
    )
    loss_label = tr("negative-sampling loss per pair (nats)")
    order = 70
    own_contexts = True
    passes = "iterations"
    params_type = SGNSMFParams
    theory_target = TheoryTarget()
    loss_floor = LossFloor("negative sampling")
    row_objective = RowObjective("negative sampling")
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c’s defaults (with -negative 5), in expectation")),
        Preset(
            "plain PMI − log k",
            {"window_weighting": "fixed", "sample": 0.0, "ns_exponent": 1.0, "negative": 1},
            tr("the setting in which Levy & Goldberg 2014 state the identity"),
            tr("plain PMI − log k"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "iterations": 60},
            tr("Chosen for Small World: takes seconds"),
            tr("classroom"),
        ),
    )
    params: SGNSMFParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        cost = CellCost(corpus, vocabulary, params.window, kind=params.contexts)
        size, threads = cost.longer_side, usable_threads(params.threads)
        cells = cost.cells
        copies = (2 * _MEMORY + 21 if params.optimiser == "L-BFGS" else 9) + threads
        memory = max(
            estimate_bytes(corpus, vocabulary, params.window),
            int(12 * cells) + copies * 16 * size * params.dim + threads * 8 * BLOCK_CELLS,
        )
        pairs = float(len(vocabulary)) * cost.columns
        a_step = pairs * (3 * params.dim / _SPEED + 1 / _CELL_SPEED)
        seconds = a_step * min(params.iterations, _LIKELY) / threads
        if params.optimiser == "L-BFGS" and params.dim <= _FEW:
            newton = pairs * (params.dim**2 / _SPEED + 1 / _CELL_SPEED)
            seconds += (newton + a_step) * min(params.iterations, _STEPS) / threads
        seconds += counting_seconds(corpus, vocabulary, params.window, params.sample > 0) / threads
        warning = ""
        if size > _LARGE:
            warning = tr(
                "Every iteration visits all {size:,} × {size:,} pairs: about {each} per "
                "iteration, {all} in total. For a quick look, set {max_vocab} to {large:,} "
                "or less.",
                max_vocab=quoted_param("max_vocab"),
                size=size,
                each=_duration(a_step / threads),
                all=_duration(seconds),
                large=_LARGE,
            )
        return Estimate(len(vocabulary), vocabulary.tokens, memory, seconds, warning)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()
        count = partial(count_pairs, corpus, vocabulary, params, params.threads, run)
        counts = counts_of(corpus, vocabulary, count, run)
        if counts.nnz == 0:
            raise no_cells()
        matrix = counts.csr()
        run.enter(Phase.TRAINING, tr("Minimising over all pairs"))
        alone = np.asarray(matrix.sum(axis=1)).ravel() == 0
        start = self.begin(vocabulary)
        start.check_contexts(counts.own_contexts)
        with BLAS_ALONE:
            descent = _Descent(matrix, vocabulary, params, run, start, counts.own_contexts)
            return with_zeros(descent.descend(), alone, keep_raw=True)

    @classmethod
    def warm(cls) -> None:
        ids = np.array([0, 1, 0, 2, 1], dtype=np.int32)
        corpus = Corpus("", ids, np.array([0, 3, 5]), ("a", "b", "c"), np.array([2, 2, 1]), "")
        params = SGNSMFParams(dim=2, window=2, sample=0.0, min_count=1, threads=1)
        warm_counting()
        counts = effective_counts(corpus, corpus.vocabulary(), params, threads=1)
        _objective(counts, corpus.vocabulary(), params)(
            np.zeros((2, 3, 2)), lambda: None, JobControl()
        )


class _Stopped(Exception):
    """The user stopped the training to keep its current result."""


class _Descent:
    """Minimisation of J.

    Variables are vectors times the root of their word's weight in J, in a basis in which the
    curvature of J is similar in all directions: the curvature of a word's vector is about
    Σ_c weight_c c cᵀ, the same for all words up to a factor. The basis is chosen again after some
    steps. L-BFGS then needs far fewer steps. It starts with the most frequent words, while all
    other vectors are zero, and doubles their number: steps for half of the words cost a quarter,
    and frequent words have most of the pairs. In a continuation, Adam has its moments, and L-BFGS
    starts with all words and an empty history.

    passes : steps made; a step for n of V words counts (n/V)²
    """

    def __init__(
        self,
        counts: sp.csr_matrix,
        vocabulary: Vocabulary,
        params: SGNSMFParams,
        run: JobControl,
        start: ResumeState,
        contexts: Sequence[str] | None = None,
    ) -> None:
        self.vocabulary, self.params, self.run = vocabulary, params, run
        self.contexts = contexts
        self.objective = _objective(counts, vocabulary, params, contexts)
        size, dim = self.objective.size, params.dim
        random = np.random.default_rng(params.seed)
        factors = params.init_scale * ((random.random((2, size, dim)) - 0.5) / np.sqrt(dim))
        for side, (name, rows) in enumerate(zip((WORDS, CONTEXTS), counts.shape, strict=True)):
            factors[side, rows:] = 0
            start.fill(name, factors[side, :rows])
        self.start = start
        seen = np.stack([self.objective.row_sums, self.objective.column_sums])
        unseen = (
            self.objective.pairs
            * params.negative
            * np.stack([seen[0] / seen[0].sum(), self.objective.noise])
        )
        self.weights = np.maximum(seen + unseen, 1.0)
        self.scale = np.sqrt(self.weights.mean() / self.weights)[:, :, None]
        self.basis = np.stack([np.eye(dim)] * 2)
        self.sizes = [size]
        if start.fresh and params.optimiser == "L-BFGS" and dim > _FEW:
            self.sizes = _growing_sizes(size)
        self.shape = (2, self.sizes[0], dim)
        self.variables = np.empty(0)
        self._place(factors[:, : self.sizes[0]])
        self.moments: dict[str, Doubles] = {}
        self.held: tuple[float, float] | None = None
        self.last_loss, self.losses, self.share = np.nan, [np.inf], 0.0
        self.passes = 0.0
        self.keeper = Checkpointer(
            run,
            start,
            params.iterations,
            params.learning_rate,
            self.whole,
            self.result,
            lambda: self.passes,
        )

    def _factors(self, variables: Doubles) -> Doubles:
        """W and C of the words in training, float64[2, n, d]."""
        scaled = variables.reshape(self.shape) * self.scale[:, : self.shape[1]]
        product: Doubles = scaled @ self.basis
        return product

    def _place(self, factors: Doubles) -> None:
        """Make these the vectors in training, in the current basis."""
        self.shape = factors.shape
        scaled = factors @ np.linalg.inv(self.basis)
        self.variables = (scaled / self.scale[:, : self.shape[1]]).ravel()

    def _choose_basis(self, size: int) -> None:
        """Choose the basis by the vectors in training, and continue with ``size`` words."""
        factors = np.zeros((2, size, self.shape[2]))
        factors[:, : self.shape[1]] = self._factors(self.variables)
        for side in range(2):
            self.basis[side] = _whitening(factors[1 - side], self.weights[1 - side, :size])
        self._place(factors)

    def descend(self) -> Embeddings:
        try:
            if self.params.optimiser == "L-BFGS":
                if self.start.fresh and self.params.dim <= _FEW:
                    self._newton()
                self._l_bfgs()
            else:
                self._adam()
        except _Stopped:
            pass
        self._record_loss(1.0, None)
        return self.keeper.result(1.0, self._final_loss())

    def _final_loss(self) -> FinalLoss | None:
        """The final loss. L-BFGS ends at its last evaluation; Adam has made a step since its last
        one. None before the first step.
        """
        steps, size, dim = len(self.losses) - 1, self.shape[1], self.shape[2]
        if steps == 0:
            return None
        if self.params.optimiser == "L-BFGS":
            return FinalLoss(self.losses[-1], OBJECTIVE, 0.0)
        if not is_affordable(1 / steps, dim * float(size) ** 2):
            return FinalLoss(self.losses[-1], LAST_STEP, 0.0)
        factors = self._factors(self.variables)
        loss = self.objective(factors, self.run.check, self.run)[1]
        return FinalLoss(loss / self.objective.pairs, OBJECTIVE, 0.0)

    def _newton(self) -> None:
        """Make Newton’s steps for words and contexts in turn, while they lower the loss."""
        newton = RowNewton(self.objective)
        for step in range(min(_STEPS, self.params.iterations)):
            before = self.losses[-1]
            factors = self._factors(self.variables)
            moved = newton.step(factors, step % 2, self._check_requests, self.run)
            # The basis is still the unit matrix.
            variables = (moved / self.scale).ravel()
            self._value(variables)
            if not self.last_loss < before:
                return
            self._finish_step(variables)
            if step and before - self.last_loss < self.params.tolerance * self.last_loss:
                return

    def _l_bfgs(self) -> None:
        rough = max(self.params.tolerance, _ROUGH)
        for size in self.sizes:
            left = int(self.params.iterations - self.passes)
            if left:
                self._descend_round(min(_ROUND, left), rough)
            self._choose_basis(size)
        steps = _ROUND
        while self.params.iterations - self.passes >= 1:
            left = int(self.params.iterations - self.passes)
            if self._descend_round(min(steps, left), self.params.tolerance):
                return
            self._choose_basis(self.shape[1])
            steps *= 2

    def _descend_round(self, steps: int, tolerance: float) -> bool:
        """Make up to ``steps`` steps in the current basis; return whether they converged
        earlier.
        """
        from scipy import optimize

        minimise: Any = optimize.minimize

        # The callback's argument must have this name for scipy to pass the whole state.
        def after(intermediate_result: Any) -> None:
            self._finish_step(intermediate_result.x.copy())

        options = {
            "maxcor": _MEMORY,
            "ftol": tolerance,
            "gtol": 0.0,
            "maxiter": steps,
            "maxfun": 20 * steps,
            "maxls": 40,
        }
        ended = minimise(
            self._value,
            self.variables,
            jac=True,
            method="L-BFGS-B",
            callback=after,
            options=options,
        )
        return bool(ended.status != _STEPS_MADE)

    def _adam(self) -> None:
        """Kingma & Ba 2015, algorithm 1; here variables are the vectors themselves."""
        steps, patience = self.params.iterations, 50
        self.variables *= self.scale.repeat(self.shape[2], axis=2).ravel()
        self.scale = np.ones_like(self.scale)
        mean, square = np.zeros_like(self.variables), np.zeros_like(self.variables)
        self.moments = {
            "mean_steps": mean.reshape(self.shape),
            "square_steps": square.reshape(self.shape),
        }
        for name, table in self.moments.items():
            self.start.fill(name, table)
        before = self.start.begun
        for step in range(1, steps + 1):
            _, gradient = self._value(self.variables)
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            rate = self.params.learning_rate * (1 - 0.99 * (step - 1) / steps)
            many = before + step
            down = mean / (1 - 0.9**many) / (np.sqrt(square / (1 - 0.999**many)) + 1e-12)
            self._finish_step(self.variables - rate * down)
            # The loss does not fall at every step, so compare the best of many with the best
            # before.
            if step > patience:
                least, since = min(self.losses[:-patience]), min(self.losses[-patience:])
                if least - since < patience * self.params.tolerance * abs(since):
                    return

    def _value(self, variables: Doubles) -> tuple[float, Doubles]:
        factors = self._factors(variables)
        value, loss, gradient = self.objective(factors, self._check_requests, self.run)
        if not np.isfinite(value):
            raise self.keeper.divergence_error(self.share)
        self.last_loss = loss / self.objective.pairs
        slope = (gradient @ self.basis.transpose(0, 2, 1)) * self.scale[:, : self.shape[1]]
        return value / self.objective.pairs, slope.ravel() / self.objective.pairs

    def _finish_step(self, variables: Doubles) -> None:
        """Record a step. The last known loss is that of L-BFGS's new position, or of Adam's
        previous one.
        """
        self.variables = variables
        whole = self.objective.size
        self.passes += (self.shape[1] / whole) ** 2
        before, now = self.losses[-1], self.last_loss
        self.losses.append(now)
        gain = (before - now) / abs(now) if now else 0.0
        tolerance = self.params.tolerance
        near = 0.0
        mean = 0.0
        if now and len(self.losses) > _GAINS + 1:
            mean = (self.losses[-_GAINS - 1] - now) / (_GAINS * abs(now))
        if 0 < mean < 1 and tolerance and self.shape[1] == whole:
            near = np.log(mean) / np.log(tolerance)
        reached = self.held[0] if self.held else 0.0
        share = self.share = max(
            reached + 1e-9, self.passes / self.params.iterations, min(float(near), 0.99)
        )
        self._record_loss(share, now)
        seconds = self.run.phase_seconds()
        rate = self.passes * float(whole) ** 2 / seconds if seconds > 0 else None
        detail = tr("iteration {step}", step=len(self.losses) - 1)
        if self.shape[1] < whole:
            detail = tr(
                "iteration {step}, {size:,} most frequent words",
                step=len(self.losses) - 1,
                size=self.shape[1],
            )
        self.run.advance(
            min(share, 1.0),
            detail,
            rate=rate,
            unit=tr("cells"),
            gain=gain if gain < 1 else 1.0,
        )
        self._check_requests()

    def _record_loss(self, share: float, loss: float | None) -> None:
        """Record points with a delay of one, so that the last one is at 1 whenever training
        ends.
        """
        if self.held:
            self.keeper.record(1.0 if loss is None else self.held[0], self.held[1])
        self.held = None if loss is None else (share, loss)

    def _check_requests(self) -> None:
        self.run.check()
        self.keeper.answer_requests(self.share)
        if self.run.stopping:
            raise _Stopped

    def result(self) -> Embeddings:
        tables = np.zeros((2, self.objective.size, self.shape[2]), dtype=np.float32)
        tables[:, : self.shape[1]] = self._factors(self.variables)
        words, contexts = len(self.vocabulary), len(self.contexts or self.vocabulary)
        return compose(
            self.vocabulary,
            tables[0, :words],
            tables[1, :contexts],
            self.params.result,
            own_contexts=self.contexts,
        )

    def whole(self) -> Embeddings:
        return with_state(self.result(), self.moments)


def _growing_sizes(size: int) -> list[int]:
    """Numbers of words to train, each about twice the previous one; the last is ``size``."""
    sizes = [size]
    while sizes[0] > _FIRST_WORDS:
        sizes.insert(0, -(-sizes[0] // 2))
    return sizes


def _whitening(vectors: Doubles, weights: Doubles) -> Doubles:
    """(Σ weight v vᵀ)^(−½), damped and up to a factor, float64[d, d].

    vectors : float64[n, d]; weights : float64[n]
    """
    curvature = (vectors * weights[:, None]).T @ vectors
    dim = len(curvature)
    level = float(np.trace(curvature)) / dim
    if level < np.finfo(float).tiny:
        return np.eye(dim)
    values, directions = np.linalg.eigh(curvature / level)
    whitening: Doubles = (directions / np.sqrt(values + _DAMPING)) @ directions.T
    return whitening


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 5400:
        return tr("{minutes:.0f} minutes", minutes=seconds / 60)
    return tr("{hours:.1f} hours", hours=seconds / 3600)


def _objective(
    counts: sp.csr_matrix,
    vocabulary: Vocabulary,
    params: SGNSMFParams,
    contexts: Sequence[str] | None = None,
) -> SgnsObjective:
    frequencies: npt.NDArray[Any] = vocabulary.counts
    if contexts is not None:
        frequencies = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    noise = noise_distribution(frequencies, params.ns_exponent)
    extent = counts.shape
    counts, noise = padded(counts, noise)
    return SgnsObjective(
        counts, noise, params.negative, params.l2, usable_threads(params.threads), extent
    )
