"""New runs from finished ones with a word that was taught by lines of text."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.rows.still_model import hold_still
from workbench.analysis.teach.added_word import with_word
from workbench.analysis.teach.teaching import Teacher
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.session.runs.derived import Derived, keep_derived
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store


@dataclass(frozen=True)
class TaughtLines:
    """A word, and the lines that it is learned from. instead : without its lines in the corpus, for
    a word that the model knows.
    """

    word: str
    lines: tuple[str, ...]
    instead: bool = False


def name_of(parent: RunRecord, lesson: TaughtLines) -> str:
    """Name such as "SGNS 3 + blicket"."""
    return f"{parent.name} + {lesson.word.strip()}"


def teach_and_keep(
    parent: RunRecord,
    lesson: TaughtLines,
    corpus: Corpus | None,
    name: str,
    colour: int,
    store: Store,
    run: JobControl,
) -> Derived:
    """In a worker thread: load vectors if necessary, learn the word, save the run. ``parent`` stays
    unchanged.

    Raises UserError if the word can't be learned (see ``Teacher.teach``), and Cancelled.
    """
    run.enter(Phase.TRAINING, tr("Computing the vectors"))
    embeddings = parent.embeddings
    if embeddings is None:
        embeddings = store.vectors(parent.identifier)
    still = hold_still(embeddings, corpus, run)
    taught = Teacher(still).teach(
        lesson.word, lesson.lines, instead=lesson.instead, both_sides=True, run=run
    )
    found = with_word(still, taught)
    run.check()
    return keep_derived(parent, found, name, colour, parent.parameters, store, run)
