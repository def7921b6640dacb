"""Handout of a run: one HTML file with the map, neighbours, analogies and figures, which opens on a
phone and loads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from workbench.analysis.projection.methods import Projection
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import open_counts
from workbench.session.corpus.reading import read_corpus
from workbench.session.export.base import Share
from workbench.session.export.export_source import ExportSource, Recipe
from workbench.session.export.handout_page.contexts import (
    DETAILED,
    contexts_section,
    count_text,
)
from workbench.session.export.handout_page.document import write_page
from workbench.session.export.handout_page.examples import (
    analogy_examples,
    first_word,
    odd_examples,
)
from workbench.session.export.handout_page.fit import fit_section
from workbench.session.export.handout_page.map_view import map_section
from workbench.session.export.handout_page.page_texts import SHARED
from workbench.session.export.handout_page.quantised import FINE
from workbench.session.export.handout_page.questions import analogies_section, odd_section
from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.handout_page.training import training_section
from workbench.session.export.handout_page.vectors import vectors_section
from workbench.session.export.handout_page.walk import walk_section
from workbench.session.export.handout_page.words import PageWords

WORDS, MOST_WORDS = 5_000, 20_000
# Numbers of all vectors together: 20,000 words with 100 dimensions, some 5 MB.
MOST_NUMBERS = 2_000_000
FEWEST_WORDS = 2
SUFFIX = ".html"

Prepare = Callable[[type[Projection], JobControl], None]


@dataclass(frozen=True)
class HandoutOptions:
    """Options of a handout.

    words : number of most frequent words, at most MOST_WORDS
    corpus : the text of the run if it is open; None: it is read from where the run found it
    read : whether a text that isn't open is read; without the text, the page has no contexts and
    no fit
    more : further sections, after the map
    """

    words: int = WORDS
    corpus: Corpus | None = None
    read: bool = True
    more: Sequence[PageSection] = ()


@dataclass(frozen=True)
class MadeHandout:
    """A page as HTML; ``notes``: sentences about what it lacks."""

    html: str
    notes: list[str]


class Handout(Share):
    key = "handout"
    title = tr("Handout")
    summary = tr(
        "One HTML page for a phone or computer, without a network: map, neighbours, analogies, "
        "contexts, fit and training."
    )
    order = 80
    alone: ClassVar[bool] = True

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        if subject.embeddings.sparse:
            return tr(
                "Vectors with one column per context are too large for a page. Reduce them with "
                "svd."
            )
        if len(subject.embeddings.rows_with_vector()) < FEWEST_WORDS:
            return tr("A handout needs at least two words with vectors.")
        if most_words(subject) < FEWEST_WORDS:
            return tr(
                "Vectors with {dim:,} dimensions are too large for a page.",
                dim=subject.embeddings.dim,
            )
        return None

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        options = HandoutOptions(min(WORDS, most_words(subject)))
        return {"handout.html": make_handout(subject, options, run).html}


def make_handout(
    subject: ExportSource,
    options: HandoutOptions,
    run: JobControl,
    prepare: Prepare = lambda projection, run: None,
) -> MadeHandout:
    """The page.

    prepare : called before a projection uses its kernels. Raises UserError for too many words and
    for vectors that no page can contain, and Cancelled.
    """
    reason = Handout.why_not(subject)
    if reason is not None:
        raise UserError(reason, tr("Choose another run."))
    _check_words(options.words, subject)
    rows = subject.embeddings.rows_with_vector(options.words)
    corpus = options.corpus
    if corpus is None and options.read:
        corpus = find_text(subject.recipe, run)
    page = PageWords(subject, rows)
    counted, notes = None, []
    if corpus is None:
        notes.append(
            tr("Without contexts and fit: the text of the run wasn’t found, or has changed.")
        )
    else:
        run.enter(Phase.COUNTING)
        try:
            counted = count_text(corpus, page, run)
        except UserError as error:
            notes.append(tr("Without contexts: {reason}", reason=error.message))
    mapped, regions = map_section(page, counted, run, prepare)
    sections = [vectors_section(page), mapped, *options.more]
    game = walk_section(page, run)
    if game is not None:
        sections.append(game)
    if counted is not None:
        sections.append(contexts_section(page, counted, run))
    sections.append(analogies_section(analogy_examples(page)))
    sections.append(odd_section(odd_examples(page, regions)))
    if corpus is not None:
        found = fit_section(page, corpus, run)
        if found is not None:
            sections.append(found)
    sections.append(training_section(subject, len(page.words)))
    head = {"words": page.display_texts, "start": first_word(page, regions)}
    run.check()
    page_text = write_page(subject.name, head, sections, SHARED)
    return MadeHandout(page_text, notes)


def most_words(subject: ExportSource) -> int:
    """Maximum number of words of these vectors on a page."""
    return min(MOST_WORDS, MOST_NUMBERS // max(subject.embeddings.dim, 1))


def expected_size(words: int, dimensions: int) -> int:
    """About how many bytes a page will have: vectors, contexts, words with places, and scripts."""
    per_number = 8 / 3 if words * dimensions <= FINE else 4 / 3
    return int(words * (dimensions * per_number + 30) + min(words, DETAILED) * 800 + 150_000)


def _check_words(words: int, subject: ExportSource) -> None:
    """Raise UserError if a page can't contain this number of words."""
    most = most_words(subject)
    if not FEWEST_WORDS <= words <= most:
        raise UserError(
            tr(
                "A handout of vectors with {dim:,} dimensions contains {fewest} to {most:,} words, "
                "not {words:,}.",
                dim=subject.embeddings.dim,
                fewest=FEWEST_WORDS,
                most=most,
                words=words,
            ),
            tr("Choose another number of words."),
        )


def find_text(recipe: Recipe | None, run: JobControl) -> Corpus | None:
    """The text, or the counts, that the run was trained on; None if they aren't found unchanged.
    Raises Cancelled.
    """
    if recipe is None:
        return None
    run.enter(Phase.READING)
    try:
        if recipe.counts is not None:
            corpus: Corpus = open_counts(recipe.folder)
        else:
            corpus = read_corpus(recipe.sources, recipe.options, run)
    except UserError:
        return None
    if corpus.digest != recipe.corpus.get("digest"):
        return None
    return corpus
