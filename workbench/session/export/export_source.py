"""Run to export: its vectors, the settings that repeat its training, and its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from workbench.analysis.evaluation.leaderboard import Score
from workbench.core.errors import ParameterError
from workbench.core.job_control import Trace
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.core.paths import exists
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.file_discovery import ARCHIVE_SUFFIXES
from workbench.models.base import MODELS, Architecture, Model
from workbench.models.params import ModelParams, VectorParams
from workbench.session.runs.run_record import no_trace
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, choice_of


@dataclass(frozen=True, eq=False)
class Recipe:
    """How vectors were trained, as far as the training can be repeated.

    kind, params : the algorithm and its parameters
    corpus : name, digest, tokens, types and files, as in the provenance
    options : how the corpus was read
    sample : the key of the bundled corpus, or ""
    choice : postprocessing beyond that in the parameters; None: none
    continued : the provenance of the run that it continues; None for a run from the beginning
    counts : the description of the counts that it was trained from (``CountedCorpus.describe``);
    None for a text
    """

    kind: type[Model]
    params: ModelParams
    corpus: Mapping[str, Any]
    options: CorpusOptions
    sample: str
    choice: Postprocessing | None
    continued: Mapping[str, Any] | None
    counts: Mapping[str, Any] | None = None

    def value(self, name: str, otherwise: Any = None) -> Any:
        """A parameter by name; ``otherwise`` if the algorithm has no such parameter."""
        return getattr(self.params, name, otherwise)

    @property
    def architecture(self) -> Architecture:
        """Architecture of an algorithm that has one."""
        assert self.kind.architecture is not None
        return self.kind.architecture

    @property
    def sources(self) -> list[str]:
        """Arguments of ``read_corpus``: the key of a bundled corpus, or each file or archive
        once.
        """
        if self.sample:
            return [self.sample]
        found = self.corpus.get("files")
        known = [path for path in found if isinstance(path, str)] if isinstance(found, list) else []
        return list(dict.fromkeys(map(_openable_path, known))) or [str(self.corpus.get("name", ""))]

    @property
    def folder(self) -> str:
        """Folder of the counts, "" for a text."""
        return str((self.counts or {}).get("folder", ""))

    @property
    def reading(self) -> dict[str, Value]:
        """The reading options that matter and differ from the default, by name."""
        return self.options.effective().non_defaults()


@dataclass(frozen=True, eq=False)
class ExportSource:
    """A run to export.

    name : name of the run or of the file
    trace : its loss; scores : its scores by the title of each set; words : the words whose
    neighbours the report shows
    parent_file : file of the vectors that it continues, or ""
    """

    name: str
    embeddings: Embeddings
    trace: Trace = field(default_factory=no_trace)
    scores: tuple[tuple[str, Score], ...] = ()
    words: tuple[str, ...] = ()
    parent_file: str = ""

    @property
    def metadata(self) -> Mapping[str, Any]:
        return self.embeddings.metadata

    @cached_property
    def recipe(self) -> Recipe | None:
        """The recipe of the vectors; None if the provenance doesn't say how they were trained."""
        return _recipe(self.embeddings)

    @property
    def one_thread(self) -> bool:
        """Whether one thread trained the run, so that training again gives the same vectors."""
        return self.recipe is not None and self.recipe.value("threads") == 1

    @property
    def is_complete(self) -> bool:
        """Whether the training completed."""
        return not self.metadata.get("stopped") and "diverged" not in self.metadata

    @cached_property
    def digest(self) -> str:
        """BLAKE2b of the vectors as little-endian float32, row by row; of sparse vectors, of the
        stored values.
        """
        vectors = self.embeddings.vectors
        numbers = vectors if isinstance(vectors, np.ndarray) else vectors.data
        return hashlib.blake2b(
            np.ascontiguousarray(numbers, dtype="<f4").tobytes(), digest_size=16
        ).hexdigest()


def _openable_path(path: str) -> str:
    """The file to open for a text: the text itself, or the archive that contains it."""
    places = [Path(path), *Path(path).parents]
    for place in places:
        if exists(str(place)) and place.is_file():
            return str(place)
    archives = (place for place in places if place.suffix.lower() in ARCHIVE_SUFFIXES)
    return str(next(archives, Path(path)))


NO_RECIPE = tr("The vectors don’t contain their training settings.")


def _recipe(embeddings: Embeddings) -> Recipe | None:
    known = embeddings.metadata
    key, values, corpus = known.get("algorithm"), known.get("parameters"), known.get("corpus")
    if not isinstance(key, str) or key not in MODELS or not isinstance(values, Mapping):
        return None
    if not isinstance(corpus, Mapping):
        return None
    kind, counts = MODELS[key], corpus.get("counts")
    able = kind.from_counts or kind.own_contexts
    if counts is not None and not (isinstance(counts, Mapping) and able):
        return None
    options = corpus.get("options")
    names = {spec.name for spec in CorpusOptions.specs()}
    # The scheduler is of no use to others, and may be the address of a private machine.
    values = {name: value for name, value in values.items() if name != "scheduler"}
    try:
        params = kind.params_type.from_mapping(values)
        if isinstance(options, Mapping):
            chosen = {k: v for k, v in options.items() if k in names}
        else:
            chosen = {}
        read = CorpusOptions.from_mapping(chosen)
    except ParameterError:
        return None
    trained = params.choice() if isinstance(params, VectorParams) else Postprocessing()
    choice = choice_of(embeddings)
    continued = known.get("continued")
    return Recipe(
        kind,
        params,
        corpus,
        read,
        _sample_key(corpus) if counts is None else "",
        None if choice == trained else choice,
        continued if isinstance(continued, Mapping) else None,
        counts,
    )


def _sample_key(corpus: Mapping[str, Any]) -> str:
    """The key of the bundled corpus with that name and a text in the folder of bundled texts."""
    from workbench.corpus.samples import SAMPLES

    for key, sample in SAMPLES.items():
        files = corpus.get("files")
        named = isinstance(files, list) and any(
            Path(str(path)).name.startswith(f"{key}-") for path in files
        )
        if sample.title == corpus.get("name") and (named or not files):
            return key
    return ""
