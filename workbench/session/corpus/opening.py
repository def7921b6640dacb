"""Opening texts, vectors and counts, and the record that opens them again at the next start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.paths import exists, expand_user
from workbench.core.processes.child_task import avoids_compiler
from workbench.core.setting import Object, Setting, mapping_of
from workbench.corpus.catalogue import (
    CatalogueEntry,
    Kind,
    data_entry,
    options_for_entry,
    public_entry,
    sample_key,
)
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.read_warnings import NOTICED, corpus_notes
from workbench.corpus.ingest.text_sample import Columns, ask_for
from workbench.corpus.loader import load_corpus, open_corpus
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.pair_files import has_pairs, open_pairs
from workbench.counts.shards import is_sharded
from workbench.session.corpus.counts_params import COUNTS, source_of
from workbench.session.corpus.known_vectors import VectorChoice, open_known
from workbench.session.corpus.reading import refuse_counts, vectors_kind
from workbench.session.kernel_compiler import Compilation
from workbench.vectors.embeddings import Embeddings

# Counts up to this size, in bytes, are read and verified when they are opened: half a second.
_VERIFIED = 1 << 28
# The open corpus, and how to open it again.
OPEN_CORPUS = Setting[Object]("corpus", mapping_of(), {})


@dataclass(frozen=True)
class Opened:
    """The result of opening: perhaps a corpus, or counts in its place, and vectors with their
    names.

    sample : the key of the bundled corpus, or ""
    paths : absolute paths of everything requested; empty for a sample
    corpus_paths : absolute paths that the corpus was read from
    note : a message for the user, or "": the corpus differs from the files at its paths, words of
    vectors aren’t UTF-8
    columns : columns of a table among the files; one must be chosen before a corpus is read
    """

    corpus: Corpus | None = None
    vectors: tuple[tuple[str, Embeddings], ...] = ()
    sample: str = ""
    paths: tuple[str, ...] = ()
    corpus_paths: tuple[str, ...] = ()
    note: str = ""
    columns: Columns | None = None

    def to_json(self) -> dict[str, Any]:
        """The corpus as the settings remember it."""
        if self.corpus is None:
            return {"sample": self.sample}
        digest = self.corpus.digest
        if isinstance(self.corpus, CountedCorpus):
            return {**source_of(self.corpus), "name": self.corpus.name, "digest": digest}
        if self.sample:
            usual = self.corpus.options.effective() == CorpusOptions()
            options = {} if usual else {"options": self.corpus.options.to_dict()}
            return {"sample": self.sample, "digest": digest} | options
        return {
            "paths": list(self.corpus_paths),
            "options": self.corpus.options.to_dict(),
            "name": self.corpus.name,
            "digest": digest,
        }


@dataclass(frozen=True)
class RememberedCorpus:
    """The corpus that was open last, or the folder of ``counts``. ``digest`` and ``name`` are those
    of the corpus as it was read then, "" if unknown.
    """

    sample: str = ""
    paths: tuple[str, ...] = ()
    options: CorpusOptions | None = None
    digest: str = ""
    name: str = ""
    counts: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The paths that no longer exist."""
        return tuple(
            path
            for path in (self.paths or ((self.counts,) if self.counts else ()))
            if not exists(path)
        )


class MissingText(UserError):
    """The text of a corpus is gone and not in the cache, or a folder of counts is gone; ``wanted``
    is the missing corpus.
    """

    def __init__(self, wanted: RememberedCorpus) -> None:
        lost = wanted.missing[0] if wanted.missing else ", ".join(wanted.paths)
        if wanted.counts:
            hint = tr(
                "Runs trained from these counts remain. Locate the folder to train from "
                "the counts again."
            )
        else:
            hint = tr(
                "Runs trained on this corpus remain. Locate the corpus to see its lines again."
            )
        super().__init__(tr("Couldn’t find {lost}.", lost=lost), hint)
        self.wanted = wanted


