"""Where the words of a model go on the map: asks for projections, keeps them, follows them as they move."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from PySide6.QtCore import QObject, Signal

from workbench.analysis.axes import WordAxis, axes_plane
from workbench.analysis.before_after import BeforeAfter, before_after
from workbench.analysis.planes import analogy_plane, turned_towards
from workbench.analysis.projection import UmapParams, UmapWorker, pca, umap
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.run import Progress, Run
from workbench.session.jobs import Job
from workbench.session.session import AnalogyShown, Session
from workbench.vectors.embeddings import Embeddings

Floats = npt.NDArray[np.float32]

PCA, UMAP, PLANE, AXES, PCA_3D, UMAP_3D, PAIR = "pca", "umap", "plane", "axes", "pca-3d", "umap-3d", "pair"
# What is shown at once while UMAP is awaited.
_FIRST = {UMAP: PCA, UMAP_3D: PCA_3D}
_QUICK = "map"
_SLOW = "map.umap"
_KEPT = 24


@dataclass(frozen=True)
class Request:
    """What is to be seen: a model's first words, laid out in some way.

    identifier : of the run, so that a layout can be found again
    limit : how many words, 0 for all
    live : the model is still learning
    rows : of the only words to be shown, rising; None for the first ones
    axes : across and up, for AXES
    other : the run and the vectors to move to, and the method of both layouts, for PAIR
    """

    identifier: str
    embeddings: Embeddings
    method: str
    limit: int
    umap: UmapParams
    analogy: AnalogyShown | None = None
    live: bool = False
    rows: tuple[int, ...] | None = None
    axes: tuple[WordAxis, WordAxis] | None = None
    other: tuple[str, Embeddings, str] | None = None

    @property
    def count(self) -> int:
        if self.rows is not None:
            return len(self.rows)
        return min(self.limit or len(self.embeddings), len(self.embeddings))

    @property
    def which(self) -> list[int] | slice:
        """Of the rows of the embeddings, those that are shown."""
        return slice(self.count) if self.rows is None else list(self.rows)

    @property
    def unit(self) -> Floats | sp.csr_matrix:
        """The unit vectors of the words shown."""
        return self.embeddings.unit[self.which]

    def key(self, method: str) -> tuple[object, ...]:
        bends = method in _FIRST or (self.other is not None and self.other[2] in _FIRST)
        return (
            self.identifier,
            method,
            self.count,
            self.rows,
            self.umap if bends else None,
            self.analogy if method == PLANE else None,
            self.axes if method == AXES else None,
            (self.other[0], self.other[2]) if method == PAIR and self.other is not None else None,
        )


@dataclass(frozen=True, eq=False)
class Layout:
    """Words at their places.

    positions : float32[n, 2 or 3]
    values : float32[n] in 0..1, logarithm of the frequency from the rarest to the most frequent
    method : how it was made; while UMAP is awaited, PCA stands in
    target : where the analogy points, in its own plane
    shown : share of variance (PCA) or of the analogy (plane) that the map shows; the cosine between two word
        axes; None where it means nothing
    pair : the two layouts that words move between, whose first one is ``positions``
    """

    request: Request
    words: Sequence[str]
    positions: Floats
    values: Floats
    method: str
    target: tuple[float, float] | None = None
    shown: float | None = None
    pair: BeforeAfter | None = None


class MapLayouts(QObject):
    """Turns requests into layouts, in jobs. One request is in force; a newer one replaces it.

    ``arrived(Layout)`` brings every layout and every step of one; ``failed(UserError, Request)`` what went
    wrong; ``state_changed()`` says that ``umap_run`` or ``postponed`` changed.
    """

    arrived = Signal(object)
    failed = Signal(object, object)
    state_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._kept: OrderedDict[tuple[object, ...], Layout] = OrderedDict()
        self._job: Job[Any] | None = None
        self._base: Layout | None = None  # what UMAP starts from
        self._latest: Floats | None = None
        self._request: Request | None = None
        self.postponed = False  # UMAP waits until a training has ended
        self._given: dict[tuple[object, ...], Floats] = {}  # of a session file, not yet asked for

    @property
    def settled(self) -> list[Layout]:
        """Layouts of the first words of a run that took long to make and have come to rest."""
        return [layout for layout in self._kept.values() if layout.method in _FIRST and layout.request.rows is None]

    def give(self, identifier: str, method: str, size: int, params: UmapParams, positions: Floats) -> None:
        """Where the first words of a run stood before: shown when such a layout is asked for."""
        if method in _FIRST and positions.shape == (size, 3 if method == UMAP_3D else 2):
            key = (identifier, method, size, None, params, None, None, None)
            self._given[key] = np.array(positions, dtype=np.float32)

    @property
    def busy(self) -> bool:
        jobs = self._session.jobs
        return jobs.busy(_QUICK) or jobs.busy(_SLOW)

    @property
    def progress(self) -> Progress | None:
        """How far UMAP is, None when it is not at work."""
        return self._job.run.progress if self._job is not None else None

    def request(self, request: Request, near: Layout | None = None) -> None:
        """Ask for a layout; ``near``, of the same words, is the one to turn towards while learning."""
        self._halt()
        self._request = request
        kept = self._kept.get(request.key(request.method))
        if kept is not None and not request.live:
            self._kept.move_to_end(request.key(request.method))
            self.arrived.emit(replace(kept, request=request))
            return
        given = None if request.live else self._given.pop(request.key(request.method), None)
        if given is not None:
            values = _frequency(request.embeddings, np.arange(request.count))
            layout = Layout(request, list(request.embeddings.words[: request.count]), given, values, request.method)
            self._keep(request.key(request.method), layout)
            self.arrived.emit(layout)
            return
        first = _FIRST.get(request.method)
        before = self._kept.get(request.key(first)) if first is not None else None
        if before is not None and not request.live:
            self._laid_out(request, replace(before, request=request))
            return
        turn = near.positions if near is not None and near.words is not None else None
        if request.method == PAIR:
            self._begin_pair(request)
            return
        self._session.jobs.start(
            tr("Laying out the map"),
            lambda run: _project(request, turn),
            lambda layout: self._laid_out(request, layout),
            lambda error: self.failed.emit(error, request),
            key=_QUICK,
            quiet=True,
        )

    def stop(self) -> None:
        """End UMAP; the points stay where they are."""
        self._halt()
        self.state_changed.emit()

    def forget(self, identifier: str, method: str) -> None:
        """Lay out anew at the next request."""
        for key in [key for key in self._kept if key[:2] == (identifier, method)]:
            del self._kept[key]

    def poll(self) -> None:
        """Look whether UMAP's points have moved, or whether UMAP may begin. Cheap."""
        if self.postponed and self._session.training is None and self._base is not None:
            self._begin_umap(self._base)
        if self._job is None or self._base is None:
            return
        positions = self._job.run.latest("positions")
        if positions is not None and positions is not self._latest:
            self._latest = positions
            self.arrived.emit(_moved(self._base, positions))

    def _halt(self) -> None:
        if self._job is not None:
            self._job.run.cancel()
            self._job = None
        self.postponed = False
        self._base = None

    def _laid_out(self, request: Request, layout: Layout) -> None:
        if request is not self._request:
            return
        if not request.live:
            self._keep(request.key(layout.method), layout)
        self.arrived.emit(layout)
        if request.method in _FIRST and not request.live and request.count >= 4:
            self._begin_umap(layout)

    def _begin_umap(self, base: Layout) -> None:
        self._base = base
        self.postponed = self._session.training is not None
        if not self.postponed:
            request = base.request
            params = request.umap.replace(limit=request.count)
            worker = self._session.umap
            self._latest = None

            def work(run: Run) -> Floats:
                return umap(request.unit, params, run, worker, base.positions)

            self._job = self._session.jobs.start(
                tr("UMAP of {count:,} words", count=request.count),
                work,
                lambda positions: self._finished(base, positions),
                lambda error: self._umap_failed(request, error),
                key=_SLOW,
                cancelled=self._cancelled,
            )
        self.state_changed.emit()

    def _finished(self, base: Layout, positions: Floats) -> None:
        self._job = None
        layout = _moved(base, positions)
        self._keep(base.request.key(layout.method), layout)
        if base is self._base:
            self.arrived.emit(layout)
        self.state_changed.emit()

    def _begin_pair(self, request: Request) -> None:
        """Two models at once: there is nothing to show before both are laid out."""
        worker = self._session.umap
        self._job = self._session.jobs.start(
            tr("Laying out two models"),
            lambda run: _pair(request, run, worker),
            lambda layout: self._paired(request, layout),
            lambda error: self._umap_failed(request, error),
            key=_SLOW,
            cancelled=self._cancelled,
        )
        self.state_changed.emit()

    def _paired(self, request: Request, layout: Layout) -> None:
        self._job = None
        self._keep(request.key(PAIR), layout)
        if request is self._request:
            self.arrived.emit(layout)
        self.state_changed.emit()

    def _umap_failed(self, request: Request, error: UserError) -> None:
        self._job = None
        self.failed.emit(error, request)
        self.state_changed.emit()

    def _cancelled(self) -> None:
        self._job = None
        self.state_changed.emit()

    def _keep(self, key: tuple[object, ...], layout: Layout) -> None:
        self._kept[key] = layout
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _moved(base: Layout, positions: Floats) -> Layout:
    return Layout(base.request, base.words, positions, base.values, base.request.method)


