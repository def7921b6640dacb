"""The loss panel: runs that share its axes, the meaning of the axes, and values at the pointer."""

import csv
import itertools
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.core.job_control import JobControl, Phase, Trace
from workbench.session.runs import loss_floor
from workbench.session.runs.loss_floor import Floor
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.ui.base.colours import contrast_ratio, readable_colour
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.run_marks import run_colour
from workbench.ui.base.text import exact_loss
from workbench.ui.base.theme import TYPE_SMALL, body_font
from workbench.ui.panels.loss import panel as loss_module
from workbench.ui.panels.loss.panel import LossPanel
from workbench.ui.panels.loss.plot import Axes, floor_text, smooth_curve, thin_curve
from workbench.ui.plots.end_names import NamedCurve, draw_end_names, place_end_names

LABELS = {
    "sgns": "negative-sampling loss per pair (nats)",
    "cbow": "negative-sampling loss per window (nats)",
    "glove": "weighted squares",
    "svd": "",
}


def _trace(points: int = 40, start: float = 3.0) -> Trace:
    progress = np.arange(1, points + 1) / points
    return Trace(progress, start - progress, 2.0 * progress, np.zeros(points))


def _record(number: int, algorithm: str = "sgns", **changes: object) -> RunRecord:
    values: dict[str, object] = {
        "identifier": f"2026-{number}",
        "name": f"Run {number}",
        "algorithm": algorithm,
        "parameters": {"epochs": 5},
        "corpus_name": "corpus",
        "corpus_digest": "d",
        "created": "",
        "colour": number,
        "state": State.DONE,
        "saved_trace": _trace() if LABELS[algorithm] else _trace(0),
        "summary": {"corpus": {"tokens": 1000}},
    }
    return RunRecord(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture
def panel(
    context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LossPanel]:
    monkeypatch.setattr(
        loss_module, "objective_of", lambda record: LABELS.get(record.algorithm, "")
    )
    new_panel = LossPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 220)
    new_panel.show()
    qtbot.waitExposed(new_panel)
    yield new_panel
    new_panel.release()


def _show(session: Session, *records: RunRecord) -> None:
    session.runs.records.extend(records)
    session.active.run = records[0]
    session.active.changed.emit()
    session.runs.changed.emit()


def _names(panel: LossPanel) -> list[str]:
    return [curve.name for curve in panel.plot.curves]


def test_without_runs_it_says_what_to_do(panel: LossPanel) -> None:
    assert panel.state == "empty"
    assert panel.plot.objectName() == "loss.plot"


def test_runs_of_one_objective_and_corpus_share_the_axes(
    panel: LossPanel, session: Session
) -> None:
    _show(
        session,
        _record(1),
        _record(2),
        _record(3, "glove"),
        _record(4, corpus_digest="other"),
        _record(5, "svd"),
    )
    assert _names(panel) == ["Run 1", "Run 2"]
    assert panel.plot.curves[1].colour == run_colour(2, panel.theme.palette).name()
    assert panel.objective.isVisible()
    session.active.run = session.runs[2]
    session.active.changed.emit()
    assert _names(panel) == ["Run 3"]


def _numbered(number: int, **parameters: object) -> RunRecord:
    return _record(number, name=f"SGNS {number}", parameters={"epochs": 5, **parameters})


def test_a_curve_is_named_by_the_only_setting_that_differs(
    panel: LossPanel, session: Session
) -> None:
    _show(
        session,
        _numbered(1, start="random", seed=1, threads=1),
        _numbered(2, start="counts", seed=2, threads=0),
        _record(3, name="Mine", parameters={"epochs": 5, "start": "counts"}),
        _numbered(4),
    )
    assert _names(panel) == ["SGNS 1, random", "SGNS 2, counts", "Mine", "SGNS 4"]
    described = panel.plot.accessibleDescription()
    assert "SGNS 2, counts: " in described


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"epochs": 3}, ["SGNS 1, epochs 5", "SGNS 2, epochs 3"]),
        ({"learning_rate": 0.05}, ["SGNS 1, learning rate 0.025", "SGNS 2, learning rate 0.05"]),
        ({"epochs": 3, "learning_rate": 0.05}, ["SGNS 1", "SGNS 2"]),
        ({}, ["SGNS 1", "SGNS 2"]),
    ],
)
def test_numbers_follow_their_label_and_several_differences_none(
    panel: LossPanel, session: Session, changes: dict[str, object], names: list[str]
) -> None:
    first = {"learning_rate": 0.025}
    _show(session, _numbered(1, **first), _numbered(2, **(first | changes)))
    assert _names(panel) == names


