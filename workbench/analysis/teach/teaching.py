"""Teach a model a word: its counts in a few lines, its vector, and its neighbours.

All other vectors stay as they are. The counts are those of the model's own training: its tokeniser,
its window, and its subsampling in expectation. The vector is the minimum of the objective of one
row (:mod:`workbench.analysis.rows.forms`), pulled towards what the mean of its contexts predicts,
or towards its n-grams; for an SVD, LSA or PPMI, the row is folded in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from workbench.analysis.neighbours.nearest import Neighbour, nearest
from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.analysis.rows.assembly import Assembly
from workbench.analysis.rows.build import Row, build_form
from workbench.analysis.rows.forms import Projection
from workbench.analysis.rows.line_counts import LineCounts, NumberedText, counts_by_line
from workbench.analysis.rows.newton import RowSolution, minimise
from workbench.analysis.rows.priors import row_prior
from workbench.analysis.rows.still_model import CONTEXTS, WORDS, StillModel
from workbench.analysis.teach.documents import DocumentFolding
from workbench.analysis.teach.letters import letters_prior
from workbench.analysis.teach.line_reader import LineReader, ReadLine
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.counts.sampling import keep_probabilities

_TINY = 1e-30
# Draws of a vector for its standard errors, whose own standard error is then about 5%.
_DRAWS = 200


@dataclass(frozen=True)
class ContextPmi:
    """A context of the word: its expected count #(w, c), and PMI(w, c) in nats."""

    word: str
    count: float
    pmi: float


@dataclass(frozen=True, eq=False)
class TaughtRow:
    """A row of one side. covariance : float64[d, d], or None if unknown (PPMI, LSA)."""

    row: Doubles
    bias: float | None
    covariance: Doubles | None


@dataclass(frozen=True, eq=False)
class Taught:
    """What a model knows about a word after some lines.

    known : the word has been in the vocabulary before
    lines, occurrences : lines that contain the word, and how often it occurs in them
    counts : float64[V], #(w, c), with those of the corpus if they were added
    contexts : observed contexts, by PMI
    word_row, context_row : its rows of W and C; the latter only if the algorithm determines it
    vector : float64[columns], as the model's vectors are shown, but not at unit length
    neighbours : the nearest words; errors : float64[n], standard errors of their cosines, NaN if
    unknown
    notes : sentences about lines that teach nothing; error_note : what ``errors`` leave out, or ""
    """

    word: str
    known: bool
    lines: int
    occurrences: int
    counts: Doubles
    contexts: tuple[ContextPmi, ...]
    word_row: TaughtRow
    context_row: TaughtRow | None
    vector: Doubles
    neighbours: tuple[Neighbour, ...]
    errors: Doubles
    notes: tuple[str, ...]
    error_note: str
    _assembly: Assembly = field(repr=False)

    def cloud(self, number: int, seed: int = 0) -> Doubles:
        """float64[number, columns], draws of the vector from its uncertainty; without one, copies
        of it.
        """
        return _cloud(self._assembly, self.word_row, self.context_row, number, seed)


def _cloud(
    assembly: Assembly, word: TaughtRow, context: TaughtRow | None, number: int, seed: int = 0
) -> Doubles:
    """float64[number, columns], draws of the assembled vector; copies without a covariance."""
    random = np.random.default_rng(seed)
    contexts = None
    with BLAS_ALONE:
        words = _draws(word, number, random)
        if assembly.uses_contexts and context is not None:
            contexts = _draws(context, number, random)
    return np.stack(
        [
            assembly.vector(words[i], None if contexts is None else contexts[i])
            for i in range(number)
        ]
    )


