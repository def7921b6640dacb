"""Floors of losses against slow oracles: pairs enumerated by hand, minima found by search, and
trainings that approach the floor.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from scipy.optimize import minimize, minimize_scalar

from workbench.analysis.theory import loss_floor as floors
from workbench.analysis.theory.loss_floor import FORMULAS, floor_cost, loss_floor
from workbench.analysis.theory.objective import objective
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.pair_scores import PairScores
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.base import LOSS_FLOORS, MODELS, LossFloor, Model
from workbench.models.params import ModelParams
from workbench.session.runs import final_loss
from workbench.session.training.train_api import train_run

SENTENCES = (
    "the cat sat on the mat",
    "the dog sat on the cat",
    "a dog and the cat",
    "the the cat",
    "mat",
)
Pairs = dict[tuple[str, str], float]


def text() -> Corpus:
    return make_corpus([line.split() for line in SENTENCES])


def params_of(kind: type[Model], **changes: Any) -> ModelParams:
    """Parameters of an algorithm, from the given values that it has."""
    names = {spec.name for spec in kind.params_type.specs()}
    wanted = {"min_count": 1, "threads": 1, **changes}
    return kind.params_type.from_mapping({n: v for n, v in wanted.items() if n in names})


def counts_by_hand() -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for line in SENTENCES:
        for word in line.split():
            counts[word] += 1
    return counts


def kept_share(word: str, sample: float, formula: str) -> float:
    """Probability that a token is kept, from M13b, section 2.3 (“paper”), or word2vec.c."""
    counts = counts_by_hand()
    ratio = sample * sum(counts.values()) / counts[word]
    kept = math.sqrt(ratio)
    if formula == "word2vec":
        kept += ratio
    return min(kept, 1.0)


def pairs_by_hand(window: int, weighting: str, sample: float, formula: str) -> Pairs:
    """Expected pairs, over all subsets of a sentence’s tokens, centres and window radii."""
    radii = {
        "fixed": {window: 1.0},
        "dynamic": dict.fromkeys(range(1, window + 1), 1 / window),
        # P(radius >= δ) = 1/δ, so the probability of a radius is a difference of two such terms.
        "harmonic": {
            radius: 1 / radius - (1 / (radius + 1) if radius < window else 0.0)
            for radius in range(1, window + 1)
        },
    }[weighting]
    pairs: Pairs = defaultdict(float)
    for line in SENTENCES:
        words = line.split()
        for kept in itertools.product((False, True), repeat=len(words)):
            chance = 1.0
            for word, stays in zip(words, kept, strict=True):
                share = 1.0 if sample == 0 else kept_share(word, sample, formula)
                chance *= share if stays else 1 - share
            left = [word for word, stays in zip(words, kept, strict=True) if stays]
            for centre, (radius, probability) in itertools.product(range(len(left)), radii.items()):
                for other in range(len(left)):
                    if other != centre and abs(other - centre) <= radius:
                        pairs[left[other], left[centre]] += chance * probability
    return pairs


def noise_by_hand(exponent: float) -> dict[str, float]:
    counts = counts_by_hand()
    total = sum(count**exponent for count in counts.values())
    return {word: count**exponent / total for word, count in counts.items()}


def floor_by_search(pairs: Pairs, negative: int, exponent: float) -> float:
    """Search for the best product of each pair on its own, down to −60 for unobserved pairs."""
    noise, rows = noise_by_hand(exponent), defaultdict(float)
    for (word, _), count in pairs.items():
        rows[word] += count
    total = 0.0
    for word, context in itertools.product(rows, noise):
        a = pairs.get((word, context), 0.0)
        b = negative * rows[word] * noise[context]

        def loss(x: float, a: float = a, b: float = b) -> float:
            return a * math.log1p(math.exp(-x)) + b * math.log1p(math.exp(x))

        found = minimize_scalar(loss, bounds=(-60, 60), method="bounded", options={"xatol": 1e-10})
        total += found.fun
    return total / sum(pairs.values())


def entropy_by_search(pairs: Pairs) -> float:
    """Search for the best scores of all contexts of a word together."""
    total = 0.0
    for word in {word for word, _ in pairs}:
        counts = np.array([count for (one, _), count in pairs.items() if one == word])

        def cross_entropy(scores: np.ndarray, counts: np.ndarray = counts) -> float:
            return float(counts.sum() * np.log(np.exp(scores).sum()) - counts @ scores)

        total += minimize(cross_entropy, np.zeros(len(counts)), tol=1e-12).fun
    return total / sum(pairs.values())


SETTINGS = [
    {"window": 2, "window_weighting": "dynamic", "sample": 0.05, "sample_formula": "word2vec"},
    {"window": 3, "window_weighting": "fixed", "sample": 0.1, "sample_formula": "paper"},
    {"window": 3, "window_weighting": "harmonic", "sample": 0.0, "sample_formula": "word2vec"},
]


@pytest.mark.parametrize("counting", SETTINGS)
@pytest.mark.parametrize(("negative", "exponent"), [(5, 0.75), (1, 1.0), (20, -0.5)])
@pytest.mark.parametrize("key", ["sgns", "fasttext", "sgns-mf"])
def test_the_floor_of_negative_sampling_is_the_minimum_of_each_pair(
    key: str, negative: int, exponent: float, counting: Mapping[str, Any]
) -> None:
    kind = MODELS[key]
    params = params_of(kind, negative=negative, ns_exponent=exponent, **counting)
    expected = floor_by_search(
        pairs_by_hand(*counting.values()), negative=negative, exponent=exponent
    )
    assert loss_floor(text(), kind, params) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("counting", SETTINGS)
@pytest.mark.parametrize("key", ["skipgram-hs", "skipgram-softmax"])
def test_the_floor_of_normalised_outputs_is_the_entropy_of_contexts(
    key: str, counting: Mapping[str, Any]
) -> None:
    found = loss_floor(text(), MODELS[key], params_of(MODELS[key], **counting))
    pairs = pairs_by_hand(*counting.values())
    assert found == pytest.approx(entropy_by_search(pairs), abs=1e-7)


def test_it_is_not_the_floor_of_raw_counts() -> None:
    """Subsampling and the noise exponent change the floor by far more than any error."""
    kind = MODELS["sgns"]
    own = loss_floor(text(), kind, params_of(kind, window=2, sample=0.05))
    raw = loss_floor(text(), kind, params_of(kind, window=2, sample=0.0))
    plain = loss_floor(text(), kind, params_of(kind, window=2, sample=0.05, ns_exponent=1.0))
    assert abs(own - raw) > 0.03
    assert abs(own - plain) > 0.01


@pytest.mark.parametrize("weighting", ["glove", "constant"])
@pytest.mark.parametrize("l2", [0.3, 0.02])
def test_with_l2_each_cell_is_at_its_own_minimum(l2: float, weighting: str) -> None:
    shift, smoothing, negative = 1.2, 0.75, 2
    kind = MODELS["smf"]
    params = params_of(
        kind,
        window=2,
        window_weighting="fixed",
        l2=l2,
        weighting=weighting,
        x_max=3.0,
        shift=shift,
        negative=negative,
    )
    pairs = pairs_by_hand(2, "fixed", 0.0, "word2vec")
    rows: dict[str, float] = defaultdict(float)
    columns: dict[str, float] = defaultdict(float)
    for (word, context), count in pairs.items():
        rows[word] += count
        columns[context] += count
    smoothed_sum = sum(count**smoothing for count in columns.values())
    noise = noise_by_hand(0.75)
    total, examples = 0.0, 0.0
    for word in rows:
        above = {}
        for context in columns:
            count = pairs.get((word, context), 0.0)
            if count:
                chance = shift * columns[context] ** smoothing / smoothed_sum
                target = math.log(count / (rows[word] * chance))
                if target > 0:
                    above[context] = (count, target)
        for count, target in above.values():
            weight = 1.0 if weighting == "constant" else min(1.0, (count / 3.0) ** 0.75)
            # One dimension is enough: for any product w·c, the minimum of the two squares is
            # 2|w·c|.
            found = min(
                minimize(
                    lambda v, f=weight, m=target: (
                        0.5 * f * (v[0] * v[1] - m) ** 2 + 0.5 * l2 * (v[0] ** 2 + v[1] ** 2)
                    ),
                    start,
                    tol=1e-14,
                ).fun
                for start in ([1.0, 1.0], [0.01, 0.01])
            )
            total += found
        noise_share = 1 - sum(noise[context] for context in above)
        examples += len(above) * (1 + negative * noise_share)
    assert loss_floor(text(), kind, params) == pytest.approx(total / examples, abs=1e-9)
    assert loss_floor(text(), kind, params_of(kind, l2=0.0)) == 0.0


def test_rows_are_summed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = markov_corpus(3000)
    wanted = {}
    for key in ("sgns", "skipgram-hs"):
        wanted[key] = loss_floor(corpus, MODELS[key], params_of(MODELS[key]))
    monkeypatch.setattr(floors, "_CELLS", 7)
    for key, value in wanted.items():
        found = loss_floor(corpus, MODELS[key], params_of(MODELS[key]))
        assert found == pytest.approx(value, rel=1e-12)


def test_it_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    kind = MODELS["sgns"]
    with pytest.raises(Cancelled):
        loss_floor(markov_corpus(3000), kind, params_of(kind), run)


def test_words_without_pairs_have_no_loss() -> None:
    lonely = make_corpus([["a"], ["b"], ["a"]])
    kind = MODELS["sgns"]
    assert loss_floor(lonely, kind, params_of(kind, sample=0.0)) == 0.0


def test_an_algorithm_without_a_floor_is_not_asked() -> None:
    kind = MODELS["cbow"]
    with pytest.raises(ValueError, match="no floor"):
        loss_floor(text(), kind, params_of(kind))
    with pytest.raises(ValueError, match="why there is none"):
        LossFloor()
    with pytest.raises(ValueError, match="unknown floor"):
        LossFloor("rank")
    assert {*FORMULAS, ""} == set(LOSS_FLOORS)


def test_it_agrees_with_the_sum_over_pairs_beside_the_weights() -> None:
    kind = MODELS["skipgram-softmax"]
    corpus = markov_corpus(5000)
    params = params_of(kind, dim=8, epochs=2)
    embeddings = train_run(corpus, kind.key, params, JobControl())
    pairs = count_pairs(corpus, PairCountSettings.of(params.to_dict()), embeddings=embeddings)
    found = objective(pairs, PairScores(embeddings, pairs, kind.theory_target.score))
    assert loss_floor(corpus, kind, params) == pytest.approx(found.floor, rel=1e-12)


def test_what_costs_much_beside_its_training_is_not_affordable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, corpus = MODELS["sgns"], markov_corpus(3000)
    assert floor_cost(corpus, kind, params_of(kind)).affordable
    monkeypatch.setattr(floors, "counting_seconds", lambda *_: 3.0)
    assert floor_cost(corpus, kind, params_of(kind)) == floors.FloorCost(3.0, False)
    # A tenth of a long training is hardly noticeable.
    long = params_of(kind, epochs=10_000, dim=2000)
    assert (kind(long).estimate(corpus).seconds or 0.0) > 30
    assert floor_cost(corpus, kind, long).affordable
    monkeypatch.setattr(floors, "free_memory", lambda: 1000)
    assert not floor_cost(corpus, kind, long).affordable
    free = floor_cost(corpus, MODELS["glove"], params_of(MODELS["glove"]))
    assert free == floors.FloorCost(0.0, True)


# -- trainings

# More dimensions than words, and enough epochs to approach the floor, so that errors show.
NEAR = {"dim": 48, "epochs": 30, "iterations": 400, "tolerance": 1e-10, "buckets": 2000}
TRAINED = [kind for kind in MODELS if kind.loss_label and kind.loss_floor.formula]


def train_with_run(kind: type[Model], corpus: Corpus, **changes: Any) -> tuple[JobControl, Any]:
    run = JobControl()
    return run, train_run(corpus, kind.key, params_of(kind, **NEAR, **changes), run)


@pytest.mark.parametrize("kind", TRAINED, ids=lambda kind: kind.key)
@pytest.mark.parametrize("changes", [{}, {"sample": 0.0, "window": 2}], ids=["default", "plain"])
@pytest.mark.parametrize("sentence", [12, 5000])
def test_no_training_falls_below_its_floor_but_by_its_sampling_error(
    kind: type[Model], changes: Mapping[str, Any], sentence: int
) -> None:
    """No point is more than four standard errors below, nor the final loss more than two."""
    corpus = markov_corpus(20_000, words=24, sentence=sentence)
    run, vectors = train_with_run(kind, corpus, **changes)
    floor, final = vectors.metadata["floor"], final_loss.read(vectors.metadata)
    assert floor["state"] == "known"
    assert final is not None
    rounding = 1e-6 * max(1.0, abs(floor["value"]))
    points = run.trace.loss - floor["value"]
    assert (points >= -4 * run.trace.error - rounding).all(), points.min()
    assert floor["gap"] == pytest.approx(final.value - floor["value"])
    assert floor["gap"] >= -2 * (final.error or 0.0) - rounding


def test_the_exact_factorisation_reaches_the_floor() -> None:
    kind = MODELS["sgns-mf"]
    for changes in ({}, {"sample": 0.0, "negative": 1, "ns_exponent": 1.0, "window": 2}):
        vectors = train_with_run(kind, markov_corpus(20_000, words=24), **changes)[1]
        assert 0 <= vectors.metadata["floor"]["gap"] < 1e-3


@pytest.mark.parametrize("key", ["sgns", "skipgram-hs", "skipgram-softmax", "swivel", "pmi-mf"])
def test_others_come_near_it(key: str) -> None:
    vectors = train_with_run(MODELS[key], markov_corpus(20_000, words=24), sample=0.0)[1]
    assert vectors.metadata["floor"]["gap"] < 0.01


def test_fewer_dimensions_cost_more() -> None:
    corpus = markov_corpus(20_000, words=24)
    params = [params_of(MODELS["sgns-mf"], **{**NEAR, "dim": dim}) for dim in (1, 3, 8)]
    gaps = [
        train_run(corpus, "sgns-mf", one, JobControl()).metadata["floor"]["gap"] for one in params
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0.05


@pytest.mark.parametrize("kind", TRAINED, ids=lambda kind: kind.key)
@pytest.mark.filterwarnings("error")
def test_a_corpus_without_pairs_has_a_floor_without_warnings(kind: type[Model]) -> None:
    corpus = make_corpus([["a"], ["b"], ["c"], ["a"]])
    assert math.isfinite(loss_floor(corpus, kind, params_of(kind)))
