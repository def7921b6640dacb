"""Files of tests: what is read, and one sentence for each thing that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.analysis.associations.word_sets import (
    BUNDLED,
    bundled_path,
    load_tests,
    typed_test,
)
from workbench.core.errors import UserError

GOOD = """
title = "Jobs"
source = "Nobody 2020"
[sets]
trades = ["engineer", "pilot", "engineer"]
care = ["nurse", " teacher "]
men = ["he", "him"]
women = ["she", "her"]
[tests.jobs]
targets = ["trades", "care"]
attributes = ["men", "women"]
pairs = true
[tests.again]
title = "Turned round"
source = "Somebody 2021"
targets = ["care", "trades"]
attributes = ["men", "women"]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sets.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_sets_and_tests_are_read_in_order(tmp_path: Path) -> None:
    found = load_tests(written(tmp_path, GOOD))
    assert (found.title, found.source) == ("Jobs", "Nobody 2020")
    jobs, again = found.tests
    assert (jobs.key, jobs.title, jobs.source, jobs.paired) == ("jobs", "", "Nobody 2020", True)
    assert jobs.x.words == ("engineer", "pilot")
    assert jobs.y.words == ("nurse", "teacher")
    assert [each.name for each in jobs.sets] == ["trades", "care", "men", "women"]
    assert (again.title, again.source, again.paired) == ("Turned round", "Somebody 2021", False)
    assert again.x == jobs.y


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("[sets]", "[sets"), "isn’t valid TOML"),
        (('title = "Jobs"', "title = 3"), "the file: title isn’t text"),
        (('title = "Jobs"', 'titel = "Jobs"'), "the file has unknown keys: “titel”"),
        (("[sets]", "[words]"), "unknown keys: “words”"),
        (('men = ["he", "him"]', "men = []"), "the set “men” has no words"),
        (('men = ["he", "him"]', 'men = "he"'), "the set “men” isn’t a list of words"),
        (('men = ["he", "him"]', 'men = ["he", 3]'), "the set “men” isn’t a list of words"),
        (('men = ["he", "him"]', 'men = ["he", " "]'), "the set “men” isn’t a list of words"),
        (('men = ["he", "him"]', 'men = ["he", "her"]'), "in both “men” and “women”"),
        (('men = ["he", "him"]', 'men = ["he", "pilot"]'), "in both “trades” and “men”"),
        (('men = ["he", "him"]', 'men = ["he"]'), "aren’t equally long"),
        (('["trades", "care"]', '["trades"]'), "aren’t the names of two sets"),
        (('["trades", "care"]', '["trades", "cares"]'), "aren’t the names of two sets"),
        (('["trades", "care"]', '["trades", ["care"]]'), "aren’t the names of two sets"),
        (("pairs = true", 'pairs = "yes"'), "is neither true nor false"),
        (("pairs = true", "pair = true"), "the test “jobs” has unknown keys: “pair”"),
        (("[tests.jobs]", "[[tests.jobs]]"), "the test “jobs” isn’t a table"),
    ],
)
def test_each_mistake_is_named(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    path = written(tmp_path, GOOD.replace(*change, 1))
    with pytest.raises(UserError, match=reason) as caught:
        load_tests(path)
    assert str(caught.value).startswith("sets.toml")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "reason"), [("", "it has no sets"), ("[sets]\na = ['b']", "it has no tests")]
)
def test_a_file_needs_sets_and_tests(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        load_tests(written(tmp_path, text))


def test_typed_sets_obey_the_same_rules() -> None:
    (test,) = typed_test([["a", "b"], ["c"]], [["d", "e"], ["f", "g"]], paired=True).tests
    assert [each.words for each in test.sets] == [("a", "b"), ("c",), ("d", "e"), ("f", "g")]
    with pytest.raises(UserError, match="in both “X” and “B”"):
        typed_test([["a", "b"], ["c"]], [["d"], ["a"]])
    with pytest.raises(UserError, match="equally long"):
        typed_test([["a"], ["c"]], [["d"], ["e", "f"]], paired=True)
    with pytest.raises(UserError, match="“Y” isn’t a list of words"):
        typed_test([["a"], [""]], [["d"], ["e"]])


@pytest.mark.parametrize("key", BUNDLED)
def test_bundled_tests_are_sound(key: str) -> None:
    assert load_tests(bundled_path(key)).tests


def test_the_published_sets_have_the_sizes_of_the_paper() -> None:
    found = load_tests(bundled_path("caliskan-2017"))
    assert all("Caliskan" in test.source for test in found.tests)
    sizes = {test.key: tuple(len(each.words) for each in test.sets) for test in found.tests}
    assert list(sizes) == [f"weat{number}" for number in range(1, 11)]
    assert sizes["weat1"] == sizes["weat2"] == (25, 25, 25, 25)
    assert sizes["weat3"] == (32, 32, 25, 25)
    assert sizes["weat4"][2:] == (25, 25)
    assert sizes["weat5"][2:] == (8, 8)
    assert sizes["weat6"] == sizes["weat7"] == sizes["weat8"] == sizes["weat10"] == (8, 8, 8, 8)
    assert sizes["weat9"] == (6, 6, 7, 7)
