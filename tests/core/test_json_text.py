from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from workbench.core.json_text import json_text

ANY = st.text(st.characters(codec=None))


@given(st.recursive(ANY, lambda inner: st.lists(inner) | st.dictionaries(ANY, inner)))
def test_whatever_texts_there_are_can_be_written_and_read(value: object) -> None:
    assert json.loads(json_text(value, indent=1).encode("utf-8")) == value


def test_other_texts_stay_legible() -> None:
    assert json_text({"ü": "“😀”"}) == '{"ü": "“😀”"}'
