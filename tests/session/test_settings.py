from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.paths import settings_folder
from workbench.session.settings import Settings

pytestmark = pytest.mark.usefixtures("home")


def test_values_outlive_the_sitting() -> None:
    settings = Settings()
    settings.set("theme", "dark")
    settings.set("window", {"size": [1, 2], "name": "“ü”"})
    again = Settings()
    assert again.get("theme") == "dark"
    assert again.get("window") == {"size": [1, 2], "name": "“ü”"}
    assert again.get("nothing", 5) == 5


def test_two_processes_keep_each_others_values() -> None:
    one, other = Settings(), Settings()
    one.set("theme", "dark")
    other.set("size", 3)
    assert (Settings().get("theme"), Settings().get("size")) == ("dark", 3)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", bytes(range(256)), b"[" * 100_000, b"null"])
def test_a_damaged_file_starts_anew(content: bytes) -> None:
    path = settings_folder() / "settings.json"
    path.write_bytes(content)
    settings = Settings()
    assert settings.get("theme") is None
    settings.set("theme", "light")
    assert Settings().get("theme") == "light"


def test_what_json_has_no_numbers_for_is_not_known() -> None:
    path = settings_folder() / "settings.json"
    path.write_text('{"theme": "dark", "a": NaN, "b": [-Infinity, 1e999, 2.5]}', encoding="utf-8")
    settings = Settings()
    # NaN in the settings would keep a session from being saved.
    assert settings.all() == {"theme": "dark", "a": None, "b": [None, None, 2.5]}
    settings.set("c", 1)
    assert "NaN" not in path.read_text(encoding="utf-8")


def test_settings_that_cannot_be_written_last_for_the_sitting() -> None:
    settings = Settings()
    (settings_folder() / "settings.json").mkdir()
    settings.set("theme", "dark")
    assert settings.get("theme") == "dark"


def test_recent_keeps_the_latest_first_and_only_what_exists(tmp_path: Path) -> None:
    settings = Settings()
    files = []
    for number in range(15):
        path = tmp_path / f"{number}.txt"
        path.write_text("x")
        files.append(str(path))
        settings.add_recent([str(path)])
    settings.add_recent([files[13]])
    assert settings.recent[:3] == [[files[13]], [files[14]], [files[12]]]
    assert len(settings.recent) == 12
    (tmp_path / "14.txt").unlink()
    assert [files[14]] not in settings.recent
    settings.forget("recent")
    assert (settings.recent, Settings().recent) == ([], [])
    garbage: object
    for garbage in (
        5,
        [5],
        [["a", 5]],
        [[]],
        {"a": 1},
        [["x" * 5000]],
        [["\0"]],
        [{"paths": files[:1], "options": 5}],
        [{}],
    ):
        settings.set("recent", garbage)
        assert settings.recent == []


def test_forgetting_a_value_keeps_what_another_process_wrote_meanwhile() -> None:
    one, other = Settings(), Settings()
    one.set("theme", "dark")
    other.set("size", 3)
    one.forget("theme", "never")
    assert Settings().all() == {"size": 3}


@pytest.mark.parametrize(
    ("value", "read"), [(1, 1), (9, 9), (0, 5), (10, 5), ("3", 5), (None, 5), (2.0, 5)]
)
def test_a_whole_number_out_of_its_range_is_the_usual_one(value: object, read: int) -> None:
    settings = Settings()
    settings.set("number", value)
    assert settings.whole("number", 5, 1, 9) == read


def test_what_could_not_be_written_is_said_until_it_can() -> None:
    settings = Settings()
    place = settings_folder() / "settings.json"
    place.mkdir()
    settings.set("theme", "dark")
    assert settings.problem is not None
    place.rmdir()
    settings.set("size", 3)
    assert settings.problem is None
