"""Parameters and corpus reading shared by trainers that read the corpus token by token.

A *piece* is one sentence without words below min_count and tokens removed by subsampling, cut at
1,000 kept tokens as in word2vec.c; windows don't cross pieces. Short pieces are read several at a
time, so that a kernel can prefetch the rows of the next ones. Every thread gets segments of the
corpus and calls the algorithm's kernel for chunks of them.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.jit import kernel
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.core.params import redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.readahead import Readahead
from workbench.counts.sampling import keep_probabilities
from workbench.models.kernels.gemm import aligned_rows, own_zeros, padded_dim
from workbench.models.params import ModelParams, SharedParams
from workbench.models.tally import fair_order

PIECE = 1000
# Pieces are read until they have this many tokens in total: many more than a kernel prefetches, and
# few compared with a segment, because learning rate and progress count tokens that have been read.
_READ_AHEAD = 256
_FULL = 0xFFFFFFFF
# The learning rate falls linearly to this share of its initial value (word2vec.c).
LEAST_RATE = 1e-4
# Maximum tokens of a segment: some 10 ms of work. Shorter corpora have this many segments, so that
# every point of the loss is a sample of the whole text; but no segment is shorter than a few
# sentences.
_SEGMENT = 32_768
_SEGMENTS = 120
LEAST_SEGMENT = 256


@dataclass(frozen=True)
class StreamParams(ModelParams):
    """Hyperparameters of every algorithm that reads the corpus token by token."""

    dim: int = redeclare(SharedParams, "dim")
    window: int = redeclare(SharedParams, "window", grows="more topical, less syntactic similarity")
    window_weighting: str = redeclare(
        SharedParams,
        "window_weighting",
        source="word2vec.c: dynamic",
        doc=(
            "Distribution of the window radius. A context at distance δ is used with "
            "probability (L − δ + 1)/L for dynamic and linear, 1/δ for harmonic, 1 for fixed."
        ),
    )
    sample: float = redeclare(
        SharedParams,
        "sample",
        1e-3,
        "word2vec.c -sample 1e-3",
        doc=(
            "Subsampling threshold t. Words well above this relative frequency (above 2.62 t "
            "with word2vec’s formula) are randomly dropped. 0 = no subsampling."
        ),
        grows="more occurrences of frequent words are kept; slower",
        basic=True,
    )
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    epochs: int = redeclare(SharedParams, "epochs")
    learning_rate: float = redeclare(SharedParams, "learning_rate")
    init_scale: float = redeclare(SharedParams, "init_scale")
    threads: int = redeclare(SharedParams, "threads")
    seed: int = redeclare(SharedParams, "seed", source="gensim seed=1")


class TokenStream(NamedTuple):
    """Corpus arrays that a kernel reads. ids : int32[tokens]; sentences : int64[S + 1]; keep :
    uint32[V], a token is kept if a 32-bit draw is at most this; reach : uint32[L], the radius is
    the number of entries that a 32-bit draw does not exceed, at least 1.
    """

    ids: npt.NDArray[np.int32]
    sentences: npt.NDArray[np.int64]
    keep: npt.NDArray[np.uint32]
    reach: npt.NDArray[np.uint32]


class Pieces(NamedTuple):
    """The last read pieces, one after another.

    words : int32[_READ_AHEAD + PIECE], the kept tokens; starts, ends : int32 of the same length,
    start and end of each token's piece in ``words``
    """

    words: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]


class WindowChunk(NamedTuple):
    """The windows of one call of a kernel, and their position in the corpus.

    pieces : the last read tokens; cursor : int64[4], see Worker; unfinished pieces are continued,
    further ones are read until ``stop``
    windows : maximum number; state : uint64[8], the random numbers
    rate : learning rate at the first token, falling by ``fall`` per token to ``least``
    totals : float64[16]; totals[0] gains the loss before each step, in nats, totals[1] the number
    of its terms
    """

    stream: TokenStream
    pieces: Pieces
    cursor: npt.NDArray[np.int64]
    stop: int
    windows: int
    state: npt.NDArray[np.uint64]
    rate: float
    fall: float
    least: float
    totals: npt.NDArray[np.float64]


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
    pieces: Pieces,
    begin: int,
) -> int:
    """Write the next kept tokens of one sentence before ``stop`` to ``pieces`` from ``begin`` on;
    return their end.

    cursor : int64[4]; the position in ids and the index of its sentence are advanced
    """
    ids, keep = stream.ids, stream.keep
    words = pieces.words
    position = cursor[0]
    sentence_end = stream.sentences[cursor[1] + 1]
    last = min(sentence_end, stop)
    size = len(keep)
    end = begin
    while position < last and end < begin + PIECE:
        word = ids[position]
        position += 1
        if word >= size:
            continue
        kept = keep[word]
        if kept != np.uint32(0xFFFFFFFF) and (random64(state) >> np.uint64(32)) > kept:
            continue
        words[end] = word
        end += 1
    cursor[0] = position
    if position >= sentence_end:
        cursor[1] += 1
    for i in range(begin, end):
        pieces.starts[i] = begin
        pieces.ends[i] = end
    return end


@kernel
def read_pieces(chunk: WindowChunk) -> int:
    """Read the next pieces up to the end of the segment; return the number of their tokens."""
    # A plain 0 is a type of its own, for which the kernel would be compiled twice.
    end: int = np.int64(0)  # type: ignore[assignment]
    while end < _READ_AHEAD and chunk.cursor[0] < chunk.stop:
        end = read_piece(chunk.stream, chunk.cursor, chunk.stop, chunk.state, chunk.pieces, end)
    return end


@kernel(inline=True)
def next_token(cursor: npt.NDArray[np.int64]) -> int:
    """Position of the next window's centre, assuming that no token read with it was dropped."""
    position: int = cursor[0] - (cursor[3] - cursor[2])
    return position


