"""A lesson with real clicks: choosing it, predicting, doing, revealing, leaving, resuming, and
saving a report.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_model, until

from workbench.corpus.corpus import CorpusOptions
from workbench.models.base import MODELS
from workbench.session.lessons import bundled_lessons
from workbench.session.lessons.manual import controls
from workbench.session.lessons.words import CONTROLS
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.panels.lessons.control_finder import find_widget
from workbench.ui.panels.lessons.panel import LessonsPanel
from workbench.ui.panels.neighbours.panel import NeighboursPanel
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.shell.messages.message_bar import MessageBar
from workbench.ui.widgets.inputs.run_choice import RunsChoice
from workbench.ui.widgets.inputs.word_field import WordField

LEFT = Qt.MouseButton.LeftButton
TEXT = (
    "the cat saw the dog\nthe dog saw the cat\na cat and a dog sat there\nthe bird saw a cat\n" * 6
)
LESSON = """# Cats and dogs
level: beginner
minutes: 1
about: A lesson for a test.
source: Nobody, *nowhere*.
objective: train a *small* model
note: Expect 132 words.
open: What else is near?
exit: What is a cosine?

## The text

It has {tokens} words.

```do
open town.txt
```

```claims
tokens = tokens() > 5
```

## A model

Train it.

```predict
What is nearest to *cat*?
- the moon
+ something else
```

```do
train few: svd dim=3 min_count=1 threads=1
select cat
set neighbours.number 20
highlight neighbours.list
figure neighbours What is near a cat.
```

```reveal
It is {near}, in {few}. The text has {tokens} words.
```

```claims
near = nearest(few, cat) is not moon
dimensions(few) = 4
```
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    (tmp_path / "town.txt").write_text(TEXT, "utf-8")
    path = tmp_path / "cats.md"
    path.write_text(LESSON, "utf-8")
    return path


@pytest.fixture
def beside(context: PanelContext, qtbot: QtBot) -> Iterator[NeighboursPanel]:
    new_panel = NeighboursPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(300, 600)
    new_panel.show()
    yield new_panel
    new_panel.release()


@pytest.fixture
def panel(context: PanelContext, beside: NeighboursPanel, qtbot: QtBot) -> Iterator[LessonsPanel]:
    new_panel = LessonsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(330, 700)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def text_of(panel: LessonsPanel, name: str) -> str:
    label = panel.findChild(QLabel, f"lessons.{name}")
    assert label is not None
    return label.text() if label.isVisible() else ""


def press(panel: LessonsPanel, name: str, qtbot: QtBot) -> None:
    button = panel.findChild(QPushButton, f"lessons.{name}")
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def do_step(panel: LessonsPanel, qtbot: QtBot) -> None:
    press(panel, "do", qtbot)
    until(qtbot, lambda: panel.idle)


def predict(panel: LessonsPanel, number: int, qtbot: QtBot) -> None:
    # Answers of an earlier step are hidden until Qt deletes them.
    def there() -> list[QRadioButton]:
        return [
            b for b in panel.findChildren(QRadioButton, f"lessons.answer.{number}") if b.isVisible()
        ]

    until(qtbot, lambda: len(there()) == 1)
    there()[0].click()


