"""Labels on a map don't overlap and stay inside the window; important ones are placed first."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.ui.widgets.map.label_placement import ABOVE, LEFT, RIGHT, Placement, place


def _overlap(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])


def _boxes(placement: Placement, sizes: np.ndarray) -> np.ndarray:
    return np.column_stack(
        [
            placement.left,
            placement.top,
            placement.left + sizes[placement.which, 0],
            placement.top + sizes[placement.which, 1],
        ]
    )


@settings(max_examples=80)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(0, 120),
    width=st.integers(40, 500),
    height=st.integers(30, 400),
    clumps=st.integers(1, 8),
    forced=st.integers(0, 12),
)
def test_no_two_labels_overlap_and_none_leaves_the_window(
    seed: int, count: int, width: int, height: int, clumps: int, forced: int
) -> None:
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0, 1, (clumps, 2)) * [width, height]
    screen = (centres[rng.integers(0, clumps, count)] + rng.normal(0, 20, (count, 2))).astype(
        np.float32
    )
    sizes = np.column_stack([rng.uniform(5, 90, count), rng.uniform(8, 20, count)]).astype(
        np.float32
    )
    placement = place(screen, sizes, (width, height), forced=min(forced, count), limit=1000)
    boxes = _boxes(placement, sizes)
    assert len(set(placement.which.tolist())) == len(placement.which)
    for index, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= width
        assert box[3] <= height
        assert not any(_overlap(box, other) for other in boxes[:index])


def test_the_most_important_of_equal_places_is_written() -> None:
    screen = np.full((3, 2), (60.0, 50.0), dtype=np.float32)
    sizes = np.full((3, 2), (100.0, 80.0), dtype=np.float32)
    placement = place(screen, sizes, (200, 100), gap=2.0)
    assert placement.which.tolist() == [0]


def test_a_wished_side_is_taken_and_another_where_it_is_not_free() -> None:
    screen = np.array([(100.0, 50.0), (100.0, 50.0), (196.0, 80.0)], dtype=np.float32)
    sizes = np.full((3, 2), (40.0, 12.0), dtype=np.float32)
    placement = place(screen, sizes, (200, 100), preferred=np.array([LEFT, LEFT, RIGHT]))
    assert placement.side.tolist() == [LEFT, RIGHT, LEFT]
    above = place(screen[:1], sizes[:1], (200, 100), preferred=np.array([ABOVE]))
    assert above.top[0] + 12 <= 50


def test_the_limit_holds_for_ordinary_labels_only() -> None:
    screen = np.array([(20.0, 10.0 + 20 * line) for line in range(10)], dtype=np.float32)
    sizes = np.full((10, 2), (30.0, 10.0), dtype=np.float32)
    placement = place(screen, sizes, (100, 220), forced=2, limit=3)
    assert placement.which.tolist() == [0, 1, 2, 3, 4]


def test_a_forced_label_gives_way_further_than_an_ordinary_one() -> None:
    screen = np.array([(100.0, 50.0)], dtype=np.float32)
    sizes = np.array([(30.0, 12.0)], dtype=np.float32)
    around = np.mgrid[62:140:3, 34:66:3].reshape(2, -1).T.astype(np.float32)
    assert len(place(screen, sizes, (200, 100), blocked=around).which) == 0
    assert len(place(screen, sizes, (200, 100), blocked=around, forced=1).which) == 1


@pytest.mark.parametrize("forced", [0, 40])
def test_names_beside_each_other_do_not_read_as_one(forced: int) -> None:
    """Names side by side are further apart than words, whose space is about four pixels wide."""
    random = np.random.default_rng(5)
    screen = random.uniform(0, 400, (300, 2)).astype(np.float32)
    sizes = np.full((300, 2), (60.0, 12.0), dtype=np.float32)
    placement = place(screen, sizes, (400, 400), forced=forced)
    assert len(placement.which) > 50
    left, top = placement.left[:, None], placement.top[:, None]
    beside = np.abs(top - top.T) < 12
    np.fill_diagonal(beside, False)
    assert np.abs(left - left.T)[beside].min() > 60 + 8
