"""Words placed on a finished map: marks and names of their own, over points that stay in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QElapsedTimer, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.core.arrays import Singles
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import Palette
from workbench.ui.widgets.map.canvas import MapCanvas
from workbench.ui.widgets.map.labels import LabelTask
from workbench.ui.widgets.map.legend import draw_diamond
from workbench.ui.widgets.map.outlined_text import TextStyle
from workbench.ui.widgets.map.overlays import point
from workbench.ui.widgets.map.viewport import Viewport, nearest

# Half of a mark's height in pixels, and the distance from there to its name.
_HALF, _GAP = 6.0, 4.0
_NAME = 15
# Radius in pixels and opacity of the dots of a cloud.
_DOT, _FAINT = 3.0, 0.35
# Milliseconds for which a word glides, and of a frame.
_GLIDE_MS, _FRAME_MS = 300, 15
_NOWHERE = np.empty((0, 2), dtype=np.float32)


class PlacedMap(MapCanvas):
    """A map with words that were placed on it after it was finished. They are gone as soon as other
    points or positions are shown.

    Rows of the pointer and the keyboard continue after those of the map with the placed words.
    """

    _placed: tuple[str, ...] = ()
    _meant: tuple[str, ...] = ()
    _joined = (0, 0)
    _places: Singles = _NOWHERE
    _cloud: Singles = _NOWHERE
    _named: tuple[Viewport, tuple[QRectF, ...]] | None = None
    # Where the placed words and the cloud glide from, and how far they are.
    _left: tuple[Singles, Singles] | None = None
    _share = 1.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._since = QElapsedTimer()
        self._gliding = QTimer(self)
        self._gliding.setInterval(_FRAME_MS)
        self._gliding.timeout.connect(self._glide_on)

    @property
    def placed_words(self) -> tuple[str, ...]:
        """The placed words."""
        return self._placed

    @property
    def placed_positions(self) -> Singles:
        """float32[m, 2], the positions of the placed words, to which one may be gliding."""
        return self._places

    @property
    def meant_words(self) -> tuple[str, ...]:
        """The words that the names of the placed words stand for."""
        return self._meant

    @property
    def joined(self) -> tuple[int, int]:
        """The first of the placed words that are joined by a line, and the one behind the last."""
        return self._joined

    @property
    def cloud(self) -> Singles:
        """float32[n, 2], places at which a placed word could be as well."""
        return self._cloud

    def set_placed(
        self,
        names: Sequence[str],
        positions: Singles,
        meant: Sequence[str] | None = None,
        joined: tuple[int, int] = (0, 0),
        cloud: Singles = _NOWHERE,
        gliding: str = "",
    ) -> None:
        """Show placed words, at float32[m, 2], instead of those before.

        meant : the words that are selected by them; None: their names
        joined : see there
        cloud : float32[n, 2], faint dots where a word could be as well
        gliding : a word that was placed before, and glides to its new place with the cloud
        """
        cloud, positions = (np.asarray(one, dtype=np.float32) for one in (cloud, positions))
        self._set_off_placed(gliding, names, positions, cloud)
        self._cloud = cloud
        self._placed, self._places = tuple(names), positions
        self._meant = self._placed if meant is None else tuple(meant)
        self._joined = joined
        self._legend.placed = len(names)
        self._hover, self._named = -1, None
        self._labels.refresh()
        self._describe()
        self.update()

    def _set_off_placed(
        self, word: str, names: Sequence[str], positions: Singles, cloud: Singles
    ) -> None:
        """Let a word begin to glide from where it is drawn; all others are at their places."""
        places, dots = self._drawn_places, self._drawn_cloud
        self._stop_placed()
        if word not in self._placed or not self.motion or not self.isVisible():
            return
        start = positions.copy()
        start[list(names).index(word)] = places[self._placed.index(word)]
        self._left = (start, dots if dots.shape == cloud.shape else cloud)
        self._share = 0.0
        self._since.restart()
        self._gliding.start()

    def _glide_on(self) -> None:
        share = min(self._since.elapsed() / _GLIDE_MS, 1.0)
        self._share = share * share * (3.0 - 2.0 * share)
        self._named = None
        if share >= 1.0:
            self._stop_placed()
            self._labels.refresh()
        self.update()

    def _stop_placed(self) -> None:
        self._gliding.stop()
        self._left = None

    @property
    def moving(self) -> bool:
        return super().moving or self._left is not None

    @property
    def _drawn_places(self) -> Singles:
        """float32[m, 2], where the placed words are drawn now."""
        return self._places if self._left is None else self._between(self._left[0], self._places)

    @property
    def _drawn_cloud(self) -> Singles:
        return self._cloud if self._left is None else self._between(self._left[1], self._cloud)

    def _between(self, start: Singles, end: Singles) -> Singles:
        return np.asarray(start + np.float32(self._share) * (end - start))

    def clear_placed(self) -> None:
        if self._placed:
            self.set_placed((), _NOWHERE)

    def set_points(
        self,
        words: Sequence[str],
        positions: Singles,
        values: Singles | None = None,
        sizes: Singles | None = None,
    ) -> None:
        self.clear_placed()
        super().set_points(words, positions, values, sizes)

    def _check_target(self, positions: Singles) -> Singles:
        if positions is not self._given:
            self.clear_placed()
        return super()._check_target(positions)

    # -- where words are

    def shows(self, word: str) -> bool:
        return super().shows(word) or word in self._placed

    @property
    def hovered_word(self) -> str | None:
        return None if self._hover < 0 else self._word_of(self._hover)

    def pixel(self, word: str) -> QPointF | None:
        row = self._row_of(word)
        return None if row is None else point(self._all_on_screen(), row)

    def _row_of(self, word: str) -> int | None:
        row = self._rows.get(word)
        if row is None and word in self._placed:
            return len(self._words) + self._placed.index(word)
        return row

    def _word_of(self, row: int) -> str:
        placed = row - len(self._words)
        return self._words[row] if placed < 0 else self._placed[placed]

    def _meant_by(self, row: int) -> str:
        """The word that a click on a row selects."""
        placed = row - len(self._words)
        return self._words[row] if placed < 0 else self._meant[placed]

    def _position_of(self, word: str) -> Singles | None:
        position = super()._position_of(word)
        if position is None and word in self._placed:
            row = self._placed.index(word)
            return self._places[row : row + 1]
        return position

    def _all_on_screen(self) -> Singles:
        """float32[n + m, 2], pixels of the points and then of the placed words."""
        if not self._placed:
            return self._on_screen()
        return np.concatenate([self._on_screen(), self._view.to_screen(self._drawn_places)])

    def _placed_at(self, pixel: QPointF) -> int:
        """Index of the placed word with its mark or name at a pixel; −1 if there is none."""
        marks = self._view.to_screen(self._drawn_places)
        index = nearest(marks, pixel.x(), pixel.y(), _HALF + 3.0)
        if index >= 0:
            return index
        boxes = self._names_of_placed()
        return next((at for at, box in enumerate(boxes) if box.contains(pixel)), -1)

    # -- painting

    def draw(self, painter: QPainter, vector: bool = False) -> None:
        super().draw(painter, vector)
        colours, ground = self._colours, self._colours.ground
        marks = self._view.to_screen(self._drawn_places)
        self._draw_cloud(painter)
        first, last = self._joined
        if last - first > 1:
            painter.setPen(QPen(QColor(colours.runs[1]), scaled_length(1.6)))
            painter.drawPolyline([point(marks, index) for index in range(first, last)])
        for index, (word, box) in enumerate(
            zip(self._placed, self._names_of_placed(), strict=True)
        ):
            hovered = self._hover == len(self._words) + index and not vector
            chosen = self._meant[index] in self._marks.selected_words
            ink = colours.accent if chosen else colours.runs[1]
            half = _HALF + 1.5 * (hovered or chosen)
            draw_diamond(painter, point(marks, index), half, ink, ground)
            style = TextStyle(scaled_length(_NAME), True, ink, ground)
            self._labels.text.draw(painter, box.left(), box.top(), word, style, vector=vector)

    def _draw_cloud(self, painter: QPainter) -> None:
        if not len(self._cloud):
            return
        ink = QColor(self._colours.runs[1])
        ink.setAlphaF(_FAINT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        for x, y in self._view.to_screen(self._drawn_cloud).tolist():
            painter.drawEllipse(QPointF(x, y), _DOT, _DOT)

    def _names_of_placed(self) -> tuple[QRectF, ...]:
        """The boxes of the placed words' names in pixels: beside the mark, on a side without the
        mark or the name of another placed word and inside the window, if there is one.
        """
        if self._named is not None and self._named[0] == self._view:
            return self._named[1]
        marks = [QPointF(*pixel) for pixel in self._view.to_screen(self._drawn_places).tolist()]
        window, reach = QRectF(self.rect()), _HALF + _GAP
        boxes: list[QRectF] = []
        for word, mark in zip(self._placed, marks, strict=True):
            width, height = self._labels.text.size(word, scaled_length(_NAME), True)
            sides = [
                QRectF(mark.x() + across, mark.y() + down, width, height)
                for across, down in (
                    (reach, -height / 2),
                    (-reach - width, -height / 2),
                    (-width / 2, -reach - height),
                    (-width / 2, reach),
                )
            ]

            def crowded(box: QRectF) -> tuple[int, bool]:
                others = sum(box.intersects(other) for other in boxes)
                return others + sum(box.contains(at) for at in marks), not window.contains(box)

            boxes.append(min(sides, key=crowded))
        self._named = (self._view, tuple(boxes))
        return self._named[1]

    def set_colours(self, colours: Palette) -> None:
        self._named = None  # the text size may have changed, too
        super().set_colours(colours)

    def _bare_picture(self) -> LabelTask:
        picture = super()._bare_picture()
        window = QRectF(self.rect())
        marks = [
            QRectF(-_HALF, -_HALF, 2 * _HALF, 2 * _HALF).translated(*pixel)
            for pixel in self._view.to_screen(self._drawn_places).tolist()
        ]
        boxes = [box for box in (*self._names_of_placed(), *marks) if box.intersects(window)]
        return replace(picture, reserved=(*picture.reserved, *boxes))

    def _marked_boxes(self) -> tuple[QRectF, ...]:
        return (*super()._marked_boxes(), *self._names_of_placed())

    def _describe(self) -> None:
        super()._describe()
        if self._placed:
            words = tr("placed: {words}", words=", ".join(self._placed))
            self.setAccessibleDescription(f"{self.accessibleDescription()}; {words}")
