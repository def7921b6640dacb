"""Contract of every projection (see workbench/analysis/projection/methods/base.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from guide.pages import install_examples

from workbench.__main__ import main
from workbench.analysis.projection.methods import PROJECTIONS, Need, Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap_learn import MetricParams, lay_out
from workbench.analysis.projection.word_axes import WordAxis
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.core.processes import child_process, child_task
from workbench.core.registry import Registry
from workbench.session.lessons.context import LessonScene
from workbench.ui.panels.map.layout import BORROWING, FIRST, METHODS, PAIRS, map_methods
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

WORDS = 40
ALL = list(PROJECTIONS)
each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.key)
each_dims = pytest.mark.parametrize(
    ("kind", "dims"), [(kind, dims) for kind in ALL for dims in kind.dims], ids=str
)
slow = pytest.mark.parametrize(
    "kind", [kind for kind in ALL if kind.moves], ids=lambda kind: kind.key
)


@pytest.fixture(scope="module", autouse=True)
def _quick_helper() -> Iterator[None]:
    """Helper processes that compile nothing: kernels are plain Python there."""
    environment = child_process.child_environment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            child_task,
            "child_environment",
            lambda: {**environment(), "NUMBA_DISABLE_JIT": "1"},
        )
        child_task.end_waiting()
        # One for all tests, each of which ends what it started.
        lay_out(space(PROJECTIONS["umap-learn"]), MetricParams(n_neighbors=5), JobControl())
        yield
        child_task.end_waiting()


def embeddings(seed: int = 1, words: int = WORDS) -> Embeddings:
    """Three clusters; the words 20 to 24 have equal vectors."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(3, 8))[np.arange(words) % 3] + 0.3 * random.normal(
        size=(words, 8)
    )
    vectors[20:25] = vectors[20:21]
    return Embeddings([f"w{row}" for row in range(words)], vectors.astype(np.float32))


def space(kind: type[Projection], words: int = WORDS, dims: int = 2, **given: object) -> Space:
    """The space of some words, with what the projection needs."""
    fields: dict[str, object] = {
        "axes": (WordAxis("w0", "w1"), WordAxis("w0", "w2")),
        "analogy": ("w0", "w1", "w2", "w0" if words < 4 else "w3"),
        "other": embeddings(2, words),
        "groups": np.arange(words) % 3,
    }
    wanted = {need.value: fields[need.value] for need in kind.needs}
    return Space(embeddings(1, words), dims=dims, **{**wanted, **given})  # type: ignore[arg-type]


def project(
    kind: type[Projection], given: Space, seed: int = 5, run: JobControl | None = None
) -> Projected:
    params = None
    if kind.params_type is not None:
        params = kind.params_type(n_neighbors=5, n_epochs=12, seed=seed)
    return kind.project(given, params, run)


@each_dims
def test_positions_are_the_same_for_the_same_seed(kind: type[Projection], dims: int) -> None:
    first = project(kind, space(kind, dims=dims))
    assert first.positions.dtype == np.float32
    assert first.positions.shape == (WORDS, dims)
    assert np.isfinite(first.positions).all()
    assert (first.positions.std(axis=0) > 0).all()
    again = project(kind, space(kind, dims=dims))
    assert again.positions.tobytes() == first.positions.tobytes()
    if kind.moves:
        other = project(kind, space(kind, dims=dims), seed=6)
        assert other.positions.tobytes() != first.positions.tobytes()


@each
def test_words_with_equal_vectors_have_one_place(kind: type[Projection]) -> None:
    found = project(kind, space(kind)).positions
    np.testing.assert_allclose(found[20:25], np.repeat(found[20:21], 5, axis=0), atol=1e-5)


@slow
def test_it_reports_progress_and_positions(kind: type[Projection]) -> None:
    class Listening(JobControl):
        notes: list[str]

        def advance(self, fraction: float | None, note: str = "", **details: object) -> None:
            super().advance(fraction, note)
            self.notes.append(note)

    run = Listening()
    run.notes = []
    project(kind, space(kind), run=run)
    assert any(run.notes)
    assert run.latest("positions").shape == (WORDS, 2)


@slow
def test_it_can_be_cancelled(kind: type[Projection]) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        project(kind, space(kind), run=run)


@each
def test_too_few_words_are_a_sentence(kind: type[Projection]) -> None:
    if kind.fewest <= 3:
        assert project(kind, space(kind, 3)).positions.shape == (3, 2)
        return
    with pytest.raises(UserError, match=r"at least \w+ words, but only 3 are shown\.") as raised:
        project(kind, space(kind, 3))
    assert raised.value.hint


@each
def test_what_it_lacks_is_a_sentence(kind: type[Projection]) -> None:
    for need in kind.needs:
        with pytest.raises(UserError, match=kind.title) as raised:
            project(kind, space(kind, **{need.value: None}))
        assert raised.value.hint


@each
def test_the_window_offers_it(kind: type[Projection]) -> None:
    assert kind.title
    assert kind.help
    if Need.OTHER in kind.needs:
        assert PAIRS[kind.key] is kind
        assert kind.short
        assert METHODS["pair"].projection.needs == (Need.OTHER,)
        return
    shown = [method for method in METHODS.values() if method.projection is kind]
    assert [method.dims for method in shown] == list(kind.dims)
    for method in shown:
        assert (method.key in FIRST) == kind.moves
        assert (method.dims == 3) <= (method.key in BORROWING)


ADDED = {
    "workbench/analysis/projection/methods/first_columns.py": '''"""The first columns."""

import numpy as np

from workbench.analysis.projection.methods.base import Projection
from workbench.analysis.projection.space import Projected, Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl


class FirstColumns(Projection):
    key = "first-columns"
    title = "First columns"
    help = "The first columns of the unit vectors"
    dims = (2, 3)

    @classmethod
    def compute(cls, space: Space, params: UmapParams, run: JobControl) -> Projected:
        return Projected(np.array(space.unit[:, : space.dims], dtype=np.float32))
'''
}


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Projection]]:
    assert PROJECTIONS.keys()
    with install_examples(tmp_path / "added", *ADDED, texts=ADDED):
        package = "workbench.analysis.projection.methods"
        found = Registry[Projection](package, Projection, "projection")
        monkeypatch.setattr(PROJECTIONS, "_classes", found._classes)
        yield PROJECTIONS["first-columns"]


def test_a_projection_is_one_file(
    added: type[Projection], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = embeddings()
    expected = np.asarray(model.unit)[:, :3]
    offered = map_methods()
    assert [offered[key].title for key in ("first-columns", "first-columns-3d")] == [
        "First columns",
        "3D by First columns",
    ]
    source, target = tmp_path / "v.npz", tmp_path / "map.npz"
    save_vectors(model, source)
    command = ["project", str(source), "--method", "first-columns", "--dims", "3"]
    assert main([*command, "--output", str(target)]) == 0
    with np.load(target) as arrays:
        np.testing.assert_allclose(arrays["positions"], expected)
    with pytest.raises(SystemExit):
        main(["project", "--help"])
    assert "first-columns" in capsys.readouterr().out
    lesson = LessonScene(None, {"a": (model, None)}, JobControl())
    np.testing.assert_allclose(lesson.map_of("a", "first-columns", WORDS, 0), expected[:, :2])
