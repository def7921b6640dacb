"""Conversion of text to a corpus on disk, which is read once, then memory-mapped.

A corpus is in the cache under its digest (:mod:`workbench.corpus.cache`). A small file in
``corpora/index`` maps a set of unchanged files and options to the digest, and describes the files
and the phrases.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from workbench.core.arrays import Ids, Ints
from workbench.core.atomic import replacing
from workbench.core.errors import UserError, error_text
from workbench.core.jit import compile_lock
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.paths import cache_folder
from workbench.core.processes.child_task import avoids_compiler, run_task
from workbench.corpus.cache import VERSION, Damaged, load, read_json, scratch_folder, settle
from workbench.corpus.columns import COLUMNS, RowValues, are_complete, follow
from workbench.corpus.corpus import LISTS, Corpus, CorpusOptions, SourceFile
from workbench.corpus.ingest.document_stream import TextDocument, texts
from workbench.corpus.ingest.file_discovery import FoundFile, Unknown, corpus_name, gather
from workbench.corpus.ingest.pipe_stream import Piped
from workbench.corpus.ingest.read_warnings import PASSED_OVER, REPAIRS, UNKNOWN, WRAPPED
from workbench.corpus.ingest.text_sample import unwrap_options
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.phrases.detection import PHRASES, join_phrases, phrases_of
from workbench.corpus.tokenise import kernel_tokeniser
from workbench.corpus.tokenise.line_tokeniser import Piece, TooSlowLine
from workbench.corpus.tokenise.remap_ids import renumber
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.corpus.tokenise.token_filters import Refinement, list_digest
from workbench.corpus.tokenise.tokenisers import TOKENISERS
from workbench.corpus.tokenise.unicode_normaliser import spelt_twice

LEFT_OUT = "left_out"
READ_TASK = "workbench.corpus.read_task"


def open_corpus(
    paths: str | Path | Sequence[str | Path],
    options: CorpusOptions | None = None,
    run: JobControl | None = None,
    name: str = "",
    unwrap: bool = False,
) -> Corpus:
    """Read text files, archives and folders as one corpus, or load it from the cache. Phrases are
    joined on request.

    unwrap : the user didn’t choose how sentences end, so they end at punctuation in files whose
    lines are wrapped at a fixed width; the corpus's options say how all files were read

    Memory grows with the number of types, not of tokens. Progress is in stored bytes. Raises
    UserError for files that cannot be read as text and for a corpus without words, and Cancelled;
    then nothing stays on disk. The corpus's metadata contains, under LEFT_OUT, the files that
    ``options.without`` left out, under PASSED_OVER and UNKNOWN those that were passed over, and
    under WRAPPED the number of files that are wrapped, if the lines decided how sentences end.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    options = options or CorpusOptions()
    run = run or JobControl()
    unknown = Unknown()
    sources = gather(paths, options, unknown)
    name = name or corpus_name(paths)
    if unwrap:
        unwrapped = unwrap_options(sources, options, run)
        if unwrapped != options:
            corpus = open_corpus(paths, unwrapped, run, name)
            return _with_common_rule(corpus, sources)
    corpus = _open_sources(paths, sources, options, run, name)
    if unknown.number:
        first = [str(path) for path in unknown.paths]
        metadata = {**corpus.metadata, UNKNOWN: {"paths": first, "number": unknown.number}}
        corpus = replace(corpus, metadata=metadata)
    return corpus


def _open_sources(
    paths: Sequence[str | Path],
    sources: Sequence[FoundFile],
    options: CorpusOptions,
    run: JobControl,
    name: str,
) -> Corpus:
    entry = _entry(sources, options)
    piped = any(source.piped for source in sources)
    try:
        if not piped:
            return replace(_load_entry(entry, options, run), name=name)
    except Damaged:
        pass
    if not piped and avoids_compiler():
        return _read_in_child(paths, options, run, name)
    content: dict[str, Any] = {}
    if options.phrases:
        plain = open_corpus(paths, options.reading(), run, name)
        corpus = follow(plain, join_phrases(plain, options, run))
    else:
        corpus = _read(sources, options, run, name)
    content["metadata"] = {
        key: corpus.metadata[key]
        for key in (COLUMNS, PHRASES, LEFT_OUT, PASSED_OVER, WRAPPED, REPAIRS)
        if key in corpus.metadata
    }
    if not piped and _is_unchanged(sources, paths, options):  # else the content is unknown
        content |= {"digest": corpus.digest, "files": [asdict(file) for file in corpus.files]}
        with replacing(entry) as temporary:
            temporary.write_text(json.dumps(content), encoding="utf-8")
    return corpus


