"""History of queries, to step through and repeat."""

from __future__ import annotations

Asked = tuple[str, str, str]

_MOST = 50


class QueryHistory:
    """The analogies of this session, each once, the latest last, and the current one."""

    def __init__(self) -> None:
        self._asked: list[Asked] = []
        self._at = -1

    def add(self, words: Asked) -> None:
        """Note a question; the current one stays in its place."""
        if 0 <= self._at < len(self._asked) and self._asked[self._at] == words:
            return
        self._asked = [*(known for known in self._asked if known != words), words][-_MOST:]
        self._at = len(self._asked) - 1

    @property
    def latest_first(self) -> tuple[Asked, ...]:
        return tuple(reversed(self._asked))

    def step(self, forward: bool) -> Asked | None:
        """The question before or after the current one, or None at the end."""
        at = self._at + (1 if forward else -1)
        if not 0 <= at < len(self._asked):
            return None
        self._at = at
        return self._asked[at]
