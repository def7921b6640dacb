"""Measures of associations: two sets of words against two others, in vectors and in the text."""

from __future__ import annotations

from workbench.analysis.associations.report import AssociationReport, evaluate_test
from workbench.analysis.associations.weat import Effect
from workbench.analysis.associations.word_sets import typed_test
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.session.lessons.measure_registry import MeasureScene, RunLabel, Words, measure
from workbench.session.lessons.measures.vectors import split_words


@measure(tr("effect size of {x} and {y} toward {a} and {b} in {run}"))
def association(
    scene: MeasureScene, run: RunLabel, x: Words, y: Words, a: Words, b: Words
) -> float:
    """WEAT’s effect size (Caliskan et al. 2017), positive if x is closer to a than y is."""
    return _effect(_report(scene, run, (x, y, a, b), None), text=False).size


@measure(tr("p-value of {x} and {y} toward {a} and {b} in {run}"), digits=4)
def association_p(
    scene: MeasureScene, run: RunLabel, x: Words, y: Words, a: Words, b: Words
) -> float:
    """The p-value of the one-sided permutation test of ``association``."""
    return _effect(_report(scene, run, (x, y, a, b), None), text=False).p


@measure(tr("effect size of {x} and {y} toward {a} and {b} in the text of {run}, from PMI alone"))
def text_association(
    scene: MeasureScene, run: RunLabel, x: Words, y: Words, a: Words, b: Words
) -> float:
    """The effect size from counts within the run's window."""
    report = _report(scene, run, (x, y, a, b), scene.corpus_of(run))
    return _effect(report, text=True).size


def _report(
    scene: MeasureScene, run: RunLabel, sets: tuple[str, str, str, str], corpus: Corpus | None
) -> AssociationReport:
    x, y, a, b = map(split_words, sets)
    (test,) = typed_test([x, y], [a, b]).tests
    return evaluate_test(scene.vectors(run), test, corpus, scene.run)


def _effect(report: AssociationReport, *, text: bool) -> Effect:
    """The effect of a report. Raises UserError if it has none."""
    found = report.counts if text else report.vectors
    if found is None:
        problem = report.problem or report.text_problem
        raise UserError(
            problem or tr("The text contains no word of a target set."), tr("Choose other words.")
        )
    return found