def _project(request: Request, turn: Floats | None) -> Layout:
    """In a job: PCA of unit vectors (which is what cosines and analogies see), or a plane that words name."""
    embeddings = request.embeddings
    words = list(embeddings.words[: request.count])
    if request.rows is not None:
        words = [embeddings.words[row] for row in request.rows]
    values = _frequency(embeddings, np.arange(len(embeddings))[request.which])
    analogy = request.analogy
    if request.method == PLANE and analogy is not None:
        rows = [embeddings.row(word) for word in (analogy.a, analogy.b, analogy.c, analogy.answer)]
        plane = analogy_plane(embeddings.unit, rows)
        return Layout(request, words, plane.positions[request.which], values, PLANE, plane.target, plane.shown)
    if request.method == AXES and request.axes is not None:
        seen = axes_plane(embeddings, *request.axes, request.which)
        return Layout(request, words, seen.positions, values, AXES, shown=seen.meeting)
    unit = request.unit
    solid = request.method in (PCA_3D, UMAP_3D)
    positions = pca(unit, 3 if solid else 2)
    shown = _share(unit, positions)
    if turn is not None and turn.shape == positions.shape:
        positions = turned_towards(positions, turn)
    return Layout(request, words, positions, values, PCA_3D if solid else PCA, shown=shown)


