"""Parameters, corpus reading and training loop shared by trainers that read the corpus token by
token.

A *piece* is what is left of one sentence after words below min_count and subsampling have gone,
cut at 1,000 kept tokens as in word2vec.c; windows are laid over pieces. The loop hands every
thread segments of the corpus and calls the algorithm's kernel for chunks of them.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import param
from workbench.core.threads import usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.readahead import Readahead
from workbench.counts.sampling import keep_probabilities
from workbench.models.base import ModelParams
from workbench.models.checkpointing import Checkpointer, ResumeState
from workbench.models.kernels.gemm import Rows, aligned_rows, own_zeros, padded_dim
from workbench.models.parallel import run_steps
from workbench.models.tally import PARTS, LossTally, fair_order
from workbench.vectors.embeddings import Embeddings

PIECE = 1000
_FULL = 0xFFFFFFFF
# The learning rate falls linearly to this share of its start (word2vec.c).
LEAST_RATE = 1e-4
_POINTS = 250
# Tokens of a segment at most: some 10 ms of work. Shorter corpora have so many segments, so that
# every point of the loss is a sample from all over the text; but none is shorter than a few
# sentences.
_SEGMENT = 32_768
_SEGMENTS = 120
_LEAST_SEGMENT = 256
# Of which a point has so many at least where the training is long enough: fewer say little of its
# error.
_SAMPLE = 8


@dataclass(frozen=True)
class StreamParams(ModelParams):
    """Hyperparameters of every algorithm that reads the corpus token by token."""

    dim: int = param(
        100,
        "Length of the vectors.",
        symbol="d",
        low=1,
        high=2000,
        grows="finer distinctions, more memory, slower; beyond what the corpus supports, no better",
        source="word2vec.c -size 100",
        basic=True,
    )
    window: int = param(
        5,
        "How many words on each side of a word count as its contexts.",
        symbol="L",
        low=1,
        high=100,
        unit="words",
        grows="more about topics, less about grammar",
        source="word2vec.c -window 5",
        basic=True,
    )
    window_weighting: str = param(
        "dynamic",
        "How near contexts count more: the radius is drawn so that a context at distance δ is "
        "used with the "
        "probability (L − δ + 1)/L for dynamic and linear, 1/δ for harmonic, 1 for fixed.",
        choices=("dynamic", "fixed", "harmonic", "linear"),
        source="word2vec.c: dynamic",
    )
    sample: float = param(
        1e-3,
        "Subsampling threshold: words well above this share of the corpus (with word2vec’s "
        "formula, above 2.62 t) are "
        "dropped at random; 0 keeps every token.",
        symbol="t",
        low=0.0,
        high=1.0,
        grows="more of the frequent words kept; slower",
        source="word2vec.c -sample 1e-3",
        basic=True,
    )
    sample_formula: str = param(
        "word2vec",
        "Which published form of subsampling: the program's (sqrt(f/t) + 1)·t/f or the paper's "
        "sqrt(t/f).",
        choices=("word2vec", "paper"),
        source="word2vec.c; Mikolov et al. 2013b, section 2.3",
    )
    epochs: int = param(
        5,
        "How often the whole corpus is read.",
        low=1,
        high=10_000,
        unit="passes",
        grows="better fit, proportionally longer",
        source="word2vec.c -iter 5",
        basic=True,
    )
    learning_rate: float = param(
        0.025,
        "Size of the first steps; it falls linearly to a ten-thousandth.",
        symbol="η",
        low=0.0,
        high=10.0,
        grows="faster learning, until it diverges",
        source="word2vec.c -alpha 0.025",
    )
    threads: int = param(
        0,
        "How many threads train at once; 0 uses every core, at most 8. One thread with a seed "
        "gives the same "
        "vectors every time, several do not.",
        low=0,
        high=64,
        source="0: every core",
    )
    seed: int = param(
        1, "Start of the random numbers.", low=0, high=2**31 - 1, source="gensim seed=1"
    )


class TokenStream(NamedTuple):
    """Corpus arrays that a kernel reads. ids : int32[tokens]; sentences : int64[S + 1]; keep :
    uint32[V], a token is kept if a 32-bit draw is at most this; reach : uint32[L], the radius is
    the number of entries that a 32-bit draw does not exceed, at least 1.
    """

    ids: npt.NDArray[np.int32]
    sentences: npt.NDArray[np.int64]
    keep: npt.NDArray[np.uint32]
    reach: npt.NDArray[np.uint32]


@kernel(inline=True)
def random64(state: npt.NDArray[np.uint64]) -> int:
    """The next 64 random bits (splitmix64; Steele, Lea & Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))  # type: ignore[no-any-return]


