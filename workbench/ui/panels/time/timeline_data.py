"""The data of a training's states: strips, positions during training, and exported tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.analysis.history.replay import Film
from workbench.analysis.history.trajectory import AnalogyCourse, TrainingFrame
from workbench.analysis.theory.target_fit import Figures
from workbench.core.job_control import Trace
from workbench.core.language import percent, tr
from workbench.core.table_export import Cell, to_csv
from workbench.session.runs.provenance import ancestry
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.text import (
    MINUS,
    count,
    decimal,
    duration,
    exact_loss,
    short_number,
    true_minus,
)
from workbench.ui.panels.time.fit_history import TimeFits
from workbench.ui.panels.time.painting import Reel, TimeStrip
from workbench.ui.panels.time.run_source import objective_of
from workbench.ui.plots.ticks import nice_ticks

_SHARES = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class TrainingAxis:
    """The units of a training: epochs (those ``before`` it and its own, 0 if it has none) and
    tokens.
    """

    before: float
    epochs: float
    tokens: int

    @classmethod
    def of(cls, record: RunRecord, tokens: int = 0) -> TrainingAxis:
        """The axis of a run; ``tokens`` of the corpus if it is open, or else from the run's
        summary.
        """
        known = record.summary.get("corpus")
        if not tokens and isinstance(known, Mapping):
            tokens = int(known.get("tokens", 0))
        epochs = record.parameters.get("epochs")
        if not isinstance(epochs, (int, float)):
            epochs = 0.0
        return cls(ancestry(record.summary).get("epochs", 0.0), float(epochs), tokens)

    def passes(self, progress: float) -> float | None:
        if not self.epochs:
            return None
        return self.before + self.epochs * progress

    def tokens_seen(self, progress: float) -> int | None:
        """Number of tokens read up to a share of the training."""
        passes = self.passes(progress)
        if passes is None or not self.tokens:
            return None
        return round(passes * self.tokens)

    def frame_text(self, frame: TrainingFrame) -> str:
        """ "epoch 1.32 of 5 · 1.21 M tokens · 4 s"."""
        passes, seen = self.passes(frame.progress), self.tokens_seen(frame.progress)
        digits = 3 if frame.progress < 0.1 else 2
        parts = [percent(true_minus(f"{100 * frame.progress:.3g}"))]
        if passes is not None:
            whole = self.before + self.epochs
            parts = [
                tr(
                    "epoch {passes} of {whole:g}",
                    passes=true_minus(f"{passes:.{digits}f}"),
                    whole=whole,
                )
            ]
        if seen is not None:
            parts.append(tr("{seen} tokens", seen=short_number(seen)))
        parts.append(duration(frame.seconds))
        return " · ".join(parts)

    def ticks(
        self, stretched: bool, low: float = 0.0, high: float = 1.0
    ) -> list[tuple[float, str]]:
        """Shares of the training within an interval, with their texts."""
        usual: tuple[float, ...] = ()
        start, scale = self.before, self.epochs
        if not self.epochs:
            usual = _QUARTERS
            start, scale = 0.0, 100.0
        if stretched:
            usual = _SHARES
        shares = [share for share in usual if low <= share <= high]
        if len(shares) < 3:
            shares = [value / scale for value in nice_ticks(low * scale, high * scale, 5)]
        texts = [true_minus(f"{start + share * scale:.5g}") for share in shares]
        if not self.epochs:
            texts = [percent(text) for text in texts]
        return list(zip(shares, texts, strict=True))


def loss_strip(trace: Trace, frames: Sequence[TrainingFrame], label: str) -> TimeStrip:
    """The trace, and the loss at each state."""
    unit = tr("nats") if "nat" in label else ""
    title = tr("Loss")
    if not len(trace):
        return TimeStrip(
            title, np.empty(0), np.empty(0), np.full(len(frames), np.nan), (), note=tr("No loss")
        )
    at = np.interp([frame.progress for frame in frames], trace.progress, trace.loss)
    low, high = float(trace.loss.min()), float(trace.loss.max())
    margin = 0.06 * (high - low) or 0.5
    ticks = tuple((value, true_minus(f"{value:g}")) for value in nice_ticks(low, high, 3))
    values = tuple((exact_loss(value), unit) for value in at.tolist())
    # The first point is the mean of everything before it.
    x, y = np.insert(trace.progress, 0, 0.0), np.insert(trace.loss, 0, trace.loss[0])
    return TimeStrip(title, x, y, at, values, low - margin, high + margin, ticks=ticks)


def fit_strip(frames: Sequence[TrainingFrame], figures: Sequence[Figures], note: str) -> TimeStrip:
    """R² of the states compared so far; values below −1 are drawn at the edge."""
    title = "R²"
    x = np.array([frame.progress for frame in frames])
    y = np.full(len(frames), np.nan)
    values = [("–", "")] * len(frames)
    for number, one in enumerate(figures[: len(frames)]):
        y[number] = one.r2
        if math.isfinite(one.r2):
            values[number] = (
                true_minus(f"{one.r2:.3f}"),
                tr("residual {decimal} nats", decimal=decimal(one.rms, 3)),
            )
    if not np.isfinite(y).any():
        if not note:
            note = tr("Nothing to compare") if figures else tr("Comparing…")
        return TimeStrip(title, x, y, y, tuple(values), note=note)
    low = max(float(np.nanmin(y)), -1.0)
    low = min(low - 0.05 * (1.0 - low), 0.0)
    ticks = tuple(
        (value, true_minus(f"{value:g}")) for value in (1.0, 0.5, 0.0, -0.5, -1.0) if value >= low
    )
    return TimeStrip(title, x, y, y, tuple(values), low, 1.04, ticks=ticks)


def rank_strip(
    frames: Sequence[TrainingFrame], course: AnalogyCourse | None, note: str
) -> TimeStrip:
    """The rank of the answer, with 1 at the top, on a logarithmic axis."""
    x = np.array([frame.progress for frame in frames])
    if course is None:
        empty = np.full(len(frames), np.nan)
        return TimeStrip(tr("Rank of the answer"), x, empty, empty, (), note=note)
    rank = np.where(course.rank > 0, course.rank, np.nan)
    worst = 10.0
    if np.isfinite(rank).any():
        worst = max(float(np.nanmax(rank)), worst)
    powers = [10.0**power for power in range(math.ceil(math.log10(worst)) + 1)]
    ticks = tuple((value, count(round(value))) for value in powers if value <= worst * 1.5)
    of = tr("of {candidates}", candidates=count(course.candidates))
    values = tuple(
        (count(int(place)), of) if place > 0 else ("–", "") for place in course.rank.tolist()
    )
    return TimeStrip(
        tr("Rank of “{value}”", value=course.words[3]),
        x,
        rank,
        rank,
        values,
        worst * 1.6,
        0.75,
        log=True,
        ticks=ticks,
    )


def reel_of(
    record: RunRecord, film: Film, fits: TimeFits, way: TrainingAxis, stretched: bool
) -> Reel:
    """Loss, fit and rank of the states, on an axis of epochs if there are any."""
    frames = film.frames
    strips = (
        loss_strip(record.trace, frames, objective_of(record)),
        fit_strip(frames, fits.figures(frames), fits.note),
        rank_strip(frames, film.course, _why_no_rank(film)),
    )
    label = tr("epochs") if way.epochs else tr("share of the training")
    states = tuple(frame.progress for frame in frames)
    return Reel(strips, states, partial(way.ticks, stretched), label, record.colour, stretched)


def _why_no_rank(film: Film) -> str:
    """The reason, once: the line of the analogy says what is wrong with its words."""
    if film.course_problem:
        return tr("No rank")
    return tr("Solve an analogy below to follow its answer.")


def states_csv(film: Film, trace: Trace, figures: Sequence[Figures], way: TrainingAxis) -> str:
    """One line for each state: position, loss, R², residual, the answer's rank, the focused word's
    neighbours.
    """
    course, near, words = film.course, film.near, film.frames[-1].embeddings.words
    question = (
        f"{course.words[0]} {MINUS} {course.words[1]} + {course.words[2]} = {course.words[3]}"
        if course
        else ""
    )
    header = [
        "state",
        "progress",
        "epochs",
        "tokens",
        "seconds",
        "loss",
        "R2",
        "slope",
        "rms residual",
        "trustworthiness",
        "continuity",
        f"rank of {course.words[3]}" if course else "rank",
        "score",
        "first answer",
        "first score",
        "analogy",
        f"neighbours of {near.word}" if near else "neighbours",
    ]
    rows: list[list[Cell]] = []
    loss = np.full(len(film.frames), np.nan)
    if len(trace):
        loss = np.interp([frame.progress for frame in film.frames], trace.progress, trace.loss)
    for at, frame in enumerate(film.frames):
        fit = figures[at] if at < len(figures) else None
        first = int(course.first[at]) if course else -1
        rows.append(
            [
                at + 1,
                frame.progress,
                way.passes(frame.progress),
                way.tokens_seen(frame.progress),
                frame.seconds,
                float(loss[at]),
                fit.r2 if fit else None,
                fit.slope if fit else None,
                fit.rms if fit else None,
                *film.quality[at].tolist(),
                int(course.rank[at]) or None if course else None,
                float(course.score[at]) if course else None,
                words[first] if first >= 0 else None,
                float(course.first_score[at]) if course else None,
                question,
                " ".join(words[row] for row in near.rows[at].tolist() if row >= 0)
                if near
                else None,
            ]
        )
    return to_csv(header, rows)


def positions_csv(film: Film) -> str:
    """The position of every word in every state, as CSV."""
    rows: list[list[Cell]] = [
        [
            word,
            at + 1,
            frame.progress,
            float(film.positions[at, place, 0]),
            float(film.positions[at, place, 1]),
        ]
        for at, frame in enumerate(film.frames)
        for place, word in enumerate(film.words)
    ]
    return to_csv(["word", "state", "progress", "x", "y"], rows)
