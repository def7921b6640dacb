"""What the matrix panel is built of: controls, the matrices, and the lines that tell of them."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.analysis.matrix.values import KINDS
from workbench.core.language import tr, trc
from workbench.ui.panel import Notice, Panel
from workbench.ui.panels.matrix.board_job import Made, counted_as
from workbench.ui.panels.matrix.controls import MatrixControls
from workbench.ui.panels.matrix.export import MatrixExports
from workbench.ui.panels.matrix.find_bar import MatrixFinding
from workbench.ui.panels.matrix.pane_headers import MOST, PaneHeads
from workbench.ui.panels.matrix.view import MatrixView
from workbench.ui.plain_text import PlainLabel
from workbench.ui.theme import SPACE_2, SPACE_3, set_property
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.ui.widgets.layout.wrapping_bar import Bar


class MatrixBody:
    """Widgets named after the panel, laid out in its body, and what is said in them."""

    def __init__(self, panel: Panel) -> None:
        named, session, theme = panel.named, panel.session, panel.theme
        self.notice = Notice(f"{panel.key}.here")
        self.view = named(MatrixView(theme, self.notice), "view", tr("Heatmaps"))
        self.controls = MatrixControls(panel)
        self.finding = MatrixFinding(panel, self.view)
        self.heads = PaneHeads(session, theme, self.view)
        self.add = named(
            QPushButton(tr("Add view")), "add", tr("Add a view"), tr("Another matrix of the same words beside")
        )
        self.shared = named(
            QCheckBox(tr("One scale")), "shared", tr("One colour scale for all views"),
            tr("Views of one unit share their colour scale; otherwise each has its own"),
        )  # fmt: skip
        self.met = named(
            QCheckBox(tr("Only observed pairs")), "met", tr("Only observed pairs"),
            tr("Also hatch unobserved pairs in the model’s view, because the logarithm of 0 is undefined"),
        )  # fmt: skip
        self.own_target = named(
            QPushButton(tr("Compare with own target")), "own_target", tr("Show the run’s own target beside the model"),
            tr("Replace the other view with the target of this run’s products, in the same colours"),
        )  # fmt: skip
        self.own_target.setProperty("role", "link")
        self.fit = named(
            QPushButton(trc("verb", "Fit")), "fit", tr("Show the whole matrix"), tr("Show the whole matrix (Home)")
        )
        self.exports = MatrixExports(
            self.view, session, lambda: self.heads.titles(self.view.board), self.shared.isChecked
        )
        self.export = named(self.exports.button, "export", tr("Export figure and data"))
        self._readout = ElidedLabel(lines=2)
        self._readout.setObjectName(f"{panel.key}.readout")
        self.left_out = named(ElidedLabel(lines=2), "left_out", tr("Words left out"))
        self.left_out.setProperty("role", "warning")
        self.left_out.hide()
        self._settings = named(PlainLabel(), "settings", tr("How the pairs were counted"))
        self._settings.setProperty("role", "muted")
        self._lay_out(panel.body)
        self.add.clicked.connect(self.heads.add)
        self.fit.clicked.connect(self.view.fit)
        self.view.hovered.connect(lambda *_: self.read())
        self.view.arranged.connect(self._place_heads)

    def _lay_out(self, body: QWidget) -> None:
        row, second, below = Bar(), Bar(), QHBoxLayout()
        self.controls.fill(row)
        row.addStretch()
        for widget in (self.add, self.fit, self.export):
            row.addWidget(widget)
        self.finding.fill(second)
        second.addWidget(self.shared)
        second.addWidget(self.met)
        second.addWidget(self.own_target)
        below.setSpacing(SPACE_3)
        below.addWidget(self._readout, 1)
        below.addWidget(self._settings)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(SPACE_3, SPACE_3, SPACE_3, SPACE_2)
        layout.setSpacing(SPACE_2)
        layout.addLayout(row)
        layout.addLayout(second)
        layout.addWidget(self.left_out)
        layout.addWidget(self.view, 1)
        layout.addLayout(below)

    def _place_heads(self) -> None:
        for head, room in zip(self.heads.shown, self.view.frame.heads, strict=False):
            head.place(room)

    def show_wanted(self) -> None:
        """Show the controls that matter for the panes asked for."""
        kinds = [head.choice[0] for head in self.heads.shown]
        self.controls.show_wanted(kinds)
        counted = any(kind in KINDS and "corpus" in KINDS[kind].needs for kind in kinds)
        self.met.setVisible("model" in kinds and counted)
        other = "model" in kinds and counted and not {"target", "score", "residual"}.intersection(kinds)
        self.own_target.setVisible(other and self.heads.target_of("model"))
        self.add.setEnabled(self.heads.number < MOST)
        self.shared.setVisible(self.heads.number > 1)

    def put(self, made: Made, vocabulary: tuple[str, ...], selection: tuple[str, ...]) -> None:
        """Show what was computed; ``vocabulary`` : the words that can be added"""
        set_property(self.controls.words, "invalid", "")
        self.view.uncover()
        self.view.put(made.board, made.pictures)
        self.view.choose(selection)
        self._settings.setText(counted_as(made))
        self.finding.set_vocabulary(vocabulary)
        self.finding.put(made.board)
        self._tell_left_out(made.board.left_out)
        self.read()

    def clear(self) -> None:
        """Show nothing: what was there belongs to another question."""
        self.view.put(None)
        self.finding.put(None)
        self._tell_left_out("")

    def _tell_left_out(self, text: str) -> None:
        self.left_out.put(text)
        self.left_out.setVisible(bool(text))

    def cover(
        self, title: str, hint: str, *, action: QAction | None = None, fraction: float | None = None,
        busy: bool = False, is_error: bool = False,
    ) -> None:  # fmt: skip
        """Say something over the matrices."""
        self.notice.set_content(title, hint, action=action, fraction=fraction, busy=busy, is_error=is_error)
        self.view.cover()
        self._readout.put("")
        self._settings.setText("")

    def read(self) -> None:
        """Tell the numbers of the cell pointed at, or what is seen."""
        board = self.view.board
        if board is None or self.view.covered:
            return
        text = self.view.describe(self.view.cell)
        set_property(self._readout, "role", "" if text else "muted")
        told = "; ".join(result.label for result in board.results)
        note = f" {board.note}" if board.note else ""
        self._readout.put(text or tr("{told}.{note} Point at a cell for its numbers.", told=told, note=note))
        # The numbers of several panes need the whole line.
        crowded = bool(text) and len(board.panes) > 1
        if self._settings.isHidden() != crowded:
            self._settings.setVisible(not crowded)
