"""Sliders that show how training settings change the target: k ↔ log k, α ↔ smoothing, L ↔
weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QWidget

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.language import choice_text, plural, tr, trn
from workbench.counts.cooccurrence import window_weights
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import mark_unknown, true_minus

_MOST_K, _MOST_WINDOW, _STEPS = 30, 15, 20
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

        def slider(
            local: str, name: str, accessible: str, low: int, high: int, page: int
        ) -> QSlider:
            qt_slider = panel.named(
                QSlider(Qt.Orientation.Horizontal), f"{prefix}.{local}", accessible
            )
            qt_slider.setRange(low, high)
            qt_slider.setPageStep(page)
            kit.set_scaled_size(qt_slider, least_width=90)
            self._names[local] = kit.label(name, buddy=qt_slider)
            self._texts[local] = kit.with_role(
                kit.ElidedLabel(lines=2), "", f"{panel.key}.{prefix}.{local}.tie"
            )
            qt_slider.valueChanged.connect(self._slider_changed)
            return qt_slider

        self.negative = slider("negative", "k", tr("Negative samples k"), 1, _MOST_K, 5)
        self.exponent = slider(
            "exponent",
            "α",
            tr("Exponent of the noise distribution, context smoothing"),
            0,
            _STEPS,
            2,
        )
        self.reach = slider("window", "L", tr("Window L"), 1, _MOST_WINDOW, 2)
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
        column = kit.column(
            grid,
            kit.at_left(self.back),
            kit.stretch(share=1),
            gap=kit.SPACE_1,
            margins=(kit.SPACE_1, kit.SPACE_3, kit.SPACE_1, 0),
        )
        kit.fill(self, column)

    # -- settings

    @property
    def own_settings(self) -> tuple[PairCountSettings, TargetSettings]:
        """Settings of the model."""
        return self._own

    @property
    def chosen_settings(self) -> tuple[PairCountSettings, TargetSettings]:
        """Settings of the sliders; for a slider at the model's own setting, that exact value."""
        counting, setting = self._own
        k, alpha = self._k_and_alpha(setting)
        if self.reach.value() != _clamp_count(counting.window, _MOST_WINDOW):
            counting = replace(counting, window=self.reach.value())
        changes: dict[str, float] = {}
        at_noise = self._key == "xstar"
        if self.negative.value() != _clamp_count(round(k), _MOST_K):
            changes["negative" if at_noise else "shift"] = float(self.negative.value())
        if self.exponent.value() != _alpha_step(alpha):
            changes["ns_exponent" if at_noise else "context_smoothing"] = (
                self.exponent.value() / _STEPS
            )
        return counting, replace(setting, **changes)  # type: ignore[arg-type]

    @property
    def is_away(self) -> bool:
        """Whether the settings differ from the model’s."""
        return self.chosen_settings != self._own

    def set_own(self, counting: PairCountSettings, setting: TargetSettings, key: str) -> None:
        """Set the model’s settings, or another target, without a signal."""
        if (self._own, self._key) == ((counting, setting), key):
            return
        self._own, self._key = (counting, setting), key
        for local in ("negative", "exponent"):
            for widget in (getattr(self, local), self._names[local], self._texts[local]):
                widget.setEnabled(key in _WITH_CHANCE)
        self._set_sliders()

    def _k_and_alpha(self, setting: TargetSettings) -> tuple[float, float]:
        at_noise = self._key == "xstar"
        return (
            setting.negative if at_noise else setting.shift,
            setting.ns_exponent if at_noise else setting.context_smoothing,
        )

    def _set_sliders(self) -> None:
        counting, setting = self._own
        k, alpha = self._k_and_alpha(setting)
        for slider, value in (
            (self.negative, _clamp_count(round(k), _MOST_K)),
            (self.exponent, _alpha_step(alpha)),
            (self.reach, _clamp_count(counting.window, _MOST_WINDOW)),
        ):
            slider.blockSignals(True)
            slider.setValue(value)
            slider.blockSignals(False)
        self._update_texts()

    def _reset_to_own(self) -> None:
        self._set_sliders()
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
    return min(max(round(alpha * _STEPS), 0), _STEPS)


@mark_unknown
def _smoothing_text(alpha: float) -> str:
    if alpha == 1:
        return tr("plain PMI, no smoothing")
    if alpha == 0:
        return tr("all contexts equal")
    return tr("rare contexts smoothed")
