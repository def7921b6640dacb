"""Matrix job: loads vectors, computes the matrices and draws their images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.analysis.matrix.board import Board, BoardRequest, Pane, compute_board, memory_needed
from workbench.analysis.matrix.values import KINDS
from workbench.core.job_control import JobControl
from workbench.core.language import choice_text, tr
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.ui.base.text import count, decimal, memory
from workbench.ui.base.theme import Palette
from workbench.ui.panels.matrix.image import MatrixImage, make_images
from workbench.vectors.embeddings import Embeddings

# From this number of bytes on, the size of the matrices is reported.
_WORTH_TELLING = 20e6


@dataclass(frozen=True, eq=False)
class MatrixOutcome:
    """request : the request, with the vectors of its panes; loaded : vectors loaded for runs"""

    request: BoardRequest
    board: Board
    pictures: list[MatrixImage | None]
    loaded: list[tuple[RunRecord, Embeddings]]


def make_board(
    corpus: Corpus | None,
    request: BoardRequest,
    records: Sequence[RunRecord | None],
    store: Store,
    look: tuple[bool, Palette],
    run: JobControl,
) -> MatrixOutcome:
    """Compute the matrices of these runs.

    look : whether they share their scales, and the colours
    """
    panes: list[Pane] = []
    loaded: dict[str, Embeddings] = {}
    for pane, record in zip(request.panes, records, strict=True):
        vectors = None if record is None else record.embeddings
        if record is not None and vectors is None and record.stored:
            run.advance(None, tr("Loading {name}", name=record.name))
            vectors = loaded.get(record.identifier) or store.vectors(record.identifier)
            loaded[record.identifier] = vectors
        panes.append(replace(pane, embeddings=vectors))
    counting = {"sample": 0.0, **corpus.counting} if isinstance(corpus, CountedCorpus) else {}
    request = replace(request, panes=tuple(panes), counting=counting)
    board = compute_board(corpus, request, run)
    run.advance(None, tr("Drawing the matrices"))
    drawn = make_images(board.panes, *look)
    kept = [
        (record, loaded[record.identifier])
        for record in records
        if record and record.identifier in loaded
    ]
    return MatrixOutcome(request, board, drawn, kept)


def describe_counting(outcome: MatrixOutcome) -> str:
    """Summary of the pair counting of the first pane and of the shared settings."""
    request = outcome.request.request(outcome.request.panes[0])
    rows, columns = len(outcome.board.words), len(outcome.board.columns)
    parts = [tr("{rows} × {columns} words", rows=count(rows), columns=count(columns))]
    if "corpus" in KINDS[request.kind].needs:
        weighting = choice_text(request.window_weighting)
        parts.append(
            tr(
                "window {window}, {window_weighting}",
                window=request.window,
                window_weighting=weighting,
            )
        )
        vectors = outcome.request.panes[0].embeddings
        if vectors is not None and vectors.own_contexts is not None:
            parts.append(tr("words as contexts, unlike in the run"))
    if request.kind == "xstar":
        parts.append(
            tr(
                "t {sample}, noise to the power {ns_exponent}",
                sample=decimal(request.sample),
                ns_exponent=decimal(request.ns_exponent),
            )
        )
    elif request.kind in ("pmi", "ppmi", "sppmi", "npmi") and request.context_smoothing != 1:
        parts.append(
            tr(
                "contexts to the power {context_smoothing}",
                context_smoothing=decimal(request.context_smoothing),
            )
        )
    needed = memory_needed(rows, columns, len(outcome.board.panes))
    if needed >= _WORTH_TELLING:
        parts.append(tr("about {needed}", needed=memory(needed)))
    return ", ".join(parts)
