"""Reading a corpus from files, the key of a bundled corpus or the key of a public one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.catalogue import CATALOGUE, CatalogueEntry
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
    """The corpus of these files and folders, or a bundled one by its key if no such file exists.

    unwrap : nobody chose how sentences end, so that they end at punctuation where lines end at a
    fixed width

    Raises UserError.
    """
    return _read_named(paths, options, run, name, unwrap, sniffed=False)


def read_texts(
    paths: Sequence[str | Path],
    options: CorpusOptions | None,
    run: JobControl,
    unwrap: bool = False,
) -> Corpus:
    """Do the same as ``read_corpus`` with files that ``vectors.formats.sniff`` has not recognised
    as vectors.
    """
    return _read_named(paths, options, run, "", unwrap, sniffed=True)


def sample_key(paths: Sequence[str | Path]) -> str:
    """The key of the bundled corpus that ``paths`` name, or "" if they name files."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return ""
    from workbench.corpus.samples import SAMPLES

    key = str(paths[0])
    if key not in SAMPLES:
        return ""
    return key


def public_entry(paths: Sequence[str | Path]) -> CatalogueEntry | None:
    """The entry of the catalogue that ``paths`` name, or None if they name files."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return None
    return CATALOGUE.get(str(paths[0]))


def options_for_entry(entry: CatalogueEntry, options: CorpusOptions | None) -> CorpusOptions:
    """Options for reading a public corpus: only the part of its archive that is the text."""
    options = options or CorpusOptions()
    if options.include:
        return options
    return options.replace(include=entry.include)


def _read_named(
    paths: Sequence[str | Path],
    options: CorpusOptions | None,
    run: JobControl | None,
    name: str,
    unwrap: bool,
    sniffed: bool,
) -> Corpus:
    key = sample_key(paths)
    if key:
        return _read_bundled(key, options, run)
    entry = public_entry(paths)
    if entry is not None:
        if not entry.here:
            raise UserError(
                tr("{title} was not downloaded yet.", title=entry.title),
                tr("Download it with: workbench corpora get {key}.", key=entry.key),
            )
        options = options_for_entry(entry, options)
        paths, name, unwrap, sniffed = [entry.place], name or entry.title, False, False
    for path in map(Path, paths):
        if not sniffed:
            _refuse_vectors(path)
        _refuse_counts(path)
    return _read_files(paths, options or CorpusOptions(), run, name, unwrap)


def _read_bundled(key: str, options: CorpusOptions | None, run: JobControl | None) -> Corpus:
    from workbench.corpus.samples import open_sample

    chosen = (options or CorpusOptions()).non_defaults()
    of_files = [CorpusOptions.spec(name).option for name in chosen if name in OF_FILES]
    if of_files:
        raise UserError(
            tr(
                "The bundled corpus {key} takes no {names}.",
                key=key,
                names=tr(" or ").join(of_files),
            ),
            tr("Leave out what is about files of one’s own."),
        )
    return open_sample(key, run, options)


def _read_files(
    paths: Sequence[str | Path],
    options: CorpusOptions,
    run: JobControl | None,
    name: str,
    unwrap: bool,
) -> Corpus:
    from workbench.corpus.loader import open_corpus
    from workbench.corpus.wrapping import mark_wrapped, unwrap_options

    best = options
    if unwrap:
        best = unwrap_options(paths, options, run)
    corpus = open_corpus(paths, best, run, name)
    if best != options:
        corpus = mark_wrapped(corpus)
    if run is not None:
        run.publish(NOTICED, corpus_notes(corpus))
    return corpus


def _refuse_vectors(path: Path) -> None:
    """Raise UserError for a table of vectors: read as a text it would train, and mean nothing."""
    from workbench.vectors.formats import sniff

    if path.exists() and sniff(path) is not None:
        raise UserError(
            tr("{name} holds vectors, not a text.", name=path.name),
            tr("Name the text they were trained on, or another."),
        )


def _refuse_counts(path: Path) -> None:
    """Raise UserError for a folder of counts: the list of words beside them would be read as a
    text.
    """
    if is_sharded(path):
        raise UserError(
            tr("{name} holds counts, not a text.", name=path.absolute().name),
            tr("Open it by itself, or name it with --counts."),
        )
