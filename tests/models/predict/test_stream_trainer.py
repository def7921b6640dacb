"""Reading of the corpus by trainers: pieces, subsampling, windows, segments."""

import numpy as np
import pytest
from corpora import make_corpus

from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.models.predict import stream_trainer
from workbench.models.predict.sgns import SGNS, SGNSParams
from workbench.models.predict.stream_trainer import (
    PIECE,
    Worker,
    initial_weights,
    open_stream,
    random64,
    reach_table,
    read_piece,
    segment_edges,
)


@kernel
def draw_many(state, reach, out):
    for i in range(len(out)):
        out[i] = streaming_draw(state, reach)


@kernel
def bits_of(state, out):
    for i in range(len(out)):
        out[i] = random64(state)


@kernel
def list_windows(chunk, inputs, out):
    """List each centre with the words of its window, then −1; returns the number of rows."""
    count = 0
    while True:
        last = stream_trainer.next_windows(chunk, 7)
        if last < 0:
            return count
        for i in range(chunk.cursor[2], last):
            m = stream_trainer.window_words(chunk.pieces, i, len(chunk.stream.reach), inputs)
            out[count, 0] = chunk.pieces.words[i]
            for j in range(m):
                out[count, 1 + j] = inputs[j]
            count += 1
        chunk.cursor[2] = last


streaming_draw = stream_trainer.draw_radius


def state(seed):
    new_state = np.zeros(8, np.uint64)
    new_state[0] = seed
    return new_state


def test_random_numbers_are_splitmix64():
    draws = np.zeros(3, np.uint64)
    bits_of(state(1234567), draws)
    # The published test vector of splitmix64 for seed 1234567.
    assert draws.tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize(
    ("weighting", "weight"),
    [
        ("fixed", lambda d, L: 1.0),
        ("dynamic", lambda d, L: (L - d + 1) / L),
        ("linear", lambda d, L: (L - d + 1) / L),
        ("harmonic", lambda d, L: 1 / d),
    ],
)
def test_a_context_is_reached_as_often_as_its_weight(weighting, weight):
    window, n = 4, 200_000
    draws = np.zeros(n, np.int64)
    draw_many(state(5), reach_table(window, weighting), draws)
    assert draws.min() >= 1
    assert draws.max() <= window
    for distance in range(1, window + 1):
        share = (draws >= distance).mean()
        wanted = weight(distance, window)
        assert abs(share - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / n) + 1e-9


def read_all(corpus, **values):
    params = SGNSParams(min_count=1, **values)
    stream = open_stream(corpus, corpus.vocabulary(1), params)
    worker = Worker(0, 3)
    worker.begin(stream, 0, corpus.tokens)
    pieces = []
    while worker.cursor[0] < corpus.tokens:
        length = read_piece(stream, worker.cursor, worker.stop, worker.state, worker.pieces, 0)
        pieces.append(worker.pieces.words[:length].tolist())
    return pieces


def test_pieces_are_sentences():
    corpus = make_corpus([["a", "b", "a"], ["b"], ["a", "c"]])
    ids = corpus.ids.tolist()
    assert read_all(corpus, sample=0.0) == [ids[:3], ids[3:4], ids[4:]]


def test_long_sentences_are_cut_at_a_thousand_kept_tokens():
    corpus = make_corpus([["a", "b"] * 1250])
    assert [len(piece) for piece in read_all(corpus, sample=0.0)] == [PIECE, PIECE, 500]


def test_windows_end_with_their_sentence_however_many_are_read_at_once():
    random = np.random.default_rng(4)
    # More words in total than are read at once, with an empty piece and a long one.
    lengths = [*random.integers(1, 9, 300), 2300, *random.integers(1, 9, 100)]
    sentences = [[f"w{word}" for word in random.integers(0, 50, length)] for length in lengths]
    sentences.insert(100, ["rare"])
    corpus = make_corpus(sentences)
    window = 3
    vocabulary = corpus.vocabulary(2)
    stream = open_stream(corpus, vocabulary, SGNSParams(sample=0.0, min_count=2, window=window))
    worker = Worker(0, 1)
    worker.begin(stream, 0, corpus.tokens)
    out = np.full((corpus.tokens, 1 + 2 * window), -1, np.int32)
    chunk = worker.chunk(stream, 10**6, 0.1, 0.0, 0.0)
    count = list_windows(chunk, np.zeros(2 * window, np.int32), out)
    expected = []
    for sentence in sentences:
        ids = [vocabulary.words.index(word) for word in sentence if word != "rare"]
        for start in range(0, len(ids), PIECE):
            piece = ids[start : start + PIECE]
            for i, centre in enumerate(piece):
                row = [centre, *piece[max(0, i - window) : i], *piece[i + 1 : i + 1 + window]]
                expected.append(row + [-1] * (1 + 2 * window - len(row)))
    assert worker.at_end
    assert worker.tokens_read == corpus.tokens
    assert out[:count].tolist() == expected


def test_tokens_are_kept_with_their_probability():
    corpus = make_corpus([["a"] * 900 + ["b"] * 100] * 50)
    pieces = read_all(corpus, sample=0.05, sample_formula="paper")
    counts = np.bincount([word for piece in pieces for word in piece], minlength=2)
    for word, count in enumerate([45_000, 5_000]):
        wanted = min(1.0, (0.05 / (count / 50_000)) ** 0.5)
        assert abs(counts[word] / count - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / count)


