"""Names of texts that don't exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.session.corpus.reading import read_corpus


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("small-wrld", "Did you mean “small-world”?"),
        ("novl.txt", "Did you mean “novel.txt”?"),
        ("atlas.txt", "Check the path."),
    ],
)
def test_a_similar_name_is_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, hint: str
) -> None:
    (tmp_path / "novel.txt").write_text("It was the best of times.\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=f"{name} doesn’t exist") as error:
        read_corpus([name])
    assert error.value.hint == hint


def test_a_name_in_another_folder_isnt_a_bundled_corpus(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        read_corpus([tmp_path / "small-wrld"])
    assert error.value.hint == "Check the path."
