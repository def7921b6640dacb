"""Layout jobs of the map: start, cache, and progress of slow layouts."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from workbench.analysis.projection.layout_cache import cached_layout
from workbench.analysis.projection.space import frequency_values
from workbench.analysis.projection.umap import UmapParams
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Progress
from workbench.core.language import tr
from workbench.session.kernel_compiler import compile_sets
from workbench.session.session import Session
from workbench.ui.panels.map.layout import (
    BORROWING,
    FIRST,
    METHODS,
    PAIR,
    UMAP,
    LayoutRequest,
    MapLayout,
    project_pair,
    project_words,
    with_positions,
)
from workbench.ui.panels.map.toolbar import read_params
from workbench.ui.widgets.layout.result_view import Request, ResultJob

_KEPT = 24


def _project(request: LayoutRequest, turn: Singles | None) -> MapLayout:
    """Project the words. Imports what drawing needs: in the window's thread, the first frame would
    have to wait for it.
    """
    import_module("scipy.ndimage")
    return project_words(request, turn)


class MapLayouts(QObject):
    """Computes layouts for requests, in jobs. A newer request replaces the current one.

    ``arrived(MapLayout)`` carries each layout and each intermediate step; ``failed(UserError,
    LayoutRequest)`` an error; ``state_changed()``: ``progress`` or ``postponed`` has changed.
    """

    arrived = Signal(object)
    failed = Signal(object, object)
    state_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._kept: OrderedDict[tuple[object, ...], MapLayout] = OrderedDict()
        self._quick = ResultJob(session.jobs, "map")
        self._slow = ResultJob(session.jobs, "map.umap")
        self._slow.on_cancelled(self.state_changed.emit)
        self._base: MapLayout | None = None  # initial layout of UMAP
        self._latest: Singles | None = None
        self._request: LayoutRequest | None = None
        self.postponed = False  # UMAP waits until a training has ended
        self._given: dict[tuple[object, ...], Singles] = {}  # of session files, not requested

    def saved_layouts(self) -> list[dict[str, Any]]:
        """Finished slow layouts of a run’s first words, for a session file."""
        return [
            {
                "run": layout.request.identifier,
                "method": layout.method,
                "umap": layout.request.umap.to_dict(),
                "positions": layout.positions,
            }
            for layout in self._kept.values()
            if layout.method in FIRST
            and layout.request.rows is None
            and layout.request.groups is None
        ]

    def restore_layouts(self, kept: object) -> None:
        """Restore ``saved_layouts``; they are shown on request. Skips malformed entries."""
        for one in kept if isinstance(kept, list) else ():
            positions = one.get("positions") if isinstance(one, dict) else None
            method = str(one.get("method", "")) if isinstance(one, dict) else ""
            if not isinstance(positions, np.ndarray) or method not in FIRST:
                continue
            entry, size = METHODS[method], len(positions)
            params = read_params(entry.projection.params_type or UmapParams, one.get("umap"))
            if params is not None and positions.shape == (size, entry.dims):
                key = (str(one.get("run", "")), method, size, None, params, *(None,) * 4)
                self._given[key] = np.array(positions, dtype=np.float32)

    @property
    def busy(self) -> bool:
        return self._quick.busy or self._slow.busy

    @property
    def progress(self) -> Progress | None:
        """Progress of UMAP, None when it isn’t running."""
        run = self._slow.running
        return None if run is None else run.progress

    def request(self, request: LayoutRequest, near: MapLayout | None = None) -> None:
        """Request a layout; ``near`` is the layout of the same words to align with during
        training.
        """
        if not self._continues(request):
            self._stop_slow_job()
        self._request = request
        kept = self._kept.get(request.key(request.method))
        if kept is not None and not request.live:
            self._kept.move_to_end(request.key(request.method))
            self.arrived.emit(replace(kept, request=request))
            self._lay_out_ahead(request, near)
            return
        if self._base is not None and request.method == UMAP:
            # UMAP began while the plane was shown.
            layout = self._base
            if self._latest is not None:
                layout = with_positions(self._base, self._latest)
            self.arrived.emit(replace(layout, request=request))
            return
        given = None if request.live else self._take_given(request)
        if given is not None:
            self.arrived.emit(given)
            self._lay_out_ahead(request, near)
            return
        first = FIRST.get(request.method)
        before = None if first is None else self._kept.get(request.key(first))
        if before is not None and not request.live:
            self._handle_projection(request, replace(before, request=request))
            return
        turn = near.positions if near is not None and near.words is not None else None
        if request.method == PAIR:
            self._begin_pair(request)
            return
        self._quick.ask(
            Request(
                (object(),),
                tr("Computing the map"),
                lambda run: _project(request, turn),
                lambda layout: self._handle_projection(request, layout, near),
                quiet=True,
                failed=lambda error: self.failed.emit(error, request),
            )
        )

    def _take_given(self, request: LayoutRequest) -> MapLayout | None:
        """The layout of a session file, if it contains the requested one."""
        positions = self._given.pop(request.key(request.method), None)
        if positions is None:
            return None
        values = frequency_values(request.embeddings, np.arange(request.count))
        words = list(request.embeddings.words[: request.count])
        layout = MapLayout(request, words, positions, values, request.method)
        self._remember_layout(request.key(request.method), layout)
        return layout

    def map_of(self, request: LayoutRequest) -> MapLayout | None:
        """The finished UMAP of the words of a request; for two models, the latest one of the first,
        whatever its words and settings.
        """
        if request.method == PAIR:
            wanted = (request.identifier, UMAP)
            found = (layout for key, layout in self._kept.items() if key[:2] == wanted)
            return next(reversed(list(found)), None)
        return self._kept.get(request.key(UMAP))

    def _continues(self, request: LayoutRequest) -> bool:
        """Whether UMAP is already running or waiting for these words."""
        if self._base is None or request.live or request.method not in (*BORROWING, UMAP):
            return False
        begun = self._base.request
        return begun.method == UMAP and begun.key(UMAP) == request.key(UMAP)

    def _lay_out_ahead(self, request: LayoutRequest, near: MapLayout | None) -> None:
        """Start UMAP for the words of an analogy's plane or of a 3D layout, whose colours come from
        the map. A 3D layout that is still being computed comes first.
        """
        if request.method not in BORROWING or request.live or request.count < 4:
            return
        if request.method in FIRST and request.key(request.method) not in self._kept:
            return
        ahead = replace(request, method=UMAP)
        if request.key(UMAP) in self._kept or self._continues(request):
            return
        if self._take_given(ahead) is not None:
            self.state_changed.emit()
            return
        turn = None if near is None else near.positions

        def begin(layout: MapLayout) -> None:
            self._remember_layout(ahead.key(layout.method), layout)
            if request is self._request:
                self._begin_umap(layout)

        first = self._kept.get(ahead.key(FIRST[UMAP]))
        if first is not None:
            begin(replace(first, request=ahead))
            return
        title = tr("Laying out the map")
        work = lambda run: _project(ahead, turn)  # noqa: E731
        self._quick.ask(Request((object(),), title, work, begin, quiet=True))

    def stop_umap(self) -> None:
        """Stop UMAP; the points stay in place."""
        self._stop_slow_job()
        self.state_changed.emit()

    def forget_layout(self, identifier: str, method: str) -> None:
        """Discard a layout, so that the next request computes it again."""
        for key in [key for key in self._kept if key[:2] == (identifier, method)]:
            del self._kept[key]

    def start_postponed(self) -> None:
        """Start UMAP now, beside the training that it waits for."""
        if self.postponed and self._base is not None:
            self._begin_umap(self._base, wait=False)

    @property
    def moving(self) -> bool:
        """Whether the layout that is shown is still being computed."""
        if not self._slow.busy:
            return False
        return self._base is None or self._is_wanted(self._base.request)

    def poll_umap(self) -> None:
        """Check whether UMAP’s points moved, or whether UMAP can start. Cheap."""
        if self.postponed and self._session.training.current is None and self._base is not None:
            self._begin_umap(self._base)
        run = self._slow.running
        if run is None or self._base is None:
            return
        positions = run.latest("positions")
        if positions is not None and positions is not self._latest:
            self._latest = positions
            if self._is_wanted(self._base.request):
                self.arrived.emit(with_positions(self._base, positions))

    def _is_wanted(self, begun: LayoutRequest) -> bool:
        """Whether this layout is the requested one, not one computed ahead."""
        wanted, method = self._request, begun.method
        if wanted is None or wanted.method != method:
            return False
        return wanted.key(method) == begun.key(method)

    def _stop_slow_job(self) -> None:
        self._slow.forget()
        self.postponed = False
        self._base = self._latest = None

    def _handle_projection(
        self, request: LayoutRequest, layout: MapLayout, near: MapLayout | None = None
    ) -> None:
        if request is not self._request:
            return
        if not request.live:
            self._remember_layout(request.key(layout.method), layout)
        self.arrived.emit(layout)
        if request.method in FIRST and not request.live and request.count >= 4:
            self._begin_umap(layout)
        self._lay_out_ahead(request, near)

    def _begin_umap(self, base: MapLayout, wait: bool = True) -> None:
        # Positions of the layout before must not become those of these words, which may be those
        # of another run, even if this one has to wait.
        self._base, self._latest = base, None
        self.postponed = wait and self._session.training.current is not None
        if not self.postponed:
            request = base.request
            params = request.umap.replace(limit=request.count)
            projection = request.projection

            def work(run: JobControl) -> Singles:
                prepare = partial(compile_sets, projection.kernels)
                space = request.space(base.positions)
                return cached_layout(projection, space, params, run, prepare)

            title = projection.title
            self._slow.ask(
                Request(
                    (object(),),
                    tr("{method} of {count:,} words", method=title, count=request.count),
                    work,
                    lambda positions: self._umap_finished(base, positions),
                    failed=lambda error: self._umap_failed(request, error),
                )
            )
        self.state_changed.emit()

    def _umap_finished(self, base: MapLayout, positions: Singles) -> None:
        self._session.warm_late()
        layout = with_positions(base, positions)
        self._remember_layout(base.request.key(layout.method), layout)
        if base is self._base:
            self._base = self._latest = None
            if self._is_wanted(layout.request):
                self.arrived.emit(layout)
                self._lay_out_ahead(layout.request, None)
        self.state_changed.emit()

    def _begin_pair(self, request: LayoutRequest) -> None:
        """Start the joint layout of two models; nothing is shown before both are ready."""

        def work(run: JobControl) -> MapLayout:
            compile_sets(request.projection.kernels, run)
            return project_pair(request, run)

        self._slow.ask(
            Request(
                (object(),),
                tr("Laying out two models"),
                work,
                lambda layout: self._pair_finished(request, layout),
                failed=lambda error: self._umap_failed(request, error),
            )
        )
        self.state_changed.emit()

    def _pair_finished(self, request: LayoutRequest, layout: MapLayout) -> None:
        self._remember_layout(request.key(PAIR), layout)
        if request is self._request:
            self.arrived.emit(layout)
        self.state_changed.emit()

    def _umap_failed(self, request: LayoutRequest, error: UserError) -> None:
        self.failed.emit(error, request)
        self.state_changed.emit()

    def _remember_layout(self, key: tuple[object, ...], layout: MapLayout) -> None:
        self._kept[key] = layout
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
