"""Matrix panel layout: controls, matrices, readout and notices."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.analysis.matrix.values import KINDS
from workbench.core.language import tr, trc
from workbench.ui import kit
from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.scaling import set_text_role
from workbench.ui.base.theme import SPACE_2, SPACE_3, TYPE_SMALL, set_property
from workbench.ui.panels.matrix.board_job import MatrixOutcome, describe_counting
from workbench.ui.panels.matrix.controls import MatrixControls
from workbench.ui.panels.matrix.export import MatrixExports
from workbench.ui.panels.matrix.find_bar import MatrixFinding
from workbench.ui.panels.matrix.pane_headers import MOST, PaneHeaders
from workbench.ui.panels.matrix.view import MatrixView
from workbench.ui.widgets.layout.folding_bar import FoldingBar
from workbench.ui.widgets.layout.result_view import ResultSurface

_COMPARED = {
    "target": (
        tr("Compare with own target"),
        tr("Show what this run approximates, in the same colours as its scores"),
    ),
    "pmi": (
        tr("Compare with PMI"),
        tr("Show PMI, from which the target differs by the settings of the run"),
    ),
}


class MatrixBody(ResultSurface):
    """Widgets of the matrix panel, named after it and laid out in its body."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel, panel.key)
        named, session, theme = panel.named, panel.session, panel.theme
        self.notice = Notice(f"{panel.key}.here")
        self.view = named(MatrixView(theme, self.notice), "view", tr("Heatmaps"))
        self.controls = MatrixControls(panel)
        self.finding = MatrixFinding(panel, self.view)
        self.heads = PaneHeaders(session, theme, self.view)
        self.add = named(
            kit.button(tr("Add view")),
            "add",
            tr("Add a view"),
            tr("Show another matrix of the same words"),
        )
        self.shared = named(
            QCheckBox(tr("One scale")),
            "shared",
            tr("One colour scale for all views"),
            tr("Use one colour scale for views with the same unit"),
        )
        self.met = named(
            QCheckBox(tr("Only observed pairs")),
            "met",
            tr("Only observed pairs"),
            tr(
                "Also hatch unobserved pairs in the model’s view, because the logarithm of 0 is "
                "undefined"
            ),
        )
        self.compare = named(
            kit.button(role="link"),
            "compare",
            tr("Compare the model with its own target or with PMI"),
        )
        self.fit = named(
            kit.button(trc("verb", "Fit"), pressed=self.view.fit),
            "fit",
            tr("Show the whole matrix"),
            tr("Show the whole matrix (Home)"),
        )
        self.exports = MatrixExports(
            self.view, session, lambda: self.heads.titles(self.view.board), self.shared.isChecked
        )
        self.export = named(self.exports.button, "export", tr("Export figure and data"))
        # A slide has no hint: its audience has no pointer.
        self._hinting = True
        self._readout = kit.with_role(kit.ElidedLabel(lines=2), "", f"{panel.key}.readout")
        left_out = kit.with_role(kit.ElidedLabel(lines=2), "warning")
        self.left_out = named(left_out, "left_out", tr("Words left out"))
        set_text_role(self.left_out, TYPE_SMALL)
        self.left_out.hide()
        self._settings = named(
            kit.label(role="muted"), "settings", tr("How the pairs were counted")
        )
        self._lay_out(panel.body)
        self.add.clicked.connect(self.heads.add_pane)
        self.view.hovered.connect(lambda *_: self.update_readout())
        self.view.arranged.connect(self._place_heads)
        self.on_clear(self.clear_board)

    def _lay_out(self, body: QWidget) -> None:
        row = FoldingBar("matrix.more")
        self.controls.add_to_row(row)
        self.finding.add_to_row(row)
        for widget in (self.compare, self.met, self.shared, self.add, self.fit):
            row.add_folding(widget)
        row.add_more()
        kit.add(row, self.export)
        below = kit.row(kit.stretch(self._readout), self._settings, gap=SPACE_3)
        column = (row, self.left_out, kit.stretch(self.view), below)
        kit.fill(body, kit.column(*column, margins=(SPACE_3, SPACE_3, SPACE_3, SPACE_2)))

    def _place_heads(self) -> None:
        for head, room in zip(self.heads.visible_heads, self.view.frame.heads, strict=False):
            head.place_in(room)

    def update_controls(self) -> None:
        """Show the controls that the requested panes need."""
        kinds = [head.choice[0] for head in self.heads.visible_heads]
        self.controls.update_visibility(kinds)
        counted = any(kind in KINDS and "corpus" in KINDS[kind].needs for kind in kinds)
        self.met.setVisible(counted and not {"model", "score"}.isdisjoint(kinds))
        other = self.heads.compared_with
        self.compare.setVisible(bool(other))
        if other:
            text, tip = _COMPARED[other]
            self.compare.setText(menu_text(text))
            self.compare.setToolTip(safe_tip(tip))
        self.add.setEnabled(self.heads.number < MOST)
        self.shared.setVisible(self.heads.number > 1)

    def show_board(
        self, outcome: MatrixOutcome, vocabulary: tuple[str, ...], selection: tuple[str, ...]
    ) -> None:
        """Show the computed matrices. vocabulary : the words that can be added"""
        set_property(self.controls.words, "invalid", "")
        self.view.set_board(outcome.board, outcome.pictures)
        self.view.ring_pair(selection)
        self._settings.setText(describe_counting(outcome))
        self.finding.set_vocabulary(vocabulary)
        self.finding.set_board(outcome.board)
        self._show_left_out(outcome.board.left_out)
        self.update_readout()

    def clear_board(self) -> None:
        """Clear the matrices, as older results would belong to another request."""
        self.view.set_board(None)
        self.finding.set_board(None)
        self._show_left_out("")

    def _show_left_out(self, text: str) -> None:
        self.left_out.put(text)
        self.left_out.setVisible(bool(text))

    def is_seen(self) -> bool:
        return self.view.isVisible()

    def show_content(self) -> None:
        self.view.hide_notice()

    def show_notice(self, notice: NoticeText) -> None:
        """Show a notice over the matrices."""
        self.notice.put(notice)
        self.view.show_notice()
        self._readout.put("")
        self._settings.setText("")

    def set_presented(self, on: bool) -> None:
        """Leave out the hint on the pointer during a presentation."""
        self._hinting = not on
        self.update_readout()

    def update_readout(self) -> None:
        """Show the numbers of the cell under the pointer, or a summary."""
        board = self.view.board
        if board is None or self.view.covered:
            return
        text = self.view.describe(self.view.cell)
        described = bool(text)
        if described:
            set_property(self._readout, "role", "")
        else:
            set_property(self._readout, "role", "muted")
        summary = "; ".join(result.label for result in board.results)
        note = f" {board.note}" if board.note else ""
        if not text and self._hinting:
            text = tr(
                "{summary}.{note} Point at a cell to see its numbers.", summary=summary, note=note
            )
        self._readout.put(text or f"{summary}.{note}")
        # The numbers of several panes need the whole line.
        crowded = described and len(board.panes) > 1
        if self._settings.isHidden() != crowded:
            self._settings.setVisible(not crowded)
