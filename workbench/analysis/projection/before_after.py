"""Aligned layouts of the same words in two models, to show the changes between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.procrustes import similarity_between
from workbench.analysis.projection.quality import Quality, quality
from workbench.analysis.projection.umap import UmapParams, umap
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

BOTH, ONLY_BEFORE, ONLY_AFTER = 0, 1, 2


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """n words in two layouts.

    words : the first words of both models, the most frequent of the first model first
    before, after : float32[n, 2]; a word that one model lacks keeps its position in the other
    presence : uint8[n], BOTH, ONLY_BEFORE or ONLY_AFTER
    """

    words: tuple[str, ...]
    before: Singles
    after: Singles
    presence: npt.NDArray[np.uint8]

    def positions_at(self, share: float) -> Singles:
        """float32[n, 2], positions of the words between 0 (before) and 1 (after)."""
        return self.before + np.float32(share) * (self.after - self.before)

    def fade_shares(self, share: float) -> Singles:
        """float32[n], how far each word has faded: 0 visible, 1 gone."""
        fading = np.array([0.0, share, 1.0 - share], dtype=np.float32)
        return np.asarray(fading[self.presence])


@dataclass(frozen=True, eq=False)
class TwoModels:
    """Words of two models.

    words : those of both, the most frequent of the first model first
    in_one, in_other : bool[n], whether each model contains a word
    first, second : unit rows of the words that each model contains
    """

    words: tuple[str, ...]
    in_one: npt.NDArray[np.bool_]
    in_other: npt.NDArray[np.bool_]
    first: Singles | sp.csr_matrix
    second: Singles | sp.csr_matrix

    @property
    def shared(self) -> npt.NDArray[np.bool_]:
        """bool[n], whether both models contain a word."""
        return self.in_one & self.in_other

    def pair(self, before: Singles, after: Singles) -> BeforeAfter:
        """The words in the layouts of each model’s words, float32[·, 2], the second of which is
        rotated, mirrored, scaled and shifted onto the first by the shared words.
        """
        shared, placed = self.shared, self.place(before, after)
        turn = similarity_between(placed.after[shared], placed.before[shared])
        return self.place(before, turn(after))

    def place(self, before: Singles, after: Singles) -> BeforeAfter:
        """The words in the layouts of each model’s words, float32[·, 2]."""
        start = np.zeros((len(self.words), 2), dtype=np.float32)
        end = start.copy()
        start[self.in_one], end[self.in_other] = before, after
        start[~self.in_one] = end[~self.in_one]
        end[~self.in_other] = start[~self.in_other]
        presence = np.where(self.shared, BOTH, np.where(self.in_one, ONLY_BEFORE, ONLY_AFTER))
        return BeforeAfter(self.words, start, end, presence.astype(np.uint8))


def two_models(
    one: Embeddings, other: Embeddings, count: int, words: Sequence[str] | None = None
) -> TwoModels:
    """The ``count`` most frequent words of each model, or ``words``. Raises UserError if the models
    share fewer than four of them.
    """
    wanted = list(words) if words is not None else [*one.words[:count], *other.words[:count]]
    names = [word for word in dict.fromkeys(wanted) if word in one.index or word in other.index]
    names.sort(key=lambda word: one.index.get(word, len(one) + other.index.get(word, 0)))
    in_one = np.array([word in one.index for word in names], dtype=bool)
    in_other = np.array([word in other.index for word in names], dtype=bool)
    shared = int((in_one & in_other).sum())
    if shared < 4:
        raise UserError(
            tr(
                "Too few words to compare: the two models share only {number} of these words.",
                number=shared,
            ),
            tr("Choose a model trained on the same corpus, or show more words."),
        )
    first = one.unit[[one.index[word] for word, there in zip(names, in_one, strict=True) if there]]
    second = other.unit[
        [other.index[word] for word, there in zip(names, in_other, strict=True) if there]
    ]
    return TwoModels(tuple(names), in_one, in_other, first, second)


def quality_of_both(
    one: Embeddings, other: Embeddings, pair: BeforeAfter, run: JobControl | None = None
) -> tuple[Quality, Quality]:
    """The quality of both layouts of two models, each of the words that the model contains. Raises
    Cancelled.
    """
    found = []
    for model, positions, absent in (
        (one, pair.before, ONLY_AFTER),
        (other, pair.after, ONLY_BEFORE),
    ):
        there = pair.presence != absent
        rows = [model.index[word] for word, is_in in zip(pair.words, there, strict=True) if is_in]
        found.append(quality(model.unit[rows], positions[there], run=run))
    return found[0], found[1]


def before_after(
    one: Embeddings,
    other: Embeddings,
    count: int,
    words: Sequence[str] | None = None,
    params: UmapParams | None = None,
    run: JobControl | None = None,
) -> BeforeAfter:
    """Lay out the ``count`` most frequent words of each model, or ``words``, in both models.

    With ``params``, by UMAP, the second layout starting from the first; None: by PCA. The second
    layout is rotated, mirrored, scaled and shifted onto the first by the shared words (Procrustes).
    Raises UserError if the models share fewer than four of the words, and Cancelled.
    """
    run = run or JobControl()
    both = two_models(one, other, count, words)
    run.advance(0.0, tr("Mapping the first model"))
    before = pca(both.first)
    if params is not None:
        before = umap(both.first, params.replace(limit=both.first.shape[0]), run, before)
    run.check()
    run.advance(0.5, tr("Mapping the second model"))
    after = pca(both.second)
    found = both.pair(before, after)
    if params is not None:
        start = np.where(both.shared[:, None], found.before, found.after)[both.in_other]
        after = umap(both.second, params.replace(limit=both.second.shape[0]), run, start)
        found = both.pair(before, after)
    return found
