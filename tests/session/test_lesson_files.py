"""Reading a lesson’s file, and errors in it, each with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from session.fakes import small_corpus

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.session.lessons import bundled_lessons, lesson_named, markdown
from workbench.session.lessons.actions import (
    DIRECTIVES,
    Ask,
    LinePlace,
    Open,
    Put,
    Train,
    read_action,
)
from workbench.session.lessons.assertions import judge_claim, read_claim
from workbench.session.lessons.context import LessonScene
from workbench.session.lessons.markdown import without_holes
from workbench.session.lessons.measure_registry import Value
from workbench.session.lessons.measures import measures
from workbench.session.lessons.parser import LessonError, parse
from workbench.session.lessons.progress import Course
from workbench.session.lessons.report import ReportPicture, StepResults, story
from workbench.session.lessons.runner import Bench
from workbench.session.settings.settings_file import Settings

HEAD = "# A lesson\nlevel: beginner\nminutes: 3\nabout: What it is about.\n"
GOOD = f"""{HEAD}source: A paper, *section 1*.
order: 5
objective: count the *words* of a town
objective: find a neighbour
note: Some say no.
open: Why <this> town?
exit: How many words?

## First

Some *text* with `code` and {{size}} words.

```formula
x = y
```

```predict
Which **one**?
- no
+ yes, with
  more
```

```do
# a remark
open town.txt
train near: svd dim=2 min_count=1 threads=1
select cat dog
ask king - man + woman
set matrix.pane1.run {{near}}
```

```reveal
It is {{nearest}} in {{near}}.
```

```claims
size = tokens() > 5
nearest = nearest(near, cat) is not cat
```

## Second

Text.

```claims
count(cat) > 0.5 * size - 30
```
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "town.txt").write_text(
        "the cat saw the dog\nthe dog saw the cat\na cat and a dog\n" * 4, "utf-8"
    )
    return tmp_path / "mine.md"


def test_all_of_it_is_read(place: Path) -> None:
    lesson = parse(GOOD, place)
    assert (lesson.key, lesson.title, lesson.level, lesson.minutes, lesson.order) == (
        "mine",
        "A lesson",
        "beginner",
        3,
        5,
    )
    assert lesson.sources == ("A paper, *section 1*.",)
    assert lesson.objectives == ("count the *words* of a town", "find a neighbour")
    assert lesson.notes == ("Some say no.",)
    assert (lesson.open_question, lesson.exit_question) == ("Why <this> town?", "How many words?")
    first, second = lesson.steps
    assert [block.kind for block in first.text] == ["text", "formula"]
    assert first.question is not None
    assert [choice.text for choice in first.question.choices] == ["no", "yes, with more"]
    assert first.question.right == 1
    open_action, train_action, _, ask_action, put_action = first.actions
    assert isinstance(open_action, Open)
    assert open_action.corpus == str(place.parent / "town.txt")
    assert isinstance(train_action, Train)
    assert (train_action.label, train_action.algorithm, train_action.values) == (
        "near",
        "svd",
        {"dim": 2, "min_count": 1, "threads": 1},
    )
    assert ask_action == Ask(ask_action.line, "king", "man", "woman")
    assert isinstance(put_action, Put)
    assert put_action.labels == ("near",)
    assert GOOD.split("\n")[train_action.line - 1].startswith("train near")
    assert [claim.name for claim in first.claims] == ["size", "nearest"]
    assert lesson.labels_needed(0) == ("near",)
    assert lesson.steps_needed(1) == (0, 1)
    assert second.question is None


def test_it_is_played_and_measured(place: Path) -> None:
    bench = Bench()
    first, second = bench.play(parse(GOOD, place))
    assert first.true
    assert first.shown["size"] == "60"
    assert first.shown["nearest"] in ("dog", "the", "saw", "a", "and")
    assert second.measured[0].value == 12.0
    assert second.true


def test_a_claim_that_does_not_hold_is_told(place: Path) -> None:
    bench = Bench()
    outcomes = list(bench.play(parse(GOOD.replace("tokens() > 5", "tokens() > 500"), place)))
    assert [outcome.true for outcome in outcomes] == [False, True]


