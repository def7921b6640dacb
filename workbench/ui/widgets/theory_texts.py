"""What the theory panel says in words and columns."""

from __future__ import annotations

import math

from workbench.analysis.target_fit import BANDS, Figures, Fit
from workbench.analysis.target_look import PairLook
from workbench.core.tables import to_csv
from workbench.ui.text import MINUS, count, decimal
from workbench.ui.widgets.table_model import Column


def signed(value: float, digits: int = 2) -> str:
    """ "−0.35", "–" where there is no number."""
    # Rounded first, so that no zero has a minus.
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS) if math.isfinite(value) else "–"


def band_columns(found: Fit, weighted: bool, by: str) -> list[Column]:
    """All pairs first, then every band, then the pairs never met."""
    names, pairs = ["all met"], [found.pairs]
    chosen: list[Figures] = [found.weighted if weighted else found.plain]
    for band in found.bands:
        names.append(_between(band.low, band.high))
        pairs.append(band.pairs)
        chosen.append(band.weighted if weighted else band.plain)
    figures = {
        "R²": [one.r2 for one in chosen],
        "slope": [one.slope for one in chosen],
        "m − t": [one.mean_difference for one in chosen],
        "rms": [one.rms for one in chosen],
    }
    tips = {
        "R²": "1 − Σ f (m − t)² / Σ f (t − t̄)²: 1 on the target, below 0 where its mean does better",
        "slope": "Of the least squares line of the model on the target",
        "m − t": "Mean of model less target, nats",
        "rms": "Root of the mean squared difference, nats",
    }
    first = Column("times met" if by == "pair" else "rarer word", [*names, "never met"], number=False, stretch=True)
    unseen = [f"mean {signed(found.unseen_mean)}, deviation {signed(found.unseen_deviation)}"]
    tip = f"Model’s scores of pairs never met: {unseen[0]}"
    columns = [
        Column(
            first.name, first.values, "How often: borders " + ", ".join(f"{edge:g}" for edge in BANDS[by]),
            tips=[""] * len(names) + [tip], number=False, stretch=True,
        ),
        Column("pairs", [*pairs, found.unseen_pairs], text=count),
    ]  # fmt: skip
    nothing = float("nan")
    columns += [
        Column(name, [*values, nothing], tips[name], text=signed, number=True, spare=name == "rms")
        for name, values in figures.items()
    ]
    return columns


def _between(low: float, high: float) -> str:
    if not low:
        return f"below {count(int(high))}"
    return f"{count(int(low))}–{count(int(high))}" if math.isfinite(high) else f"{count(int(low))} on"


def pair_text(pair: PairLook, key: str, score: str) -> str:
    """The target of one pair worked out on its numbers, then what the model says."""
    head = f"{pair.word} · {pair.context}:  "
    said = f"{score} = {signed(pair.score)}"
    if not pair.count:
        return f"{head}never met, so the target has no value here;  model {said}"
    met = decimal(pair.count, 4)
    steps = {
        "logx": f"log {met}",
        "logp": f"log {met} − log {decimal(pair.row_sum, 4)}",
    }.get(key, f"log {met} − log({pair.k:g} · {decimal(pair.row_sum, 4)} · {decimal(pair.chance, 3)})")
    if key == "sppmi":
        steps = f"max({steps}, 0)"
    moved = ""
    if abs(pair.target - pair.own_target) > 1e-9:
        moved = f" (as the model has it {signed(pair.own_target)})"
    return f"{head}target = {steps} = {signed(pair.target)}{moved};  model {said}"


def pairs_csv(found: Fit | None) -> str:
    """The pairs drawn at random, with target and score in full."""
    if found is None:
        return ""
    places = zip(found.rows.tolist(), found.columns.tolist(), strict=True)
    values = zip(places, found.targets.tolist(), found.scores.tolist(), strict=True)
    rows = [[found.words[row], found.words[column], t, m] for (row, column), t, m in values]
    return to_csv(["word", "context", "target", "model"], rows)
