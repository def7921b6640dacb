"""Short messages of the session: the window shows them briefly, the log keeps errors."""

from __future__ import annotations

from workbench.core.errors import UserError
from workbench.core.events import Signal


class Messages(Signal[str, str, bool]):
    """Signal with a text, a hint and whether the message is an error.

    retracted : a text whose message no longer applies
    """

    def __init__(self) -> None:
        super().__init__()
        self.retracted = Signal[str]()

    def report(self, error: UserError) -> None:
        self.emit(error.message, error.hint, True)
