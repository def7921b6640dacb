"""The words looked at, one after another, and the way back."""

from __future__ import annotations

_MOST = 200


class History:
    """As a browser keeps it: a visit after going back forgets what was ahead."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._at = -1

    def visit(self, word: str) -> None:
        """Look at a word; the one that is looked at already changes nothing."""
        if self._at >= 0 and self._words[self._at] == word:
            return
        self._words = [*self._words[: self._at + 1], word][-_MOST:]
        self._at = len(self._words) - 1

    def forget(self, word: str) -> None:
        """Never come back to a word."""
        before = sum(other != word for other in self._words[: self._at + 1])
        self._words = [other for other in self._words if other != word]
        self._at = before - 1

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at + 1 < len(self._words)

    def back(self) -> str | None:
        """The word before, which then is the one looked at."""
        if not self.can_go_back:
            return None
        self._at -= 1
        return self._words[self._at]

    def forward(self) -> str | None:
        """The word that was gone back from."""
        if not self.can_go_forward:
            return None
        self._at += 1
        return self._words[self._at]
