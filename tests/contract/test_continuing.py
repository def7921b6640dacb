"""Contract of every iterative algorithm about continuing and diverging (see
workbench/models/checkpointing.py).
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contract.test_models import ITERATIVE, Kind, Training, make_model, same_bytes
from corpora import make_corpus

from workbench.core.errors import Diverged, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.models.checkpointing import PASSES, Checkpoint, is_finite, passes_made
from workbench.models.params import ModelParams
from workbench.session.training.continuation import parent_of
from workbench.session.training.train_api import train_on, train_run
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

# L-BFGS stops by itself at the minimum; Adam makes the requested number of steps.
ADAM = {"optimiser": "Adam", "iterations": 40, "tolerance": 0.0}
# Saved state besides W, C and the parts of fastText’s vectors.
KEPT = {
    "skipgram-hs": {"nodes"},
    "cbow-hs": {"nodes"},
    "cbow-softmax": {"word_sums", "context_sums"},
    "glove": {"word_sums", "context_sums", "word_bias", "context_bias"},
    "pmi-mf": {"word_sums", "context_sums", "word_bias", "context_bias"},
    "swivel": {"word_sums", "context_sums"},
    "sgns-mf": {"mean_steps", "square_steps"},
}

each_iterative = pytest.mark.parametrize("kind", ITERATIVE, ids=lambda kind: kind.key)


def params_of(kind: Kind, **changes: Any) -> ModelParams:
    names = {spec.name for spec in kind.params_type.specs()}
    values = {name: value for name, value in {**ADAM, **changes}.items() if name in names}
    return make_model(kind).params.replace(**values)


def train(kind: Kind, corpus: Corpus, run: JobControl | None = None, **changes: Any) -> Embeddings:
    return train_run(corpus, kind.key, params_of(kind, **changes), run or JobControl())


def continue_training(
    start: Embeddings, corpus: Corpus, passes: int, run: JobControl | None = None
) -> Embeddings:
    """A continued training with the suggested learning rate."""
    parent = parent_of(start.metadata, name="first")
    return train_run(
        corpus, parent.kind.key, parent.further(passes), run or JobControl(), start, parent.origin
    )


def same_state(one: Embeddings, two: Embeddings) -> bool:
    assert one.state.keys() == two.state.keys()
    return all(one.state[name].tobytes() == two.state[name].tobytes() for name in one.state)


@each_iterative
def test_it_goes_on_where_it_ended(kind: Kind, tiny_corpus: Corpus) -> None:
    first_run, second_run = JobControl(), JobControl()
    passes = 40 if kind.passes == "iterations" else 4
    first = train(kind, tiny_corpus, first_run)
    second = continue_training(first, tiny_corpus, passes, second_run)
    assert is_finite(second)
    assert set(first.state) == {"passes", *KEPT.get(kind.key, ())}
    assert passes_made(first) == passes
    assert passes_made(second) == second.metadata["passes"] == 2 * passes
    assert second.metadata["continued"]["name"] == "first"
    assert second.metadata["continued"]["passes"] == passes
    before, after = first_run.trace.loss, second_run.trace.loss
    fell = before[:2].mean() - before[-3:].mean()
    assert fell > 0
    # The loss neither jumps back to its initial value nor rises.
    assert after[:3].mean() < before[-3:].mean() + 0.3 * fell
    assert after[-3:].mean() < before[-3:].mean() + 0.1 * fell
    assert np.abs(second.inputs - first.inputs).max() > 0


@each_iterative
def test_going_on_gives_the_same_bytes_each_time_from_a_file_too(
    kind: Kind, tiny_corpus: Corpus, tmp_path: Path
) -> None:
    first = train(kind, tiny_corpus)
    second = continue_training(first, tiny_corpus, 40 if kind.passes == "iterations" else 2)
    save_vectors(first, tmp_path / "first.npz", "npz")
    read = load_vectors(tmp_path / "first.npz", "npz")
    assert same_state(read, first)
    again = continue_training(read, tiny_corpus, 40 if kind.passes == "iterations" else 2)
    assert same_bytes(second, again)
    assert same_state(second, again)


@each_iterative
def test_neither_order_nor_draws_of_an_earlier_pass_come_again(
    kind: Kind, tiny_corpus: Corpus
) -> None:
    """Random numbers depend on the number of earlier passes; a partial pass counts as one."""
    first = train(kind, tiny_corpus)

    def behind(passes: float) -> Embeddings:
        start = dataclasses.replace(first, state={**first.state, PASSES: np.array(passes)})
        return kind(params_of(kind, epochs=1, iterations=20), start).fit(tiny_corpus, JobControl())

    none, part, one, two = (behind(passes) for passes in (0.0, 0.3, 1.0, 2.0))
    assert none.inputs.tobytes() != one.inputs.tobytes()
    assert one.inputs.tobytes() != two.inputs.tobytes()
    assert part.inputs.tobytes() == one.inputs.tobytes()


def test_a_script_goes_on_in_one_call(tiny_corpus: Corpus) -> None:
    first = train(MODELS["sgns"], tiny_corpus)
    assert same_bytes(train_on(first, tiny_corpus, 2), continue_training(first, tiny_corpus, 2))
    assert train_on(first, tiny_corpus, 2, 0.001).metadata["parameters"]["learning_rate"] == 0.001
    with pytest.raises(UserError, match="isn’t the corpus of the run"):
        train_on(first, make_corpus([["a", "b"]]), 2)


@pytest.mark.parametrize("key", ["glove", "pmi-mf", "swivel"])
def test_at_a_constant_rate_two_trainings_are_one(key: str, tiny_corpus: Corpus) -> None:
    """AdaGrad keeps its learning rate: 2 passes and 3 more equal 5, bit for bit."""
    kind = MODELS[key]
    second = continue_training(train(kind, tiny_corpus, epochs=2), tiny_corpus, 3)
    whole = train(kind, tiny_corpus, epochs=5)
    assert same_bytes(second, whole)
    assert same_state(second, whole)


@each_iterative
def test_what_was_made_of_the_vectors_is_not_in_the_way(kind: Kind, tiny_corpus: Corpus) -> None:
    """Postprocessing doesn’t change the trained W and C."""
    plain = {"normalise": False, "all_but_the_top": -1, "result": "w"}
    choices = {"normalise": True, "all_but_the_top": 1, "result": "w+c"}
    one = continue_training(train(kind, tiny_corpus, **plain), tiny_corpus, 20)
    two = continue_training(train(kind, tiny_corpus, **choices), tiny_corpus, 20)
    assert one.inputs.tobytes() == two.inputs.tobytes()
    assert one.vectors.tobytes() != two.vectors.tobytes()


@each_iterative
def test_a_training_that_was_stopped_goes_on(kind: Kind, tiny_corpus: Corpus) -> None:
    endless = {"epochs": 10_000, "iterations": 1_000_000}
    with Training(kind(params_of(kind, **endless)), tiny_corpus) as training:
        training.wait_until(
            lambda run: run.progress.phase is Phase.TRAINING and bool(run.progress.fraction)
        )
        training.run.stop()
        assert training.join()
    first = training.result
    assert first is not None, training.error
    assert 0 < passes_made(first) < 10_000
    second = kind(params_of(kind), first).fit(tiny_corpus, JobControl())
    assert is_finite(second)
    assert passes_made(second) > passes_made(first)


@each_iterative
def test_vectors_of_other_words_are_refused(kind: Kind, tiny_corpus: Corpus) -> None:
    first = train(kind, tiny_corpus)
    with pytest.raises(UserError, match="different vocabularies"):
        kind(params_of(kind), first).fit(make_corpus([["a", "b"], ["b", "a"]] * 20), JobControl())
    with pytest.raises(UserError, match="isn’t the corpus of the run"):
        parent_of(first.metadata).check(make_corpus([["a", "b"]]))


@each_iterative
def test_a_result_kept_without_its_state_says_so_or_goes_on(
    kind: Kind, tiny_corpus: Corpus
) -> None:
    """Runs of earlier versions have only words, vectors and contexts: sufficient for some."""
    first = train(kind, tiny_corpus)
    old = dataclasses.replace(first, state={})
    if kind.key in KEPT:
        with pytest.raises(UserError, match="training state wasn’t saved"):
            continue_training(old, tiny_corpus, 20)
    else:
        assert same_bytes(
            continue_training(old, tiny_corpus, 20), continue_training(first, tiny_corpus, 20)
        )


def test_what_is_solved_directly_has_nothing_to_go_on_with(tiny_corpus: Corpus) -> None:
    first = train_run(tiny_corpus, "svd", make_model(MODELS["svd"]).params, JobControl())
    with pytest.raises(UserError, match="solved directly"):
        parent_of(first.metadata)
    with pytest.raises(ValueError, match="no iterations"):
        MODELS["svd"](make_model(MODELS["svd"]).params, first)


def test_the_learning_rate_proposed_is_that_of_a_longer_training(tiny_corpus: Corpus) -> None:
    falling = parent_of(train(MODELS["sgns"], tiny_corpus, epochs=4, learning_rate=0.06).metadata)
    assert falling.rate_after(4) == pytest.approx(0.03)
    assert falling.rate_after(2) == pytest.approx(0.02)
    constant = parent_of(train(MODELS["glove"], tiny_corpus, learning_rate=0.06).metadata)
    assert constant.rate_after(4) == 0.06
    assert {"epochs", "learning_rate", "threads"} == set(falling.changeable)


# -- failures


@each_iterative
@pytest.mark.parametrize("share", [1.0, 0.2])
def test_no_learning_rate_lets_a_number_out_that_is_not_finite(
    kind: Kind, share: float, tiny_corpus: Corpus
) -> None:
    highest = kind.params_type.spec("learning_rate").high
    assert highest is not None
    params = params_of(kind, learning_rate=highest * share, epochs=20)
    run = JobControl()
    run.request_snapshot()
    try:
        result = train_run(tiny_corpus, kind.key, params, run)
    except Diverged:
        assert run.latest("kept") is None
    else:
        assert is_finite(result)
        assert np.isfinite(result.vectors @ result.vectors.T).all()
        divergence = result.metadata.get("diverged")
        assert (divergence is not None) == isinstance(run.latest("kept"), Checkpoint)
        if divergence is not None:
            assert "diverged" in divergence["message"]
            assert 0 <= divergence["kept"] <= divergence["progress"] <= 1
    assert np.isfinite(run.trace.loss).all()
    assert np.isfinite(run.trace.error).all()
    seen = run.latest("embeddings")
    assert seen is None or is_finite(seen)


def test_what_was_learned_before_it_diverged_is_kept(tiny_corpus: Corpus) -> None:
    """The learning rate is much too high: the loss overflows, and an earlier state is kept."""
    run = JobControl()
    params = params_of(MODELS["smf"], learning_rate=1.0, epochs=50)
    result = train_run(tiny_corpus, "smf", params, run)
    divergence = result.metadata["diverged"]
    assert result.metadata["stopped"]
    assert "now 1)" in divergence["hint"]
    assert 0 < divergence["kept"] < divergence["progress"]
    assert passes_made(result) == pytest.approx(50 * divergence["kept"])
    parent = parent_of(result.metadata)
    again = train_run(tiny_corpus, "smf", parent.further(1, 0.01), JobControl(), result)
    assert is_finite(again)
    assert "diverged" not in again.metadata


@pytest.mark.parametrize(("key", "rate"), [("pmi-mf", 20.0), ("swivel", 100.0), ("sgns-mf", 100.0)])
def test_one_that_ends_far_above_its_beginning_has_diverged_though_it_is_finite(
    key: str, rate: float, tiny_corpus: Corpus
) -> None:
    run = JobControl()
    try:
        result = train_run(
            tiny_corpus, key, params_of(MODELS[key], learning_rate=rate, epochs=30), run
        )
    except Diverged as error:
        assert run.latest("kept") is None
        message = error.message
    else:
        divergence = result.metadata["diverged"]
        message = divergence["message"]
        assert result.metadata["stopped"]
        # The result is an earlier state, with the loss of that state.
        assert result.metadata["final_loss"]["value"] < run.trace.loss[-1] / 5
    assert "the loss rose from" in message
    assert np.isfinite(run.trace.loss).all()


def test_a_training_that_diverges_at_once_keeps_nothing(tiny_corpus: Corpus) -> None:
    params = params_of(MODELS["sgns"], dim=20, learning_rate=10.0, epochs=50, sample=0.0)
    with pytest.raises(Diverged, match=r"diverged at 0\.\d+%"):
        train_run(tiny_corpus, "sgns", params, JobControl())
