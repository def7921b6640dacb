"""UMAP's settings, in a small window under the button that opens it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QVBoxLayout, QWidget

from workbench.analysis.projection import UmapParams
from workbench.core.errors import ParameterError
from workbench.core.language import tr
from workbench.ui.form import label_of, tooltip
from workbench.ui.measures import sized
from workbench.ui.plain_text import PlainLabel, safe_tip
from workbench.ui.theme import SPACE_2, SPACE_3, SPACE_4
from workbench.ui.widgets.editors import FloatBox, IntBox

# Wider spaced than umap-learn's defaults: words are written beside the points.
READABLE = UmapParams(n_neighbors=30, min_dist=0.6)
_SHOWN = ("n_neighbors", "min_dist", "seed")


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
            sized(editor, least_width=96)
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
        self.run.clicked.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_3)
        column.setSpacing(SPACE_3)
        column.addLayout(grid)
        column.addWidget(self._problem)
        column.addWidget(self.run, 0, Qt.AlignmentFlag.AlignRight)
        # A lesson may set one of them and lay out again without opening this.
        self.put(self._params)

    def put(self, params: UmapParams) -> None:
        self._params = params
        for name, value in params.to_dict().items():
            editor = self.editors.get(name)
            if isinstance(editor, FloatBox):
                editor.setValue(float(value))
            elif editor is not None:
                editor.setValue(int(value))

    def focus(self) -> None:
        """Begin with the first setting."""
        self.editors[_SHOWN[0]].setFocus()

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
