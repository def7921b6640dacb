"""Offers to go on with trainings that were interrupted, one after the other, without standing in anybody's way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from workbench.core.language import tr, trn
from workbench.session.interrupted import Interrupted
from workbench.session.session import Session
from workbench.ui.bridge import Bridge
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_4, Theme
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.interrupted_menu import DISCARD, GO_ON, KEEP, discard, how_far, tips


class InterruptedBar(QFrame):
    """Shown while there is something to offer; ``release`` ends its listening."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._bridge = bridge
        self._theme = theme
        self._shown: Interrupted | None = None
        self.setObjectName("interrupted")
        self.setAccessibleName(tr("Interrupted training"))
        self._icon = QLabel()
        self.text = ElidedLabel()
        self.text.setObjectName("interrupted.text")
        self.go_on = self._button("continue", GO_ON, self._go_on)
        self.keep = self._button("keep", KEEP, self._keep)
        self.discard = self._button("discard", DISCARD, self._discard)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_4, SPACE_1, SPACE_2, SPACE_1)
        row.setSpacing(SPACE_2)
        row.addWidget(self._icon)
        row.addWidget(self.text, 1)
        for button in (self.go_on, self.keep, self.discard):
            row.addWidget(button)
        session.interrupted.changed.connect(self.refresh)
        theme.changed.connect(self._retheme)
        self._retheme()
        self.refresh()

    def release(self) -> None:
        """Hear nothing of the session any more."""
        self._session.interrupted.changed.disconnect(self.refresh)

    def refresh(self) -> None:
        """Offer the latest of those there are."""
        entries = self._session.interrupted.entries
        self._shown = entries[-1] if entries else None
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        entry = self._shown
        far = how_far(entry)
        parts = [
            tr("“{name}”, on {corpus}, was {far}.", name=entry.name, corpus=entry.corpus_name, far=far)
            if entry.corpus_name
            else tr("“{name}” was {far}.", name=entry.name, far=far)
        ]
        if len(entries) > 1:
            parts.append(
                trn(
                    "{number:,} other was interrupted, too.",
                    "{number:,} others were interrupted, too.",
                    len(entries) - 1,
                )
            )
        self.text.put(" ".join(parts))
        for button in (self.go_on, self.keep, self.discard):
            button.setToolTip(tips(entry)[button.text()])

    def _button(self, local: str, text: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(f"interrupted.{local}")
        button.setAccessibleName(tr("{text}: the interrupted training", text=text))
        button.clicked.connect(slot)
        return button

    def _go_on(self) -> None:
        if self._shown is not None:
            self._session.interrupted.go_on(self._shown)

    def _keep(self) -> None:
        if self._shown is not None:
            self._session.interrupted.keep(self._shown)

    def _discard(self) -> None:
        if self._shown is not None:
            discard(self._shown, self._session, self._bridge)

    def _retheme(self) -> None:
        self._icon.setPixmap(self._theme.icon("info", "muted").pixmap(16, 16))
        colours = self._theme.palette
        self.setStyleSheet(
            f"InterruptedBar {{ background: {colours.raised}; border-bottom: 1px solid {colours.line}; }}"
        )