def _with_common_rule(corpus: Corpus, sources: Sequence[FoundFile]) -> Corpus:
    """The corpus with the rule by which the sentences of all its files end, if there is one; it is
    then in the cache under this rule, too.
    """
    found = corpus.options
    files = len(corpus.files)
    wrapped = files if found.sentences == "punctuation" else corpus.metadata.get(WRAPPED, 0)
    rule = {0: "lines", files: "punctuation"}.get(wrapped, "auto")
    metadata = {key: value for key, value in corpus.metadata.items() if key != WRAPPED}
    if rule != found.sentences:
        options = found.replace(sentences=rule)
        corpus = replace(corpus, options=options)
        before, entry = _entry(sources, found), _entry(sources, options)
        with suppress(Damaged):
            content = read_json(before)
            content["metadata"].pop(WRAPPED, None)
            with replacing(entry) as temporary:
                temporary.write_text(json.dumps(content), encoding="utf-8")
    if wrapped:
        metadata[WRAPPED] = wrapped
    return replace(corpus, metadata=metadata)


def _is_unchanged(
    sources: Sequence[FoundFile], paths: Sequence[str | Path], options: CorpusOptions
) -> bool:
    try:
        return gather(paths, options) == sources
    except UserError:
        return False


def load_corpus(digest: str) -> Corpus:
    """A corpus read before, from the cache. Raises UserError if it is gone or damaged."""
    return _load_whole(digest, JobControl(), check=True)


def _load_whole(digest: str, run: JobControl, *, check: bool) -> Corpus:
    try:
        return load(digest, run, check)
    except Damaged as error:
        raise UserError(
            tr("This corpus is no longer in the cache."), tr("Open the files of the corpus again.")
        ) from error


# -- reading


def _read_in_child(
    paths: Sequence[str | Path], options: CorpusOptions, run: JobControl, name: str
) -> Corpus:
    """The corpus that ``read_task.py`` reads into the cache in a child process."""
    request = {
        "paths": [str(path) for path in paths],
        "options": options.to_dict(),
        "name": name,
    }
    answer = run_task(READ_TASK, request, run)
    return replace(
        _load_whole(answer["digest"], run, check=False),
        name=name,
        options=options,
        files=tuple(SourceFile.from_json(file) for file in answer["files"]),
        metadata=answer["metadata"],
    )


def _read(
    sources: Sequence[FoundFile], options: CorpusOptions, run: JobControl, name: str
) -> Corpus:
    if not kernel_tokeniser.is_compiled():
        run.enter(Phase.COMPILING, tr("Compiling the tokeniser (only once)"))
        with compile_lock("corpus"):
            kernel_tokeniser.warm()
        run.check()
    run.enter(Phase.READING, tr("Reading {name}", name=name))
    try:
        return _read_once(sources, options, run, name, checked=False)
    except NotUtf8 as error:
        piped = next((source for source in sources if source.piped), None)
        if piped is not None:
            raise UserError(
                tr(
                    "Couldn’t read {shown}: a pipe can be read only once, and the text "
                    "isn’t all UTF-8.",
                    shown=piped.shown,
                ),
                tr(
                    "Convert the text to UTF-8, for example with “iconv -t utf-8”, or save "
                    "it as a file."
                ),
            ) from error
        # Such texts are rare: checking every text would cost more than reading these twice.
        run.enter(Phase.READING, tr("Reading {name} again, because it isn’t all UTF-8", name=name))
        return _read_once(sources, options, run, name, checked=True)


