"""Reading a corpus that the user names: files, or the key of a bundled or public corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.catalogue import (
    options_for_entry,
    public_entry,
    refuse_similar_key,
    sample_key,
)
from workbench.corpus.corpus import OF_FILES, Corpus, CorpusOptions
from workbench.corpus.ingest.read_warnings import NOTICED, corpus_notes
from workbench.counts.shards import is_sharded


def read_corpus(
    paths: Sequence[str | Path],
    options: CorpusOptions | None = None,
    run: JobControl | None = None,
    name: str = "",
    unwrap: bool = False,
) -> Corpus:
    """The corpus of these files and folders, or one by its key if no such file exists.

    unwrap : the user didn’t choose how sentences end, so they end at punctuation in files whose
    lines are wrapped at a fixed width

    Raises UserError.
    """
    from workbench.corpus.loader import open_corpus

    key = sample_key(paths)
    if key:
        return _read_bundled(key, options, run)
    entry = public_entry(paths)
    if entry is not None:
        entry.prove_here()
        options = options_for_entry(entry, options)
        paths, name, unwrap = [entry.place], name or entry.title, False
    refuse_similar_key(paths)
    for path in map(Path, paths):
        _refuse_vectors(path, options)
        refuse_counts(path)
    corpus = open_corpus(paths, options, run, name, unwrap)
    if run is not None:
        run.publish(NOTICED, corpus_notes(corpus))
    return corpus


def refuse_counts(path: Path) -> None:
    """Raise UserError for a folder of counts: its list of words would be read as text."""
    if is_sharded(path):
        raise UserError(
            tr("{name} contains counts, not text.", name=path.absolute().name),
            tr("Open the counts separately, or use --counts."),
        )


def _read_bundled(key: str, options: CorpusOptions | None, run: JobControl | None) -> Corpus:
    from workbench.corpus.samples import open_sample

    chosen = (options or CorpusOptions()).non_defaults()
    of_files = [CorpusOptions.spec(name).option for name in chosen if name in OF_FILES]
    if of_files:
        raise UserError(
            tr(
                "{names} can’t be used with the bundled corpus {key}.",
                key=key,
                names=tr(" or ").join(of_files),
            ),
            tr("Remove the options for your own files."),
        )
    return open_sample(key, run, options)


def vectors_kind(path: Path, options: CorpusOptions | None) -> str | None:
    """The format of a file of vectors, or None for a text: also a table whose column the user
    names, whatever its other columns contain. Raises UserError as ``sniff`` does.
    """
    from workbench.vectors.formats import sniff
    from workbench.vectors.formats.unsupported import NumbersError

    named = options is not None and bool(options.column)
    try:
        kind = sniff(path) if path.exists() else None
    except NumbersError:
        if named:
            return None
        raise
    return None if kind == "table" and named else kind


def _refuse_vectors(path: Path, options: CorpusOptions | None) -> None:
    """Raise UserError for a table of vectors: training on it as a text would yield nonsense."""
    kind = vectors_kind(path, options)
    if kind is not None:
        hint = tr("Choose a text file instead, for example the corpus of these vectors.")
        if kind == "table":
            hint = tr("Choose a text file instead, or name the column that contains text.")
        raise UserError(tr("{name} contains vectors, not text.", name=path.name), hint)
