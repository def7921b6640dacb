"""What students hand in, and what a class handed in: contents, damage, and the grade book."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main
from workbench.core.errors import UserError
from workbench.session.classes.collect import collect, grade_book
from workbench.session.classes.hand_in import (
    EXIT,
    OPEN,
    Answer,
    HandIn,
    Measurement,
    NotHandedIn,
    Unreadable,
    hand_in,
    lesson_digest,
    lesson_seed,
    read_hand_in,
    write_hand_in,
)
from workbench.session.lessons import lesson_named
from workbench.session.lessons.report import StepResults

LESSON = lesson_named("one-hot")
STEP = next(at for at, step in enumerate(LESSON.steps) if step.question is not None)
RIGHT = LESSON.steps[STEP].question.right
WRONG = 1 - min(RIGHT, 1)


def handed(name: str = "", before: int = RIGHT, value: float = 0.5, **changes: Any) -> HandIn:
    plain = HandIn(
        LESSON.key,
        LESSON.title,
        lesson_digest(LESSON),
        name,
        "0.1.0",
        7,
        (Answer(STEP, before, RIGHT),),
        (Measurement(STEP, "cosine(a, b)", value, f"{value:.2f}", True),),
        {OPEN: "Because."},
    )
    return dataclasses.replace(plain, **changes)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    content = handed(
        "Zoë <b>", texts={OPEN: "a\nb", EXIT: "=1+1"}, answers=(Answer(0, None, 2), Answer(3, 1))
    )
    path = tmp_path / "a.json"
    write_hand_in(content, path)
    assert read_hand_in(path) == content
    document = json.loads(path.read_text("utf-8"))
    assert document["predictions"][0] == {"step": 1, "before": None, "after": 3}
    assert document["format"] == "embedding-workbench-answers"


def test_what_is_too_long_to_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    long = handed("Ada", texts={OPEN: "x" * 100_000})
    write_hand_in(long, path)
    assert read_hand_in(path) == long
    with pytest.raises(UserError, match="too long"):
        write_hand_in(handed("Ada", texts={OPEN: "x" * (1 << 20)}), path)
    assert read_hand_in(path) == long


def test_a_lesson_fills_the_file() -> None:
    results = [StepResults(STEP, (), WRONG), StepResults(STEP + 1)]
    content = hand_in(LESSON, results, " Ada ", {STEP: RIGHT}, {OPEN: " yes ", EXIT: " "})
    assert content.name == "Ada"
    assert content.answers == (Answer(STEP, WRONG, RIGHT),)
    assert content.texts == {OPEN: "yes"}
    assert content.seed == lesson_seed(LESSON)
    german = lesson_named(str(LESSON.path.parent / "de" / LESSON.path.name))
    assert lesson_digest(german) == lesson_digest(LESSON)
    assert lesson_digest(lesson_named("umap")) != lesson_digest(LESSON)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"lesson": []},
        {"lesson": {"key": 1, "title": "", "digest": ""}},
        {"name": None},
        {"seed": 1.5},
        {"seed": True},
        {"predictions": {}},
        {"predictions": [1]},
        {"predictions": [{"step": 0, "before": 1, "after": None}]},
        {"predictions": [{"step": 1, "before": 1, "after": None}] * 2},
        {"predictions": [{"step": 1, "before": "1", "after": None}]},
        {"predictions": [{"step": 1, "before": 1, "after": None}] * 2000},
        {"measurements": [{"step": 1}]},
        {"measurements": [{"step": 1, "claim": "", "value": [], "shown": "", "true": None}]},
        {"measurements": [{"step": 1, "claim": "", "value": 1, "shown": "", "true": "yes"}]},
        {"measurements": [{"step": 1, "claim": "", "value": 10**400, "shown": "", "true": None}]},
        {"answers": [{"question": "other", "text": ""}]},
        {"answers": [{"question": "open", "text": ["x"]}]},
    ],
)
def test_damage_is_reported(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "a.json"
    write_hand_in(handed(), path)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **change}))
    with pytest.raises(Unreadable, match="damaged|newer version"):
        read_hand_in(path)


def test_other_files_are_something_else(tmp_path: Path) -> None:
    for name, data in (("a.json", b"[]"), ("b.json", b'{"format": "other"}'), ("c.png", b"\x89P")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(NotHandedIn):
            read_hand_in(tmp_path / name)
    (tmp_path / "d.json").write_bytes(b"{")
    with pytest.raises(Unreadable, match="damaged"):
        read_hand_in(tmp_path / "d.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five students, one of them with another seed, and files that don’t count."""
    found = tmp_path / "class"
    (found / "late").mkdir(parents=True)
    for name, content in {
        "ada.json": handed("Ada", WRONG),
        "bob.json": handed("=HYPERLINK(1)", WRONG, 0.5001),
        "eve.json": handed("Eve", RIGHT, 0.9, seed=8),
        "late/dan.json": handed("", RIGHT, texts={OPEN: "+cmd", EXIT: "two\nlines"}),
        "copy.json": handed("Ada", WRONG),
    }.items():
        write_hand_in(content, found / name)
    (found / "broken.json").write_text("{", "utf-8")
    (found / "photo.jpg").write_bytes(b"\xff\xd8")
    (found / ".DS_Store").write_bytes(b"\0")
    return found


