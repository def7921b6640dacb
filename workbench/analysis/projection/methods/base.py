"""Base class of projections. Each projection has its own module."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import ClassVar

import scipy.sparse as sp

from workbench.analysis.projection.placing import place_between, place_linearly
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.analysis.projection.umap_learn import place_words, prepare
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr


class Need(Enum):
    """What a projection needs besides the vectors of one model."""

    AXES = "axes"
    ANALOGY = "analogy"
    OTHER = "other"
    GROUPS = "groups"


class Projection(ABC):
    """A way to place words in two or three dimensions.

    ``short`` is the title in narrow places, ``help`` a sentence that says what the map shows.
    ``dims`` : numbers of dimensions that it offers. ``needs`` : what it needs besides vectors.
    ``params_type`` : its settings; None if it has none. ``moves`` : it takes time, starts from PCA
    and publishes its "positions" while it works. ``kernels`` : names of the sets of kernels that
    it calls in this process. ``by_umap_learn`` : it calls umap-learn. ``fewest`` : the minimum
    number of words.

    Words with equal vectors have one place, and the same seed gives the same map.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    short: ClassVar[str] = ""
    help: ClassVar[str]
    order: ClassVar[int] = 100
    dims: ClassVar[tuple[int, ...]] = (2,)
    needs: ClassVar[tuple[Need, ...]] = ()
    params_type: ClassVar[type[UmapParams] | None] = None
    moves: ClassVar[bool] = False
    kernels: ClassVar[tuple[str, ...]] = ()
    by_umap_learn: ClassVar[bool] = False
    fewest: ClassVar[int] = 1

    @classmethod
    def project(
        cls, space: Space, params: UmapParams | None = None, run: JobControl | None = None
    ) -> Projected:
        """Positions of the words of a space: float32[n, space.dims].

        params : of ``params_type``; None: the defaults. Raises UserError for too few words and if
        the space lacks what the projection needs, and Cancelled.
        """
        size = space.unit.shape[0]
        if size < cls.fewest:
            raise UserError(
                tr(
                    "{title} needs at least {fewest} words, but only {size} are shown.",
                    title=cls.title,
                    fewest=cls.fewest,
                    size=size,
                ),
                tr("Show more words."),
            )
        for need in cls.needs:
            if getattr(space, need.value) is None:
                raise UserError(
                    tr("{title} isn’t available: {reason}", title=cls.title, reason=_LACKS[need]),
                    _REMEDIES[need],
                )
        if params is None and cls.params_type is not None:
            params = cls.params_type()
        return cls.compute(space, params or UmapParams(), run or JobControl())

    @classmethod
    def prepare(cls) -> None:
        """Start loading what the projection needs, because it will probably be asked for. Returns
        at once.
        """
        if cls.by_umap_learn:
            prepare()

    @classmethod
    @abstractmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        """``project`` of a space that contains enough words and what the projection needs."""

    @classmethod
    def place(
        cls,
        unit: Singles | sp.csr_matrix,
        positions: Singles,
        new: Singles,
        params: UmapParams,
        run: JobControl,
    ) -> Singles:
        """Positions of new words on a finished map by this projection, whose words stay in place:
        float32[m, dims].

        unit : float32[n, d], unit rows of the words on the map, at ``positions`` float32[n, dims]
        new : float32[m, d], unit rows of words that aren't on it

        Raises UserError if the positions follow neither from neighbours nor linearly from the
        vectors, and Cancelled.
        """
        if not cls.moves:
            found = place_linearly(unit, positions, new)
            if found is not None:
                return found
            raise UserError(
                tr("No words can be placed on a map by “{title}”.", title=cls.title),
                tr("Choose PCA or UMAP."),
            )
        return place_words(unit, positions, new, params, run)

    @classmethod
    def place_at_once(
        cls,
        unit: Singles | sp.csr_matrix,
        positions: Singles,
        new: Singles,
        params: UmapParams,
        run: JobControl,
    ) -> Singles:
        """Positions of new words as by ``place``, in milliseconds: for words that move with each
        letter that is typed. On a map of neighbours, words are between their neighbours.
        """
        if not cls.moves:
            return cls.place(unit, positions, new, params, run)
        return place_between(unit, positions, new, params.n_neighbors)


GROUPS_LACK = tr("Colour the map by a column of categories or by the sections of questions.")
_LACKS = {
    Need.AXES: tr("no word axis is chosen."),
    Need.ANALOGY: tr("no analogy is chosen."),
    Need.OTHER: tr("no second model is chosen."),
    Need.GROUPS: tr("no groups of words are chosen."),
}
_REMEDIES = {
    Need.AXES: tr("Choose two words for an axis."),
    Need.ANALOGY: tr("Ask an analogy whose words the model contains."),
    Need.OTHER: tr("Train or open a second model."),
    Need.GROUPS: GROUPS_LACK,
}
