"""The formulas of a training step with its numbers put in."""

from __future__ import annotations

from workbench.analysis.step import NODES, Pair, Step
from workbench.ui.text import MINUS, decimal
from workbench.ui.widgets.step_part import fixed, signed

Lines = list[tuple[str, str]]


def formula(step: Step, chosen: int) -> Lines:
    """What is computed of the chosen decision, or of the cell: names and equations."""
    if step.cell is not None:
        return _cell_formula(step)
    if not step.pairs:
        return []
    return _pair_formula(step, step.pairs[chosen])


def _pair_formula(step: Step, pair: Pair) -> Lines:
    tree = step.changes[pair.output].table == NODES
    w, c = ("h" if pair.input < 0 else "w"), ("u" if tree else "c")
    side, other = step.input_of(pair).name, step.changes[pair.output].name
    sign = "" if pair.label else MINUS
    right = pair.sigma if pair.label else 1 - pair.sigma
    meaning = f"σ({sign}x)"
    name = f"{w}·{c}" + (f"  ({side}, {other})" if pair.input >= 0 else f"  ({other})")
    lines = [("score", f"x = {name} = {fixed(pair.score, 4)}")]
    lines.append(("loss", f"{MINUS}log {meaning} = {MINUS}log {fixed(right, 4)} = {fixed(pair.loss, 4)}"))
    told = f"∂/∂x = σ(x) {MINUS} {pair.label} = {fixed(pair.sigma, 4)} {MINUS} {pair.label} = {fixed(pair.slope, 4)}"
    lines.append(("slope", told))
    step_size = -step.rate * pair.slope
    lines.append(("change", f"{c} ← {c} {signed(step_size, 5)}·{w}     {w} ← {w} {signed(step_size, 5)}·{c}"))
    if step.hidden is not None and step.window is not None:
        m = len(step.window.inside)
        how = f"h = {'1/' + str(m) + ' · ' if step.scale != 1.0 else ''}Σ of {m} words"
        share = "the whole gradient of h" if step.share == 1.0 else f"1/{m} of the gradient of h"
        lines[-1] = ("change", f"{c} ← {c} {signed(step_size, 5)}·h")
        lines.append(("words", f"{how}; each receives {share}"))
    if tree:
        row = [one for one in step.pairs if one.input == pair.input][: step.columns]
        product = 1.0
        for one in row:
            product *= one.sigma if one.label else 1 - one.sigma
        centre = step.window.word if step.window is not None else ""
        lines.append(("path", f"P({centre} | {side}) = product of the row = {decimal(product, 4)}"))
    lines.append(("step", _total(step)))
    return lines


def _total(step: Step) -> str:
    if step.terms == 1:
        return f"loss {fixed(step.loss, 4)} at η = {decimal(step.rate)}"
    each = fixed(step.loss / step.terms, 4)
    return f"loss {fixed(step.loss, 4)} over {step.terms} pairs, {each} each, at η = {decimal(step.rate)}"


def _cell_formula(step: Step) -> Lines:
    cell = step.cell
    assert cell is not None
    parts = f"{fixed(cell.product, 4)} {signed(cell.bias, 4)} {signed(cell.context_bias, 4)} {signed(-cell.target, 4)}"
    pull = cell.weight * cell.difference
    way = "too small, pushed together" if cell.difference < 0 else "too large, pushed apart"
    return [
        ("weight", f"f(X) = min(1, (X/x_max)^α) = min(1, ({decimal(cell.count, 5)}/{cell.x_max:g})^{cell.alpha:g}) = "
         f"{fixed(cell.weight, 4)}"),
        ("difference", f"Δ = w·c + b_w + b_c {MINUS} log X = {parts} = {fixed(cell.difference, 4)}"),
        ("loss", f"½ f Δ² = {fixed(step.loss, 5)}; w·c and the biases are {way}"),
        ("gradient", f"f Δ = {fixed(pull, 5)}:   of w  {fixed(pull, 5)}·c,   of c  {fixed(pull, 5)}·w,   of b  "
         f"{fixed(pull, 5)}"),
        ("AdaGrad", f"g = η·gradient, η = {decimal(step.rate)};   w ← w {MINUS} g/√s;   s ← s + g²   (biases: η = 1)"),
    ]  # fmt: skip