DO = "## Step\n\nText.\n\n```do\n{}\n```\n"
CLAIMS = (
    "## Step\n\nText.\n\n```do\nopen small-world\ntrain near: ppmi\n```\n\n```claims\n{}\n```\n"
)
ASKED = "## Step\n\nText.\n\n```predict\n{}\n```\n\n```reveal\nSo.\n```\n"
WRONG = [
    (f"{HEAD}{DO.format('set matrx.words cat')}", 10, "Unknown panel “matrx”"),
    (f"{HEAD}{DO.format('press corpse.lines')}", 10, "Unknown panel “corpse”"),
    ("Text first", 1, "title of the lesson is missing"),
    (
        "# A lesson\nlevel: beginner\nminutes: 3\n## S\n\nText.",
        1,
        "The header field “about” is missing",
    ),
    (HEAD.replace("beginner", "easy") + "## S\n\nText.", 2, "Unknown level “easy”"),
    (HEAD.replace("3", "three") + "## S\n\nText.", 3, "a whole number"),
    (HEAD + "colour: red\n## S\n\nText.", 5, "Unknown header field “colour”"),
    (HEAD, 5, "has no steps"),
    (HEAD + "## \n\nText.", 5, "no title"),
    (HEAD + "## S\n", 5, "no text"),
    (HEAD + "## S\n\nText.\n### T", 8, "A lesson can have only one title"),
    (HEAD + "## S\n\nText.\n```dou\n```", 8, "Did you mean do?"),
    (HEAD + "## S\n\nText.\n```do\nopen small-world", 8, "The end of a block is missing"),
    (HEAD + "## S\n\nText.\n```do\n```\n```do\n```", 10, "two “do” blocks"),
    (HEAD + "## S\n\nText with {nothing}.", 5, "Unknown claim “nothing”"),
    (HEAD + "## S\n\nText.\n```predict\nWhy?\n- a\n+ b\n```", 5, "has no answer"),
    (HEAD + "## S\n\nText.\n```reveal\nSo.\n```", 8, "nothing to reveal"),
    (HEAD + ASKED.format("- a\n+ b"), 9, "The question is missing"),
    (HEAD + ASKED.format("Why?\n+ b"), 9, "two answers"),
    (HEAD + ASKED.format("Why?\n- a\n- b"), 9, "Exactly one answer must be correct"),
    (HEAD + DO.format("dance"), 10, "Unknown directive “dance”"),
    (HEAD + DO.format("open"), 10, "“open” needs a corpus"),
    (HEAD + DO.format("open nowhere.txt"), 10, "neither a bundled corpus nor a file"),
    (HEAD + DO.format("train near: ppmi"), 10, "No corpus is open"),
    (HEAD + DO.format("open small-world\ntrain ppmi"), 11, "a label"),
    (HEAD + DO.format("open small-world\ntrain near: word3vec"), 11, "word3vec"),
    (HEAD + DO.format("open small-world\ntrain near: ppmi dim=5"), 11, "dim"),
    (HEAD + DO.format("open small-world\ntrain near: svd dim=many"), 11, "dim must be"),
    (HEAD + DO.format("open small-world\ntrain near: svd dim"), 11, "isn’t a setting"),
    (HEAD + DO.format('open small-world\ntrain near: svd "dim'), 11, "quotation mark"),
    (
        HEAD + DO.format("open small-world\ntrain near: ppmi\ntrain near: hal"),
        12,
        "run label “near” is already in use",
    ),
    (HEAD + DO.format("settings"), 10, "The algorithm is missing"),
    (HEAD + DO.format("view far"), 10, "Unknown run “far”"),
    (HEAD + DO.format("view"), 10, "the label of one run"),
    (HEAD + DO.format("compare near"), 10, "two runs"),
    (HEAD + DO.format("show nothing"), 10, "Unknown panel “nothing”"),
    (HEAD + DO.format("ask king"), 10, "a - b + c"),
    (HEAD + DO.format("lines"), 10, "lines” needs one or two words"),
    (HEAD + DO.format("set 5"), 10, "“set” needs a control"),
    (HEAD + DO.format("press"), 10, "“press” needs a control"),
    (HEAD + DO.format("highlight nothing"), 10, "“highlight” needs a control"),
    (HEAD + DO.format("figure 1 x"), 10, "“figure” needs a control"),
    (HEAD + DO.format("set matrix.pane1.run {far}"), 10, "Unknown run “far”"),
    (HEAD + CLAIMS.format("0.5 > 0.4"), 15, "No measure in this line"),
    (HEAD + CLAIMS.format("cosin(near, a, b)"), 15, "Did you mean cosine?"),
    (HEAD + CLAIMS.format("cosine(near, a)"), 15, "cosine(run, a, b)"),
    (HEAD + CLAIMS.format("cosine(far, a, b)"), 15, "Unknown run “far”"),
    (HEAD + CLAIMS.format("neighbours(near, a, many)"), 15, "must be a whole number"),
    (HEAD + CLAIMS.format("cosine(near, a, b) is king"), 15, "can’t compare these two values"),
    (HEAD + CLAIMS.format("nearest(near, a) > 5"), 15, "can’t compare these two values"),
    (HEAD + CLAIMS.format("cosine(near, a, b) > "), 15, "A side of a comparison is missing"),
    (HEAD + CLAIMS.format("a = tokens()\na = types()"), 16, "name “a” is already in use"),
    (HEAD + CLAIMS.format("near = tokens()"), 15, "name “near” is already in use"),
    (GOOD.replace("order: 5", "name: near"), 6, "needs the label and the name of a run"),
    (GOOD.replace("order: 5", "name: far Far away"), 6, "Unknown run “far”"),
]


