"""Measures of vectors: cosines, neighbours, directions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.analysis.evaluation import similarity
from workbench.analysis.neighbours.model_changes import compare
from workbench.analysis.neighbours.nearest import nearest as nearest_words
from workbench.analysis.neighbours.query_resolution import find
from workbench.analysis.neighbours.ranking import cosines, unit_rows
from workbench.analysis.projection.word_axes import WordAxis, direction
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.session.lessons.measure_registry import MeasureScene, RunLabel, Word, Words, measure
from workbench.vectors.embeddings import Embeddings


@measure(tr("cosine of {a} and {b} in {run}"))
def cosine(scene: MeasureScene, run: RunLabel, a: Word, b: Word) -> float:
    model = scene.vectors(run)
    return float(find(model, a).unit.astype(np.float64) @ find(model, b).unit)


@measure(tr("norm of the vector of {word} in {run}"))
def length(scene: MeasureScene, run: RunLabel, word: Word) -> float:
    model = scene.vectors(run)
    return float(model.norms[model.row(word)])


@measure(tr("number of dimensions of {run}"), digits=0)
def dimensions(scene: MeasureScene, run: RunLabel) -> float:
    return float(scene.vectors(run).dim)


@measure(tr("number of words in the vocabulary of {run}"), digits=0)
def vocabulary(scene: MeasureScene, run: RunLabel) -> float:
    return float(len(scene.vectors(run)))


@measure(tr("nonzero components of the vector of {word} in {run}"), digits=0, name="filled")
def filled_share(scene: MeasureScene, run: RunLabel, word: Word) -> float:
    model = scene.vectors(run)
    row = model.vectors[[model.row(word)]]
    return float(np.count_nonzero(row) if isinstance(row, np.ndarray) else row.count_nonzero())


@measure(tr("whether {word} is in the vocabulary of {run}"), name="known")
def word_state(scene: MeasureScene, run: RunLabel, word: Word) -> str:
    if word in scene.vectors(run):
        return "yes"
    return "no"


@measure(tr("nearest word of {word} in {run}"))
def nearest(scene: MeasureScene, run: RunLabel, word: Word) -> str:
    return nearest_words(scene.vectors(run), word, 1)[0].word


@measure(tr("the {n} nearest words of {word} in {run}"))
def neighbours(scene: MeasureScene, run: RunLabel, word: Word, n: int = 5) -> str:
    return ", ".join(near.word for near in nearest_words(scene.vectors(run), word, int(n)))


@measure(tr("rank of {other} among the neighbours of {word} in {run}"), digits=0)
def rank(scene: MeasureScene, run: RunLabel, word: Word, other: Word) -> float:
    model = scene.vectors(run)
    query, wanted = find(model, word), model.row(other)
    scores = cosines(model, query.unit.reshape(1, -1))[:, 0]
    before = scores > scores[wanted]
    return float(1 + np.count_nonzero(before) - (query.row >= 0 and bool(before[query.row])))


@measure(tr("mean cosine between {words} in {run}"))
def closeness(scene: MeasureScene, run: RunLabel, words: Words) -> float:
    model = scene.vectors(run)
    unit = unit_rows(model, [model.row(word) for word in split_words(words)]).astype(np.float64)
    return float((unit @ unit.T)[np.triu_indices(len(unit), 1)].mean())


@measure(tr("mean cosine between {words} and {others} in {run}"))
def closeness_between(scene: MeasureScene, run: RunLabel, words: Words, others: Words) -> float:
    model = scene.vectors(run)
    left, right = (
        unit_rows(model, [model.row(word) for word in split_words(part)])
        for part in (words, others)
    )
    return float((left.astype(np.float64) @ right.T).mean())


@measure(tr("mean cosine of random word pairs in {run}"))
def chance_cosine(scene: MeasureScene, run: RunLabel) -> float:
    model = scene.vectors(run)
    mean = np.asarray(model.unit.mean(axis=0), dtype=np.float64).ravel()
    size = len(model)
    # Each word's cosine with itself, which is 1, isn’t a pair.
    return float((size * (mean @ mean) - 1) / (size - 1))


@measure(tr("mean cosine of word pairs rated {grade} in {run}"))
def graded_cosine(scene: MeasureScene, run: RunLabel, grade: float) -> float:
    """Mean cosine of Small World's graded pairs: 4 forms of one row, 3 one column, 2 one table, 1
    one setting, 0 nothing shared.
    """
    report, pairs = _graded_pairs(scene, run)
    chosen = [
        cosine
        for cosine, score in zip(report.cosines, report.scores, strict=True)
        if score == grade
    ]
    if not chosen:
        raise UserError(
            tr("No word pair is rated {grade:g}.", grade=grade),
            tr("Ratings of {name} are 0, 1, 2, 3 and 4.", name=pairs.name),
        )
    return float(np.mean(chosen))


@measure(tr("Spearman’s ρ between cosines and ratings of word pairs in {run}"))
def similarity_score(scene: MeasureScene, run: RunLabel) -> float:
    return _graded_pairs(scene, run)[0].rho


@measure(
    tr("share of the 10 nearest words that {run} and {other} have in common"),
    digits=0,
    percent=True,
)
def agreement(scene: MeasureScene, run: RunLabel, other: RunLabel) -> float:
    return float(compare(scene.vectors(run), scene.vectors(other), run=scene.run).overlap.mean())


@measure(tr("mean cosine of {words} with the direction {low} → {high} in {run}"))
def leaning(scene: MeasureScene, run: RunLabel, words: Words, low: Word, high: Word) -> float:
    """The mean cosine of words with the direction high − low, of unit length."""
    model = scene.vectors(run)
    axis = direction(model, WordAxis(low, high))
    return float(
        np.mean([find(model, word).unit.astype(np.float64) @ axis for word in split_words(words)])
    )


@measure(tr("cosine of the directions {low} → {high} and {other_low} → {other_high} in {run}"))
def directions(
    scene: MeasureScene, run: RunLabel, low: Word, high: Word, other_low: Word, other_high: Word
) -> float:
    model = scene.vectors(run)
    return float(
        direction(model, WordAxis(low, high)) @ direction(model, WordAxis(other_low, other_high))
    )


@measure(
    tr("mean cosine of {words} with the direction {low} → {high} in {run}, this direction removed")
)
def leaning_without(
    scene: MeasureScene, run: RunLabel, words: Words, low: Word, high: Word
) -> float:
    """Like ``leaning``, for vectors without the direction."""
    model = scene.vectors(run)
    axis = direction(model, WordAxis(low, high))
    return float(np.mean(vectors_without(model, split_words(words), axis) @ axis))


@measure(tr("mean cosine between {words} in {run}, the direction {low} → {high} removed"))
def closeness_without(
    scene: MeasureScene, run: RunLabel, words: Words, low: Word, high: Word
) -> float:
    """Like ``closeness``, for vectors without the direction."""
    model = scene.vectors(run)
    unit = vectors_without(model, split_words(words), direction(model, WordAxis(low, high)))
    return float((unit @ unit.T)[np.triu_indices(len(unit), 1)].mean())


@measure(
    tr("mean cosine between {words} and {others} in {run}, the direction {low} → {high} removed")
)
def closeness_between_without(
    scene: MeasureScene, run: RunLabel, words: Words, others: Words, low: Word, high: Word
) -> float:
    """Like ``closeness-between``, for vectors without the direction."""
    model = scene.vectors(run)
    axis = direction(model, WordAxis(low, high))
    return float(
        (
            vectors_without(model, split_words(words), axis)
            @ vectors_without(model, split_words(others), axis).T
        ).mean()
    )


@measure(tr("the {n} nearest words of {word} in {run}, the direction {low} → {high} removed"))
def neighbours_without(
    scene: MeasureScene, run: RunLabel, word: Word, low: Word, high: Word, n: int = 5
) -> str:
    """Like ``neighbours``, for vectors without the direction."""
    model = scene.vectors(run)
    axis = direction(model, WordAxis(low, high))
    scores = vectors_without(model, model.words, axis) @ vectors_without(model, [word], axis)[0]
    scores[model.row(word)] = -np.inf
    return ", ".join(model.words[row] for row in np.argsort(-scores, kind="stable")[: int(n)])


def vectors_without(
    model: Embeddings, words: Sequence[str], axis: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """float64[n, d]: vectors of unit length after removing their component along ``axis``, a unit
    vector (Bolukbasi et al. 2016, “neutralise”). A word without any other component stays 0.
    """
    unit = unit_rows(model, [model.row(word) for word in words]).astype(np.float64)
    left = unit - np.outer(unit @ axis, axis)
    lengths = np.linalg.norm(left, axis=1, keepdims=True)
    found: npt.NDArray[np.float64] = np.divide(
        left, lengths, out=np.zeros_like(left), where=lengths > 1e-6
    )
    return found


def split_words(words: str) -> list[str]:
    """The words of one argument, separated by spaces. Raises UserError."""
    found = words.split()
    if not found:
        raise UserError(tr("The list of words is empty."), tr("Write words separated by spaces."))
    return found


def _graded_pairs(
    scene: MeasureScene, run: str
) -> tuple[similarity.SimilarityReport, similarity.WordPairs]:
    pairs = similarity.load_pairs(similarity.bundled_path("small-world"))
    report = similarity.evaluate(scene.vectors(run), pairs, scene.run)
    if not report.pairs:
        raise UnknownWord(
            pairs.words[0][0], tr("The rated word pairs require the corpus Small World.")
        )
    return report, pairs
