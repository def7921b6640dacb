"""Odd one out: the word that doesn't belong, among typed words or a set from a question file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QLineEdit

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.neighbours.odd_one_out import (
    OddOneOut,
    OddQuestion,
    odd_one_out,
    odd_questions,
)
from workbench.analysis.neighbours.query_resolution import left_out_message
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.corpus.word_lookup import spellings
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_3
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.evaluate.bars_view import BarsView
from workbench.ui.widgets.inputs.evaluation_sets import QUESTION_FILES
from workbench.ui.widgets.inputs.file_choice import known_files
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.vectors.embeddings import Embeddings

_PRESETS = 40
# If the two lowest are closer than this, the answer is called close.
_CLOSE = 0.02
_SECTION_TIP = tr("Four words from one section of the question file and one from another")
_SPLIT = str.maketrans(",;", "  ")


@dataclass(frozen=True)
class _Presets:
    """Sets made from the sections of a question file."""

    path: Path
    sets: dict[str, tuple[OddQuestion, ...]]


def _load_presets(path: Path) -> _Presets:
    questions = load_questions(path)
    by_section = {
        section: odd_questions(questions, section, _PRESETS) for section in questions.sections
    }
    return _Presets(path, {section: sets for section, sets in by_section.items() if sets})


def score_presets(embeddings: Embeddings, sets: tuple[OddQuestion, ...]) -> tuple[int, int]:
    """Number of intruders found, and number of sets whose words are all known."""
    found = known = 0
    for one in sets:
        try:
            answer = odd_one_out(embeddings, one.words)
        except UserError:
            continue
        if answer.left_out:
            continue
        known += 1
        found += answer.word == embeddings.words[embeddings.row(one.intruder)]
    return found, known


@dataclass(frozen=True)
class OddState(PanelState):
    """The words, and the section of questions that sets are made from, "" for the first."""

    words: str = choice("")
    section: str = choice("")


class OddOneView(Instrument):
    """Three or more words with their mean cosines as bars, the lowest one marked."""

    local = "odd"
    state_kind = OddState
    view_state: OddState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._presets: _Presets | None = None
        self._reading = ResultJob(self.session.jobs, f"{self.key}.presets")
        self._reading.on_failed(self._no_sections)
        self._next = 0
        self._result: OddOneOut | None = None
        self._intruder = ""
        self.words = self.named(
            QLineEdit(), "words", tr("Words for the odd-one-out test"), tr("Three or more words")
        )
        self.words.setPlaceholderText(tr("Type three or more words"))
        self.words.setClearButtonEnabled(True)
        self.section = self.named(
            kit.ChoiceBox.of({}, letters=12),
            "section",
            tr("Make sets from a section of questions"),
            _SECTION_TIP,
        )
        kit.set_scaled_size(self.section, most_width=260)
        self.another = self.named(
            kit.button(tr("New set"), pressed=self._offer_set),
            "another",
            tr("Another set from this section"),
        )
        self.answer = kit.label(role="title", name=f"{self.key}.answer")
        self.fact = kit.label(role="muted", name=f"{self.key}.fact", wrap=True)
        self.bars = self.named(
            BarsView(self.theme), "bars", tr("Mean cosine of each word with the others")
        )
        self.bars.export = Export(
            self,
            self.session,
            tr("Export the odd one out"),
            "odd-one-out",
            lambda: self.bars.file_size,
            self.bars.save_picture,
            csv(
                lambda: to_csv(
                    ["word", "mean cosine"], zip(self.bars.words, self.bars.scores, strict=True)
                )
            ),
            about=lambda: tr(
                "Mean cosine of each word with the others. The odd one out has the minimum."
            ),
        )
        export = kit.export_button(self, lambda: self.bars.export, tr("Export the bars"))
        kit.add(self.controls, kit.stretch(self.words), self.section, self.another, export)
        answer = kit.row(self.answer, kit.stretch(self.fact), gap=None)
        column = kit.column(answer, kit.stretch(self.bars), gap=SPACE_3, margins=(0, SPACE_3, 0, 0))
        kit.fill(self.content, column)
        self.words.textEdited.connect(lambda _: self._forget_intruder())
        self.bind(self.words, "words", by=[self.words.textEdited, self.words.returnPressed])
        self.bind(self.section, "section")
        self.bars.picked.connect(lambda word: self.session.selection.select([word]))
        panel.follow(self.session.active.changed, self.refresh)
        panel.follow(self.session.corpora.changed, self._read_presets)
        self.section.setEnabled(False)
        self.another.setEnabled(False)

    # -- sets from a question file

    def _read_presets(self) -> None:
        """Read the questions of the open corpus, or else the file opened last."""
        own = self.session.corpora.questions_path
        files = known_files(self.session, QUESTION_FILES)
        if own is not None:
            files = [str(own)]
        if not files:
            return
        path = Path(files[0])
        work = lambda run: _load_presets(path)  # noqa: E731
        title = tr("Building sets")
        self._reading.ask(Request((files[0],), title, work, self._offer_sections, quiet=True))

    def _no_sections(self, error: UserError) -> None:
        """Disable sets if the file can't be read; words can still be typed."""
        self._offer_sections(_Presets(Path(), {}))
        self._presets = None
        self.section.setToolTip(safe_tip(str(error)))

    def _offer_sections(self, presets: _Presets) -> None:
        self._presets = presets
        self.section.setToolTip(safe_tip(_SECTION_TIP))
        self.section.replace_choices([(name, name) for name in presets.sets], "family")
        self.section.setEnabled(bool(presets.sets))
        self.another.setEnabled(bool(presets.sets))
        self._next = 0
        if not self.view_state.words:
            self._offer_set()

    def state_changed(self, before: OddState, after: OddState) -> None:
        if after.section != before.section:
            self._next = 0
            self._offer_set()
        self._find_odd()

    def _offer_set(self) -> None:
        sets = self._section_sets()
        if sets:
            one = sets[self._next % len(sets)]
            self._next += 1
            self._intruder = one.intruder
            self.view_state = self.view_state.replace(words=" ".join(one.words))
            self.words.setCursorPosition(0)

    def _section_sets(self) -> tuple[OddQuestion, ...]:
        if self._presets is None:
            return ()
        return self._presets.sets.get(str(self.section.currentData()), ())

    # -- test

    def _forget_intruder(self) -> None:
        self._intruder = ""

    def exporters(self) -> Sequence[Exporter]:
        return () if self.bars.export is None else (self.bars.export,)

    def refresh(self) -> None:
        if self.isVisible():
            self._read_presets()
            self._find_odd()

    def _find_odd(self) -> None:
        embeddings = self.session.active.trained
        words = self.view_state.words.translate(_SPLIT).split()
        if embeddings is None:
            return
        if len(words) < 3:
            self.show_message(
                tr("Which word doesn’t belong?"),
                tr("Type three or more words, or choose a section to get a set."),
            )
            return
        sets = self._section_sets()
        self.work_quietly(
            (embeddings, tuple(words), sets),
            tr("Finding the odd one out"),
            partial(_find_odd_one, embeddings, words, sets),
            self._show_answer,
        )

    def _show_answer(self, found: tuple[OddOneOut, tuple[int, int]]) -> None:
        answer, (right, known) = found
        self._result = answer
        order = sorted(range(len(answer.words)), key=lambda at: -answer.scores[at])
        self.bars.set_bars(
            [answer.words[at] for at in order],
            [answer.scores[at] for at in order],
            order.index(answer.odd),
        )
        self.answer.setText(answer.word)
        others = min(score for at, score in enumerate(answer.scores) if at != answer.odd)
        own, following = shown_score(answer.scores[answer.odd]), shown_score(others)
        embeddings = self.session.active.trained
        if answer.margin < _CLOSE:
            fact = tr(
                "is the odd one out by a narrow margin: mean cosine {own}, next lowest {following}",
                own=own,
                following=following,
            )
        else:
            fact = tr(
                "is the odd one out: mean cosine {own}, next lowest {following}",
                own=own,
                following=following,
            )
        parts = [fact]
        if self._intruder:
            options = None if embeddings is None else embeddings.options
            if answer.word in spellings(self._intruder, options):
                parts.append(tr("as intended"))
            else:
                parts.append(tr("intended answer: {intruder}", intruder=self._intruder))
        if known:
            section = self.section.currentText()
            parts.append(
                tr(
                    "{right} of {known} sets of {section} solved",
                    right=count(right),
                    known=count(known),
                    section=section,
                )
            )
            total = len(self._section_sets())
            if known < total:
                parts.append(
                    tr("{known} of {total} sets known", known=count(known), total=count(total))
                )
        if embeddings is not None and answer.left_out:
            parts.append(left_out_message(answer.left_out, embeddings.words))
        self.fact.setText(" · ".join(parts))


def _find_odd_one(
    embeddings: Embeddings, words: list[str], sets: tuple[OddQuestion, ...], _: object
) -> tuple[OddOneOut, tuple[int, int]]:
    return odd_one_out(embeddings, words), score_presets(embeddings, sets)
