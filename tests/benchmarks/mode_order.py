"""Compare the predicted with the observed order in which modes are learnt, over seeds, initial
scales and learning rates.

    python tests/benchmarks/mode_order.py CORPUS [--min-count N] [--modes N] [--seeds N]

Prints Spearman’s ρ of SGNS (50 dimensions, 5 epochs) for each seed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workbench.analysis.theory.mode_order import predicted_modes, study_modes
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.predict.sgns import SGNS, SGNSParams
from workbench.session.corpus.reading import read_corpus
from workbench.session.runs.history import RecordedRun, TrainingHistory
from workbench.session.training.train_api import train_run


def correlation(corpus: Corpus, params: SGNSParams, modes: int) -> float:
    """Spearman’s ρ for one training."""
    history = TrainingHistory()
    run = RecordedRun(history)
    history.finish(train_run(corpus, "sgns", params, run), run)
    words, values = history.frames[-1].embeddings, params.to_dict()
    pairs = count_pairs(corpus, PairCountSettings.of(values), 0, words)
    prediction = predicted_modes(pairs, TargetSettings.of(values), SGNS.theory_target, modes)
    return study_modes(history.frames, modes, (prediction, pairs.words)).correlation


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--modes", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    corpus = read_corpus([options.corpus], None, JobControl())
    for scale in (1.0, 0.01):
        for rate in (0.025, 0.01):
            found = [
                correlation(
                    corpus,
                    SGNSParams(
                        dim=50,
                        epochs=5,
                        min_count=options.min_count,
                        learning_rate=rate,
                        init_scale=scale,
                        seed=seed,
                    ),
                    options.modes,
                )
                for seed in range(1, options.seeds + 1)
            ]
            text = " ".join(f"{one:.2f}" for one in found)
            print(f"initial scale {scale:g}, learning rate {rate:g}: {text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
