"""A training as a film: words in one plane from state to state, with a word's neighbours and the
rank of an analogy's answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.history.aligned import AlignedStates, quality_along
from workbench.analysis.history.trajectory import (
    AnalogyCourse,
    Neighbourhoods,
    TrainingFrame,
    Turner,
    analogy_along,
    neighbours_along,
    place_words,
    plane_of,
)
from workbench.core.arrays import Doubles, Ints, Singles
from workbench.core.errors import UserError, shorten_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

ALL, SHOWN = "all", "shown"


@dataclass(frozen=True, eq=False)
class FilmRequest:
    """Request for a film of the states of one training.

    focus : the word whose neighbours are shown, "" for the tracked answer
    analogy : a, b, c and d of a − b + c = d, or None; words missing from the states are reported
    as a problem
    fixed : track no other answer than d, even if the states lack d
    words : number of most frequent words that are also shown
    plane : the principal axes of "all" words, or of the words of the focus and the analogy
    ("shown")
    aligned : a layout of these states, which replaces the plane and its words
    judged : compute the quality of the map
    """

    frames: tuple[TrainingFrame, ...]
    focus: str = ""
    analogy: tuple[str, str, str, str] | None = None
    fixed: bool = False
    words: int = 200
    plane: str = ALL
    neighbours: int = 10
    aligned: AlignedStates | None = None
    judged: bool = False


@dataclass(frozen=True, eq=False)
class Film:
    """A film. positions : float32[F, n, 2] of ``words``; ``asked`` : words of the request, with the
    neighbours in the last state, as far as they are among ``words``.

    quality : float64[F, 2], trustworthiness and continuity of each state's map, NaN if unknown

    ``near`` and ``course`` are None if not requested, or if ``near_problem`` or ``course_problem``
    gives a reason. ``course_note`` : why another answer than the requested one is tracked, or "".
    """

    request: FilmRequest
    words: tuple[str, ...]
    asked: tuple[str, ...]
    positions: Singles
    near: Neighbourhoods | None
    near_problem: str
    course: AnalogyCourse | None
    course_problem: str
    course_note: str
    quality: Doubles

    @property
    def frames(self) -> tuple[TrainingFrame, ...]:
        return self.request.frames


def film_of(
    request: FilmRequest, turner: Turner | None = None, run: JobControl | None = None
) -> Film:
    """Align all states with the last one, and compute the requested neighbours. Raises
    Cancelled.
    """
    frames = request.frames
    last = frames[-1].embeddings
    near, near_problem, focus = None, "", request.focus
    course, course_problem, course_note = None, "", ""
    if request.analogy is not None:
        a, b, c, d = request.analogy
        lacking = _missing_reason(last, [d])
        course_problem = _missing_reason(last, request.analogy if request.fixed else (a, b, c))
        if not course_problem:
            try:
                course = analogy_along(frames, a, b, c, None if lacking else d, run)
                course_note = lacking
            except UserError as error:
                course_problem = error.message
        if not focus and not (lacking and course is None):
            focus = d if course is None else course.words[3]
    if focus:
        near_problem = _missing_reason(last, [focus])
        if not near_problem:
            near = neighbours_along(frames, focus, request.neighbours, run)
    chosen = _followed_rows(near, course, last)
    if request.aligned is not None:
        positions = request.aligned.positions
        rows = np.arange(positions.shape[1])
        chosen = [row for row in chosen if row < len(rows)]
    else:
        rows = np.array(sorted({*chosen, *range(min(request.words, len(last)))}), dtype=np.int64)
        turns = (turner or Turner()).onto_last(frames, run)
        few = request.plane == SHOWN and len(chosen) > 2
        plane = plane_of(frames[-1], np.array(chosen, dtype=np.int64) if few else None)
        positions = place_words(frames, turns, plane, rows)
    judged = np.full((len(frames), 2), np.nan)
    if request.judged:
        judged = quality_along(frames, rows.tolist(), positions, run)
    words, asked = (tuple(last.words[row] for row in some) for some in (rows.tolist(), chosen))
    return Film(
        request,
        words,
        asked,
        positions,
        near,
        near_problem,
        course,
        course_problem,
        course_note,
        judged,
    )


def _followed_rows(
    near: Neighbourhoods | None, course: AnalogyCourse | None, last: Embeddings
) -> list[int]:
    """Rows of the requested words, with the neighbours in the last state."""
    rows: list[int] = []
    if course is not None:
        rows += [last.row(word) for word in course.words]
    if near is not None:
        rows.append(last.row(near.word))
        rows += _present_rows(near.rows[-1])
    return list(dict.fromkeys(rows))


def _present_rows(rows: Ints) -> list[int]:
    return [row for row in rows.tolist() if row >= 0]


def _missing_reason(last: Embeddings, words: Sequence[str]) -> str:
    """Why these words can't be shown over time, or ""."""
    missing = [word for word in words if last.find(word) is None]
    if not missing:
        return ""
    if len(missing) == 1:
        return tr(
            "“{word}” isn’t among the {number:,} words in the snapshots.",
            word=shorten_text(missing[0], 20),
            number=len(last),
        )
    return tr(
        "“{word}” and “{other}” aren’t among the {number:,} words in the snapshots.",
        word=shorten_text(missing[0], 20),
        other=shorten_text(missing[1], 20),
        number=len(last),
    )