def _read_once(
    sources: Sequence[FoundFile],
    options: CorpusOptions,
    run: JobControl,
    name: str,
    *,
    checked: bool,
) -> Corpus:
    refinement = Refinement(options)
    with scratch_folder() as scratch, scratch_folder() as other:
        read = partial(_tokenise, sources, options, scratch, other / "columns", run, checked)
        piped = any(source.piped for source in sources)
        tokenised, numbering = _tokenise_all(read, options, piped, name, run)
        begins = tokenised.rows.begins
        files = tokenised.files
        if numbering.tokens == 0:
            if not files and tokenised.failure is not None:
                raise tokenised.failure
            raise _nothing(sources, name, files)
        words, counts = numbering.words(), numbering.counts
        if refinement.active:
            run.advance(None, tr("Merging words"))
            merged = refinement.merge(words, counts, run)
            words, counts = merged.words, merged.counts
            if not words:
                raise UserError(
                    tr("No words of {name} are left after filtering.", name=name),
                    tr("Change the word lists, or lower the minimum length."),
                )
            files, begins = _renumber_kept_words(scratch, merged.numbers, files, begins, run)
        run.advance(None, tr("Ranking words by frequency"))
        # Stable: words of equal frequency stay in order of appearance.
        order = np.argsort(-counts, kind="stable")
        meta = {
            "name": name,
            "options": options.to_dict(),
            "files": [asdict(file) for file in files],
            "metadata": {"cut_words": numbering.cut_words},
        }
        digest = settle(scratch, order, words, counts, meta, run)
        corpus = tokenised.rows.save(begins, load(digest, run, check=False))
    corpus = replace(corpus, name=name, options=options, files=files)
    spelt = spelt_twice(words) if options.unicode_form == "none" else 0
    return replace(
        corpus, metadata={**corpus.metadata, **_reading_notes(tokenised, numbering, spelt)}
    )


def _tokenise_all(
    read: Callable[..., _Tokenised], options: CorpusOptions, piped: bool, name: str, run: JobControl
) -> tuple[_Tokenised, Numbering]:
    """Read until all files can be read as they are. read : takes a numbering, and the files to
    pass over. Raises UserError and Cancelled.
    """
    numbering = Numbering(options)
    tokenised = read(numbering)
    if tokenised.partly is not None:
        if piped:
            raise tokenised.partly
        note = tr("Reading {name} again, without the files that can’t be read", name=name)
        run.enter(Phase.READING, note)
        numbering = Numbering(options)
        tokenised = read(numbering, tokenised.passed)
        if tokenised.partly is not None:
            raise tokenised.partly
    joins = numbering.hyphenated()
    if joins and not piped:
        note = tr("Reading {name} again, because hyphens at line ends cut words", name=name)
        run.enter(Phase.READING, note)
        numbering = Numbering(options, joins)
        tokenised = read(numbering, tokenised.passed)
    return tokenised, numbering


def _renumber_kept_words(
    scratch: Path,
    new_numbers: Ids,
    files: Sequence[SourceFile],
    begins: Ints,
    run: JobControl,
) -> tuple[tuple[SourceFile, ...], Ints]:
    """Renumber the words in ``scratch`` after some were left out. Returns the files with their new
    lengths, and the new beginnings of rows, int64[r]. Raises Cancelled.
    """
    ends = np.cumsum([0, *(file.tokens for file in files)])
    places = np.concatenate([ends, begins])
    order = np.argsort(places, kind="stable")
    moved = np.empty_like(places)
    moved[order] = renumber(scratch, new_numbers, places[order], run)
    left, begins = np.diff(moved[: len(ends)]).tolist(), moved[len(ends) :]
    moved_files = (replace(file, tokens=tokens) for file, tokens in zip(files, left, strict=True))
    return tuple(moved_files), begins


def _reading_notes(tokenised: _Tokenised, numbering: Numbering, spelt: int) -> dict[str, Any]:
    """Entries of the metadata about the reading.

    spelt : number of words with two spellings that look the same
    """
    notes: dict[str, Any] = {}
    if numbering.wrapped:
        notes[WRAPPED] = numbering.wrapped
    repairs = numbering.repairs
    numbers = {
        "joined": repairs.joined,
        "apart": repairs.apart,
        "placeholders": repairs.placeholders,
        "ligatures": repairs.ligatures,
        "spelt_twice": spelt,
    }
    if any(numbers.values()):
        notes[REPAIRS] = numbers
    for key, unread in (
        (LEFT_OUT, tokenised.left_out),
        (PASSED_OVER, tuple(tokenised.passed.values())),
    ):
        if unread:
            # In the form that JSON returns when the corpus is loaded again.
            notes[key] = [{**asdict(file), "lines": list(file.lines)} for file in unread]
    return notes


