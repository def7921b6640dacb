"""Offers to train what waited when the workbench ended."""

from __future__ import annotations

from workbench.core.language import tr, trn
from workbench.session.session import Session
from workbench.session.waiting import Left
from workbench.ui.bridge import Bridge
from workbench.ui.plain_text import safe_tip
from workbench.ui.theme import Theme
from workbench.ui.widgets.interrupted_menu import DISCARD
from workbench.ui.widgets.offer_bar import OfferBar

# Names in the tooltip.
_MOST = 12


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
        self._shown = left[-1] if left else None
        self.setVisible(self._shown is not None)
        if self._shown is None:
            return
        entries, corpus = self._shown.entries, self._shown.corpus_name
        self.text.put(
            tr("“{name}”, on {corpus}, was still waiting to begin.", name=entries[0].name, corpus=corpus)
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
            trn("{number:,} training was discarded.", "{number:,} trainings were discarded.", number),
            tr("Undo"),
            self._session.waiting.undiscard,
        )