@kernel(inline=True)
def next_windows(chunk: WindowChunk, left: int) -> int:
    """Read pieces if the last ones are finished. Return the end of the next windows of one piece,
    at most ``left`` windows; −1 at the end of the segment.
    """
    cursor = chunk.cursor
    if cursor[2] >= cursor[3]:
        cursor[2] = 0
        cursor[3] = read_pieces(chunk)
        if cursor[3] == 0:
            return -1
    end: int = min(chunk.pieces.ends[cursor[2]], cursor[2] + left)
    return end


@kernel(inline=True)
def rate_at(chunk: WindowChunk, begin: int) -> float:
    """Learning rate of the next window; ``begin``: ``next_token`` at the start of the chunk."""
    rate: float = max(chunk.rate - chunk.fall * (next_token(chunk.cursor) - begin), chunk.least)
    return rate


@kernel(inline=True)
def window_words(pieces: Pieces, centre: int, radius: int, inputs: npt.NDArray[np.int32]) -> int:
    """Fill ``inputs`` with the words within ``radius`` of a centre; return their number."""
    m = 0
    first, last = pieces.starts[centre], pieces.ends[centre]
    for j in range(max(first, centre - radius), min(last, centre + radius + 1)):
        if j != centre:
            inputs[m] = pieces.words[j]
            m += 1
    return m


@kernel(inline=True)
def draw_radius(state: npt.NDArray[np.uint64], reach: npt.NDArray[np.uint32]) -> int:
    """Radius of the window of this centre, 1..L."""
    draw = random64(state) >> np.uint64(32)
    radius = 1
    while radius < len(reach) and draw <= reach[radius]:
        radius += 1
    return radius


def reach_table(window: int, weighting: str) -> npt.NDArray[np.uint32]:
    """uint32[L]: for distance δ = 1..L the probability that the radius is at least δ, in units of
    2⁻³².
    """
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
    # Read-only views, like a memory-mapped corpus, so that kernels are compiled for only one kind
    # of array.
    ids, sentences = np.asarray(corpus.ids).view(), np.asarray(corpus.sentences).view()
    ids.flags.writeable = sentences.flags.writeable = False
    return TokenStream(
        ids,
        sentences,
        keep,
        reach_table(params.window, params.window_weighting),
    )


def no_pairs_error() -> UserError:
    """Error of a training whose windows contained no pair of words."""
    return UserError(
        tr("There is no pair of words to train on: no window contains two words."),
        tr(
            "Set {sample} to 0, lower {min_count}, or change {sentences}.",
            sample=quoted_param("sample"),
            min_count=quoted_param("min_count"),
            sentences=quoted_param("sentences"),
        ),
    )


def mean_radius(params: StreamParams) -> float:
    """Expected radius of a window, for estimates."""
    if params.window_weighting == "fixed":
        return params.window
    return (params.window + 1) / 2


def kept_tokens(vocabulary: Vocabulary, params: StreamParams) -> float:
    """Tokens expected to survive subsampling in one epoch."""
    kept = keep_probabilities(vocabulary.counts, params.sample, params.sample_formula)
    return float(vocabulary.counts @ kept)