@dataclass(frozen=True)
class _Tokenised:
    """Result of reading.

    files : those that were read, in order
    left_out : those that were left out on request
    passed : those that were passed over, by path, with the reason as their note; without one,
    nothing in their names says that they are text
    partly : why a text is passed over of which a part has been read, so that all texts must be
    read again without it
    rows : the values of columns
    failure : why the first text is passed over that couldn't be read
    """

    files: tuple[SourceFile, ...]
    left_out: tuple[SourceFile, ...]
    passed: dict[str, SourceFile]
    partly: UserError | None
    rows: RowValues
    failure: UserError | None


def _tokenise(
    sources: Sequence[FoundFile],
    options: CorpusOptions,
    scratch: Path,
    columns: Path,
    run: JobControl,
    checked: bool,
    numbering: Numbering,
    passed: Mapping[str, SourceFile] | None = None,
) -> _Tokenised:
    """Tokenise all sources but those in ``passed``; ids by order of appearance and sentence offsets
    go to ``scratch``, the codes of columns to ``columns``.

    Raises UserError and Cancelled, and NotUtf8 unless ``checked`` is set: then, more slowly,
    encodings are detected anywhere in a text, and bytes that cannot be decoded are replaced.
    """
    files: list[SourceFile] = []
    left_out: list[SourceFile] = []
    passed = dict(passed or {})
    rows = RowValues(columns)
    partly: UserError | None = None
    first: UserError | None = None
    total = sum(source.size for source in sources)
    known = not any(source.piped for source in sources)
    before = 0
    with (scratch / "ids").open("wb") as ids, (scratch / "sentences").open("wb") as sentences:
        sentences.write(np.zeros(1, dtype="<i8").tobytes())
        for source in sources:
            note = tr("Reading {name}", name=source.path.name)
            begun = len(files)
            if str(source.path) in passed:
                before += source.size
                continue
            with ExitStack() as stack:
                try:
                    file = stack.enter_context(_open_source(source, run))
                except UserError as error:
                    if not source.inside or options.unreadable == "stop":
                        raise
                    first = first or error
                    path = str(source.path)
                    passed[path] = SourceFile(path, source.size, "", note=error.message)
                    continue

                def watch(file: BinaryIO = file, note: str = note, before: int = before) -> None:
                    run.check()
                    _advance(
                        run,
                        note,
                        (before + file.tell()) / max(total, 1) if known else None,
                        numbering,
                    )

                for text in texts(source, file, options, checked, watch, passed.keys(), rows):
                    if text.left_out:
                        left_out.append(SourceFile(text.path, text.size, ""))
                        continue
                    if text.unknown:
                        passed[text.path] = SourceFile(text.path, text.size, "")
                        continue
                    already = numbering.tokens
                    rows.begin_file(already)
                    for numbers, ends in _tokens(text, numbering, rows):
                        ids.write(numbers.astype("<i4", copy=False).tobytes())
                        sentences.write(ends.astype("<i8", copy=False).tobytes())
                        watch()
                    if failure := text.findings.failure:
                        first = first or failure
                        note = failure.message
                        passed[text.path] = SourceFile(text.path, text.size, "", note=note)
                        # Members of an archive may have been read before it turned out damaged.
                        whole = text.path == str(source.path)
                        if numbering.tokens > already or (whole and len(files) > begun):
                            partly = partly or failure
                        continue
                    files.append(_file(text, numbering.tokens - already))
                if source.piped:
                    files[begun:] = [replace(each, size=file.tell()) for each in files[begun:]]
            changed = "" if source.piped else _describe_change(source)
            files[begun:] = [
                replace(each, note=f"{changed} {each.note}".strip()) for each in files[begun:]
            ]
            before += source.size
            _advance(run, note, before / max(total, 1) if known else None, numbering)
    return _Tokenised(tuple(files), tuple(left_out), passed, partly, rows, first)


def _tokens(text: TextDocument, numbering: Numbering, rows: RowValues) -> Iterator[Piece]:
    begin_row = rows.note if text.marked else None
    try:
        for block in text.blocks:
            yield from numbering.feed(block, begin_row=begin_row)
        yield from numbering.feed(b"", final=True, begin_row=begin_row)
    except TooSlowLine as error:
        raise error.to_user_error(text.shown) from error


def _file(text: TextDocument, tokens: int) -> SourceFile:
    found = text.findings
    return SourceFile(
        text.path,
        text.size,
        found.encoding,
        tokens,
        text.kind,
        found.column,
        found.undecodable,
        tuple(found.lines),
        " ".join(found.notes),
        found.declared,
    )


