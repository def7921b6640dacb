"""Numbers that are computed from cosines, and their derivatives by each cosine.

cosine            cos(a, b)
analogy margin    score of the answer − score of the runner-up of a − b + c, with the score of x
                  = cos(x, a) − cos(x, b) + cos(x, c)   (LG14b, 3CosAdd with unit vectors)
association       effect size (mean over X of s − mean over Y of s) / deviation of s over X ∪ Y,
                  s(w) = mean cos(w, a ∈ A) − mean cos(w, b ∈ B)   (Caliskan et al. 2017)
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from workbench.analysis.analogy.solver import solve
from workbench.analysis.associations.weat import effect_size
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class Quantity(ABC):
    """title : formula in words; words : the m words on whose vectors it depends."""

    title: str
    words: tuple[str, ...]

    @abstractmethod
    def value(self, cosines: Doubles) -> float:
        """From float64[m, m]."""

    @abstractmethod
    def slopes(self, cosines: Doubles) -> Doubles:
        """float64[m, m], its derivative by each cosine; symmetric pairs count separately."""

    def value_of(self, vectors: Doubles) -> float:
        """From the words' vectors, float64[m, d]."""
        unit = _unit(vectors)
        return self.value(unit @ unit.T)

    def value_in(self, model: Embeddings) -> float:
        """Value of a model. Raises UnknownWord."""
        rows = [model.row(word) for word in self.words]
        return self.value_of(dense_rows(model.vectors, rows).astype(np.float64))

    def gradient(self, vectors: Doubles) -> Doubles:
        """float64[m, d], derivative by each vector."""
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
        unit = vectors / lengths
        cosines = unit @ unit.T
        slopes = self.slopes(cosines)
        both = slopes + slopes.T
        along = (both * cosines).sum(axis=1, keepdims=True)
        return np.asarray((both @ unit - along * unit) / lengths)


@dataclass(frozen=True)
class LinearQuantity(Quantity):
    """A weighted sum of cosines. terms : (weight, word, word), by their places in ``words``."""

    terms: tuple[tuple[float, int, int], ...] = ()

    @cached_property
    def _weights(self) -> Doubles:
        weights = np.zeros((len(self.words), len(self.words)))
        for weight, first, second in self.terms:
            weights[first, second] += weight
        return weights

    def value(self, cosines: Doubles) -> float:
        return float((self._weights * cosines).sum())

    def slopes(self, cosines: Doubles) -> Doubles:
        return self._weights


@dataclass(frozen=True)
class EffectSize(Quantity):
    """``sizes``: the number of words of X, Y, A and B, which follow each other in ``words``."""

    sizes: tuple[int, int, int, int] = (0, 0, 0, 0)

    def _parts(self) -> tuple[Ints, Ints, Ints, Ints]:
        edges = np.cumsum([0, *self.sizes])
        x, y, a, b = (np.arange(edges[i], edges[i + 1]) for i in range(4))
        return x, y, a, b

    def _associations(self, cosines: Doubles) -> Doubles:
        x, y, a, b = self._parts()
        targets = np.concatenate([x, y])
        found = cosines[np.ix_(targets, a)].mean(axis=1) - cosines[np.ix_(targets, b)].mean(axis=1)
        return np.asarray(found)

    def value(self, cosines: Doubles) -> float:
        s, number = self._associations(cosines), self.sizes[0]
        return effect_size(s[:number], s[number:])

    def slopes(self, cosines: Doubles) -> Doubles:
        x, y, a, b = self._parts()
        s, number = self._associations(cosines), self.sizes[0]
        deviation = max(float(s.std()), 1e-30)
        by_mean = np.where(np.arange(len(s)) < number, 1 / len(x), -1 / len(y)) / deviation
        by_deviation = (s - s.mean()) / (len(s) * deviation)
        by_s = by_mean - self.value(cosines) * by_deviation / deviation
        found = np.zeros_like(cosines)
        targets = np.concatenate([x, y])
        found[np.ix_(targets, a)] = by_s[:, None] / len(a)
        found[np.ix_(targets, b)] = -by_s[:, None] / len(b)
        return found


