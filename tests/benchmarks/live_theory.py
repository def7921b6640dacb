"""SGNS approaches its target as one watches: ``python tests/benchmarks/live_theory.py [CORPUS]``.

Opens the window with Theory in front (offscreen unless there is a display), trains skip-gram with
negative sampling on two threads for each of ``--dims``, and prints the panel’s figures for every
new snapshot: share of the training done, R², slope and mean of w·c − x*. At the end, every figure
is computed again in float64 numpy from the saved vectors and the effective counts as dense tables,
and the largest difference is printed. Exits with 1 if it is above 1e-6, or if R² did not rise.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from results import keep, table

from workbench.session.training.request import TrainingSpec


def independent(
    vectors_path: Path, corpus: Any, vocabulary: Any, parameters: Any
) -> dict[str, float]:
    """The figures of “Its own target”, weighted like the loss, for all words of the vocabulary."""
    from workbench.counts.expected_counts import SampledWindow, effective_counts

    with np.load(vectors_path, allow_pickle=False) as file:
        inputs, contexts = file["vectors"].astype(float), file["contexts"].astype(float)
    pair_counts = effective_counts(
        corpus, vocabulary, SampledWindow(parameters.window, "dynamic", parameters.sample)
    ).toarray()
    noise = vocabulary.counts**parameters.ns_exponent
    noise_counts = (
        parameters.negative * pair_counts.sum(axis=1, keepdims=True) * (noise / noise.sum())
    )
    seen = pair_counts > 0
    model, never = (inputs @ contexts.T)[seen], (inputs @ contexts.T)[~seen]
    a, b = pair_counts[seen], noise_counts[seen]
    target, weight = np.log(a) - np.log(b), a * b / (a + b)
    mean, mean_model = np.average(target, weights=weight), np.average(model, weights=weight)
    spread, spread_model = target - mean, model - mean_model
    figures = {
        "r2": 1 - (weight * (model - target) ** 2).sum() / (weight * spread**2).sum(),
        "slope": (weight * spread * spread_model).sum() / (weight * spread**2).sum(),
        "pearson": (weight * spread * spread_model).sum()
        / np.sqrt((weight * spread**2).sum() * (weight * spread_model**2).sum()),
        "mean_difference": np.average(model - target, weights=weight),
        "rms": np.sqrt(np.average((model - target) ** 2, weights=weight)),
        "unseen_mean": never.mean(),
        "unseen_deviation": never.std(),
    }
    rarer = [(0.0, 1.0), (1.0, 10.0), (10.0, 100.0), (100.0, 1000.0), (1000.0, np.inf)]
    for low, high in rarer:
        inside = (a >= low) & (a < high)
        if inside.any():
            figures[f"rms {low:g}"] = np.sqrt(
                np.average((model - target)[inside] ** 2, weights=weight[inside])
            )
    return {name: float(value) for name, value in figures.items()}


def displayed_values(fit: Any) -> dict[str, float]:
    """The same figures as the panel shows them."""
    one = fit.weighted
    figures = {
        name: getattr(one, name) for name in ("r2", "slope", "pearson", "mean_difference", "rms")
    }
    figures |= {"unseen_mean": fit.unseen_mean, "unseen_deviation": fit.unseen_deviation}
    return figures | {f"rms {band.low:g}": band.weighted.rms for band in fit.bands}


def markdown(results: dict[str, Any]) -> str:
    wanted = (0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
    rows = []
    for row in results["rows"]:
        near = [min(row["looks"], key=lambda look, at=at: abs(look[0] - at)) for at in wanted]  # type: ignore[misc]
        rows.append(
            (
                row["dim"],
                *(f"{r2:.3f}" for _, r2 in near),
                f"{row['pairs']:,}",
                f"{row['apart']:.1e}",
            )
        )
    return table(("d", *(f"R² at {at:.0%}" for at in wanted), "pairs", "largest difference"), rows)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="R² against x* while SGNS trains, and its figures computed again."
    )
    parser.add_argument("corpus", nargs="?", default="small-world")
    parser.add_argument("--dims", default="100,1600", help="separated by commas (default 100,1600)")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--sample", type=float, default=1e-3)
    parser.add_argument("--json")
    return parser.parse_args()


def _print_row(
    record: Any,
    words: int,
    fit: Any,
    looks: list[tuple[float, Any]],
    figures: int,
    apart: float,
) -> dict[str, Any]:
    """Print what was seen of a training; returns it as a row."""
    rising = [one.weighted.r2 for _, one in looks]
    rises = sum(after > before for before, after in pairwise(rising))
    dim = record.parameters["dim"]
    print(f"\n{record.name}: d = {dim}, {words} words, {fit.pairs:,} observed pairs")
    for share, one in looks:
        f = one.weighted
        print(
            f"  {share:6.1%}  R² {f.r2:7.3f}  slope {f.slope:6.3f}  mean {f.mean_difference:7.3f}"
        )
    print(
        f"  R² rose at {rises} of {len(rising) - 1} looks; {figures} figures, computed "
        f"anew: {apart:.1e} apart"
    )
    return {
        "dim": dim,
        "pairs": fit.pairs,
        "looks": [(share, one.weighted.r2) for share, one in looks],
        "figures": figures,
        "apart": apart,
    }


def main() -> int:
    options = _options()
    os.environ.setdefault("WORKBENCH_HOME", tempfile.mkdtemp(prefix="workbench-theory-"))
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

    from PySide6.QtCore import QTimer
    from window_steps import OpenWindow

    from workbench.core.job_control import Phase
    from workbench.models.base import MODELS

    kind = MODELS["sgns"]
    kind.warm()
    opened = OpenWindow(options.corpus, 900)
    session, window = opened.session, opened.window
    window.raise_panel("theory")
    instrument = window.docks["theory"].panel.instruments.all[0]  # type: ignore[attr-defined]
    dims = [int(dim) for dim in options.dims.split(",")]
    parameters = {"epochs": options.epochs, "sample": options.sample, "threads": 2}
    looks: list[tuple[float, Any]] = []
    rows: list[dict[str, Any]] = []
    state = {"record": None, "calm": 0, "good": True}

    def conclude(record: Any) -> None:
        corpus = session.corpora.current
        fit = instrument.fit
        vectors_path = session.store.vectors_path(record.identifier)
        full = kind.params_type.from_mapping(record.parameters)
        vocabulary = corpus.vocabulary(full.min_count)
        found, expected = displayed_values(fit), independent(vectors_path, corpus, vocabulary, full)
        apart = max(abs(found[name] - expected[name]) for name in found)
        rows.append(_print_row(record, len(vocabulary), fit, looks, len(found), apart))
        rising = [one.weighted.r2 for _, one in looks]
        state["good"] = bool(state["good"] and apart < 1e-6 and rising[-1] > rising[0])

    def tick() -> None:
        if not opened.has_corpus():
            return
        record: Any = state["record"]
        if record is None:
            if not dims:
                window.close()
                return
            looks.clear()
            new_params = kind.params_type.from_mapping({**parameters, "dim": dims.pop(0)})
            state["record"], state["calm"] = (
                session.training.start(TrainingSpec("sgns", new_params)),
                0,
            )
            return
        progress = record.run.progress if record.run is not None else None
        live = progress is not None and progress.phase is Phase.TRAINING
        fit = instrument.fit
        if live and fit is not None and (not looks or looks[-1][1] is not fit):
            looks.append((progress.fraction or 0.0, fit))
        if not record.state.over:
            return
        state["calm"] = state["calm"] + 1 if window.idle else 0
        if state["calm"] > 20 and record.stored:
            looks.append((1.0, instrument.fit))
            conclude(record)
            state["record"] = None

    beat = QTimer()
    beat.setInterval(30)
    beat.timeout.connect(tick)
    beat.start()
    opened.run()
    print(markdown(keep(options.json, {"rows": rows})))
    return 0 if state["good"] else 1


if __name__ == "__main__":
    sys.exit(main())
