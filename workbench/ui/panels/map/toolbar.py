"""Toolbar of the map: method, number of words, colour, word sets, search, UMAP settings."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.projection.methods import UmapParams
from workbench.core.errors import ParameterError
from workbench.core.language import tr
from workbench.ui.panels.map.layout import AXES, PAIR, PCA, PCA_3D, PLANE, UMAP, UMAP_3D
from workbench.ui.plain_text import PlainLabel, safe_tip
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import count
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, Theme
from workbench.ui.widgets.inputs.editors import ChoiceBox, FloatBox, IntBox
from workbench.ui.widgets.inputs.form import label_of, tooltip
from workbench.ui.widgets.inputs.word_search import WordSearch
from workbench.ui.widgets.layout.wrapping_bar import Bar

# Wider spaced than umap-learn's defaults: words are written beside the points.
READABLE = UmapParams(n_neighbors=30, min_dist=0.6)
_SHOWN = ("n_neighbors", "min_dist", "seed")
METHODS = {
    UMAP: ("UMAP", tr("Neighbours stay together; distances and directions bend")),
    PCA: (
        "PCA",
        tr(
            "The plane in which the vectors, scaled to unit length, differ most; straight lines "
            "stay straight"
        ),
    ),
    AXES: (
        tr("Word axes"),
        tr("How far each word leans from one word to another, in two directions"),
    ),
    PLANE: (tr("Analogy plane"), tr("The plane of the four words of the analogy answered last")),
    PCA_3D: (
        tr("3D by PCA"),
        tr(
            "The three directions in which the vectors, scaled to unit length, differ most; drag "
            "to rotate"
        ),
    ),
    UMAP_3D: (tr("3D by UMAP"), tr("UMAP in three dimensions; drag to turn")),
    PAIR: (tr("Before/after"), tr("Two models, the words moving from one to the other")),
}
_LIMITS = (500, 2000, 5000, 20_000, 0)


class MapBar(QWidget):
    """``changed`` follows every choice of method or number of words; the other controls have
    signals of their own.
    """

    changed = Signal()
    umap_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.umap = READABLE
        self.search = WordSearch()
        self.search.setPlaceholderText(tr("Find"))
        set_scaled_size(self.search, least_width=78)
        set_scaled_size(self.search, most_width=190)
        self.method = ChoiceBox()
        for key, (title, tip) in METHODS.items():
            self.method.addItem(title, key)
            self.method.setItemData(
                self.method.count() - 1, safe_tip(tip), Qt.ItemDataRole.ToolTipRole
            )
        self.limit = ChoiceBox()
        for number in _LIMITS:
            if number:
                self.limit.addItem(tr("{number} words", number=count(number)), number)
            else:
                self.limit.addItem(tr("All words"), number)
        self.limit.setCurrentIndex(_LIMITS.index(2000))
        self.parameters, self.lasso, self.fit, self.export = (QToolButton() for _ in range(4))
        self.colour, self.words = QToolButton(), QToolButton()
        self.colour.setText(tr("Colour"))
        self.words.setText(tr("Words"))
        for button in (self.parameters, self.colour, self.words, self.lasso, self.fit, self.export):
            button.setProperty("role", "quiet")
            set_scaled_size(button, icon=16)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lasso.setCheckable(True)
        self.lasso.setProperty("passing", True)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.export)
        self.export.setMenu(self._menu)
        self.popover = UmapPopover(self)
        self.popover.run_asked.connect(self._run_umap)
        self.parameters.clicked.connect(self._open_popover)
        self.method.activated.connect(self._method_changed)
        self.limit.activated.connect(lambda _: self.changed.emit())
        row = Bar(self, gap=SPACE_1)
        row.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_2)
        row.addWidget(self.search, 2)
        for widget in (self.method, self.limit, self.parameters):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in (self.colour, self.words, self.lasso, self.fit, self.export):
            row.addWidget(widget)
        self.allow_plane(False)

    def retheme(self, theme: Theme) -> None:
        named = (
            (self.parameters, "sliders"),
            (self.lasso, "lasso"),
            (self.fit, "fit"),
            (self.export, "export"),
        )
        for button, icon in named:
            button.setIcon(theme.icon(icon, "text"))

    def add_export(self, action: QAction) -> None:
        self._menu.addAction(action)

    @property
    def chosen_method(self) -> str:
        return str(self.method.currentData())

    @property
    def chosen_limit(self) -> int:
        """Number of words, 0 for all."""
        return int(self.limit.currentData())

    def set_choices(self, method: str, limit: int) -> None:
        """Set the controls without a signal; unknown values are ignored."""
        for box, value in ((self.method, method), (self.limit, limit)):
            index = box.findData(value)
            if index >= 0:
                box.setCurrentIndex(index)
        self._show_parameters()

    def allow_plane(self, allowed: bool) -> None:
        """Enable the plane of an analogy."""
        model = self.method.model()
        if isinstance(model, QStandardItemModel):
            model.item(self.method.findData(PLANE)).setEnabled(allowed)

    def _method_changed(self) -> None:
        self._show_parameters()
        self.changed.emit()

    def _show_parameters(self) -> None:
        self.parameters.setVisible(self.chosen_method in (UMAP, UMAP_3D, PAIR))

    def _open_popover(self) -> None:
        self.popover.set_params(self.umap)
        self.popover.adjustSize()
        self.popover.move(
            self.parameters.mapToGlobal(QPoint(0, self.parameters.height() + SPACE_1))
        )
        self.popover.show()
        self.popover.focus_first()

    def _run_umap(self, params: UmapParams) -> None:
        self.umap = params
        self.umap_asked.emit(params)


class UmapPopover(QFrame):
    """UMAP's settings. ``run_asked`` carries them once they are valid."""

    run_asked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("map.parameters.popover")
        self.setAccessibleName(tr("UMAP settings"))
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.editors: dict[str, IntBox | FloatBox] = {}
        self._params = READABLE
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_2)
        for line, name in enumerate(_SHOWN):
            spec = UmapParams.spec(name)
            editor: IntBox | FloatBox = IntBox() if spec.type is int else FloatBox()
            editor.setObjectName(f"map.param.{name}")
            editor.setAccessibleName(label_of(spec))
            editor.setToolTip(safe_tip(tooltip(spec)))
            set_scaled_size(editor, least_width=96)
            label = PlainLabel(label_of(spec))
            label.setBuddy(editor)
            label.setToolTip(safe_tip(tooltip(spec)))
            grid.addWidget(label, line, 0)
            grid.addWidget(editor, line, 1)
            self.editors[name] = editor
        self._problem = PlainLabel()
        self._problem.setProperty("role", "error")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.run = QPushButton(tr("Lay out again"))
        self.run.setObjectName("map.run")
        self.run.setAccessibleName(tr("Lay out again"))
        self.run.clicked.connect(self._submit_params)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_3)
        column.setSpacing(SPACE_3)
        column.addLayout(grid)
        column.addWidget(self._problem)
        column.addWidget(self.run, 0, Qt.AlignmentFlag.AlignRight)
        # A lesson may set one of them and lay out again without opening this.
        self.set_params(self._params)

    def set_params(self, params: UmapParams) -> None:
        self._params = params
        for name, value in params.to_dict().items():
            editor = self.editors.get(name)
            if isinstance(editor, FloatBox):
                editor.setValue(float(value))
            elif editor is not None:
                editor.setValue(int(value))

    def focus_first(self) -> None:
        """Focus the first setting."""
        self.editors[_SHOWN[0]].setFocus()

    def _submit_params(self) -> None:
        try:
            params = UmapParams.from_mapping(
                {
                    **self._params.to_dict(),
                    **{name: editor.value() for name, editor in self.editors.items()},
                }
            )
        except ParameterError as error:
            self._problem.setText(error.message)
            self._problem.show()
            self.adjustSize()
            return
        self._problem.hide()
        self.hide()
        self.run_asked.emit(params)
