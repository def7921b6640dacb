"""The states of a training laid out together, so that words move only as far as their neighbours
change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.history.trajectory import (
    TrainingFrame,
    Turner,
    place_words,
    plane_of,
    unit_rows_of,
)
from workbench.analysis.projection.methods.aligned import AlignedParams
from workbench.analysis.projection.quality import quality
from workbench.analysis.projection.umap_learn import lay_out_aligned
from workbench.core.arrays import Doubles, Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr

# The maximum number of most frequent words and of states that are laid out: umap-learn takes about
# 5 ms of a processor for each word and state. Words move straight between these states.
WORDS, STATES = 500, 12
FEWEST = 4
# Each state starts beside the others, so it needs fewer neighbours and epochs than a map.
_PARAMS = AlignedParams(n_neighbors=15, n_epochs=200)


@dataclass(frozen=True, eq=False)
class AlignedStates:
    """The first n words in all states of a training.

    positions : float32[F, n, 2]; laid_out : indices of the states that were laid out, ascending,
    between which words move straight
    """

    frames: tuple[TrainingFrame, ...]
    positions: Singles
    laid_out: tuple[int, ...]


def align_states(
    frames: tuple[TrainingFrame, ...],
    turner: Turner,
    run: JobControl,
) -> AlignedStates:
    """Lay out the most frequent words of all states by AlignedUMAP, starting from the plane of the
    last state. Raises UserError for fewer than four words, and Cancelled.
    """
    count = min(WORDS, len(frames[-1].embeddings))
    if count < FEWEST:
        raise UserError(
            tr(
                "{title} needs at least {fewest} words, but only {size} are shown.",
                title="AlignedUMAP",
                fewest=FEWEST,
                size=count,
            ),
            tr("Choose another plane."),
        )
    rows = np.arange(count)
    starts = place_words(frames, turner.onto_last(frames, run), plane_of(frames[-1]), rows)
    chosen = np.unique(np.linspace(0, len(frames) - 1, min(STATES, len(frames))).round()).astype(
        int
    )
    layers = [unit_rows_of(frames[at], rows).astype(np.float32) for at in chosen]
    same = {row: row for row in range(count)}
    found = np.stack(
        lay_out_aligned(
            layers,
            list(starts[chosen]),
            [same] * (len(layers) - 1),
            _PARAMS,
            _PARAMS.alignment,
            run,
        )
    )
    positions = np.empty((len(frames), count, 2), dtype=np.float32)
    for at in range(len(frames)):
        place = float(np.interp(at, chosen, np.arange(len(chosen))))
        before, share = int(place), np.float32(place % 1)
        after = min(before + 1, len(chosen) - 1)
        positions[at] = found[before] + share * (found[after] - found[before])
    return AlignedStates(frames, positions, tuple(chosen.tolist()))


def quality_along(
    frames: Sequence[TrainingFrame],
    rows: Sequence[int],
    positions: Singles,
    run: JobControl | None = None,
) -> Doubles:
    """float64[F, 2]: trustworthiness and continuity of each state's map, positions float32[F, n, 2]
    of these rows; NaN for fewer than four words. Raises Cancelled.
    """
    found = np.full((len(frames), 2), np.nan)
    if len(rows) < FEWEST:
        return found
    for at, frame in enumerate(frames):
        if run is not None:
            run.check()
        state = quality(unit_rows_of(frame, rows).astype(np.float32), positions[at])
        found[at] = state.trustworthiness, state.continuity
    return found
