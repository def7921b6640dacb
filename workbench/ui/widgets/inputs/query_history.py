"""History of queries, to step through and repeat."""

from __future__ import annotations

Asked = tuple[str, str, str]

_MOST = 50


class QueryHistory:
    """The analogies of this session without duplicates, latest last, and the current one."""

    def __init__(self) -> None:
        self._questions: list[Asked] = []
        self._at = -1

    def add(self, words: Asked) -> None:
        """Add a question; a repeated question keeps its position if it is the current one."""
        if 0 <= self._at < len(self._questions) and self._questions[self._at] == words:
            return
        self._questions = [*(known for known in self._questions if known != words), words][-_MOST:]
        self._at = len(self._questions) - 1

    @property
    def latest_first(self) -> tuple[Asked, ...]:
        return tuple(reversed(self._questions))

    def step(self, forward: bool) -> Asked | None:
        """The question before or after the current one, or None beyond the ends."""
        at = self._at + (1 if forward else -1)
        if not 0 <= at < len(self._questions):
            return None
        self._at = at
        return self._questions[at]
