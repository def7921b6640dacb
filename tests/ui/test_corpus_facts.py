"""The facts shown about an open text, and about open counts without a text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from corpora import markov_corpus

from workbench.corpus.corpus import SourceFile
from workbench.corpus.loader import LEFT_OUT
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.ui.panels.corpus.panel import corpus_facts, corpus_remarks


def test_of_a_text_its_sizes_files_and_encodings_are_told() -> None:
    corpus = markov_corpus(3000)
    sizes = [
        f"{corpus.tokens:,} tokens",
        f"{corpus.types} types",
        f"{len(corpus.sentences) - 1:,} sentences",
    ]
    end = f"checksum {corpus.digest[:8]}"
    assert corpus_facts(corpus) == [*sizes, end]
    assert corpus_remarks(corpus) == []
    files = tuple(SourceFile(f"/tmp/{name}.txt", 10, encoding="UTF-8") for name in "ab")
    partial_corpus = replace(corpus, files=files, metadata={LEFT_OUT: ["c.txt"], "synthetic": True})
    assert corpus_facts(partial_corpus) == ["synthetic", *sizes, "2 files of 3", "UTF-8", end]


def test_of_counts_it_is_told_how_was_counted(tmp_path: Path) -> None:
    corpus = markov_corpus(3000)
    matrix = cooccurrence(corpus, corpus.vocabulary(), 3, "harmonic", threads=1)
    metadata = {"weighting": "harmonic", "window": 3, "symmetric": False, "divisor": 6.0}
    write_shards(tmp_path / "few", shard_csr(matrix, 400), corpus.vocabulary(), metadata)
    counts = open_counts(tmp_path / "few")
    tokens, words, cells, window, side, checksum = corpus_facts(counts)
    assert tokens == f"{corpus.tokens:,} tokens"
    assert words == f"{corpus.types} words"
    assert cells == f"{matrix.nnz:,} cells in {len(counts.shards.shards)} shards"
    assert (window, side) == ("window 3, harmonic", "only following words")
    assert checksum == f"checksum {counts.digest[:8]}"
    (sentence,) = corpus_remarks(counts)
    assert "Open the original text" in sentence
