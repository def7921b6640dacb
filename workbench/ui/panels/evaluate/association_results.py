"""Results of tests of associations: columns of a table, a figure, and sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from workbench.analysis.associations.report import AssociationReport, WordContrast
from workbench.analysis.associations.weat import Effect
from workbench.analysis.associations.word_sets import AssociationTest
from workbench.analysis.resampling.estimates import Estimate
from workbench.core.arrays import Doubles
from workbench.core.language import MINUS, percent, tr
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.text import UNKNOWN, count, decimal, mark_unknown, true_minus
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.tables.table_model import TableColumn

# What is drawn up, against the same contrast in the text.
COSINE, PRODUCTS, RIPA = "cosine", "products", "ripa"
VIEWS: Mapping[str, str] = MappingProxyType(
    {
        COSINE: tr("Cosines against the text"),
        PRODUCTS: tr("w·c against the text"),
        RIPA: tr("RIPA against its expectation"),
    }
)
_LEAST_P = 0.0001


@dataclass(frozen=True, eq=False)
class TestedRun:
    """A test on a run."""

    record: RunRecord
    report: AssociationReport


def result_columns(
    found: Sequence[TestedRun], drawn: Mapping[tuple[str, AssociationTest], Estimate]
) -> list[TableColumn]:
    """A row for each test on each run. drawn : effects with their intervals over drawn texts, by
    run and test
    """
    reports = [one.report for one in found]
    several = len({one.record.identifier for one in found}) > 1
    columns = [
        TableColumn(
            tr("Test"),
            [one.test.title or one.test.key for one in reports],
            tips=[_test_tip(one) for one in reports],
            stretch=True,
        )
    ]
    if several:
        runs = [one.record for one in found]
        names = [one.name for one in runs]
        columns.insert(0, TableColumn(tr("Run"), names, dots=[one.colour for one in runs]))
    effects = [_size(one.vectors) for one in reports]
    controls = [one.controls for one in reports]
    return [
        *columns,
        TableColumn(
            tr("effect"),
            effects,
            tr(
                "Effect size of WEAT (Caliskan et al. 2017), from −2 to 2 for sets of equal size: "
                "whether X is closer to A than Y is"
            ),
            text=_two_digits,
        ),
        *_interval_columns(found, drawn),
        TableColumn(
            "p",
            [_p(one.vectors) for one in reports],
            tr("Share of all partitions of the targets with such an effect"),
            texts=[_p_text(one.vectors) for one in reports],
        ),
        TableColumn(
            tr("random sets"),
            [one.mean for one in controls],
            tr("95% of the effects of random words of like frequency in place of the targets"),
            texts=[_range(one.low, one.high) for one in controls],
            spare=1,
        ),
        TableColumn(
            tr("in the text"),
            [_size(one.counts) for one in reports],
            tr("The same effect from the PMI of the text alone"),
            text=_two_digits,
        ),
        TableColumn(
            tr("p in the text"),
            [_p(one.counts) for one in reports],
            texts=[_p_text(one.counts) for one in reports],
            spare=2,
        ),
        TableColumn(
            tr("projection"),
            [math.nan if one.projection is None else one.projection.difference for one in reports],
            tr("Mean cosine of X with the axis from B to A, minus that of Y, and its 95% interval"),
            texts=[_projection(one) for one in reports],
            spare=3,
        ),
        TableColumn(
            "RIPA",
            [ripa_difference(one) for one in reports],
            tr("Mean RIPA of X minus that of Y (Ethayarajh et al. 2019); A and B must be in pairs"),
            text=_two_digits,
            spare=4,
        ),
        TableColumn(
            tr("known"),
            [_word_counts(one)[0] for one in reports],
            tr("Words of the sets that have a vector"),
            texts=["/".join(map(count, _word_counts(one))) for one in reports],
        ),
    ]


def _interval_columns(
    found: Sequence[TestedRun], drawn: Mapping[tuple[str, AssociationTest], Estimate]
) -> list[TableColumn]:
    if not drawn:
        return []
    known = [drawn.get((one.record.identifier, one.report.test)) for one in found]
    ends = [(math.nan, math.nan) if one is None else one.interval for one in known]
    return [
        TableColumn(
            percent("95"),
            [low for low, _ in ends],
            tr("95% interval of the effect over drawn texts"),
            texts=[_range(low, high) for low, high in ends],
        )
    ]


def ripa_difference(report: AssociationReport) -> float:
    """Mean RIPA of the words of x minus that of y; NaN without pairs."""
    means = [
        np.mean([word.ripa for word in report.words if word.in_set == each.name] or [math.nan])
        for each in (report.test.x, report.test.y)
    ]
    return float(means[0] - means[1])


def contrast_chart(report: AssociationReport, view: str) -> Chart:
    """Each word a dot: its contrast in the text across, that of the model up."""
    test = report.test
    a, b = test.a.name, test.b.name
    across = tr("text: PMI with {a} {minus} PMI with {b}, nats", a=a, b=b, minus=MINUS)
    if view == COSINE:
        up = tr("vectors: mean cosine with {a} {minus} with {b}", a=a, b=b, minus=MINUS)
    elif view == PRODUCTS:
        up = tr("model: w·c with {a} {minus} with {b}, nats", a=a, b=b, minus=MINUS)
    else:
        up = "RIPA"
        if has_expectation(report):
            across = tr("expected in the text")
    expected = has_expectation(report)

    def points(words: Sequence[WordContrast]) -> Doubles:
        return np.array([_point(word, view, expected) for word in words]).reshape(-1, 2)

    random = _series(report.random, points(report.random), tr("random words"), None, "muted")
    lines = []
    if view != RIPA or expected:
        lines = _line(report, view, np.concatenate([random.x, points(report.words)[:, 0]]))
    chosen = [
        [word for word in report.words if word.in_set == each.name] for each in (test.x, test.y)
    ]
    sets = [
        _series(chosen[number], points(chosen[number]), each.name, number, "")
        for number, each in enumerate((test.x, test.y))
    ]
    return Chart(across, up, (random, *lines, *sets))


def has_expectation(report: AssociationReport) -> bool:
    """Whether RIPA has an expectation in the text."""
    return any(math.isfinite(word.expected_ripa) for word in report.words)


def _point(word: WordContrast, view: str, expected: bool) -> tuple[float, float]:
    if view == RIPA:
        return (word.expected_ripa if expected else word.counts), word.ripa
    return word.counts, word.cosine if view == COSINE else word.products


def _series(
    words: Sequence[WordContrast], points: Doubles, name: str, colour: int | None, role: str
) -> ChartSeries:
    known = np.flatnonzero(np.isfinite(points).all(axis=1)).tolist()
    return ChartSeries(
        points[known, 0],
        points[known, 1],
        name,
        colour,
        texts=[_word_tip(words[at]) for at in known],
        keys=[words[at].word for at in known],
        role=role,
    )


def _line(report: AssociationReport, view: str, across: Doubles) -> list[ChartSeries]:
    """The line through the random words, or the diagonal, over these values."""
    ends = across[np.isfinite(across)]
    if not len(ends):
        return []
    x = np.array([ends.min(), ends.max()])
    if view != COSINE:
        name = tr("diagonal: as in the text")
        return [ChartSeries(x, x, name, line=True, dots=False, role="text", dashed=True)]
    line = report.line
    if line is None or not math.isfinite(line.slope):
        return []
    name = tr("line through the random words")
    y = line.intercept + line.slope * x
    return [ChartSeries(x, y, name, line=True, dots=False, role="muted", dashed=True)]


def explain_view(report: AssociationReport, view: str, text: str) -> str:
    """What the figure says; ``text``: why there are no counts, or ""."""
    if report.problem or text or report.text_problem:
        return report.problem or text or report.text_problem
    if view == COSINE:
        return tr(
            "Cosines have another unit than PMI. On the line through random words, the vectors "
            "repeat the text; farther from 0 than the line, they amplify it."
        )
    if view == PRODUCTS:
        if not any(math.isfinite(word.products) for word in report.words):
            return tr("This model has no context vectors, and so no w·c. Compare cosines.")
        return tr(
            "On the diagonal, the model repeats the text; farther from 0 than the diagonal, it "
            "amplifies it."
        )
    if not len(report.known.pairs):
        return tr("RIPA needs attribute words in pairs, such as he and she.")
    scale = report.scale
    if scale is None or not has_expectation(report):
        return tr(
            "RIPA has no expectation here: the attribute pairs never co-occur, or squared "
            "distances don’t follow csPMI in this model. Across is the contrast in the text."
        )
    return tr(
        "On the diagonal, RIPA is what factorising PMI implies (λ = {scale}, α = {offset}).",
        scale=decimal(scale.scale, 2),
        offset=decimal(scale.offset, 2),
    )


def missing_words(report: AssociationReport) -> str:
    """A sentence on the words without a vector, "" without any."""
    missing = [
        word
        for each in report.test.sets
        for word in (*report.known.missing[each.name], *report.known.without_vector[each.name])
    ]
    if not missing:
        return ""
    shown = ", ".join(missing[:8]) + (" …" if len(missing) > 8 else "")
    return tr("Without a vector: {words}.", words=shown)


def _size(effect: Effect | None) -> float:
    return math.nan if effect is None else effect.size


def _p(effect: Effect | None) -> float:
    return math.nan if effect is None else effect.p


def _p_text(effect: Effect | None) -> str:
    if effect is None or math.isnan(effect.p):
        return UNKNOWN
    about = "" if effect.exact else "≈"
    if effect.p < _LEAST_P:
        return f"<{true_minus(f'{_LEAST_P:.4f}')}"
    return about + true_minus(f"{effect.p:.4f}")


@mark_unknown
def _two_digits(value: float) -> str:
    return true_minus(f"{value:.2f}")


def _range(low: float, high: float) -> str:
    if not math.isfinite(low):
        return UNKNOWN
    return tr("{low} to {high}", low=_two_digits(low), high=_two_digits(high))


def _projection(report: AssociationReport) -> str:
    one = report.projection
    if one is None:
        return UNKNOWN
    interval = _range(one.interval.low, one.interval.high)
    difference = _two_digits(one.difference)
    return difference if interval == UNKNOWN else f"{difference} ({interval})"


def _word_counts(report: AssociationReport) -> tuple[int, int]:
    known = report.known
    found = sum(map(len, (known.x, known.y, known.a, known.b)))
    return found, sum(len(each.words) for each in report.test.sets)


def _test_tip(report: AssociationReport) -> str:
    test = report.test
    lines = [
        f"{name} ({each.name}): {', '.join(each.words[:12])}{' …' if len(each.words) > 12 else ''}"
        for name, each in zip("XYAB", test.sets, strict=True)
    ]
    return "\n".join([*lines, test.source]).strip()


def _word_tip(word: WordContrast) -> str:
    lines = [
        word.word,
        tr("text {counts} nats, from {pairs}", counts=_two_digits(word.counts), pairs=word.pairs),
        tr("cosine {cosine}", cosine=_two_digits(word.cosine)),
    ]
    if math.isfinite(word.products):
        lines.append(tr("w·c {products} nats", products=_two_digits(word.products)))
    if math.isfinite(word.ripa):
        lines.append(f"RIPA {_two_digits(word.ripa)}")
    return "\n".join(lines)
