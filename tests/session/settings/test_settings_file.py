from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.core.paths import settings_folder
from workbench.core.setting import Object, Option, Setting, mapping_of, record_of, strings
from workbench.session.corpus.recent_files import RECENT, add_recent, recent_files
from workbench.session.settings.settings_file import Settings
from workbench.session.settings.settings_migrations import STEPS, VERSION

pytestmark = pytest.mark.usefixtures("home")

NUMBER = Setting("tests.number", int, 5, low=1, high=9)
SHARE = Setting("tests.share", float, 0.5, low=0, high=1)
NAME = Setting("tests.name", str, "")
TICK = Setting("tests.tick", bool, True)
COLOUR = Setting("tests.colour", str, "red", choices={"red": Option("Red"), "blue": Option("Blue")})
WORDS = Setting[tuple[str, ...] | None]("tests.words", strings, None)
COUNTS = Setting[Object]("tests.counts", mapping_of(int), {})
PAGE = Setting[Object](
    "tests.page", record_of(width=174.0, captioned=True), {"width": 174.0, "captioned": True}
)


def _file() -> Path:
    return settings_folder() / "settings.json"


def _write(**values: Any) -> None:
    _file().write_text(json.dumps({"version": VERSION, **values}), encoding="utf-8")


def test_values_outlive_the_sitting() -> None:
    settings = Settings()
    settings[NUMBER] = 7
    settings[NAME] = "“ü”"
    settings[WORDS] = ("a", "b")
    settings[COUNTS] = {"a": 1}
    again = Settings()
    assert (again[NUMBER], again[NAME], again[WORDS]) == (7, "“ü”", ("a", "b"))
    assert (again[COUNTS], again[SHARE]) == ({"a": 1}, 0.5)
    assert again.all()["tests.words"] == ["a", "b"]


