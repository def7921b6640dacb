"""What the theory panel says in words and columns."""

from __future__ import annotations

import math

from workbench.analysis.target_fit import BANDS, Figures, Fit
from workbench.analysis.target_look import PairLook
from workbench.core.language import tr
from workbench.core.tables import to_csv
from workbench.ui.text import MINUS, count, decimal
from workbench.ui.widgets.table_model import Column


def signed(value: float, digits: int = 2) -> str:
    """ "−0.35", "–" where there is no number."""
    # Rounded first, so that no zero has a minus.
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS) if math.isfinite(value) else "–"


def band_columns(found: Fit, weighted: bool, by: str) -> list[Column]:
    """All pairs first, then every band, then the pairs never met."""
    names, pairs = [tr("all met")], [found.pairs]
    chosen: list[Figures] = [found.weighted if weighted else found.plain]
    for band in found.bands:
        names.append(_between(band.low, band.high))
        pairs.append(band.pairs)
        chosen.append(band.weighted if weighted else band.plain)
    figures = {
        "R²": [one.r2 for one in chosen],
        tr("slope"): [one.slope for one in chosen],
        "m − t": [one.mean_difference for one in chosen],
        tr("rms"): [one.rms for one in chosen],
    }
    tips = {
        "R²": tr("1 − Σ f (m − t)² / Σ f (t − t̄)²: 1 on the target, below 0 where its mean does better"),
        tr("slope"): tr("Of the least squares line of the model on the target"),
        "m − t": tr("Mean of model less target, nats"),
        tr("rms"): tr("Root of the mean squared difference, nats"),
    }
    first = Column(
        tr("times met") if by == "pair" else tr("rarer word"), [*names, tr("never met")], number=False, stretch=True
    )
    unseen = [
        tr(
            "mean {unseen_mean}, deviation {unseen_deviation}",
            unseen_mean=signed(found.unseen_mean),
            unseen_deviation=signed(found.unseen_deviation),
        )
    ]
    tip = tr("Model’s scores of pairs never met: {value}", value=unseen[0])
    edges = ", ".join(f"{edge:g}" for edge in BANDS[by])
    columns = [
        Column(
            first.name, first.values, tr("How often: borders {edges}", edges=edges),
            tips=[""] * len(names) + [tip], number=False, stretch=True,
        ),
        Column(tr("pairs"), [*pairs, found.unseen_pairs], text=count),
    ]  # fmt: skip
    nothing = float("nan")
    columns += [
        Column(name, [*values, nothing], tips[name], text=signed, number=True, spare=int(name == tr("rms")))
        for name, values in figures.items()
    ]
    return columns


def _between(low: float, high: float) -> str:
    if not low:
        return tr("below {count}", count=count(int(high)))
    return f"{count(int(low))}–{count(int(high))}" if math.isfinite(high) else tr("{count} on", count=count(int(low)))


def pair_text(pair: PairLook, key: str, score: str) -> str:
    """The target of one pair worked out on its numbers, then what the model says."""
    head = f"{pair.word} · {pair.context}:  "
    said = f"{score} = {signed(pair.score)}"
    if not pair.count:
        return tr("{head}never met, so the target has no value here;  model {said}", head=head, said=said)
    met = decimal(pair.count, 4)
    steps = {
        "logx": f"log {met}",
        "logp": f"log {met} − log {decimal(pair.row_sum, 4)}",
    }.get(key, f"log {met} − log({pair.k:g} · {decimal(pair.row_sum, 4)} · {decimal(pair.chance, 3)})")
    if key == "sppmi":
        steps = f"max({steps}, 0)"
    moved = ""
    if abs(pair.target - pair.own_target) > 1e-9:
        moved = tr(" (as the model has it {own_target})", own_target=signed(pair.own_target))
    return tr(
        "{head}target = {steps} = {target}{moved};  model {said}",
        head=head,
        steps=steps,
        target=signed(pair.target),
        moved=moved,
        said=said,
    )


def pairs_csv(found: Fit | None) -> str:
    """The pairs drawn at random, with target and score in full."""
    if found is None:
        return ""
    places = zip(found.rows.tolist(), found.columns.tolist(), strict=True)
    values = zip(places, found.targets.tolist(), found.scores.tolist(), strict=True)
    rows = [[found.words[row], found.words[column], t, m] for (row, column), t, m in values]
    return to_csv(["word", "context", "target", "model"], rows)
