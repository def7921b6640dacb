"""Comparison of a model with the picture that is the PMI of its corpus.

With the picture’s PMI p and the product m = w·c of a pair, A = #(w, c) and B = k·#(w)·#(c)/|D|,
the figures are the plain correlation of m with p, and over pairs with weights AB/(A + B)

    R² = 1 − Σ f (m − (p − log k))² / Σ f (p − p̄)²,    mean offset = Σ f (m − p) / Σ f.

An exact SGNS factorisation with enough dimensions has R² = 1 and the offset −log k (LG14).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from workbench.analysis.matrix.counts import plain_counts
from workbench.analysis.matrix.pair_products import pair_products, shift_of
from workbench.analysis.theory.target_fit import figures_of
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.corpus import Corpus
from workbench.corpus.pictures.picture import column_words, picture_size, row_words, saved_pmi
from workbench.counts.association import submatrix
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class PictureCounts:
    """Counts of a picture corpus, in rows and columns of the picture.

    pmi : float64[n, n], PMI of the distribution that the text was drawn from, or (not ``exact``) of
    the counts, NaN if a pair was never observed
    counts : float64[n, n], #(w, c), 0 if never observed
    row_sums, column_sums : float64[n], #(w) and #(c); total : |D|
    """

    pmi: Doubles
    exact: bool
    counts: Doubles
    row_sums: Doubles
    column_sums: Doubles
    total: float

    @property
    def size(self) -> int:
        return len(self.pmi)

    def weights(self, k: float) -> Doubles:
        """AB/(A + B), float64[n, n]."""
        chance = k * np.outer(self.row_sums, self.column_sums) / self.total
        both = self.counts + chance
        return np.asarray(self.counts * chance / np.where(both > 0, both, 1.0))


@dataclass(frozen=True)
class PictureFigures:
    """correlation, weighted_r2, mean_offset : see above; NaN if they don’t exist
    log_k : amount by which the model’s products are expected to be lower
    wanted_settings : parameters by name, with the values that they would need so that the model’s
        target is the picture; empty if it is
    """

    correlation: float
    weighted_r2: float
    mean_offset: float
    log_k: float
    wanted_settings: Mapping[str, float] = field(default_factory=dict)


def corpus_picture_size(corpus: Corpus | None) -> int:
    """The size of the picture of a corpus; 0 if it isn’t a picture corpus."""
    if corpus is None or corpus.types > 256:
        return 0
    return picture_size(tuple(corpus.words))


def count_picture(corpus: Corpus, run: JobControl | None = None) -> PictureCounts:
    """Counts and PMI of a picture corpus. Raises UserError for another corpus, and Cancelled."""
    size = corpus_picture_size(corpus)
    if not size:
        raise UserError(
            tr("{name} isn’t a picture.", name=corpus.name),
            tr("Choose File ▸ Corpus from a picture…, or open the bundled corpus Face."),
        )
    vocabulary = corpus.vocabulary()
    table, _ = plain_counts(corpus, vocabulary, 1, "fixed", run)
    down = _places(vocabulary.index, row_words(size))
    across = _places(vocabulary.index, column_words(size))
    counts = np.zeros((size, size))
    known = np.ix_(np.flatnonzero(down >= 0), np.flatnonzero(across >= 0))
    counts[known] = np.nan_to_num(submatrix(table, down[down >= 0], across[across >= 0]))
    sums = np.asarray(table.sum(axis=1), dtype=np.float64).ravel()
    row_sums = np.where(down >= 0, sums[down], 0.0)
    column_sums = np.where(across >= 0, sums[across], 0.0)
    total = float(sums.sum())
    pmi = _read_saved_pmi(corpus, size)
    exact = pmi is not None
    if pmi is None:
        with np.errstate(divide="ignore", invalid="ignore"):
            pmi = np.log(counts * total / np.outer(row_sums, column_sums))
        pmi[~np.isfinite(pmi)] = np.nan
    return PictureCounts(pmi, exact, counts, row_sums, column_sums, total)


def _read_saved_pmi(corpus: Corpus, size: int) -> Doubles | None:
    if len(corpus.files) != 1:
        return None
    return saved_pmi(Path(corpus.files[0].path), size)


def picture_products(embeddings: Embeddings, size: int) -> tuple[Doubles, str]:
    """w·c of rows and columns of a picture, float64[n, n], NaN for unknown words; and a label.

    Raises UserError if the model has no such products.
    """
    down = _places(embeddings.index, row_words(size))
    across = _places(embeddings.index, column_words(size))
    found = np.full((size, size), np.nan)
    rows, columns = np.flatnonzero(down >= 0), np.flatnonzero(across >= 0)
    if not len(rows) or not len(columns):
        raise UserError(
            tr("The model wasn’t trained on this picture."),
            tr("Train a model on the open corpus."),
        )
    values, label = pair_products(embeddings, down[rows], across[columns])
    found[np.ix_(rows, columns)] = values
    return found, label


def picture_figures(picture: PictureCounts, products: Doubles, k: float) -> PictureFigures:
    """How well products reproduce a picture, over the pairs that have both values."""
    both = np.isfinite(picture.pmi) & np.isfinite(products)
    pmi, found = picture.pmi[both], products[both]
    plain = figures_of(found, pmi, np.ones(len(pmi)))
    weighted = figures_of(found, pmi - math.log(k), picture.weights(k)[both])
    return PictureFigures(
        plain.pearson,
        weighted.r2,
        weighted.mean_difference - math.log(k),
        math.log(k),
    )


def compare_with_picture(
    corpus: Corpus, embeddings: Embeddings, run: JobControl | None = None
) -> PictureFigures:
    """Figures of a model on its picture corpus. Raises UserError and Cancelled."""
    picture = count_picture(corpus, run)
    products, _ = picture_products(embeddings, picture.size)
    figures = picture_figures(picture, products, shift_of(embeddings))
    return replace(figures, wanted_settings=_wanted_settings(embeddings))


def _wanted_settings(embeddings: Embeddings) -> dict[str, float]:
    """Subsampling drops pairs, and an exponent of frequencies other than 1 adds a number to each
    column of the target.
    """
    parameters = embeddings.metadata.get("parameters")
    if not isinstance(parameters, Mapping):
        return {}
    exponent = "context_smoothing" if "context_smoothing" in parameters else "ns_exponent"
    wanted = {"sample": 0.0, exponent: 1.0}
    return {name: value for name, value in wanted.items() if parameters.get(name, value) != value}


def describe_figures(figures: PictureFigures) -> str:
    """The figures in a sentence, and the settings that would give better ones."""
    said = tr(
        "Picture: correlation {correlation}, weighted R² {r2}, mean offset {offset} nats "
        "(−log k = {expected}).",
        correlation=_decimal(figures.correlation, 3),
        r2=_decimal(figures.weighted_r2, 3),
        offset=_decimal(figures.mean_offset, 3),
        expected=_decimal(-figures.log_k, 3),
    )
    if not figures.wanted_settings:
        return said
    settings = ", ".join(
        f"{quoted_param(name)} = {value:g}" for name, value in figures.wanted_settings.items()
    )
    return f"{said} " + tr("The picture is the target only with {settings}.", settings=settings)


def _decimal(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return "—"
    return f"{value + 0.0:,.{digits}f}".replace("-", "−")


def _places(index: dict[str, int], words: tuple[str, ...]) -> Ints:
    return np.array([index.get(word, -1) for word in words], dtype=np.int64)
