"""Scene of a lesson: corpora and runs by the names that the lesson gives them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.methods import PROJECTIONS
from workbench.analysis.projection.space import Space
from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings, PairsKept
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.session.kernel_compiler import compile_sets
from workbench.vectors.embeddings import Embeddings

T = TypeVar("T")
_MAP_EPOCHS = 200


class LessonCache:
    """Counts, maps and other results that several measures share, computed once and kept across
    lessons. Thread-safe.
    """

    def __init__(self) -> None:
        self.pairs = PairsKept(6)
        # The owner is held, so that no other object gets its id.
        self._found: dict[tuple[object, ...], tuple[object, Any]] = {}
        self._lock = threading.Lock()

    def once(self, owner: object, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The result with this key for a corpus or for vectors: the kept one, or made now."""
        whole = (id(owner), *key)
        with self._lock:
            kept = self._found.get(whole)
        if kept is None:
            kept = owner, make()
            with self._lock:
                self._found[whole] = kept
        found: T = kept[1]
        return found


class LessonScene:
    """A corpus, runs by label with their corpora, and the cache of their counts and maps."""

    def __init__(
        self,
        corpus: Corpus | None,
        runs: Mapping[str, tuple[Embeddings, Corpus]],
        run: JobControl,
        kept: LessonCache | None = None,
        seed: int = 1,
    ) -> None:
        self.run = run
        self.seed = seed
        self._corpus = corpus
        self._runs = runs
        self._kept = kept or LessonCache()

    @property
    def corpus(self) -> Corpus:
        if self._corpus is None:
            raise UserError(tr("No corpus is open."), tr("Open the corpus that the lesson uses."))
        return self._corpus

    def vectors(self, label: str) -> Embeddings:
        return self._find_run(label)[0]

    def corpus_of(self, label: str) -> Corpus:
        return self._find_run(label)[1]

    def pairs(
        self, corpus: Corpus, counting: PairCountSettings, embeddings: Embeddings | None = None
    ) -> PairCounts:
        return self._kept.pairs.get(corpus, counting, 0, embeddings, self.run)

    def map_of(self, label: str, how: str, words: int, seed: int) -> npt.NDArray[np.float32]:
        model = self.vectors(label)
        projection = PROJECTIONS[how]

        def make() -> npt.NDArray[np.float32]:
            params = None
            if projection.params_type is not None:
                params = projection.params_type(
                    limit=max(words, 4), seed=seed, n_epochs=_MAP_EPOCHS
                )
            compile_sets(projection.kernels, self.run)
            space = Space(model, slice(min(words, len(model))))
            return projection.project(space, params, self.run).positions

        drawn = seed if projection.params_type is not None else 0
        return self.once(model, ("map", how, words, drawn), make)

    def once(self, owner: object, key: tuple[object, ...], make: Callable[[], T]) -> T:
        return self._kept.once(owner, key, make)

    def _find_run(self, label: str) -> tuple[Embeddings, Corpus]:
        found = self._runs.get(label)
        if found is None:
            raise UserError(
                tr("The run “{label}” hasn’t been trained yet.", label=label),
                tr("Run the step of the lesson that trains it first."),
            )
        return found
