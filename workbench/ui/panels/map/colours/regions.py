"""Regions as a colour mode: communities of the vectors, named by their words."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import Bond, bond
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.vector_loader import loader
from workbench.session.training.seeds import siblings
from workbench.ui.panels.map.colours.base import ColourHost, ColourMode
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.panels.map.regions import (
    LayoutRegions,
    SpaceRegions,
    describe_regions,
    find_layout_regions,
    find_space_regions,
    shade_by_region,
)
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.map.colour_scheme import Shading
from workbench.ui.widgets.map.regions import RegionShading

# Number of layouts whose communities are kept.
_KNOWN = 4
# Maximum number of runs with other seeds, and maximum size of their vectors in numbers.
_SEEDS, _LARGEST = 5, 50_000_000


class RegionColours(ColourMode):
    """Regions are shown by their central words first, then named by contexts, too."""

    key = "regions"
    title = tr("Regions")
    entry = tr("Regions, by name")
    order = 10

    def __init__(self, host: ColourHost) -> None:
        super().__init__(host)
        self._naming = ResultJob(self.session.jobs, "map.regions")
        self._found: LayoutRegions | None = None
        self._spaces: list[SpaceRegions] = []  # the newest first
        self._seeds: list[RunRecord] | None = None

    @property
    def busy(self) -> bool:
        return self._naming.busy

    def is_ready(self, layout: MapLayout, final: bool) -> bool:
        return final and self.host.regional_layout is not None

    def forget(self) -> None:
        self._naming.forget()
        self._found = None

    def colour(self, layout: MapLayout, detail: str) -> bool:
        host, regional = self.host, self.host.regional_layout
        if regional is None or not len(regional.words):
            host.job.forget()
            host.put(None)
            return True
        corpus = self._text_of(regional)
        known = [one for one in self._spaces if one.belongs_to(regional, corpus)]
        space = known[0] if known else None
        asked = host.job.ask(
            Request(
                (host.choice, regional.positions, corpus),
                tr("Finding regions"),
                lambda run: _find_and_shade(regional, space, corpus, run),
                self._show_found,
                quiet=True,
            )
        )
        if asked:
            self.forget()
        return asked

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        return None

    def _show_found(self, result: tuple[LayoutRegions, RegionShading]) -> None:
        found, shading = result
        rest = [one for one in self._spaces if one is not found.space]
        self._spaces = [found.space, *rest][:_KNOWN]
        self.host.take(found.layout, shading)
        self._start_naming(found)
        self.host.judge()

    @property
    def unsupported(self) -> LayoutRegions | None:
        found = self._found
        return None if found is None or found.space.supported else found

    def runs_changed(self) -> None:
        """Compare the regions again if there are new runs with other seeds."""
        found = self._found
        if found is not None and self._seed_runs() != self._seeds:
            self._start_naming(found)

    def _start_naming(self, found: LayoutRegions) -> None:
        self._found, self._seeds = found, self._seed_runs()
        seeds, names = None, tuple[str, ...]()
        if self._seeds is not None:
            seeds = [loader(self.session.store, record) for record in self._seeds]
            names = tuple(record.identifier for record in self._seeds)
        self._naming.ask(
            Request(
                (found, seeds is None, names),
                tr("Naming regions"),
                lambda run: describe_regions(found, seeds, run),
                lambda better: self.host.take(found.layout, better),
                quiet=True,
            )
        )

    def _seed_runs(self) -> list[RunRecord] | None:
        """The newest runs that differ from the shown one only in their seed; None if the algorithm
        has no seed, or the vectors are too large to be loaded for this.
        """
        record, layout = self.session.active.run, self.host.layout
        if record is None or layout is None or record.identifier != layout.request.identifier:
            return None
        shape = layout.request.embeddings.vectors.shape
        if "seed" not in record.parameters or shape[0] * shape[1] > _LARGEST:
            return None
        others = siblings(self.session.runs, record)
        return [one for one in others if one is not record and one.has_vectors][-_SEEDS:]

    def _text_of(self, layout: MapLayout) -> Corpus | None:
        """The open text, if the model on the map was trained on it."""
        record, corpus = self.session.active.run, self.session.corpora.current
        if record is not None and corpus is not None and bond(record, corpus) is Bond.SAME:
            return corpus
        return None


def _find_and_shade(
    layout: MapLayout, space: SpaceRegions | None, corpus: Corpus | None, run: JobControl
) -> tuple[LayoutRegions, RegionShading]:
    """``space`` is what is known of the same words."""
    found = find_layout_regions(layout, space or find_space_regions(layout, corpus, run))
    return found, shade_by_region(found)
