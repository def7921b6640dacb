"""Word pairs with human scores: correlations with their intervals, coverage, and every pair as a
dot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from workbench.analysis.evaluation.bootstrap import NONE, percent_ranks
from workbench.analysis.evaluation.leaderboard import score_of_pairs
from workbench.analysis.evaluation.pair_table import UnclearColumn
from workbench.analysis.evaluation.similarity import SimilarityReport, WordPairs
from workbench.analysis.resampling.estimates import Estimate, estimates
from workbench.analysis.resampling.statistics import similarity_of
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.language import percent, plural, tr, trc, trn
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import EVALUATED_RUNS, PAIR_COLUMNS
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import UNKNOWN, count, true_minus
from workbench.ui.panels.evaluate.asked_number import AskedNumber, lines_button
from workbench.ui.panels.evaluate.results import PairCosines, Results, ask_sets
from workbench.ui.panels.evaluate.score_texts import correlation_text, score_tip, two_digit_text
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.inputs.error_bars import Drawn, ErrorBars
from workbench.ui.widgets.inputs.evaluation_sets import PAIR_FILES, own_sets, pair_set
from workbench.ui.widgets.inputs.file_choice import FileChoice
from workbench.ui.widgets.inputs.run_choice import RunsChoice
from workbench.ui.widgets.layout.panel_tab import Instrument

_KINDS = tr("Word pairs (*.txt *.csv *.tsv);;All files (*)")


@dataclass(frozen=True, eq=False)
class RunSimilarity:
    """One run's report, with its name and colour."""

    identifier: str
    name: str
    colour: int
    report: SimilarityReport
    composed: SimilarityReport | None = None


def interval_text(report: SimilarityReport) -> str:
    """The 95% interval of ρ; "–" if unknown."""
    if not isfinite(report.low):
        return UNKNOWN
    return tr("{low} to {high}", low=two_digit_text(report.low), high=two_digit_text(report.high))


@dataclass(frozen=True)
class SimilarityState(PanelState):
    """set : path of the set of word pairs, "" for the first; a setting keeps the columns of files
    bars : error bars from the text
    """

    set: str = choice("")
    bars: bool = choice(False)


