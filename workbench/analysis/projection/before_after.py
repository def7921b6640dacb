"""Aligned layouts of the same words in two models, to show the changes between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.methods import UmapParams, pca, umap
from workbench.analysis.projection.procrustes import similarity_between
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
    wanted = list(words) if words is not None else [*one.words[:count], *other.words[:count]]
    names = [word for word in dict.fromkeys(wanted) if word in one.index or word in other.index]
    names.sort(key=lambda word: one.index.get(word, len(one) + other.index.get(word, 0)))
    in_one = np.array([word in one.index for word in names], dtype=bool)
    in_other = np.array([word in other.index for word in names], dtype=bool)
    shared = in_one & in_other
    if shared.sum() < 4:
        raise UserError(
            tr(
                "Too few words to compare: the two models share only {number} of these words.",
                number=int(shared.sum()),
            ),
            tr("Choose a model trained on the same corpus, or show more words."),
        )
    first = one.unit[[one.index[word] for word, there in zip(names, in_one, strict=True) if there]]
    second = other.unit[
        [other.index[word] for word, there in zip(names, in_other, strict=True) if there]
    ]
    before = np.zeros((len(names), 2), dtype=np.float32)
    after = np.zeros((len(names), 2), dtype=np.float32)
    run.advance(0.0, tr("Mapping the first model"))
    before[in_one] = pca(first)
    if params is not None:
        before[in_one] = umap(first, params.replace(limit=first.shape[0]), run, before[in_one])
    run.check()
    run.advance(0.5, tr("Mapping the second model"))
    after[in_other] = pca(second)
    after[in_other] = similarity_between(after[shared], before[shared])(after[in_other])
    if params is not None:
        start = np.where(shared[:, None], before, after)[in_other]
        after[in_other] = umap(second, params.replace(limit=second.shape[0]), run, start)
        after[in_other] = similarity_between(after[shared], before[shared])(after[in_other])
    before[~in_one] = after[~in_one]
    after[~in_other] = before[~in_other]
    presence = np.where(shared, BOTH, np.where(in_one, ONLY_BEFORE, ONLY_AFTER)).astype(np.uint8)
    return BeforeAfter(tuple(names), before, after, presence)