def test_the_head_may_say_what_runs_are_called(place: Path) -> None:
    lesson = parse(GOOD.replace("order: 5\n", "order: 5\nname: near A small window\n"), place)
    assert lesson.trainings["near"][1].title == "A small window"
    assert parse(GOOD, place).trainings["near"][1].title == "near"


def test_maps_are_called_as_people_call_them() -> None:
    assert " PCA " in measures()["trustworthiness"].describe(["near", "pca", 500.0, 1.0])


def test_a_measure_is_described_in_another_language() -> None:
    described = measures()["cosine"].describe(["near", "king", "queen"], {"near": "Nah"}, "de")
    assert described == "Kosinus von king und queen in „Nah“"
    assert (
        measures()["trustworthiness"]
        .describe(["near", "pca", 1500.0, 1.0], {}, "de")
        .count("1\u202f500")
    )


@pytest.mark.parametrize(
    ("text", "line", "message"), WRONG, ids=[message for _, _, message in WRONG]
)
def test_what_is_wrong_is_told_in_one_sentence_with_its_line(
    text: str, line: int, message: str, place: Path
) -> None:
    with pytest.raises(LessonError) as failure:
        parse(text, place)
    assert message in str(failure.value)
    assert failure.value.line == line
    assert str(failure.value).startswith(f"mine.md, line {line}: ")
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("name", DIRECTIVES)
def test_every_directive_reads_its_example(name: str, tmp_path: Path) -> None:
    action = read_action(DIRECTIVES[name].example, LinePlace(1, tmp_path))
    assert action.line == 1
    assert DIRECTIVES[name].doc.endswith(".")


def test_measures_are_named_once_and_say_what_they_are() -> None:
    for name, measure in measures().items():
        assert name == measure.name
        # Every argument is used in the description or has a default.
        assert measure.describe([0.0 if "number" in a.kind else "x" for a in measure.arguments])


def test_values_are_shown_as_texts_show_them() -> None:
    known = measures()
    assert known["cosine"].show(-0.001) == "0.00"
    assert known["cosine"].show(-0.256) == "−0.26"
    assert known["accuracy"].show(0.978) == "97.8%"
    assert known["count"].show(12345.0) == "12,345"
    assert known["ratio"].show(float("inf")) == "∞"
    assert known["ratio"].show(float("nan")) == "–"


