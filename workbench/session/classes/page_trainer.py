"""The text and the settings of a training that the page of a handout repeats: skip-gram with
negative sampling, with the random numbers and the order of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.analysis.matrix.picture import corpus_picture_size, count_picture
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import mark as tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.pictures.picture import column_words, row_words
from workbench.models.checkpointing import ResumeState
from workbench.models.predict.sgns import SGNS, SGNSParams
from workbench.models.predict.stream_trainer import open_stream
from workbench.models.predict.window_trainer import plan_windows
from workbench.session.export.handout_page.section import PageSection
from workbench.session.runs import final_loss
from workbench.vectors.embeddings import Embeddings

# Larger texts would make the page too large, and its training too slow for a phone: bytes of the
# text as numbers, words, dimensions, and tokens of all epochs.
MOST_BYTES, MOST_TYPES, MOST_DIM, MOST_READ = 2_500_000, 20_000, 50, 3_000_000
# Parameters of other algorithms that skip-gram has, too.
_SHARED = (
    *("dim", "window", "window_weighting", "min_count", "max_vocab"),
    *("sample", "sample_formula", "negative", "ns_exponent"),
)
# Products that the program tells, to compare the page with.
_PRODUCTS = 200

_TEXTS = {
    "train_here": tr("Train the model here"),
    "train_note": tr(
        "Skip-gram with negative sampling on the lesson’s text. Tokens: {tokens}, words: {words}, "
        "dimensions: {dim}, negative samples: {negative}, epochs: {epochs}. The page repeats the "
        "program’s random numbers and order."
    ),
    "train_seed": tr("Seed"),
    "train_start": tr("Train"),
    "train_stop": tr("Stop"),
    "train_loss": tr("Loss per pair: {value}"),
    "train_compare": tr(
        "At the end, the loss per pair is {value} here, and {program} in the program, with seed "
        "{seed}. The largest difference between products w·c is {difference}."
    ),
    "train_other": tr(
        "At the end, the loss per pair is {value} here with seed {seed}. The program has {program} "
        "with seed {own}."
    ),
    "train_word": tr("Nearest words of"),
    "picture_wanted": tr("PMI of the text"),
    "picture_seen": tr("Products w·c"),
    "picture_figures": tr("Correlation with the picture: {correlation}. Mean offset: {offset}."),
}


@dataclass(frozen=True)
class PageTraining:
    """A training that the page repeats, on a text."""

    corpus: Corpus
    params: SGNSParams


def page_training(corpus: Corpus, algorithm: str, values: Mapping[str, Any]) -> PageTraining | None:
    """The training of a lesson, or one like it that a phone can make; None if the text is too
    large.
    """
    own = {name: values[name] for name in _SHARED if name in values}
    if algorithm == "sgns":
        own |= {name: value for name, value in values.items() if name != "start"}
    params = SGNSParams.from_mapping(own)
    if algorithm != "sgns":
        params = params.replace(learning_rate=0.05)
    params = params.replace(
        dim=min(params.dim, MOST_DIM),
        epochs=max(1, min(params.epochs, MOST_READ // max(corpus.tokens, 1))),
        threads=1,
    )
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    size = corpus.tokens * np.min_scalar_type(len(vocabulary)).itemsize
    if not 1 < len(vocabulary) <= MOST_TYPES or size > MOST_BYTES:
        return None
    return PageTraining(corpus, params)


def trainer_section(training: PageTraining, trained: Embeddings, run: JobControl) -> PageSection:
    """trained : the program's own result. Raises Cancelled."""
    corpus, params = training.corpus, training.params
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    trainer = SGNS(params).trainer(vocabulary, ResumeState())
    plan, stream = plan_windows(trainer, corpus, 1), open_stream(corpus, vocabulary, params)
    run.check()
    final = final_loss.read(trained.metadata)
    data = {
        "tokens": corpus.tokens,
        "names": list(vocabulary.words),
        "dim": params.dim,
        "negative": params.negative,
        "rate": params.learning_rate,
        "epochs": params.epochs,
        "scale": params.init_scale,
        "seed": params.seed,
        "windows": plan.windows,
        "slices": plan.slices,
        "loss": None if final is None else final.value,
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "ids": _small(np.minimum(stream.ids, len(vocabulary))),
        "lengths": _lengths(stream.sentences),
        "keep": stream.keep,
        "reach": stream.reach,
        "threshold": trainer.noise.threshold,
        "alias": _small(trainer.noise.alias),
        "edges": plan.edges.astype(np.uint32),
        **_some_products(trained),
    }
    return PageSection(
        "trainer",
        ("random.js", "sgns.js"),
        data | _picture(corpus, vocabulary.index, arrays, run),
        arrays,
        _TEXTS,
    )


def _small(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The smallest type for whole numbers from 0."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def _lengths(sentences: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Lengths of sentences; only one if all are equal."""
    lengths = np.diff(sentences)
    if len(lengths) and (lengths == lengths[0]).all():
        lengths = lengths[:1]
    return _small(lengths)


def _some_products(trained: Embeddings) -> dict[str, npt.NDArray[Any]]:
    """w·c of pairs of words, the frequent ones and some of all others."""
    size = len(trained.words)
    assert trained.contexts is not None
    rows = np.unique(np.geomspace(1, size, min(_PRODUCTS, size)).round().astype(int)) - 1
    columns = rows[::-1]
    inputs = np.asarray(trained.inputs)[rows].astype(np.float64)
    products = np.einsum("ij,ij->i", inputs, trained.contexts[columns].astype(np.float64))
    return {
        "rows": rows.astype(np.uint32),
        "columns": columns.astype(np.uint32),
        "products": products,
    }


def _picture(
    corpus: Corpus,
    index: Mapping[str, int],
    arrays: dict[str, npt.NDArray[Any]],
    run: JobControl,
) -> dict[str, int]:
    """The picture of a corpus from a picture: its size, and its PMI among the arrays."""
    size = corpus_picture_size(corpus)
    if not size:
        return {}
    try:
        picture = count_picture(corpus, run)
    except UserError:
        return {}
    for name, words in (("down", row_words(size)), ("across", column_words(size))):
        arrays[name] = np.array([index.get(word, -1) for word in words], dtype=np.int32)
    arrays["pmi"] = picture.pmi.astype(np.float32)
    return {"picture": size}