def test_dialogs_for_files_go_when_they_are_left(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    """Each dialog that isn't deleted keeps a thread and a handle; found after hours of use."""
    panel.open_file(lesson)
    for ask in (panel.ask_lesson, panel.ask_story):
        ask()
        dialog = panel.findChild(QFileDialog)
        assert dialog is not None
        dialog.close()
        qtbot.waitUntil(lambda: panel.findChild(QFileDialog) is None)


def test_the_error_of_a_damaged_lesson_goes_when_another_one_opens(
    panel: LessonsPanel, lesson: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    bar = MessageBar(panel.theme)
    qtbot.addWidget(bar)
    panel.session.message.connect(bar.show_message)
    panel.session.message.retracted.connect(bar.retract)
    damaged = tmp_path / "damaged.toml"
    damaged.write_text("title =", "utf-8")
    panel.open_file(damaged)
    assert not bar.isHidden()
    panel.open_file(lesson)
    assert bar.isHidden()
    bar.show_message("Couldn’t save the run.", is_error=True)
    panel.open_file(lesson)
    assert not bar.isHidden()


def test_a_lesson_from_its_beginning_to_its_story(
    panel: LessonsPanel, beside: NeighboursPanel, lesson: Path, qtbot: QtBot
) -> None:
    panel.open_file(lesson)
    # Results that are measured in this step aren’t mentioned yet.
    assert "words" not in text_of(panel, "text")
    assert "…" not in text_of(panel, "text")
    do_step(panel, qtbot)
    assert "It has <b>132</b> words." in text_of(panel, "text")
    assert panel.session.corpora.current is not None
    assert "132" in text_of(panel, "measured")
    press(panel, "next", qtbot)
    act = panel.page.act
    assert not act.isEnabled()
    predict(panel, 0, qtbot)
    assert act.text() == "Do it and reveal"
    assert text_of(panel, "reveal") == ""
    do_step(panel, qtbot)
    assert "<b>few</b>" in text_of(panel, "reveal")
    assert "something else" in text_of(panel, "verdict")
    # A claim that isn’t true is shown, too.
    assert "✗" in text_of(panel, "measured")
    assert "expected: = 4" in text_of(panel, "measured")
    assert panel.session.active.run is panel.session.runs[-1]
    assert panel.session.selection.words == ("cat",)
    assert beside.number.currentText() == "20"
    assert panel.marker.target is find_widget(panel, "neighbours.list")
    until(qtbot, lambda: panel.marker.ring.isVisible())
    page = lesson.parent / "story.html"
    panel.save_story(page)
    until(qtbot, page.exists)
    story = page.read_text("utf-8")
    assert "data:image/png;base64,iVBORw0KGgo" in story
    assert "What is near a cat." in story
    assert "train a <i>small</i> model" in story
    assert "What else is near?" in story
    assert "Expect 132 words." not in story
    assert "0 of 1 predictions correct" in story
    press(panel, "next", qtbot)
    assert panel.lesson is None
    assert panel.marker.target is None
    assert "✓ done" in panel.list._lists["yours"][1].rows[0].numbers


def test_objectives_and_notes_are_at_the_start_and_questions_at_the_end(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    panel.open_file(lesson)
    assert "train a <i>small</i> model" in text_of(panel, "objectives")
    assert text_of(panel, "note_text") == ""
    press(panel, "notes", qtbot)
    assert "Expect 132 words." in text_of(panel, "note_text")
    press(panel, "notes", qtbot)
    assert text_of(panel, "note_text") == ""
    assert text_of(panel, "closing") == ""
    press(panel, "next", qtbot)
    assert text_of(panel, "objectives") == ""
    assert not panel.page.notes.isVisible()
    closing = text_of(panel, "closing")
    assert "What else is near?" in closing
    assert "What is a cosine?" in closing


def test_a_step_shows_the_run_that_the_steps_before_left_active(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    """The rule also holds if a reader skips steps: the last training would be active otherwise."""
    lesson.write_text(
        LESSON
        + """
## Two models

```do
train other: svd dim=2 min_count=1 threads=1
view few
```

Both.

## The first of them

Look.

```claims
dimensions(few) = 3
dimensions(other) = 2
```
""",
        "utf-8",
    )
    panel.open_file(lesson)
    for _ in range(3):
        press(panel, "next", qtbot)
    do_step(panel, qtbot)
    active = panel.session.active.run
    assert active is not None
    assert active.parameters["dim"] == 3
    assert len(panel.session.runs) == 2


def test_return_presses_what_has_the_focus(panel: LessonsPanel, lesson: Path, qtbot: QtBot) -> None:
    panel.open_file(lesson)
    panel.page.act.setFocus()
    qtbot.keyClick(panel.page.act, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and "<b>132</b>" in text_of(panel, "text"))
    panel.page.onward.setFocus()
    qtbot.keyClick(panel.page.onward, Qt.Key.Key_Return)
    assert panel.at == 1
    predict(panel, 1, qtbot)
    answer = next(b for b in panel.findChildren(QRadioButton, "lessons.answer.1") if b.isVisible())
    answer.setFocus()
    qtbot.keyClick(answer, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and bool(text_of(panel, "reveal")))


def test_next_has_the_keyboard_after_a_step_that_took_it_away(
    panel: LessonsPanel, beside: NeighboursPanel, lesson: Path, qtbot: QtBot
) -> None:
    panel.open_file(lesson)
    other = QPushButton("Open files…", panel)
    other.show()
    panel.page.act.setFocus()
    qtbot.keyClick(panel.page.act, Qt.Key.Key_Return)
    # Opening a text has this effect on the focus: the widget that had it disappears for a moment.
    other.setFocus()
    until(qtbot, lambda: panel.idle and "<b>132</b>" in text_of(panel, "text"))
    assert panel.window().focusWidget() is panel.page.onward
    qtbot.keyClick(panel.page.onward, Qt.Key.Key_Return)
    assert panel.at == 1


def test_the_list_does_not_wrap_again_when_a_lesson_is_done(
    panel: LessonsPanel, qtbot: QtBot
) -> None:
    rows = panel.list._lists["beginner"][1]
    # A check mark is wider than minutes, but texts beside it must not lose room.
    room = list(rows._painter._widths)
    lesson = next(one for one in panel._bundled or () if one.level == "beginner")
    for at in range(len(lesson.steps)):
        panel.course.predict(lesson, at, 0)
    panel.course.finish(lesson)
    panel._fill_list()
    assert any("✓ done" in row.numbers for row in rows.rows)
    assert rows._painter._widths == room


def test_an_open_question_keeps_a_lesson_from_being_done(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    messages: list[str] = []
    panel.session.message.connect(lambda text, hint, is_error: messages.append(text))
    panel.open_file(lesson)
    press(panel, "next", qtbot)
    press(panel, "next", qtbot)
    assert panel.lesson is None
    assert messages == ["One question of this lesson is still unanswered."]
    assert panel.list._lists["yours"][1].rows[0].numbers == ("2 of 2",)
    panel.open_file(lesson)
    predict(panel, 1, qtbot)
    press(panel, "next", qtbot)
    assert "✓ done" in panel.list._lists["yours"][1].rows[0].numbers
    assert len(messages) == 1


def test_it_is_left_and_taken_up_in_the_middle(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    panel.open_file(lesson)
    press(panel, "next", qtbot)
    predict(panel, 1, qtbot)
    press(panel, "all", qtbot)
    assert panel.list._lists["yours"][1].rows[0].numbers == ("2 of 2",)
    panel.open_file(lesson)
    assert panel.at == 1
    # The first step wasn't done, so this step does the parts of it that it needs.
    do_step(panel, qtbot)
    assert "Your prediction is correct" in text_of(panel, "verdict")
    assert "<b>132</b>" in text_of(panel, "reveal")
    runs = len(panel.session.runs)
    do_step(panel, qtbot)
    assert len(panel.session.runs) == runs


def test_a_run_of_the_readers_own_is_taken(panel: LessonsPanel, lesson: Path, qtbot: QtBot) -> None:
    from workbench.models.base import MODELS

    panel.open_file(lesson)
    do_step(panel, qtbot)
    params = MODELS["svd"].params_type.from_mapping({"dim": 3, "min_count": 1, "threads": 1})
    record = panel.session.training.start(TrainingSpec("svd", params, name="my own"))
    until(qtbot, lambda: record.state.over)
    press(panel, "next", qtbot)
    predict(panel, 1, qtbot)
    do_step(panel, qtbot)
    assert panel.session.runs.records == [record]
    assert "<b>few (in Runs: my own)</b>" in text_of(panel, "reveal")


def test_a_lesson_that_is_wrong_is_told_with_its_line(panel: LessonsPanel, lesson: Path) -> None:
    messages: list[str] = []
    panel.session.message.connect(lambda text, hint, is_error: messages.append(text))
    lesson.write_text(LESSON.replace("select cat", "choose cat"), "utf-8")
    panel.open_file(lesson)
    assert messages == ["cats.md, line 35: Unknown directive “choose”."]
    assert panel.lesson is None


def test_a_control_that_is_not_there_is_told_in_the_step(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    lesson.write_text(LESSON.replace("neighbours.number 20", "neighbours.number lots"), "utf-8")
    panel.open_file(lesson)
    press(panel, "next", qtbot)
    predict(panel, 1, qtbot)
    do_step(panel, qtbot)
    assert "Couldn’t set “Number of neighbours” to “lots”" in text_of(panel, "doing")
    assert text_of(panel, "reveal") == ""


def test_all_lessons_are_listed_by_level(panel: LessonsPanel, qtbot: QtBot) -> None:
    titles = [row.text for _, rows in panel.list._lists.values() for row in rows.rows]
    assert sorted(titles) == sorted(lesson.title for lesson in bundled_lessons())
    _, rows = panel.list._lists["beginner"]
    qtbot.mouseClick(
        rows.view.viewport(), LEFT, pos=rows.view.visualRect(rows.view.model().index(0, 0)).center()
    )
    assert panel.lesson is not None
    assert panel.lesson.title == rows.rows[0].text


def test_words_put_into_a_field_for_words_are_looked_for(
    context: PanelContext, qtbot: QtBot
) -> None:
    """Every word field is among those that ``workbench lesson`` checks."""
    panels: dict[str, Panel] = {}
    try:
        for key in sorted({name.partition(".")[0] for name in CONTROLS}):
            panels[key] = PANELS[key].panel_class()(context)
            qtbot.addWidget(panels[key])
        for name in CONTROLS:
            assert isinstance(find_widget(panels[name.partition(".")[0]], name), QLineEdit), name
        fields = {
            field.objectName()
            for panel in panels.values()
            for field in panel.findChildren(WordField)
        }
        assert fields
        assert fields <= set(CONTROLS)
    finally:
        for each in panels.values():
            each.release()


def test_the_controls_that_lessons_name_are_there(context: PanelContext, qtbot: QtBot) -> None:
    panels: dict[str, Panel] = {}
    try:
        for name in controls():
            key = name.partition(".")[0]
            if key not in panels:
                panels[key] = PANELS[key].panel_class()(context)
                qtbot.addWidget(panels[key])
            find_widget(panels[key], name)
    finally:
        for each in panels.values():
            each.release()


def test_after_a_lesson_all_is_as_before_and_its_runs_are_marked(
    panel: LessonsPanel,
    beside: NeighboursPanel,
    lesson: Path,
    context: PanelContext,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    session = panel.session
    train = TrainPanel(context)
    qtbot.addWidget(train)
    train.show()
    mine = tmp_path / "mine.txt"
    mine.write_text(TEXT.replace("bird", "king"))
    session.corpora.open([mine], CorpusOptions(sentences="punctuation"))
    until(qtbot, lambda: session.corpora.opening is None and session.corpora.current is not None)
    params = MODELS["svd"].params_type.from_mapping({"dim": 2, "min_count": 1, "threads": 1})
    own = session.training.start(TrainingSpec("svd", params, name="Mine"))
    until(qtbot, lambda: session.active.run is own and session.training.current is None)
    session.selection.select(["king"])
    train.choose("glove")
    train.form.put(train._baseline, {"dim": 33})
    train.form.changed.emit()
    before = train.form.values()
    corpus, number = session.corpora.current, beside.number.currentData()
    assert number != 20 or beside.number.setCurrentIndex(0) is None
    number = beside.number.currentData()
    text = lesson.read_text("utf-8").replace("select cat", "settings svd dim=4\nselect cat")
    lesson.write_text(text, "utf-8")
    panel.open_file(lesson)
    panel.do()
    until(qtbot, lambda: panel.idle and panel.page.onward.isEnabled())
    press(panel, "next", qtbot)
    panel._predict_answer(0)
    panel.do()
    until(
        qtbot,
        lambda: panel.idle and session.active.run is not None and session.active.run is not own,
    )
    lesson_run = session.active.run
    assert lesson_run is not None
    assert lesson_run.note == "Lesson: Cats and dogs"
    assert train.form.values() != before
    assert session.corpora.current is not None
    assert session.corpora.current is not corpus
    # After quitting in the middle of the lesson, a restart shows no run of the lesson,
    assert session.active.last_for(session.corpora.current.digest) is None
    session.active.show(None)
    # unless one was chosen by hand.
    session.active.show(lesson_run)
    assert session.active.last_for(session.corpora.current.digest) is lesson_run
    panel.leave()
    until(qtbot, lambda: session.corpora.opening is None and session.active.embeddings is not None)
    context.bridge.tick.emit()
    assert session.active.run is own
    assert session.selection.words == ("king",)
    assert session.corpora.current is not None
    assert corpus is not None
    assert session.corpora.current.digest == corpus.digest
    assert (train.algorithm.currentData(), train.form.values()) == ("glove", before)
    until(qtbot, lambda: beside.number.currentData() == number)
    # The run of the lesson remains and is marked as such: in its note, in the list, and after a
    # restart.
    row = next(
        at
        for at in range(train.runs.model().rowCount())
        if train.runs.model().index(at, 0).data() == lesson_run.name
    )
    description = train.runs.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Lesson: Cats and dogs" in description
    assert [
        record.note for record in session.store.load()[0] if record.name == lesson_run.name
    ] == [lesson_run.note]
    train.release()


def test_the_names_of_runs_may_contain_commas(
    context: PanelContext, panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    evaluate = PANELS["evaluate"].panel_class()(context)
    qtbot.addWidget(evaluate)
    evaluate.show()
    few = "train few: svd dim=3 min_count=1 threads=1"
    text = LESSON.replace("objective:", "name: few Few, small\nname: more More, large\nobjective:")
    lesson.write_text(
        text.replace(
            few,
            f"{few}\ntrain more: svd dim=4 min_count=1 threads=1\n"
            "set evaluate.analogies.runs {few}, {more}",
        ),
        "utf-8",
    )
    panel.open_file(lesson)
    do_step(panel, qtbot)
    press(panel, "next", qtbot)
    predict(panel, 0, qtbot)
    do_step(panel, qtbot)
    assert text_of(panel, "doing") == ""
    choice = find_widget(panel, "evaluate.analogies.runs")
    assert isinstance(choice, RunsChoice)
    assert [record.name for record in choice.records] == ["Few, small", "More, large"]
    evaluate.release()


def test_controls_are_as_at_the_start_even_if_a_lessons_text_changed_them_first(
    panel: LessonsPanel, beside: NeighboursPanel, lesson: Path, qtbot: QtBot
) -> None:
    lesson.write_text(
        "# Later\nlevel: beginner\nminutes: 1\nabout: A test.\n\n"
        "## A text\n\nLook.\n\n```do\nopen town.txt\n```\n\n"
        "## A control\n\nLook.\n\n```do\nset neighbours.number 20\n```\n",
        "utf-8",
    )
    look_at(panel.session, toy_model())
    until(qtbot, lambda: beside.idle)
    beside.number.setCurrentIndex(0)
    at_start = beside.number.currentData()
    panel.open_file(lesson)
    panel.do()
    until(qtbot, lambda: panel.idle and panel.page.onward.isEnabled())
    # As a map leaves the plane of an analogy when the lesson's run lacks its words.
    beside.number.setCurrentIndex(beside.number.count() - 1)
    press(panel, "next", qtbot)
    do_step(panel, qtbot)
    assert beside.number.currentData() == 20 != at_start
    panel.leave()
    until(qtbot, lambda: beside.number.currentData() == at_start)


def test_return_never_skips_a_question(panel: LessonsPanel, lesson: Path, qtbot: QtBot) -> None:
    panel.open_file(lesson)
    panel.page.act.setFocus()
    qtbot.keyClick(panel.page.act, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and "<b>132</b>" in text_of(panel, "text"))
    assert panel.window().focusWidget() is panel.page.onward
    qtbot.keyClick(panel.page.onward, Qt.Key.Key_Return)
    # The next step asks something: the focus is on its first answer, not on “Next”.
    focused = panel.window().focusWidget()
    assert isinstance(focused, QRadioButton)
    for _ in range(3):
        qtbot.keyClick(focused, Qt.Key.Key_Return)
    assert panel.at == 1
    assert text_of(panel, "reveal") == ""
    assert panel.course.chosen_answer(panel.lesson, 1) is None
    qtbot.keyClick(focused, Qt.Key.Key_Space)
    qtbot.keyClick(focused, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and bool(text_of(panel, "reveal")))
    assert panel.window().focusWidget() is panel.page.onward
    # After the end, the focus is on the lesson in the list.
    qtbot.keyClick(panel.page.onward, Qt.Key.Key_Return)
    assert panel.lesson is None
    rows = panel.list._lists["yours"][1]
    assert panel.window().focusWidget() is rows.view
    assert rows.view.currentIndex().row() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Down])
def test_keys_show_a_question_that_a_low_window_hides(
    key: Qt.Key, panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    many = "\n\n".join(["Train it, and read all of this before you do."] * 20)
    lesson.write_text(LESSON.replace("Train it.", many), "utf-8")
    panel.resize(330, 420)
    panel.open_file(lesson)
    panel.page.act.setFocus()
    qtbot.keyClick(panel.page.act, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and panel.window().focusWidget() is panel.page.onward)
    qtbot.keyClick(panel.page.onward, Qt.Key.Key_Return)
    focused = panel.window().focusWidget()
    assert isinstance(focused, QRadioButton)
    bar = panel.page.scrolled.verticalScrollBar()
    until(qtbot, lambda: bar.maximum() > 0)
    # The text comes first.
    assert bar.value() == 0
    seen = panel.page.scrolled.viewport()
    question = panel.findChild(QLabel, "lessons.question")
    assert question is not None

    def in_view(widget: QWidget) -> bool:
        top = widget.mapTo(seen, widget.rect().topLeft()).y()
        return top >= 0 and top + widget.height() <= seen.height()

    assert not in_view(question)
    qtbot.keyClick(focused, key)
    assert in_view(question)
    assert all(in_view(answer) for answer in panel.page._answers)
    # Only Space chooses the answer that has the focus.
    assert (panel.course.chosen_answer(panel.lesson, 1) is None) == (key != Qt.Key.Key_Space)


def test_a_field_that_the_lesson_fills_in_does_not_keep_the_focus(
    panel: LessonsPanel, beside: NeighboursPanel, lesson: Path, qtbot: QtBot
) -> None:
    panel.open_file(lesson)
    panel.page.act.setFocus()
    qtbot.keyClick(panel.page.act, Qt.Key.Key_Return)
    field = QLineEdit(panel)
    field.show()
    field.setText("set by the program")
    field.setFocus()
    until(qtbot, lambda: panel.idle and "<b>132</b>" in text_of(panel, "text"))
    assert panel.window().focusWidget() is panel.page.onward
    # Typed text keeps it.
    panel.page.act.setFocus()
    qtbot.keyClick(panel.page.act, Qt.Key.Key_Return)
    field.setFocus()
    qtbot.keyClicks(field, "ab")
    until(qtbot, lambda: panel.idle)
    assert panel.window().focusWidget() is field


def test_a_step_entered_directly_has_what_earlier_steps_left(
    panel: LessonsPanel, beside: NeighboursPanel, lesson: Path, qtbot: QtBot
) -> None:
    text = lesson.read_text("utf-8").replace(
        "## A model",
        "## Before\n\nA.\n\n```do\nset neighbours.number 50\nselect dog\n```\n\n## A model",
    )
    text = text.replace("set neighbours.number 20\n", "").replace("select cat\n", "")
    lesson.write_text(text, "utf-8")
    panel.open_file(lesson)
    panel.go(2)
    predict(panel, 1, qtbot)
    do_step(panel, qtbot)
    assert beside.number.currentText() == "50"
    assert panel.session.selection.words == ("dog",)
    # Done in order, what the reader changes in between stays.
    panel.again()
    for step in range(3):
        if step == 2:
            predict(panel, 1, qtbot)
            beside.number.setCurrentIndex(0)
        do_step(panel, qtbot)
        if step < 2:
            press(panel, "next", qtbot)
    assert beside.number.currentIndex() == 0


def test_a_low_panel_scrolls_to_the_answer_and_its_choices_stay_close(
    panel: LessonsPanel, lesson: Path, qtbot: QtBot
) -> None:
    panel.open_file(lesson)
    panel.go(1)
    page = panel.page
    until(qtbot, lambda: page._choices.height() > 0)
    assert all(each.height() == each.heightForWidth(each.width()) for each in page._answers)
    panel.resize(330, 320)
    qtbot.mouseClick(page._answers[1].button, LEFT)
    qtbot.mouseClick(page.act, LEFT)
    until(qtbot, lambda: page._verdict.isVisible())
    qtbot.waitUntil(lambda: page.scrolled.verticalScrollBar().value() > 0)
    assert not page._verdict.visibleRegion().isEmpty()
    assert not page._reveal.visibleRegion().isEmpty()
