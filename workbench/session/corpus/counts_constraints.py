"""Limits on algorithms and parameters while counts are open instead of a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.core.errors import UserError
from workbench.core.params import Value
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.base import MODELS, Model
from workbench.session.corpus.counts_params import fixed_values


class CountedChoice:
    """One panel's choice, checked against what is open there.

    corpus : returns the open corpus or counts, or None
    """

    def __init__(self, corpus: Callable[[], Corpus | None]) -> None:
        self._corpus = corpus
        # Why the algorithm of the last call of ``values`` can’t train on the open corpus, or "".
        self.lacking = ""
        # The key of the algorithm that another replaces while only counts are open, or "".
        self._waiting = ""

    def values(self, kind: type[Model]) -> Mapping[str, Value]:
        """Settings of an algorithm that the counts fix. Sets ``lacking`` for this algorithm."""
        self.lacking = self.why_not(kind)
        if self.lacking:
            return {}
        return fixed_values(self._corpus(), kind)

    def why_not(self, kind: type[Model]) -> str:
        """Why an algorithm can't train on the open corpus, or ""."""
        try:
            fixed_values(self._corpus(), kind)
        except UserError as error:
            return str(error)
        return ""

    def instead_of(self, chosen: type[Model] | None) -> str:
        """The key of the algorithm to choose after another corpus was opened, or "" to keep the
        chosen one.

        If the chosen algorithm can't train from counts, the first one that can replaces it. The
        next text restores the former, unless the user chose another one meanwhile.
        """
        able = next((kind.key for kind in MODELS if kind.from_counts), "")
        counts = isinstance(self._corpus(), CountedCorpus)
        if counts and chosen is not None and not chosen.from_counts and able:
            self._waiting = chosen.key
            return able
        if not counts and self._waiting:
            waiting, self._waiting = self._waiting, ""
            if chosen is not None and chosen.key == able:
                return waiting
            return ""
        return ""