def test_another_objective_can_be_asked_for(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, _record(1), _record(3, "glove"))
    panel.objective.setFocus()
    qtbot.keyClick(panel.objective, Qt.Key.Key_Down)
    assert _names(panel) == ["Run 3"]


def test_axes_are_epochs_tokens_or_seconds(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, _record(1))
    assert panel.plot.curves[0].x[-1] == pytest.approx(5.0)
    panel.abscissa.setFocus()
    qtbot.keyClick(panel.abscissa, Qt.Key.Key_Down)
    assert panel.plot.curves[0].x[-1] == pytest.approx(5000.0)
    qtbot.keyClick(panel.abscissa, Qt.Key.Key_Down)
    assert panel.plot.curves[0].x[-1] == pytest.approx(2.0)
    assert session.settings.all().get("loss.x") == "seconds"


def test_the_loss_of_a_run_trained_on_goes_on_where_the_other_ended(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    origin = {"name": "Run 1", "passes": 5.0, "epochs": 5.0, "seconds": 40.0}
    summary = {"corpus": {"tokens": 1000}, "continued": origin}
    _show(session, _record(1), _record(2, parameters={"epochs": 2}, summary=summary))
    assert panel.plot.curves[1].x[[0, -1]] == pytest.approx([5.05, 7.0])
    panel.abscissa.setFocus()
    qtbot.keyClick(panel.abscissa, Qt.Key.Key_Down)
    assert panel.plot.curves[1].x[[0, -1]] == pytest.approx([5050.0, 7000.0])
    qtbot.keyClick(panel.abscissa, Qt.Key.Key_Down)
    assert panel.plot.curves[1].x[[0, -1]] == pytest.approx([40.05, 42.0])


def test_a_plot_is_painted_whose_curves_are_gone(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, _record(1), _record(2))
    assert len(panel.plot.names) == 2
    # As when the plot is painted after the last run was removed, but before the hint replaces it.
    with qtbot.capture_exceptions() as errors:
        panel.plot.show_curves((), Axes("Epochs"), 0.0)
        assert panel.plot.names == ()
        panel.plot.grab()
    assert errors == []


def test_a_live_run_grows_without_being_told(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    run = JobControl()
    training = _record(2, run=run, state=State.TRAINING, saved_trace=_trace(0))
    session.runs.append(training)
    session.runs.changed.emit()
    assert panel.state == "busy"
    run.enter(Phase.TRAINING)
    run.record(0.1, 2.5)
    qtbot.waitUntil(lambda: panel.state == "body" and len(panel.plot.curves[0].y) == 1)
    run.record(0.2, 2.25)
    run.advance(0.2, rate=3_600_000.0, unit="tokens", learning_rate=0.02)
    qtbot.waitUntil(lambda: len(panel.plot.curves[0].y) == 2)
    value = panel.numbers.findChild(object, "loss.value")
    qtbot.waitUntil(lambda: value.text() == "2.250")
    what = panel.numbers.findChild(object, "loss.what")
    assert what.whole == "so far"
    assert panel.numbers.findChild(object, "loss.speed").text() == "3.60 M tokens/s"
    assert panel.numbers.findChild(object, "loss.rate").text() == "0.02"
    training.state, training.run, training.saved_trace = State.DONE, None, run.trace
    session.runs.changed.emit()
    assert panel.numbers.findChild(object, "loss.speed").text() == ""
    # A run saved by an older version has no summary.
    assert what.whole == "last point of the curve"
    training.summary = {
        "final_loss": {"value": 2.125, "kind": "last epoch", "error": 0.004, "epochs": 1.0}
    }
    session.runs.changed.emit()
    assert (value.text(), what.whole) == ("2.125", "± 0.004, mean over the last epoch")
    training.summary = {
        "final_loss": {"value": 4.159, "kind": "last epoch", "error": 4.7e-7, "epochs": 0.043}
    }
    session.runs.changed.emit()
    assert what.whole == "± 4.7·10⁻⁷, mean over the last 0.043 epochs"
    # No line is clipped: text that doesn't fit is in the tooltip.
    panel.resize(500, 140)
    qtbot.waitUntil(lambda: what.width() > 0)
    assert "\n" not in what.text()
    assert what.height() >= what.fontMetrics().height()
    assert what.whole in what.toolTip()


def test_a_run_without_a_loss_is_explained(panel: LossPanel, session: Session) -> None:
    _show(session, _record(5, "svd"))
    assert panel.state == "empty"


@pytest.mark.parametrize("logarithmic", [False, True])
def test_the_pointer_reads_every_run_off(
    panel: LossPanel, session: Session, logarithmic: bool, qtbot: QtBot
) -> None:
    _show(session, _record(1), _record(2, saved_trace=_trace(start=4.0)))
    if logarithmic:
        qtbot.mouseClick(panel.log_x, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(panel.log_y, Qt.MouseButton.LeftButton)
    frame = panel.plot.frame
    panel.plot.point(QPointF(float(frame.x(2.5)), frame.area.center().y()))
    assert "2.5 epochs" in panel.plot.readout
    assert "Run 1  2.500" in panel.plot.readout
    assert "Run 2  3.500" in panel.plot.readout
    panel.plot.point(QPointF(-50, -50))
    assert panel.plot.readout == ""


def test_names_stand_apart_at_the_ends(panel: LossPanel, session: Session) -> None:
    _show(session, *(_record(number) for number in range(1, 12)))
    names = panel.plot.names
    assert len(names) >= 4
    # The latest run is always named.
    assert 10 in [name.curve for name in names]
    assert min(np.diff(sorted(name.middle for name in names))) > 14
    frame = panel.plot.frame
    ends, right = float(frame.x(5.0)), frame.area.right()
    assert all(ends < name.left < name.left + name.width <= right for name in names)


def test_no_line_to_a_name_looks_like_a_curve(panel: LossPanel, session: Session) -> None:
    """Past the end of a stopped run’s curve, only the run’s name has its colour."""
    curves = [
        NamedCurve("short", "#ff0000", np.array([0.0, 1.0]), np.array([3.0, 2.6]), pattern=1),
        NamedCurve("long", "#0000ff", np.array([0.0, 5.0]), np.array([3.0, 2.2])),
    ]
    _show(session, *(_record(number) for number in range(1, 3)))
    frame = panel.plot.frame
    names = place_end_names(curves, frame)
    image = QImage(panel.plot.size(), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw_end_names(painter, names, curves, "#ffffff")
    painter.end()
    short = next(name for name in names if name.curve == 0)
    assert short.left - short.end.x() > 50
    colours = [
        QColor(image.pixel(x, y))
        for x in range(round(short.end.x()), round(short.left) - 3)
        for y in range(image.height())
        if image.pixel(x, y) != QColor("white").rgb()
    ]
    assert colours
    assert max(colour.hsvSaturation() for colour in colours) < 60


def test_lines_to_names_do_not_cross(panel: LossPanel, session: Session) -> None:
    heights = [1.0, 3.0, 2.99, 3.01, 2.98, 3.02]
    curves = [
        NamedCurve(f"curve {at}", "#112233", np.array([0.0, 5.0]), np.array([0.0, height]))
        for at, height in enumerate(heights)
    ]
    _show(session, *(_record(number) for number in range(1, 3)))
    frame = panel.plot.frame
    names = place_end_names(curves, frame)
    assert len(names) > 3
    upward = sorted(names, key=lambda name: -name.middle)
    assert [heights[name.curve] for name in upward] == sorted(heights[name.curve] for name in names)


@pytest.mark.parametrize("size", [100, 200])
@pytest.mark.parametrize("name", ["Run 7", "A run of a long name 7"])
def test_names_end_before_the_numbers_begin(
    panel: LossPanel, session: Session, size: int, name: str
) -> None:
    panel.theme.choose_text_size(size)
    _show(session, _record(7, name=name))
    (label,) = panel.plot.names
    assert label.text.startswith(name[:2])
    assert label.text.endswith("7")
    assert label.left + label.width <= panel.plot.frame.area.right() - 7


def test_space_pauses_and_resumes(panel: LossPanel, session: Session, qtbot: QtBot) -> None:
    training = _record(2, run=JobControl(), state=State.TRAINING)
    _show(session, training)
    panel.plot.setFocus()
    qtbot.keyClick(panel.plot, Qt.Key.Key_Space)
    assert training.state is State.PAUSED
    qtbot.keyClick(panel.plot, Qt.Key.Key_Space)
    assert training.state is State.TRAINING


def test_smoothing_is_remembered_and_changes_the_line(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    trace = _trace(200)
    trace = Trace(
        trace.progress, trace.loss + 0.2 * (-1.0) ** np.arange(200), trace.seconds, trace.error
    )
    _show(session, _record(1, saved_trace=trace))
    rough = np.abs(np.diff(panel.plot.named_curves[0].y)).mean()
    panel.smooth.setFocus()
    for _ in range(10):
        qtbot.keyClick(panel.smooth, Qt.Key.Key_Right)
    assert np.abs(np.diff(panel.plot.named_curves[0].y)).mean() < 0.5 * rough
    assert session.settings.all().get("loss.smooth") == 10


def test_it_follows_the_theme(panel: LossPanel, session: Session) -> None:
    _show(session, _record(1))
    panel.theme.choose("dark")
    assert panel.plot.curves[0].colour == run_colour(1, panel.theme.palette).name()
    panel.theme.choose("light")


@settings(max_examples=40)
@given(count=st.integers(0, 5000), seed=st.integers(0, 100))
def test_thinning_keeps_the_mean_and_the_end(count: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=count)
    thin = thin_curve(values)
    assert len(thin) <= 300
    if count:
        assert thin[-1] == values[-1]
    if count and count <= 300:
        np.testing.assert_array_equal(thin, values)


@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_smoothing_leaves_a_constant_alone_and_stays_within_the_values(strength: float) -> None:
    np.testing.assert_allclose(smooth_curve(np.full(300, 2.5), strength), 2.5)
    values = np.random.default_rng(0).normal(size=300)
    smooth = smooth_curve(values, strength)
    assert smooth[0] == values[0]
    assert values.min() <= smooth.min()
    assert smooth.max() <= values.max()


def test_curves_and_points_are_saved(panel: LossPanel, session: Session, tmp_path: Path) -> None:
    _show(session, _record(1), _record(2, saved_trace=_trace(30, 4.0)))
    panel.export.save(tmp_path / "loss.csv")
    with (tmp_path / "loss.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 70
    assert list(rows[0].values()) == ["Run 1", "0.125", "125.0", "0.05", "2.975", "0.0", ""]
    for suffix in ("png", "svg", "pdf"):
        panel.export.save(tmp_path / f"loss.{suffix}")
    assert (tmp_path / "loss.svg").read_text().count("Run 2") == 1
    assert (tmp_path / "loss.pdf").read_bytes().startswith(b"%PDF")
    image = QImage(str(tmp_path / "loss.png"))
    assert image.size() == 2 * panel.plot.file_size
    colours = {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }
    assert run_colour(2, panel.theme.palette).name() in colours


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_beside_curves_can_be_read(panel: LossPanel, session: Session, theme: str) -> None:
    panel.theme.choose(theme)
    panel.resize(900, 400)
    _show(
        session, *(_record(number, saved_trace=_trace(start=3.0 + number)) for number in range(8))
    )
    QApplication.processEvents()
    ground, image = panel.theme.palette.ground, panel.plot.grab().toImage()
    assert len(panel.plot.names) == 8
    for name in panel.plot.names:
        left, top = round(name.left), round(name.middle) - 7
        colours = [
            image.pixelColor(left + x, top + y).name()
            for x in range(round(name.width))
            for y in range(14)
        ]
        # Strokes reach the full darkness of their colour somewhere.
        curve = panel.plot.curves[name.curve]
        assert max(contrast_ratio(colour, ground) for colour in colours) >= 4.5, curve.name


@pytest.mark.parametrize("size", [100, 200])
def test_curves_keep_most_of_a_narrow_panel(panel: LossPanel, session: Session, size: int) -> None:
    panel.resize(720, 400)
    panel.theme.choose_text_size(size)
    _show(session, _record(7))
    assert panel.plot.height() >= 0.6 * panel.height()


@pytest.mark.parametrize("size", [100, 150, 200])
def test_marks_that_end_with_the_data_stand_apart(
    panel: LossPanel, session: Session, size: int
) -> None:
    panel.resize(720, 400)
    panel.theme.choose_text_size(size)
    _show(session, _record(7, name="fastText 1", parameters={"epochs": 10}))
    axis, frame = panel.plot.pane.bottom, panel.plot.frame
    assert axis is not None
    values = axis.ticks(frame)
    metrics = QFontMetricsF(body_font(TYPE_SMALL, tabular=True))
    widths = [metrics.horizontalAdvance(text) for text in axis.texts(values, frame)]
    middles = frame.x(values).tolist()
    places = [(x - wide / 2, x + wide / 2) for x, wide in zip(middles, widths, strict=True)]
    assert len(places) > 1
    assert values[-1] <= 10.0
    assert all(right + 5 * size / 100 < left for (_, right), (left, _) in pairwise(places))


def test_numbers_are_those_of_what_trains_whatever_is_looked_at(
    panel: LossPanel, session: Session
) -> None:
    finished_run = _record(1)
    _show(session, finished_run)
    run = JobControl()
    run.enter(Phase.TRAINING)
    run.record(0.1, 7.25)
    training = _record(2, run=run, state=State.TRAINING, saved_trace=_trace(0))
    session.runs.append(training)
    session.runs.changed.emit()
    value = panel.numbers.findChild(object, "loss.value")
    assert value.text() == "7.250"


def test_of_many_runs_the_latest_are_drawn(panel: LossPanel, session: Session) -> None:
    _show(session, *(_record(number) for number in range(20)))
    names = _names(panel)
    assert 1 < len(names) < 20
    assert names == [f"Run {number}" for number in range(20 - len(names), 20)]


def test_a_logarithmic_axis_is_drawn_at_once(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, _record(1))
    assert not panel.plot.axes.log_y
    qtbot.mouseClick(panel.log_y, Qt.MouseButton.LeftButton)
    assert panel.plot.axes.log_y
    qtbot.mouseClick(panel.log_y, Qt.MouseButton.LeftButton)
    assert not panel.plot.axes.log_y


def test_each_name_has_the_colour_of_its_curve(panel: LossPanel, session: Session) -> None:
    panel.resize(900, 400)
    _show(
        session, *(_record(number, saved_trace=_trace(start=3.0 + number)) for number in range(4))
    )
    QApplication.processEvents()
    ground, image = panel.theme.palette.ground, panel.plot.grab().toImage()
    colours = [QColor(readable_colour(curve.colour, ground)) for curve in panel.plot.curves]
    assert len(panel.plot.names) == len({colour.name() for colour in colours}) == 4
    for name in panel.plot.names:
        left, top = round(name.left), round(name.middle) - 7
        pixels = [
            image.pixelColor(left + x, top + y) for x in range(round(name.width)) for y in range(14)
        ]
        # The pixel nearest to any of the colours is in the middle of a stroke.
        nearest = min(
            (_apart(pixel, colour), at) for pixel in pixels for at, colour in enumerate(colours)
        )
        assert nearest[1] == name.curve


def _apart(one: QColor, other: QColor) -> int:
    return (
        abs(one.red() - other.red())
        + abs(one.green() - other.green())
        + abs(one.blue() - other.blue())
    )


def _noisy(number: int, points: int = 200) -> Trace:
    progress = np.arange(1, points + 1) / points
    noise = np.random.default_rng(number).normal(0, 0.04, points)
    loss = 2.0 + 0.05 * number + np.exp(-4 * progress) + noise
    return Trace(progress, loss, 2.0 * progress, np.zeros(points))


def _nine_runs() -> list[RunRecord]:
    """A grid of nine runs, the first of which trained for fewer epochs."""
    return [
        _record(
            number,
            name=f"SGNS window {window}, learning rate 0.025, seed {seed}",
            saved_trace=_noisy(number),
            parameters={"epochs": 3 if number == 0 else 5},
        )
        for number, (window, seed) in enumerate(
            (window, seed) for window in (2, 5, 10) for seed in (1, 2, 3)
        )
    ]


@pytest.mark.parametrize("is_zoomed", [False, True])
def test_names_cover_no_curve(panel: LossPanel, session: Session, is_zoomed: bool) -> None:
    panel.resize(900, 460)
    _show(session, *_nine_runs())
    if is_zoomed:
        panel.plot.pane.setRange(xRange=(1.0, 2.0), yRange=(2.0, 3.5), padding=0)
    QApplication.processEvents()
    frame = panel.plot.frame
    assert panel.plot.names
    for name in panel.plot.names:
        for curve in panel.plot.named_curves:
            x, y = frame.x(curve.x), frame.y(curve.y)
            beneath = (x >= name.left) & (x <= name.left + name.width)
            assert not (abs(y[beneath] - name.middle) < 6).any(), name.text


def test_at_most_eight_curves_are_named_the_shown_one_among_them(
    panel: LossPanel, session: Session
) -> None:
    panel.resize(900, 460)
    _show(session, *_nine_runs())
    names = [panel.plot.curves[name.curve].name for name in panel.plot.names]
    assert len(names) == 8
    assert session.active.run is not None
    assert session.active.run.name in names
    frame = panel.plot.frame
    panel.plot.point(QPointF(float(frame.x(2.0)), frame.area.center().y()))
    assert all(record.name in panel.plot.readout for record in session.runs)


def test_names_are_whole_or_begin_after_what_all_share(panel: LossPanel, session: Session) -> None:
    panel.resize(900, 460)
    _show(session, *_nine_runs())
    texts = [name.text for name in panel.plot.names]
    assert "…10, learning rate 0.025, seed 3" in texts
    assert all("…" not in text[1:] for text in texts)


def test_the_shown_run_stands_out_and_ten_runs_differ(panel: LossPanel, session: Session) -> None:
    _show(session, *(_record(number) for number in range(10)))
    curves = panel.plot.curves
    assert [curve.main for curve in curves] == [True, *[False] * 9]
    assert curves[8].colour == curves[0].colour
    assert len({(curve.colour, curve.pattern) for curve in curves}) == 10


# -- the floor of the loss


FLOOR = {"floor": {"value": 1.5, "gap": 0.5, "state": "known"}, "corpus": {"tokens": 1000}}


def _text(panel: LossPanel, local: str) -> str:
    label = panel.findChild(QLabel, f"loss.{local}")
    assert label is not None
    return label.text() if label.isVisible() else ""


def _caption(panel: LossPanel, local: str) -> str:
    caption, _ = panel.numbers._rows[local]
    return caption.text()


def test_the_floor_is_drawn_below_the_loss_with_its_value_and_the_gap(
    panel: LossPanel, session: Session
) -> None:
    _show(session, _record(1, summary=FLOOR), _record(2))
    assert [(floor, curve.name) for floor, curve in panel.plot.floors] == [(1.5, "Run 1")]
    # The last value of the trace is 3 − 1 = 2.
    assert floor_text(panel.plot.curves[0]) == "floor 1.500, gap 0.5000"
    assert floor_text(panel.plot.curves[1]) == ""
    assert _caption(panel, "floor") == "floor"
    extent = panel.plot.extent(panel.plot.pane)
    assert extent is not None
    assert extent[1][0] < 1.5
    assert "floor 1.500, gap 0.5000" in panel.plot.accessibleDescription()


def test_a_lower_bound_is_not_called_a_floor(panel: LossPanel, session: Session) -> None:
    bound = {"floor": {**FLOOR["floor"], "bound": True}}
    _show(session, _record(1, summary=bound))
    assert floor_text(panel.plot.curves[0]) == "bound 1.500, gap 0.5000"
    assert _caption(panel, "floor") == "bound"
    _show(session, _record(2, summary=FLOOR))
    assert _caption(panel, "floor") == "floor"
    frame = panel.plot.frame
    row = round(float(frame.y(1.5)))
    picture = panel.plot.grab().toImage()
    ratio = picture.devicePixelRatio()
    across = range(round(frame.area.left()) + 2, round(frame.area.right()) - 2)
    lines = {
        place: sum(
            picture.pixelColor(round(x * ratio), round((row + place) * ratio))
            != QColor(panel.theme.palette.ground)
            for x in across
        )
        for place in (-1, 0, 1, 12)
    }
    assert max(lines[-1], lines[0], lines[1]) > 0.4 * len(across)
    assert lines[12] < 0.2 * len(across)


def test_a_floor_at_0_has_no_place_on_a_logarithmic_axis(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    summary = {**FLOOR, "floor": {"value": 0.0, "gap": 2.0, "state": "known"}}
    _show(session, _record(1, summary=summary))
    assert len(panel.plot.floors) == 1
    qtbot.mouseClick(panel.log_y, Qt.MouseButton.LeftButton)
    assert panel.plot.floors == []
    assert panel.plot.extent(panel.plot.pane) is not None


def test_the_floor_of_a_training_appears_as_soon_as_it_is_known(
    panel: LossPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = JobControl()
    record = _record(1, run=run, state=State.TRAINING)
    monkeypatch.setattr(type(session.training), "current", record)
    _show(session, record)
    assert panel.plot.floors == []
    run.publish(loss_floor.KEY, Floor(1.25))
    qtbot.waitUntil(lambda: len(panel.plot.floors) == 1)
    assert panel.plot.floors[0][0] == 1.25


def test_a_floor_that_costs_much_is_computed_on_request(
    panel: LossPanel, session: Session, qtbot: QtBot
) -> None:
    corpus = make_corpus([list("abcab")])
    session.corpora.current = corpus
    parameters = {"window": 1, "min_count": 1, "negative": 2, "sample": 0.0, "ns_exponent": 1.0}
    costly = {"value": None, "gap": None, "state": "costly", "seconds": 90.0}
    record = _record(
        1,
        corpus_digest=corpus.digest,
        parameters=parameters,
        summary={"floor": costly, "corpus": {"tokens": 5}},
    )
    _show(session, record)
    button = panel.floor_button
    assert button.isVisible()
    assert button.toolTip().endswith("Counting takes about 1 min 30 s.")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: len(panel.plot.floors) == 1)
    assert not button.isVisible()
    # Text a b c a b: pairs (a, b) and (b, a) occur twice, all others once; counts a 2, b 2, c 1.
    pairs = {"ab": 2, "ba": 2, "bc": 1, "cb": 1, "ca": 1, "ac": 1}
    counts = {"a": 2, "b": 2, "c": 1}
    words = {word: sum(n for pair, n in pairs.items() if pair[0] == word) for word in counts}
    total = 0.0
    for word, context in itertools.product(counts, repeat=2):
        positive, negative = pairs.get(word + context, 0), 2 * words[word] * counts[context] / 5
        if positive:
            total -= positive * math.log(positive / (positive + negative))
            total -= negative * math.log(negative / (positive + negative))
    assert panel.plot.floors[0][0] == pytest.approx(total / sum(pairs.values()), rel=1e-9)
    assert _text(panel, "floor") == exact_loss(panel.plot.floors[0][0])
    session.corpora.current = None


def test_it_is_not_offered_where_there_is_nothing_to_count(
    panel: LossPanel, session: Session
) -> None:
    _show(session, _record(1))
    assert not panel.floor_button.isVisible()


def test_a_loss_that_has_no_floor_says_why(panel: LossPanel, session: Session) -> None:
    _show(session, _record(1, algorithm="cbow"))
    panel._show_numbers()
    assert _text(panel, "floor") == "none"
    value = panel.findChild(QLabel, "loss.floor")
    assert "almost every window occurs only once" in value.toolTip()
    _show(session, _record(2))
    panel._show_numbers()
    assert _text(panel, "floor") == ""
    assert value.toolTip() == ""


def test_floors_are_saved_with_the_points(
    panel: LossPanel, session: Session, tmp_path: Path
) -> None:
    _show(session, _record(1, summary=FLOOR))
    panel.export.save(tmp_path / "loss.csv")
    with (tmp_path / "loss.csv").open() as file:
        assert {row["floor"] for row in csv.DictReader(file)} == {"1.5"}