@pytest.mark.parametrize(
    ("line", "true"),
    [
        ("log(1) = 0", True),
        ("log(1) > 0", False),
        ("-0.1 < log(1) < 0.1", True),
        ("a = log(2.718281828) >= 1 - 0.5", True),
        ("log(10) < 2 * two", True),
        ("log(10) < two + 0.1", False),
        ("2 * log(10) > two + 2", True),
        ("log(10)", None),
    ],
)
def test_comparisons(line: str, true: bool | None) -> None:
    claim = read_claim(line, 1, {"two": "number"})
    found: dict[str, Value] = {"two": 2.0}
    assert judge_claim(claim, found, LessonScene(None, {}, JobControl())).true is true


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("log(10) > 0.5", "> 0.5"),
        ("a = log(10) < two + 0.1", "< 2.1"),
        ("1.5 * two < log(10)", "> 3"),
        ("log(10) > log(7.389056)", "> 2"),
        ("1 < log(10) < two", "1 < x < 2"),
        ("2 * log(10) > two + 2", "2 · x > 4"),
        ("share(the) > 0.25", "> 25%"),
        ("share(the) < 0.1 * two + 0.001", "< 20.1%"),
        ("log(1) > -1.25", "> −1.25"),
        ("frequent-word(1) is not the", "is not the"),
        ("log(10)", ""),
    ],
)
def test_what_was_claimed_is_told_in_values(line: str, expected: str) -> None:
    corpus = small_corpus("claims", "the cat and the dog and the bird " * 3)
    outcome = judge_claim(
        read_claim(line, 1, {"two": "number"}), {"two": 2.0}, LessonScene(corpus, {}, JobControl())
    )
    assert outcome.expected == expected


def test_sentences_wait_for_their_values() -> None:
    lines = [
        "It has {size} words. The first is *the*. (Of {kinds} kinds!) {near} is 3.5 away.",
        "",
        "- one: {size}",
    ]
    blocks = markdown.blocks_of([*lines, "- two"])
    assert [block.text for block in markdown.without_holes(blocks, {"near": "x"})] == [
        "The first is *the*. {near} is 3.5 away.",
        "two",
    ]
    whole = {"size": "1", "kinds": "2", "near": "x"}
    assert markdown.without_holes(blocks, whole) == blocks
    assert markdown.without_holes(markdown.blocks_of(["{size} words."]), {}) == ()


def test_questions_of_bundled_lessons_have_no_holes_before_a_step_is_done() -> None:
    for lesson in bundled_lessons():
        runs = dict.fromkeys(lesson.trainings, "run")
        for step in lesson.steps:
            assert without_holes(step.text, runs), (lesson.key, step.title)
            if step.question is not None:
                texts = [block.text for block in step.question.blocks]
                texts += [choice.text for choice in step.question.choices]
                assert not set(re.findall(r"\{([a-z0-9-]+)\}", " ".join(texts))) - set(runs)


def test_a_lesson_is_done_when_its_questions_are_answered(place: Path, home: Path) -> None:
    lesson = parse(GOOD, place)
    course = Course(Settings())
    course.go(lesson, 1)
    course.finish(lesson)
    assert course.places([lesson]) == {}
    assert course.place(lesson) == 0
    course.predict(lesson, 0, 0)
    assert course.places([lesson]) == {str(place): "1 of 2"}
    course.finish(lesson)
    assert course.places([lesson]) == {str(place): "✓ done"}


WORDS = f"""{HEAD}
## One

Text.

```do
open town.txt
select cat dragon
train all: svd dim=2 min_count=1 threads=1
train few: svd dim=2 min_count=6 threads=1
set matrix.words cat bread, saw
set neighbours.word dog − unicorn
lines cat griffin
ask cat - dog + and
```

## Two

Text.

```do
view all
set matrix.words cat and saw
set analogy.a and
set inside.ngrams.word whatever
set corpus.filter whatever
```
"""


def test_words_that_a_panel_would_not_know_are_told_with_their_line(place: Path) -> None:
    bench = Bench()
    first, second = bench.play(parse(WORDS, place))
    few = "isn’t in the vocabulary of “few”"
    assert [(one.line, str(one)) for one in first.unknown] == [
        (12, "“dragon” isn’t in the text “town”"),
        (15, f"“bread” {few}"),
        (16, f"“unicorn” {few}"),
        (17, "“griffin” isn’t in the text “town”"),
        (18, f"“and” {few}"),
    ]
    assert second.unknown == ()


