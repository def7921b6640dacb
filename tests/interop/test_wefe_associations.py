"""WEAT and RIPA as WEFE 1.0 computes them, on the same vectors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from interop.peers_run import prove_installed, run_peer

from workbench.analysis.associations.report import AssociationReport, evaluate_test
from workbench.analysis.associations.word_sets import (
    AssociationTest,
    bundled_path,
    load_tests,
    typed_test,
)
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

prove_installed("wefe")

TESTS = load_tests(bundled_path("caliskan-2017")).tests
PAIRED = typed_test(
    [["king", "smith", "pilot", "baker"], ["queen", "nurse", "dancer"]],
    [["he", "man", "boy"], ["she", "woman", "girl"]],
    paired=True,
).tests


def with_all_words(tests: tuple[AssociationTest, ...]) -> Embeddings:
    words = [word for test in tests for each in test.sets for word in each.words]
    words = list(dict.fromkeys(words))
    random = np.random.default_rng(17)
    # Lengths from 0.1 to 10, because RIPA depends on them.
    vectors = random.normal(size=(len(words), 20)) * 10 ** random.uniform(-1, 1, (len(words), 1))
    return Embeddings(words, vectors.astype(np.float32))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[AssociationReport, Any]]:
    folder = tmp_path_factory.mktemp("wefe")
    tests = (*TESTS, *PAIRED)
    save_vectors(with_all_words(tests), folder / "v.vec")
    # RIPA needs partners, so only tests with sets of one length are scored there.
    scored = [test for test in tests if len(test.a.words) == len(test.b.words)]
    queries = {test.key: [each.words for each in test.sets] for test in scored}
    (folder / "queries.json").write_text(json.dumps(queries), encoding="utf-8")
    run_peer("wefe", "score", folder)
    results = json.loads((folder / "results.json").read_text("utf-8"))
    model = load_vectors(folder / "v.vec")
    return {test.key: (evaluate_test(model, test), results[test.key]) for test in scored}


def test_effect_sizes_and_statistics_are_the_same(
    both: dict[str, tuple[AssociationReport, Any]],
) -> None:
    assert len(both) == 11
    for key, (ours, theirs) in both.items():
        assert ours.vectors is not None
        assert ours.vectors.size == pytest.approx(theirs["effect_size"], abs=1e-6), key
        cosines = {word.word: word.cosine for word in ours.words}
        statistic = sum(cosines[word] for word in ours.test.x.words)
        statistic -= sum(cosines[word] for word in ours.test.y.words)
        assert statistic == pytest.approx(theirs["statistic"], abs=1e-6), key


def test_relational_associations_are_the_same(
    both: dict[str, tuple[AssociationReport, Any]],
) -> None:
    for key in ("weat7", "weat8", "typed"):
        ours, theirs = both[key]
        found = {word.word: word.ripa for word in ours.words}
        assert found == pytest.approx(theirs["ripa"], abs=1e-6)
        for words, mean in zip(ours.test.sets, theirs["ripa_means"], strict=False):
            own = np.mean([found[word] for word in words.words])
            assert own == pytest.approx(mean, abs=1e-6)
