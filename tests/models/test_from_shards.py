"""Training from counts in shards gives the same cells, losses and space as from a matrix in
memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from corpora import make_corpus, markov_corpus

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.processes.child_process import child_environment
from workbench.corpus.corpus import Vocabulary
from workbench.counts.association import associate
from workbench.counts.cell_source import Held, Mapped
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.base import MODELS
from workbench.models.count import cell_layout
from workbench.models.count.truncated_svd import truncated_svd
from workbench.session.corpus.counts_params import params_for

WINDOW = {"window": 2, "window_weighting": "fixed"}
SMALL = {"dim": 6, "epochs": 4, "min_count": 1, "threads": 1, "seed": 3}
ABLE = [kind.key for kind in MODELS if kind.from_counts]
BY_CELLS = ["glove", "pmi-mf", "smf"]


@pytest.fixture(scope="module")
def corpus():
    """300 words, so that the table has unobserved cells."""
    return markov_corpus(20_000, words=300)


@pytest.fixture(scope="module")
def counted_corpus(corpus, tmp_path_factory) -> CountedCorpus:
    return shard_corpus(corpus, tmp_path_factory.mktemp("counts") / "counts")


def shard_corpus(corpus, folder, cells=3000, symmetric=True) -> CountedCorpus:
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 2, "fixed", symmetric, threads=1)
    counting = {"weighting": "fixed", "window": 2, "symmetric": symmetric, "divisor": 1.0}
    shards = write_shards(folder, shard_csr(matrix, cells), vocabulary, counting)
    assert len(shards.shards) > 3
    return open_counts(folder)


def fit(corpus, key: str, **values: Any):
    kind, run = MODELS[key], JobControl()
    names = {spec.name for spec in kind.params_type.specs()}
    settings = {name: value for name, value in {**SMALL, **values}.items() if name in names}
    if isinstance(corpus, CountedCorpus):
        params = params_for(corpus, kind, settings)
    else:
        params = kind.params_type.from_mapping({**settings, **WINDOW})
    return kind(params).fit(corpus, run), run


def loss_at_last(run: JobControl) -> float:
    """Mean loss over the last fifth of a training. It averages whole passes, because buckets
    differ, and weights points, which are uneven with several threads.
    """
    last = run.trace.progress > 0.8
    return float(
        np.average(run.trace.loss[last], weights=np.diff(run.trace.progress, prepend=0.0)[last])
    )


def test_algorithms_that_train_from_counts():
    assert set(ABLE) == {"svd", "glove", "swivel", "pmi-mf", "smf"}


@pytest.mark.parametrize("key", ABLE)
def test_training_from_shards_is_training_from_memory(corpus, counted_corpus, key):
    """The order is the same if all cells fit in one bucket, so results are equal bit for bit,
    except for the rounding of the SVD.
    """
    here, run = fit(corpus, key)
    there, other = fit(counted_corpus, key)
    assert list(here.words) == list(there.words)
    if key == "svd":
        np.testing.assert_allclose(
            there.metadata["singular_values"], here.metadata["singular_values"], rtol=1e-6
        )
        np.testing.assert_allclose(there.vectors, here.vectors, atol=1e-4)
        return
    assert len(run.trace) > 5
    np.testing.assert_array_equal(run.trace.loss, other.trace.loss)
    np.testing.assert_array_equal(here.vectors, there.vectors)
    np.testing.assert_array_equal(here.contexts, there.contexts)
    assert here.state.keys() == there.state.keys()


@pytest.mark.parametrize("key", ABLE)
def test_a_smaller_vocabulary_is_the_corner_of_the_table(corpus, counted_corpus, key):
    embeddings, _ = fit(counted_corpus, key, max_vocab=120)
    assert list(embeddings.words) == list(corpus.words[:120])
    assert np.isfinite(embeddings.vectors).all()
    assert MODELS[key](
        params_for(counted_corpus, MODELS[key], {"max_vocab": 120, "min_count": 1})
    ).estimate(counted_corpus)


@pytest.mark.parametrize("key", BY_CELLS)
def test_many_buckets_reach_the_same_loss(corpus, counted_corpus, key, monkeypatch):
    """Chunks in the same bucket stay together in every pass; nothing else differs."""
    settings = {"epochs": 30, "threads": 1}
    _, run = fit(corpus, key, **settings)
    monkeypatch.setattr(cell_layout, "_BUCKET", 2000)
    monkeypatch.setattr(cell_layout, "_GROUP", 1000)
    _, other = fit(counted_corpus, key, **settings)
    assert loss_at_last(run) < 0.9 * run.trace.loss[0]
    assert loss_at_last(other) == pytest.approx(loss_at_last(run), rel=0.02)


@pytest.mark.parametrize("key", ABLE)
def test_two_threads_reach_the_same_loss(counted_corpus, key, monkeypatch):
    """After so many passes, it hardly matters which thread was ahead. GloVe runs for fewer, because
    its loss keeps falling.
    """
    monkeypatch.setattr(cell_layout, "_BUCKET", 4000)
    epochs = 20 if key == "glove" else 60
    here, run = fit(counted_corpus, key, threads=1, epochs=epochs)
    there, other = fit(counted_corpus, key, threads=2, epochs=epochs)
    if key == "svd":
        np.testing.assert_array_equal(here.vectors, there.vectors)
        return
    assert loss_at_last(other) == pytest.approx(loss_at_last(run), rel=0.05)


def test_the_svd_finds_the_same_space(tmp_path):
    """With too many words for the LAPACK path, block Lanczos iteration over shards is compared with
    LAPACK.
    """
    corpus = markov_corpus(30_000, words=700)
    counted_corpus = shard_corpus(corpus, tmp_path / "counts", cells=9000)
    embeddings, _ = fit(counted_corpus, "svd", dim=12, eig=0.0, shift=1.0, context_smoothing=0.75)
    counts = cooccurrence(corpus, corpus.vocabulary(1), 2, "fixed", threads=1)
    left, values, _ = np.linalg.svd(associate(counts, "sppmi", 1.0, 0.75).toarray())
    np.testing.assert_allclose(embeddings.metadata["singular_values"], values[:12], rtol=1e-6)
    angles = scipy.linalg.subspace_angles(embeddings.vectors.astype(np.float64), left[:, :12])
    # Vectors are float32, hence the tolerance.
    assert angles.max() < 1e-4
    assert embeddings.metadata["residual"] < 1e-6


def test_one_sided_counts_take_the_words_before_as_contexts(corpus, tmp_path):
    counted_corpus = shard_corpus(corpus, tmp_path / "counts", symmetric=False)
    here, run = fit(corpus, "glove", symmetric=False)
    there, other = fit(counted_corpus, "glove")
    np.testing.assert_array_equal(run.trace.loss, other.trace.loss)
    np.testing.assert_array_equal(here.vectors, there.vectors)
    with pytest.raises(UserError, match="one side only"):
        fit(counted_corpus, "swivel")


def test_training_continues_from_shards(corpus, counted_corpus):
    """A training that starts in memory continues from shards, as if it had started there."""
    kind = MODELS["glove"]
    params = params_for(counted_corpus, kind, SMALL)
    half = kind(params).fit(corpus, JobControl())
    whole = [kind(params, half).fit(each, JobControl()) for each in (corpus, counted_corpus)]
    np.testing.assert_array_equal(whole[0].vectors, whole[1].vectors)
    assert whole[1].state["passes"] == 8


@pytest.mark.parametrize("kind", list(MODELS), ids=lambda kind: kind.key)
def test_other_algorithms_refuse_counts(counted_corpus, kind):
    if kind.from_counts:
        assert params_for(counted_corpus, kind, {}).to_dict()["window"] == 2
        return
    with pytest.raises(
        UserError, match=r"can’t be trained from counts: it needs the text itself\."
    ):
        params_for(counted_corpus, kind, {})


def test_options_that_contradict_the_counts_are_refused(counted_corpus):
    kind = MODELS["glove"]
    assert params_for(counted_corpus, kind, {"window": "2", "symmetric": "True"})
    with pytest.raises(UserError, match="counted with window 2, not 7"):
        params_for(counted_corpus, kind, {"window": 7})
    with pytest.raises(UserError, match="window_weighting fixed, not harmonic"):
        params_for(counted_corpus, kind, {"window_weighting": "harmonic"})


def test_counts_without_pairs_above_chance(tmp_path):
    corpus = make_corpus([["a"], ["b"], ["a"]])
    vocabulary = corpus.vocabulary(1)
    counting = {"weighting": "fixed", "window": 2, "symmetric": True, "divisor": 1.0}
    write_shards(
        tmp_path / "c",
        shard_csr(cooccurrence(corpus, vocabulary, 2, "fixed", threads=1)),
        vocabulary,
        counting,
    )
    for key in ABLE:
        with pytest.raises(UserError, match="No words"):
            fit(open_counts(tmp_path / "c"), key)


# -- sources of cells


@pytest.mark.parametrize("size", [300, 77])
def test_a_source_in_shards_is_the_one_in_memory(corpus, counted_corpus, size):
    matrix = cooccurrence(corpus, corpus.vocabulary(1), 2, "fixed", threads=1)[:size, :size].tocsr()
    in_memory, in_shards = Held(matrix), Mapped(counted_corpus.shards, size, JobControl())
    assert in_shards.nnz == in_memory.nnz == matrix.nnz
    np.testing.assert_array_equal(in_shards.row_sums, in_memory.row_sums)
    np.testing.assert_array_equal(in_shards.column_sums, in_memory.column_sums)
    assert in_shards.total == in_memory.total == matrix.sum()
    for one, two in (
        (in_memory, in_shards),
        (in_memory.positive(1.5, 0.75, JobControl()), in_shards.positive(1.5, 0.75, JobControl())),
    ):
        assert one.nnz == two.nnz
        np.testing.assert_array_equal(one.csr().toarray(), two.csr().toarray())
        for left, right in zip(one.where(JobControl()), two.where(JobControl()), strict=True):
            np.testing.assert_array_equal(left, right)
        rows = np.array([0, 5, 6, 70])
        for left, right in zip(
            next(one.select_rows(rows)), next(two.select_rows(rows)), strict=True
        ):
            np.testing.assert_array_equal(left, right)
        few = list(two.select_rows(rows, 1))
        assert [piece.first for piece in few] == [0, 1, 2, 3]
        np.testing.assert_array_equal(
            np.concatenate([piece.values for piece in few]), next(one.select_rows(rows)).values
        )


def test_pieces_are_bounded_and_follow_one_another(counted_corpus):
    source = Mapped(counted_corpus.shards, 300, JobControl())
    for first, last in ((0, 300), (13, 211), (40, 41)):
        pieces = list(source.pieces(first, last, 500))
        assert [piece.first for piece in pieces] == sorted({piece.first for piece in pieces})
        assert pieces[0].first == first
        assert pieces[-1].first + len(pieces[-1].indptr) - 1 == last
        widest = max(np.diff(piece.indptr).max() for piece in pieces)
        assert max(len(piece.columns) for piece in pieces) <= 500 + widest


@pytest.mark.parametrize("bucket", [300, 2000, 10**9])
def test_every_cell_is_laid_out_once(counted_corpus, monkeypatch, bucket):
    """Many buckets contain the same chunks as memory, in another order."""
    monkeypatch.setattr(cell_layout, "_BUCKET", bucket)
    monkeypatch.setattr(cell_layout, "_GROUP", 700)
    mapped_source = Mapped(counted_corpus.shards, 300, JobControl())

    def arrange(source):
        return cell_layout.arrange_cells(
            source, lambda rows, columns, values: (values, -values), 40, 50, 1, JobControl()
        )

    layout, plain = arrange(mapped_source), arrange(Held(counted_corpus.shards.to_csr()))

    def chunks(cells):
        return {
            tuple(np.column_stack([each[a:b] for each in cells[:4]]).ravel().tolist())
            for a, b in zip(cells.chunks[:-1], cells.chunks[1:], strict=True)
        }

    assert chunks(layout.cells) == chunks(plain.cells)
    count = len(plain.cells.chunks) - 1
    assert layout.buckets[-1] == count
    assert len(layout.buckets) - 1 == max(1, -(-mapped_source.nnz // bucket))
    random = np.random.default_rng(1)
    one, two = layout.order(random), layout.order(random)
    assert sorted(one) == sorted(two) == list(range(count))
    assert not np.array_equal(one, two)
    sizes = np.diff(layout.cells.chunks[layout.buckets])
    assert sizes.max() < 2 * max(sizes.min(), 50)
    # A bucket is completed before the next one is started.
    numbers = np.searchsorted(layout.buckets, one, side="right")
    assert (np.diff(numbers) != 0).sum() == len(layout.buckets) - 2
    # Every bucket but the first is prefetched before its turn, once.
    requests = []
    monkeypatch.setattr(
        cell_layout, "prefetch_pages", lambda part: requests.append(part.ctypes.data)
    )
    for place in range(count):
        before = len(requests)
        layout.look_ahead(one, place)
        assert len(requests) - before in (0, 4)
    assert len(requests) >= 4 * (len(layout.buckets) - 2)


# -- memory

ROOM = 112 << 20


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> CountedCorpus:
    """12.8 million cells, 154 MB as a matrix, with four groups of words that favour one another."""
    size, random = 4000, np.random.default_rng(1)
    group = np.arange(size) % 4

    def parts():
        for first in range(0, size, 500):
            near = group[first : first + 500, None] == group
            chance = np.where(near, 0.95, 0.75)
            counts = np.where(
                random.random((500, size)) < chance,
                1 + 5 * near + random.integers(0, 3, near.shape),
                0,
            )
            yield first, sp.csr_matrix(counts.astype(np.float64))

    vocabulary = Vocabulary([f"w{row}" for row in range(size)], np.arange(2 * size, size, -1))
    counting = {"weighting": "fixed", "window": 2, "symmetric": True, "divisor": 1.0}
    folder = tmp_path_factory.mktemp("large") / "counts"
    write_shards(folder, parts(), vocabulary, counting)
    return open_counts(folder)


@pytest.mark.skipif(
    sys.platform != "linux", reason="RLIMIT_DATA is about mapped memory on Linux only"
)
def test_a_matrix_larger_than_memory_is_trained_from(large):
    """GloVe and the SVD train in a process that may use less memory than the matrix takes."""
    command = [
        sys.executable,
        str(Path(__file__).with_name("capped.py")),
        str(large.shards.folder),
        str(ROOM),
    ]
    # With one heap per thread, the allocator would keep varying amounts beyond what is requested.
    environment = {**child_environment(), "MALLOC_ARENA_MAX": "1"}
    process = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert process.returncode == 0, process.stderr
    report = json.loads(process.stdout)
    assert report["bound"] < 0.8 * report["matrix"]
    assert report["whole"] is False
    for key in ("glove", "svd"):
        assert report[key]["estimate"] < report["matrix"]
    matrix = large.shards.to_csr()
    whole = truncated_svd(associate(matrix, "sppmi", 1.0, 0.75), 4)
    np.testing.assert_allclose(report["svd"]["values"], whole.values, rtol=1e-6)
    losses = report["glove"]["loss"]
    assert np.mean(losses[-20:]) < 0.8 * np.mean(losses[:5])
