"""Offers to go on with trainings that were interrupted, one after the other, without standing in anybody's way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from workbench.core.language import tr, trn
from workbench.session.interrupted import Interrupted
from workbench.session.session import Session
from workbench.ui.bridge import Bridge
from workbench.ui.plain_text import safe_tip
from workbench.ui.theme import Theme
from workbench.ui.widgets.interrupted_menu import DISCARD, GO_ON, KEEP, discard, how_far, tips
from workbench.ui.widgets.offer_bar import OfferBar


class InterruptedBar(OfferBar):
    """Shown while there is something to offer; ``release`` ends its listening."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__("interrupted", tr("Interrupted training"), theme)
        self._session = session
        self._bridge = bridge
        self._shown: Interrupted | None = None
        self.go_on = self._button("continue", GO_ON, self._go_on)
        self.keep = self._button("keep", KEEP, self._keep)
        self.discard = self._button("discard", DISCARD, self._discard)
        session.interrupted.changed.connect(self.refresh)
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
            button.setToolTip(safe_tip(tips(entry)[button.text()]))

    def _button(self, local: str, text: str, slot: Callable[[], None]) -> QPushButton:
        return self.offer(local, text, tr("{text}: the interrupted training", text=text), slot)

    def _go_on(self) -> None:
        if self._shown is not None:
            self._session.interrupted.go_on(self._shown)

    def _keep(self) -> None:
        if self._shown is not None:
            self._session.interrupted.keep(self._shown)

    def _discard(self) -> None:
        if self._shown is not None:
            discard(self._shown, self._session, self._bridge)
