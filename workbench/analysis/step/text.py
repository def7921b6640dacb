"""Reading of the text for single steps: subsampling, windows, negative samples.

Every place of the corpus has its own random numbers, from the seed, the epoch and the place, so
that they are the same after going back and forth. They differ from those of the trainers, but have
the same distribution.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.analysis.step.step import StepWindow, Token
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.models.predict.stream_trainer import PIECE, StreamParams

# Number of words of the sentence shown on each side of the window.
_BESIDE = 5
_SUBSAMPLING, _WINDOW, _NOISE = 0, 1, 2


class StepReader:
    """Windows at any place of a corpus, as training reads it: remove words below min_count, then
    subsample, then form windows within sentences and within 1,000 kept words.
    """

    def __init__(
        self, corpus: Corpus, vocabulary: Vocabulary, params: StreamParams, seed: int
    ) -> None:
        self._corpus = corpus
        self._size = len(vocabulary)
        self._seed = seed
        self._keep = keep_probabilities(vocabulary.counts, params.sample, params.sample_formula)
        self.reaching = reach_probabilities(params.window, params.window_weighting)
        self._held: tuple[int, int] = (-1, -1)
        self._draws = np.empty(0, dtype=np.float32)
        self._left = np.empty(0, dtype=np.int64)

    def next_window(self, position: int, passes: int, run: JobControl) -> tuple[StepWindow, int]:
        """The first non-empty window at or after ``position``, and its epoch: after the end of the
        corpus comes its beginning, with other random numbers.

        Raises UserError if two whole epochs contain no window, and Cancelled.
        """
        corpus = self._corpus
        sentences = corpus.sentences
        last = passes + 2
        while passes <= last:
            sentence = int(np.searchsorted(sentences, position, side="right")) - 1
            while sentence < len(sentences) - 1:
                run.check()
                self._read(sentence, passes)
                at = int(np.searchsorted(self._left, position))
                while at < len(self._left):
                    window = self._window(sentence, at, passes)
                    if window.inside:
                        return window, passes
                    at += 1
                sentence += 1
                position = int(sentences[sentence])
            position, passes = 0, passes + 1
        raise UserError(
            tr("No window of this corpus contains two words."),
            tr(
                "Lower {min_count} or raise the subsampling threshold t.",
                min_count=quoted_param("min_count"),
            ),
        )

    def _read(self, sentence: int, passes: int) -> None:
        """Subsample the tokens of a sentence, and list those that remain."""
        if self._held == (sentence, passes):
            return
        first, last = (int(edge) for edge in self._corpus.sentences[sentence : sentence + 2])
        random = np.random.default_rng([self._seed, _SUBSAMPLING, passes, sentence])
        draws = random.random(last - first, dtype=np.float32)
        ids = np.asarray(self._corpus.ids[first:last])
        known = np.flatnonzero(ids < self._size)
        self._left = first + known[draws[known] < self._keep[ids[known]]]
        self._draws = draws
        self._held = (sentence, passes)

    def _window(self, sentence: int, at: int, passes: int) -> StepWindow:
        """The window of the word at place ``at`` among the remaining words of its sentence."""
        begin = at // PIECE * PIECE
        piece = self._left[begin : begin + PIECE]
        place = at - begin
        position = int(piece[place])
        draw = float(np.random.default_rng([self._seed, _WINDOW, passes, position]).random())
        radius = max(1, int(np.count_nonzero(draw < self.reaching)))
        low, high = max(0, place - radius), min(len(piece), place + radius + 1)
        inside = [int(found) for found in piece[low:high] if found != position]
        start, end = (int(edge) for edge in self._corpus.sentences[sentence : sentence + 2])
        first = max(start, min([position, *inside]) - _BESIDE)
        last = min(end, max([position, *inside]) + _BESIDE + 1)
        tokens = tuple(self._token(place, start) for place in range(first, last))
        return StepWindow(
            position,
            sentence,
            tokens,
            position - first,
            tuple(found - first for found in inside),
            len(self.reaching),
            radius,
            draw,
        )

    def _token(self, position: int, start: int) -> Token:
        number = int(self._corpus.ids[position])
        known = number < self._size
        return Token(
            position,
            self._corpus.words[number],
            number if known else -1,
            float(self._keep[number]) if known else 0.0,
            float(self._draws[position - start]),
        )

    def next_place_of(self, row: int, position: int) -> int | None:
        """Next position of a word after ``position``, wrapping at the end; None if it doesn't
        occur.
        """
        places = np.flatnonzero(np.asarray(self._corpus.ids) == row)
        if not len(places):
            return None
        at = int(np.searchsorted(places, position, side="right"))
        return int(places[at % len(places)])


class NoiseDraws:
    """k negative samples per window from P_n, by cumulative sums: the word whose interval in 0..1
    contains a random number.
    """

    def __init__(
        self, counts: npt.NDArray[np.int64], negative: int, ns_exponent: float, seed: int
    ) -> None:
        self.probabilities = noise_distribution(counts, ns_exponent)
        self._ends = np.cumsum(self.probabilities)
        self._negative = negative
        self._seed = seed

    def at(self, position: int, passes: int) -> tuple[list[int], tuple[float, ...]]:
        """Rows of the negative samples of a window, and their random numbers in 0..1."""
        draws = np.random.default_rng([self._seed, _NOISE, passes, position]).random(self._negative)
        rows = np.minimum(np.searchsorted(self._ends, draws, side="right"), len(self._ends) - 1)
        return rows.tolist(), tuple(draws.tolist())


def reach_probabilities(window: int, weighting: str) -> npt.NDArray[np.float64]:
    """float64[L]: for δ = 1..L the probability that a window's radius is at least δ; 1 at δ = 1."""
    distance = np.arange(1, window + 1)
    if weighting == "fixed":
        return np.ones(window)
    if weighting == "harmonic":
        return 1.0 / distance
    return (window - distance + 1) / window