def open_files(
    paths: Sequence[str], options: CorpusOptions | None, run: JobControl, ask: bool = False
) -> Opened:
    """Read vector files as vectors, and the rest as one corpus. Raises UserError and Cancelled.

    ``options`` None: the user didn’t choose any for these files.

    ``ask``: if a table has several columns and none was chosen, no corpus is read and the result
    lists them in ``columns``.
    """
    from workbench.vectors.formats import load_vectors
    from workbench.vectors.undecoded import file_warnings

    key = sample_key(paths)
    if key:
        return open_bundled(key, run, options)
    entry = public_entry(paths)
    if entry is not None:
        return open_public(entry, run, options)
    known = data_entry(paths[0], Kind.VECTORS) if len(paths) == 1 else None
    if known is not None:
        return open_known_vectors(known, None, run)
    if len(paths) == 1 and is_sharded(paths[0]):
        return open_counted(paths[0], run)
    if len(paths) == 1 and has_pairs(paths[0]) and not (options and options.column):
        return Opened(
            corpus=_read_compiled(lambda: open_pairs(paths[0], run), run),
            paths=(absolute_path(paths[0]),),
        )
    if len(paths) > 1:
        named = [path for path in paths if sample_key([path]) or public_entry([path])]
        if named:
            others = [path for path in paths if path not in named]
            return _open_with_vectors(named, others, options, run)
        for path in map(Path, paths):
            refuse_counts(path)
    run.enter(Phase.READING, tr("Checking the files"))
    vectors: list[tuple[str, Embeddings]] = []
    texts, noticed = [], []
    for path in (Path(path) for path in paths):
        run.check()
        kind = vectors_kind(path, options) if exists(str(path)) else None
        if kind is None:
            texts.append(str(path))
        else:
            run.advance(None, tr("Loading the vectors of {name}", name=path.name))
            vectors.append((path.stem, load_vectors(path, kind)))
            _prepare(vectors[-1][1], run)
            noticed += [f"{path.name}: {sentence}" for sentence in file_warnings(vectors[-1][1])]
    columns = ask_for(texts, options or CorpusOptions()) if ask else None
    corpus = None
    if texts and columns is None:
        corpus = _read_compiled(
            lambda: open_corpus(texts, options, run, unwrap=options is None), run
        )
        run.publish(NOTICED, corpus_notes(corpus))
    return Opened(
        columns=columns,
        corpus=corpus,
        vectors=tuple(vectors),
        paths=tuple(absolute_path(path) for path in paths),
        corpus_paths=tuple(absolute_path(path) for path in texts),
        note="\n".join(noticed),
    )


def _open_with_vectors(
    named: Sequence[str], others: Sequence[str], options: CorpusOptions | None, run: JobControl
) -> Opened:
    """A corpus known by name, with files of vectors. Raises UserError for more than one corpus, and
    Cancelled.
    """
    # Before anything is read, which may take minutes.
    if len(named) > 1 or any(_is_corpus(path, options) for path in others):
        raise UserError(
            tr("{name} can’t be opened together with another text.", name=named[0]),
            tr("Open the texts one after the other."),
        )
    found = open_files(others, options, run)
    return replace(open_files(named, options, run), vectors=found.vectors, note=found.note)


def _is_corpus(path: str, options: CorpusOptions | None) -> bool:
    """Whether an existing file or folder contains text or counts, not vectors."""
    return exists(path) and (has_pairs(path) or vectors_kind(Path(path), options) is None)


def open_counted(folder: str, run: JobControl) -> Opened:
    """Open counts in a folder, in place of a corpus; small counts are first compared with their
    digests.

    Raises UserError and Cancelled.
    """
    run.enter(Phase.READING, tr("Checking the counts"))

    def read_counts() -> CountedCorpus:
        counted = open_counts(folder)
        if counted.shards.bytes <= _VERIFIED:
            counted.shards.verify(run)
        return counted

    return Opened(corpus=_read_compiled(read_counts, run), paths=(absolute_path(folder),))


def open_bundled(key: str, run: JobControl, options: CorpusOptions | None = None) -> Opened:
    """Open a bundled corpus; generate it the first time. Raises UserError and Cancelled."""
    from workbench.corpus.samples import open_sample

    return Opened(corpus=_read_compiled(lambda: open_sample(key, run, options), run), sample=key)


def open_public(
    entry: CatalogueEntry, run: JobControl, options: CorpusOptions | None = None
) -> Opened:
    """Open a public corpus; download it if it isn't in the cache. Raises UserError and
    Cancelled.
    """
    from workbench.corpus.catalogue.download import fetch

    path = str(fetch(entry, run))
    reading = options_for_entry(entry, options)
    corpus = _read_compiled(lambda: open_corpus([path], reading, run, entry.title), run)
    return Opened(corpus=corpus, paths=(path,), corpus_paths=(path,))


