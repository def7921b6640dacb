"""Toolbar of the map: method, number of words, colour, word sets, search, UMAP settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from workbench.analysis.projection.methods import PROJECTIONS, Projection
from workbench.analysis.projection.umap import UmapParams
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, Theme
from workbench.ui.panels.map.layout import METHODS, PAIR, PAIRS, PLANE
from workbench.ui.widgets.inputs.editors import set_choice_enabled
from workbench.ui.widgets.inputs.form import Form
from workbench.ui.widgets.inputs.word_search import WordSearch

_LIMITS = (500, 1000, 2000, 5000, 20_000, 200_000, 0)


def read_params(kind: type[UmapParams], values: object) -> UmapParams | None:
    """Settings from a session file; None for malformed values."""
    try:
        if isinstance(values, dict):
            return kind.from_mapping(values)
    except UserError:
        pass
    return None


def _with_settings() -> dict[str, type[Projection]]:
    """For each type of settings, the first projection that has it, by key."""
    found: dict[type[UmapParams], type[Projection]] = {}
    for kind in PROJECTIONS:
        if kind.params_type is not None:
            found.setdefault(kind.params_type, kind)
    return {kind.key: kind for kind in found.values()}


class MapBar(QWidget):
    """``changed`` follows each choice of "method" or number of words, "limit"; ``method_chosen``
    comes before it for the former, also if the method is the same; other controls have their own
    signals.
    """

    changed = Signal(str)
    method_chosen = Signal()
    umap_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._params: dict[type[UmapParams], UmapParams] = {}
        # Returns the key of the projection of Before/after.
        self.compared_by: Callable[[], str] = lambda: PAIR
        self.search = WordSearch()
        self.search.setProperty("passing", True)
        self.search.set_hints(tr("Find on the map"), tr("Find"))
        kit.set_scaled_size(self.search, least_width=78)
        kit.set_scaled_size(self.search, most_width=190)
        self.method = kit.ChoiceBox.of(
            {key: method.title for key, method in METHODS.items()},
            tips=[method.help for method in METHODS.values()],
        )
        limits = {n: tr("{number} words", number=count(n)) for n in _LIMITS} | {0: tr("All words")}
        self.limit = kit.ChoiceBox.of(limits, 2000)
        self.parameters, self.lasso, self.fit, self.export = (
            kit.icon_button(theme, icon, role="quiet")
            for icon in ("sliders", "lasso", "fit", "export")
        )
        self.colour, self.words = (
            kit.text_button(text, role="quiet") for text in (tr("Colour"), tr("Words"))
        )
        for button in (self.parameters, self.colour, self.words, self.lasso, self.fit, self.export):
            kit.set_scaled_size(button, icon=16)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lasso.setCheckable(True)
        self.lasso.setProperty("passing", True)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.export)
        self.export.setMenu(self._menu)
        self.popover = UmapPopover(self, theme)
        self.popover.run_asked.connect(self._run_umap)
        self.parameters.clicked.connect(self._open_popover)
        self.method.activated.connect(self._method_changed)
        # While the user reads the choices, the one under the pointer is made ready.
        self.method.highlighted.connect(self._prepare_method)
        self.limit.activated.connect(lambda _: self.changed.emit("limit"))
        layout = (kit.stretch(self.search, 2), self.method, self.limit, self.parameters)
        view = (self.colour, self.words, self.lasso, self.fit, self.export)
        kit.fill(
            self, kit.bar(*layout, kit.stretch(), *view, gap=SPACE_1, margins=(SPACE_3, SPACE_2))
        )
        self.allow_plane(False)

    def add_export(self, action: QAction) -> None:
        self._menu.addAction(action)

    @property
    def chosen_method(self) -> str:
        return str(self.method.currentData())

    @property
    def chosen_limit(self) -> int:
        """Number of words, 0 for all."""
        return int(self.limit.currentData())

    @property
    def limits(self) -> tuple[int, ...]:
        """The numbers of words offered, 0 for all."""
        return _LIMITS

    @property
    def params_type(self) -> type[UmapParams] | None:
        """Type of the settings of the chosen method, None if it has none."""
        if self.chosen_method == PAIR:
            return PAIRS[self.compared_by()].params_type
        return METHODS[self.chosen_method].projection.params_type

    def params_of(self, kind: type[UmapParams]) -> UmapParams:
        """The chosen settings of this type."""
        return self._params.get(kind) or kind()

    def kept_params(self) -> dict[str, object]:
        """Settings that were changed, by method."""
        return {
            key: self._params[kind.params_type].to_dict()
            for key, kind in _with_settings().items()
            if kind.params_type in self._params
        }

    def restore_params(self, kept: Mapping[str, object]) -> None:
        """Restore ``kept_params``. Skips malformed entries."""
        self._params = {}
        for key, kind in _with_settings().items():
            params = read_params(kind.params_type or UmapParams, kept.get(key))
            if params is not None:
                self.set_params(params)

    def set_params(self, params: UmapParams) -> None:
        self._params[type(params)] = params

    def limit_with(self, row: int) -> int:
        """Smallest offered number of words that includes this word, 0 for all."""
        return next((number for number in _LIMITS if number > row), 0)

    def choose_limit(self, limit: int) -> None:
        """Set the number of words, 0 for all."""
        self.limit.setCurrentIndex(self.limit.findData(limit))
        self.limit.activated.emit(self.limit.currentIndex())

    def choose_method(self, method: str) -> None:
        """Set the method without a signal; an unknown one is ignored."""
        index = self.method.findData(method)
        if index >= 0:
            self.method.setCurrentIndex(index)
        self.show_parameters()

    def allow_plane(self, allowed: bool) -> None:
        """Enable the plane of an analogy."""
        self.plane_allowed = allowed
        set_choice_enabled(self.method, self.method.findData(PLANE), allowed)

    def _prepare_method(self, index: int) -> None:
        METHODS[str(self.method.itemData(index))].projection.prepare()

    def _method_changed(self) -> None:
        self.show_parameters()
        self.method_chosen.emit()
        self.changed.emit("method")

    def show_parameters(self) -> None:
        self.parameters.setVisible(self.params_type is not None)

    def _open_popover(self) -> None:
        self.popover.set_params(self.params_of(self.params_type or UmapParams))
        self.popover.adjustSize()
        self.popover.move(
            self.parameters.mapToGlobal(QPoint(0, self.parameters.height() + SPACE_1))
        )
        self.popover.show()
        self.popover.form.focus_first_shown()

    def _run_umap(self, params: UmapParams) -> None:
        self.set_params(params)
        self.umap_asked.emit(params)


class UmapPopover(QFrame):
    """UMAP's settings. ``run_asked`` carries them if they are valid."""

    run_asked = Signal(object)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("map.parameters.popover")
        self.setAccessibleName(tr("UMAP settings"))
        self.setFrameShape(QFrame.Shape.StyledPanel)
        # What counts are the settings that a layout was asked with.
        self.setProperty("passing", True)
        # The number of words is chosen in the toolbar.
        self.form = Form("map.param", theme, without=("limit",))
        self.form.more.toggled.connect(lambda _: self.adjustSize())
        self.form.changed.connect(self.adjustSize)
        text = tr("Recompute layout")
        self.run = kit.button(text, name="map.run", pressed=self._submit_params)
        self.run.setAccessibleName(text)
        # The marks of the form are in the margin.
        margins = (0, SPACE_3, SPACE_4, SPACE_3)
        kit.fill(self, kit.column(self.form, kit.at_right(self.run), gap=SPACE_3, margins=margins))
        # A lesson may set one of them and start a new layout without opening this popover.
        self.set_params(UmapParams())

    def set_params(self, params: UmapParams) -> None:
        self._limit = params.limit
        self.form.set_kind(type(params), type(params)().to_dict(), params.to_dict())

    def _submit_params(self) -> None:
        params = self.form.params()
        if not isinstance(params, UmapParams):
            self.form.focus_first_error()
            return
        self.hide()
        self.run_asked.emit(params.replace(limit=self._limit))
