"""Single steps, against plain Python computed from their export and the training kernels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from corpora import markov_corpus
from reference.naive_step import loss_of, read, replay

from workbench.analysis.step.settings import StepSettings, steppable_algorithms, steps_of
from workbench.analysis.step.step import TrainingStep, step_csv
from workbench.analysis.step.stepper import Stepper, open_stepper
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.params import ModelParams
from workbench.session.training.train_api import train_run

SMALL = {"dim": 6, "min_count": 1, "window": 3}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(3000, words=12, sentence=15)


def params_of(algorithm: str, **values: object) -> ModelParams:
    kind = steppable_algorithms()[algorithm].params
    extra = (
        {"sample": 0.02} if "sample" in {spec.name for spec in kind.specs()} else {"x_max": 20.0}
    )
    return kind.from_mapping({**SMALL, **extra, **values})


def stepper_of(corpus: Corpus, algorithm: str, rate: float = 0.3, **values: object) -> Stepper:
    return open_stepper(
        corpus, StepSettings(algorithm, params_of(algorithm, **values), rate), None, JobControl()
    )


CASES = [
    ("sgns", {}),
    ("skipgram-hs", {}),
    ("cbow", {}),
    ("cbow", {"gradient": "corrected"}),
    ("cbow-hs", {"hidden": "sum"}),
    ("glove", {}),
]


@pytest.mark.parametrize(("algorithm", "values"), CASES)
def test_replayed_from_what_is_saved_it_gives_the_vectors_that_are_saved(
    corpus: Corpus, algorithm: str, values: dict[str, object]
) -> None:
    stepper = stepper_of(corpus, algorithm, **values)
    for _ in range(25):
        step = stepper.forward()
        found = read(step_csv(step))
        after, loss = replay(found)
        assert loss == pytest.approx(found["step"]["loss"], rel=1e-12, abs=1e-12)
        expected = {key: values for key, values in found["vectors"].items() if key[0] != "hidden"}
        assert set(after) == set(expected)
        for key, values_after in after.items():
            assert values_after == pytest.approx(expected[key]["after"], rel=1e-12, abs=1e-13)
            if expected[key].get("sums"):
                assert expected[key]["replayed sums"] == pytest.approx(
                    expected[key]["sums_after"], rel=1e-12
                )


@pytest.mark.parametrize(("algorithm", "values"), CASES)
def test_gradients_are_finite_differences_of_the_loss_that_is_shown(
    corpus: Corpus, algorithm: str, values: dict[str, object]
) -> None:
    stepper = stepper_of(corpus, algorithm, **values)
    step = stepper.forward(30)
    found = read(step_csv(step))
    vectors = {key: list(vector["before"]) for key, vector in found["vectors"].items()}
    assert loss_of(found, vectors) == pytest.approx(step.loss, rel=1e-12)
    # CBOW’s input words get their gradient from that of h; the loss is a function of h and the
    # outputs.
    keys = [key for key in vectors if not (step.hidden is not None and key[0] == "inputs")]
    assert keys
    for key in keys:
        for t in range(len(vectors[key])):
            value = vectors[key][t]
            vectors[key][t] = value + 1e-5
            up = loss_of(found, vectors)
            vectors[key][t] = value - 1e-5
            down = loss_of(found, vectors)
            vectors[key][t] = value
            assert found["vectors"][key]["gradient"][t] == pytest.approx(
                (up - down) / 2e-5, abs=1e-7
            )


def test_what_the_words_of_a_mean_receive(corpus: Corpus) -> None:
    """Each word gets the gradient of h or, after İrsoy et al., 1/m of it: the slope of the loss."""
    for gradient in ("word2vec", "corrected"):
        step = stepper_of(corpus, "cbow", gradient=gradient, sample=0.0).forward(40)
        assert step.hidden is not None
        assert step.window is not None
        context_words = [step.window.tokens[at].word for at in step.window.inside]
        part = 1 / len(context_words) if gradient == "corrected" else 1.0
        for change in step.changes:
            if change.table == "inputs":
                expected = context_words.count(change.name) * part * step.hidden.gradient
                np.testing.assert_allclose(change.gradient, expected, atol=1e-12)
        mean = np.mean(
            [
                next(c.after for c in step.changes if c.name == w and c.table == "inputs")
                for w in context_words
            ],
            0,
        )
        np.testing.assert_allclose(step.hidden.after, mean, atol=1e-12)


def test_the_window_is_what_its_numbers_say(corpus: Corpus) -> None:
    stepper = stepper_of(corpus, "sgns", sample=0.02)
    counts = np.array([int((np.asarray(corpus.ids) == row).sum()) for row in range(corpus.types)])
    share = counts / counts.sum()
    kept = np.minimum(1, np.sqrt(0.02 / share) + 0.02 / share)
    noise = np.cumsum(counts**0.75 / (counts**0.75).sum())
    fates = set()
    for _ in range(40):
        step = stepper.forward()
        window = step.window
        assert window is not None
        ends = np.asarray(corpus.sentences)
        assert ends[window.sentence] <= window.position < ends[window.sentence + 1]
        for token in window.tokens:
            assert corpus.words[corpus.ids[token.position]] == token.word
            assert token.kept == pytest.approx(kept[token.row], rel=1e-6)
            fates.add(token.fate)
        # The radius is drawn uniformly from 1, 2, 3; the lowest draw gives the largest radius.
        assert window.radius == 3 - math.floor(3 * window.draw)
        left = [at for at, token in enumerate(window.tokens) if token.draw < token.kept]
        place = left.index(window.centre)
        expected = (
            left[max(0, place - window.radius) : place]
            + left[place + 1 : place + 1 + window.radius]
        )
        assert list(window.inside) == expected
        outputs = [step.changes[pair.output].name for pair in step.pairs[: step.columns]]
        noise_rows = [
            next(row for row, end in enumerate(noise) if draw < end) for draw in step.draws
        ]
        assert outputs == [window.word, *(corpus.words[row] for row in noise_rows)]
        assert [pair.label for pair in step.pairs[: step.columns]] == [1, 0, 0, 0, 0, 0]
        inputs = [step.input_of(pair).name for pair in step.pairs[:: step.columns]]
        assert inputs == [window.tokens[at].word for at in window.inside]
    assert fates == {"used", "dropped"}


def test_words_below_min_count_are_neither_drawn_for_nor_met() -> None:
    corpus = markov_corpus(600, words=12, sentence=15)
    least = int(corpus.counts[6])
    stepper = stepper_of(corpus, "sgns", min_count=least, sample=0.0)
    rare = {word for word, count in zip(corpus.words, corpus.counts, strict=True) if count < least}
    seen = set()
    for _ in range(60):
        step = stepper.forward()
        assert step.window is not None
        seen |= {token.word for token in step.window.tokens if token.fate == "rare"}
        assert not rare & {change.name for change in step.changes}
    assert seen
    assert seen <= rare


def test_the_path_of_hierarchical_softmax_multiplies_to_the_word(corpus: Corpus) -> None:
    """The loss of a step is −log P(centre | word): the decisions lead to exactly one word."""
    stepper = stepper_of(corpus, "skipgram-hs", sample=0.0)
    stepper.forward(200)
    codes: dict[str, str] = {}
    for _ in range(150):
        step = stepper.forward()
        assert step.window is not None
        codes[step.window.word] = "".join(
            str(1 - pair.label) for pair in step.pairs[: step.columns]
        )
        probabilities = [pair.sigma if pair.label else 1 - pair.sigma for pair in step.pairs]
        assert step.loss == pytest.approx(-sum(map(math.log, probabilities)))
    assert sum(2.0 ** -len(code) for code in codes.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("algorithm", ["sgns", "glove"])
def test_back_and_forth_is_the_same_again(corpus: Corpus, algorithm: str) -> None:
    stepper = stepper_of(corpus, algorithm)
    exports = [step_csv(stepper.forward()) for _ in range(6)]
    losses = stepper.losses
    for number in range(4, -1, -1):
        before = stepper.back()
        assert before is not None
        assert step_csv(before) == exports[number]
    assert stepper.back() is None
    assert not stepper.can_go_back
    assert [step_csv(stepper.forward()) for _ in range(5)] == exports[1:]
    assert stepper.losses == losses
    other = stepper_of(corpus, algorithm)
    assert step_csv(other.forward(6)) == exports[-1]


def test_vectors_after_a_step_are_those_before_the_next(corpus: Corpus) -> None:
    stepper = stepper_of(corpus, "sgns")
    latest: dict[tuple[str, int], np.ndarray] = {}
    repeats = 0
    for _ in range(30):
        for change in stepper.forward().changes:
            if (change.table, change.row) in latest:
                repeats += 1
                np.testing.assert_array_equal(change.before, latest[change.table, change.row])
            latest[change.table, change.row] = change.after
    assert repeats > 50


def test_going_to_a_place_and_to_a_word(corpus: Corpus) -> None:
    stepper = stepper_of(corpus, "skipgram-hs", sample=0.0)
    assert stepper.go_to(777).position == 777
    assert stepper.forward().position == 778
    assert stepper.go_to(10**9).position == corpus.tokens - 1
    # The step after the last token is at the first.
    assert stepper.forward().position == 0
    word = corpus.words[-1]
    places = [at for at, row in enumerate(corpus.ids) if corpus.words[row] == word]
    assert [stepper.go_to_word(word).position for _ in range(3)] == places[:3]
    with pytest.raises(UserError, match="isn’t in the vocabulary"):
        stepper.go_to_word("zebra")


def test_cells_of_glove_are_all_visited_once(corpus: Corpus) -> None:
    stepper = stepper_of(corpus, "glove", rate=0.01)
    seen = set()
    for _ in range(stepper.place_count):
        cell = stepper.forward().cell
        assert cell is not None
        seen.add((cell.word, cell.context))
    assert len(seen) == stepper.place_count
    step = stepper.go_to_word(corpus.words[3])
    assert step.cell is not None
    assert step.cell.word == corpus.words[3]
    assert step.cell.weight == pytest.approx(min(1.0, (step.cell.count / 20) ** 0.75))


def loss_over(stepper: Stepper, steps: int) -> float:
    stepper.forward(steps)
    return float(np.mean(stepper.losses))


def test_loss_falls_where_steps_are_made(corpus: Corpus) -> None:
    stepper = stepper_of(corpus, "sgns", rate=0.2, sample=0.0)
    begun = stepper.forward().loss / stepper.forward(1).terms
    assert begun > 0
    stepper.forward(1500)
    assert np.mean(stepper.losses) < 6 * math.log(2) - 0.2


@pytest.mark.parametrize("algorithm", ["sgns", "skipgram-hs", "glove"])
def test_steps_go_on_from_a_trained_run(corpus: Corpus, algorithm: str) -> None:
    params = params_of(algorithm, epochs=2, threads=1)
    run = train_run(corpus, algorithm, params, JobControl())
    assert steps_of(run) == algorithm
    stepper = open_stepper(corpus, StepSettings(algorithm), run, JobControl())
    step: TrainingStep = stepper.forward()
    for change in step.changes:
        table = {
            "inputs": run.inputs,
            "contexts": run.contexts,
            "nodes": run.state.get("nodes"),
            "biases": run.biases,
            "context_biases": run.context_biases,
        }[change.table]
        assert table is not None
        np.testing.assert_array_equal(
            change.before, np.atleast_1d(table[change.row]).astype(np.float64)
        )
        if change.table == "inputs" and algorithm == "glove":
            np.testing.assert_array_equal(change.sums, run.state["word_sums"][change.row])
    with pytest.raises(UserError, match="different vocabularies"):
        open_stepper(markov_corpus(900, words=5), StepSettings(algorithm), run, JobControl())


def test_what_cannot_be_stepped_is_said(corpus: Corpus) -> None:
    with pytest.raises(UserError, match="min_count"):
        stepper_of(corpus, "sgns", min_count=10**6)
    lonely = markov_corpus(40, words=12, sentence=1)
    with pytest.raises(UserError, match="No window of this corpus contains two words"):
        stepper_of(lonely, "sgns").forward()
