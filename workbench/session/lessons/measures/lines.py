"""Measures of lines: words taught by some, numbers without some, and analogies in the counts."""

from __future__ import annotations

import numpy as np

from workbench.analysis.analogy.in_the_counts import analogy_in_counts, second_best
from workbench.analysis.analogy.pairs_away import DRAWS, PairsAway, take_pairs_away
from workbench.analysis.analogy.relation_pairs import section_pairs
from workbench.analysis.analogy.solver import solve
from workbench.analysis.influence.line_influence import Influence, influence
from workbench.analysis.influence.quantities import cosine_of
from workbench.analysis.influence.removal import line_edges, without_lines
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.rows.still_model import hold_still
from workbench.analysis.teach.teaching import Teacher
from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.suggestions import unknown_words
from workbench.models.base import MODELS
from workbench.models.count.svd import SVDParams
from workbench.session.lessons.measure_registry import (
    MeasureScene,
    Name,
    RunLabel,
    Word,
    Words,
    measure,
)
from workbench.session.lessons.measures.analogies import questions_of
from workbench.session.training.train_api import train_run

_NEAREST, _SEEDS = 10, 2**31


@measure(tr("nearest word of {word} in {run}, taught by {line} alone"))
def taught_nearest(scene: MeasureScene, run: RunLabel, word: Word, line: Words) -> str:
    taught = _teacher(scene, run).teach(word, [line], n=1, instead=True, run=scene.run)
    return taught.neighbours[0].word


@measure(
    tr(
        "share of the 10 nearest words of {words} in {run} that come back if each is taught by "
        "its first {lines} lines alone"
    ),
    digits=0,
    percent=True,
)
def relearned(scene: MeasureScene, run: RunLabel, words: Words, lines: int) -> float:
    model, corpus = scene.vectors(run), scene.corpus_of(run)
    teacher = _teacher(scene, run)
    edges = line_edges(corpus)
    index = corpus.vocabulary().index
    shares = []
    for word in words.split():
        if word not in index:
            raise unknown_words([word], corpus.words)
        places = np.flatnonzero(np.asarray(corpus.ids) == index[word])
        chosen = np.unique(np.searchsorted(edges, places, side="right") - 1)[: int(lines)]
        texts = [
            " ".join(corpus.words[at] for at in corpus.ids[edges[one] : edges[one + 1]].tolist())
            for one in chosen.tolist()
        ]
        taught = teacher.teach(word, texts, n=_NEAREST, instead=True, run=scene.run)
        wanted = {one.word for one in nearest(model, word, _NEAREST)}
        shares.append(len(wanted & {one.word for one in taught.neighbours}) / _NEAREST)
    return float(np.mean(shares))


@measure(
    tr("predicted cosine of {a} and {b} in {run} without the {lines} lines that raise it most")
)
def cosine_without(scene: MeasureScene, run: RunLabel, a: Word, b: Word, lines: int) -> float:
    found = _influence(scene, run, a, b)
    return found.without(found.strongest(int(lines), 1))


@measure(
    tr(
        "cosine of {a} and {b} if {run} is trained again without the {lines} lines that raise it "
        "most"
    )
)
def retrained_cosine(scene: MeasureScene, run: RunLabel, a: Word, b: Word, lines: int) -> float:
    found = _influence(scene, run, a, b)
    reduced = without_lines(scene.corpus_of(run), found.edges, found.strongest(int(lines), 1))
    model = scene.vectors(run)
    algorithm = str(model.metadata["algorithm"])
    params = MODELS[algorithm].params_type.from_mapping(dict(model.metadata["parameters"]))
    again = train_run(reduced, algorithm, params, scene.run)
    return found.quantity.value_in(again)


@measure(tr("number of lines with {a} or {b} in the text of {run}"), digits=0)
def lines_of(scene: MeasureScene, run: RunLabel, a: Word, b: Word) -> float:
    return float(len(_influence(scene, run, a, b).lines))


@measure(tr("second-best answer to {a} − {b} + {c} in {run}"))
def second_answer(scene: MeasureScene, run: RunLabel, a: Word, b: Word, c: Word) -> str:
    model = scene.vectors(run)
    return second_best(model, b, a, c, solve(model, a, b, c, n=1)[0].word)


@measure(
    tr(
        "correlation of the PPMI of {d} with that of {a} − {b} + {c} over contexts of any of them, "
        "as {run} counts"
    ),
    digits=2,
)
def context_fit(scene: MeasureScene, run: RunLabel, a: Word, b: Word, c: Word, d: Word) -> float:
    model = scene.vectors(run)
    settings = PairCountSettings.of(model.metadata["parameters"])
    pairs = scene.pairs(scene.corpus_of(run), settings)
    return analogy_in_counts(pairs, b, a, c, d, positive=True).correlation


@measure(
    tr("correct analogies of “{section}” with the SVD {run}, all counts"), digits=0, percent=True
)
def right_with_pairs(scene: MeasureScene, run: RunLabel, section: Name) -> float:
    return float(_pairs_away(scene, run, section).whole[-1])


@measure(
    tr("correct analogies of “{section}” with the SVD {run}, its pairs deleted from the counts"),
    digits=0,
    percent=True,
)
def right_without_pairs(scene: MeasureScene, run: RunLabel, section: Name) -> float:
    return float(_pairs_away(scene, run, section).without[-1])


@measure(
    tr(
        "correct analogies of “{section}” with the SVD {run}, as many other cells deleted, on "
        "average over five draws"
    ),
    digits=0,
    percent=True,
)
def right_without_others(scene: MeasureScene, run: RunLabel, section: Name) -> float:
    return float(_pairs_away(scene, run, section).control[-1])


@measure(tr("observed cells of the pairs of “{section}” in the counts of {run}"), digits=0)
def cells_of_pairs(scene: MeasureScene, run: RunLabel, section: Name) -> float:
    return float(_pairs_away(scene, run, section).deleted)


def _teacher(scene: MeasureScene, run: str) -> Teacher:
    # With the corpus, as in the panel: a word is expected elsewhere without it.
    return Teacher(hold_still(scene.vectors(run), scene.corpus_of(run), scene.run))


def _influence(scene: MeasureScene, run: str, a: str, b: str) -> Influence:
    model, corpus = scene.vectors(run), scene.corpus_of(run)
    still = hold_still(model, corpus, scene.run, counted=False)
    return influence(still, cosine_of(model, a, b), run=scene.run)


def _pairs_away(scene: MeasureScene, run: str, section: str) -> PairsAway:
    model = scene.vectors(run)
    if model.metadata.get("algorithm") != "svd":
        raise UserError(
            tr("Cells can only be deleted from the counts of an SVD."), tr("Train svd.")
        )
    params = SVDParams.from_mapping(dict(model.metadata["parameters"]))
    pairs = section_pairs(questions_of(scene, run), section)
    # Other cells for each seed; those of the panel for 1. Seeds of numpy aren't negative.
    first = (scene.seed - 1) % _SEEDS * DRAWS + 1
    seeds = range(first, first + DRAWS)
    return take_pairs_away(scene.corpus_of(run), pairs, params, seeds=seeds, run=scene.run)