@kernel
def read_piece(
    stream: TokenStream,
    cursor: npt.NDArray[np.int64],
    stop: int,
    state: npt.NDArray[np.uint64],
    piece: npt.NDArray[np.int32],
) -> int:
    """Fill ``piece`` with the next kept tokens of one sentence before ``stop``; return how many.

    cursor : int64[4]; position in ids and index of its sentence are moved on
    """
    ids, keep = stream.ids, stream.keep
    position = cursor[0]
    sentence_end = stream.sentences[cursor[1] + 1]
    end = min(sentence_end, stop)
    size = len(keep)
    count = 0
    while position < end and count < len(piece):
        word = ids[position]
        position += 1
        if word >= size:
            continue
        kept = keep[word]
        if kept != np.uint32(0xFFFFFFFF) and (random64(state) >> np.uint64(32)) > kept:
            continue
        piece[count] = word
        count += 1
    cursor[0] = position
    if position >= sentence_end:
        cursor[1] += 1
    return count


@kernel(inline=True)
def draw_radius(state: npt.NDArray[np.uint64], reach: npt.NDArray[np.uint32]) -> int:
    """Radius of the window of this centre, 1..L."""
    draw = random64(state) >> np.uint64(32)
    radius = 1
    while radius < len(reach) and draw <= reach[radius]:
        radius += 1
    return radius


def reach_table(window: int, weighting: str) -> npt.NDArray[np.uint32]:
    """uint32[L]: for distance δ = 1..L the probability that the radius is at least δ, in 2⁻³²."""
    distance = np.arange(1, window + 1)
    if weighting == "fixed":
        reaching = np.ones(window)
    elif weighting == "harmonic":
        reaching = 1.0 / distance
    else:
        reaching = (window - distance + 1) / window
    return np.minimum(reaching * 2.0**32 - 1, _FULL).astype(np.uint32)


def open_stream(corpus: Corpus, vocabulary: Vocabulary, params: StreamParams) -> TokenStream:
    """The corpus as kernels read it under these parameters."""
    kept = keep_probabilities(vocabulary.counts, params.sample, params.sample_formula)
    keep = np.minimum(kept * 2.0**32 - 1, _FULL).astype(np.uint32)
    keep[kept >= 1] = _FULL
    # As views that cannot be written, like a memory-mapped corpus: kernels are compiled for one
    # kind alone.
    ids, sentences = np.asarray(corpus.ids).view(), np.asarray(corpus.sentences).view()
    ids.flags.writeable = sentences.flags.writeable = False
    return TokenStream(
        ids,
        sentences,
        keep,
        reach_table(params.window, params.window_weighting),
    )


def kept_tokens(vocabulary: Vocabulary, params: StreamParams) -> float:
    """Tokens expected to survive subsampling in one epoch."""
    kept = keep_probabilities(vocabulary.counts, params.sample, params.sample_formula)
    return float(vocabulary.counts @ kept)


class Worker:
    """One thread's own state: nothing here is written by two threads.

    It reads one segment of the corpus after another. cursor : int64[4], position in ids, its
    sentence, and within the piece that was read last the next window and the length; totals :
    float64[16], loss and number of terms of this slice of the segment so far; state :
    uint64[8], the random numbers.
    """

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self.state = own_zeros(8, np.uint64)
        self.state[0] = seed
        self.totals = own_zeros(16, np.float64)
        self.piece = own_zeros(PIECE, np.int32)
        self.stop = 0
        # Tokens before the segment, its first one, and the cursor in it: replaced together by one
        # assignment, because other threads ask how far this one is at any moment.
        self._segment = (0, 0, own_zeros(4, np.int64))

    @property
    def cursor(self) -> npt.NDArray[np.int64]:
        return self._segment[2]

    def begin(self, stream: TokenStream, start: int, stop: int) -> None:
        """Go on with the tokens from ``start`` up to ``stop``."""
        before, last, _ = self._segment
        sentence = int(np.searchsorted(stream.sentences, start, side="right")) - 1
        cursor = own_zeros(4, np.int64)
        cursor[:2] = start, sentence
        segment = (before + self.stop - last, start, cursor)
        self.stop = stop
        self._segment = segment

    @property
    def tokens_read(self) -> int:
        """Tokens read so far, without those whose windows are still to come."""
        before, start, cursor = self._segment
        position, _, window, length = cursor.tolist()
        return int(before + max(position - start - (length - window), 0))

    def slice_of(self, slices: int) -> int:
        """In which of so many equal parts of its segment it is."""
        _, start, cursor = self._segment
        position, _, window, length = cursor.tolist()
        return int(
            min(
                slices - 1,
                (position - (length - window) - start) * slices // max(self.stop - start, 1),
            )
        )

    @property
    def at_end(self) -> bool:
        """Whether the segment's tokens are all read and trained on."""
        return bool(self.cursor[0] >= self.stop and self.cursor[2] >= self.cursor[3])