def test_a_word_made_of_its_pieces_is_known(place: Path) -> None:
    lines = WORDS.partition("```do")[0] + (
        "```do\nopen town.txt\ntrain pieces: fasttext dim=4 min_count=1 epochs=1 buckets=64 "
        "sample=0 threads=1\n"
        "set neighbours.word catlike\n```\n"
    )
    bench = Bench()
    (only,) = bench.play(parse(lines, place))
    assert only.unknown == ()


def test_nothing_is_evaluated() -> None:
    for line in ("__import__('os')", "log(1) if 1 else 2", "x = exec(1)", "log(().__class__)"):
        with pytest.raises(UserError):
            read_claim(line, 1, {})


def test_prose_is_escaped_and_marked() -> None:
    blocks = markdown.blocks_of(
        ["A *word* <b> & `*code*` {x}", "- one", "  more", "- two **bold** [paper](https://a.b/c)"]
    )
    page = markdown.to_html(blocks, {"x": "<5>"})
    assert "<i>word</i> &lt;b&gt; &amp; <code>*code*</code> <b>&lt;5&gt;</b>" in page
    assert (
        '<ul><li>one more</li><li>two <b>bold</b> <a href="https://a.b/c">paper</a></li></ul>'
        in page
    )
    plain = markdown.to_plain(blocks, {})
    assert "A word <b> & *code* …" in plain
    assert "• two bold paper (https://a.b/c)" in plain


def test_a_story_holds_all_that_was_told(place: Path) -> None:
    lesson = parse(GOOD.replace("A lesson", "A <lesson>"), place)
    bench = Bench()
    outcomes = list(bench.play(lesson))
    entries = [
        StepResults(0, outcomes[0].measured, 0, (ReportPicture(b"\x89PNG", "What is <seen>."),)),
        StepResults(1),
    ]
    page = story(lesson, entries)
    assert "A &lt;lesson&gt;" in page
    assert "0 of 1 predictions correct" in page
    assert "(predicted)" in page
    assert "<b>60</b>" in page
    assert "What is &lt;seen&gt;." in page
    assert "data:image/png;base64,iVBORw==" in page
    assert "Not measured" in page
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "")


def test_progress_is_kept(place: Path, home: Path) -> None:
    lesson = parse(GOOD, place)
    course = Course(Settings())
    assert course.place(lesson) == 0
    assert course.chosen_answer(lesson, 0) is None
    course.go(lesson, 1)
    course.predict(lesson, 0, 1)
    again = Course(Settings())
    assert again.place(lesson) == 1
    assert again.chosen_answer(lesson, 0) == 1
    assert again.places([lesson]) == {str(place): "2 of 2"}
    again.finish(lesson)
    assert again.places([lesson]) == {str(place): "✓ done"}
    again.forget(lesson)
    assert again.chosen_answer(lesson, 0) is None


def test_settings_that_make_no_sense_are_a_beginning(place: Path, home: Path) -> None:
    lesson = parse(GOOD, place)
    settings = Settings()
    for value in (
        5,
        {str(place): 3},
        {str(place): {"at": "x", "chosen": [1]}},
        {str(place): {"at": 99}},
    ):
        settings.put({"lessons.course": value})
        assert Course(settings).place(lesson) in (0, 1)
        assert Course(settings).chosen_answer(lesson, 0) is None


def test_an_unknown_lesson_names_those_there_are() -> None:
    with pytest.raises(UserError, match="window"):
        lesson_named("no-such-lesson")


def test_a_story_tells_values_for_names_and_pictures_in_their_size(place: Path) -> None:
    lesson = parse(GOOD, place)
    bench = Bench()
    first, second = (outcome.measured for outcome in bench.play(lesson))
    # An image of 600 pixels is shown at 300: two pixels for each of the page’s.
    png = (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"
        + (600).to_bytes(4, "big")
        + (80).to_bytes(4, "big")
    )
    page = story(
        lesson,
        [StepResults(0, first, None, (ReportPicture(png, "A picture."),)), StepResults(1, second)],
    )
    assert "&gt; 0</td>" in page
    assert "0.5 * size" not in page
    assert 'width="300"' in page
