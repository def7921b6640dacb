"""Corpora on disk: read once, then memory-mapped.

A corpus lies in the cache under its digest as raw little-endian arrays, which are mapped and never
loaded whole: ``ids`` int32, ``sentences`` int64, ``counts`` int64, ``words.txt`` one a line, and
``meta.json``. A small file in ``corpora/index`` leads from a set of unchanged files and options to
the digest. What is found there is checked against its digest before it is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from workbench.core.atomic import cannot_write, new_folder, replacing
from workbench.core.errors import UserError
from workbench.core.paths import cache_folder
from workbench.core.run import Phase, Run
from workbench.corpus import tokenise
from workbench.corpus.corpus import Corpus, CorpusOptions, SourceFile
from workbench.corpus.reader import MEND, Text, texts
from workbench.corpus.sources import Source, corpus_name, gather

# Raise it when the same text would give other ids, words or sentences than before.
_VERSION = 1

_BLOCK = 1 << 20
_DAY = 24 * 3600.0


class _Damaged(Exception):
    """A cache entry is missing or not what it should be."""


def open_corpus(
    paths: Sequence[str | Path],
    options: CorpusOptions | None = None,
    run: Run | None = None,
    name: str = "",
) -> Corpus:
    """Read text files, archives and folders as one corpus, or find it read before.

    Memory grows with the number of types, not of tokens. Progress is by bytes as stored. Raises
    UserError for what cannot be read as text and for a corpus without words, and Cancelled; then
    nothing stays on disk.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    options = options or CorpusOptions()
    run = run or Run()
    sources = gather(paths)
    name = name or corpus_name(paths)
    entry = cache_folder("corpora", "index") / f"{_key(sources, options)}.json"
    try:
        found = _load(_digest_in(entry), run)
        files = tuple(SourceFile(**file) for file in _read_json(entry)["files"])
        if any(file.tokens < 0 for file in files):
            raise _Damaged  # read by an earlier version
        return replace(found, name=name, options=options, files=files)
    except (_Damaged, KeyError, TypeError):
        pass
    corpus = _read(sources, options, run, name)
    if _unchanged(sources, paths):  # else nobody knows what was read
        with replacing(entry) as temporary:
            content = {"digest": corpus.digest, "files": [asdict(file) for file in corpus.files]}
            temporary.write_text(json.dumps(content), encoding="utf-8")
    return corpus


def _unchanged(sources: Sequence[Source], paths: Sequence[str | Path]) -> bool:
    try:
        return gather(paths) == sources
    except UserError:
        return False


def load_corpus(digest: str) -> Corpus:
    """A corpus read before, from the cache. Raises UserError if it is gone or damaged."""
    try:
        return _load(digest, Run())
    except _Damaged as error:
        raise UserError("This corpus is no longer in the cache.", "Open its files again.") from error


# -- reading


def _read(sources: Sequence[Source], options: CorpusOptions, run: Run, name: str) -> Corpus:
    if not tokenise.compiled():
        run.enter(Phase.COMPILING, "Compiling the tokeniser, which happens once")
        tokenise.warm()
        run.check()
    run.enter(Phase.READING, f"Reading {name}")
    tokeniser = tokenise.Tokeniser(options)
    with _scratch() as scratch:
        files = _spill(sources, tokeniser, scratch, run)
        if tokeniser.tokens == 0:
            raise _nothing(sources, name)
        run.advance(None, "Ranking words by frequency")
        # Stable: words seen equally often stay in order of appearance.
        order = np.argsort(-tokeniser.counts, kind="stable")
        spelled = tokeniser.words()
        _rank_ids(scratch / "ids", order, run)
        (scratch / "words.txt").write_bytes("\n".join([spelled[row] for row in order]).encode())
        counts = tokeniser.counts[order].astype("<i8")
        (scratch / "counts").write_bytes(counts.tobytes())
        digest = _digest(scratch, run)
        meta = {
            "version": _VERSION,
            "name": name,
            "options": options.to_dict(),
            "tokens": tokeniser.tokens,
            "types": tokeniser.types,
            "counts": hashlib.blake2b(counts.tobytes(), digest_size=16).hexdigest(),
            "files": [asdict(file) for file in files],
            "metadata": {"cut_words": tokeniser.cut_words},
        }
        (scratch / "meta.json").write_text(json.dumps(meta, indent=1), encoding="utf-8")
        _keep(scratch, digest, run)
    return replace(_load(digest, run, check=False), name=name, options=options, files=files)


def _spill(sources: Sequence[Source], tokeniser: tokenise.Tokeniser, scratch: Path, run: Run) -> tuple[SourceFile, ...]:
    """Tokenise all sources; ids by order of appearance and sentence offsets go to ``scratch``."""
    files = []
    total = sum(source.size for source in sources)
    before = 0
    with (scratch / "ids").open("wb") as ids, (scratch / "sentences").open("wb") as sentences:
        sentences.write(np.zeros(1, dtype="<i8").tobytes())
        for source in sources:
            note = f"Reading {source.path.name}"
            with _opened(source) as file:
                for text in texts(source, file):
                    already = tokeniser.tokens
                    for numbers, ends in _tokens(text, tokeniser):
                        run.check()
                        ids.write(numbers.astype("<i4", copy=False).tobytes())
                        sentences.write(ends.astype("<i8", copy=False).tobytes())
                        _advance(run, note, (before + file.tell()) / max(total, 1), tokeniser)
                    files.append(SourceFile(text.path, text.size, text.encoding, tokeniser.tokens - already))
            before += source.size
            _advance(run, note, before / max(total, 1), tokeniser)
    return tuple(files)


