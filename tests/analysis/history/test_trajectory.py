"""States of a training, compared with scipy, scikit-learn and brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.linalg
from session.fakes import small_corpus
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.neighbors import NearestNeighbors

from workbench.analysis.history import aligned as aligned_states
from workbench.analysis.history.aligned import align_states, quality_along
from workbench.analysis.history.replay import ALL, SHOWN, FilmRequest, film_of
from workbench.analysis.history.trajectory import (
    TrainingFrame,
    Turner,
    analogy_along,
    fits_along,
    neighbours_along,
    place_words,
    plane_of,
)
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.target_fit import Figures
from workbench.analysis.theory.targets import TargetSettings, theory_target
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

TEXT = (
    "the king saw the queen and the man saw the woman while the boy met the girl near the old king "
    * 5
)


def states(count: int = 4, words: int = 30, dim: int = 6, seed: int = 3) -> list[np.ndarray]:
    """Vectors that move from noise to their final values in equal steps."""
    random = np.random.default_rng(seed)
    end, noise = random.normal(size=(2, words, dim))
    return [
        np.asarray(noise * (1 - share) + end * share, dtype=np.float32)
        for share in np.linspace(0.0, 1.0, count)
    ]


def frames_of(
    tables: list[np.ndarray], names: list[str] | None = None
) -> tuple[TrainingFrame, ...]:
    names = names or [f"w{number}" for number in range(len(tables[0]))]
    return tuple(
        TrainingFrame(
            at / max(len(tables) - 1, 1), float(at), 1.0, Embeddings(names, table), len(names)
        )
        for at, table in enumerate(tables)
    )


def unit(table: np.ndarray) -> np.ndarray:
    doubles = table.astype(np.float64)
    return doubles / np.linalg.norm(doubles, axis=1)[:, None]


def test_each_state_is_turned_onto_the_next() -> None:
    tables = states()
    turns = Turner().onto_last(frames_of(tables))
    expected = np.eye(6)
    for at in (2, 1, 0):
        found, _ = scipy.linalg.orthogonal_procrustes(unit(tables[at]), unit(tables[at + 1]))
        expected = found @ expected
        np.testing.assert_allclose(turns[at], expected, atol=1e-10)
    np.testing.assert_array_equal(turns[-1], np.eye(6))


def test_turning_a_state_as_a_whole_changes_nothing() -> None:
    tables = states()
    random = np.random.default_rng(5)
    rotated_tables = [
        (table @ np.linalg.qr(random.normal(size=(6, 6)))[0]).astype(np.float32)
        if at < 3
        else table
        for at, table in enumerate(tables)
    ]
    rows = [0, 4, 9]
    first, second = (
        place_words(frames, Turner().onto_last(frames), plane_of(frames[-1]), rows)
        for frames in (frames_of(tables), frames_of(rotated_tables))
    )
    np.testing.assert_allclose(first, second, atol=1e-5)


def test_maps_between_states_seen_before_are_remembered() -> None:
    turner, frames = Turner(), frames_of(states())
    assert turner.between(frames[0], frames[1]) is turner.between(frames[0], frames[1])
    assert turner.between(frames[0], frames[2]) is not turner.between(frames[0], frames[1])


@pytest.mark.parametrize("rows", [None, [1, 2, 5, 7, 11]])
def test_the_plane_is_that_of_the_last_state(rows: list[int] | None) -> None:
    last = frames_of(states())[-1]
    plane = plane_of(last, rows)
    vectors = unit(np.asarray(last.embeddings.vectors))[slice(None) if rows is None else rows]
    _, _, directions = np.linalg.svd(vectors - vectors.mean(axis=0))
    for found, expected in zip(plane.axes.T, directions[:2], strict=True):
        assert abs(found @ expected) == pytest.approx(1.0, abs=1e-9)
        assert found[np.argmax(np.abs(found))] > 0
    seen = place_words([last], [np.eye(6)], plane, [3])[0, 0]
    np.testing.assert_allclose(
        seen,
        (unit(np.asarray(last.embeddings.vectors))[3] - vectors.mean(axis=0)) @ plane.axes,
        atol=1e-6,
    )


def test_one_dimension_has_a_plane_too() -> None:
    frame = frames_of([np.array([[1.0], [-2.0], [0.5]], dtype=np.float32)])[0]
    assert plane_of(frame).axes.shape == (1, 2)


def test_neighbours_of_every_state() -> None:
    tables = states()
    found = neighbours_along(frames_of(tables), "W4", 5)
    assert found.word == "w4"
    for at, table in enumerate(tables):
        distances, rows = (
            NearestNeighbors(n_neighbors=6, metric="cosine").fit(table).kneighbors(table[4:5])
        )
        assert found.rows[at].tolist() == rows[0, 1:].tolist()
        np.testing.assert_allclose(found.cosines[at], 1 - distances[0, 1:], atol=1e-5)
    with pytest.raises(UnknownWord):
        neighbours_along(frames_of(tables), "nothing", 5)


def test_a_word_without_a_vector_has_no_neighbours_and_no_rank() -> None:
    tables = states()
    tables[1][4] = 0.0
    found = neighbours_along(frames_of(tables), "w4", 5)
    assert (found.rows[1] == -1).all()
    assert np.isnan(found.cosines[1]).all()
    course = analogy_along(frames_of(tables), "w1", "w2", "w3", "w4")
    assert course.rank[1] == 0
    assert math.isnan(course.score[1])


def test_the_rank_of_an_answer() -> None:
    tables = states()
    course = analogy_along(frames_of(tables), "w1", "w2", "w3", "w8")
    assert course.candidates == 27
    for at, table in enumerate(tables):
        rows = unit(table)
        sum_ = rows[1] - rows[2] + rows[3]
        scores = {
            row: float(rows[row] @ sum_ / np.linalg.norm(sum_))
            for row in range(len(rows))
            if row not in (1, 2, 3)
        }
        order = sorted(scores, key=lambda row, scores=scores: -scores[row])  # type: ignore[misc]
        assert course.rank[at] == order.index(8) + 1
        assert course.first[at] == order[0]
        assert course.score[at] == pytest.approx(scores[8], abs=1e-5)
        assert course.first_score[at] == pytest.approx(scores[order[0]], abs=1e-5)


def test_a_query_word_is_never_the_answer() -> None:
    with pytest.raises(UserError, match="“w2” is one of the three query words"):
        analogy_along(frames_of(states()), "w1", "w2", "w3", "w2")


def test_the_fit_of_every_state() -> None:
    corpus = small_corpus("fit", TEXT)
    pairs = count_pairs(corpus, PairCountSettings(window=2, sample=0.0), 0)
    random = np.random.default_rng(1)
    size = len(pairs.words)
    frames = tuple(
        TrainingFrame(at / 2, 0.0, 1.0, Embeddings(list(pairs.words), one, contexts=other), size)
        for at, (one, other) in enumerate(random.normal(size=(3, 2, size, 4)).astype(np.float32))
    )
    setting = TargetSettings(negative=2.0)
    found = fits_along(frames, pairs, setting, theory_target("sgns"))
    counts = pairs.cells.toarray()
    frequency = np.array(
        [corpus.counts[corpus.words.index(word)] for word in pairs.words], dtype=float
    )
    noise = frequency**0.75 / (np.asarray(corpus.counts, dtype=float) ** 0.75).sum()
    for frame, figures in zip(frames, found, strict=True):
        target, score, weight = [], [], []
        for row in range(size):
            for column in np.flatnonzero(counts[row]):
                a, b = counts[row, column], 2.0 * counts[row].sum() * noise[column]
                target.append(math.log(a / b))
                weight.append(a * b / (a + b))
                w, c = np.asarray(frame.embeddings.vectors)[row], frame.embeddings.contexts
                assert c is not None
                score.append(float(w.astype(float) @ c[column].astype(float)))
        assert figures.r2 == pytest.approx(r2_score(target, score, sample_weight=weight), abs=1e-6)
        assert figures.rms == pytest.approx(
            math.sqrt(mean_squared_error(target, score, sample_weight=weight)), abs=1e-6
        )
    known = {frames[0]: Figures(*[0.5] * 5)}
    assert fits_along(frames, pairs, setting, theory_target("sgns"), known=known)[0].r2 == 0.5


def test_log_probabilities_need_every_word() -> None:
    pairs = count_pairs(small_corpus("fit", TEXT), PairCountSettings(window=2, sample=0.0), 0)
    size = len(pairs.words)
    table = np.ones((size, 2), dtype=np.float32)
    frame = TrainingFrame(
        1.0, 0.0, 1.0, Embeddings(list(pairs.words), table, contexts=table), size + 1
    )
    with pytest.raises(UserError, match="sums over all words"):
        fits_along((frame,), pairs, TargetSettings(), theory_target("skipgram-softmax"))


def test_states_laid_out_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """States between those laid out are on straight lines; the film shows these words only."""
    given: list[np.ndarray] = []

    def lay_out(layers, starts, relations, params, alignment, run):
        assert [len(layer) for layer in layers] == [20] * 3
        assert relations == [{row: row for row in range(20)}] * 2
        given.extend(layers)
        return [start * 10 for start in starts]

    monkeypatch.setattr(aligned_states, "lay_out_aligned", lay_out)
    monkeypatch.setattr(aligned_states, "WORDS", 20)
    monkeypatch.setattr(aligned_states, "STATES", 3)
    tables = states(5)
    frames = frames_of(tables)
    found = align_states(frames, Turner(), JobControl())
    assert found.laid_out == (0, 2, 4)
    np.testing.assert_allclose(given[1], unit(tables[2])[:20], atol=1e-6)
    rows = np.arange(20)
    plane = place_words(frames, Turner().onto_last(frames), plane_of(frames[-1]), rows)
    for at in (0, 2, 4):
        np.testing.assert_allclose(found.positions[at], plane[at] * 10, rtol=1e-5)
    middle = (found.positions[2] + found.positions[4]) / 2
    np.testing.assert_allclose(found.positions[3], middle, rtol=1e-5)
    film = film_of(FilmRequest(frames, "w25", None, aligned=found, judged=True))
    assert film.words == tuple(f"w{row}" for row in range(20))
    assert film.positions is found.positions
    assert set(film.asked) <= set(film.words)
    assert film.near is not None
    state = quality_along(frames, rows.tolist(), found.positions)
    np.testing.assert_array_equal(film.quality, state)
    assert ((state > 0) & (state <= 1)).all()
    with pytest.raises(UserError, match="at least 4 words"):
        align_states(frames_of(states(3, words=3)), Turner(), JobControl())


def test_a_film_of_what_is_asked() -> None:
    frames = frames_of(states())
    film = film_of(
        FilmRequest(frames, "w4", ("w1", "w2", "w3", "w20"), words=10, plane=SHOWN, neighbours=3)
    )
    assert film.near is not None
    assert film.course is not None
    wanted = {f"w{row}" for row in [*range(10), 20, *film.near.rows[-1].tolist()]}
    assert set(film.words) == wanted
    assert film.positions.shape == (4, len(wanted), 2)
    assert film.frames is frames
    rows = [1, 2, 3, 4, 20, *film.near.rows[-1].tolist()]
    plane = plane_of(frames[-1], sorted(rows))
    at = film.words.index("w20")
    expected = place_words(frames, Turner().onto_last(frames), plane, [20])[:, 0]
    np.testing.assert_allclose(film.positions[:, at], expected, atol=1e-6)


def test_a_film_says_which_words_it_lacks() -> None:
    frames = frames_of(states())
    film = film_of(FilmRequest(frames, "zebra", ("w1", "w2", "lion", "tiger"), plane=ALL))
    assert film.near is None
    assert film.near_problem == "“zebra” isn’t among the 30 words in the snapshots."
    assert film.course is None
    assert film.course_problem == "“lion” isn’t among the 30 words in the snapshots."
    fixed = film_of(FilmRequest(frames, "", ("w1", "w2", "lion", "tiger"), fixed=True))
    assert fixed.course_problem == "“lion” and “tiger” aren’t among the 30 words in the snapshots."
    assert (fixed.near, fixed.near_problem) == (None, "")
    same = film_of(FilmRequest(frames, "", ("w1", "w2", "w3", "w1")))
    assert "“w1” is one of the three query words" in same.course_problem


def test_a_film_tracks_the_first_answer_of_the_snapshots_in_place_of_a_rarer_word() -> None:
    frames = frames_of(states())
    film = film_of(FilmRequest(frames, "", ("w1", "w2", "w3", "tiger")))
    vectors = np.asarray(frames[-1].embeddings.vectors, dtype=np.float64)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    query = unit[1] - unit[2] + unit[3]
    scores = [float(row @ query) for row in unit]
    best = max((row for row in range(len(unit)) if row not in (1, 2, 3)), key=scores.__getitem__)
    assert film.course is not None
    assert film.course.words == ("w1", "w2", "w3", f"w{best}")
    assert film.course.rank[-1] == 1
    assert film.course_problem == ""
    assert film.course_note == "“tiger” isn’t among the 30 words in the snapshots."
    assert film.near is not None
    assert film.near.word == f"w{best}"
    assert film.near_problem == ""


def test_an_analogy_without_a_direction_has_no_first_answer() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 0], [0, 1]], dtype=np.float32)
    frames = frames_of([vectors, vectors])
    film = film_of(FilmRequest(frames, "", ("w0", "w1", "w2", "tiger")))
    assert film.course is None
    assert film.course_problem == "No word in the snapshots answers this analogy."
    assert (film.near, film.near_problem) == (None, "")


def test_a_film_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        film_of(FilmRequest(frames_of(states()), "w1"), run=run)


def test_a_word_whose_vector_is_still_zero_is_nobodys_neighbour_and_no_answer() -> None:
    end = np.array([[1, 0], [2, 1], [-1, 1], [0, 1], [-1, 0.5]], dtype=np.float32)
    start = end.copy()
    start[1] = 0
    frames = frames_of([start, end])
    found = neighbours_along(frames, "w0", 4)
    assert found.rows.tolist() == [[3, 2, 4, -1], [1, 3, 2, 4]]
    assert np.isnan(found.cosines[0, 3])
    # For w4 − w3 + w2 the only candidate at the start is w0, with a cosine below 0.
    assert analogy_along(frames, "w4", "w3", "w2", "w0").first.tolist()[0] == 0
