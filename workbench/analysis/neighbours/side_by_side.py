"""The neighbours of one word in several models: shared words, and changes in rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.ranking import best_rows, cosines, unit_rows
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class PlacedNeighbour:
    """A neighbour in one model.

    before : its rank (from 1) among the neighbours in the first model; None if that model lacks the
    word
    models : number of models whose lists contain it, including this one
    """

    word: str
    cosine: float
    before: int | None
    models: int

    def rise(self, rank: int) -> int | None:
        """Ranks gained at ``rank`` compared with the first model; negative if lost."""
        if self.before is None:
            return None
        return self.before - rank


@dataclass(frozen=True)
class ModelNeighbours:
    """One model's list, best first. ``shared`` : number of words also in the first list;
    ``problem``: why the list is empty.
    """

    name: str
    neighbours: tuple[PlacedNeighbour, ...]
    shared: int
    problem: str = ""


@dataclass(frozen=True)
class ModelsSideBySide:
    """Lists of ``n`` neighbours of a word. ``in_all``: words in every list that isn’t empty."""

    word: str
    n: int
    columns: tuple[ModelNeighbours, ...]
    in_all: int


def side_by_side(
    models: Sequence[tuple[str, Embeddings]], word: str, n: int = 20
) -> ModelsSideBySide:
    """The ``n`` nearest of ``word`` in every model, by cosine, with ranks in the first one.

    models : (name, embeddings); all models are compared with the first

    Ranks are exact however low they are; in a tie, the lower row comes first, as in ``nearest``. A
    model without the word has an empty list with the reason. Raises UserError without models.
    """
    if not models:
        raise UserError(tr("No models are selected."), tr("Select at least one model."))
    lists: list[list[tuple[str, float]]] = []
    problems = []
    first: tuple[Embeddings, np.ndarray, int] | None = None
    for number, (_, embeddings) in enumerate(models):
        try:
            row = embeddings.row(word)
            if not embeddings.has_vector[row]:
                raise UserError(tr("The vector of “{word}” is zero.", word=word))
        except (UnknownWord, UserError) as error:
            lists.append([])
            problems.append(error.message)
            continue
        scores = cosines(embeddings, unit_rows(embeddings, [row]))[:, 0]
        if number == 0:
            first = embeddings, scores, row
        lists.append(
            [(embeddings.words[i], float(scores[i])) for i in best_rows(scores, n, [row]).tolist()]
        )
        problems.append("")
    counted = Counter(one for found in lists for one, _ in found)
    filled = sum(1 for found in lists if found)
    reference = {one for one, _ in lists[0]}
    columns = tuple(
        ModelNeighbours(
            name,
            tuple(
                PlacedNeighbour(one, score, _rank(first, one), counted[one]) for one, score in found
            ),
            sum(one in reference for one, _ in found),
            problem,
        )
        for (name, _), found, problem in zip(models, lists, problems, strict=True)
    )
    in_all = sum(number == filled for number in counted.values()) if filled else 0
    return ModelsSideBySide(word, n, columns, in_all)


def _rank(first: tuple[Embeddings, np.ndarray, int] | None, word: str) -> int | None:
    if first is None:
        return None
    embeddings, scores, centre = first
    row = embeddings.index.get(word)
    if row is None or row == centre or not embeddings.has_vector[row]:
        return None
    score = scores[row]
    ahead = int(np.count_nonzero(scores > score)) + int(np.count_nonzero(scores[:row] == score))
    # The word itself isn’t a neighbour, and ranks before all.
    centre_ahead = scores[centre] > score or (scores[centre] == score and centre < row)
    return ahead - int(centre_ahead) + 1
