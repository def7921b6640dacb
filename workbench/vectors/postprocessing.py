"""Post-processing of trained vectors: W, W + C or both side by side; removal of the mean and top
directions; unit rows.

Three steps, always in this order and in float64, rounded once at the end:

1. the result: W; W + C (Pennington et al. 2014, section 4.2; Levy, Goldberg & Dagan 2015, section
   3.3); or [W; C], each word's two vectors side by side
2. all but the top (Mu & Viswanath 2018, algorithm 1): the mean over the vocabulary is subtracted,
   then the components along the first D principal directions of the centred vectors; D = 0
   subtracts the mean alone
3. every row is scaled to length 1

A word without a vector has a row of zeros, before and after every step.

They start from W as it was trained, which :class:`Embeddings` keeps as ``raw`` if ``vectors`` are
no longer W, so that theory still applies to products with the contexts and any choice can be made
later.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.param_labels import param_name
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import unit_rows

RESULTS = ("w", "w+c", "concatenation")
# Value of ``all_but_the_top`` if not even the mean is removed.
OFF = -1

# Rows per block: some megabytes of float64.
_BLOCK = 4096
_WORDS = {"w": "W", "w+c": "W + C", "concatenation": "[W; C]"}


@dataclass(frozen=True)
class Postprocessing:
    """Choice of the post-processing of trained vectors.

    result : one of RESULTS
    normalise : whether every row is scaled to length 1
    all_but_the_top : D ≥ 0, number of principal directions removed after the mean; OFF removes
    neither
    """

    result: str = "w"
    normalise: bool = False
    all_but_the_top: int = OFF

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise UserError(
                tr("Unknown result “{result}”.", result=self.result),
                tr("Choose one of: {names}.", names=", ".join(RESULTS)),
            )
        if self.all_but_the_top < OFF:
            raise UserError(
                tr(
                    "{name} must be 0 or more, or {off} for off, not {all_but_the_top}.",
                    name=param_name("all_but_the_top"),
                    off=OFF,
                    all_but_the_top=self.all_but_the_top,
                ),
                tr("0 removes only the mean."),
            )

    @property
    def plain(self) -> bool:
        """Whether the vectors stay as they were trained."""
        return self == Postprocessing()

    @property
    def label(self) -> str:
        """Short label, as in the name of a run: "W + C · unit"."""
        parts = [_WORDS[self.result]]
        if self.all_but_the_top == 0:
            parts.append(tr("no mean"))
        elif self.all_but_the_top > 0:
            parts.append(
                tr("all but the top {all_but_the_top}", all_but_the_top=self.all_but_the_top)
            )
        if self.normalise:
            parts.append(tr("unit"))
        return " · ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Dictionary for the provenance."""
        return dataclasses.asdict(self)


class Impossible(UserError):
    """Reason why a choice isn't possible for some vectors; ``short`` is its short form."""

    def __init__(self, message: str, hint: str, short: str) -> None:
        super().__init__(message, hint)
        self.short = short


def choice_of(embeddings: Embeddings) -> Postprocessing:
    """Post-processing of these vectors by their provenance; W if unknown."""
    known = embeddings.metadata.get("vectors")
    if not isinstance(known, Mapping):
        return Postprocessing()
    result, normalised, top = (
        known.get(field.name) for field in dataclasses.fields(Postprocessing)
    )
    sound = isinstance(top, int) and top >= OFF and result in RESULTS
    if sound and top is not None:
        return Postprocessing(str(result), normalised is True, int(top))
    return Postprocessing()


def why_not(embeddings: Embeddings, choice: Postprocessing) -> Impossible | None:
    """Reason why this choice isn't possible for these vectors, or None."""
    now = choice_of(embeddings)
    if choice != now and not now.plain and embeddings.raw is None:
        return Impossible(
            tr(
                "These vectors are already {label}, and the original vectors weren’t saved.",
                label=now.label,
            ),
            tr("Open the run or the file that they were created from."),
            tr("the trained vectors weren’t saved"),
        )
    if embeddings.sparse and choice.result != "w":
        return Impossible(
            tr("Sparse vectors have no context vectors to combine with."),
            tr("Train svd for dense vectors."),
            tr("the vectors are sparse"),
        )
    if choice.result != "w" and (reason := _no_contexts(embeddings, choice.result)):
        return reason
    if embeddings.sparse and choice.all_but_the_top != OFF:
        return Impossible(
            tr("Removing the mean would make sparse vectors dense and need gigabytes."),
            tr("Train svd for dense vectors, or only normalise."),
            tr("the vectors are sparse"),
        )
    columns = embeddings.inputs.shape[1] * (2 if choice.result == "concatenation" else 1)
    if choice.all_but_the_top >= columns:
        return Impossible(
            tr(
                "Vectors of {columns:,} dimensions have only {columns:,} principal "
                "components, too few to remove {all_but_the_top:,}.",
                columns=columns,
                all_but_the_top=choice.all_but_the_top,
            ),
            tr(
                "Remove fewer components. Mu & Viswanath 2018 recommend one per hundred dimensions."
            ),
            tr("too few components"),
        )
    return None


def _no_contexts(embeddings: Embeddings, result: str) -> Impossible | None:
    """Reason why ``result`` has no context vectors to combine with, or None."""
    if embeddings.own_contexts is not None:
        return Impossible(
            tr(
                "{result} needs a context vector of each word, but the contexts of these vectors "
                "aren’t words.",
                result=_WORDS[result],
            ),
            tr("Keep the word vectors, or train with words as contexts."),
            tr("contexts aren’t words"),
        )
    if embeddings.contexts is None:
        return Impossible(
            tr(
                "{result} needs context vectors, but these vectors have none.",
                result=_WORDS[result],
            ),
            tr(
                "Open an .npz file that contains “contexts”, or train an algorithm that has "
                "context vectors."
            ),
            tr("no context vectors"),
        )
    return None


