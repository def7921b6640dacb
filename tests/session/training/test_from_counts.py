"""Runs that are trained from counts: in a script, in a session, and continued."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus
from session.fakes import small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import params_for
from workbench.session.export.export_source import ExportSource
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.from_counts import train_from_counts
from workbench.session.training.request import TrainingSpec


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session with the real algorithms and another corpus open."""
    new_session = Session()
    new_session.corpora.current = small_corpus()
    yield new_session
    new_session.close()


@pytest.fixture
def counted_corpus(tmp_path: Path) -> CountedCorpus:
    corpus = markov_corpus(3000)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 3, "harmonic", threads=1)
    metadata = {"weighting": "harmonic", "window": 3, "symmetric": True, "divisor": 6.0}
    write_shards(tmp_path / "few", shard_csr(matrix, 400), vocabulary, metadata)
    return open_counts(tmp_path / "few")


def train_run(session: Session, counted_corpus: CountedCorpus, **values: object) -> RunRecord:
    params = params_for(
        counted_corpus, MODELS["glove"], {"dim": 4, "epochs": 2, "threads": 1, **values}
    )
    record = session.training.start(TrainingSpec("glove", params, counts=counted_corpus))
    wait_until(session, lambda: record.state.over)
    return record


def test_a_script_trains_in_one_call_and_the_provenance_names_the_counts(
    counted_corpus: CountedCorpus,
) -> None:
    vectors = train_from_counts(counted_corpus.shards.folder, "svd", dim=4, threads=1)
    assert len(vectors) == 40
    corpus = vectors.metadata["corpus"]
    assert corpus["digest"] == corpus["counts"]["digest"] == counted_corpus.digest
    assert (corpus["name"], corpus["tokens"], corpus["types"]) == ("few", 3000, 40)
    assert corpus["counts"]["folder"] == str(counted_corpus.shards.folder)
    assert (corpus["counts"]["window"], corpus["counts"]["window_weighting"]) == (3, "harmonic")
    assert vectors.metadata["parameters"]["window"] == 3
    assert vectors.metadata["parameters"]["window_weighting"] == "harmonic"
    recipe = ExportSource("few", vectors).recipe
    assert recipe is not None
    assert recipe.folder == str(counted_corpus.shards.folder)


def test_a_run_of_the_session_knows_its_counts(
    session: Session, counted_corpus: CountedCorpus
) -> None:
    """The open corpus stays open."""
    before = session.corpora.current
    record = train_run(session, counted_corpus)
    assert record.state is State.DONE
    assert record.stored
    assert (record.corpus_name, record.corpus_digest) == ("few", counted_corpus.digest)
    assert record.summary["source"] == {"counts": str(counted_corpus.shards.folder)}
    assert record.summary["corpus"]["counts"]["cells"] == counted_corpus.shards.nnz
    assert session.corpora.current is before
    assert session.active.run is record


def test_it_is_trained_on_from_the_same_counts(
    session: Session, counted_corpus: CountedCorpus
) -> None:
    session.corpora.current = None
    first = train_run(session, counted_corpus)
    second = session.training.continue_run(first, 3)
    wait_until(session, lambda: second.state.over)
    assert second.state is State.DONE
    assert second.summary["passes"] == 5.0
    assert second.summary["source"] == first.summary["source"]
    assert second.corpus_digest == counted_corpus.digest
    (counted_corpus.shards.folder / "manifest.json").unlink()
    with pytest.raises(UserError):
        session.training.continue_run(first, 3)


def test_the_session_refuses_what_counts_do_not_suffice_for(
    session: Session, counted_corpus: CountedCorpus
) -> None:
    kind = MODELS["sgns"]
    with pytest.raises(UserError, match="can’t be trained from counts: it needs the text"):
        session.training.start(TrainingSpec("sgns", kind.params_type(), counts=counted_corpus))
    with pytest.raises(UserError, match="window 3, not 15"):
        session.training.start(
            TrainingSpec("glove", MODELS["glove"].params_type(), counts=counted_corpus)
        )
    assert session.runs.records == []


def test_damage_ends_the_training_with_one_sentence(
    session: Session, counted_corpus: CountedCorpus
) -> None:
    """A file of the counts is missing when training begins."""
    (counted_corpus.shards.folder / "00001.data.npy").unlink()
    record = train_run(session, counted_corpus)
    assert record.state is State.FAILED
    assert record.error is not None
    assert "00001" in record.error.message
    np.testing.assert_array_equal(counted_corpus.counts, counted_corpus.shards.vocabulary.counts)
