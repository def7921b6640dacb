from __future__ import annotations

from workbench.core.events import Signal


def test_slots_are_called_in_order_of_connection() -> None:
    signal = Signal[int]()
    calls: list[tuple[str, int]] = []
    signal.connect(lambda value: calls.append(("first", value)))
    signal.connect(lambda value: calls.append(("second", value)))
    signal.emit(7)
    assert calls == [("first", 7), ("second", 7)]


def test_a_slot_may_disconnect_itself_while_called() -> None:
    signal = Signal[()]()
    calls: list[str] = []

    def once() -> None:
        calls.append("once")
        signal.disconnect(once)

    signal.connect(once)
    signal.connect(lambda: calls.append("always"))
    signal.emit()
    signal.emit()
    assert calls == ["once", "always", "always"]
    signal.disconnect(once)