def apply_postprocessing(
    embeddings: Embeddings, choice: Postprocessing, run: JobControl | None = None
) -> Embeddings:
    """The same words with the vectors of ``choice``, always computed from the trained W and C.

    ``contexts`` stay C; ``raw`` is W. N-grams stay if each vector still depends only on its own
    (see :mod:`workbench.vectors.subwords`); combined with C, they would be meaningless and are left
    out. The provenance gains ``vectors``. Raises UserError if the choice is impossible, and
    Cancelled.
    """
    problem = why_not(embeddings, choice)
    if problem is not None:
        raise problem
    if choice == choice_of(embeddings):
        return embeddings
    metadata = {name: value for name, value in embeddings.metadata.items() if name != "vectors"}
    if not choice.plain:
        metadata["vectors"] = choice.to_dict()
    words = embeddings.inputs
    dead = _without_data(embeddings)
    if choice.plain:
        vectors, raw = words, None
        if isinstance(words, np.ndarray) and words[dead].any():
            # An algorithm moved the rows of these words without data.
            vectors, raw = np.array(words), words
            vectors[dead] = 0
        return dataclasses.replace(
            embeddings, vectors=vectors, raw=raw, removed=None, metadata=metadata
        )
    if not isinstance(words, np.ndarray):
        # Don’t keep the original sparse rows: twice the gigabytes for one factor per row.
        return dataclasses.replace(embeddings, vectors=unit_rows(words), metadata=metadata)
    contexts = None if choice.result == "w" else _added_contexts(embeddings)
    removed = None
    if choice.all_but_the_top != OFF:
        removed = mean_and_top(words, contexts, choice, run)
    table = np.empty(
        (len(words), words.shape[1] * (2 if choice.result == "concatenation" else 1)),
        dtype=np.float32,
    )
    for part in _row_blocks(len(words), run):
        rows = combine_vectors(
            words[part], None if contexts is None else contexts[part], choice.result
        )
        if removed is not None:
            rows = remove_directions(rows, removed)
        if choice.normalise:
            rows = unit_rows(rows)
        table[part] = rows
    table[dead] = 0
    found = dataclasses.replace(
        embeddings,
        vectors=table,
        raw=words,
        removed=None if removed is None else removed.astype(np.float32),
        metadata=metadata,
    )
    if choice.result == "w":
        return found
    return dataclasses.replace(found, ngram_vectors=None, ngram_buckets=None, word_rows=None)


def _without_data(embeddings: Embeddings) -> npt.NDArray[np.intp]:
    """Rows of the words without a vector: rounding errors as trained, and zeros afterwards."""
    vectors = embeddings.vectors
    if not isinstance(vectors, np.ndarray):
        return np.empty(0, dtype=np.intp)
    if choice_of(embeddings).plain:
        return np.flatnonzero(~embeddings.has_vector)
    return np.flatnonzero(~vectors.any(axis=1))


def combine_vectors(
    words: npt.NDArray[np.floating], contexts: npt.NDArray[np.floating] | None, result: str
) -> Doubles:
    """float64[n, d], or float64[n, 2d] for "concatenation", of word and context vectors [n, d]."""
    left = words.astype(np.float64)
    if result == "w":
        return left
    assert contexts is not None
    right = contexts.astype(np.float64)
    if result == "w+c":
        return left + right
    return np.concatenate([left, right], axis=1)


def mean_and_top(
    words: npt.NDArray[np.floating],
    contexts: npt.NDArray[np.floating] | None,
    choice: Postprocessing,
    run: JobControl | None = None,
) -> Doubles:
    """float64[1 + D, d]: the mean of the combined rows, then D orthonormal principal directions of
    the centred ones, the largest variance first. Raises Cancelled.
    """
    total: Doubles = np.zeros(1)
    for part in _row_blocks(len(words), run):
        rows = combine_vectors(
            words[part], None if contexts is None else contexts[part], choice.result
        )
        total = total + rows.sum(axis=0)
    mean = total / len(words)
    if choice.all_but_the_top == 0:
        return mean[None, :]
    scatter = np.zeros((len(mean), len(mean)))
    for part in _row_blocks(len(words), run):
        rows = (
            combine_vectors(
                words[part], None if contexts is None else contexts[part], choice.result
            )
            - mean
        )
        scatter += rows.T @ rows
    directions = np.linalg.eigh(scatter)[1][:, ::-1][:, : choice.all_but_the_top].T
    return np.concatenate([mean[None, :], directions])


def remove_directions(rows: npt.NDArray[np.floating], removed: npt.NDArray[np.floating]) -> Doubles:
    """float64[n, d]: rows minus the mean removed[0] and minus their components along the directions
    removed[1:].
    """
    centred: Doubles = rows.astype(np.float64) - removed[0]
    directions = removed[1:].astype(np.float64)
    centred -= (centred @ directions.T) @ directions
    return centred


def _added_contexts(embeddings: Embeddings) -> npt.NDArray[np.floating]:
    """The contexts for combination with words: an algorithm may scale their columns by
    ``context_scale``.
    """
    contexts = embeddings.contexts
    assert contexts is not None
    scale = embeddings.metadata.get("context_scale")
    if not isinstance(scale, list) or len(scale) != contexts.shape[1]:
        return contexts
    return contexts.astype(np.float64) * np.array(scale, dtype=np.float64)


def _row_blocks(size: int, run: JobControl | None) -> Iterator[slice]:
    for start in range(0, size, _BLOCK):
        if run is not None:
            run.check()
        yield slice(start, min(start + _BLOCK, size))