class SimilarityScore(Instrument):
    """A set of word pairs, the evaluated runs, and the scatter plot of one of them."""

    local = "similarity"
    state_kind = SimilarityState
    view_state: SimilarityState

    def __init__(self, panel: Panel, results: Results) -> None:
        super().__init__(panel)
        self._results = results
        self.pairs: WordPairs | None = None
        self.scored: tuple[RunSimilarity, ...] = ()
        self._shown: tuple[object, ...] = ()
        self._detected = ""
        self._drawn: dict[str, Estimate] = {}
        self.bars = ErrorBars(panel, self, f"{self.key}.bars")
        self.bars.on_clear(lambda: self._put_intervals({}))
        self.set = FileChoice(self.session, PAIR_FILES, self._own_files, tr("No pairs yet"), _KINDS)
        self.named(self.set, "set", tr("Set of word pairs"))
        self.column = self.named(
            kit.ChoiceBox(),
            "column",
            tr("Column of the scores"),
            tr("Column of numbers in the file that contains the scores"),
        )
        self.column.setPlaceholderText(tr("Choose a column"))
        self.column.hide()
        self._open = self.named(
            kit.icon_button(self.theme, "folder", pressed=self.choose_file),
            "open",
            tr("Open pairs"),
            tr("Two words and a score per line, separated by tab, comma or space"),
        )
        self.runs = self.named(
            RunsChoice(panel, EVALUATED_RUNS), "runs", tr("Runs to evaluate"), tr("Runs")
        )
        self.scores = kit.table(
            self,
            "scores",
            tr("Correlations by run"),
            files=kit.Files("similarity", tr("Export correlations")),
        )
        self.list = kit.table(
            self,
            "pairs",
            tr("Pairs with both scores"),
            tr("Click to select both words of a pair"),
            files=kit.Files("pairs", tr("Export pairs")),
        )
        self.chart = kit.chart(
            self,
            "scatter",
            tr("Model against human score"),
            files=kit.Files(
                "similarity",
                tr("Export the scatter"),
                records=lambda: self.runs.records,
                about=lambda: tr("Similarity of word pairs: model cosine against human ratings"),
            ),
        )
        self.about = kit.label(role="small", name=f"{self.key}.about", wrap=True)
        self.influence = lines_button(
            self, self.asked_number, tr("Rank the lines behind the cosine of the chosen pair")
        )
        export = kit.export_button(self, lambda: self.chart.export, tr("Export the scatter"))
        kit.add(self.controls, self.set, self._open, self.column, self.runs, kit.stretch(), export)
        below = kit.row(self.influence, kit.stretch(self.bars))
        scores = kit.column(self.scores, kit.stretch(self.list), below, self.about)
        kit.fill(self.content, kit.split(scores, self.chart, shares=(1, 1), sizes=(440, 380)))
        self._connect()

    def _connect(self) -> None:
        # Settings keep the choice for each file.
        self.column.setProperty("bound", True)
        self.bind(self.set, "set", by=[self.set.currentIndexChanged, self.set.activated])
        self.set.changed.connect(self._change_set)
        self.bind(self.bars.switch, "bars")
        self.column.activated.connect(self._choose_column)
        self.runs.changed.connect(self.refresh)
        self.scores.picked.connect(lambda _: self._draw_scatter())
        self.list.picked.connect(self._select_pair)
        self.chart.picked.connect(lambda key: self._pair_picked(int(key)))
        session, follow = self.session, self.panel.follow
        follow(session.runs.changed, self._runs_changed)
        follow(self._results.changed, self.refresh)
        follow(session.settings.changes(PAIR_COLUMNS), lambda _: self.refresh())
        follow(session.active.changed, self._show_active)
        follow(session.corpora.changed, self.set.refresh)

    def _own_files(self) -> dict[str, str]:
        corpus = self.session.corpora.current
        if corpus is None:
            return own_sets("")
        return own_sets(str(corpus.metadata.get("sample", "")))

    def choose_file(self) -> None:
        if self.set.ask(tr("Open a set of word pairs")):
            self.panel.raise_requested.emit()

    def state_changed(self, before: SimilarityState, after: SimilarityState) -> None:
        if after.bars != before.bars:
            self._ask_bars()

    # -- the column of the scores

    def _change_set(self) -> None:
        self.column.hide()
        self._shown = ()
        self.discard_job()
        self.refresh()

    def _offer_columns(self, choices: Sequence[str], chosen: str = "", detected: str = "") -> None:
        """Offer the columns of the set, unless there is only one; "": none chosen or detected."""
        self._detected = detected
        offered = choices if len(choices) > 1 else ()
        self.column.replace_choices([(name, name) for name in offered])
        self.column.setCurrentIndex(self.column.findData(chosen))
        self.column.setVisible(bool(offered))

    def _choose_column(self) -> None:
        """Remember the chosen column, for the files that are offered."""
        column, path = self.column.currentData(), str(self.set.path)
        settings = self.session.settings
        columns = {
            known: name
            for known, name in settings[PAIR_COLUMNS].items()
            if known != path and self.set.findData(known) >= 0
        }
        if column != self._detected:
            columns[path] = column
        settings[PAIR_COLUMNS] = columns

    def show_error(self, error: UserError) -> None:
        if isinstance(error, UnclearColumn):
            self._shown = ()
            self._offer_columns(error.choices)
            error = UserError(error.message, tr("Choose the column of the scores above."))
        super().show_error(error)

    # -- evaluation

    def exporters(self) -> Sequence[Exporter]:
        parts = (self.chart.export, self.scores.export, self.list.export)
        return [export for export in parts if export is not None]

    def drawn_runs(self) -> list[RunRecord]:
        return self.runs.records

    def refresh(self) -> None:
        """Show the chosen runs on the chosen set, and evaluate missing ones if the tab is
        visible.
        """
        if not self.isVisible():
            return
        path, records = self.set.path, self.runs.records
        if path is None or not records:
            self.show_message(tr("No run chosen"), tr("Tick one or more runs above."))
            return
        one = pair_set(self.session, path, path.name)
        try:
            key = self._results.key(one)
        except (UserError, OSError):
            # The job reports the reason.
            key = ""
        missing = [record for record in records if self._results.get(record, key) is None]
        request = (key, *(record.identifier for record in missing))
        if not missing:
            self.discard_job()
            self._show_known(key, records)
        else:
            tasks = [self._results.task(record, [(key, one)]) for record in missing]
            self.start_job(
                request,
                tr("Scoring {name}", name=path.name),
                tr("Comparing with the scores…"),
                lambda run: ask_sets(tasks, run),
                self._results.put,
            )

    def _runs_changed(self) -> None:
        """Update the names of the runs."""
        if self.pairs is not None and not self.busy:
            self.refresh()

    def _show_known(self, key: str, records: Sequence[RunRecord]) -> None:
        """Show the results if all are known and they aren't shown yet."""
        shown = (key, *((record.identifier, record.name) for record in records))
        self.show_content()
        if shown == self._shown:
            return
        self._shown = shown
        found = [(record, self._results.get(record, key)) for record in records]
        results = [(record, one) for record, one in found if isinstance(one, PairCosines)]
        self.pairs = results[0][1].pairs
        self.scored = tuple(
            RunSimilarity(record.identifier, record.name, record.colour, one.report, one.composed)
            for record, one in results
        )
        if self.pairs is not None:
            self._offer_columns(self.pairs.choices, self.pairs.column, self.pairs.detected)
        self._drawn = {}
        self._show_reports()
        self._show_active()
        self._ask_bars()

    def _show_active(self) -> None:
        """Draw the active run if it was evaluated, or else the first one."""
        active = self.session.active.run
        identifiers = [one.identifier for one in self.scored]
        at = 0
        if active is not None and active.identifier in identifiers:
            at = identifiers.index(active.identifier)
        if self.scored:
            self.scores.pick(at)
            self._draw_scatter()

    def on_cancelled(self) -> None:
        self.show_cancelled(tr("Comparison cancelled"), tr("Choose a set or a run to start."))

    def _show_reports(self) -> None:
        assert self.pairs is not None
        reports = [one.report for one in self.scored]
        total = len(self.pairs)
        drawn = [self._drawn.get(one.identifier) for one in self.scored]
        self.scores.set_columns(
            [
                kit.TableColumn(
                    tr("Run"),
                    [one.name for one in self.scored],
                    dots=[one.colour for one in self.scored],
                    stretch=True,
                ),
                kit.TableColumn(
                    "ρ",
                    [one.rho for one in reports],
                    tr("Spearman’s rank correlation"),
                    correlation_text,
                    tips=[score_tip(score_of_pairs(one), False) for one in reports],
                    aside=[not score_of_pairs(one).is_ranked for one in reports],
                ),
                kit.TableColumn(
                    percent("95"),
                    [interval_text(one) for one in reports],
                    tr(
                        "Interval of ρ: percentiles of {resamples} bootstrap samples of "
                        "the pairs (seed {seed})",
                        resamples=count(reports[0].resamples),
                        seed=reports[0].seed,
                    ),
                ),
                *(self._interval_column(drawn) if self._drawn else ()),
                kit.TableColumn(
                    "r",
                    [one.r for one in reports],
                    tr("Pearson’s correlation"),
                    correlation_text,
                    spare=1,
                ),
                kit.TableColumn(
                    tr("Known"),
                    [one.pairs for one in reports],
                    tr("Pairs whose words are both in the vocabulary"),
                    lambda known: tr("{known} of {total}", known=count(known), total=count(total)),
                ),
            ]
        )
        # As high as its rows, at most six of them.
        kit.set_scaled_size(self.scores, height=34 + 26 * min(len(self.scored), 6))

    def _interval_column(self, drawn: Sequence[Estimate | None]) -> list[kit.TableColumn]:
        ends = [one.interval if one is not None else NONE for one in drawn]
        return [
            kit.TableColumn(
                tr("texts"),
                [one.low for one in ends],
                tr("95% interval of ρ over drawn texts"),
                texts=[
                    tr(
                        "{low} to {high}",
                        low=two_digit_text(one.low),
                        high=two_digit_text(one.high),
                    )
                    if isfinite(one.low)
                    else UNKNOWN
                    for one in ends
                ],
            )
        ]

    def _ask_bars(self) -> None:
        """Ask for the interval of ρ of each run, if it is wanted."""
        self._put_intervals({})
        if self.pairs is None:
            return
        identifiers = [one.identifier for one in self.scored]
        records = [one for one in self.runs.records if one.identifier in identifiers]
        statistic = similarity_of(self.pairs)

        def show(found: Mapping[str, Drawn[Estimate]]) -> None:
            self._put_intervals({identifier: one.value for identifier, one in found.items()})

        self.bars.ask_drawn(
            records,
            (self._shown[:1],),
            lambda draws, texts, run: estimates(draws, statistic, texts, run, -1.0, 1.0)[0],
            show,
        )

    def _put_intervals(self, drawn: dict[str, Estimate]) -> None:
        if drawn == self._drawn:
            return
        self._drawn = drawn
        at = self.scores.current_row
        self._show_reports()
        if at >= 0:
            self.scores.pick(at)

    @property
    def shown_run(self) -> RunSimilarity | None:
        """The run whose scatter plot is drawn."""
        if not self.scored:
            return None
        return self.scored[max(self.scores.current_row, 0)]

    def _draw_scatter(self) -> None:
        one, pairs = self.shown_run, self.pairs
        if one is None or pairs is None:
            return
        report = one.report
        words = [pairs.words[at] for at in report.known]
        human, cosines = np.array(report.scores), np.array(report.cosines)
        point = tr("{a} · {b}\nscore {h:g}, cosine {c}")
        texts = [
            point.format(a=a, b=b, h=h, c=correlation_text(c))
            for (a, b), h, c in zip(words, report.scores, report.cosines, strict=True)
        ]
        keys = [str(at) for at in range(len(words))]
        series = ChartSeries(human, cosines, colour=one.colour, texts=texts, keys=keys)
        self.chart.set_chart(
            Chart(tr("Score in the set"), tr("Cosine in {name}", name=one.name), (series,))
        )
        gap = percent_ranks(cosines) - percent_ranks(human)
        self._list_pairs([f"{a} · {b}" for a, b in words], report, gap)
        self.about.setText(_about_pairs(one, pairs))
        self.about.setToolTip(safe_tip(pairs.note))

    def _list_pairs(self, names: list[str], report: SimilarityReport, gap: Doubles) -> None:
        """List each pair with its score and its cosine. gap : between their percentage ranks"""
        self.list.set_columns(
            [
                kit.TableColumn(tr("Pair"), names, stretch=True),
                kit.TableColumn(
                    trc("noun", "Score"),
                    list(report.scores),
                    tr("In the set"),
                    lambda value: true_minus(f"{value:g}"),
                ),
                kit.TableColumn(
                    tr("Cosine"), list(report.cosines), tr("In the model"), correlation_text
                ),
                kit.TableColumn(
                    tr("Rank difference"),
                    gap.tolist(),
                    tr(
                        "Difference between the rank in the model and in the set, as a "
                        "percentage of all pairs. + = the model ranks the pair higher; − = "
                        "lower."
                    ),
                    lambda value: percent(true_minus(f"{value:+.0f}")),
                ),
            ]
        )

    def asked_number(self) -> AskedNumber | None:
        """The cosine of the chosen pair."""
        one, pairs, at = self.shown_run, self.pairs, self.list.current_row
        if self.state != "body" or one is None or pairs is None or at < 0:
            return None
        record = next(
            (each for each in self.runs.records if each.identifier == one.identifier), None
        )
        words = tuple(pairs.words[one.report.known[at]])
        return None if record is None else AskedNumber(record, words)

    def _pair_picked(self, at: int) -> None:
        self.list.pick(at)
        self._select_pair(at)

    def _select_pair(self, at: int) -> None:
        one, pairs = self.shown_run, self.pairs
        if one is None or pairs is None:
            return
        self.chart.set_current(str(at))
        self.session.selection.select(list(pairs.words[one.report.known[at]]))


