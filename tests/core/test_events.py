from __future__ import annotations

from workbench.core.events import Signal


def test_slots_are_called_in_order_of_connection() -> None:
    signal, heard = Signal(), []
    signal.connect(lambda value: heard.append(("first", value)))
    signal.connect(lambda value: heard.append(("second", value)))
    signal.emit(7)
    assert heard == [("first", 7), ("second", 7)]


def test_a_slot_may_disconnect_itself_while_called() -> None:
    signal, heard = Signal(), []

    def once() -> None:
        heard.append("once")
        signal.disconnect(once)

    signal.connect(once)
    signal.connect(lambda: heard.append("always"))
    signal.emit()
    signal.emit()
    assert heard == ["once", "always", "always"]
    signal.disconnect(once)
