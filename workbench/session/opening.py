"""What a session opens, and how it is remembered until the next start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.core.errors import ParameterError
from workbench.core.run import Phase, Run
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.session.settings import exists
from workbench.session.training import read_corpus, sample_key
from workbench.session.warming import Compilation
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class Opened:
    """What came of opening: perhaps a corpus, and vectors with their names.

    sample : the key of the bundled corpus, or ""
    paths : absolute, everything that was asked for; empty for a sample
    corpus_paths : absolute, what the corpus was read from
    """

    corpus: Corpus | None = None
    vectors: tuple[tuple[str, Embeddings], ...] = ()
    sample: str = ""
    paths: tuple[str, ...] = ()
    corpus_paths: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The corpus as the settings remember it."""
        if self.corpus is None or (self.sample and not self.corpus.options.phrases):
            return {"sample": self.sample}
        if self.sample:
            return {"sample": self.sample, "options": self.corpus.options.to_dict()}
        return {"paths": list(self.corpus_paths), "options": self.corpus.options.to_dict()}


@dataclass(frozen=True)
class Remembered:
    """The corpus that was open last."""

    sample: str = ""
    paths: tuple[str, ...] = ()
    options: CorpusOptions | None = None


def open_files(paths: Sequence[str], options: CorpusOptions | None, run: Run) -> Opened:
    """Read vector files and, of the rest, one corpus. Raises UserError and Cancelled."""
    from workbench.vectors.formats import load_vectors, sniff

    key = sample_key(paths)
    if key:
        return open_bundled(key, run, options)
    run.enter(Phase.READING, "Looking at the files.")
    vectors, texts = [], []
    for path in (Path(path) for path in paths):
        run.check()
        kind = sniff(path) if path.exists() else None
        if kind is None:
            texts.append(str(path))
        else:
            run.advance(None, f"Reading the vectors of {path.name}.")
            vectors.append((path.stem, load_vectors(path, kind)))
    corpus = _corpus(lambda: read_corpus(texts, options, run), run) if texts else None
    return Opened(
        corpus=corpus,
        vectors=tuple(vectors),
        paths=tuple(_absolute(path) for path in paths),
        corpus_paths=tuple(_absolute(path) for path in texts),
    )


def open_bundled(key: str, run: Run, options: CorpusOptions | None = None) -> Opened:
    """Open, and at first generate, a bundled corpus; of ``options`` those about phrases are followed.

    Raises UserError and Cancelled.
    """
    from workbench.corpus.samples import open_sample

    return Opened(corpus=_corpus(lambda: open_sample(key, run, options), run), sample=key)


def _corpus(read: Callable[[], Corpus], run: Run) -> Corpus:
    """What ``read`` returns, once all that a first look at it calls is compiled."""
    with Compilation("counts", "analysis") as others:
        with Compilation("corpus") as needed:
            needed.wait(run)
        run.enter(Phase.READING)
        corpus = read()
        others.wait(run)
    return corpus


def remembered(value: object) -> Remembered | None:
    """What the settings say was open last, if it makes sense and is still there."""
    if not isinstance(value, dict):
        return None
    sample, paths = value.get("sample"), value.get("paths")
    options = value.get("options")
    try:
        made = CorpusOptions.from_mapping(options) if isinstance(options, dict) else CorpusOptions()
    except ParameterError:
        made = CorpusOptions()
    if isinstance(sample, str) and sample:
        from workbench.corpus.samples import SAMPLES

        return Remembered(sample=sample, options=made) if sample in SAMPLES else None
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        return None
    if not all(exists(path) for path in paths):
        return None
    return Remembered(paths=tuple(paths), options=made)


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())
