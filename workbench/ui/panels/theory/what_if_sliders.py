"""Sliders that show how training settings change the target: k ↔ log k, α ↔ smoothing, L ↔
weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QWidget

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.language import choice_text, plural, tr, trn
from workbench.counts.cooccurrence import window_weights
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import mark_unknown, true_minus

MOST_K, MOST_WINDOW, STEPS = 30, 15, 20
# Pairs are counted only once the slider has been at rest for this time.
_REST_MS = 120
_WITH_CHANCE = ("xstar", "pmi", "sppmi")


class TiedSliders(QWidget):
    """Sliders that start at the model’s own settings and can be reset to them. Emits ``moved``."""

    moved = Signal()

    def __init__(self, panel: Panel, prefix: str) -> None:
        super().__init__()
        self._own: tuple[PairCountSettings, TargetSettings] = (
            PairCountSettings(),
            TargetSettings(),
        )
        self._key = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self.moved)
        self._texts: dict[str, kit.ElidedLabel] = {}
        self._names: dict[str, QLabel] = {}

        slider = partial(self._make_slider, panel, prefix)
        self.negative = slider("negative", "k", tr("Negative samples k"), (1, MOST_K), 5)
        self.exponent = slider(
            "exponent",
            "α",
            tr("Exponent of the noise distribution, context smoothing"),
            (0, STEPS),
            2,
        )
        self.reach = slider("window", "L", tr("Window L"), (1, MOST_WINDOW), 2)
        self.back = panel.named(
            kit.button(tr("Reset"), role="link", pressed=self._reset_to_own),
            f"{prefix}.back",
            tr("Reset to the model’s settings"),
        )
        rows: list[Sequence[kit.Part]] = []
        for local, one in (
            ("negative", self.negative),
            ("exponent", self.exponent),
            ("window", self.reach),
        ):
            rows += [(self._names[local], one), (kit.across(self._texts[local], 2),), ()]
        grid = kit.grid(*rows, row_gap=2, shares=(0, 1))
        for below in range(2, len(rows), 3):
            grid.setRowMinimumHeight(below, kit.SPACE_2)
        self.by_field = {
            "negative": self.negative,
            "exponent": self.exponent,
            "window": self.reach,
        }
        column = kit.column(
            grid,
            kit.at_left(self.back),
            kit.stretch(share=1),
            gap=kit.SPACE_1,
            margins=(kit.SPACE_1, kit.SPACE_3, kit.SPACE_1, 0),
        )
        kit.fill(self, column)

    def _make_slider(
        self,
        panel: Panel,
        prefix: str,
        local: str,
        name: str,
        accessible: str,
        bounds: tuple[int, int],
        page: int,
    ) -> QSlider:
        qt_slider = panel.named(QSlider(Qt.Orientation.Horizontal), f"{prefix}.{local}", accessible)
        qt_slider.setRange(*bounds)
        qt_slider.setPageStep(page)
        kit.set_scaled_size(qt_slider, least_width=90)
        self._names[local] = kit.label(name, buddy=qt_slider)
        self._texts[local] = kit.with_role(
            kit.ElidedLabel(lines=2), "", f"{panel.key}.{prefix}.{local}.tie"
        )
        qt_slider.valueChanged.connect(self._slider_changed)
        return qt_slider

    # -- settings

    @property
    def own_settings(self) -> tuple[PairCountSettings, TargetSettings]:
        """Settings of the model."""
        return self._own

    @property
    def chosen_settings(self) -> tuple[PairCountSettings, TargetSettings]:
        """Settings of the sliders; for a slider at the model's own setting, that exact value."""
        counting, setting = self._own
        negative, exponent, window = map(self.moved_to, self.by_field)
        if window >= 0:
            counting = replace(counting, window=window)
        changes: dict[str, float] = {}
        at_noise = self._key == "xstar"
        if negative >= 0:
            changes["negative" if at_noise else "shift"] = float(negative)
        if exponent >= 0:
            changes["ns_exponent" if at_noise else "context_smoothing"] = exponent / STEPS
        return counting, replace(setting, **changes)  # type: ignore[arg-type]

    @property
    def is_away(self) -> bool:
        """Whether the settings differ from the model’s."""
        return self.chosen_settings != self._own

    def moved_to(self, field: str) -> int:
        """Step of a slider, -1 at the model's own setting."""
        value = self.by_field[field].value()
        return -1 if value == self._own_steps[field] else value

    def put_step(self, field: str, step: int) -> None:
        """Move a slider to a step, or with -1 to the model's own setting."""
        self.by_field[field].setValue(self._own_steps[field] if step < 0 else step)

    def set_own(self, counting: PairCountSettings, setting: TargetSettings, key: str) -> bool:
        """Set the model’s settings, or another target, without a signal; returns whether others
        were set before.
        """
        before = self._key
        if (self._own, before) == ((counting, setting), key):
            return False
        self._own, self._key = (counting, setting), key
        for local in ("negative", "exponent"):
            for widget in (getattr(self, local), self._names[local], self._texts[local]):
                widget.setEnabled(key in _WITH_CHANCE)
        for field, slider in self.by_field.items():
            slider.blockSignals(True)
            self.put_step(field, -1)
            slider.blockSignals(False)
        self._update_texts()
        return bool(before)

    def _k_and_alpha(self, setting: TargetSettings) -> tuple[float, float]:
        at_noise = self._key == "xstar"
        return (
            setting.negative if at_noise else setting.shift,
            setting.ns_exponent if at_noise else setting.context_smoothing,
        )

    @property
    def _own_steps(self) -> dict[str, int]:
        """The model's own settings as steps of the sliders, by field."""
        counting, setting = self._own
        k, alpha = self._k_and_alpha(setting)
        return {
            "negative": _clamp_count(round(k), MOST_K),
            "exponent": _alpha_step(alpha),
            "window": _clamp_count(counting.window, MOST_WINDOW),
        }

    def _reset_to_own(self) -> None:
        for field in self.by_field:
            self.put_step(field, -1)
        self.moved.emit()

    def _slider_changed(self) -> None:
        self._update_texts()
        self._rest.start()

    # -- counts and target

    def _update_texts(self) -> None:
        counting, setting = self.chosen_settings
        k, alpha = self._k_and_alpha(setting)
        if self._key in _WITH_CHANCE:
            noise = tr("shift k = {k:g}", k=k)
            if self._key == "xstar":
                noise = trn(
                    "{k:g} negative sample per pair",
                    "{k:g} negative samples per pair",
                    1 if k == 1 else 2,
                    k=k,
                )
            self._texts["negative"].put(
                tr(
                    "{noise}  ↔  subtracts log k = {log:.2f} from every cell",
                    noise=noise,
                    log=math.log(k),
                )
            )
            drawn = tr("noise") if self._key == "xstar" else "P(c)"
            source = "n(c)" if self._key == "xstar" else "#(c)"
            effect = _smoothing_text(alpha)
            self._texts["exponent"].put(
                f"{drawn} ∝ {source}^{true_minus(f'{alpha:g}')}  ↔  {effect}"
            )
        else:
            self._texts["negative"].put(tr("this target has no negative samples, so no log k"))
            self._texts["exponent"].put(tr("this target has no context probability"))
        weights, divisor = window_weights(counting.window, counting.window_weighting)
        shown = ", ".join(true_minus(f"{value:.2g}") for value in (weights / divisor)[:8].tolist())
        more = " …" if counting.window > 8 else ""
        self._texts["window"].put(
            tr(
                "{words}, {window_weighting}  ↔  by distance {shown}{more}",
                words=plural(counting.window, "word"),
                window_weighting=choice_text(counting.window_weighting),
                shown=shown,
                more=more,
            )
        )
        self._set_enabled(self.back, self.is_away)

    @staticmethod
    def _set_enabled(button: QPushButton, on: bool) -> None:
        if button.isEnabled() != on:
            button.setEnabled(on)

    @property
    def texts(self) -> dict[str, str]:
        """Label texts, by slider."""
        return {local: label.whole for local, label in self._texts.items()}


def _clamp_count(value: int, most: int) -> int:
    return min(max(value, 1), most)


def _alpha_step(alpha: float) -> int:
    return min(max(round(alpha * STEPS), 0), STEPS)


@mark_unknown
def _smoothing_text(alpha: float) -> str:
    if alpha == 1:
        return tr("plain PMI, no smoothing")
    if alpha == 0:
        return tr("all contexts equal")
    return tr("rare contexts smoothed")