def test_two_processes_keep_each_others_values() -> None:
    one, other = Settings(), Settings()
    one[NUMBER] = 2
    other[NAME] = "x"
    other.put({"a key of tomorrow": [1]})
    assert Settings().all() == {
        "version": VERSION,
        "tests.number": 2,
        "tests.name": "x",
        "a key of tomorrow": [1],
    }


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", bytes(range(256)), b"[" * 100_000, b"null"])
def test_a_damaged_file_starts_anew(content: bytes) -> None:
    _file().write_bytes(content)
    settings = Settings()
    assert settings[NUMBER] == 5
    settings[NUMBER] = 6
    assert Settings()[NUMBER] == 6


def test_what_json_has_no_numbers_for_is_not_known() -> None:
    _file().write_text('{"version": 1, "a": NaN, "b": [-Infinity, 1e999, 2.5]}', encoding="utf-8")
    settings = Settings()
    # NaN in the settings would keep a session from being saved.
    assert settings.all() == {"version": 1, "a": None, "b": [None, None, 2.5]}
    settings[NUMBER] = 1
    assert "NaN" not in _file().read_text(encoding="utf-8")


def test_settings_that_cannot_be_written_last_for_the_sitting() -> None:
    settings = Settings()
    _file().mkdir()
    settings[NUMBER] = 3
    assert settings[NUMBER] == 3


def test_what_could_not_be_written_is_said_until_it_can() -> None:
    settings = Settings()
    _file().mkdir()
    settings[NUMBER] = 3
    assert settings.problem is not None
    _file().rmdir()
    settings[NAME] = "x"
    assert settings.problem is None


@pytest.mark.parametrize(
    ("setting", "value", "read"),
    [
        (NUMBER, 1, 1),
        (NUMBER, 9, 9),
        (NUMBER, 0, 5),
        (NUMBER, 10, 5),
        (NUMBER, 10**400, 5),
        (NUMBER, "x", 5),
        (NUMBER, True, 5),
        (NUMBER, None, 5),
        (SHARE, 1, 1.0),
        (SHARE, 2, 0.5),
        (NAME, 3, ""),
        (TICK, False, False),
        (TICK, "nothing", True),
        (COLOUR, "blue", "blue"),
        (COLOUR, "green", "red"),
        (COLOUR, ["blue"], "red"),
        (WORDS, [], ()),
        (WORDS, ["a", 1, None], ("a",)),
        (WORDS, "a", None),
        (COUNTS, {"a": 1, "b": "x"}, {"a": 1}),
        (COUNTS, [1], {}),
        (PAGE, {"width": 80, "captioned": "x"}, {"width": 80.0, "captioned": True}),
        (PAGE, 3, {"width": 174.0, "captioned": True}),
    ],
)
def test_a_value_that_does_not_fit_is_the_default_and_the_others_stay(
    setting: Setting[Any], value: object, read: object
) -> None:
    _write(**{"tests.number": 4, "tests.name": "kept", setting.key: value})
    settings = Settings()
    assert settings[setting] == read
    assert settings[NAME] == "kept" if setting is NUMBER else settings[NUMBER] == 4
    assert settings.all()[setting.key] == value


def test_changes_are_announced_and_so_is_the_same_choice_again() -> None:
    settings = Settings()
    seen: list[object] = []
    settings.changes(NUMBER).connect(seen.append)
    settings[NUMBER] = 7
    settings[NAME] = "x"
    settings[NUMBER] = 7
    settings.put({"tests.number": 8, "tests.name": "y"})
    settings.put({"tests.number": "nonsense"})
    assert seen == [7, 7, 8, 5]
    settings.changes(NUMBER).disconnect(seen.append)
    settings[NUMBER] = 9
    assert len(seen) == 4


def test_a_key_is_declared_once() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        Setting("tests.number", int, 1)


def test_recent_keeps_the_latest_first_and_only_what_exists(tmp_path: Path) -> None:
    settings = Settings()
    files = []
    for number in range(15):
        path = tmp_path / f"{number}.txt"
        path.write_text("x")
        files.append(str(path))
        add_recent(settings, [str(path)])
    add_recent(settings, [files[13]])
    assert recent_files(settings)[:3] == [[files[13]], [files[14]], [files[12]]]
    assert len(recent_files(settings)) == 12
    (tmp_path / "14.txt").unlink()
    assert [files[14]] not in recent_files(settings)
    settings[RECENT] = ()
    assert (recent_files(settings), recent_files(Settings())) == ([], [])
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
        settings.put({"recent": garbage})
        assert recent_files(settings) == []


# -- versions


def test_every_version_has_a_step_to_the_next() -> None:
    assert sorted(STEPS) == list(range(VERSION))


def test_settings_of_0_1_0_are_read_without_loss(tmp_path: Path) -> None:
    paths = []
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text("x")
        paths.append(str(tmp_path / name))
    first, second, third = paths
    older = {
        "theme": "dark",
        "map.sets": [{"name": "pets", "words": ["cat"]}],
        "recent": [
            [first],
            {"paths": [second], "options": {"column": "text"}},
            {"paths": [third], "options": {"column": "body"}},
        ],
        "corpus.readings": [{"paths": [third], "options": {"phrases": 2}}],
        "a key of nobody": {"x": 1},
    }
    _file().write_text(json.dumps(older), encoding="utf-8")
    settings = Settings()
    assert recent_files(settings) == [[first], [second], [third]]
    assert {key: settings.all()[key] for key in ("theme", "map.sets", "a key of nobody")} == {
        key: older[key] for key in ("theme", "map.sets", "a key of nobody")
    }
    assert settings.all()["corpus.readings"] == [
        {"paths": [third], "options": {"phrases": 2}},
        {"paths": [second], "options": {"column": "text"}},
    ]
    # Nothing is written before a setting changes; then the whole file has the current version.
    assert json.loads(_file().read_text(encoding="utf-8")) == older
    settings[NUMBER] = 6
    assert Settings().all() == {**settings.all(), "version": VERSION}


@pytest.mark.parametrize("version", ["x", -1, True, None, 1.5])
def test_a_version_that_makes_no_sense_is_the_oldest(version: object) -> None:
    _file().write_text(
        json.dumps({"version": version, "recent": [{"paths": ["/a"]}], "tests.number": 7})
    )
    settings = Settings()
    assert settings.all() == {
        "version": VERSION,
        "recent": [["/a"]],
        "corpus.readings": [{"paths": ["/a"]}],
        "tests.number": 7,
    }


def test_settings_of_a_newer_program_keep_their_version() -> None:
    _file().write_text(json.dumps({"version": 99, "tests.number": 7, "new": [1]}))
    settings = Settings()
    assert settings[NUMBER] == 7
    settings[NUMBER] = 8
    assert Settings().all() == {"version": 99, "tests.number": 8, "new": [1]}
