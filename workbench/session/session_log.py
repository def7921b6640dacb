"""Log of a session: sizes, algorithms and times, without words of texts."""

from __future__ import annotations

import logging

from workbench.core.logs import without_private_text
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session

_log = logging.getLogger("workbench.session")


class Journal:
    """Logs events of a session until it is released."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._corpus: object = None
        session.corpora.changed.connect(self._corpus_changed)
        session.training.finished.connect(self._log_finished)
        session.message.connect(self._log_message)

    def release(self) -> None:
        """Disconnect from the session."""
        self._session.corpora.changed.disconnect(self._corpus_changed)
        self._session.training.finished.disconnect(self._log_finished)
        self._session.message.disconnect(self._log_message)

    def _corpus_changed(self) -> None:
        corpus = self._session.corpora.current
        if corpus is not None and corpus is not self._corpus:
            self._corpus = corpus
            _log.info(
                "corpus open: %d tokens, %d types, %.12s",
                corpus.tokens,
                corpus.types,
                corpus.digest,
            )

    def _log_finished(self, record: RunRecord) -> None:
        trace = record.saved_trace
        seconds = float(trace.seconds[-1]) if trace is not None and len(trace.seconds) else 0.0
        error_name = f" ({type(record.error).__name__})" if record.error is not None else ""
        _log.info(
            "training %s: %s after %.1f s%s",
            record.algorithm,
            record.state.value,
            seconds,
            error_name,
        )

    def _log_message(self, text: str, hint: str, is_error: bool) -> None:
        if is_error:
            _log.warning("said: %s", without_private_text(f"{text} {hint}"))
