"""Session: the open corpus, runs and selection. Panels communicate only through it.

A session belongs to one thread (the window's, or a script's). Its services return at once; long
work goes to :class:`~workbench.session.jobs.Jobs`, and ``pump`` (called by the window's timer)
delivers results and emits signals in the owner's thread.
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.session.corpus.controller import CorpusController
from workbench.session.corpus.text_draws import TextDrawsKept
from workbench.session.jobs import Jobs
from workbench.session.messages import Messages
from workbench.session.requests import PanelRequests
from workbench.session.runs.active_run import ActiveRun
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.store import Store
from workbench.session.selection.undo import Undo
from workbench.session.selection.words import WordSelection
from workbench.session.session_io import SessionContent, SessionFiling
from workbench.session.settings.settings_file import Settings
from workbench.session.training.controller import TrainingController
from workbench.session.training.recovery import Recovery

if TYPE_CHECKING:
    from workbench.session.corpus.cluster_controller import ClusterController

# Seconds between the first map, which the user looks at, and the compilation of late kernels.
_LATE_S = 60.0


class Session:
    """Services that share one state; their signals are emitted in the owner's thread.

    settings, jobs, store : preferences, work in threads, saved runs
    undo : changes that can be undone
    message : short notices and errors
    requests : requests of one panel to another
    runs : the list of runs
    active : the run that all panels show
    selection : selected words and the analogy on display
    text_draws : refits of a run on drawn texts, for error bars
    corpora : the open corpus, and the opening of others
    training : trainings, their queue and their grids
    files : session files
    recovery : trainings that an earlier process left
    clustering : counting on a cluster
    """

    def __init__(self) -> None:
        self.settings = Settings()
        self.jobs = Jobs()
        self.store = Store()
        self.undo = Undo()
        self.message = Messages()
        self.requests = PanelRequests()
        self.runs = RunLibrary(self.store, self.jobs, self.undo, self.message)
        self.active = ActiveRun(self.runs, self.store, self.jobs, self.settings, self.message)
        self.selection = WordSelection(self.undo)
        self.text_draws = TextDrawsKept()
        self.corpora = CorpusController(
            self.settings, self.jobs, self.undo, self.message, self.runs, self.active
        )
        self.training = TrainingController(
            self.store,
            self.jobs,
            self.undo,
            self.message,
            self.runs,
            self.active,
            self.corpora,
        )
        self.recovery = Recovery(
            self.store, self.jobs, self.message, self.runs, self.corpora, self.training
        )
        self.files = SessionFiling(
            self.store,
            self.jobs,
            self.settings,
            self.message,
            SessionContent(self.runs, self.active, self.selection, self.corpora),
            self.requests,
        )
        # No listeners are connected yet: reported at the first pump.
        self._problems = [
            *self.files.take_failures(),
            *self.runs.problems,
            *self.recovery.problems,
            *([self.runs.storage_problem] if self.runs.storage_problem is not None else []),
        ]
        self._warms = self._warming = False
        self._late_at: float | None = None
        self._selected_in = ""
        self.corpora.changed.connect(self._drop_missing_words)
        self.active.changed.connect(self._drop_missing_words)
        self.closed = False

    @cached_property
    def clustering(self) -> ClusterController:
        """Counting on a cluster. Few users need it, and its imports would delay every start."""
        from workbench.session.corpus.cluster_controller import ClusterController

        return ClusterController(self.jobs, self.message, self.corpora)

    def _drop_missing_words(self) -> None:
        """After another corpus was opened: deselect words that neither it nor the run that is shown
        with it contains.
        """
        corpus, shown = self.corpora.current, self.active.run
        if corpus is None or corpus.digest == self._selected_in:
            return
        # The run of the previous corpus, or one whose vectors are still loading.
        if shown is not None and shown.stored and shown.embeddings is None:
            return
        if shown is not None and shown.corpus_digest != corpus.digest:
            return
        self._selected_in = corpus.digest
        if self.selection.words:
            words = set(corpus.words)
            vectors = self.active.embeddings
            self.selection.keep(
                lambda word: (
                    word in words or (vectors is not None and vectors.find(word) is not None)
                )
            )

    def warm(self) -> None:
        """Begin compiling kernels in a child process of low priority."""
        self._warms = self._warming = True

    def warm_late(self) -> None:
        """Also compile what few users need, some time after the first map, when nothing trains."""
        if self._warms and self._late_at is None:
            self._late_at = time.monotonic() + _LATE_S

    def pump(self) -> None:
        """Deliver results of jobs and detect changes of state. Called about 30 times a second."""
        if self.closed:
            return
        self.jobs.pump()
        self.recovery.tick()
        problems, self._problems = self._problems, []
        for problem in problems:
            self.message.report(problem)
        self.training.poll_phase()
        if self._late_at is not None and time.monotonic() >= self._late_at:
            self._late_at = math.inf
            self.training.warmer.add_late_sets()
            self._warming = True
        if self._warming and self.training.current is None:
            self.training.warmer.poll()
            self._warming = not self.training.warmer.finished

    def close(self) -> None:
        """Cancel, join, save; no thread and no process remains."""
        if self.closed:
            return
        self.closed = True
        self.recovery.tick(now=True)
        self.training.queue.clear()
        self.training.warmer.interrupt()
        self.files.remember_failures(self.jobs.close())
        # After the states of trainings are written: otherwise another process would take an
        # interrupted training for one that had not started.
        self.recovery.close()
        if "clustering" in self.__dict__:
            self.clustering.close()
