"""A plain signal, so that only the window needs Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVarTuple

Arguments = TypeVarTuple("Arguments")


class Signal(Generic[*Arguments]):
    """Callbacks called in order of connection, in the thread that emits.

    The session emits only from the thread that owns it, so a panel may touch its widgets in a
    callback.
    """

    def __init__(self) -> None:
        self._slots: list[Callable[[*Arguments], Any]] = []

    def connect(self, slot: Callable[[*Arguments], Any]) -> None:
        self._slots.append(slot)

    def disconnect(self, slot: Callable[[*Arguments], Any]) -> None:
        if slot in self._slots:
            self._slots.remove(slot)

    def emit(self, *arguments: *Arguments) -> None:
        for slot in tuple(self._slots):
            slot(*arguments)