def open_known_vectors(
    entry: CatalogueEntry, choice: VectorChoice | None, run: JobControl
) -> Opened:
    """Open known vectors; download them if they aren’t in the cache. Raises UserError and
    Cancelled.
    """
    found = open_known(entry, choice, run)
    _prepare(found, run)
    return Opened(vectors=((entry.title, found),))


def _prepare(embeddings: Embeddings, run: JobControl) -> None:
    """Let the first list of a large table not wait."""
    run.check()
    run.advance(None, tr("Preparing the search for neighbours"))
    embeddings.prepare_lists()


def _read_compiled(read: Callable[[], Corpus], run: JobControl) -> Corpus:
    """The result of ``read``, after the kernels that it and a first view call are compiled."""
    # Child processes that read and count compile what they need themselves.
    if not avoids_compiler():
        with Compilation("corpus", "floor", "counts") as needed:
            needed.wait(run)
    run.enter(Phase.READING)
    return read()


def reopen(wanted: RememberedCorpus, run: JobControl) -> Opened:
    """Open a remembered corpus as it was then: from its files or, if they are gone or have changed,
    from the cache. Raises MissingText, UserError and Cancelled.
    """
    if wanted.sample:
        return open_bundled(wanted.sample, run, wanted.options)
    if wanted.counts:
        if wanted.missing:
            raise MissingText(wanted)
        opened = open_counted(wanted.counts, run)
        if opened.corpus is None or not wanted.digest or opened.corpus.digest == wanted.digest:
            return opened
        return replace(
            opened,
            note=tr(
                "{what} has been counted again since it was last opened.", what=opened.corpus.name
            ),
        )
    changed: Opened | None = None
    if not wanted.missing:
        changed = open_files(wanted.paths, wanted.options, run)
        if not wanted.digest or changed.corpus is None or changed.corpus.digest == wanted.digest:
            return changed
    kept = _load_cached(wanted, run)
    what = wanted.name or Path(wanted.paths[0]).name
    if kept is None and changed is not None:
        return replace(
            changed,
            note=tr("The files of {what} have changed since it was last opened.", what=what),
        )
    if kept is None:
        raise MissingText(wanted)
    if wanted.missing:
        note = tr(
            "Couldn’t find {missing}; {what} is open as it was last read.",
            missing=wanted.missing[0],
            what=what,
        )
    else:
        note = tr(
            "The files of {what} have changed; {what} is open as it was last read.", what=what
        )
    return Opened(corpus=kept, corpus_paths=wanted.paths, note=note)


def _load_cached(wanted: RememberedCorpus, run: JobControl) -> Corpus | None:
    """The corpus from the cache, None if it is not there."""
    if not wanted.digest:
        return None
    try:
        corpus = _read_compiled(lambda: load_corpus(wanted.digest), run)
    except UserError:
        return None
    return replace(
        corpus, name=wanted.name or corpus.name, options=wanted.options or corpus.options
    )


def find_remembered(value: object) -> RememberedCorpus | None:
    """The last open corpus according to the settings, if it is valid and still exists."""
    wanted = parse_remembered(value)
    if wanted is None or wanted.missing:
        return None
    return wanted


def parse_remembered(value: object) -> RememberedCorpus | None:
    """The open corpus according to the settings, a session file or an interrupted training, if it
    is valid.
    """
    if not isinstance(value, dict):
        return None
    sample, paths = value.get("sample"), value.get("paths")
    options = value.get("options")
    try:
        if isinstance(options, dict):
            parsed = CorpusOptions.from_mapping(options)
        else:
            parsed = CorpusOptions()
    except ParameterError:
        parsed = CorpusOptions()
    digest, name = (str(value.get(key, "")) for key in ("digest", "name"))
    if isinstance(sample, str) and sample:
        from workbench.corpus.samples import SAMPLES

        if sample in SAMPLES:
            return RememberedCorpus(sample=sample, options=parsed, digest=digest)
        return None
    counts = value.get(COUNTS)
    if isinstance(counts, str) and counts:
        return RememberedCorpus(counts=counts, digest=digest, name=name)
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        return None
    return RememberedCorpus(paths=tuple(paths), options=parsed, digest=digest, name=name)


def absolute_path(path: str) -> str:
    return str(expand_user(path).absolute())
