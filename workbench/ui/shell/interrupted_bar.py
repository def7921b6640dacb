"""Offers to go on with trainings that were interrupted, one after the other, without standing in
anybody's way.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from workbench.core.language import tr, trn
from workbench.session.recovery.checkpoint import Interrupted
from workbench.session.recovery.queue import Left
from workbench.session.session import Session
from workbench.ui.plain_text import safe_tip
from workbench.ui.shell.interrupted_menu import DISCARD, GO_ON, KEEP, action_tips, discard, how_far
from workbench.ui.shell.prompt_bar import OfferBar
from workbench.ui.shell.session_timer import Bridge
from workbench.ui.theme import Theme

# Names in the tooltip.
_MOST = 12


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
        if entries:
            self._shown = entries[-1]
        else:
            self._shown = None
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        entry = self._shown
        far = how_far(entry)
        parts = [
            tr(
                "“{name}”, on {corpus}, was {far}.",
                name=entry.name,
                corpus=entry.corpus_name,
                far=far,
            )
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
            button.setToolTip(safe_tip(action_tips(entry)[button.text()]))

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


class WaitingBar(OfferBar):
    """Shown while there is something to offer, the latest first; ``release`` ends its listening."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__("waiting", tr("Trainings that waited"), theme)
        self._session = session
        self._bridge = bridge
        self._shown: Left | None = None
        self.train = self.offer("train", tr("Train"), tr("Train what waited"), self._train)
        self.train.setToolTip(tr("Put them into the queue again, in their order"))
        self.discard = self.offer("discard", DISCARD, tr("Discard what waited"), self._discard)
        self.discard.setToolTip(tr("Forget them; nothing of them was trained"))
        session.waiting.changed.connect(self.refresh)
        self.refresh()

    def release(self) -> None:
        """Hear nothing of the session any more."""
        self._session.waiting.changed.disconnect(self.refresh)

    def refresh(self) -> None:
        left = self._session.waiting.left
        if left:
            self._shown = left[-1]
        else:
            self._shown = None
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        entries, corpus = self._shown.entries, self._shown.corpus_name
        self.text.put(
            tr(
                "“{name}”, on {corpus}, was still waiting to begin.",
                name=entries[0].name,
                corpus=corpus,
            )
            if len(entries) == 1
            else trn(
                "{number:,} training on {corpus} was still waiting to begin.",
                "{number:,} trainings on {corpus} were still waiting to begin.",
                len(entries),
                corpus=corpus,
            )
        )
        names = [entry.name for entry in entries[:_MOST]] + ["…"] * (len(entries) > _MOST)
        self.text.setToolTip(safe_tip("\n".join(names)))

    def _train(self) -> None:
        if self._shown is not None:
            self._session.waiting.train(self._shown)

    def _discard(self) -> None:
        if self._shown is None:
            return
        number = len(self._shown.entries)
        if not self._session.waiting.discard(self._shown):
            return
        self._bridge.offer(
            trn(
                "{number:,} training was discarded.", "{number:,} trainings were discarded.", number
            ),
            tr("Undo"),
            self._session.waiting.undiscard,
        )