def initial_weights(size: int, dim: int, seed: int) -> tuple[Rows, Rows]:
    """W ~ U(−½, ½)/d and C = 0, both float32[size, padded(dim)] (word2vec.c)."""
    W, C = aligned_rows(size, dim), aligned_rows(size, dim)
    random = np.random.default_rng(seed)
    for start in range(0, size, 4096):
        block = W[start : start + 4096, :dim]
        block[:] = (random.random(block.shape, dtype=np.float32) - np.float32(0.5)) / np.float32(
            dim
        )
    return W, C


# A chunk: (worker, how many windows at most, learning rate at its start, and its fall per token).
Step = Callable[[Worker, int, float, float], None]


def train_stream(
    corpus: Corpus,
    params: StreamParams,
    run: JobControl,
    stream: TokenStream,
    step: Step,
    chunk: int,
    start: ResumeState,
    whole: Callable[[], Embeddings],
    snapshot: Callable[[], Embeddings] | None = None,
    least: int = _LEAST_SEGMENT,
    first_loss: float = 0.0,
) -> Embeddings:
    """All epochs, ``chunk`` windows at a time. Returns the result.

    whole, snapshot : the result as it is now, see Keeper; the learning rate falls linearly from the
        one in ``params``, whatever was trained before ``start``
    least : tokens of a segment, in each of which the last chunk is not a whole one
    first_loss : what the loss of a training from the beginning begins with, 0 where that is not
    known

    The corpus is cut into segments that are read in an order drawn again for every epoch, each part
    of which has some from everywhere: novels that stand one after another would otherwise pull the
    vectors to the last one, and no point of the loss would speak for the whole corpus. Several
    threads take the segments in turn, so that they end together.

    Records the mean of the objective since the last point, at up to 250 points, with its standard
    error over segments; answers requests for snapshots and keeps the last good state; raises
    Diverged.
    """
    threads = min(usable_threads(params.threads), max(1, corpus.tokens // 1000))
    total = corpus.tokens * params.epochs
    chunk = max(1, min(chunk, total // (threads * _POINTS)))
    seeds = np.random.SeedSequence(start.entropy(params.seed)).spawn(threads + 1)
    shuffle = np.random.default_rng(seeds[threads])
    edges = segment_edges(stream.sentences, _segments(corpus, least))
    segments = Segments(stream.ids, edges, params.epochs, shuffle, ahead=2 * threads)
    workers = [Worker(i, int(seeds[i].generate_state(1, np.uint64)[0])) for i in range(threads)]
    # Of a short corpus, whose segments are few, slices of them are looked at apart.
    slices = -(-PARTS // (2 * (len(edges) - 1)))
    count = slices * (len(edges) - 1)
    if slices > 1:
        chunk = max(1, min(chunk, corpus.tokens // (2 * count)))
    tally = LossTally(count, draws=True)
    known = int(corpus.counts[: len(stream.keep)].sum()) / max(corpus.tokens, 1)
    keeper = Checkpointer(run, start, params.epochs, params.learning_rate, whole, snapshot)
    if start.fresh:
        keeper.set_initial_loss(first_loss, certain=True)

    def work(worker: Worker) -> bool:
        if worker.at_end:
            segment = segments.next_segment(worker.number)
            if segment is None:
                return False
            worker.begin(stream, *segment)
        done = sum(other.tokens_read for other in workers)
        unit = slices * int(np.searchsorted(edges, worker.stop) - 1) + worker.slice_of(slices)
        step(
            worker,
            chunk,
            params.learning_rate * (1 - done / total),
            params.learning_rate * threads / total,
        )
        if not math.isfinite(worker.totals[0]):
            raise keeper.divergence_error(sum(other.tokens_read for other in workers) / total)
        if worker.at_end or unit % slices != worker.slice_of(slices):
            tally.add_one(unit, float(worker.totals[0]), float(worker.totals[1]))
            worker.totals[:2] = 0
        return True

    last = 0

    def report_progress() -> None:
        nonlocal last
        done = sum(worker.tokens_read for worker in workers)
        # However long the training, the first points come at once and are then drawn apart.
        first = _SAMPLE * corpus.tokens / count
        gap = min(max(total / _POINTS, min(first, total / PARTS)), max(first, last / 10))
        if done - last >= gap or done >= total > last:
            mean = tally.point()
            if mean is not None:
                keeper.record(min(done / total, 1.0), mean.loss, mean.error)
                last = done
        seconds = run.phase_seconds()
        progress = done / total
        run.advance(
            progress,
            tr(
                "epoch {epoch} of {epochs}",
                epoch=min(done // corpus.tokens + 1, params.epochs),
                epochs=params.epochs,
            ),
            rate=known * done / seconds if seconds > 0 else None,
            unit=tr("tokens"),
            learning_rate=params.learning_rate * max(1 - progress, LEAST_RATE),
        )
        keeper.answer_requests(progress)

    run.enter(Phase.TRAINING)
    run_steps(run, [partial(work, worker) for worker in workers], report_progress)
    return keeper.result(sum(worker.tokens_read for worker in workers) / total, tally.final())


def _segments(corpus: Corpus, least: int) -> int:
    """Into how many segments a corpus is cut: the cut is between sentences, unless those are
    long.
    """
    if 2 * corpus.tokens > least * (len(corpus.sentences) - 1):
        # Where it goes through a sentence, windows are lost; word2vec.c cuts at a thousand tokens,
        # too.
        least = max(least, 1000)
    return max(1, corpus.tokens // min(max(least, corpus.tokens // _SEGMENTS), _SEGMENT))


def stream_bytes(size: int, dim: int, rows: int = 2) -> int:
    """Memory of ``rows`` weight matrices while training, of the last good state and the next, in
    bytes.
    """
    return rows * size * 4 * (padded_dim(dim) + 2 * dim)


def segment_edges(sentences: npt.NDArray[np.int64], segments: int) -> npt.NDArray[np.int64]:
    """int64[<= segments + 1], rising: positions that cut the corpus into about equal parts, between
    sentences where those are short enough.
    """
    tokens = int(sentences[-1])
    even = np.linspace(0, tokens, segments + 1).astype(np.int64)
    nearest = sentences[np.clip(np.searchsorted(sentences, even), 0, len(sentences) - 1)]
    close = np.abs(nearest - even) < tokens // (2 * segments)
    return np.unique(np.where(close, nearest, even))


class Segments:
    """Hands out the segments between ``edges``, in an order drawn again for every epoch, to any
    thread.

    Of a corpus on disk the ``ahead`` next ones are asked for meanwhile, and what a thread had
    before is let go of.
    """

    def __init__(
        self,
        ids: npt.NDArray[np.int32],
        edges: npt.NDArray[np.int64],
        epochs: int,
        shuffle: np.random.Generator,
        ahead: int,
    ) -> None:
        self._edges = edges
        self._order = (
            int(number) for _ in range(epochs) for number in fair_order(len(edges) - 1, shuffle)
        )
        self._pages = Readahead(ids)
        self._next: deque[tuple[int, int]] = deque()
        self._ahead = ahead
        self._held: dict[int, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def next_segment(self, thread: int) -> tuple[int, int] | None:
        """(first token, the one after the last) of the next segment for a thread, None after
        all.
        """
        with self._lock:
            before = self._held.pop(thread, None)
            if before is not None:
                self._pages.let_go(*before)
            while (
                len(self._next) <= self._ahead and (number := next(self._order, None)) is not None
            ):
                segment = int(self._edges[number]), int(self._edges[number + 1])
                self._pages.ask(*segment)
                self._next.append(segment)
            if not self._next:
                return None
            taken = self._held[thread] = self._next.popleft()
            return taken