def cosine_of(model: Embeddings, first: str, second: str) -> Quantity:
    """The cosine of two words. Raises UnknownWord, and UserError for one word twice."""
    words = _spelt(model, (first, second))
    if words[0] == words[1]:
        raise UserError(
            tr("The cosine of “{word}” with itself is always 1.", word=words[0]),
            tr("Choose two different words."),
        )
    return LinearQuantity(tr("cosine of {a} and {b}", a=words[0], b=words[1]), words, ((1, 0, 1),))


def analogy_margin(
    model: Embeddings, a: str, b: str, c: str, answer: str = "", rival: str = ""
) -> Quantity:
    """How far the answer to a − b + c is ahead of another word; without them, the best answer of
    the model and its runner-up. Raises UnknownWord, and UserError.
    """
    asked = _spelt(model, (a, b, c))
    best = [one.word for one in solve(model, asked[0], asked[1], asked[2], n=3)]
    answers = _spelt(model, (answer,)) if answer else best
    rivals = (
        _spelt(model, (rival,)) if rival else [word for word in best if word not in answers[:1]]
    )
    if not answers or not rivals:
        raise UserError(
            tr("The model has too few words for an answer and a second-best one."),
            tr(
                "Train on a longer text, or lower {min_count}.", min_count=quoted_param("min_count")
            ),
        )
    first, second = answers[0], rivals[0]
    words = (first, second, *asked)
    terms = [(sign, 0, 2 + i) for i, sign in enumerate((1.0, -1.0, 1.0))]
    terms += [(-sign, 1, 2 + i) for i, sign in enumerate((1.0, -1.0, 1.0))]
    title = tr(
        "{a} − {b} + {c}: margin of {first} over {second}",
        a=asked[0],
        b=asked[1],
        c=asked[2],
        first=first,
        second=second,
    )
    return LinearQuantity(title, words, tuple(terms))


def association_effect(
    model: Embeddings,
    targets: tuple[Sequence[str], Sequence[str]],
    attributes: tuple[Sequence[str], Sequence[str]],
) -> Quantity:
    """Effect size of the association of X rather than Y with A rather than B. Raises UnknownWord,
    and UserError for an empty set.
    """
    sets = [_spelt(model, words) for words in (*targets, *attributes)]
    if not all(sets) or len(sets[0]) + len(sets[1]) < 3:
        raise UserError(
            tr("An association needs words in all four sets, and three targets or more."),
            tr("Name the sets X, Y, A and B, with commas between words."),
        )
    sizes = (len(sets[0]), len(sets[1]), len(sets[2]), len(sets[3]))
    words = tuple(word for each in sets for word in each)
    return EffectSize(tr("effect size of an association"), words, sizes)


def _spelt(model: Embeddings, words: Sequence[str]) -> tuple[str, ...]:
    return tuple(model.words[model.row(word)] for word in words)


def _unit(vectors: Doubles) -> Doubles:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
    return np.asarray(vectors / lengths)


def typed_quantity(model: Embeddings, text: str) -> Quantity:
    """The number that a text names: the cosine of two words, the margin of the analogy of three,
    such as “king − man + woman”, or the effect size of an association, such as
    “king, prince; queen, princess; he, him; she, her”. Raises UnknownWord, and UserError.
    """
    if ";" in text:
        sets = [[word for word in re.split(r"[\s,]+", part) if word] for part in text.split(";")]
        if len(sets) == 4:
            x, y, a, b = sets
            return association_effect(model, (x, y), (a, b))
    words = [word for word in re.split(r"[\s,;]+", text) if word not in ("", "-", "−", "+", "/")]
    if len(words) == 2:
        return cosine_of(model, *words)
    if len(words) == 3:
        return analogy_margin(model, *words)
    raise UserError(
        tr("A number is named by two words, by three, or by four sets of words."),
        tr("Type words such as: king queen, or: king man woman, or four sets with semicolons."),
    )
