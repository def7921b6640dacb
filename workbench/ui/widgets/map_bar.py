"""The quiet row above the map: what is laid out, how, and where to look."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.projection import UmapParams
from workbench.core.errors import ParameterError
from workbench.ui.form import label_of, tooltip
from workbench.ui.text import count
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.editors import ChoiceBox, FloatBox, IntBox
from workbench.ui.widgets.map_layouts import PCA, PLANE, UMAP
from workbench.ui.widgets.word_search import WordSearch

_METHODS = {
    UMAP: ("UMAP", "Neighbours stay together; distances and directions bend"),
    PCA: ("PCA", "The plane in which the words differ most; straight lines stay straight"),
    PLANE: ("Analogy plane", "The plane of the four words of the analogy answered last"),
}
_LIMITS = (500, 2000, 5000, 20_000, 0)
# Wider spaced than umap-learn's defaults: words are written beside the points.
_READABLE = UmapParams(n_neighbors=30, min_dist=0.6)
_SHOWN = ("n_neighbors", "min_dist", "seed")


class UmapPopover(QFrame):
    """UMAP's settings. ``run_asked`` carries them once they are valid."""

    run_asked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("map.parameters.popover")
        self.setAccessibleName("UMAP settings")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.editors: dict[str, IntBox | FloatBox] = {}
        self._params = _READABLE
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_2)
        for line, name in enumerate(_SHOWN):
            spec = UmapParams.spec(name)
            editor: IntBox | FloatBox = IntBox() if spec.type is int else FloatBox()
            editor.setObjectName(f"map.param.{name}")
            editor.setAccessibleName(label_of(spec))
            editor.setToolTip(tooltip(spec))
            editor.setMinimumWidth(96)
            label = QLabel(label_of(spec))
            label.setBuddy(editor)
            label.setToolTip(tooltip(spec))
            grid.addWidget(label, line, 0)
            grid.addWidget(editor, line, 1)
            self.editors[name] = editor
        self._problem = QLabel()
        self._problem.setProperty("role", "error")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.run = QPushButton("Lay out again")
        self.run.setObjectName("map.run")
        self.run.setAccessibleName("Lay out again")
        self.run.clicked.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_3)
        column.setSpacing(SPACE_3)
        column.addLayout(grid)
        column.addWidget(self._problem)
        column.addWidget(self.run, 0, Qt.AlignmentFlag.AlignRight)

    def put(self, params: UmapParams) -> None:
        self._params = params
        for name, value in params.to_dict().items():
            editor = self.editors.get(name)
            if isinstance(editor, FloatBox):
                editor.setValue(float(value))
            elif editor is not None:
                editor.setValue(int(value))

    def _ask(self) -> None:
        try:
            params = UmapParams.from_mapping(
                {**self._params.to_dict(), **{name: editor.value() for name, editor in self.editors.items()}}
            )
        except ParameterError as error:
            self._problem.setText(error.message)
            self._problem.show()
            self.adjustSize()
            return
        self._problem.hide()
        self.hide()
        self.run_asked.emit(params)


class MapBar(QWidget):
    """``changed`` follows every choice of method or number of words; the other controls have signals of their own."""

    changed = Signal()
    umap_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.umap = _READABLE
        self.search = WordSearch()
        self.search.setPlaceholderText("Find a word")
        self.search.setMinimumWidth(110)
        self.search.setMaximumWidth(190)
        self.method = ChoiceBox()
        for key, (title, tip) in _METHODS.items():
            self.method.addItem(title, key)
            self.method.setItemData(self.method.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.method.setMinimumContentsLength(10)
        self.limit = ChoiceBox()
        self.limit.setMinimumContentsLength(9)
        for number in _LIMITS:
            self.limit.addItem(f"{count(number)} words" if number else "All words", number)
        self.limit.setCurrentIndex(_LIMITS.index(2000))
        self.parameters = QToolButton()
        self.parameters.setText("Settings…")
        self.fit = QToolButton()
        self.fit.setText("Show all")
        self.export = QToolButton()
        self.export.setText("Export")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for button in (self.parameters, self.fit, self.export):
            button.setProperty("role", "quiet")
        # The style draws the menu's arrow inside the button.
        self.export.setMinimumWidth(self.export.sizeHint().width() + SPACE_3)
        self._menu = QMenu(self.export)
        self.export.setMenu(self._menu)
        self.popover = UmapPopover(self)
        self.popover.run_asked.connect(self._settled)
        self.parameters.clicked.connect(self._open)
        self.method.activated.connect(self._chosen)
        self.limit.activated.connect(lambda _: self.changed.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_2)
        row.setSpacing(SPACE_2)
        row.addWidget(self.search, 2)
        row.addSpacing(SPACE_1)
        for widget in (self.method, self.limit, self.parameters):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.fit)
        row.addWidget(self.export)
        self.allow_plane(False)

    def add_export(self, action: QAction) -> None:
        self._menu.addAction(action)

    @property
    def chosen_method(self) -> str:
        return str(self.method.currentData())

    @property
    def chosen_limit(self) -> int:
        """How many words, 0 for all."""
        return int(self.limit.currentData())

    def choose(self, method: str, limit: int) -> None:
        """Put choices in without telling anybody; unknown ones are passed over."""
        for box, value in ((self.method, method), (self.limit, limit)):
            index = box.findData(value)
            if index >= 0:
                box.setCurrentIndex(index)
        self._show_parameters()

    def allow_plane(self, allowed: bool) -> None:
        """Whether there is an analogy whose plane could be shown."""
        model = self.method.model()
        if isinstance(model, QStandardItemModel):
            model.item(self.method.findData(PLANE)).setEnabled(allowed)

    def _chosen(self) -> None:
        self._show_parameters()
        self.changed.emit()

    def _show_parameters(self) -> None:
        self.parameters.setVisible(self.chosen_method == UMAP)

    def _open(self) -> None:
        self.popover.put(self.umap)
        self.popover.adjustSize()
        self.popover.move(self.parameters.mapToGlobal(QPoint(0, self.parameters.height() + SPACE_1)))
        self.popover.show()
        self.popover.editors[_SHOWN[0]].setFocus()

    def _settled(self, params: UmapParams) -> None:
        self.umap = params
        self.umap_asked.emit(params)


class MapFooter(QWidget):
    """One line under the map: what is seen, what is being done, what to beware of."""

    def __init__(self) -> None:
        super().__init__()
        self.caption = QLabel()
        self.caption.setProperty("role", "small")
        self.notice = QLabel()
        self.notice.setProperty("role", "small")
        self.link = QPushButton("Show the analogy plane")
        self.link.setProperty("role", "link")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        self.progress.setFixedWidth(120)
        self.stop = QToolButton()
        self.stop.setProperty("role", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_4, SPACE_1, SPACE_3, SPACE_1)
        row.setSpacing(SPACE_3)
        row.addWidget(self.caption)
        row.addStretch(1)
        row.addWidget(self.notice)
        row.addWidget(self.link)
        row.addWidget(self.progress)
        row.addWidget(self.stop)
        self.setFixedHeight(32)

    def say(self, text: str, role: str = "small") -> None:
        """A notice at the right: "small" for facts, "warning" or "error"."""
        self.notice.setText(text)
        set_property(self.notice, "role", role)

    def show_progress(self, fraction: float | None, under_way: bool) -> None:
        self.progress.setVisible(under_way)
        self.stop.setVisible(under_way)
        if under_way:
            self.progress.setRange(0, 0 if fraction is None else 1000)
            if fraction is not None:
                self.progress.setValue(round(fraction * 1000))