def _about_pairs(one: RunSimilarity, pairs: WordPairs) -> str:
    """Sentence on the pairs that count, the interval, and the column of the scores."""
    report = one.report
    missing = ""
    unknown = report.missing - report.without_vector
    if unknown:
        missing = tr(", {missing} unknown", missing=count(unknown))
    if report.without_vector:
        missing += tr(", {number} without a vector", number=count(report.without_vector))
    how = tr(
        "Interval from {resamples} bootstrap samples (percentiles, seed {seed}).",
        resamples=count(report.resamples),
        seed=report.seed,
    )
    if not isfinite(report.low):
        # bootstrap.FEWEST_PAIRS
        how = tr(
            "No interval: at least 10 pairs are needed, with a correlation that isn’t perfect."
        )
    graded = " ".join(pairs.note.split()).partition(". ")[0].rstrip(".")
    text = tr(
        "{pairs}{missing}. {how}",
        pairs=plural(report.pairs, "known pair"),
        missing=missing,
        how=how,
    )
    if one.composed is not None and one.composed.pairs > report.pairs:
        text += tr(
            " With vectors from n-grams for unseen words: ρ {rho} ({pairs} pairs).",
            rho=correlation_text(one.composed.rho),
            pairs=count(one.composed.pairs),
        )
    if pairs.negated:
        text += tr(
            " Scores from the column “{column}”, negated: words with a larger distance are "
            "less similar.",
            column=pairs.column,
        )
    elif pairs.columns > 3:
        text += tr(" Scores from the column “{column}”.", column=pairs.column)
    if pairs.unscored:
        text += " " + trn(
            "{number:,} pair of the file was left out because its score is missing.",
            "{number:,} pairs of the file were left out because their scores are missing.",
            pairs.unscored,
        )
    if graded:
        text += f" {graded}."
    return text
