"""The formulas of a training step, with numbers."""

from __future__ import annotations

import math

from workbench.analysis.step.step import NODES, Pair, TrainingStep
from workbench.core.language import tr, trn
from workbench.ui.base.text import MINUS, decimal
from workbench.ui.plots.paint_kit import fixed_decimals, sum_term

Lines = list[tuple[str, str]]


def formula(step: TrainingStep, chosen: int) -> Lines:
    """Names and equations of the chosen decision, or of the cell."""
    if step.cell is not None:
        return _cell_formula(step)
    if not step.pairs:
        return []
    return _pair_formula(step, step.pairs[chosen])


def _pair_formula(step: TrainingStep, pair: Pair) -> Lines:
    tree = step.changes[pair.output].table == NODES
    side, other = step.input_of(pair).name, step.changes[pair.output].name
    w, c, operands = "w", "c", f"({side}, {other})"
    if pair.input < 0:
        w, operands = "h", f"({other})"
    if tree:
        c = "u"
    meaning, right = f"σ({MINUS}x)", 1 - pair.sigma
    if pair.label:
        meaning, right = "σ(x)", pair.sigma
    name = f"{w}·{c}  {operands}"
    lines = [(tr("score"), f"x = {name} = {fixed_decimals(pair.score, 4)}")]
    lines.append(
        (
            tr("loss"),
            tr(
                "{MINUS}log {meaning} = {MINUS}log {chance} = {loss}",
                MINUS=MINUS,
                meaning=meaning,
                chance=fixed_decimals(right, 4),
                loss=fixed_decimals(pair.loss, 4),
            ),
        )
    )
    sigma, slope = fixed_decimals(pair.sigma, 4), fixed_decimals(pair.slope, 4)
    lines.append(
        (tr("slope"), f"∂/∂x = σ(x) {MINUS} {pair.label} = {sigma} {MINUS} {pair.label} = {slope}")
    )
    step_size = -step.rate * pair.slope
    lines.append(
        (
            tr("change"),
            f"{c} ← {c} {sum_term(step_size, 5)}·{w}     {w} ← {w} {sum_term(step_size, 5)}·{c}",
        )
    )
    if step.hidden is not None and step.window is not None:
        lines[-1] = (tr("change"), f"{c} ← {c} {sum_term(step_size, 5)}·h")
        lines.append((tr("words"), _shared_gradient(step, len(step.window.inside))))
    if tree:
        lines.append((tr("path"), _path_probability(step, pair, side)))
    lines.append((tr("step"), _total(step)))
    return lines


def _shared_gradient(step: TrainingStep, m: int) -> str:
    """How ``m`` words make h, and what each receives of its gradient."""
    how = trn("h = Σ of {number} word", "h = Σ of {number} words", m)
    share = tr("1/{m} of the gradient of h", m=m)
    if step.scale != 1.0:
        how = trn("h = 1/{number} · Σ of {number} word", "h = 1/{number} · Σ of {number} words", m)
    if step.share == 1.0:
        share = tr("the whole gradient of h")
    return tr("{how}; each receives {share}", how=how, share=share)


def _path_probability(step: TrainingStep, pair: Pair, side: str) -> str:
    row = [one for one in step.pairs if one.input == pair.input][: step.columns]
    product = math.prod(one.sigma if one.label else 1 - one.sigma for one in row)
    centre = step.window.word if step.window is not None else ""
    return tr(
        "P({centre} | {side}) = product of the row = {decimal}",
        centre=centre,
        side=side,
        decimal=decimal(product, 4),
    )


def _total(step: TrainingStep) -> str:
    if step.terms == 1:
        return tr(
            "loss {fixed} at η = {rate}",
            fixed=fixed_decimals(step.loss, 4),
            rate=decimal(step.rate),
        )
    each = fixed_decimals(step.loss / step.terms, 4)
    return tr(
        "loss {fixed} over {terms} pairs, {each} each, at η = {rate}",
        fixed=fixed_decimals(step.loss, 4),
        terms=step.terms,
        each=each,
        rate=decimal(step.rate),
    )


def _cell_formula(step: TrainingStep) -> Lines:
    cell = step.cell
    assert cell is not None
    biases = f"{sum_term(cell.bias, 4)} {sum_term(cell.context_bias, 4)}"
    parts = f"{fixed_decimals(cell.product, 4)} {biases} {sum_term(-cell.target, 4)}"
    pull = cell.weight * cell.difference
    way = tr("too large, pushed apart")
    if cell.difference < 0:
        way = tr("too small, pushed together")
    return [
        (
            tr("weight"),
            tr(
                "f(X) = min(1, (X/x_max)^α) = min(1, ({decimal}/{x_max:g})^{alpha:g}) = {fixed}",
                decimal=decimal(cell.count, 5),
                x_max=cell.x_max,
                alpha=cell.alpha,
                fixed=fixed_decimals(cell.weight, 4),
            ),
        ),
        (
            tr("difference"),
            tr(
                "Δ = w·c + b_w + b_c {MINUS} log X = {parts} = {fixed}",
                MINUS=MINUS,
                parts=parts,
                fixed=fixed_decimals(cell.difference, 4),
            ),
        ),
        (
            tr("loss"),
            tr(
                "½ f Δ² = {fixed}; w·c and the biases are {way}",
                fixed=fixed_decimals(step.loss, 5),
                way=way,
            ),
        ),
        (
            tr("gradient"),
            tr(
                "f Δ = {fixed}:   of w  {fixed}·c,   of c  {fixed}·w,   of b  {fixed}",
                fixed=fixed_decimals(pull, 5),
            ),
        ),
        (
            "AdaGrad",
            tr(
                "g = η·gradient, η = {rate};   w ← w {MINUS} g/√s;   s ← s + g²   (biases: η = 1)",
                rate=decimal(step.rate),
                MINUS=MINUS,
            ),
        ),
    ]
