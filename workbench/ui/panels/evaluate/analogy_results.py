"""Results of analogy questions for several runs: the answers, and their rows and curves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.analysis.analogy.questions import Questions, is_syntactic
from workbench.analysis.analogy.solver import AnalogyReport, Section
from workbench.analysis.evaluation.bootstrap import share_interval
from workbench.analysis.evaluation.by_frequency import (
    accuracy_by_frequency,
    bin_edges,
)
from workbench.analysis.evaluation.leaderboard import common_words
from workbench.core.language import percent, tr
from workbench.ui.base.text import count, true_minus
from workbench.ui.panels.evaluate.results import AnalogyAnswers
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.tables.data_table import TableColumn

# With more runs, bars are too narrow to compare.
_MOST_BARS = 8


@dataclass(frozen=True)
class WrongAnswer:
    """A question with a wrong answer: its words as asked, all right answers, the answer given, and
    the best rank of a right one.
    """

    section: str
    words: tuple[str, str, str, str]
    right: tuple[str, ...]
    answer: str
    rank: int


@dataclass(frozen=True, eq=False)
class RunAnswers:
    """One run's answers, with its name and colour."""

    identifier: str
    name: str
    colour: int
    answers: AnalogyAnswers

    @property
    def report(self) -> AnalogyReport:
        return self.answers.report


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers of several runs to one question file."""

    questions: Questions
    runs: tuple[RunAnswers, ...]


def wrong_answers(answers: AnalogyAnswers) -> list[WrongAnswer]:
    """The questions with wrong answers, in the order of the file."""
    questions, report = answers.questions, answers.report
    found = []
    for at in np.flatnonzero(report.predicted != report.expected).tolist():
        question = int(report.question[at])
        section = questions.sections[questions.section[question]]
        a, b, c, d = questions.words[question]
        words = (a, report.stood_for_b.get(question, b), c, d)
        answer = answers.answered[at]
        right = questions.answers(question)
        found.append(WrongAnswer(section, words, right, answer, int(report.rank[at])))
    return found


@dataclass(frozen=True)
class SectionRow:
    """A section, or the total of several sections, of one report."""

    name: str
    share: float
    correct: int
    asked: int
    total: int


def section_rows(report: AnalogyReport) -> tuple[list[SectionRow], int]:
    """The totals first, then the sections in the order of the file; and the number of totals."""
    semantic = [s for name, s in report.sections.items() if not is_syntactic(name)]
    syntactic = [s for name, s in report.sections.items() if is_syntactic(name)]
    sums = [
        SectionRow(
            name,
            share,
            sum(s.correct for s in part),
            sum(s.asked for s in part),
            sum(s.total for s in part),
        )
        for name, share, part in (
            (tr("All questions"), report.all, semantic + syntactic),
            (tr("Semantic"), report.semantic, semantic),
            (tr("Syntactic"), report.syntactic, syntactic),
        )
        if part
    ]
    sections: list[tuple[str, Section]] = list(report.sections.items())
    return [
        *sums,
        *(SectionRow(name, s.accuracy, s.correct, s.asked, s.total) for name, s in sections),
    ], len(sums)


def accuracy_text(row: SectionRow) -> str:
    """100.0% only if all answers are right, 0.0% only if none is."""
    if math.isnan(row.share):
        return "–"
    number = round(100 * row.share, 1)
    if row.correct < row.asked:
        number = min(number, 99.9)
    if row.correct:
        number = max(number, 0.1)
    return percent(true_minus(f"{number:.1f}"))


def _right_text(row: SectionRow) -> str:
    """Number of right answers, and the interval of their share."""
    right = tr("{correct} of {asked} correct", correct=count(row.correct), asked=count(row.asked))
    if not row.asked:
        return right
    low, high = share_interval(row.correct, row.asked)
    interval = tr(
        "95% interval: {low:.1f}% to {high:.1f}%. The true interval is wider if questions "
        "share word pairs.",
        low=100 * low,
        high=100 * high,
    )
    return f"{right}\n{interval}"


def section_columns(answers: Answers) -> tuple[list[TableColumn], range]:
    """Columns by section: all numbers for one run; the accuracies of several side by side, below
    the share of the questions that each knows. And the rows in bold.
    """
    if len(answers.runs) == 1:
        return _columns_of_one(answers.runs[0])
    tables = [section_rows(run_answers.report) for run_answers in answers.runs]
    rows, sums = tables[0]
    columns = [
        TableColumn(
            tr("Section"),
            [tr("Questions known"), *(row.name for row in rows)],
            strong=[1 <= at <= sums for at in range(1 + len(rows))],
        )
    ]
    best = [_best_share([own[at] for own, _ in tables]) for at in range(len(rows))]
    for run_answers, name, (own, _) in zip(answers.runs, short_names(answers), tables, strict=True):
        report = run_answers.report
        known = SectionRow("", report.covered, report.asked, report.total, report.total)
        known_tip = tr(
            "{asked} of {total} questions known",
            asked=count(report.asked),
            total=count(report.total),
        )
        columns.append(
            TableColumn(
                name,
                [report.covered, *(row.share for row in own)],
                tip=tr(
                    "{name}: share of correct answers. The best is bold.", name=run_answers.name
                ),
                texts=[accuracy_text(known), *(accuracy_text(row) for row in own)],
                tips=[known_tip, *(_right_text(row) for row in own)],
                bar=len(answers.runs) <= _MOST_BARS,
                stretch=True,
                colour=run_answers.colour,
                number=True,
                strong=[False, *(row.share == top for row, top in zip(own, best, strict=True))],
                aside=[True, *(False for _ in own)],
                key=run_answers.identifier,
            )
        )
    totals = [len(answers.questions), *(row.total for row in rows)]
    columns.append(TableColumn(tr("In the file"), totals, text=count))
    # Bold cells are the best of their row, so rows are not.
    return columns, range(0)


def _columns_of_one(run_answers: RunAnswers) -> tuple[list[TableColumn], range]:
    rows, sums = section_rows(run_answers.report)
    return [
        TableColumn(tr("Section"), [row.name for row in rows]),
        TableColumn(
            tr("Accuracy"),
            [row.share for row in rows],
            tip=tr("Share of known questions answered correctly"),
            texts=[accuracy_text(row) for row in rows],
            tips=[_right_text(row) for row in rows],
            bar=True,
            stretch=True,
        ),
        TableColumn(tr("Correct"), [row.correct for row in rows], text=count),
        TableColumn(
            tr("Asked"),
            [row.asked for row in rows],
            tip=tr("Questions whose words are known"),
            text=count,
        ),
        TableColumn(tr("In the file"), [row.total for row in rows], text=count),
    ], range(sums)


def _best_share(rows: list[SectionRow]) -> float:
    """The highest share of several runs; NaN, which equals nothing, if all are equal or unknown."""
    shares = [row.share for row in rows if not math.isnan(row.share)]
    if len(set(shares)) > 1:
        return max(shares)
    return math.nan


def short_names(answers: Answers) -> list[str]:
    """Names of the runs without the words that all begin with: "window 2, seed 1"."""
    names = [run_answers.name.split() for run_answers in answers.runs]
    same = 0
    if len(names) > 1:
        # Every name keeps at least one word.
        same = min(
            common_words([run_answers.name for run_answers in answers.runs]),
            *(len(name) - 1 for name in names),
        )
    # A number means nothing without the word before it.
    if same and any(name[same][0].isdigit() for name in names):
        same -= 1
    return [" ".join(name[same:]) for name in names]


def wrong_columns(
    run_answers: RunAnswers, section: str
) -> tuple[list[TableColumn], list[WrongAnswer]]:
    """The wrong answers of a section ("" for all), and the questions in the order of the rows."""
    wrong = [
        one for one in wrong_answers(run_answers.answers) if not section or one.section == section
    ]
    columns = [
        TableColumn(
            tr("Question"),
            [f"{a} : {b} :: {c} : ?" for a, b, c, _ in (one.words for one in wrong)],
            stretch=True,
        ),
        TableColumn(tr("Correct"), ["/".join(one.right) for one in wrong]),
        TableColumn(tr("Answered"), [one.answer for one in wrong]),
        TableColumn(
            tr("Rank"),
            [one.rank for one in wrong],
            text=count,
            tip=tr("Rank of the correct word among the candidates"),
        ),
        TableColumn(tr("Section"), [one.section for one in wrong], spare=1),
    ]
    return columns, wrong


def frequency_chart(answers: Answers, bins: int = 8) -> Chart | None:
    """Accuracy against the mean log frequency of the four words, one curve per run; None if no run
    has counts.
    """
    known = [
        (run_answers, run_answers.answers.frequency)
        for run_answers in answers.runs
        if run_answers.answers.frequency is not None and len(run_answers.answers.frequency)
    ]
    if not known:
        return None
    edges = bin_edges([frequency for _, frequency in known], bins)
    series = []
    names = {
        run_answers.identifier: name
        for run_answers, name in zip(answers.runs, short_names(answers), strict=True)
    }
    for run_answers, frequency in known:
        found = accuracy_by_frequency(run_answers.report, frequency, edges)
        middles = np.exp(found.middle)
        texts = [
            tr(
                "{name}\n{right:.1f}% of {questions} questions\nmean count {mean}",
                name=run_answers.name,
                right=100 * share,
                questions=count(int(number)),
                mean=count(round(middle)),
            )
            for share, number, middle in zip(found.accuracy, found.asked, middles, strict=True)
        ]
        series.append(
            ChartSeries(
                middles,
                found.accuracy,
                names[run_answers.identifier],
                run_answers.colour,
                line=True,
                low=found.low,
                high=found.high,
                texts=texts,
                keys=[f"{run_answers.identifier}:{at}" for at in range(len(texts))],
            )
        )
    top = max(float(np.max(one.high)) for one in series if one.high is not None)
    return Chart(
        tr("Geometric mean of the counts of the four words"),
        tr("Accuracy with 95% interval (wider if questions share pairs)"),
        tuple(series),
        log_x=True,
        percent_y=True,
        y_range=(0.0, min(1.08 * top + 0.01, 1.02)),
    )
