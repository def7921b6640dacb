"""Costs at other lengths: sizes, seconds, limits and sketches, against simulated texts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from corpora import make_corpus

from workbench.analysis.corpus.cost_model import (
    CELL_BYTES,
    Correction,
    CostModel,
    CostStage,
    CountSetting,
    MeasuredRun,
    expected_cells,
    fit_cost_model,
)
from workbench.analysis.corpus.cost_runs import corpus_beginning, measure_runs
from workbench.analysis.corpus.frequency_law import THRESHOLDS, FrequencyLaw, Spectrum
from workbench.analysis.corpus.scaling_limits import (
    Machines,
    cut_off,
    pair_sketch,
    scaling_limits,
    sketch,
)
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence

LAW = FrequencyLaw(1.0, 2.7, 8_000, 1.77)
SETTING = CountSetting(least=5, neighbours=4, part=50_000)
LENGTHS = (100_000, 200_000, 400_000, 800_000)


def ideal(tokens: int, factor: float = 0.7, exponent: float = 1.05) -> MeasuredRun:
    """A run that follows the law exactly, with durations from known coefficients."""
    sizes = CostModel(LAW, SETTING, {"cells": Correction(factor, exponent)}, {}).sizes(tokens)
    seconds = {
        "read": 0.5 + 2e-7 * tokens + 1e-6 * sizes.types,
        "count": 3e-9 * sizes.pairs + 4e-8 * sizes.cells,
        "merge": 0.1 + 1e-8 * sizes.added_cells,
    }
    spectrum = Spectrum(
        tokens, THRESHOLDS, tuple(round(LAW.expected_words(tokens, m)) for m in THRESHOLDS)
    )
    return MeasuredRun(
        spectrum,
        round(sizes.vocabulary),
        round(sizes.kept_tokens),
        round(sizes.cells),
        round(sizes.shuffled_bytes),
        round(sizes.added_cells),
        seconds,
    )


def random_corpus(tokens: int, seed: int = 1) -> Corpus:
    """A corpus of words drawn independently from 3,000 types."""
    p = 1 / (np.arange(1, 3001) + 2.7)
    ids = np.random.default_rng(seed).choice(3000, tokens, p=p / p.sum())
    return make_corpus(
        [[f"w{number}" for number in line] for line in np.array_split(ids, tokens // 20)]
    )


@pytest.fixture(scope="module")
def model() -> CostModel:
    return fit_cost_model([ideal(tokens) for tokens in LENGTHS], SETTING)


def test_a_length_that_was_not_measured(model: CostModel) -> None:
    expected, found = ideal(3_000_000), model.sizes(3_000_000)
    assert found.types == pytest.approx(expected.spectrum.words[0], rel=0.02)
    assert found.vocabulary == pytest.approx(expected.vocabulary, rel=0.02)
    assert found.kept_tokens == pytest.approx(expected.kept_tokens, rel=0.01)
    assert found.cells == pytest.approx(expected.cells, rel=0.03)
    assert found.shuffled_bytes == pytest.approx(expected.shuffled_bytes, rel=0.03)
    assert model.corrections["cells"].factor == pytest.approx(0.7, rel=0.2)
    assert model.corrections["cells"].exponent == pytest.approx(1.05, abs=0.02)
    seconds = model.seconds(3_000_000)
    assert set(seconds) == {"read", "count", "merge"}
    for name, duration in seconds.items():
        assert duration == pytest.approx(expected.seconds[name], rel=0.03), name


def test_coefficients_are_found_and_none_is_negative(model: CostModel) -> None:
    assert model.stages["read"].rates["tokens"] == pytest.approx(2e-7, rel=0.05)
    assert model.stages["count"].rates["pairs"] == pytest.approx(3e-9, rel=0.15)
    for stage in model.stages.values():
        assert stage.constant >= 0
        assert all(rate >= 0 for rate in stage.rates.values())


def test_expected_cells_are_those_of_words_in_random_order() -> None:
    corpus = random_corpus(40_000)
    vocabulary = corpus.vocabulary(1)
    # One sentence only: windows that end at sentence boundaries contain fewer pairs.
    corpus = replace(corpus, sentences=np.array([0, corpus.tokens]))
    cells = cooccurrence(corpus, vocabulary, 2, "fixed").nnz
    ones = np.ones(len(vocabulary))
    assert expected_cells(ones, vocabulary.counts.astype(float), 4) == pytest.approx(
        cells, rel=0.01
    )
    half = corpus_beginning(corpus, 20_000)
    cells = cooccurrence(half, half.vocabulary(1), 2, "fixed").nnz
    assert expected_cells(ones, vocabulary.counts.astype(float), 4, 0.5) == pytest.approx(
        cells, rel=0.02
    )


def test_runs_of_a_text_tell_a_longer_one() -> None:
    corpus = random_corpus(160_000)
    setting = CountSetting(least=3, neighbours=4, part=10_000)
    *runs, longest = measure_runs(
        corpus, [10_000, 20_000, 40_000, 80_000, 160_000], setting, JobControl(), ("sgns",), dim=4
    )
    part = corpus_beginning(corpus, 80_000)
    vocabulary = part.vocabulary(3)
    assert runs[-1].spectrum == Spectrum.of(np.bincount(np.asarray(corpus.ids[:80_000])))
    assert runs[-1].vocabulary == len(vocabulary)
    assert runs[-1].cells == cooccurrence(part, vocabulary, 2, "fixed").nnz
    assert set(longest.seconds) == {"read", "count", "merge", "sgns"}
    found = fit_cost_model(runs, setting).sizes(160_000)
    assert found.types == pytest.approx(longest.spectrum.words[0], rel=0.1)
    assert found.vocabulary == pytest.approx(longest.vocabulary, rel=0.1)
    assert found.cells == pytest.approx(longest.cells, rel=0.1)
    assert found.shuffled_bytes == pytest.approx(longest.shuffled_bytes, rel=0.1)
    assert found.added_cells == pytest.approx(longest.added_cells, rel=0.1)
    # Merging 16 parts in pairs adds every cell at most four times, and at least once.
    assert longest.shuffled_bytes / 12 < longest.added_cells <= 4 * longest.shuffled_bytes / 12
    assert runs[0].added_cells == 0


def test_a_beginning_is_a_corpus_of_its_own() -> None:
    corpus = make_corpus([["a", "b", "b", "b"], ["c", "a", "c", "c", "c"], ["a"]])
    part = corpus_beginning(corpus, 6)
    assert [part.words[i] for i in part.ids] == ["a", "b", "b", "b", "c", "a"]
    assert part.words == ("b", "a", "c")
    assert part.counts.tolist() == [3, 2, 1]
    assert part.sentences.tolist() == [0, 4, 6]


def test_a_vocabulary_can_be_cut() -> None:
    cut = CostModel(LAW, replace(SETTING, vocabulary=1000), {}, {}).sizes(1_000_000)
    plain = CostModel(LAW, SETTING, {}, {}).sizes(1_000_000)
    assert cut.vocabulary == pytest.approx(1000)
    assert cut.cells < min(plain.cells, 1e6)
    assert cut.kept_tokens < plain.kept_tokens


def test_three_lengths_are_needed() -> None:
    with pytest.raises(UserError, match="At least three corpus lengths"):
        fit_cost_model([ideal(100_000), ideal(200_000)], SETTING)


def test_limits_are_where_the_need_is_what_there_is() -> None:
    stages = {"sgns": CostStage(0.0, {"kept_tokens": 1e-6})}
    model = CostModel(LAW, SETTING, {}, stages)
    machines = Machines(number=2, memory=1e9, disk=1e10, network=1e8, seconds=1000.0, dim=50)
    found = {limit.name: limit for limit in scaling_limits(model, machines)}
    # Text: 4 bytes per token on two disks. SGNS: 1 µs per token on two machines.
    assert found["the text as numbers"].tokens == pytest.approx(2e10 / 4, rel=2e-3)
    assert model.sizes(found["sgns"].tokens).kept_tokens == pytest.approx(2e9, rel=2e-3)
    assert CELL_BYTES * model.sizes(found["the table of counts"].tokens).cells == pytest.approx(
        2e10, rel=2e-3
    )
    order = [limit.tokens for limit in scaling_limits(model, machines)]
    assert order == sorted(order)
    plenty = scaling_limits(model, Machines(1, 1e30, 1e30, 1e30, 1e30))
    assert all(math.isinf(limit.tokens) for limit in plenty)


def test_the_cut_off_is_the_least_that_suffices() -> None:
    model = CostModel(LAW, SETTING, {}, {})
    least = cut_off(model, 1e8, 1e7)
    assert CostModel(LAW, replace(SETTING, least=least), {}, {}).sizes(1e8).cells <= 1e7
    assert CostModel(LAW, replace(SETTING, least=least - 1), {}, {}).sizes(1e8).cells > 1e7


def test_a_sketch_keeps_its_promise() -> None:
    count_sketch = sketch(0.01, 0.05)
    assert (count_sketch.width, count_sketch.depth) == (272, 3)
    assert count_sketch.bytes == 4 * 272 * 3
    rng = np.random.default_rng(3)
    counts = rng.zipf(1.5, 5000).clip(max=10_000)
    wrong = []
    for _ in range(20):
        rows = rng.integers(0, count_sketch.width, (count_sketch.depth, len(counts)))
        estimates = np.min(
            [np.bincount(row, counts, count_sketch.width)[row] for row in rows], axis=0
        )
        assert (estimates >= counts).all()
        wrong.append((estimates - counts > count_sketch.error(counts.sum())).mean())
    assert np.mean(wrong) <= 0.05
    with pytest.raises(UserError, match="between 0 and 1"):
        sketch(0.0, 0.5)
    model = CostModel(LAW, SETTING, {}, {})
    assert pair_sketch(model, 1e9, 100.0).error(model.sizes(1e9).pairs) == pytest.approx(100.0)
