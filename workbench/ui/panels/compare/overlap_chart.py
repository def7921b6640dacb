"""The chart of neighbour overlap by word frequency, with its running mean."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.analysis.neighbours.model_changes import running_mean
from workbench.core.arrays import Doubles
from workbench.core.language import tr
from workbench.ui.base.text import count, title_in_sentence, true_minus
from workbench.ui.plots.chart import Chart, ChartSeries

_MOST = 8000


def overlap_chart(
    words: tuple[str, ...],
    counts: npt.NDArray[np.int64] | None,
    overlap: Doubles,
    k: int,
    label: str,
    steps: int,
) -> Chart:
    """Overlap against count, or against rank if counts are unknown. Runs in a job.

    steps : the overlap is a multiple of 1 / steps; dots are spread by less than that, so that they
    do not cover each other. At most 8,000 dots are drawn, evenly over the ranks; the mean is over
    all words.
    """
    x, noun, across = np.arange(1.0, len(words) + 1), tr("rank"), tr("Rank of the word")
    if counts is not None:
        x, noun, across = (
            np.maximum(counts, 1).astype(np.float64),
            tr("count"),
            tr("Count of the word"),
        )
    picked = np.unique(np.linspace(0, len(words) - 1, min(len(words), _MOST)).astype(np.intp))
    spread = np.random.default_rng(1).uniform(-0.35, 0.35, len(picked)) / steps

    measure = title_in_sentence(label)
    texts = [
        f"{words[at]}\n{measure} {true_minus(f'{overlap[at]:.2f}')}\n{noun} {count(int(x[at]))}"
        for at in picked.tolist()
    ]
    logs, means = running_mean(np.log(x), overlap)

    if len(picked) < len(words):
        across = tr(
            "{across}, {drawn} of {number} words plotted",
            across=across,
            drawn=count(len(picked)),
            number=count(len(words)),
        )
    return Chart(
        across,
        tr("{label} of the {k} nearest", label=label, k=k),
        (
            ChartSeries(
                x[picked],
                np.clip(overlap[picked] + spread, 0.0, 1.0),
                texts=texts,
                keys=[words[at] for at in picked.tolist()],
            ),
            ChartSeries(np.exp(logs), means, tr("Running mean"), line=True, dots=False),
        ),
        log_x=True,
        y_range=(-0.03, 1.03),
    )