def _pair(request: Request, run: Run, worker: UmapWorker) -> Layout:
    """In a job: the words of two models, where they are in one and in the other."""
    assert request.other is not None
    _, other, method = request.other
    words = [request.embeddings.words[row] for row in request.rows] if request.rows is not None else None
    params = request.umap if method == UMAP else None
    pair = before_after(request.embeddings, other, request.count, words, params, run, worker)
    values = np.linspace(1, 0, len(pair.words), dtype=np.float32)
    return Layout(request, pair.words, pair.before, values, PAIR, pair=pair)


def _share(unit: Floats | sp.csr_matrix, positions: Floats) -> float:
    """The share of the vectors' variance that their positions keep."""
    mean = np.asarray(unit.mean(axis=0), dtype=np.float64).ravel()
    squares = float((unit**2).sum()) if isinstance(unit, np.ndarray) else float(unit.multiply(unit).sum())
    total = squares - unit.shape[0] * float(mean @ mean)
    return float((positions.astype(np.float64) ** 2).sum()) / total if total > 0 else 1.0


def _frequency(embeddings: Embeddings, rows: npt.NDArray[np.int64]) -> Floats:
    counts = embeddings.counts
    weight = 1.0 / (rows + 1) if counts is None else np.maximum(counts[rows], 1).astype(np.float64)
    logs = np.log(weight)
    span = float(np.ptp(logs)) if len(rows) else 0.0
    return np.asarray((logs - logs.min()) / span if span > 0 else np.full(len(rows), 0.5), dtype=np.float32)
