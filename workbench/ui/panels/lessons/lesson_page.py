"""One step of a lesson: its text, question, actions and measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QWidget,
)

from workbench.core.language import tr, trc
from workbench.session.export.markup import text as escaped
from workbench.session.lessons import markdown
from workbench.session.lessons.assertions import ClaimResult, rows_of
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import RichLabel, safe_tip
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, Theme, set_property


class LessonPage(QWidget):
    """The page of a step. ``do``, ``back``, ``next`` and ``leave``: the button was pressed.
    ``chosen``: an answer was chosen as the prediction.
    """

    do = Signal()
    back = Signal()
    next = Signal()
    leave = Signal()
    story = Signal()
    hand_in = Signal()
    chosen = Signal(int)

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._panel = panel
        self._theme = panel.theme
        self._lesson: Lesson | None = None
        self._step: LessonStep | None = None
        self._values: Mapping[str, str] = {}
        self._answers: list[_Answer] = []
        # Whether the answer is shown; None until the step was shown once.
        self._revealed: bool | None = None
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)
        self._group.idClicked.connect(lambda _: self._scroll_to_question())
        self._make_buttons(panel)
        # One line: low windows need the height for the text.
        self._name = kit.with_role(kit.ElidedLabel(), "muted")
        self.bar = QProgressBar()
        self.bar.setObjectName(f"{panel.key}.progress")
        self.bar.setAccessibleName(tr("Progress of the lesson"))
        self.bar.setTextVisible(False)
        self._title = _label("title", f"{panel.key}.title")
        self._objectives = _label("", f"{panel.key}.objectives")
        notes = kit.button(tr("Teacher’s notes"), role="link", checkable=True)
        self.notes = panel.named(notes, "notes", tr("Teacher’s notes"))
        # Folded again with the next lesson.
        self.notes.setProperty("passing", True)
        self.notes.toggled.connect(self._fold_notes)
        self._note_text = _label("small", f"{panel.key}.note_text")
        self._closing = _label("", f"{panel.key}.closing")
        self._text = _label("", f"{panel.key}.text")
        self._question = _label("", f"{panel.key}.question")
        self._choices_box = kit.column(gap=SPACE_1)
        self._choices = kit.box(self._choices_box)
        self._verdict = _label("", f"{panel.key}.verdict")
        self._reveal = _label("", f"{panel.key}.reveal")
        self._measured = _label("small", f"{panel.key}.measured")
        self._measured_head = kit.label(tr("MEASURED HERE"), role="heading")
        self._sources = _label("small")
        self._doing = _label("small", f"{panel.key}.doing")
        self._build()
        panel.theme.changed.connect(self._rewrite)

    def _make_buttons(self, panel: Panel) -> None:
        self.all = panel.named(
            kit.button(tr("← All lessons"), role="link", pressed=self.leave),
            "all",
            tr("All lessons"),
            tr("Leave this lesson. Your progress is saved."),
        )
        self.share = panel.named(
            kit.button(tr("Report…"), role="link", pressed=self.story),
            "story",
            tr("Save lesson report"),
            tr("Save texts, predictions, values and figures as a page to print"),
        )
        self.submit = panel.named(
            kit.button(tr("Hand in…"), role="link", pressed=self.hand_in),
            "hand_in",
            tr("Hand in"),
            tr("Save predictions, measurements and answers for your teacher"),
        )
        self.act = panel.named(
            kit.button(tr("Do it for me"), role="primary", pressed=self.do),
            "do",
            tr("Do it for me"),
            tr("Do this step. (Return)"),
        )
        self.previous = panel.named(
            kit.button(tr("Back"), pressed=self.back),
            "back",
            tr("Previous step"),
            tr("Alt+Page up"),
        )
        self.onward = panel.named(
            kit.button(tr("Next"), pressed=self.next),
            "next",
            tr("Next step"),
            tr("Alt+Page down"),
        )

    def _build(self) -> None:
        step = kit.column(
            self._title,
            self._objectives,
            self._text,
            self._question,
            self._choices,
            self._verdict,
            self._reveal,
            self._measured_head,
            self._measured,
            self._closing,
            self._sources,
            kit.row(self.notes, kit.stretch()),
            self._note_text,
            # All room that is left: without a share, the answers would get a part of it.
            kit.stretch(share=1),
            gap=SPACE_3,
            margins=(SPACE_3, SPACE_1, SPACE_3, SPACE_3),
        )
        self.scrolled = self._panel.named(
            kit.scroll(step), "page", tr("Scrollable text of the step")
        )
        head = kit.row(self.all, kit.stretch(), self.submit, self.share)
        top = kit.column(head, self._name, self.bar, gap=SPACE_1, margins=(SPACE_3, 0))
        moves = kit.row(kit.stretch(self.previous), kit.stretch(self.onward))
        foot = kit.column(self._doing, self.act, moves, margins=(SPACE_3, SPACE_2))
        kit.fill(
            self, kit.column(top, kit.stretch(self.scrolled), foot, margins=(0, SPACE_1, 0, 0))
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused button with Return, as with Space; on an answer, do the step."""
        focused = self.focusWidget()
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif isinstance(focused, QPushButton):
            focused.click()
        elif isinstance(focused, QRadioButton):
            # Without an answer, the button does nothing: show what it waits for.
            self._scroll_to_question()
            self.act.click()

    def take_focus(self) -> None:
        """Focus the first control to use: the button that does the step, or an answer, or the
        button that continues.
        """
        answer_button = next(
            (answer.button for answer in self._answers if answer.button.isEnabled()), None
        )
        first = (
            self.act
            if self.act.isVisible() and self.act.isEnabled()
            else answer_button or self.onward
        )
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- a step

    def put(self, lesson: Lesson, at: int, chosen: int | None) -> None:
        """Show a step before its actions; ``chosen`` is the earlier prediction."""
        step = self._step = lesson.steps[at]
        self._lesson, self._revealed = lesson, None
        self._name.put(
            tr(
                "{title} · step {value} of {number}",
                title=lesson.title,
                value=at + 1,
                number=len(lesson.steps),
            )
        )
        self.bar.setRange(0, len(lesson.steps))
        self.bar.setValue(at + 1)
        self._title.setText(escaped(step.title))
        self._put_question(step, chosen)
        last = at == len(lesson.steps) - 1
        self._objectives.setVisible(at == 0 and bool(lesson.objectives))
        self._closing.setVisible(last and bool(lesson.closing_questions))
        self.notes.setVisible(at == 0 and bool(lesson.notes))
        self.notes.setChecked(False)
        self._fold_notes()
        sources, onward, onward_name = "", tr("Next"), tr("Next step")
        if last:
            sources = "".join(
                f"<p>{markdown.inline_html(source, {})}</p>" for source in lesson.sources
            )
            onward, onward_name = tr("Finish"), tr("Finish the lesson")
        self._sources.setText(sources)
        self._sources.setVisible(bool(sources))
        self.previous.setEnabled(at > 0)
        self.onward.setText(onward)
        self.onward.setAccessibleName(onward_name)
        self.tell("")
        self.scrolled.verticalScrollBar().setValue(0)

    def _put_question(self, step: LessonStep, chosen: int | None) -> None:
        for answer in self._answers:
            self._group.removeButton(answer.button)
            self._choices_box.removeWidget(answer)
            answer.hide()
            answer.deleteLater()
        self._answers = []
        if step.question is not None:
            for number, choice in enumerate(step.question.choices):
                answer = _Answer(
                    self._theme,
                    f"{self._panel.key}.answer.{number}",
                    markdown.inline_plain(choice.text, self._values),
                )
                answer.reached.connect(self._scroll_to_question)
                self._group.addButton(answer.button, number)
                kit.add(self._choices_box, answer)
                self._answers.append(answer)
            if chosen is not None and chosen < len(self._answers):
                self._answers[chosen].button.setChecked(True)
        for part in (self._question, self._choices):
            part.setVisible(step.question is not None)

    def show_state(
        self,
        values: Mapping[str, str],
        measured: Sequence[ClaimResult] | None,
        chosen: int | None,
        busy: bool,
    ) -> None:
        """Show values in the text; ``measured`` is None before the step is done."""
        self._values = values
        done = measured is not None
        step = self._step
        assert step is not None
        self._rewrite()
        question = step.question
        revealed = done and question is not None
        self._reveal.setVisible(revealed)
        self._verdict.setVisible(revealed and chosen is not None)
        if question is not None and revealed:
            mark, verdict = (
                "→",
                tr("Correct answer: {answer}", answer=question.choices[question.right].text),
            )
            if chosen == question.right:
                mark, verdict = "✓", tr("Your prediction is correct.")
            self._verdict.setText(f"<b>{mark} {markdown.inline_html(verdict, values)}</b>")
        for number, each in enumerate(self._answers):
            each.button.setEnabled(not done)
            each.judge(revealed and question is not None and number == question.right)
        rows = "".join(_claim_html(result, values) for result in rows_of(measured or ()))
        if rows:
            rows = f"<table cellspacing='0'>{rows}</table>"
        self._measured.setText(rows)
        for part in (self._measured, self._measured_head):
            part.setVisible(bool(rows))
        self._put_button(step, done, chosen, busy)
        if revealed and self._revealed is False:
            # After the new texts were laid out.
            QTimer.singleShot(0, self, self._scroll_to_answer)
        self._revealed = revealed

    def _scroll_to_question(self) -> None:
        self._scroll_to(self._question, self._choices)

    def _scroll_to_answer(self) -> None:
        self._scroll_to(self._reveal if self._verdict.isHidden() else self._verdict, self._reveal)

    def _scroll_to(self, first: QWidget, last: QWidget) -> None:
        """Scroll the first of these parts to the top, or as far as the end of the last needs."""
        bar, seen = self.scrolled.verticalScrollBar(), self.scrolled.viewport().height()
        hidden = last.geometry().bottom() + 1 - seen
        bar.setValue(min(first.y() - SPACE_2, max(bar.value(), hidden + SPACE_2)))

    def _put_button(self, step: LessonStep, done: bool, chosen: int | None, busy: bool) -> None:
        has_question = step.question is not None
        text = tr("Do it for me")
        if busy:
            text = tr("Stop")
        elif done:
            text = tr("Do it again")
        elif has_question:
            text = tr("Do it and reveal") if step.actions else tr("Reveal")
        elif not step.actions:
            text = trc("verb", "Measure")
        waiting = has_question and chosen is None and not done and not busy
        self.act.setVisible(bool(step.actions or step.claims or has_question))
        self.act.setText(text)
        accessible, tip = text, tr("Do this step. (Return)")
        if waiting:
            accessible, tip = (
                tr("{text}: predict the answer first", text=text),
                tr("Predict the answer first"),
            )
        self.act.setAccessibleName(accessible)
        self.act.setToolTip(safe_tip(tip))
        self.act.setEnabled(not waiting)
        act_role, onward_role = "primary", ""
        if done or busy:
            act_role = ""
        if done or not self.act.isVisibleTo(self):
            onward_role = "primary"
        set_property(self.act, "role", act_role)
        set_property(self.onward, "role", onward_role)

    def tell(self, sentence: str, *, is_error: bool = False) -> None:
        """Show the progress or an error; "" clears it."""
        if sentence != self._doing.text() or is_error:
            role = "error" if is_error else "small"
            set_property(self._doing, "role", role)
            self._doing.setText(escaped(sentence))
            self._doing.setVisible(bool(sentence))

    def _fold_notes(self) -> None:
        """Show or hide the notes for teachers, which are hidden at first."""
        opened = self.notes.isChecked()
        icon = "chevron-down" if opened else "chevron-right"
        self.notes.setIcon(self._theme.icon(icon, "accent"))
        self._note_text.setVisible(opened)

    def _rewrite(self) -> None:
        if self._step is not None:
            colours = self._theme.palette
            style = (
                f"<style>a {{ color: {colours.accent} }} p {{ margin: 0 0 8px 0 }}"
                f" li {{ margin-bottom: 4px }}"
                f" ul {{ margin: 0 0 8px 0; -qt-list-indent: 1 }}"
                f" p.formula {{ margin-left: 12px; font-size: large; color: {colours.text} }}"
                "</style>"
            )
            self._write_lesson_texts(style)
            self._text.setText(
                style
                + markdown.to_html(
                    markdown.without_holes(self._step.text, self._values), self._values
                )
            )
            self._reveal.setText(style + markdown.to_html(self._step.reveal, self._values))
            if self._step.question is not None:
                self._question.setText(
                    f"<b>{markdown.to_html(self._step.question.blocks, self._values)}</b>"
                )

    def _write_lesson_texts(self, style: str) -> None:
        """Show objectives, final questions and notes, which belong to the whole lesson."""
        lesson = self._lesson
        assert lesson is not None
        self._objectives.setText(
            f"{style}<p><b>{tr('After this lesson, you can:')}</b></p>{_items(lesson.objectives)}"
        )
        closing = [
            f"<p><b>{title}</b><br>{markdown.inline_html(question, {})}</p>"
            for title, question in lesson.closing_questions
        ]
        self._closing.setText(style + "".join(closing))
        self._note_text.setText(style + _items(lesson.notes))
        self._fold_notes()


