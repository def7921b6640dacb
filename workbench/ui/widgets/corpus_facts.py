"""What is open in a few facts, and what deserves to be known of it: a text, or counts without one."""

from __future__ import annotations

from workbench.core.language import choice_text, tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.store import LEFT_OUT
from workbench.corpus.telling import encodings, noticed
from workbench.counts.counted import CountedCorpus
from workbench.ui.text import count, plural


def facts(corpus: Corpus) -> list[str]:
    """Sizes, how it was counted or encoded, and its digest, each a few words."""
    told = _of_counts(corpus) if isinstance(corpus, CountedCorpus) else _of_text(corpus)
    return [*told, tr("digest {digest}", digest=corpus.digest[:8])]


def remarks(corpus: Corpus) -> list[str]:
    """Sentences: what was noticed while it was read, or what counts do not hold."""
    if isinstance(corpus, CountedCorpus):
        return [tr("These are counts without their text: lines and documents are seen where that is open.")]
    return noticed(corpus)


def _of_counts(counted: CountedCorpus) -> list[str]:
    made = counted.counting
    told = [
        tr("{tokens} tokens", tokens=count(counted.tokens)),
        plural(counted.types, "word"),
        tr(
            "{cells} cells in {shards}",
            cells=count(counted.shards.nnz),
            shards=plural(len(counted.shards.shards), "shard"),
        ),
    ]
    if "window" in made:
        told.append(
            tr(
                "window {window}, {window_weighting}",
                window=made["window"],
                window_weighting=choice_text(made.get("window_weighting", "fixed")),
            )
        )
    if not made["symmetric"]:
        told.append(tr("words after a word only"))
    return told


def _of_text(corpus: Corpus) -> list[str]:
    told = [tr("synthetic")] if corpus.metadata.get("synthetic") else []
    told += [
        tr("{tokens} tokens", tokens=count(corpus.tokens)),
        plural(corpus.types, "type"),
        plural(max(len(corpus.sentences) - 1, 0), "sentence"),
    ]
    if corpus.files:
        left_out = len(corpus.metadata.get(LEFT_OUT, ()))
        files = plural(len(corpus.files), "file")
        whole = count(len(corpus.files) + left_out)
        told.append(tr("{files} of {whole}", files=files, whole=whole) if left_out else files)
    if encoded := encodings(corpus):
        told.append(encoded)
    return told
