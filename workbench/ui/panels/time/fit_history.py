"""The fit of every state of a training to the model's own target, computed in jobs."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from workbench.analysis.history.trajectory import TrainingFrame, fits_along
from workbench.analysis.theory.pair_counts import PairsKept
from workbench.analysis.theory.target_fit import Figures
from workbench.analysis.theory.targets import SCORES, TARGETS, theory_target
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import TheoryTarget
from workbench.session.corpus.belonging import Bond, bond
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.widgets.inputs.model_source import ModelSource, subject_of
from workbench.ui.widgets.layout.result_view import Request, ResultJob

# All pairs of this number of most frequent words; fewer for trees, where each pair takes a path.
TOP, TOP_TREE = 1000, 250


class TimeFits:
    """``figures`` are those of the first states, as far as known; ``note`` says why there are
    none.
    """

    def __init__(self, session: Session, key: str, changed: Callable[[], None]) -> None:
        self._session = session
        self._comparing = ResultJob(session.jobs, f"{key}.fit")
        self._comparing.on_failed(lambda error: self._refuse(error.message))
        self._comparing.on_cancelled(lambda: self._refuse(tr("Cancelled")))
        self._changed = changed
        self._pairs = PairsKept(2)
        self._known: weakref.WeakKeyDictionary[TrainingFrame, Figures] = weakref.WeakKeyDictionary()
        self._request: tuple[object, ...] = ()
        self._refused_request: tuple[object, ...] = ()
        self.note = ""
        self.title = "R²"
        self.top = 0

    @property
    def busy(self) -> bool:
        return self._comparing.busy

    def figures(self, frames: tuple[TrainingFrame, ...]) -> list[Figures]:
        """The results of the first states, up to the first one not yet compared."""
        found = []
        for frame in frames:
            one = self._known.get(frame)
            if one is None:
                break
            found.append(one)
        return found

    def ask(self, record: RunRecord, frames: tuple[TrainingFrame, ...]) -> None:
        """Compare the new states, unless a comparison is in progress or was refused before."""
        if self.busy:
            return
        corpus = self._session.corpora.current
        digest = corpus.digest if corpus is not None else ""
        what = (record.identifier, digest)
        if what == self._refused_request and frames:
            return
        if what != self._request:
            self._request = what
            self._known = weakref.WeakKeyDictionary()
            self.note = ""
        subject = subject_of(record, frames[-1].embeddings)
        try:
            own = theory_target(subject.algorithm)
            self.title = tr(
                "R² of {value} against {title}",
                value=SCORES[own.score],
                title=TARGETS[own.target].title,
            )
            _fits_corpus(record, corpus)
        except UserError as error:
            self.title = "R²"
            self._refuse(error.message)
            return
        missing = tuple(frame for frame in frames if frame not in self._known)
        if not missing:
            return
        assert corpus is not None
        self._start(corpus, subject, own, missing, what)

    def _start(
        self,
        corpus: Corpus,
        subject: ModelSource,
        own: TheoryTarget,
        frames: tuple[TrainingFrame, ...],
        what: tuple[object, ...],
    ) -> None:
        self.top = TOP
        if own.score == "tree":
            self.top = TOP_TREE
        self.note = tr("Comparing with the target…")
        pairs, embeddings, top = self._pairs, frames[-1].embeddings, self.top

        def work(run: JobControl) -> tuple[Figures, ...]:
            counted = pairs.get(corpus, subject.counting, top, embeddings, run)
            return fits_along(frames, counted, subject.setting, own, run)

        def show_fits(found: tuple[Figures, ...]) -> None:
            self.note = ""
            if what == self._request:
                self._known.update(zip(frames, found, strict=True))
            self._changed()

        held = pairs.holds(corpus, subject.counting, top, embeddings)
        title, quiet = tr("Comparing snapshots with the target"), held and len(frames) < 3
        self._comparing.ask(Request((*what, frames), title, work, show_fits, quiet=quiet))

    def _refuse(self, why: str) -> None:
        self._refused_request = self._request
        self.note = why
        self._changed()

    def retry_refused(self) -> None:
        """Allow refused or cancelled comparisons again."""
        if self._refused_request:
            self._comparing.forget()
        self._refused_request = ()

    def drop(self) -> None:
        self._comparing.forget()


def _fits_corpus(record: RunRecord, corpus: Corpus | None) -> None:
    """Raise UserError if the open corpus is not the one that the model was trained on."""
    if corpus is None:
        raise UserError(tr("Open the training corpus to see the fit."))
    name = record.corpus_name
    match bond(record, corpus):
        case Bond.SAME | Bond.UNKNOWN:
            return
        case Bond.OTHERWISE:
            raise UserError(
                tr("Read {name} with the options of this run to see the fit.", name=name)
            )
        case Bond.CHANGED:
            raise UserError(tr("Open {name} as it was for this run to see the fit.", name=name))
        case _:
            if name:
                raise UserError(tr("Open {name} to see the fit.", name=name))
            raise UserError(tr("Open the training corpus to see the fit."))
