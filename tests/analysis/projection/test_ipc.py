from __future__ import annotations

import io
import pickle

import numpy as np
import pytest

from workbench.analysis.projection.ipc import receive, send


def test_messages_arrive_as_they_were_sent() -> None:
    stream = io.BytesIO()
    arrays = [np.arange(6, dtype=np.int32).reshape(2, 3), np.zeros((0, 2), np.float32)]
    send(stream, {"type": "x", "ü": [1, 2.5, None]}, arrays)
    send(stream, {"type": "y"})
    stream.seek(0)
    first, second = receive(stream), receive(stream)
    assert first is not None
    assert second is not None
    assert first.header == {"type": "x", "ü": [1, 2.5, None]}
    assert [array.dtype for array in first.arrays] == [np.int32, np.float32]
    assert all(np.array_equal(a, b) for a, b in zip(first.arrays, arrays, strict=True))
    assert second.header == {"type": "y"}
    assert second.arrays == ()
    assert receive(stream) is None


def test_a_message_cut_short_is_the_end() -> None:
    whole = io.BytesIO()
    send(whole, {"type": "x"}, [np.arange(3)])
    for length in range(len(whole.getvalue())):
        assert receive(io.BytesIO(whole.getvalue()[:length])) is None


def test_pickles_do_not_pass() -> None:
    with pytest.raises(ValueError, match="Object arrays"):
        send(io.BytesIO(), {}, [np.array([object()])])
    stream = io.BytesIO()
    send(stream, {}, [np.arange(3)])
    head = stream.getvalue()[: 8 + int.from_bytes(stream.getvalue()[:8], "little")]
    payload = pickle.dumps([1])
    with pytest.raises(ValueError, match=r"magic|pickle"):
        receive(io.BytesIO(head + len(payload).to_bytes(8, "little") + payload))
    with pytest.raises(ValueError, match="bytes"):
        receive(io.BytesIO(b"\xff" * 8))
