"""Hyperparameters of the post-processing of trained vectors, declared once for every dense
algorithm.

``session.training`` applies them when a training ends; snapshots on the way show the vectors as
they are trained.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.language import tr
from workbench.core.param_labels import param_name, quoted_param
from workbench.core.params import param
from workbench.models.base import ModelParams
from workbench.vectors.postprocessing import OFF, RESULTS, Postprocessing


@dataclass(frozen=True)
class _Result(ModelParams):
    """Hyperparameter of the result; a base of its own, so that it is declared before the
    post-processing.
    """

    result: str = param(
        "w",
        "The word vectors alone, the sum of word and context vector, or both side by side.",
        label="Result",
        choices=RESULTS,
        source="word2vec.c, gensim and fastText: w; Levy, Goldberg & Dagan 2015 find w+c worth "
        "trying",
    )


@dataclass(frozen=True)
class VectorParams(ModelParams):
    """Hyperparameters of the post-processing of every dense algorithm."""

    all_but_the_top: int = param(
        OFF,
        "Take the mean of all vectors away, and then the D directions along which they vary most, "
        "which tell "
        "frequency more than meaning; 0 takes the mean alone, −1 leaves everything.",
        label="All but the top",
        symbol="D",
        low=OFF,
        high=200,
        unit="directions",
        grows="rare and frequent words become more alike; in the end meaning goes, too",
        source="−1: as trained; Mu & Viswanath 2018 advise one direction for every hundred "
        "dimensions",
    )
    normalise: bool = param(
        False,
        "Bring every vector to length 1 at the end. Cosines stay as they are; lengths, which go "
        "with frequency, "
        "are lost.",
        label="Normalise",
        source="word2vec.c and GloVe write vectors as trained",
    )

    def conflicts(self) -> dict[str, str]:
        dim = getattr(self, "dim", None)
        if isinstance(dim, int) and self.all_but_the_top >= dim:
            wrong = tr(
                "{name} must be below {other} ({dim:,}), not {all_but_the_top:,}.",
                name=param_name("all_but_the_top"),
                other=quoted_param("dim"),
                dim=dim,
                all_but_the_top=self.all_but_the_top,
            )
            return {"all_but_the_top": wrong, **super().conflicts()}
        return super().conflicts()

    def choice(self) -> Postprocessing:
        """The post-processing of the vectors that ``fit`` returns."""
        return Postprocessing("w", self.normalise, self.all_but_the_top)


@dataclass(frozen=True)
class ResultParams(VectorParams, _Result):
    """The same where there are context vectors of words."""

    def choice(self) -> Postprocessing:
        return Postprocessing(self.result, self.normalise, self.all_but_the_top)
