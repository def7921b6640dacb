"""Co-occurrence counts of a corpus, written in formats of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.param_labels import param_name
from workbench.core.params import Params, Value, param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.counts.association import KINDS
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.count_tables import stored_table
from workbench.counts.counts_corpus import CountedCorpus, counted_values
from workbench.counts.formats import CountTable, save_counts
from workbench.counts.params import CountWindowParams
from workbench.models.params import ModelParams, SharedParams
from workbench.session.corpus.provenance import describe_corpus


@dataclass(frozen=True)
class CountParams(ModelParams):
    """How co-occurrences are counted."""

    window: int = redeclare(CountWindowParams, "window", 5, "word2vec.c -window 5")
    window_weighting: str = redeclare(
        CountWindowParams, "window_weighting", "dynamic", "word2vec.c"
    )
    symmetric: bool = redeclare(CountWindowParams, "symmetric")
    threads: int = redeclare(
        SharedParams,
        "threads",
        source="",
        doc="Number of counting threads. 0 = one per core, at most 8.",
        high=256,
    )


# Settings of every count; counts may state further properties, which are written unchanged.
_OWN = {spec.name: None for spec in CountParams.specs()}
_TOLD = {**_OWN, "sample": None, "sample_formula": None}


@dataclass(frozen=True)
class TableParams(Params):
    """Columns of tables of pairs besides the counts."""

    measures: str = param(
        "pmi,ppmi",
        f"Columns of association, separated by commas: {', '.join(KINDS)}.",
        label="Measures",
        source="Church & Hanks 1990; LGD15; Bouma 2009",
        basic=True,
    )
    shift: float = redeclare(
        SharedParams,
        "shift",
        5.0,
        "LG14: number of negative samples",
        doc="Shift of SPPMI: sppmi = max(PMI − log k, 0).",
        low=0.0,
        high=1e6,
        low_open=True,
        grows="",
    )
    context_smoothing: float = redeclare(
        SharedParams,
        "context_smoothing",
        1.0,
        "1: as counted; LGD15 recommend 0.75",
        doc="Exponent of the context distribution: P(c) is proportional to #(c)^α.",
        high=2.0,
        grows="",
    )
    least_count: float = param(
        0.0,
        "Minimum count of a pair to be included in the table.",
        label="Min count",
        low=0.0,
        high=1e12,
        source="0 = all pairs",
        basic=True,
    )

    def conflicts(self) -> dict[str, str]:
        unknown = [name for name in self.names if name not in KINDS]
        if unknown:
            return {
                "measures": tr(
                    "Unknown value “{unknown}” in {name}. Choose from: {names}.",
                    name=param_name("measures"),
                    unknown=unknown[0],
                    names=", ".join(KINDS),
                )
            }
        return {}

    @property
    def names(self) -> tuple[str, ...]:
        """The requested measures, each once."""
        return tuple(
            dict.fromkeys(name.strip() for name in self.measures.split(",") if name.strip())
        )


@dataclass(frozen=True)
class Written:
    """The files that were written, and their sizes."""

    paths: tuple[Path, ...]
    words: int
    cells: int


def counted_as(
    corpus: CountedCorpus, values: Mapping[str, Value], given: Mapping[str, object] | None = None
) -> CountParams:
    """``values``, with the settings for counting replaced by those that the counts were made with.

    given : the values that were set explicitly. Raises UserError if one contradicts the counts.
    """
    known = counted_values(corpus, _TOLD, given if given is not None else values)
    return CountParams.from_mapping(
        {**values, **{name: known[name] for name in known if name in _OWN}}
    )


def write_counts(
    corpus: Corpus, params: CountParams, table: TableParams, path: Path, run: JobControl
) -> Written:
    """Count and write; the suffix names the format. Writes all words, or the first words, of a
    corpus that consists of counts. Raises UserError, also for counts made with other settings, and
    Cancelled.
    """
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    if isinstance(corpus, CountedCorpus):
        params = counted_as(corpus, params.to_dict())
        matrix = stored_table(corpus, vocabulary, run)
    else:
        window, weighting, symmetric = params.window, params.window_weighting, params.symmetric
        matrix = cooccurrence(
            corpus, vocabulary, window, weighting, symmetric, threads=params.threads, run=run
        )
    run.enter(Phase.SAVING, tr("Saving the counts"))
    counted = CountTable(
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
