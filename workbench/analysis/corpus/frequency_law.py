"""Law of word frequencies by rank, and the vocabulary that it expects in N tokens.

The word of rank r has the probability

    p(r) ∝ (r + q)^−s  up to rank b,    ∝ (r + q)^−γ  above it,    r = 1..T

continuous at b. Its head is Zipf's law in the form of Mandelbrot 1953. The steeper decline of words
outside a core of some thousands, and its consequences for vocabulary growth, are from Gerlach &
Altmann 2013 (Stochastic model for the vocabulary growth in natural languages, equations 2 and 6:
b = 7,873 and γ = 1.77 for English). Words are drawn independently, so that a word occurs m times or
more in N tokens with the probability that a Poisson variable of mean N·p(r) is at least m; far
above the core V(N) ∝ N^β with β = 1/γ, which is Heaps' law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError

# A law is fitted to the numbers of words that occur at least this often.
THRESHOLDS = (1, 2, 5, 10, 20, 50, 100, 1_000, 10_000)
# No language has more types; sums end there.
ENDLESS = 1e18
# Number of ranks that are summed singly; the rest are in groups, each longer by this factor.
_SINGLE, _RATIO = 200, 1.05
# Numbers of words below this are too small for a fit.
_FEW = 20
# A finite number of types must reduce the sum of squares to this share.
_MUCH = 0.5


@dataclass(frozen=True)
class Spectrum:
    """Number of words that occur at least ``least[i]`` times in a text of ``tokens`` tokens."""

    tokens: int
    least: tuple[int, ...]
    words: tuple[int, ...]

    @classmethod
    def of(cls, counts: npt.NDArray[np.int64], least: Sequence[int] = THRESHOLDS) -> Spectrum:
        """Spectrum of counts int64[types], in any order; 0 for words that don't occur."""
        return cls(int(counts.sum()), tuple(least), tuple(int((counts >= m).sum()) for m in least))


@dataclass(frozen=True)
class FrequencyGroup:
    """Groups of words of similar frequency: number of words, and probability of each. float64[G]"""

    words: Doubles
    probability: Doubles


@dataclass(frozen=True)
class FrequencyLaw:
    """Parameters of the law. head : s; shift : q; core : b; tail : γ; types : T, at most
    ENDLESS.
    """

    head: float
    shift: float
    core: float
    tail: float
    types: float = ENDLESS

    @cached_property
    def groups(self) -> FrequencyGroup:
        """All ranks, in groups of growing length, most frequent first."""
        last = min(self.types, ENDLESS)
        geometric = _SINGLE * _RATIO ** np.arange(1, np.log(ENDLESS / _SINGLE) / np.log(_RATIO) + 1)
        edges = np.concatenate([np.arange(_SINGLE + 1.0), np.round(geometric)])
        edges = np.unique(
            np.concatenate([edges[edges < last], [min(np.round(self.core), last), last]])
        )
        first, end = edges[:-1], edges[1:]
        # Sum of a group: the integral from half a rank before its first to half a rank after its
        # last.
        sums = np.where(
            end <= self.core,
            _integral(first + 0.5 + self.shift, end + 0.5 + self.shift, self.head),
            (self.core + self.shift) ** (self.tail - self.head)
            * _integral(first + 0.5 + self.shift, end + 0.5 + self.shift, self.tail),
        )
        # For a group of one rank, the value itself.
        alone = end - first == 1
        exponent = np.where(end <= self.core, self.head, self.tail)
        joint = np.where(end <= self.core, 1.0, (self.core + self.shift) ** (self.tail - self.head))
        sums = np.where(alone, joint * (end + self.shift) ** -exponent, sums)
        words = end - first
        return FrequencyGroup(words, sums / words / sums.sum())

    def expected_words(self, tokens: float, least: int = 1) -> float:
        """Expected number of words that occur ``least`` times or more."""
        from scipy.special import gammainc

        return float(self.groups.words @ gammainc(least, tokens * self.groups.probability))

    def heaps_exponent(self, tokens: float) -> float:
        """β at this length: d ln V / d ln N, by a difference of a hundredth."""
        low, high = self.expected_words(tokens / 1.01), self.expected_words(tokens * 1.01)
        return float(np.log(high / low) / (2 * np.log(1.01)))

    def vocabulary(self, tokens: float, least: int) -> tuple[Doubles, Doubles]:
        """Expected words that occur ``least`` times or more: their number in each group, and the
        mean count of each.
        """
        from scipy.special import gammainc

        mean = tokens * self.groups.probability
        chance = np.asarray(gammainc(least, mean))
        held = self.groups.words * chance
        # E[n | n ≥ m] = x·P(n ≥ m − 1)/P(n ≥ m) for a Poisson variable of mean x.
        before = gammainc(least - 1, mean) if least > 1 else np.ones_like(mean)
        counts = np.divide(
            mean * before, chance, out=np.full_like(mean, float(least)), where=chance > 1e-280
        )
        some = held > 1e-9
        return held[some], np.maximum(counts, float(least))[some]


