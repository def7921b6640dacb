"""Tab of GloVe’s probability ratios for any words, with the derivation for one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from workbench.analysis.neighbours.query_resolution import left_out_message
from workbench.analysis.theory.pair_counts import PairCounts, PairsKept
from workbench.analysis.theory.probability_ratios import Probe, Ratios, preset, ratios
from workbench.analysis.theory.targets import declared_target
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import decimal, signed
from workbench.ui.base.theme import set_property
from workbench.ui.panels.weights.weights_tab import TOP, WeightsBasis, WeightsInstrument
from workbench.ui.widgets.tables.data_table import TableColumn


@dataclass(frozen=True)
class RatiosState(PanelState):
    """Two words, and the probe words separated by spaces; "": words in the corpus"""

    a: str = choice("")
    b: str = choice("")
    probes: str = choice("")


class WeightsRatios(WeightsInstrument):
    """Ratio table of two words and probe words; empty fields are filled from the corpus."""

    local = "ratios"
    state_kind = RatiosState
    view_state: RatiosState

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel, pairs)
        self.found: Ratios | None = None
        self._basis: WeightsBasis | None = None
        self.a = self.named(QLineEdit(), "a", tr("Word a"))
        self.b = self.named(QLineEdit(), "b", tr("Word b"))
        self.probes = self.named(
            QLineEdit(), "probes", tr("Probe words k"), tr("Words, separated by spaces")
        )
        for name, field, hint in (
            ("a", self.a, tr("a: ice")),
            ("b", self.b, tr("b: steam")),
            ("probes", self.probes, tr("solid gas water fashion …")),
        ):
            field.setPlaceholderText(hint)
            self.bind(field, name)
            field.textEdited.connect(lambda _, field=field: set_property(field, "invalid", ""))
        kit.set_scaled_size(self.a, most_width=110)
        kit.set_scaled_size(self.b, most_width=110)
        self.preset = self.named(
            kit.button(tr("Preset"), pressed=self._put_preset),
            "preset",
            tr("Words of the preset"),
            tr("ice and steam, or words in this corpus"),
        )
        self.table = kit.table(
            self,
            "table",
            tr("Ratios by probe word"),
            tr("Select a row to see its derivation"),
            files=kit.Files("ratios", tr("Export the ratios")),
        )
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.steps = kit.label(name=f"{self.key}.steps", wrap=True, selectable=True)
        self.steps.setAlignment(Qt.AlignmentFlag.AlignTop)
        export = kit.export_button(self, lambda: self.table.export, tr("Export the table"))
        kit.add(self.controls, self.a, self.b, kit.stretch(self.probes), self.preset, export)
        lists = (kit.stretch(self.table), kit.stretch(self.steps))
        kit.fill(self.content, kit.column(self.fact, *lists))
        self.table.picked.connect(self._show_derivation)

    def _put_preset(self) -> None:
        for field in (self.a, self.b, self.probes):
            set_property(field, "invalid", "")
        self.view_state = RatiosState()

    def state_changed(self, before: RatiosState, after: RatiosState) -> None:
        self.refresh()

    def exporters(self) -> Sequence[Exporter]:
        return () if self.table.export is None else (self.table.export,)

    def refresh(self) -> None:
        basis = self.basis()
        if basis is None or not self.isVisible():
            return
        a, b = self.view_state.a.strip(), self.view_state.b.strip()
        probes = tuple(self.view_state.probes.replace(",", " ").split())
        subject = basis.subject
        model = subject.embeddings if subject else None
        # Products of a softmax are probabilities only once normalised.
        compared_model = None
        if subject and declared_target(subject.algorithm).score in ("product", "biased"):
            compared_model = model

        def task(run: JobControl) -> Ratios:
            pairs: PairCounts = self.pairs.get(basis.corpus, basis.counting, TOP, model, run)
            if a and b and probes:
                return ratios(pairs, a, b, probes, compared_model)
            own_a, own_b, others = preset(pairs)
            return ratios(pairs, a or own_a, b or own_b, probes or others, compared_model)

        def show_result(found: Ratios) -> None:
            self._basis = basis
            self._show_ratios(found)

        key, doing = (*basis.key, a, b, probes), tr("Counting pairs of words…")
        self.start_job(key, tr("Comparing probabilities"), doing, task, show_result)

    def show_error(self, error: UserError) -> None:
        super().show_error(error)
        if isinstance(error, UnknownWord):
            unknown = {word.lower() for word in error.words}
            for field in (self.a, self.b, self.probes):
                words = field.text().lower().replace(",", " ").split()
                set_property(field, "invalid", "" if unknown.isdisjoint(words) else "true")

    def _show_ratios(self, found: Ratios) -> None:
        self.found = found
        words = tuple(probe.word for probe in found.probes)
        assert self._basis is not None
        self.relabel_request((*self._basis.key, found.a, found.b, words))
        self.view_state = RatiosState(found.a, found.b, " ".join(words))
        left_out_note = left_out_message(found.left_out, self._basis.corpus.words)
        self.fact.put(f"{left_out_note} {self._basis.counting_text}".strip())
        probes = found.probes
        columns = [
            TableColumn("k", [probe.word for probe in probes], stretch=True),
            TableColumn(f"P(k|{found.a})", [probe.p_a for probe in probes], text=_format_number),
            TableColumn(f"P(k|{found.b})", [probe.p_b for probe in probes], text=_format_number),
            TableColumn(
                tr("ratio"),
                [probe.ratio for probe in probes],
                "P(k|a) / P(k|b)",
                text=_format_number,
            ),
            TableColumn("", [_leaning_text(probe, found) for probe in probes]),
            TableColumn(
                tr("log ratio"),
                [_log_or_nan(probe.ratio) for probe in probes],
                text=signed,
                number=True,
                spare=1,
            ),
        ]
        self.table.set_columns(columns)
        self.table.pick(0)
        self._show_derivation(0)

    def _show_derivation(self, row: int) -> None:
        if self.found is not None:
            self.steps.setText("\n".join(derivation(self.found, self.found.probes[row])))


def derivation(found: Ratios, probe: Probe) -> list[str]:
    """P14, equations 1 to 7, with the numbers of one probe word."""
    a, b, k = found.a, found.b, probe.word
    if problem := _no_derivation(found, probe):
        return [problem]
    log_ratio = math.log(probe.ratio)
    p_a, p_b = _format_number(probe.p_a), _format_number(probe.p_b)
    lines = [
        f"1.  P({k}|{a}) / P({k}|{b}) = {p_a} / {p_b} = {_format_number(probe.ratio)}.",
        tr(
            "2.  A function of the difference of vectors: F((w_{a} − w_{b})·c_{k}) = {ratio}.",
            a=a,
            b=b,
            k=k,
            ratio=_format_number(probe.ratio),
        ),
        tr(
            "3.  Sums must become products, so F = exp: (w_{a} − w_{b})·c_{k} = log {ratio} = "
            "{log_ratio}.",
            a=a,
            b=b,
            k=k,
            ratio=_format_number(probe.ratio),
            log_ratio=signed(log_ratio),
        ),
        tr(
            "4.  So w_{a}·c_{k} = log P({k}|{a}) = log X − log X_{a} = {pair} − {total} = "
            "{chance}.",
            a=a,
            k=k,
            pair=signed(math.log(probe.count_a)),
            total=signed(math.log(found.total_a)),
            chance=signed(math.log(probe.p_a)),
        ),
        tr(
            "5.  log X_{a} doesn’t depend on {k}, so it becomes a bias b_{a}. Add one for "
            "{k}, too, to treat both words alike: w_{a}·c_{k} + b_{a} + b_{k} = log X = "
            "{signed}.",
            a=a,
            k=k,
            signed=signed(math.log(probe.count_a)),
        ),
    ]
    if math.isfinite(probe.model_a):
        lines.append(_comparison(found, probe, log_ratio))
    return lines


def _no_derivation(found: Ratios, probe: Probe) -> str:
    """Why there are no numbers to derive the equations from, "" if there are."""
    a, b, k = found.a, found.b, probe.word
    alone = [word for word, total in ((a, found.total_a), (b, found.total_b)) if not total]
    if alone:
        return tr(
            "“{word}” never co-occurs with another word, so it has no probabilities. Choose "
            "another word.",
            word=alone[0],
        )
    if not (probe.count_a and probe.count_b):
        seldom = b if probe.count_a else a
        return tr(
            "{k} never co-occurs with {seldom}, so the logarithm of its ratio is "
            "undefined and X has no cell for it.",
            k=k,
            seldom=seldom,
        )
    return ""


def _comparison(found: Ratios, probe: Probe, log_ratio: float) -> str:
    """The scores of the model beside what they should be."""
    a, b, k = found.a, found.b, probe.word
    said = tr(
        "The active model gives {model_a} for {a} and {model_b} for {b}. Compare their "
        "difference {difference} with",
        model_a=signed(probe.model_a),
        a=a,
        model_b=signed(probe.model_b),
        b=b,
        difference=signed(probe.model_a - probe.model_b),
    )
    if found.biased:
        log_counts = signed(math.log(probe.count_a / probe.count_b))
        return tr(
            "{sentence} log X({a}, {k}) − log X({b}, {k}) = {log_counts}.",
            sentence=said,
            a=a,
            k=k,
            b=b,
            log_counts=log_counts,
        )
    return tr(
        "{sentence} the logarithm of the ratio, {log_ratio}.",
        sentence=said,
        log_ratio=signed(log_ratio),
    )


def _format_number(value: float) -> str:
    return decimal(value, 3)


def _log_or_nan(value: float) -> float:
    if 0 < value < math.inf:
        return math.log(value)
    return float("nan")


def _leaning_text(probe: Probe, found: Ratios) -> str:
    """Describe which word the ratio favours."""
    if math.isnan(probe.ratio):
        return tr("like neither")
    if 0.5 <= probe.ratio <= 2:
        if min(probe.p_a, probe.p_b) > probe.p:
            return tr("like both")
        return tr("like neither")
    if probe.ratio > 2:
        return tr("like {a}", a=found.a)
    return tr("like {b}", b=found.b)
