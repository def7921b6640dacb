"""Files dragged over the window: a hint that shows the effect of dropping them, and opening them on
the drop.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMainWindow, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr, trn
from workbench.counts.pair_files import has_pairs
from workbench.counts.shards import is_sharded
from workbench.session.files.session_archive import is_session
from workbench.session.session import Session
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import TYPE_LARGE, TYPE_TITLE, body_font, scaled_length
from workbench.ui.base.theme import Theme
from workbench.ui.dialogs.open import open_paths
from workbench.vectors.formats import sniff, source


def drop_action(paths: Sequence[str]) -> tuple[str, str]:
    """The effect of dropping these files or folders: a title and a sentence. Reads the beginning of
    each file.
    """
    if not paths:
        return "", ""
    names = Path(paths[0]).name
    if len(paths) > 1:
        names = tr("{name} and {number} more", name=names, number=len(paths) - 1)
    missing = next((path for path in paths if not Path(path).exists()), None)
    if missing is not None:
        return "", tr("Couldn’t find {name}.", name=missing)
    if len(paths) == 1 and is_session(Path(paths[0])):
        return tr("Open the session {names}", names=names), tr(
            "Its runs, corpus and layout replace those of this session."
        )
    if len(paths) == 1 and (is_sharded(paths[0]) or has_pairs(paths[0])):
        return tr("Open the counts {names}", names=names), tr(
            "Replaces the open corpus. Only algorithms that train from counts are available."
        )
    kinds = [_vectors(path) for path in paths]
    vectors = [kind for kind in kinds if kind]
    if len(vectors) == len(kinds):
        what = source(vectors[0]).title if len(set(vectors)) == 1 else tr("several formats")
        return tr("Open the vectors {names}", names=names), trn(
            "{what}: becomes a run. The corpus stays open.",
            "{what}: become runs. The corpus stays open.",
            len(vectors),
            what=what,
        )
    if vectors:
        return tr("Open {names}", names=names), tr(
            "Files with vectors become runs ({number}), and the text becomes the corpus.",
            number=len(vectors),
        )
    if any(Path(path).is_dir() for path in paths):
        return tr("Open all text in {names}", names=names), tr(
            "Reads all files as one corpus, which replaces the open one."
        )
    return tr("Open the text {names}", names=names), tr(
        "Reads the text as a corpus, which replaces the open one."
    )


def _vectors(path: str) -> str | None:
    try:
        return sniff(path)
    except (UserError, OSError):
        return None


def local_paths(data: QMimeData) -> list[str]:
    """The local files and folders among the dragged items."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class DropHint(QWidget):
    """Covers the whole window while files are dragged over it; ignores all events."""

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self.title = self.text = ""
        self.setObjectName("window.drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        window.installEventFilter(self)
        self.hide()

    def enter(self, event: QDragEnterEvent) -> None:
        paths = local_paths(event.mimeData())
        self.title, self.text = drop_action(paths)
        if not self.title:
            return
        event.acceptProposedAction()
        self.setAccessibleName(f"{self.title}. {self.text}")
        self._update_geometry()
        self.show()
        self.raise_()

    def move_over(self, event: QDragMoveEvent) -> None:
        if self.title:
            event.acceptProposedAction()

    def leave(self) -> None:
        self.hide()

    def drop(self, event: QDropEvent, session: Session) -> None:
        self.hide()
        paths = local_paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            open_paths(session, paths)

    def _update_geometry(self) -> None:
        window = self.parentWidget()
        if window is not None:
            self.setGeometry(window.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._update_geometry()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(colours.ground)
        veil.setAlphaF(0.82)
        painter.fillRect(self.rect(), veil)
        frame = QRectF(self.rect()).adjusted(14, 14, -14, -14)
        pen = QPen(QColor(colours.accent), 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(frame, 12, 12)
        box = QRectF(0, 0, min(scaled_length(620), self.width() - 80), scaled_length(120))
        box.moveCenter(QRectF(self.rect()).center())
        painter.setPen(QPen(QColor(colours.accent), 1))
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(box, 10, 10)
        inner = box.adjusted(
            scaled_length(20), scaled_length(18), -scaled_length(20), -scaled_length(18)
        )
        painter.setFont(body_font(TYPE_TITLE, bold=True))
        painter.setPen(QColor(colours.text))
        title = painter.fontMetrics().elidedText(
            paintable_text(self.title), Qt.TextElideMode.ElideMiddle, int(inner.width())
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(body_font(TYPE_LARGE))
        painter.setPen(QColor(colours.muted))
        flags = (
            Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
        )
        painter.drawText(inner, flags, self.text)
