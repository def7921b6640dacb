"""The map of a training's states, with the same viewport for all."""

from __future__ import annotations

import numpy as np

from workbench.analysis.history.replay import Film
from workbench.core.arrays import Singles
from workbench.ui.widgets.map.overlays import Arrow
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.viewport import Viewport

# Number of nearest words to draw lines to; more would be hard to distinguish.
_LINKS = 6


class TimeMap(PointMap):
    """Shows one state of a film at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.film: Film | None = None
        self._extent: Singles = np.empty((0, 2), dtype=np.float32)

    def put(self, film: Film | None, state: int) -> None:
        """Show another film, or new positions of the same words, which then stay in place if
        possible.
        """
        before, self.film = self.film, film
        if film is None:
            self.set_points((), np.empty((0, 2), dtype=np.float32))
            return
        words = len(film.words)
        self._extent = _extent_of(film)
        if before is not None and before.words == film.words:
            self.show_state(state)
        else:
            values = np.linspace(0.9, 0.35, words, dtype=np.float32)
            self.set_points(film.words, film.positions[state], values)
            self._mark_state(state)
        course = film.course
        arrows = []
        if course is not None:
            a, b, c, d = course.words
            arrows = [Arrow(b, a), Arrow(c, d)]
        self.set_arrows(arrows)

    def show_state(self, state: int) -> None:
        """Move the words to their positions in a state."""
        if self.film is not None:
            self.set_positions(self.film.positions[state], animate=True)
            self._mark_state(state)

    def _mark_state(self, state: int) -> None:
        film = self.film
        if film is None or film.near is None:
            self.set_links("")
            return
        words = film.frames[-1].embeddings.words
        near = zip(
            film.near.rows[state, :_LINKS].tolist(),
            film.near.cosines[state, :_LINKS].tolist(),
            strict=True,
        )
        links = [
            (words[row], max(cosine, 0.0))
            for row, cosine in near
            if row >= 0 and self.shows(words[row])
        ]
        self.set_links(film.near.word, links)

    def _fit_view(self, view: Viewport, positions: Singles) -> Viewport:
        if len(self._extent):
            positions = self._extent
        return super()._fit_view(view, positions)


def _extent_of(film: Film) -> Singles:
    """Two corners, float32[2, 2]: around most words in all states, and around all words asked
    about.
    """
    question_rows = [film.words.index(word) for word in film.asked]
    parts = [film.positions[:, question_rows].reshape(-1, 2)]
    most = np.percentile(film.positions.reshape(-1, 2), (1.0, 99.0), axis=0)
    together = np.concatenate([*parts, most])
    return np.stack([together.min(axis=0), together.max(axis=0)]).astype(np.float32)