def test_a_class_is_counted_and_everything_else_named(folder: Path) -> None:
    result = collect(folder, [LESSON])
    (lesson,) = result.lessons
    assert lesson.title == LESSON.title
    assert [each.who for each in lesson.handed] == [
        "Ada",
        "=HYPERLINK(1)",
        "Eve",
        str(Path("late/dan.json")),
    ]
    (question,) = lesson.questions
    assert question.right == RIGHT
    assert (question.before[WRONG], question.before[RIGHT]) == (2, 2)
    assert question.after[RIGHT] == 4
    (other,) = lesson.differences
    assert (other.who, other.shown, other.usual) == ("Eve", "0.90", "0.50")
    assert other.why == "another seed (8)"
    assert lesson.texts(EXIT) == ((str(Path("late/dan.json")), "two\nlines"),)
    left_out = {one.file: one.why for one in result.left_out}
    assert left_out["copy.json"] == "the same as ada.json"
    assert left_out["photo.jpg"] == "not a file that was handed in"
    assert left_out["broken.json"] == "damaged: it isn’t complete JSON"
    assert len(left_out) == 3


def test_the_grade_book_contains_no_formulas(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(grade_book(collect(folder, [LESSON])))))
    assert len(rows) == 4
    by_name = {row["name"]: row for row in rows}
    assert by_name["Ada"]["right_before"] == "0"
    assert by_name["Ada"]["right_after"] == "1"
    assert by_name["Ada"][f"step_{STEP + 1}_before"] == str(WRONG + 1)
    assert "'=HYPERLINK(1)" in by_name
    assert by_name[""]["open_answer"] == "'+cmd"
    assert by_name[""]["claims_true"] == "1"


def test_a_lesson_that_is_unknown_here_is_counted_without_right_answers(tmp_path: Path) -> None:
    write_hand_in(handed(key="mine", digest="abc", title="Mine"), tmp_path / "a.json")
    write_hand_in(handed("B", key="mine", digest="abc", title="Mine"), tmp_path / "b.json")
    result = collect(tmp_path, [LESSON])
    (lesson,) = result.lessons
    assert lesson.lesson is None
    assert lesson.questions[0].right is None
    assert lesson.questions[0].listed_choices == [RIGHT]
    assert lesson.questions[0].before[RIGHT] == 2
    row = next(csv.DictReader(io.StringIO(grade_book(result))))
    assert row["right_before"] == ""


def test_a_folder_without_such_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="contains no files that were handed in"):
        collect(tmp_path)
    with pytest.raises(UserError, match="isn’t a folder"):
        collect(tmp_path / "none")


