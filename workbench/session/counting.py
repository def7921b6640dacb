"""Counts of a corpus, counted as asked and written for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.language import tr
from workbench.core.params import Params, param, redeclare
from workbench.core.run import Phase, Run
from workbench.corpus.corpus import Corpus
from workbench.counts.asked import WindowParams
from workbench.counts.association import KINDS
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.formats import Counted, save_counts
from workbench.models.base import ModelParams
from workbench.session.training import describe_corpus


@dataclass(frozen=True)
class CountParams(ModelParams):
    """How co-occurrences are counted."""

    window: int = redeclare(WindowParams, "window", 5, "word2vec.c -window 5")
    window_weighting: str = redeclare(WindowParams, "window_weighting", "dynamic", "word2vec.c")
    threads: int = param(0, "Threads; 0 takes the usable cores, at most 8.", low=0, high=256)


@dataclass(frozen=True)
class TableParams(Params):
    """What tables of pairs say besides the counts."""

    measures: str = param(
        "pmi,ppmi",
        f"Columns of association, separated by commas: {', '.join(KINDS)}.",
        source="Church & Hanks 1990; LGD15; Bouma 2009",
        basic=True,
    )
    shift: float = param(
        5.0,
        "sppmi is PMI less log k, and not below 0.",
        symbol="k",
        low=0.0,
        low_open=True,
        high=1e6,
        source="LG14: the number of negative samples",
        basic=True,
    )
    context_smoothing: float = param(
        1.0,
        "P(c) is proportional to #(c)^α.",
        symbol="α",
        low=0.0,
        high=2.0,
        source="1: as counted; LGD15 recommend 0.75",
        basic=True,
    )
    least_count: float = param(
        0.0, "Pairs counted less than this are left out of the table.", low=0.0, high=1e12, source="0: all", basic=True
    )

    def conflicts(self) -> dict[str, str]:
        unknown = [name for name in self.names if name not in KINDS]
        if unknown:
            return {
                "measures": tr(
                    "measures holds “{unknown}”; choose of {names}.", unknown=unknown[0], names=", ".join(KINDS)
                )
            }
        return {}

    @property
    def names(self) -> tuple[str, ...]:
        """The measures asked for, each once."""
        return tuple(dict.fromkeys(name.strip() for name in self.measures.split(",") if name.strip()))


@dataclass(frozen=True)
class Written:
    """What was written: the files, and how much they hold."""

    paths: tuple[Path, ...]
    words: int
    cells: int


def write_counts(corpus: Corpus, params: CountParams, table: TableParams, path: Path, run: Run) -> Written:
    """Count and write; the suffix names the format. Raises UserError and Cancelled."""
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    matrix = cooccurrence(corpus, vocabulary, params.window, params.window_weighting, threads=params.threads, run=run)
    run.enter(Phase.SAVING, tr("Writing the counts"))
    counted = Counted(
        matrix,
        vocabulary.words,
        vocabulary.counts,
        table.names,
        table.shift,
        table.context_smoothing,
        table.least_count,
        {"parameters": params.to_dict(), "corpus": describe_corpus(corpus)},
    )
    return Written(save_counts(counted, path, run), len(vocabulary), matrix.nnz)
