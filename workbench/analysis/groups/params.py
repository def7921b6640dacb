"""How words are compared between groups."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.language import tr
from workbench.core.param_labels import param_name
from workbench.core.params import param, redeclare
from workbench.models.count.svd import SVDParams
from workbench.models.params import ModelParams, SharedParams

PPMI, SVD, A_LA_CARTE, SGNS = "ppmi", "svd", "alacarte", "sgns"
# Resampled texts and shuffles: products of small matrices, and whole trainings.
_USUAL, _TRAININGS = 200, 5


@dataclass(frozen=True)
class GroupedParams(ModelParams):
    """Settings of words in groups."""

    method: str = param(
        SVD,
        "Vectors of a word in a group. svd: its row of PPMI in this group, in the space of the SVD "
        "of the whole text; ppmi: this row itself; alacarte: the mean of the vectors of its "
        "contexts, times the matrix that makes such means like vectors, for rare words; sgns: "
        "trained on the text with a word of its own for each group.",
        label="Method",
        choices=(PPMI, SVD, A_LA_CARTE, SGNS),
        basic=True,
    )
    window: int = redeclare(SharedParams, "window")
    window_weighting: str = redeclare(SharedParams, "window_weighting")
    dim: int = redeclare(SharedParams, "dim")
    shift: float = redeclare(
        SharedParams,
        "shift",
        1.0,
        "1: no shift; LGD15 advise it for PPMI",
    )
    context_smoothing: float = redeclare(SharedParams, "context_smoothing")
    eig: float = redeclare(SVDParams, "eig")
    epochs: int = redeclare(SharedParams, "epochs")
    replicates: int = param(
        0,
        "Number of texts of drawn documents for the bands. 0 = 200, with sgns 5, because each is a "
        "training.",
        label="Resampled texts",
        low=0,
        high=100_000,
        grows="smoother ends of the bands; slower",
        basic=True,
    )
    shuffles: int = param(
        0,
        "Number of shuffles of the groups over documents, for the control. 0 = 200, with sgns 5.",
        label="Shuffles",
        low=0,
        high=100_000,
        grows="smaller p can be reached; slower",
        basic=True,
    )
    seed: int = redeclare(
        SharedParams,
        "seed",
        doc="Random seed of the drawn documents, the shuffles and the training.",
    )
    threads: int = redeclare(SharedParams, "threads")

    def conflicts(self) -> dict[str, str]:
        if self.replicates == 1:
            return {
                "replicates": tr(
                    "{name} must be 0 or at least 2: one text has no spread.",
                    name=param_name("replicates"),
                )
            }
        return super().conflicts()

    @property
    def texts_drawn(self) -> int:
        """Number of resampled texts."""
        return self.replicates or self._usual

    @property
    def shuffled(self) -> int:
        """Number of shuffles."""
        return self.shuffles or self._usual

    @property
    def _usual(self) -> int:
        return _TRAININGS if self.method == SGNS else _USUAL