def test_words_outside_the_vocabulary_leave_no_gap():
    corpus = make_corpus([["a", "rare", "b", "a", "b"]])
    stream = open_stream(corpus, corpus.vocabulary(2), SGNSParams(sample=0.0))
    worker = Worker(0, 3)
    worker.begin(stream, 0, corpus.tokens)
    length = read_piece(stream, worker.cursor, worker.stop, worker.state, worker.pieces, 0)
    assert [corpus.words[word] for word in worker.pieces.words[:length]] == ["a", "b", "a", "b"]


def test_a_segment_begins_inside_a_sentence_where_it_must():
    corpus = make_corpus([["a", "b", "c", "d"], ["e", "f"]])
    stream = open_stream(corpus, corpus.vocabulary(1), SGNSParams(min_count=1, sample=0.0))
    worker = Worker(0, 1)
    worker.begin(stream, 2, 6)
    length = read_piece(stream, worker.cursor, worker.stop, worker.state, worker.pieces, 0)
    assert [corpus.words[word] for word in worker.pieces.words[:length]] == ["c", "d"]
    assert worker.cursor[:2].tolist() == [4, 1]


def test_a_segment_ends_inside_a_sentence_where_it_must():
    corpus = make_corpus([["a", "b", "c", "d"], ["e", "f"]])
    stream = open_stream(corpus, corpus.vocabulary(1), SGNSParams(min_count=1, sample=0.0))
    worker = Worker(0, 1)
    worker.begin(stream, 0, 3)
    length = read_piece(stream, worker.cursor, worker.stop, worker.state, worker.pieces, 0)
    assert [corpus.words[word] for word in worker.pieces.words[:length]] == ["a", "b", "c"]
    assert worker.cursor[:2].tolist() == [3, 0]
    worker.cursor[2:] = 1, 3
    assert worker.tokens_read == 1
    assert not worker.at_end
    worker.cursor[2] = 3
    assert worker.tokens_read == 3
    assert worker.at_end
    worker.begin(stream, 4, 6)
    assert worker.tokens_read == 3


@pytest.mark.parametrize("lengths", [[1000], [10] * 100, [1, 900, 99], [3, 0, 0, 7]])
def test_segments_cover_the_corpus_and_respect_short_sentences(lengths):
    sentences = np.concatenate([[0], np.cumsum(lengths)])
    edges = segment_edges(sentences, 8)
    assert edges[0] == 0
    assert edges[-1] == sum(lengths)
    assert (np.diff(edges) > 0).all()
    if max(lengths) <= 10 and sum(lengths) > 100:
        assert set(edges.tolist()) <= set(sentences.tolist())


def test_how_far_a_thread_is_never_jumps_while_it_takes_its_next_segment(monkeypatch):
    corpus = make_corpus([["a", "b", "c", "d"], ["e", "f"]])
    stream = open_stream(corpus, corpus.vocabulary(1), SGNSParams(min_count=1, sample=0.0))
    worker = Worker(0, 1)
    worker.begin(stream, 2, 6)
    worker.cursor[0] = 6
    token_counts, searchsorted = [], np.searchsorted

    def look(*args, **more):
        token_counts.append(worker.tokens_read)
        return searchsorted(*args, **more)

    monkeypatch.setattr(np, "searchsorted", look)
    worker.begin(stream, 0, 2)
    assert token_counts == [4]
    assert worker.tokens_read == 4


def test_segments_of_a_longer_corpus_are_long_enough_not_to_slow_its_training() -> None:
    """Each segment costs about 0.1 ms on top of its tokens; a thread reads a million tokens in 0.2
    s.
    """
    corpus = make_corpus([["a", "b"] * 10] * 20_000)
    assert corpus.tokens / stream_trainer.segment_count(corpus, 256) >= 3000


def test_a_corpus_has_many_segments_unless_its_sentences_would_be_cut():
    assert stream_trainer.segment_count(make_corpus([["a", "b"] * 10] * 1000), 256) == 78
    assert stream_trainer.segment_count(make_corpus([["a", "b"] * 10_000]), 256) == 20
    assert stream_trainer.segment_count(make_corpus([["a"]]), 256) == 1


def test_the_pace_counts_words_of_the_vocabulary_alone():
    class Timed(JobControl):
        def phase_seconds(self):
            return 2.0

    corpus = make_corpus([["a", "b", "a", f"rare{number}"] for number in range(300)])
    run = Timed()
    SGNS(SGNSParams(dim=4, min_count=2, epochs=2, threads=1)).fit(corpus, run)
    assert run.progress.rate == pytest.approx(2 * 900 / 2.0)


def test_the_start_is_that_of_word2vec_and_a_scale_multiplies_it():
    W, C = initial_weights(5000, 6, 3)
    draws = np.random.default_rng(3).random((5000, 6), dtype=np.float32)
    np.testing.assert_array_equal(W[:, :6], (draws - np.float32(0.5)) / np.float32(6))
    assert not C.any()
    small = initial_weights(5000, 6, 3, 0.125)[0]
    np.testing.assert_array_equal(small, W * np.float32(0.125))