def _tokens(text: Text, tokeniser: tokenise.Tokeniser) -> Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]]:
    try:
        for block in text.blocks:
            yield tokeniser.feed(block)
        yield tokeniser.feed(b"", final=True)
    except tokenise.NotUtf8 as error:
        offset = error.offset + text.mark
        raise UserError(
            f"{text.shown} is not UTF-8: byte 0x{error.byte:02X} at offset {offset:,}, in line {error.line:,}.", MEND
        ) from error


def _advance(run: Run, note: str, fraction: float, tokeniser: tokenise.Tokeniser) -> None:
    # A zip's directory stands at its end, so that the place in the file may jump back.
    fraction = max(fraction, run.progress.fraction or 0.0)
    rate = tokeniser.tokens / max(run.phase_seconds(), 1e-9)
    run.advance(fraction, note, rate=rate, unit="tokens", tokens=tokeniser.tokens, types=tokeniser.types)


def _nothing(sources: Sequence[Source], name: str) -> UserError:
    if all(source.size == 0 for source in sources):
        return UserError(
            f"{sources[0].shown if len(sources) == 1 else name} is empty.", "Choose a file with text in it."
        )
    return UserError(f"{name} holds no words.", "Choose a file with text in it, or another tokeniser.")


@contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    try:
        file = source.path.open("rb")
    except OSError as error:
        raise UserError(f"{source.shown} cannot be opened ({error.strerror}).", "Check its permissions.") from error
    with file:
        yield file


def _rank_ids(path: Path, order: npt.NDArray[np.intp], run: Run) -> None:
    """Replace numbers by order of appearance with ranks, in place."""
    rank = np.empty(len(order), dtype="<i4")
    rank[order] = np.arange(len(order), dtype="<i4")
    # Not through a memory map, whose changed pages would all count as this process's memory.
    with path.open("r+b") as file:
        while block := file.read(4 * _BLOCK):
            run.check()
            file.seek(-len(block), os.SEEK_CUR)
            file.write(rank[np.frombuffer(block, dtype="<i4")].tobytes())


# -- on disk


def _key(sources: Sequence[Source], options: CorpusOptions) -> str:
    files = [[str(source.path), source.size, source.mtime_ns, source.named] for source in sources]
    what = [_VERSION, unicodedata.unidata_version, options.to_dict(), files]
    return hashlib.blake2b(json.dumps(what).encode(), digest_size=16).hexdigest()


def _digest(folder: Path, run: Run) -> str:
    """blake2b over words, sentence offsets and ids, each preceded by its length in bytes."""
    digest = hashlib.blake2b(digest_size=16)
    for name in ("words.txt", "sentences", "ids"):
        path = folder / name
        digest.update(path.stat().st_size.to_bytes(8, "little"))
        with path.open("rb") as file:
            while block := file.read(4 * _BLOCK):
                run.check()
                digest.update(block)
    return digest.hexdigest()


def _keep(scratch: Path, digest: str, run: Run) -> None:
    """Move what was made to its place in the cache, unless the same lies there whole already."""
    place = cache_folder("corpora") / digest
    try:
        _load(digest, run)
        return
    except _Damaged:
        shutil.rmtree(place, ignore_errors=True)
    with new_folder(place) as temporary:
        for file in scratch.iterdir():
            file.replace(temporary / file.name)


def _load(digest: str, run: Run, check: bool = True) -> Corpus:
    """Raises _Damaged unless everything is there and, with ``check``, as it was written."""
    folder = cache_folder("corpora") / digest
    if len(digest) != 32 or not digest.isalnum():
        raise _Damaged
    try:
        meta = _read_json(folder / "meta.json")
        if meta["version"] != _VERSION or (check and _digest(folder, run) != digest):
            raise _Damaged
        counts = np.fromfile(folder / "counts", dtype="<i8")
        if hashlib.blake2b(counts.tobytes(), digest_size=16).hexdigest() != meta["counts"]:
            raise _Damaged
        counts.flags.writeable = False
        return Corpus(
            name=meta["name"],
            ids=np.asarray(np.memmap(folder / "ids", dtype="<i4", mode="r")),
            sentences=np.asarray(np.memmap(folder / "sentences", dtype="<i8", mode="r")),
            words=tuple((folder / "words.txt").read_text(encoding="utf-8").split("\n")),
            counts=counts,
            digest=digest,
            options=CorpusOptions.from_mapping(meta["options"]),
            files=tuple(SourceFile(**file) for file in meta["files"]),
            folder=folder,
            metadata=meta["metadata"],
        )
    except (OSError, KeyError, TypeError, ValueError, UserError) as error:
        raise _Damaged from error


def _digest_in(entry: Path) -> str:
    return str(_read_json(entry)["digest"])


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _Damaged from error
    if not isinstance(content, dict):
        raise _Damaged
    return content


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder beside the corpora that is gone when the block ends, however it ends."""
    corpora = cache_folder("corpora")
    try:
        for old in corpora.glob(".*.part"):
            # Left behind by a process that was killed; a day is longer than any reading takes.
            if time.time() - old.stat().st_mtime > _DAY:
                shutil.rmtree(old, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=".reading.", suffix=".part", dir=corpora) as folder:
            yield Path(folder)
    except OSError as error:
        raise cannot_write(corpora, error) from error