def test_the_command_prints_bars_and_writes_the_grade_book(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "grades.csv"
    assert main(["class", str(folder), "--csv", str(to)]) == 0
    printed = capsys.readouterr()
    assert "4 files handed in" in printed.out
    assert "█ 4" in printed.out
    assert "another seed (8)" in printed.out
    assert "photo.jpg" in printed.err
    assert to.read_text("utf-8").startswith("file,name,lesson")
    assert main(["class", str(tmp_path / "none")]) == 2


def test_titles_of_foreign_lessons_do_not_control_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_hand_in(handed("Ada", title="a\x1b[2Jb", digest="unknown"), tmp_path / "a.json")
    assert main(["class", str(tmp_path)]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_second_attempts_and_equal_files_without_a_name_count_and_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two students who give no name may well have predicted and measured the same."""
    write_hand_in(handed("ada", RIGHT), folder / "second.json")
    for name in ("x.json", "y.json"):
        write_hand_in(handed("", texts={}), folder / name)
    result = collect(folder, [LESSON])
    assert {one.file: one.why for one in result.repeated} == {
        "second.json": "has the name of ada.json, too",
        "y.json": "has no name and the same content as x.json",
    }
    assert result.number == 7
    assert {one.file for one in result.left_out} == {"broken.json", "copy.json", "photo.jpg"}
    assert main(["class", str(folder)]) == 0
    err = capsys.readouterr().err
    assert "Check y.json: it counts, but has no name" in err
    assert "Left out broken.json (damaged: it isn’t complete JSON)." in err


@pytest.mark.parametrize("answer", [Answer(STEP, 900), Answer(STEP, 0, 900), Answer(900, 0)])
def test_answers_that_the_lesson_does_not_have_spoil_only_their_file(
    folder: Path, answer: Answer
) -> None:
    write_hand_in(handed("Mallory", answers=(answer,)), folder / "mallory.json")
    result = collect(folder, [LESSON])
    assert result.number == 4
    why = {one.file: one.why for one in result.left_out}["mallory.json"]
    assert why.startswith(f"damaged: step {answer.step + 1} has no")
    (question,) = result.lessons[0].questions
    assert len(question.choices) == len(LESSON.steps[STEP].question.choices)


def test_a_folder_of_damaged_files_names_one(tmp_path: Path) -> None:
    (tmp_path / "ada.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match=r"ada\.json \(damaged: it isn’t complete JSON\)\."):
        collect(tmp_path, [LESSON])


def test_names_that_are_no_utf_8_reach_the_grade_book(tmp_path: Path) -> None:
    """JSON can contain half of a pair of surrogates, and a file name any bytes."""
    folder, to = tmp_path / "class", tmp_path / "grades.csv"
    folder.mkdir()
    write_hand_in(handed("Ada \ud800"), folder / "a.json")
    assert main(["class", str(folder), "--csv", str(to)]) == 0
    (row,) = csv.DictReader(io.StringIO(to.read_text("utf-8")))
    assert row["name"] == "Ada \\ud800"


def test_a_name_is_the_same_however_its_accents_are_written(tmp_path: Path) -> None:
    write_hand_in(handed("Zo\u00eb"), tmp_path / "a.json")
    write_hand_in(handed("zoe\u0308", WRONG), tmp_path / "b.json")
    assert [one.file for one in collect(tmp_path, [LESSON]).repeated] == ["b.json"]


def test_choices_have_no_markup(tmp_path: Path) -> None:
    window = lesson_named("window")
    at, step = next(
        (at, step)
        for at, step in enumerate(window.steps)
        if step.question and any("*" in choice.text for choice in step.question.choices)
    )
    known = handed(key=window.key, digest=lesson_digest(window), answers=(Answer(at, 0),))
    write_hand_in(known, tmp_path / "a.json")
    (result,) = collect(tmp_path, [window]).lessons
    (question,) = result.questions
    assert step.question is not None
    assert question.listed_choices == list(range(len(step.question.choices)))
    assert "*" not in "".join(question.choices)