def fit_law(spectra: Sequence[Spectrum]) -> FrequencyLaw:
    """Fit the law to the numbers of words that occur at least m times, for all m and lengths.

    Least squares of logarithms, from several starting points; longer texts, which are closer to the
    lengths of interest, have larger weights (the root of their lengths). Raises UserError if fewer
    than eight numbers of words are 20 or more: too few for a fit.
    """
    from scipy.optimize import least_squares

    measured = [
        (spectrum.tokens, m, words)
        for spectrum in spectra
        for m, words in zip(spectrum.least, spectrum.words, strict=True)
        if words >= _FEW
    ]
    if len(measured) < 8:
        raise UserError(
            "The corpus has too few words to fit a frequency law.", "Choose a longer corpus."
        )
    observed = np.log([words for _, _, words in measured])
    weights = np.array([tokens for tokens, _, _ in measured], dtype=np.float64) ** 0.25
    weights /= weights.max()
    most = max(words for _, _, words in measured)

    def misses(values: Doubles) -> Doubles:
        law = _law(values)
        seen = [max(law.expected_words(tokens, m), 1e-9) for tokens, m, _ in measured]
        return np.asarray(weights * (np.log(seen) - observed))

    low = np.array([0.5, np.log(0.01), np.log(50.0), 1.02, np.log(most)])
    high = np.array([1.5, np.log(200.0), np.log(1e7), 4.0, np.log(ENDLESS)])
    starts = (
        [1.0, np.log(2.7), np.log(8e3), 1.8, np.log(ENDLESS)],
        [1.0, np.log(2.7), np.log(1e5), 1.2, np.log(1.5 * most)],
    )

    def fit_law(start: list[float], free: int) -> tuple[float, Doubles]:
        rest = np.array(start[free:])

        def of_free(values: Doubles) -> Doubles:
            return misses(np.concatenate([values, rest]))

        found = least_squares(
            of_free,
            np.clip(start, low + 1e-6, high - 1e-6)[:free],
            bounds=(low[:free], high[:free]),
            x_scale=[0.1, 1.0, 1.0, 0.2, 2.0][:free],
        )
        return float(found.cost), np.concatenate([found.x, rest])

    # A finite number of types is accepted only if it improves the fit greatly: short texts don’t
    # show whether it is finite.
    endless = fit_law(starts[0], 4)
    ended = min((fit_law(start, 5) for start in starts), key=lambda fit: fit[0])
    return _law(ended[1] if ended[0] < _MUCH * endless[0] else endless[1])


def _law(values: Doubles) -> FrequencyLaw:
    head, shift, core, tail, types = (float(value) for value in values)
    return FrequencyLaw(head, float(np.exp(shift)), float(np.exp(core)), tail, float(np.exp(types)))


def _integral(low: Doubles, high: Doubles, exponent: float) -> Doubles:
    """∫ x^−exponent dx from ``low`` to ``high``, accurate also for exponents near 1."""
    power = 1.0 - exponent
    ratio = np.log(high / low)
    grown = ratio if abs(power) < 1e-12 else np.expm1(power * ratio) / power
    return np.asarray(low**power * grown)
