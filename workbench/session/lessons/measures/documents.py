"""Measures of texts in documents: words in groups, collocates and their spread, error bars."""

from __future__ import annotations

import numpy as np

from workbench.analysis.collocations.collocates import (
    LOG_LIKELIHOOD,
    Collocate,
    CollocationParams,
    Network,
    collocation_network,
)
from workbench.analysis.collocations.dispersion import Dispersion, Parts
from workbench.analysis.groups.grouped_words import GroupedWords, Question, group_words
from workbench.analysis.groups.params import GroupedParams
from workbench.analysis.resampling.intervals import spread_interval
from workbench.analysis.resampling.statistics import cosine_of
from workbench.analysis.resampling.texts_drawn import ResampleParams, draws_of, resample
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.documents import DocumentParams, documents_of
from workbench.corpus.groups import GroupParams
from workbench.session.lessons.measure_registry import MeasureScene, Name, RunLabel, Word, measure

_RANKED_BY = Name(LOG_LIKELIHOOD)


@measure(tr("cosine of {word} in {group} with {to} in the whole text"))
def group_cosine(
    scene: MeasureScene, word: Word, to: Word, by: Name, group: Name, years: int = 0
) -> float:
    found = _grouped(scene, word, to, by, years)
    return float(found.series[0].cosines[_number(found, group)])


@measure(tr("mean cosine of {word} with {to} in {group}, groups shuffled over documents"))
def shuffled_group_cosine(
    scene: MeasureScene, word: Word, to: Word, by: Name, group: Name, years: int = 0
) -> float:
    found = _grouped(scene, word, to, by, years)
    return float(found.series[0].control[_number(found, group)])


@measure(tr("p of the differences between groups in the cosine of {word} with {to}"), digits=3)
def group_p(scene: MeasureScene, word: Word, to: Word, by: Name, years: int = 0) -> float:
    return _grouped(scene, word, to, by, years).series[0].p


@measure(tr("first group after the largest change between {word} and {to}"))
def group_change(scene: MeasureScene, word: Word, to: Word, by: Name, years: int = 0) -> str:
    found = _grouped(scene, word, to, by, years)
    turn = found.series[0].turn
    # No group is after a change where nothing changes.
    return found.groups.values[turn] if turn else "–"


@measure(tr("contexts that {word} gains in {group}"))
def gained_contexts(
    scene: MeasureScene, word: Word, by: Name, group: Name, years: int = 0, n: int = 4
) -> str:
    found = _grouped(scene, word, word, by, years)
    gained = found.words[0].gained[_number(found, group)]
    return ", ".join(one.context for one in gained[: int(n)])


@measure(tr("best collocates of {word} by {ranked_by}"))
def collocates(scene: MeasureScene, word: Word, ranked_by: Name = _RANKED_BY, n: int = 5) -> str:
    params = CollocationParams(measure=ranked_by, first=int(n))
    found = collocation_network(scene.corpus, word, params, run=scene.run)
    return ", ".join(one.other for one in found.first)


@measure(tr("log-likelihood ratio of {a} and {b}"), digits=0)
def log_likelihood(scene: MeasureScene, a: Word, b: Word) -> float:
    return _pair(scene, a, b, DocumentParams())[0].log_likelihood


@measure(tr("number of {documents} with {a} near {b}"), digits=0)
def documents_with(scene: MeasureScene, a: Word, b: Word, documents: Name) -> float:
    return float(_pair(scene, a, b, DocumentParams(documents=documents))[1].parts)


@measure(tr("dispersion DP of {a} near {b} over {documents}"))
def dispersion(scene: MeasureScene, a: Word, b: Word, documents: Name) -> float:
    return _pair(scene, a, b, DocumentParams(documents=documents))[1].dp


@measure(
    tr("half the width of the 95% interval of the cosine of {a} and {b} in {run}, over {documents}")
)
def cosine_margin(scene: MeasureScene, run: RunLabel, a: Word, b: Word, documents: Name) -> float:
    draws = draws_of(scene.vectors(run), scene.corpus_of(run), ResampleParams(documents=documents))
    found = resample(draws, cosine_of([(a, b)]), ResampleParams().resample, scene.run)
    interval = spread_interval(float(found.estimate[0]), found.values[:, 0])
    return (interval.high - interval.low) / 2


def _grouped(scene: MeasureScene, word: str, to: str, by: str, years: int) -> GroupedWords:
    question = Question((word,), (to,))
    params = GroupedParams(min_count=1, threads=1)
    groups = GroupParams(by, int(years))
    corpus = scene.corpus

    def group() -> GroupedWords:
        return group_words(corpus, question, groups, DocumentParams(), params, scene.run)

    return scene.once(corpus, ("groups", word, to, by, years), group)


def _number(found: GroupedWords, group: str) -> int:
    """The number of a group. Raises UserError if the text doesn’t have it."""
    if group not in found.groups.values:
        raise UserError(
            tr("Unknown group “{group}”.", group=group),
            tr("Choose one of: {names}.", names=", ".join(found.groups.values)),
        )
    return found.groups.values.index(group)


def _pair(
    scene: MeasureScene, word: str, other: str, documents: DocumentParams
) -> tuple[Collocate, Dispersion]:
    """A collocate of a word, and its spread over documents. Raises UserError if it isn’t one."""
    corpus = scene.corpus
    found = documents_of(corpus, documents)
    parts = Parts(found.unit, np.asarray(corpus.sentences)[found.begins[1:]])
    params = CollocationParams(least=1, first=1000)

    def count() -> Network:
        return collocation_network(corpus, word, params, parts, scene.run)

    network = scene.once(corpus, ("collocations", word, documents.documents), count)
    for one, spread in zip(network.first, network.dispersions, strict=True):
        if one.other == other:
            return one, spread
    raise UserError(
        tr("“{other}” isn’t a collocate of “{word}”.", other=other, word=word),
        tr("Choose other words."),
    )
