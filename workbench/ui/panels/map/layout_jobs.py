"""The layouts of the map: asks for them in jobs, keeps them, follows them as they move."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from workbench.analysis.projection.methods import UmapParams, umap
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Progress
from workbench.core.language import tr
from workbench.session.jobs import Job
from workbench.session.session import Session
from workbench.ui.panels.map.layout import (
    FIRST,
    PAIR,
    UMAP_3D,
    Floats,
    LayoutRequest,
    MapLayout,
    frequency,
    moved,
    project,
    project_pair,
)

_QUICK = "map"
_SLOW = "map.umap"
_KEPT = 24


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
        self._kept: OrderedDict[tuple[object, ...], MapLayout] = OrderedDict()
        self._job: Job[Any] | None = None
        self._base: MapLayout | None = None  # what UMAP starts from
        self._latest: Floats | None = None
        self._request: LayoutRequest | None = None
        self.postponed = False  # UMAP waits until a training has ended
        self._given: dict[tuple[object, ...], Floats] = {}  # of a session file, not yet asked for

    def kept(self) -> list[dict[str, Any]]:
        """For a session file: layouts of the first words of a run that took long to make and have come to rest."""
        return [
            {
                "run": layout.request.identifier,
                "method": layout.method,
                "umap": layout.request.umap.to_dict(),
                "positions": layout.positions,
            }
            for layout in self._kept.values()
            if layout.method in FIRST and layout.request.rows is None
        ]

    def restore(self, kept: object) -> None:
        """Take what ``kept`` gave: shown when such a layout is asked for. What makes no sense is passed over."""
        for one in kept if isinstance(kept, list) else ():
            positions = one.get("positions") if isinstance(one, dict) else None
            params = umap_params(one.get("umap")) if isinstance(one, dict) else None
            if not isinstance(positions, np.ndarray) or params is None:
                continue
            method, size = str(one.get("method", "")), len(positions)
            if method in FIRST and positions.shape == (size, 3 if method == UMAP_3D else 2):
                key = (str(one.get("run", "")), method, size, None, params, None, None, None)
                self._given[key] = np.array(positions, dtype=np.float32)

    @property
    def busy(self) -> bool:
        jobs = self._session.jobs
        return jobs.busy(_QUICK) or jobs.busy(_SLOW)

    @property
    def progress(self) -> Progress | None:
        """How far UMAP is, None when it is not at work."""
        return self._job.run.progress if self._job is not None else None

    def request(self, request: LayoutRequest, near: MapLayout | None = None) -> None:
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
            values = frequency(request.embeddings, np.arange(request.count))
            layout = MapLayout(request, list(request.embeddings.words[: request.count]), given, values, request.method)
            self._keep(request.key(request.method), layout)
            self.arrived.emit(layout)
            return
        first = FIRST.get(request.method)
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
            lambda run: project(request, turn),
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
            self.arrived.emit(moved(self._base, positions))

    def _halt(self) -> None:
        if self._job is not None:
            self._job.run.cancel()
            self._job = None
        self.postponed = False
        self._base = None

    def _laid_out(self, request: LayoutRequest, layout: MapLayout) -> None:
        if request is not self._request:
            return
        if not request.live:
            self._keep(request.key(layout.method), layout)
        self.arrived.emit(layout)
        if request.method in FIRST and not request.live and request.count >= 4:
            self._begin_umap(layout)

    def _begin_umap(self, base: MapLayout) -> None:
        self._base = base
        self.postponed = self._session.training is not None
        if not self.postponed:
            request = base.request
            params = request.umap.replace(limit=request.count)
            worker = self._session.umap
            self._latest = None

            def work(run: JobControl) -> Floats:
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

    def _finished(self, base: MapLayout, positions: Floats) -> None:
        self._job = None
        layout = moved(base, positions)
        self._keep(base.request.key(layout.method), layout)
        if base is self._base:
            self.arrived.emit(layout)
        self.state_changed.emit()

    def _begin_pair(self, request: LayoutRequest) -> None:
        """Two models at once: there is nothing to show before both are laid out."""
        worker = self._session.umap
        self._job = self._session.jobs.start(
            tr("Laying out two models"),
            lambda run: project_pair(request, run, worker),
            lambda layout: self._paired(request, layout),
            lambda error: self._umap_failed(request, error),
            key=_SLOW,
            cancelled=self._cancelled,
        )
        self.state_changed.emit()

    def _paired(self, request: LayoutRequest, layout: MapLayout) -> None:
        self._job = None
        self._keep(request.key(PAIR), layout)
        if request is self._request:
            self.arrived.emit(layout)
        self.state_changed.emit()

    def _umap_failed(self, request: LayoutRequest, error: UserError) -> None:
        self._job = None
        self.failed.emit(error, request)
        self.state_changed.emit()

    def _cancelled(self) -> None:
        self._job = None
        self.state_changed.emit()

    def _keep(self, key: tuple[object, ...], layout: MapLayout) -> None:
        self._kept[key] = layout
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def umap_params(values: object) -> UmapParams | None:
    """Of a session file; None for what makes no sense."""
    try:
        return UmapParams.from_mapping(values) if isinstance(values, dict) else None
    except UserError:
        return None
