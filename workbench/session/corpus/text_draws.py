"""Error bars of runs from the open text: one training is kept, so that panels share its refits."""

from __future__ import annotations

import threading

from workbench.analysis.resampling.texts_drawn import ResampleParams, TextDraws, draws_with
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.corpus.belonging import mismatch
from workbench.session.runs.run_record import RunRecord

# Bytes of refits that are kept.
_KEEP = 192 << 20
# Number of drawn texts if each only takes new counts, and if each is a training.
TEXTS, TRAININGS = ResampleParams.resample, 5


def why_not_drawn(record: RunRecord | None, corpus: Corpus | None) -> UserError | None:
    """Why a run has no error bars from the open text; None if it can have them."""
    if record is None:
        return UserError(tr("No run selected"), tr("Train a model first."))
    if record.algorithm not in MODELS:
        return UserError(
            tr("These vectors come from a file, so their training settings are unknown."),
            tr("Train a model here to see error bars."),
        )
    other = mismatch(record, corpus)
    if corpus is None or other is not None:
        return UserError(
            tr("Error bars need the text of this run."),
            tr("Open {corpus}.", corpus=record.corpus_name or tr("the text of the run")),
        )
    return None


class TextDrawsKept:
    """The training that was repeated last, with its refits. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[str, str] = ("", "")
        self._held: TextDraws | None = None

    def get(self, record: RunRecord, corpus: Corpus) -> TextDraws:
        """The training of a run, to be repeated on texts of drawn documents of its text. Raises
        UserError for a text of one document.
        """
        key = (record.identifier, corpus.digest)
        with self._lock:
            if self._held is None or self._key != key:
                self._held = draws_with(
                    record.algorithm, record.parameters, corpus, ResampleParams(), _KEEP
                )
                self._key = key
            return self._held

    def forget(self) -> None:
        """Release the refits."""
        with self._lock:
            self._held, self._key = None, ("", "")


def number_of_texts(draws: TextDraws) -> int:
    """Number of texts that are drawn while one looks."""
    return TEXTS if draws.recounts else TRAININGS