def _items(texts: Sequence[str]) -> str:
    blocks = tuple(markdown.MarkdownBlock("item", text) for text in texts)
    return markdown.to_html(blocks, {})


def _claim_html(result: ClaimResult, values: Mapping[str, str]) -> str:
    """A row of the table of measurements."""
    mark, claimed = "·", ""
    if result.true:
        mark = "✓"
    elif result.true is False:
        mark, claimed = (
            "✗",
            " " + escaped(tr("(expected: {expected})").format(expected=result.expected)),
        )
    call = escaped(result.claim.call.describe(values))
    return (
        f"<tr><td style='padding-right:8px'>{mark}</td><td>{call}: "
        f"<b>{escaped(result.shown)}</b>{claimed}</td></tr>"
    )


# Reasons of a focus that Tab or an arrow key has moved.
_BY_KEYS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class _Answer(QWidget):
    """A radio button whose text can have several lines; a frame around both shows the focus.

    reached : a key has moved the focus to the answer
    """

    reached = Signal()

    def __init__(self, theme: Theme, name: str, text: str) -> None:
        super().__init__()
        self._theme = theme
        self.button = kit.with_role(QRadioButton(), "framed", name)
        self.button.installEventFilter(self)
        self.button.setAccessibleName(text)
        self._text = text
        self._label = _label()
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._label.installEventFilter(self)
        self._first_line = kit.column(self.button, kit.stretch())
        kit.fill(self, kit.row(self._first_line, kit.stretch(self._label), margins=(0, 2)))
        self.judge(False)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Polish):
            # The circle is beside the first line of the text.
            line = self._label.fontMetrics().height()
            self._first_line.setContentsMargins(
                0, max((line - self.button.sizeHint().height()) // 2, 0), 0, 0
            )
            over = max((self.button.sizeHint().height() - line) // 2, 0)
            self._label.setContentsMargins(0, over, 0, 0)
        return done

    def judge(self, right: bool) -> None:
        """Show the right answer in bold."""
        text = escaped(self._text)
        if right:
            text = f"<b>{text}</b>"
        self._label.setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.button.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._theme.palette.accent), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.button:
            if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                self.update()
            if isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() in _BY_KEYS:
                self.reached.emit()
        elif event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            self.button.click()
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().eventFilter(watched, event)


def _label(role: str = "", name: str = "") -> QLabel:
    label = kit.with_role(RichLabel(), role, name)
    label.setWordWrap(True)
    label.setOpenExternalLinks(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
    )
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return label
