"""Contract of every registered algorithm (see workbench/models/base.py)."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from corpora import make_corpus

from workbench.analysis.rows.build import FORMS
from workbench.analysis.theory.loss_floor import FORMULAS, TITLES
from workbench.analysis.theory.targets import SCORES, TARGETS, WEIGHTS
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.base import (
    FLOOR_UNDECLARED,
    MODELS,
    ROW_UNDECLARED,
    UNDECLARED,
    Model,
    preset_params,
)
from workbench.models.params import FactorParams
from workbench.models.postprocess import finish_embeddings
from workbench.models.predict.cbow_base import WindowParams
from workbench.models.predict.negative_sampling import NoiseParams
from workbench.models.predict.stream_trainer import StreamParams
from workbench.vectors.embeddings import Embeddings

Kind = type[Model]

ALL = list(MODELS)
# Algorithms that read the text token by token.
SCANNING = [kind for kind in ALL if kind.scans_tokens]
ITERATIVE = [kind for kind in ALL if kind.loss_label]
SMALL = {"dim": 16, "epochs": 4, "min_count": 1, "threads": 1, "seed": 1, "buckets": 2000}
# Too many for any test: such a training only ends on request.
ENDLESS = {"epochs": 1_000_000, "iterations": 1_000_000, "tolerance": 0.0}

each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.key)
each_iterative = pytest.mark.parametrize("kind", ITERATIVE, ids=lambda kind: kind.key)


def make_model(kind: Kind, **changes: Any) -> Model:
    """A small model, without values that the algorithm lacks; too high values are lowered."""
    values: dict[str, Any] = {}
    for name, value in {**SMALL, **changes}.items():
        spec = next((spec for spec in kind.params_type.specs() if spec.name == name), None)
        if spec is not None:
            values[name] = value if spec.high is None else min(value, spec.high)
    return kind(kind.params_type.from_mapping(values))


def takes(kind: Kind, name: str) -> bool:
    return any(spec.name == name for spec in kind.params_type.specs())


def dense(matrix: Any) -> np.ndarray:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def assert_whole(embeddings: Embeddings, corpus: Corpus, size: int) -> None:
    assert list(embeddings.words) == list(corpus.words[:size])
    assert embeddings.counts is not None
    np.testing.assert_array_equal(embeddings.counts, corpus.counts[:size])
    if embeddings.sparse:
        assert embeddings.vectors.format == "csr"
        assert embeddings.vectors.has_canonical_format
    vectors = dense(embeddings.vectors)
    assert vectors.dtype == np.float32
    assert vectors.shape == (size, embeddings.dim)
    assert np.isfinite(vectors).all()
    assert np.abs(vectors).max() > 0
    if embeddings.contexts is not None:
        assert embeddings.contexts.shape == vectors.shape
        assert embeddings.contexts.dtype == np.float32
        assert np.isfinite(embeddings.contexts).all()


def test_sparse_vectors_stay_sparse(tiny_corpus: Corpus) -> None:
    assert make_model(MODELS["ppmi"]).fit(tiny_corpus, JobControl()).sparse
    assert make_model(MODELS["hal"], columns=0).fit(tiny_corpus, JobControl()).sparse
    assert not make_model(MODELS["hal"]).fit(tiny_corpus, JobControl()).sparse


def same_bytes(one: Embeddings, two: Embeddings) -> bool:
    sides = ("vectors", "contexts", "biases", "context_biases", "ngram_vectors")
    pairs = [(getattr(one, side), getattr(two, side)) for side in sides]
    assert all((left is None) == (right is None) for left, right in pairs)
    return all(
        dense(left).tobytes() == dense(right).tobytes() for left, right in pairs if left is not None
    )


# -- declarations


def test_there_are_algorithms() -> None:
    assert {"sgns", "svd"} <= set(MODELS.keys())


@each
def test_it_introduces_itself(kind: Kind) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.key)
    assert kind.family in ("predict", "count")
    for text in (kind.title, kind.short, kind.summary, kind.citation):
        assert text.strip() == text
        assert text
    assert kind.summary.endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", kind.citation), "a citation has a year"


@each
def test_every_parameter_explains_itself(kind: Kind) -> None:
    names = [spec.name for spec in kind.params_type.specs()]
    assert {"min_count", "max_vocab"} <= set(names)
    assert len(set(names)) == len(names)
    for spec in kind.params_type.specs():
        assert spec.doc.endswith("."), f"{spec.name}: what it does is a sentence"
        assert spec.source or spec.type is bool, f"{spec.name}: where its default comes from"
        if spec.type in (int, float):
            assert spec.low is not None, f"{spec.name} has a lower bound"
            assert spec.high is not None, f"{spec.name} has an upper bound"
        values = spec.to_json()
        assert json.loads(json.dumps(values)) == values
    assert kind.params_type.from_mapping(kind.params_type().to_dict()) == kind.params_type()


@each
def test_presets_are_valid_and_sourced(kind: Kind) -> None:
    names = [preset.name for preset in kind.presets]
    assert "classroom" in names
    assert len(set(names)) == len(names)
    for preset in kind.presets:
        assert preset.source
        params = preset_params(kind, preset.name)
        assert {name: params.to_dict()[name] for name in preset.values} == dict(preset.values)


@each
def test_it_declares_a_target_that_is_defined_or_why_there_is_none(kind: Kind) -> None:
    target = kind.theory_target
    assert target is not UNDECLARED
    if target.missing:
        assert target.missing.endswith(".")
        return
    assert target.target in TARGETS
    assert target.score in SCORES
    assert target.weight in {"", *WEIGHTS}
    assert target.weight or takes(kind, "weighting")


@each
def test_it_declares_a_floor_of_its_loss_or_why_there_is_none(kind: Kind) -> None:
    floor = kind.loss_floor
    assert floor is not FLOOR_UNDECLARED
    if floor.missing:
        assert floor.missing.endswith(".")
        assert floor.missing.count(". ") == 0, "one sentence"
        return
    assert kind.loss_label
    assert floor.formula in FORMULAS
    assert floor.formula in TITLES
    assert (floor.formula == "cells") is takes(kind, "l2") or kind.key == "sgns-mf"


@each
def test_it_declares_the_objective_of_a_row_or_why_there_is_none(kind: Kind) -> None:
    row = kind.row_objective
    assert row is not ROW_UNDECLARED
    if row.missing:
        assert row.missing.endswith(".")
        assert row.missing.count(". ") == 0, "one sentence"
        return
    assert row.formula in FORMS


@each
def test_its_parameters_are_those_of_its_architecture(kind: Kind) -> None:
    architecture = kind.architecture
    if architecture is None:
        return
    params = kind.params_type
    if architecture.network == "glove":
        assert architecture.output == ""
        assert issubclass(params, FactorParams)
        return
    assert architecture.network in ("skipgram", "cbow")
    assert architecture.output in ("ns", "hs", "softmax")
    assert issubclass(params, NoiseParams) is (architecture.output == "ns")
    if architecture.steps:
        assert issubclass(params, StreamParams)
        assert issubclass(params, WindowParams) is (architecture.network == "cbow")


# -- before training


@each
def test_the_estimate_knows_the_vocabulary(kind: Kind, tiny_corpus: Corpus) -> None:
    estimate = make_model(kind).estimate(tiny_corpus)
    assert estimate.vocabulary == tiny_corpus.types
    assert 0 < estimate.kept_tokens <= tiny_corpus.tokens
    assert estimate.memory_bytes > 0
    assert estimate.seconds is None or estimate.seconds >= 0
    fewer = make_model(kind, max_vocab=10).estimate(tiny_corpus)
    assert fewer.vocabulary == 10
    assert fewer.memory_bytes <= estimate.memory_bytes


@each
def test_an_empty_vocabulary_is_one_sentence(kind: Kind) -> None:
    corpus = make_corpus([["a", "b"], ["a"]])
    model = make_model(kind, min_count=3)
    with pytest.raises(UserError, match="min_count"):
        model.estimate(corpus)
    with pytest.raises(UserError, match="min_count"):
        model.fit(corpus, JobControl())


@each
def test_warming_changes_nothing(kind: Kind, tiny_corpus: Corpus) -> None:
    kind.warm()
    before = make_model(kind).fit(tiny_corpus, JobControl())
    kind.warm()
    assert same_bytes(before, make_model(kind).fit(tiny_corpus, JobControl()))


# -- training


@each
def test_it_trains(kind: Kind, tiny_corpus: Corpus) -> None:
    run = JobControl()
    embeddings = make_model(kind).fit(tiny_corpus, run)
    assert_whole(embeddings, tiny_corpus, tiny_corpus.types)
    assert json.loads(json.dumps(dict(embeddings.metadata))) == dict(embeddings.metadata)


@each
def test_the_trace_is_what_is_promised(kind: Kind, tiny_corpus: Corpus) -> None:
    run = JobControl()
    make_model(kind, epochs=10).fit(tiny_corpus, run)
    if not kind.loss_label:
        assert len(run.trace) == 0
        return
    assert len(run.trace) >= 20
    assert (np.diff(run.trace.progress) > 0).all()
    assert run.trace.progress[0] > 0
    assert run.trace.progress[-1] == pytest.approx(1.0)
    assert (np.diff(run.trace.seconds) >= 0).all()
    assert np.isfinite(run.trace.loss).all()
    assert (run.trace.error >= 0).all()
    tenth = max(len(run.trace) // 10, 2)
    assert run.trace.loss[-tenth:].mean() < run.trace.loss[:tenth].mean()


@each
def test_one_seed_and_one_thread_give_the_same_bytes(kind: Kind, tiny_corpus: Corpus) -> None:
    first = make_model(kind).fit(tiny_corpus, JobControl())
    assert same_bytes(first, make_model(kind).fit(tiny_corpus, JobControl()))
    if takes(kind, "seed") and kind in ITERATIVE:
        assert not same_bytes(first, make_model(kind, seed=2).fit(tiny_corpus, JobControl()))


@each
def test_two_threads_train_too(kind: Kind, tiny_corpus: Corpus) -> None:
    assert_whole(
        make_model(kind, threads=2).fit(tiny_corpus, JobControl()), tiny_corpus, tiny_corpus.types
    )


@each
def test_the_vocabulary_can_be_limited(kind: Kind, tiny_corpus: Corpus) -> None:
    assert_whole(make_model(kind, max_vocab=20).fit(tiny_corpus, JobControl()), tiny_corpus, 20)
    count = int(tiny_corpus.counts[9])
    assert_whole(
        make_model(kind, min_count=count).fit(tiny_corpus, JobControl()),
        tiny_corpus,
        int((tiny_corpus.counts >= count).sum()),
    )


@each
def test_a_corpus_of_three_words(kind: Kind) -> None:
    """Fewer words than dimensions, sentences of one word, and a word without neighbours."""
    corpus = make_corpus([["a", "b"], ["b", "a"], ["c"], ["a", "b", "a"]])
    # Subsampling could leave no pair of so frequent words.
    every_pair = {"sample": 0.0} if takes(kind, "sample") else {}
    embeddings = make_model(kind, **every_pair).fit(corpus, JobControl())
    assert list(embeddings.words) == ["a", "b", "c"]
    assert np.isfinite(dense(embeddings.vectors)).all()


@pytest.mark.parametrize(
    "kind", [kind for kind in ALL if takes(kind, "all_but_the_top")], ids=lambda kind: kind.key
)
def test_other_vectors_are_made_at_the_end(kind: Kind, tiny_corpus: Corpus) -> None:
    """``fit``’s result is unchanged by default; on request, vectors are derived beside W and C."""
    model = make_model(kind)
    plain = model.fit(tiny_corpus, JobControl())
    assert finish_embeddings(plain, model.params) is plain
    result = {"result": "w+c"} if takes(kind, "result") else {}
    params = model.params.replace(normalise=True, all_but_the_top=2, **result)
    found = finish_embeddings(kind(params).fit(tiny_corpus, JobControl()), params)
    table = plain.inputs.astype(np.float64)
    if result and plain.contexts is not None:
        table = table + plain.contexts
    table = table - table.mean(axis=0)
    top = np.linalg.svd(table, full_matrices=False)[2][:2]
    table = table - table @ top.T @ top
    np.testing.assert_allclose(
        found.vectors, table / np.linalg.norm(table, axis=1, keepdims=True), atol=1e-4
    )
    np.testing.assert_array_equal(found.inputs, plain.inputs)
    assert same(found.contexts, plain.contexts)


def same(left: Any, right: Any) -> bool:
    return left is right if left is None or right is None else left.tobytes() == right.tobytes()


# -- steering


class Training:
    """``fit`` in a separate thread, with its result or error."""

    def __init__(self, model: Model, corpus: Corpus) -> None:
        self.run = JobControl()
        self.result: Embeddings | None = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._fit, args=(model, corpus))

    def _fit(self, model: Model, corpus: Corpus) -> None:
        try:
            self.result = model.fit(corpus, self.run)
        except BaseException as error:
            self.error = error

    def __enter__(self) -> Training:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run.cancel()
        self.run.resume()
        self._thread.join(60)

    def join(self, seconds: float = 60.0) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def wait_until(self, condition: Callable[[JobControl], bool]) -> None:
        while not condition(self.run):
            assert not self.join(0.005), f"it ended too early: {self.error!r}"


@each
def test_a_cancelled_run_trains_nothing(kind: Kind, tiny_corpus: Corpus) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        make_model(kind).fit(tiny_corpus, run)


@each_iterative
def test_cancel_ends_a_training(kind: Kind, tiny_corpus: Corpus) -> None:
    with Training(make_model(kind, **ENDLESS), tiny_corpus) as training:
        training.wait_until(lambda run: bool(run.progress.fraction))
        training.run.cancel()
        assert training.join()
    assert isinstance(training.error, Cancelled)
    assert training.result is None


@each
def test_a_pause_changes_nothing_but_the_time(kind: Kind, tiny_corpus: Corpus) -> None:
    straight = make_model(kind).fit(tiny_corpus, JobControl())
    training = Training(make_model(kind), tiny_corpus)
    training.run.pause()
    with training:
        assert not training.join(0.1)
        assert len(training.run.trace) == 0
        training.run.resume()
        assert training.join()
    assert training.result is not None, training.error
    assert same_bytes(straight, training.result)


@each_iterative
def test_stop_keeps_what_was_trained(kind: Kind, tiny_corpus: Corpus) -> None:
    with Training(make_model(kind, **ENDLESS), tiny_corpus) as training:
        training.wait_until(lambda run: bool(run.progress.fraction))
        training.run.stop()
        assert training.join()
    assert training.result is not None, training.error
    assert_whole(training.result, tiny_corpus, tiny_corpus.types)


@each_iterative
def test_stop_before_the_first_step_gives_what_it_begins_with(
    kind: Kind, tiny_corpus: Corpus
) -> None:
    run = JobControl()
    run.stop()
    result = make_model(kind, **ENDLESS).fit(tiny_corpus, run)
    assert_whole(result, tiny_corpus, tiny_corpus.types)
    assert run.final is None or np.isfinite(run.final.value)


@each_iterative
def test_the_initial_scale_multiplies_the_start_and_nothing_else(
    kind: Kind, tiny_corpus: Corpus
) -> None:
    def start(**changes: Any) -> Embeddings:
        run = JobControl()
        run.stop()
        return make_model(kind, **ENDLESS, **changes).fit(tiny_corpus, run)

    def tables(found: Embeddings) -> list[np.ndarray]:
        sides = [found.inputs, found.word_rows, found.ngram_vectors, found.contexts, found.biases]
        return [np.asarray(side) for side in sides if side is not None]

    plain, same, small = start(), start(init_scale=1), start(init_scale=0.25)
    for one, other in zip(tables(plain), tables(same), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(tables(plain), tables(small), strict=True):
        np.testing.assert_allclose(np.asarray(other), 0.25 * np.asarray(one), rtol=1e-6)


@each_iterative
def test_a_snapshot_is_published_on_request(kind: Kind, tiny_corpus: Corpus) -> None:
    with Training(make_model(kind, **ENDLESS), tiny_corpus) as training:
        training.run.request_snapshot()
        training.wait_until(lambda run: run.latest("embeddings") is not None)
        snapshot = training.run.latest("embeddings")
        kept = dense(snapshot.vectors).copy()
        training.run.request_snapshot()
        training.wait_until(lambda run: run.latest("embeddings") is not snapshot)
        training.run.cancel()
        assert training.join()
    assert_whole(snapshot, tiny_corpus, tiny_corpus.types)
    np.testing.assert_array_equal(dense(snapshot.vectors), kept)


@pytest.mark.parametrize("kind", SCANNING, ids=lambda kind: kind.key)
@pytest.mark.parametrize("changes", [{}, {"sample": 1e-12}], ids=["one word", "subsampled"])
def test_a_training_without_a_pair_of_words_fails(kind: Kind, changes: dict[str, float]) -> None:
    sentences = [["one", "two", "three"]] * 50 if changes else [[word] for word in "abcde" * 50]
    with pytest.raises(UserError) as error:
        make_model(kind, **changes).fit(make_corpus(sentences), JobControl())
    assert error.value.hint
    assert "\n" not in error.value.message


def test_a_stopped_training_keeps_its_result_without_a_pair() -> None:
    run = JobControl()
    run.stop()
    assert make_model(MODELS["sgns"]).fit(make_corpus([["a", "b"]]), run)
