"""Offers from the recovery journal in the status bar, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QPushButton

from workbench.core.language import tr, trn
from workbench.session.runs.journal_entries import AbandonedQueue, InterruptedTraining
from workbench.session.session import Session
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import Theme
from workbench.ui.commands.interrupted_menu import (
    DISCARD,
    GO_ON,
    KEEP,
    action_tips,
    discard,
    how_far,
)
from workbench.ui.shell.messages.prompt_bar import OfferBar

Entry = TypeVar("Entry", InterruptedTraining, AbandonedQueue)
# Maximum number of names in the tooltip.
_MOST = 12


class JournalBar(OfferBar, Generic[Entry]):
    """Shown while there is an entry to offer, the latest first; follows the session until
    ``release``.
    """

    def __init__(
        self, key: str, accessible: str, session: Session, bridge: Bridge, theme: Theme
    ) -> None:
        super().__init__(key, accessible, theme)
        self._session = session
        self._bridge = bridge
        self._entry: Entry | None = None
        session.recovery.changed.connect(self.refresh)

    def release(self) -> None:
        """Disconnect from the session."""
        self._session.recovery.changed.disconnect(self.refresh)

    def refresh(self) -> None:
        """Offer the latest entry."""
        entries = self._offers()
        if entries:
            self._entry = entries[-1]
            self._describe(self._entry, len(entries) - 1)
        else:
            self._entry = None
        self.setVisible(self._entry is not None)

    def offer_to(
        self, local: str, text: str, accessible: str, slot: Callable[[Entry], object]
    ) -> QPushButton:
        """Add a button that acts on the offered entry."""

        def call() -> None:
            if self._entry is not None:
                slot(self._entry)

        return self.offer(local, text, accessible, call)

    def throw_away(self, entry: Entry) -> None:
        """Discard the entry; called by the button."""
        discard(entry, self._session, self._bridge)

    def _offers(self) -> Sequence[Entry]:
        """The entries to offer, latest last; defined by subclasses."""
        raise NotImplementedError

    def _describe(self, entry: Entry, others: int) -> None:
        """Show an entry and the number of other entries; defined by subclasses."""
        raise NotImplementedError


class InterruptedBar(JournalBar[InterruptedTraining]):
    """Offers interrupted trainings."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__("interrupted", tr("Interrupted training"), session, bridge, theme)
        offers = (
            ("continue", GO_ON, session.recovery.go_on),
            ("keep", KEEP, session.recovery.keep),
            ("discard", DISCARD, self.throw_away),
        )
        self.go_on, self.keep, self.discard = self._buttons = [
            self.offer_to(local, text, tr("{text}: the interrupted training", text=text), slot)
            for local, text, slot in offers
        ]
        self.refresh()

    def _offers(self) -> Sequence[InterruptedTraining]:
        return self._session.recovery.interrupted

    def _describe(self, entry: InterruptedTraining, others: int) -> None:
        values = {"name": entry.name, "corpus": entry.corpus_name, "far": how_far(entry)}
        if entry.corpus_name:
            text = tr("“{name}” on {corpus} was {far}.", **values)
        else:
            text = tr("“{name}” was {far}.", **values)
        if others:
            text += " " + trn(
                "{number:,} other was interrupted too.",
                "{number:,} others were interrupted too.",
                others,
            )
        self.text.put(text)
        for button in self._buttons:
            button.setToolTip(safe_tip(action_tips(entry)[button.text()]))


class WaitingBar(JournalBar[AbandonedQueue]):
    """Offers trainings that were waiting in the queue of an earlier process."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__("waiting", tr("Queued runs"), session, bridge, theme)
        train, remove = session.recovery.train, self.throw_away
        self.train = self.offer_to("train", tr("Train"), tr("Restore the queue"), train)
        self.train.setToolTip(tr("Add the runs to the queue again, in the same order"))
        self.discard = self.offer_to("discard", DISCARD, tr("Discard the queued runs"), remove)
        self.discard.setToolTip(tr("Discard the queued runs. None of them had started."))
        self.refresh()

    def _offers(self) -> Sequence[AbandonedQueue]:
        return self._session.recovery.queues

    def _describe(self, entry: AbandonedQueue, others: int) -> None:
        trainings, corpus = entry.entries, entry.corpus_name
        if len(trainings) == 1:
            text = tr(
                "“{name}” on {corpus} was still in the queue.",
                name=trainings[0].name,
                corpus=corpus,
            )
        else:
            text = trn(
                "{number:,} training on {corpus} was still in the queue.",
                "{number:,} trainings on {corpus} were still in the queue.",
                len(trainings),
                corpus=corpus,
            )
        self.text.put(text)
        names = [training.name for training in trainings[:_MOST]]
        if len(trainings) > _MOST:
            names.append("…")
        self.text.setToolTip(safe_tip("\n".join(names)))
