"""The test of two runs on the same questions or word pairs, on one line below the leaderboard."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QWidget

from workbench.analysis.evaluation.bootstrap import RESAMPLES
from workbench.analysis.evaluation.leaderboard import EvaluationSet
from workbench.analysis.evaluation.paired_test import (
    AnswerTest,
    CorrelationTest,
    compare_answers,
    compare_correlations,
)
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trc
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import count, plural
from workbench.ui.panels.evaluate.results import (
    AnalogyAnswers,
    PairCosines,
    Result,
    Results,
    Task,
)
from workbench.ui.panels.evaluate.score_texts import correlation_text
from workbench.ui.widgets.layout.result_view import Request, ResultJob

# Below this p, runs differ significantly.
_LEVEL = 0.05


class PairedTestBar(QWidget):
    """Test of a run against the best or another one; requests missing results through ``score``."""

    def __init__(
        self, panel: Panel, results: Results, score: Callable[[Sequence[Task]], None]
    ) -> None:
        super().__init__()
        self._results = results
        self._score = score
        self._testing = ResultJob(panel.session.jobs, "evaluate.leaderboard.test")
        self._rows: Sequence[RunRecord] = ()
        self._best: RunRecord | None = None
        self._chosen: RunRecord | None = None
        # The comparison of two results, once it is known.
        self._test: AnswerTest | CorrelationTest | None = None
        self._set: tuple[str, EvaluationSet] | None = None
        self.against = panel.named(
            kit.ChoiceBox.of({}, letters=14),
            "leaderboard.against",
            tr("Run to test against"),
            tr("Test the selected run against this run"),
        )
        self.button = panel.named(
            kit.button(trc("verb", "Test"), pressed=self._ask_missing),
            "leaderboard.test.start",
            tr("Test two runs"),
            tr("Score both runs on the same questions"),
        )
        self.result = kit.with_role(kit.ElidedLabel(lines=3), "", "evaluate.leaderboard.result")
        kit.fill(self, kit.row(self.against, self.button, kit.stretch(self.result)))
        self.against.currentIndexChanged.connect(lambda _: self._show_test())

    def say(self, text: str) -> None:
        """Offer no test, and state the reason."""
        self._testing.forget()
        self._test = None
        self.against.hide()
        self.button.hide()
        self.result.put(text)

    def offer(
        self,
        rows: Sequence[RunRecord],
        best: RunRecord | None,
        chosen: RunRecord | None,
        key: str,
        one: EvaluationSet,
    ) -> None:
        """Offer a test of the ``chosen`` run on a set.

        rows : the runs with a score, in the order shown; best : the best of them
        """
        self._rows, self._best, self._chosen = rows, best, chosen
        self._set = (key, one)
        offers = [(tr("Against the best"), "")]
        offers += [(tr("Against {name}", name=record.name), record.identifier) for record in rows]
        self.against.replace_choices(offers)
        self._show_test()

    @property
    def tested(self) -> tuple[RunRecord, RunRecord] | None:
        """The two runs: the chosen one and the other; the best is tested against the runner-up."""
        rows, chosen, other = self._rows, self._chosen, self._best
        wanted = self.against.currentData()
        if wanted:
            other = next((record for record in rows if record.identifier == wanted), None)
        if other is None:
            return None
        if chosen is None or chosen is other:
            following = [record for record in rows if record is not other]
            if not following:
                return None
            return other, following[0]
        return chosen, other

    def _show_test(self) -> None:
        tested, one = self.tested, self._set
        if tested is None or one is None:
            self.say(tr("Score two runs to test them on the same questions."))
            return
        key, _ = one
        first, second = tested
        missing = [record for record in tested if self._results.get(record, key) is None]
        self.against.show()
        self.button.setVisible(bool(missing))
        ours, theirs = self._results.get(first, key), self._results.get(second, key)
        if ours is None or theirs is None:
            self._testing.forget()
            self._test = None
            self.result.put(
                tr(
                    "{first} against {second}: press “Test” to score both on the same questions.",
                    first=first.name,
                    second=second.name,
                )
            )
        else:
            title, work = tr("Testing two runs"), partial(_compare, ours, theirs)
            request = Request((ours, theirs), title, work, self._take_test, quiet=True)
            if self._testing.ask(request):
                self._test = None
            self._show_result()

    def _take_test(self, test: AnswerTest | CorrelationTest | None) -> None:
        self._test = test
        self._show_result()

    def _show_result(self) -> None:
        """Show the test of the two runs, or nothing while it is computed."""
        tested, test = self.tested, self._test
        text = ""
        if tested is not None and isinstance(test, AnswerTest):
            text = answer_test_text(test, tested[0].name, tested[1].name)
        elif tested is not None and isinstance(test, CorrelationTest):
            text = correlation_test_text(test, tested[0].name, tested[1].name)
        self.result.put(text)

    def _ask_missing(self) -> None:
        if self.tested is None or self._set is None:
            return
        key, one = self._set
        missing = [record for record in self.tested if self._results.get(record, key) is None]
        self._score([self._results.task(record, [(key, one)]) for record in missing])


def _compare(ours: Result, theirs: Result, run: JobControl) -> AnswerTest | CorrelationTest | None:
    """Run the test that fits these results, in a worker. Raises Cancelled."""
    if isinstance(ours, AnalogyAnswers) and isinstance(theirs, AnalogyAnswers):
        return compare_answers(ours.report, theirs.report)
    if isinstance(ours, PairCosines) and isinstance(theirs, PairCosines):
        return compare_correlations(ours.report, theirs.report, run)
    return None


def answer_test_text(test: AnswerTest, first: str, second: str) -> str:
    """The verdict, the shares, the questions that only one run answers correctly, and p."""
    if not test.asked:
        return tr(
            "{first} and {second} have no known question in common.", first=first, second=second
        )
    verdict = _verdict(first, second, test.p < _LEVEL, test.only_first > test.only_second)
    numbers = tr(
        "{a:.1f}% against {b:.1f}% of {asked} questions that both know; solved by one run "
        "only: {only_first} against {only_second}. McNemar’s exact test: p {p} (too small "
        "if questions share word pairs).",
        a=100 * test.first,
        b=100 * test.second,
        asked=count(test.asked),
        only_first=count(test.only_first),
        only_second=count(test.only_second),
        p=p_text(test.p),
    )
    return f"{verdict} {numbers}"


def correlation_test_text(test: CorrelationTest, first: str, second: str) -> str:
    """The verdict, both correlations, and the interval of their difference."""
    if math.isnan(test.difference.low):
        return tr(
            "Can’t test {first} against {second}: they have {pairs} in common, "
            "or rank them in the same order.",
            first=first,
            second=second,
            pairs=plural(test.pairs, "known pair"),
        )
    low, high = test.difference
    verdict = _verdict(first, second, low > 0 or high < 0, low > 0)
    numbers = tr(
        "ρ {a} against {b} on {pairs} pairs in both vocabularies; 95% interval of the "
        "difference: {low} to {high} (paired bootstrap, {resamples} samples).",
        a=correlation_text(test.first),
        b=correlation_text(test.second),
        pairs=count(test.pairs),
        low=correlation_text(low),
        high=correlation_text(high),
        resamples=count(RESAMPLES),
    )
    return f"{verdict} {numbers}"


def _verdict(first: str, second: str, differ: bool, first_better: bool) -> str:
    if not differ:
        return tr(
            "No significant difference between {first} and {second}:", first=first, second=second
        )
    if first_better:
        return tr("{better} is better than {worse}:", better=first, worse=second)
    return tr("{worse} is worse than {better}:", better=second, worse=first)


def p_text(p: float) -> str:
    """ "< .001", "= .034"."""
    if p < 0.001:
        return "< .001"
    return f"= {correlation_text(p)}"
