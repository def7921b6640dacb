"""Names of hyperparameters in messages: the key in Python and files, the option on the command
line, labels in windows.

Each process uses one of these ways; the window and the command line choose it when they start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cache

from workbench.core.language import tr


class By(Enum):
    """Ways to name hyperparameters in messages."""

    KEY = "min_count"
    OPTION = "--min-count"
    LABEL = "Minimum count"


_by = By.KEY
# What a form calls some of them otherwise than all others do.
_otherwise: Mapping[str, str] = {}


def label(name: str) -> str:
    """The name of a hyperparameter in words."""
    return _labels().get(name, name.replace("_", " ").capitalize())


def option(name: str) -> str:
    """Its name on the command line: ``--ns-exponent``."""
    return "--" + name.replace("_", "-")


def param_name(name: str) -> str:
    """A hyperparameter, by its key, as a sentence that begins with it calls it."""
    if _by is By.LABEL:
        return _otherwise.get(name) or label(name)
    if _by is By.OPTION:
        return option(name)
    return name


def quoted_param(name: str) -> str:
    """The same amid a sentence, where words of a label would run into those around it."""
    if _by is By.LABEL:
        return tr("“{text}”", text=param_name(name))
    return param_name(name)


@contextmanager
def name_params_by(how: By, otherwise: Mapping[str, str] | None = None) -> Iterator[None]:
    """Call them so, for as long as it goes on, in all threads; ``otherwise`` are names for single
    ones.
    """
    global _by, _otherwise
    before = _by, _otherwise
    _by, _otherwise = how, otherwise or {}
    try:
        yield
    finally:
        _by, _otherwise = before


@contextmanager
def override_labels(names: Mapping[str, str]) -> Iterator[None]:
    """Call single ones as a form does that has names of its own, where labels are spoken at all."""
    with name_params_by(_by, names):
        yield


@cache
def _labels() -> dict[str, str]:
    """Made when first asked for: the language is looked for by modules that import this one."""
    return {
        "dim": tr("Dimension"),
        "n_neighbors": tr("Neighbours"),
        "min_dist": tr("Least distance"),
        "window_weighting": tr("Window weighting"),
        "negative": tr("Negative samples"),
        "ns_exponent": tr("Noise exponent"),
        "sample": tr("Subsampling"),
        "sample_formula": tr("Subsampling rule"),
        "min_count": tr("Minimum count"),
        "max_vocab": tr("Largest vocabulary"),
        "min_n": tr("Shortest n-gram"),
        "max_n": tr("Longest n-gram"),
        "x_max": tr("Weight cutoff"),
        "alpha": tr("Weight exponent"),
        "eig": tr("Eigenvalue power"),
        "seed": tr("Random seed"),
        "lowercase": tr("Fold capitals"),
        "strip_accents": tr("Fold accents"),
        "unicode_form": tr("Unicode form"),
        "all_but_the_top": tr("All but the top"),
        "batch": tr("Batch"),
        "biases": tr("Biases"),
        "buckets": tr("Buckets"),
        "column": tr("Column"),
        "columns": tr("Columns"),
        "confidence_base": tr("Confidence base"),
        "confidence_exponent": tr("Confidence exponent"),
        "confidence_scale": tr("Confidence scale"),
        "context_smoothing": tr("Context smoothing"),
        "document_length": tr("Document length"),
        "documents": tr("Documents"),
        "encoding": tr("Encoding"),
        "epochs": tr("Epochs"),
        "exclude": tr("Exclude"),
        "gradient": tr("Gradient"),
        "hidden": tr("Hidden vector"),
        "include": tr("Include"),
        "iterations": tr("Iterations"),
        "keep_words": tr("Keep words"),
        "l2": tr("L2"),
        "learning_rate": tr("Learning rate"),
        "least_count": tr("Least count"),
        "limit": tr("Limit"),
        "measures": tr("Measures"),
        "min_length": tr("Min length"),
        "n_epochs": tr("Epochs"),
        "negative_sample_rate": tr("Negative samples"),
        "normalise": tr("Normalise"),
        "numbers": tr("Numbers"),
        "optimiser": tr("Optimiser"),
        "partition": tr("Partition"),
        "pattern": tr("Pattern"),
        "phrase_delimiter": tr("Phrase delimiter"),
        "phrase_fall": tr("Phrase fall"),
        "phrase_min_count": tr("Phrase min count"),
        "phrase_score": tr("Phrase score"),
        "phrase_threshold": tr("Phrase threshold"),
        "phrases": tr("Phrases"),
        "result": tr("Result"),
        "scheduler": tr("Dask scheduler"),
        "sentences": tr("Sentences"),
        "shift": tr("Shift"),
        "spill": tr("Spill"),
        "spread": tr("Spread"),
        "stop_words": tr("Stop words"),
        "submatrix": tr("Submatrix"),
        "symmetric": tr("Symmetric"),
        "threads": tr("Threads"),
        "tokeniser": tr("Tokeniser"),
        "tolerance": tr("Tolerance"),
        "weighting": tr("Weighting"),
        "window": tr("Window"),
        "without": tr("Without"),
        "tls_ca": tr("CA certificate"),
        "tls_cert": tr("Your certificate"),
        "tls_key": tr("Private key"),
        "worker_wait": tr("Waiting for workers"),
        "worker_memory": tr("Worker memory"),
        "workers": tr("Workers"),
    }
