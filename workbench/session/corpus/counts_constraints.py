"""Limits on algorithms and parameters while counts are open instead of a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.core.errors import UserError
from workbench.core.params import Value
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.base import MODELS, Model
from workbench.session.training.counts_params import fixed_values


class CountedChoice:
    """One panel's choice, checked against what is open there.

    corpus : gives what is open now, or None
    """

    def __init__(self, corpus: Callable[[], Corpus | None]) -> None:
        self._corpus = corpus
        # Why what is open does not suffice for the algorithm whose values were asked for last, or
        # "".
        self.lacking = ""
        # The key of the algorithm that another replaces for as long as there are only counts, or
        # "".
        self._waiting = ""

    def values(self, kind: type[Model]) -> Mapping[str, Value]:
        """Settings of an algorithm that the counts fix; ``lacking`` is of this algorithm from here
        on.
        """
        self.lacking = self.why_not(kind)
        if self.lacking:
            return {}
        return fixed_values(self._corpus(), kind)

    def why_not(self, kind: type[Model]) -> str:
        """Why what is open does not suffice for an algorithm, or ""."""
        try:
            fixed_values(self._corpus(), kind)
        except UserError as error:
            return str(error)
        return ""

    def instead_of(self, chosen: type[Model] | None) -> str:
        """The key of the algorithm to choose now that something else was opened, or "" for the one
        there is.

        If counts do not suffice for the chosen algorithm, the first for which they suffice replaces
        it; with the next text the other comes back, unless another was chosen meanwhile.
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