def _describe_change(source: FoundFile) -> str:
    """Describe how a file changed while it was read, "" if it didn't."""
    try:
        status = source.path.stat()
    except OSError:
        return tr("The file was deleted while it was read.")
    if status.st_size > source.size:
        return tr(
            "The file grew while it was read; only its first {size:,} bytes were used.",
            size=source.size,
        )
    if status.st_size < source.size or status.st_mtime_ns != source.mtime_ns:
        return tr("The file changed while it was read.")
    return ""


def _advance(run: JobControl, note: str, fraction: float | None, numbering: Numbering) -> None:
    """Report progress. ``fraction`` None: the total is unknown, as for a pipe."""
    if fraction is not None:
        # A zip's directory is at its end, so the position in the file may jump back.
        fraction = max(fraction, run.progress.fraction or 0.0)
    rate = numbering.tokens / max(run.phase_seconds(), 1e-9)
    run.advance(
        fraction, note, rate=rate, unit=tr("tokens"), tokens=numbering.tokens, types=numbering.types
    )


@contextmanager
def _open_source(source: FoundFile, run: JobControl) -> Iterator[BinaryIO]:
    try:
        file = cast(BinaryIO, Piped(source.path, run)) if source.piped else source.path.open("rb")
    except FileNotFoundError as error:
        raise UserError(
            tr("{shown} no longer exists.", shown=source.shown),
            tr("The file was deleted or renamed. Open it again under its new name."),
        ) from error
    except OSError as error:
        raise UserError(
            tr(
                "Couldn’t open {shown}: {strerror}.",
                shown=source.shown,
                strerror=error_text(error),
            ),
            tr("Check its permissions."),
        ) from error
    with file:
        yield file


def _nothing(sources: Sequence[FoundFile], name: str, files: Sequence[SourceFile]) -> UserError:
    if all(source.size == 0 and not source.piped for source in sources):
        return UserError(
            tr("{name} is empty.", name=sources[0].shown if len(sources) == 1 else name),
            tr("Choose a file with text in it."),
        )
    # Remarks on the first file may explain why.
    why = next((file.note for file in files if file.note), "")
    return UserError(
        f"{tr('{name} contains no words.', name=name)} {why}".strip(),
        tr("Choose a file with text in it, or another tokeniser."),
    )


# -- loading from the cache


_ALWAYS = ("tokeniser", "sentences", "lowercase")
# Version of the reading rules, which aren’t part of the options: corpora that were read by
# earlier rules are read again.
_RULES = 20


def _entry(sources: Sequence[FoundFile], options: CorpusOptions) -> Path:
    return cache_folder("corpora", "index") / f"{_key(sources, options)}.json"


def _key(sources: Sequence[FoundFile], options: CorpusOptions) -> str:
    files = [[str(source.path), source.size, source.mtime_ns, source.named] for source in sources]
    plain = CorpusOptions().to_dict()
    # Settings without effect are left out, so that corpora read before a setting was introduced are
    # found.
    chosen = {
        name: value
        for name, value in options.effective().to_dict().items()
        if name in _ALWAYS or (options.phrases if "phrase" in name else value != plain[name])
    }
    what = [VERSION, _RULES, unicodedata.unidata_version, chosen, files]
    # Other things that the words depend on: the version of a dictionary and the content of a list.
    others = [
        TOKENISERS[options.tokeniser].version(),
        *(list_digest(getattr(options, name)) for name in LISTS),
    ]
    if any(others):
        what.append(others)
    return hashlib.blake2b(json.dumps(what).encode(), digest_size=16).hexdigest()


def _load_entry(entry: Path, options: CorpusOptions, run: JobControl) -> Corpus:
    """The corpus that an entry of the index leads to. Raises Damaged."""
    try:
        content = read_json(entry)
        found = load(str(content["digest"]), run)
        files = tuple(SourceFile.from_json(file) for file in content["files"])
        if any(file.tokens < 0 for file in files):
            raise Damaged  # read by an earlier version
        metadata = {**found.metadata, **content.get("metadata", {})}
        corpus = replace(found, options=options, files=files, metadata=metadata)
        if (options.phrases and phrases_of(corpus) is None) or not are_complete(corpus):
            raise Damaged
        return corpus
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged from error
