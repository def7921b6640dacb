"""The words that were in focus, in order."""

from __future__ import annotations

# Maximum number of words.
_MOST = 200


class WordHistory:
    """History of words, as in a browser: a visit after going back discards the words ahead."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._at = -1

    def visit_word(self, word: str) -> None:
        """Add a word; the current word changes nothing."""
        if self._at >= 0 and self._words[self._at] == word:
            return
        self._words = [*self._words[: self._at + 1], word][-_MOST:]
        self._at = len(self._words) - 1

    def forget_word(self, word: str) -> None:
        """Remove a word from the history."""
        before = sum(other != word for other in self._words[: self._at + 1])
        self._words = [other for other in self._words if other != word]
        self._at = before - 1

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at + 1 < len(self._words)

    def go_back(self) -> str | None:
        """Go to the previous word and return it."""
        if not self.can_go_back:
            return None
        self._at -= 1
        return self._words[self._at]

    def go_forward(self) -> str | None:
        """Go to the next word and return it."""
        if not self.can_go_forward:
            return None
        self._at += 1
        return self._words[self._at]
