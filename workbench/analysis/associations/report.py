"""One test on one model: effects in the vectors and in the counts, with controls and words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.associations.controls import (
    NO_CONTROLS,
    ControlEffects,
    control_effects,
    draw_controls,
)
from workbench.analysis.associations.known_words import KnownWords, known_words
from workbench.analysis.associations.projection import Projection, project_targets
from workbench.analysis.associations.ripa import Scale, expected_ripa, fit_scale, ripa
from workbench.analysis.associations.text_counts import (
    TextCounts,
    count_attributes,
    count_contrasts,
    model_contrasts,
)
from workbench.analysis.associations.weat import SEED, Effect, compare_sets, cosine_contrasts
from workbench.analysis.associations.word_sets import AssociationTest
from workbench.core.arrays import Doubles, Places
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.vectors.embeddings import Embeddings

# Number of random words beside the targets, and minimum number for a line through them.
CONTROL_WORDS, FEWEST_FOR_LINE = 300, 10


@dataclass(frozen=True)
class WordContrast:
    """One word: contrast of a against b, positive if the word is closer to a.

    in_set : name of its set; "" for a random word of like frequency
    counts : contrast in the text, PMI(w, a) − PMI(w, b) in nats; NaN without the text
    pairs : number of pairs of positions that it rests on
    cosine : mean cosine with a − mean cosine with b
    products : contrast that the model's products imply, in nats; NaN without context vectors
    projection : cosine with the axis from b to a; NaN for random words
    ripa, expected_ripa : relational inner product association, and its expectation in the text; NaN
    without pairs
    """

    word: str
    in_set: str
    counts: float
    pairs: int
    cosine: float
    products: float
    projection: float
    ripa: float
    expected_ripa: float


@dataclass(frozen=True)
class Line:
    """cosine contrast = intercept + slope · contrast in the counts, fitted to the random words:
    what the model does to any word. NaN for fewer than FEWEST_FOR_LINE words.
    """

    slope: float
    intercept: float
    correlation: float
    words: int


@dataclass(frozen=True, eq=False)
class AssociationReport:
    """Result of a test.

    problem : reason for a missing result, else ""
    text_problem : reason for missing counts of a given text, else ""
    vectors, counts : effects by cosines, and by PMI alone; None without words or text
    controls, count_controls : the same effects for random target words of like frequency
    words, random : contrasts of the targets, and of random words
    scale : of the expectation of RIPA; None without text or pairs
    """

    test: AssociationTest
    known: KnownWords
    problem: str
    text_problem: str = ""
    vectors: Effect | None = None
    counts: Effect | None = None
    projection: Projection | None = None
    controls: ControlEffects = NO_CONTROLS
    count_controls: ControlEffects = NO_CONTROLS
    words: tuple[WordContrast, ...] = ()
    random: tuple[WordContrast, ...] = ()
    line: Line | None = None
    scale: Scale | None = None


class _Contrasts:
    """Contrasts of words of one model in a test."""

    def __init__(
        self,
        embeddings: Embeddings,
        known: KnownWords,
        counts: TextCounts | None,
        run: JobControl | None,
    ) -> None:
        self.embeddings, self.known, self.counts, self.run = embeddings, known, counts, run
        self.scale: Scale | None = None
        if counts is not None:
            self._contrasts, self._pairs = count_contrasts(counts, known.a, known.b)
            if len(known.pairs):
                self.scale = fit_scale(embeddings, counts, known.pairs.ravel(), run)

    def cosines_of(self, drawn: Places) -> Doubles:
        """Cosine contrasts of drawn words, in the same shape."""
        rows, where = np.unique(drawn, return_inverse=True)
        values = cosine_contrasts(self.embeddings, rows, self.known.a, self.known.b)
        return values[where].reshape(drawn.shape)

    def counts_of(self, rows: Places) -> Doubles:
        """Contrasts in the text, in the shape of ``rows``; NaN for words that it lacks."""
        if self.counts is None:
            return np.full(rows.shape, np.nan)
        places = self.counts.places[rows]
        return np.where(places >= 0, self._contrasts[places], np.nan)

    def count_effect(self, drawn: Places, seed: int) -> tuple[Effect | None, ControlEffects]:
        """The effect in the counts of the targets that the text has, and of random words."""
        first, second = self.counts_of(self.known.x), self.counts_of(self.known.y)
        first, second = first[np.isfinite(first)], second[np.isfinite(second)]
        if not len(first) or not len(second):
            return None, NO_CONTROLS
        effect = compare_sets(first, second, self.run, seed)
        return effect, control_effects(self.counts_of(drawn), len(self.known.x), effect.size)

    def of(
        self, rows: Places, sets: Sequence[str], projections: Doubles | None = None
    ) -> tuple[WordContrast, ...]:
        """All numbers of some words."""
        unknown = np.full(len(rows), np.nan)
        numbers = [
            self.counts_of(rows),
            cosine_contrasts(self.embeddings, rows, self.known.a, self.known.b),
            self._products(rows),
            unknown if projections is None else projections,
            ripa(self.embeddings, rows, self.known.pairs),
            unknown if self.scale is None else self._expected(rows),
        ]
        return tuple(
            WordContrast(
                self.embeddings.words[row],
                name,
                counted,
                self._pairs_of(row),
                *others,
            )
            for row, name, (counted, *others) in zip(
                rows.tolist(), sets, np.stack(numbers, axis=1).tolist(), strict=True
            )
        )

    def _pairs_of(self, row: int) -> int:
        if self.counts is None or self.counts.places[row] < 0:
            return 0
        return int(self._pairs[self.counts.places[row]])

    def _products(self, rows: Places) -> Doubles:
        found = None
        if self.counts is not None and len(rows):
            found = model_contrasts(self.embeddings, self.counts, rows, self.known.a, self.known.b)
        return np.full(len(rows), np.nan) if found is None else found

    def _expected(self, rows: Places) -> Doubles:
        assert self.counts is not None
        assert self.scale is not None
        return expected_ripa(self.counts, rows, self.known.pairs, self.scale)


def evaluate_test(
    embeddings: Embeddings,
    test: AssociationTest,
    corpus: Corpus | None = None,
    run: JobControl | None = None,
    seed: int = SEED,
) -> AssociationReport:
    """Evaluate a test on vectors and, if it is given, on the text that they were trained on. The
    same for the same ``seed``. Raises UserError for counts made with other settings, and Cancelled.
    """
    known = known_words(embeddings, test)
    if not known.complete:
        every = zip(test.sets, (known.x, known.y, known.a, known.b), strict=True)
        empty = next(each.name for each, rows in every if not len(rows))
        return AssociationReport(
            test, known, tr("No word of the set “{set}” has a vector.", set=empty)
        )
    counts, text_problem = None, ""
    if corpus is not None:
        counts = count_attributes(corpus, embeddings, np.concatenate([known.a, known.b]), run)
        text_problem = _missing_in_text(counts, test, known)
    contrasts = _Contrasts(embeddings, known, None if text_problem else counts, run)
    return _report(test, contrasts, text_problem, seed)


def _report(
    test: AssociationTest, contrasts: _Contrasts, text_problem: str, seed: int
) -> AssociationReport:
    known, embeddings = contrasts.known, contrasts.embeddings
    first = len(known.x)
    excluded = np.concatenate([known.targets, known.a, known.b])
    drawn = draw_controls(embeddings, known.targets, excluded, seed=seed)
    random = np.array(list(dict.fromkeys(drawn.ravel().tolist()))[:CONTROL_WORDS], dtype=np.intp)
    names = [test.x.name] * first + [test.y.name] * len(known.y)
    cosines = contrasts.cosines_of(known.targets)
    effect = compare_sets(cosines[:first], cosines[first:], contrasts.run, seed)
    count_effect, count_controls = contrasts.count_effect(drawn, seed)
    projection = project_targets(embeddings, known, contrasts.run, seed)
    others = contrasts.of(random, [""] * len(random))
    return AssociationReport(
        test,
        known,
        "",
        text_problem,
        effect,
        count_effect,
        projection,
        control_effects(contrasts.cosines_of(drawn), first, effect.size),
        count_controls,
        contrasts.of(known.targets, names, projection.words),
        others,
        None if contrasts.counts is None else _line(others),
        contrasts.scale,
    )


def _missing_in_text(counts: TextCounts, test: AssociationTest, known: KnownWords) -> str:
    """A sentence about an attribute set that the text lacks, else ""."""
    for each, rows in ((test.a, known.a), (test.b, known.b)):
        if not counts.size(rows):
            return tr("The text contains no word of the set “{set}”.", set=each.name)
    return ""


def _line(random: Sequence[WordContrast]) -> Line:
    points = np.array([(one.counts, one.cosine) for one in random]).reshape(-1, 2)
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) < FEWEST_FOR_LINE or not np.ptp(points[:, 0]) or not np.ptp(points[:, 1]):
        return Line(math.nan, math.nan, math.nan, len(points))
    slope, intercept = np.polyfit(points[:, 0], points[:, 1], 1)
    correlation = float(np.corrcoef(points[:, 0], points[:, 1])[0, 1])
    return Line(float(slope), float(intercept), correlation, len(points))