def _draws(row: TaughtRow, number: int, random: np.random.Generator) -> Doubles:
    if row.covariance is None:
        return np.tile(row.row, (number, 1))
    draws = random.multivariate_normal(row.row, row.covariance, number, method="eigh")
    return np.asarray(draws, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Task:
    """A word to learn.

    row : its row in the vocabulary, None for a new word
    read, occurrences : the lines' tokens, and how often it occurs in each
    added : its counts in the corpus are added
    """

    word: str
    row: int | None
    lines: Sequence[str]
    read: Sequence[ReadLine]
    occurrences: Sequence[int]
    added: bool
    n: int
    run: JobControl | None

    @property
    def number(self) -> int:
        return sum(self.occurrences)

    @property
    def used(self) -> int:
        """Number of lines that contain the word."""
        return sum(1 for times in self.occurrences if times)


class Teacher:
    """Teaches words to one model. Fast enough for every key stroke: lines that were read before are
    not read again, and each vector starts from the last one. For one thread at a time.
    """

    def __init__(self, still: StillModel) -> None:
        self._still = still
        self._reader = LineReader(still.embeddings.options, still.embeddings.index)
        self._assembly = Assembly(still.embeddings)
        self._counted: dict[tuple[str, str, float], LineCounts] = {}
        self._last: dict[tuple[str, str], RowSolution] = {}
        self._corpus_counts: dict[tuple[int, bool], Doubles] = {}
        self._folding: DocumentFolding | None = None

    def teach(
        self,
        word: str,
        lines: Sequence[str],
        n: int = 10,
        instead: bool = False,
        both_sides: bool = False,
        run: JobControl | None = None,
    ) -> Taught:
        """Learn a word from lines of text.

        n : number of neighbours
        instead : for a known word, forget its occurrences in the corpus; else its counts there are
        added, which needs the corpus
        both_sides : compute the context vector, too, even if the vectors shown don't contain it

        Raises UserError if the word isn't one token, if no line contains it or a word that the
        model knows beside it, or if the corpus is needed, and Cancelled.
        """
        word = self._spelling(word)
        if not any(line.strip() for line in lines):
            raise UserError(
                tr("There are no lines to learn “{word}” from.", word=word),
                tr("Type a sentence that contains the word."),
            )
        read = [self._reader.read(line) for line in lines]
        occurrences = [_occurrences(one, word) for one in read]
        if not any(occurrences):
            raise UserError(
                tr("“{word}” doesn’t occur in these lines.", word=word),
                tr("Write “{word}” in at least one line.", word=word),
            )
        row = self._still.embeddings.index.get(word)
        added = row is not None and not instead
        task = _Task(word, row, lines, read, occurrences, added, n, run)
        with BLAS_ALONE:
            if self._still.kind.row_objective.formula == "documents":
                return self._from_documents(task)
            return self._from_pairs(task, both_sides or self._assembly.uses_contexts)

    def _spelling(self, word: str) -> str:
        """The word as the vocabulary has it, or as the tokeniser makes it."""
        found = self._still.embeddings.find(word) if word.strip() else None
        return self._reader.word(word) if found is None else self._still.embeddings.words[found]

    def _from_pairs(self, task: _Task, both_sides: bool) -> Taught:
        row = self._row(task, WORDS)
        if not row.counts.any():
            raise _no_known_word(task.word)
        word_row = self._solve(task, row)
        assert word_row is not None
        context_row = self._solve(task, self._row(task, CONTEXTS)) if both_sides else None
        return self._make_taught(task, row.counts, self._contexts(row), word_row, context_row)

    def _row(self, task: _Task, side: str) -> Row:
        """The counts of all lines, with those in the corpus if they are added."""
        counts, number = self._line_counts(task, side), task.number
        if task.added and task.row is not None:
            counts = counts + self._counts_in_corpus(task.row, side, task.run)
            number += int(self._still.counts[task.row])
        return Row(side, counts, float(number))

    def _line_counts(self, task: _Task, side: str) -> Doubles:
        """float64[V], summed over lines; pairs of a new word with itself are left out."""
        still = self._still
        size, keep, row = len(still.embeddings), still.keep, task.row
        if row is None:
            row = size
            sample, formula = still.counting.sample, still.counting.sample_formula
            both = np.array([task.number, still.counts.sum()])
            keep = np.append(keep, keep_probabilities(both, sample, formula)[0])
        after = side == CONTEXTS and not still.counting.symmetric
        total = np.zeros(size)
        for line, read in zip(task.lines, task.read, strict=True):
            key = (line, f"{task.word} {after}", float(keep[row]))
            found = self._counted.get(key)
            if found is None:
                text = self._numbered(read, task.word, row)
                found = counts_by_line(text, row, keep, still.counting, task.run, after)
                self._counted[key] = found
            known = found.cells.indices < size
            total[found.cells.indices[known]] += found.cells.data[known]
        return total

    def _numbered(self, line: ReadLine, word: str, row: int) -> NumberedText:
        index, unknown = self._still.embeddings.index, len(self._still.embeddings) + 1
        ids = [
            row if token == word else index.get(token, unknown)
            for sentence in line.sentences
            for token in sentence
        ]
        ends = np.cumsum([0, *map(len, line.sentences)])
        return NumberedText(np.array(ids, dtype=np.int32), ends, np.array([0, len(ids)]))

    def _counts_in_corpus(self, row: int, side: str, run: JobControl | None) -> Doubles:
        still, after = self._still, side == CONTEXTS and not self._still.counting.symmetric
        if still.corpus is None:
            raise UserError(
                tr("Adding to the word’s own counts needs the corpus of the training."),
                tr("Open the corpus, or learn the word from these lines alone."),
            )
        key = (row, after)
        if key not in self._corpus_counts:
            sentences = np.asarray(still.corpus.sentences)
            whole = np.array([0, still.corpus.tokens])
            text = NumberedText(still.corpus.ids, sentences, whole)
            found = counts_by_line(text, row, still.keep, still.counting, run, after)
            self._corpus_counts[key] = found.total()
        return self._corpus_counts[key]

    def _solve(self, task: _Task, row: Row) -> TaughtRow | None:
        still = self._still
        form = build_form(still, row)
        if form is None:
            return None
        counts = form.cells(row.counts)
        exact = form.exact(counts, row.total)
        if exact is not None:
            assert isinstance(form, Projection)
            sparse = form.design.rows is None
            return TaughtRow(exact, None, None if sparse else form.noise(counts, row.total))
        prior = row_prior(still, row, task.row)
        prior = letters_prior(still, task.word, row, prior)
        start = self._last.get((task.word, row.side))
        found = minimise(form, counts, row.total, prior, start, task.run)
        self._last[task.word, row.side] = found
        dim, covariance = still.words.shape[1], found.covariance
        bias = float(found.w[dim]) if len(found.w) > dim else None
        return TaughtRow(found.w[:dim], bias, covariance[:dim, :dim])

    def _contexts(self, row: Row) -> tuple[ContextPmi, ...]:
        columns = self._still.margins.columns
        seen = np.flatnonzero(row.counts)
        # A word that has never co-occurred before occurs at least here.
        margins = np.maximum(columns[seen], row.counts[seen])
        chance = np.log(margins) - np.log(columns.sum())
        pmi = np.log(row.counts[seen]) - np.log(row.total) - chance
        words = self._still.embeddings.words
        return tuple(
            ContextPmi(words[seen[at]], float(row.counts[seen[at]]), float(pmi[at]))
            for at in np.argsort(-pmi, kind="stable")
        )

    def _from_documents(self, task: _Task) -> Taught:
        if self._folding is None:
            self._folding = DocumentFolding(self._still, task.run)
        index = self._still.embeddings.index
        documents, own = [], []
        for line, times in zip(task.read, task.occurrences, strict=True):
            if times:
                tokens = (token for sentence in line.sentences for token in sentence)
                documents.append(Counter(index[token] for token in tokens if token in index))
                own.append(times)
        found = self._folding.vector(documents, own)
        if task.added and task.row is not None:
            found = found + self._still.input_row(task.row)
        if not found.any():
            raise _no_known_word(task.word)
        nothing = np.zeros(len(index))
        return self._make_taught(task, nothing, (), TaughtRow(found, None, None), None)

    def _make_taught(
        self,
        task: _Task,
        counts: Doubles,
        contexts: tuple[ContextPmi, ...],
        word_row: TaughtRow,
        context_row: TaughtRow | None,
    ) -> Taught:
        if self._assembly.uses_contexts and context_row is None:
            raise UserError(
                tr("These vectors contain context vectors, which lines don’t determine here."),
                tr("Choose W as the result of the vectors."),
            )
        shown_context = context_row.row if context_row is not None else None
        vector = self._assembly.vector(word_row.row, shown_context)
        known = task.row is not None
        near = nearest(self._still.embeddings, vector, task.n, (task.word,) if known else ())
        places = np.array([one.row for one in near], dtype=np.int64)
        return Taught(
            task.word,
            known,
            task.used,
            task.number,
            counts,
            contexts,
            word_row,
            context_row,
            vector,
            near,
            self._errors(places, word_row, context_row),
            _notes(task),
            self._error_note(),
            self._assembly,
        )

    def _error_note(self) -> str:
        if self._still.kind.row_objective.formula != "projection":
            return ""
        return tr(
            "± is too small: for the SVD, it leaves out the pairs that don’t occur in the lines."
        )

    def _errors(self, places: Ints, word: TaughtRow, context: TaughtRow | None) -> Doubles:
        """Standard errors of cosines: their deviation over draws of the vector. A first-order
        estimate would be too large where it is wide, because cosines are at most 1.
        """
        if word.covariance is None:
            return np.full(len(places), np.nan)
        draws = _cloud(self._assembly, word, context, _DRAWS)
        draws /= np.maximum(np.linalg.norm(draws, axis=1, keepdims=True), _TINY)
        with BLAS_ALONE:
            cosines = draws @ unit_doubles(self._still.embeddings, places).T
        return np.asarray(cosines.std(axis=0, ddof=1))


def _occurrences(line: ReadLine, word: str) -> int:
    return sum(sentence.count(word) for sentence in line.sentences)


def _no_known_word(word: str) -> UserError:
    return UserError(
        tr("The model knows none of the words beside “{word}”.", word=word),
        tr("Write lines with words from the model’s vocabulary."),
    )


def _notes(task: _Task) -> tuple[str, ...]:
    """What each line without the word lacks; empty lines at the end are ignored."""
    last = max(place for place, line in enumerate(task.lines) if line.strip())
    notes = []
    for number, line in enumerate(task.lines[: last + 1], start=1):
        if not line.strip():
            notes.append(tr("Line {number} is empty: fill or delete it.", number=number))
        elif not task.occurrences[number - 1]:
            notes.append(
                tr(
                    "Line {number} teaches nothing: write “{word}” in it.",
                    number=number,
                    word=task.word,
                )
            )
    return tuple(notes)