def own_pieces() -> Pieces:
    """Arrays for the pieces of one thread."""
    words, starts, ends = (own_zeros(_READ_AHEAD + PIECE, np.int32) for _ in range(3))
    return Pieces(words, starts, ends)


class Worker:
    """One thread's own state, written by that thread alone.

    It reads one segment of the corpus after another. cursor : int64[4], position in ids, its
    sentence, and the next window and the length within the last read pieces; totals :
    float64[16], loss and number of terms of this slice of the segment so far; state :
    uint64[8], the random numbers.
    """

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self.state = own_zeros(8, np.uint64)
        self.state[0] = seed
        self.totals = own_zeros(16, np.float64)
        self.pieces = own_pieces()
        self.stop = 0
        # Tokens before the segment, its first token, and the cursor in it: replaced together by one
        # assignment, because other threads may read the progress at any moment.
        self._segment = (0, 0, own_zeros(4, np.int64))

    @property
    def cursor(self) -> npt.NDArray[np.int64]:
        return self._segment[2]

    def begin(self, stream: TokenStream, start: int, stop: int) -> None:
        """Continue with the tokens from ``start`` to ``stop``."""
        before, last, _ = self._segment
        sentence = int(np.searchsorted(stream.sentences, start, side="right")) - 1
        cursor = own_zeros(4, np.int64)
        cursor[:2] = start, sentence
        segment = (before + self.stop - last, start, cursor)
        self.stop = stop
        self._segment = segment

    def chunk(
        self, stream: TokenStream, windows: int, rate: float, fall: float, least: float
    ) -> WindowChunk:
        """The next ``windows`` windows of its segment."""
        return WindowChunk(
            stream,
            self.pieces,
            self.cursor,
            self.stop,
            windows,
            self.state,
            rate,
            fall,
            least,
            self.totals,
        )

    @property
    def tokens_read(self) -> int:
        """Tokens read so far, except those whose windows aren't trained yet."""
        before, start, cursor = self._segment
        position, _, window, length = cursor.tolist()
        return int(before + max(position - start - (length - window), 0))

    def slice_of(self, slices: int) -> int:
        """Index of the current part when the segment is split into ``slices`` equal parts."""
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
        """Whether all tokens of the segment are read and trained on."""
        return bool(self.cursor[0] >= self.stop and self.cursor[2] >= self.cursor[3])


def initial_weights(size: int, dim: int, seed: int, scale: float = 1.0) -> tuple[Singles, Singles]:
    """W ~ U(−½, ½)/d · ``scale`` and C = 0, both float32[size, padded(dim)] (word2vec.c: scale
    1).
    """
    W, C = aligned_rows(size, dim), aligned_rows(size, dim)
    random = np.random.default_rng(seed)
    for start in range(0, size, 4096):
        block = W[start : start + 4096, :dim]
        block[:] = (random.random(block.shape, dtype=np.float32) - np.float32(0.5)) / np.float32(
            dim
        )
        block *= np.float32(scale)
    return W, C


def segment_count(corpus: Corpus, least: int) -> int:
    """Number of segments that a corpus is cut into, between sentences unless they are long."""
    if 2 * corpus.tokens > least * (len(corpus.sentences) - 1):
        # A cut within a sentence loses windows; word2vec.c also cuts at a thousand tokens.
        least = max(least, 1000)
    return max(1, corpus.tokens // min(max(least, corpus.tokens // _SEGMENTS), _SEGMENT))


def stream_bytes(size: int, dim: int, rows: int = 2) -> int:
    """Memory in bytes of ``rows`` weight matrices while training, of the last good state and of the
    next.
    """
    return rows * size * 4 * (padded_dim(dim) + 2 * dim)


def segment_edges(sentences: npt.NDArray[np.int64], segments: int) -> npt.NDArray[np.int64]:
    """int64[<= segments + 1], increasing: positions that cut the corpus into about equal parts,
    between sentences if they are short enough.
    """
    tokens = int(sentences[-1])
    even = np.linspace(0, tokens, segments + 1).astype(np.int64)
    nearest = sentences[np.clip(np.searchsorted(sentences, even), 0, len(sentences) - 1)]
    close = np.abs(nearest - even) < tokens // (2 * segments)
    return np.unique(np.where(close, nearest, even))


class Segments:
    """Hands out the segments between ``edges`` to any thread, in an order drawn again for every
    epoch.

    For a corpus on disk, the next ``ahead`` segments are read ahead, and a thread's previous
    segment is released.
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
        """(first token, the one after the last) of the next segment for a thread, None after the
        last.
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
